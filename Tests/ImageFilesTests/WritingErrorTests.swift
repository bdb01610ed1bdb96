import Diagnostics
import ImageFiles
import Imaging
import LocalFiles
import RobustStatistics
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What writing says when it cannot go on.
@Suite struct WritingErrorTests {
    @Test func aSizeThatNoPNGHasIsNamed() throws {
        let folder = try ScratchFolder()
        for size in [
            PixelSize(width: 0, height: 1), PixelSize(width: 1, height: 0),
            PixelSize(width: 1 << 24 + 1, height: 1),
        ] {
            let file = try AtomicFile(path: folder.path("a.png"))
            let error = try #require(throws: FlatteningError.self) { try PNGWriter(to: file, size: size) }
            #expect(error.code == .limitExceeded && error.seen == "\(size)")
        }
        #expect(try folder.contents.isEmpty)
    }

    @Test(arguments: [(1, false), (3, false), (2, true)])
    func aPNGTakesExactlyTheRowsThatWereAnnounced(rows: Int, isDeep: Bool) throws {
        let folder = try ScratchFolder()
        let file = try AtomicFile(path: folder.path("a.png"))
        let writer = try PNGWriter(
            to: file, size: PixelSize(width: 4, height: 2), pixels: isDeep ? .gray16 : .gray)
        let bytes = [UInt8](repeating: 7, count: rows * 4 * (isDeep ? 2 : 1))
        func write() throws(FlatteningError) {
            var failure: FlatteningError?
            bytes.withUnsafeBytes { raw in
                do throws(FlatteningError) { try writer.write(rows: raw) } catch { failure = error }
            }
            if let failure { throw failure }
        }
        func end() throws(FlatteningError) {
            try write()
            try writer.finish()
        }
        guard rows != 2 else {
            try end()
            return
        }
        let error = try #require(throws: FlatteningError.self) { try end() }
        #expect(error.code == .internalInconsistency)
        #expect(error.detail == (rows < 2 ? "rows are missing" : "no more rows are expected"))
        // It can only be dropped: whatever is asked of it now is the same error.
        #expect(throws: FlatteningError.self) { try writer.finish() }
    }

    /// /dev/full takes nothing, as a disk without room. A picture that no deflate makes small, so that it is met early.
    @Test(.enabled(if: access("/dev/full", W_OK) == 0), arguments: PNGWriter.Pixels.allForTests)
    func aFullDiskIsToldInTheSystemsWords(pixels: PNGWriter.Pixels) throws {
        let size = PixelSize(width: 300, height: 400)
        var generator = SplitMix64(seed: 5)
        let noise = (0..<size.pixelCount * pixels.rawValue / 8).map { _ in
            UInt8.random(in: 0...255, using: &generator)
        }
        let file = try AtomicFile(path: "/dev/full")
        let writer = try PNGWriter(to: file, size: size, pixels: pixels)
        let error = try #require(throws: FlatteningError.self) {
            try noise.withUnsafeBytes { try writer.write(rows: $0) }
            try writer.finish()
            try file.commit()
        }
        #expect(error.code == .storageFull && error.file == "/dev/full")
        #expect(error.advice?.contains("space") == true)
    }

    @Test(arguments: ["a.jpg", "a.tif", "a.png"])
    func whatCannotBeWrittenLeavesNothing(name: String) throws {
        let folder = try ScratchFolder()
        let image = RGBImage(width: 4, height: 4, filledWith: .white)
        let error = try #require(throws: FlatteningError.self) {
            try ImageWriter.write(image, to: folder.path("missing/" + name))
        }
        #expect(error.code == .fileAccess && error.stage == .write)
        #expect(try folder.contents.isEmpty)
    }

    @Test func aSideThatNoJPEGHasIsNamed() throws {
        let folder = try ScratchFolder()
        let line = GrayImage(width: 70_000, height: 1, filledWith: 9)
        let error = try #require(throws: FlatteningError.self) {
            try ImageWriter.write(line, to: folder.path("a.jpg"))
        }
        #expect(error.code == .limitExceeded && error.seen == "70000 x 1")
        #expect(try folder.contents.isEmpty)
    }

    @Test func standardOutputGetsPNG() throws {
        guard case .png = try ImageWriter.Format(path: "-") else {
            Issue.record("another format")
            return
        }
    }

    @Test func aJPEGInMemoryIsTheOneOfTheFile() throws {
        let folder = try ScratchFolder()
        let image = RGBImage(width: 9, height: 5, filledWith: RGB(red: 200, green: 10, blue: 90))
        try ImageWriter.write(image, to: folder.path("a.jpg"), pixelsPerMeter: 6000)
        #expect(
            try ImageWriter.jpeg(image, pixelsPerMeter: 6000)
                == (try InputFile.read(path: folder.path("a.jpg"))).bytes)
        let none = RGBImage(width: 0, height: 5, filledWith: .white)
        let error = try #require(throws: FlatteningError.self) {
            try ImageWriter.jpeg(none, pixelsPerMeter: nil)
        }
        #expect(error.code == .badInput)
    }
}

extension PNGWriter.Pixels {
    static let allForTests: [PNGWriter.Pixels] = [.gray, .gray16, .rgb, .rgb16]
}
