import BatchProcessing
import Diagnostics
import Foundation
import TestSupport
import Testing

/// What tells one capture from another, and that nothing in one can hold up whoever looks.
@Suite(.timeLimit(.minutes(1))) struct CaptureContentTests {
    private func content(
        _ path: String, follows: Bool = true, limits: CaptureContent.Limits = .init(),
        time: Duration = .seconds(30)
    ) throws -> CaptureContent {
        try CaptureContent(of: path, follows: follows, limits: limits, until: .now + time)
    }

    @Test func theHashIsThatOfTheFilesNotOfTheirPlace() throws {
        let folder = try ScratchFolder()
        for name in ["a", "b"] {
            try folder.write("{}", as: name + "/capture.json")
            try folder.write("picture", as: name + "/rgb/image.jpg")
        }
        let first = try content(folder.path("a")).hash
        #expect(try content(folder.path("b")).hash == first)
        #expect(try content(folder.path("b/capture.json")).hash == first)
        try folder.write("another", as: "b/rgb/image.jpg")
        #expect(try content(folder.path("b")).hash != first)
        try FileManager.default.moveItem(
            atPath: folder.path("a/rgb/image.jpg"), toPath: folder.path("a/rgb/x.jpg"))
        #expect(try content(folder.path("a")).hash != first)
    }

    @Test func aLinkInsideCountsAsWhatItSays() throws {
        let folder = try ScratchFolder()
        try folder.write("picture", as: "a/image.jpg")
        let without = try content(folder.path("a")).hash
        let link = folder.path("a/link")
        var seen = [without]
        for target in ["image.jpg", "/dev/zero", "nowhere"] {
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            seen.append(try content(folder.path("a")).hash)
            try FileManager.default.removeItem(atPath: link)
        }
        #expect(Set(seen).count == 4)
        #expect(try content(folder.path("a")).hash == without)
    }

    @Test func theStampChangesWithWhatIsWrittenAndIsHadWithoutReading() throws {
        let folder = try ScratchFolder()
        try folder.write("picture", as: "a/image.jpg")
        func stamp() throws -> String {
            try CaptureContent.stamp(of: folder.path("a"), follows: false, until: .now + .seconds(30))
        }
        let before = try content(folder.path("a"))
        #expect(try stamp() == before.stamp)
        try folder.write("pictura", as: "a/image.jpg")
        let rewritten = try stamp()
        try folder.write("more", as: "a/b.jpg")
        #expect(Set([before.stamp, rewritten, try stamp()]).count == 3)
    }

    @Test func whatIsNoFileIsNamedAndNotWaitedFor() throws {
        let folder = try ScratchFolder()
        mkfifo(folder.path("pipe"), 0o600)
        for (name, target) in [("zero", "/dev/zero"), ("piped", "pipe"), ("gone", "nowhere")] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
        }
        for name in ["pipe", "zero", "piped", "gone", "missing"] {
            for follows in [true, false] {
                let error = try #require(throws: FlatteningError.self) {
                    try content(folder.path(name), follows: follows)
                }
                #expect(error.code == .fileAccess && error.file == folder.path(name))
            }
        }
        // Pipes inside a capture are no part of it.
        try folder.write("picture", as: "a/image.jpg")
        let without = try content(folder.path("a")).hash
        mkfifo(folder.path("a/pipe"), 0o600)
        #expect(try content(folder.path("a")).hash == without)
    }

    @Test func aLinkIsFollowedOnlyWhereItWasNamed() throws {
        let folder = try ScratchFolder()
        try folder.write("picture", as: "a.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.jpg"), withDestinationPath: "a.jpg")
        #expect(try content(folder.path("link.jpg")).hash == content(folder.path("a.jpg")).hash)
        #expect(throws: FlatteningError.self) { try content(folder.path("link.jpg"), follows: false) }
    }

    /// A terabyte of nothing takes no room and would take an hour to read.
    @Test func aHugeFileCountsByItsSizeAndItsEnds() throws {
        let folder = try ScratchFolder()
        func grow(_ name: String, to size: Int, ending: String) throws {
            try folder.write("start", as: name)
            let handle = try #require(FileHandle(forWritingAtPath: folder.path(name)))
            try handle.truncate(atOffset: UInt64(size - ending.utf8.count))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(ending.utf8))
            try handle.close()
        }
        try grow("a/movie.bin", to: 1 << 40, ending: "end")
        let first = try content(folder.path("a")).hash
        #expect(try content(folder.path("a/movie.bin")).hash != first)
        try grow("a/movie.bin", to: 1 << 40, ending: "END")
        let second = try content(folder.path("a")).hash
        try grow("a/movie.bin", to: (1 << 40) + 1, ending: "end")
        #expect(Set([first, second, try content(folder.path("a")).hash]).count == 3)
    }

    /// Ten thousand files of a quarter of a gigabyte without content take no room either.
    @Test func whatComesAfterManyBytesCountsByItsSizeAndItsEnds() throws {
        let folder = try ScratchFolder()
        for index in 0..<40 {
            try folder.write("x", as: "a/\(index)")
            let handle = try #require(FileHandle(forWritingAtPath: folder.path("a/\(index)")))
            try handle.truncate(atOffset: 200 << 20)
            try handle.close()
        }
        var limits = CaptureContent.Limits()
        limits.wholeBytes = 1 << 20
        let before = try content(folder.path("a"), limits: limits).hash
        let handle = try #require(FileHandle(forWritingAtPath: folder.path("a/39")))
        try handle.truncate(atOffset: 100 << 20)
        try handle.close()
        #expect(try content(folder.path("a"), limits: limits).hash != before)
    }

    @Test func thereAreLimits() throws {
        let folder = try ScratchFolder()
        for index in 0..<5 { try folder.write("x", as: "a/\(index)") }
        var limits = CaptureContent.Limits()
        limits.entries = 5
        #expect(throws: Never.self) { try content(folder.path("a"), limits: limits) }
        limits.entries = 4
        let many = try #require(throws: FlatteningError.self) {
            try content(folder.path("a"), limits: limits)
        }
        #expect(many.code == .limitExceeded)
        let late = try #require(throws: FlatteningError.self) { try content(folder.path("a"), time: .zero) }
        #expect(late.code == .timeout)
    }
}
