import Diagnostics
import Foundation
import LocalFiles
import TestSupport
import Testing

@testable import Captures

@Suite struct RecordingTests {
    @Test func aFrameThatIsNotThereIsAnError() throws {
        let folder = try StrayScannerFormatTests.recording()
        let recording = try Recording.open(folder.path)
        #expect(failure { try recording.frame(at: 3) }?.allowed == "0 to 2")
        #expect(failure { try recording.frame(at: -1) }?.code == .badInput)
        #expect(
            try recording.description(at: 1).description.source
                == "Stray Scanner (camera_matrix.csv, depth/, rgb/), frame 1 of 0 to 2")
    }

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

    @Test func aTextInAFolderThatCannotBeListedIsLookedAtByItself() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("no recording", as: "notes.txt")
        // May be entered by everybody, and listed by nobody.
        try FileManager.default.setAttributes([.posixPermissions: 0o311], ofItemAtPath: folder.path)
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        }
        let format = try asNobody {
            #expect(opendir(folder.path) == nil)
            return try Recording.open(path).format
        }
        #expect(format == "picture")
    }

    /// Does something as a user from whom permissions hide files: for the superuser as another one, this thread alone.
    private func asNobody<Value>(_ body: () throws -> Value) throws -> Value {
        #if os(Linux)
            if geteuid() == 0 {
                // Swift does not import <sys/fsuid.h>.
                typealias SetUser = @convention(c) (uid_t) -> Int32
                let symbol = try #require(dlsym(nil, "setfsuid"))
                let setUser = unsafeBitCast(symbol, to: SetUser.self)
                _ = setUser(65534)
                defer { _ = setUser(0) }
                return try body()
            }
        #endif
        return try body()
    }
}
