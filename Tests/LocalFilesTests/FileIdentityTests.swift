import Foundation
import LocalFiles
import TestSupport
import Testing

@Suite struct FileIdentityTests {
    @Test func everyNameOfAFileHasOneIdentityAndACopyAnother() throws {
        let folder = try ScratchFolder()
        let (file, link, name, copy) = (
            folder.path("a"), folder.path("link"), folder.path("name"), folder.path("copy")
        )
        try Data("x".utf8).write(to: URL(filePath: file))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        try FileManager.default.linkItem(atPath: file, toPath: name)
        try FileManager.default.copyItem(atPath: file, toPath: copy)
        let identity = try #require(FileIdentity(of: file))
        #expect(FileIdentity(of: link) == identity && FileIdentity(of: name) == identity)
        #expect(FileIdentity(of: copy) != identity && FileIdentity(of: folder.path("missing")) == nil)
    }
}
