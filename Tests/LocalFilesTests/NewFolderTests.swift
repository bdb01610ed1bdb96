import Diagnostics
import Foundation
import LocalFiles
import TestSupport
import Testing

@Suite struct NewFolderTests {
    @Test(arguments: ["a", "a/b/c", "a/b/", "./a//b"])
    func aFolderIsMadeWithThoseItLiesIn(name: String) throws {
        let folder = try ScratchFolder()
        let path = folder.path(name)
        // The second time it is there already.
        for _ in 0..<2 {
            try NewFolder.make(path, stage: .batch)
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
        }
    }

    @Test func aLinkThatLeadsNowhereIsToldOf() throws {
        let folder = try ScratchFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: folder.path("gone"))
        for name in ["link", "link/"] {
            let error = #expect(throws: FlatteningError.self) {
                try NewFolder.make(folder.path + "/" + name, stage: .batch)
            }
            #expect(error?.code == .fileAccess && error?.message.contains("link") == true, "\(name)")
        }
        // One that leads to a folder is one.
        try FileManager.default.createDirectory(
            atPath: folder.path("gone"), withIntermediateDirectories: true)
        #expect(throws: Never.self) { try NewFolder.make(folder.path("link"), stage: .batch) }
    }

    @Test func whatStandsInTheWayIsToldInTheSystemsWords() throws {
        let folder = try ScratchFolder()
        try folder.write("x", as: "file")
        for name in ["file", "file/a"] {
            let error = #expect(throws: FlatteningError.self) {
                try NewFolder.make(folder.path(name), stage: .batch)
            }
            #expect(error?.code == .fileAccess && error?.detail?.isEmpty == false, "\(name)")
        }
    }
}
