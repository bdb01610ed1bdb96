import Foundation
import LocalFiles
import TestSupport
import Testing

@Suite struct NewFileTests {
    @Test func theUsualPermissionsAreThoseOfAFileMadeHereAndNothingIsLeft() throws {
        let folder = try ScratchFolder()
        let made = folder.path("made")
        // FileManager asks for 0o666 as we do.
        #expect(FileManager.default.createFile(atPath: made, contents: nil))
        let usual = try FileManager.default.attributesOfItem(atPath: made)[.posixPermissions] as? Int
        #expect(NewFile.permissions(at: folder.path("probe")).map(Int.init) == usual)
        #expect(!FileManager.default.fileExists(atPath: folder.path("probe")))
        // What stands there is neither opened nor removed.
        #expect(NewFile.permissions(at: made) == nil && errno == EEXIST)
        #expect(FileManager.default.fileExists(atPath: made))
    }
}
