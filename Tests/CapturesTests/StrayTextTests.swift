import Foundation
import ImageFiles
import Imaging
import Testing

@testable import Captures

/// Texts that describe no recording, where the folder around them may not be looked into.
@Suite struct StrayTextTests {
    @Test func aTextThatIsCalledAPictureIsLookedAtByItself() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("This is no picture, whatever its name says.", as: "receipt.jpg")
        // Listing this folder would pass the limit.
        var limits = FlatteningLimits()
        limits.maximumEntries = 0
        let recording = try Recording.open(path, limits: limits)
        #expect(recording.format == "picture" && recording.frameCount == 1)
        #expect(failure { try recording.frame(at: 0) }?.code == .badInput)
    }

    @Test(.enabled(if: geteuid() != 0, "nothing is hidden from the superuser"))
    func aTextInAFolderThatCannotBeListedIsLookedAtByItself() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("no recording", as: "notes.txt")
        try FileManager.default.setAttributes([.posixPermissions: 0o300], ofItemAtPath: folder.path)
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        }
        #expect(try Recording.open(path).format == "picture")
    }
}
