import Diagnostics
import Foundation
import ImageFiles
import Imaging
import LocalFiles
import RobustStatistics
import TestSupport
import Testing

/// Files that lie, are cut short or are damaged at random: an error or a result, never a crash.
@Suite("Files that are broken")
struct BadFileTests {
    private static let names = Array(Set(Fixture.all.map(\.file))).sorted()

    /// Decodes as both kinds.
    private static func decodeAll(
        _ bytes: [UInt8], of name: String, limits: FlatteningLimits = FlatteningLimits()
    ) {
        let file = InputFile(name: name, bytes: bytes)
        expectValueOrRefusal(name) { try ColorPicture.decode(file, limits: limits) }
        expectValueOrRefusal(name) { try SampleMap.decode(file, limits: limits) }
    }

    @Test("Bytes changed at random", arguments: names)
    func damaged(name: String) throws {
        let bytes = try Fixture.bytes(name)
        // The seed is the file's place in the list, so a failure names it.
        var generator = SplitMix64(seed: UInt64(Self.names.firstIndex(of: name) ?? 0))
        var limits = FlatteningLimits()
        // Damaged sizes that are still allowed would only cost time.
        limits.maximumColorPixels = 1_000_000
        limits.maximumDepthPixels = 1_000_000
        for _ in 0..<20 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let index = Int.random(in: 0..<damaged.count, using: &generator)
                damaged[index] = UInt8.random(in: 0...255, using: &generator)
            }
            Self.decodeAll(damaged, of: name, limits: limits)
            let cut = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator)))
            Self.decodeAll(cut, of: name, limits: limits)
        }
    }

    @Test(
        "A PNG that claims to be huge is refused by its header", arguments: [16_385, 40_000, 2_147_483_647])
    func hugePNG(side: Int) throws {
        let error = try #require(throws: FlatteningError.self) {
            try ColorPicture.decode(InputFile(name: "huge", bytes: Self.png(width: side, height: side)))
        }
        #expect(error.code == .limitExceeded)
        #expect(error.seen?.contains("\(side)") == true)
    }

    @Test("A small file cannot hold a large picture")
    func lyingPNG() throws {
        let error = try #require(throws: FlatteningError.self) {
            try ColorPicture.decode(InputFile(name: "liar", bytes: Self.png(width: 8000, height: 8000)))
        }
        #expect(error.code == .badInput)
        #expect(error.message.contains("too small"))
    }

    @Test(
        "EXIF in a PNG that claims more than the file holds, or than is allowed, is refused before it is reserved",
        arguments: [0x7FFF_FFF0, 1000, 300])
    func lyingEXIF(length: Int) throws {
        var bytes = try Fixture.bytes("rgb8.png")
        // After the header's chunk: signature 8, length and type 8, content 13, checksum 4.
        let chunk = withUnsafeBytes(of: UInt32(length).bigEndian, Array.init) + Array("eXIfMM".utf8)
        bytes.insert(contentsOf: chunk + [UInt8](repeating: 0, count: length == 300 ? 302 : 20), at: 33)
        var limits = FlatteningLimits()
        limits.maximumMetadataBytes = 256
        let error = try #require(throws: FlatteningError.self) {
            try ColorPicture.decode(InputFile(name: "exif", bytes: bytes), limits: limits)
        }
        #expect(error.code == .badInput)
        #expect(error.detail?.contains("EXIF") == true)
    }

    @Test("A PNG without pixels is refused", arguments: [(0, 10), (10, 0)])
    func emptyPNG(width: Int, height: Int) throws {
        let error = try #require(throws: FlatteningError.self) {
            try ColorPicture.decode(InputFile(name: "empty", bytes: Self.png(width: width, height: height)))
        }
        #expect(error.code == .badInput)
    }

    @Test("Limits hold exactly")
    func exactLimits() throws {
        let file = InputFile(name: "rgb8.png", bytes: try Fixture.bytes("rgb8.png"))
        var limits = FlatteningLimits()
        limits.maximumColorPixels = 37 * 21
        limits.maximumSide = 37
        #expect(throws: Never.self) { try ColorPicture.decode(file, limits: limits) }
        limits.maximumColorPixels -= 1
        let tooMany = try #require(throws: FlatteningError.self) {
            try ColorPicture.decode(file, limits: limits)
        }
        #expect(tooMany.allowed?.contains("maximumColorPixels") == true)
        limits.maximumSide = 36
        let tooWide = try #require(throws: FlatteningError.self) {
            try ColorPicture.decode(file, limits: limits)
        }
        #expect(tooWide.allowed?.contains("maximumSide") == true)
    }

    @Test("A JPEG with hundreds of scans is refused before it is decoded")
    func manyScans() throws {
        var bytes = try Fixture.bytes("progressive.jpg")
        bytes.removeLast(2)
        // A scan of the luma's coefficients 1 to 5, empty but for one byte.
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 1, 5, 0, 0]
        for _ in 0..<200 { bytes += scan }
        let error = try #require(throws: FlatteningError.self) {
            try ColorPicture.decode(InputFile(name: "scans", bytes: bytes + [0xFF, 0xD9]))
        }
        #expect(error.code == .limitExceeded)
        #expect(error.allowed?.contains("maximumJPEGScans") == true)
    }

    @Test("A JPEG's scans and memory are counted before it is decoded")
    func jpegWork() throws {
        let file = InputFile(name: "progressive.jpg", bytes: try Fixture.bytes("progressive.jpg"))
        func refusal(_ change: (inout FlatteningLimits) -> Void) throws -> FlatteningError {
            var limits = FlatteningLimits()
            change(&limits)
            return try #require(throws: FlatteningError.self) {
                try ColorPicture.decode(file, limits: limits)
            }
        }
        // 37 x 21 pixels in 10 scans, and ten bytes for each: three components' coefficients and the picture.
        let scans = try refusal { $0.maximumJPEGScans = 9 }
        #expect(scans.code == .limitExceeded && scans.allowed?.contains("maximumJPEGScans") == true)
        let work = try refusal { $0.maximumJPEGScanPixels = 37 * 21 * 10 - 1 }
        #expect(work.code == .limitExceeded && work.allowed?.contains("maximumJPEGScanPixels") == true)
        let memory = try refusal { $0.maximumDecodingBytes = 37 * 21 * 10 - 1 }
        #expect(memory.code == .limitExceeded && memory.allowed?.contains("maximumDecodingBytes") == true)

        var exact = FlatteningLimits()
        exact.maximumJPEGScans = 10
        exact.maximumJPEGScanPixels = 37 * 21 * 10
        exact.maximumDecodingBytes = 37 * 21 * 10
        #expect(throws: Never.self) { try ColorPicture.decode(file, limits: exact) }
    }

    @Test("A JPEG with arithmetic coding is refused, with the way out")
    func arithmeticCoding() throws {
        var bytes = try Fixture.bytes("full-color.jpg")
        let frame = try #require((0..<bytes.count - 1).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        bytes[frame + 1] = 0xC9
        let error = try #require(throws: FlatteningError.self) {
            try ColorPicture.decode(InputFile(name: "arithmetic", bytes: bytes))
        }
        #expect(error.code == .unsupported && error.advice != nil)
    }

    @Test("A JPEG without a picture is refused", arguments: [[], [0xFF, 0xD9]] as [[UInt8]])
    func emptyJPEG(rest: [UInt8]) {
        #expect(throws: FlatteningError.self) {
            try ColorPicture.decode(InputFile(name: "empty", bytes: [0xFF, 0xD8] + rest))
        }
    }

    @Test("A TIFF whose directories form a loop is refused")
    func directoryLoop() throws {
        var bytes = try Fixture.bytes("gray8.tif")
        let start = Int(bytes[4]) | Int(bytes[5]) << 8
        let count = Int(bytes[start]) | Int(bytes[start + 1]) << 8
        bytes.replaceSubrange(start + 2 + count * 12..<start + 6 + count * 12, with: bytes[4..<8])
        let error = try #require(throws: FlatteningError.self) {
            try SampleMap.decode(InputFile(name: "loop", bytes: bytes))
        }
        #expect(error.message.contains("loop"))
    }

    @Test("A TIFF with too many directories is refused")
    func manyDirectories() throws {
        // Empty directories, each naming the next: one more than is allowed.
        var bytes: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]
        for index in 0...FlatteningLimits().maximumTIFFDirectories {
            bytes += [0, 0] + Bytes.little(8 + 6 * (index + 1), 4)
        }
        let error = try #require(throws: FlatteningError.self) {
            try SampleMap.decode(InputFile(name: "pages", bytes: bytes))
        }
        #expect(error.code == .limitExceeded)
    }

    @Test("A TIFF whose pixels outweigh its bytes ten thousand times is refused")
    func tiffRatio() throws {
        var bytes = try Fixture.bytes("depth32-deflate.tif")
        // Width and height are the first entries that tifffile writes besides the subfile type.
        func isEntry(_ position: Int, of tag: UInt8) -> Bool {
            bytes[position] == tag && bytes[position + 1] == 1 && bytes[position + 4] == 1
        }
        for tag in [0x00, 0x01] as [UInt8] {
            let entry = try #require((8..<bytes.count - 12).first { isEntry($0, of: tag) })
            bytes[entry + 2] = 4
            bytes.replaceSubrange(entry + 8..<entry + 12, with: [0x00, 0x10, 0, 0])
        }
        #expect(throws: FlatteningError.self) {
            try SampleMap.decode(InputFile(name: "bomb", bytes: bytes))
        }
    }

    @Test(
        "An array whose header does not fit its bytes is refused",
        arguments: [
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 3), }",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 3), }",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
            "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }",
            "{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }",
            "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 2), }",
            "{'fortran_order': False, 'shape': (2, 2), }", "{", "",
        ])
    func badArray(header: String) {
        let bytes = [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8)
        #expect(throws: FlatteningError.self) {
            try SampleMap.decode(
                InputFile(name: "bad.npy", bytes: bytes + [UInt8](repeating: 0, count: 16)))
        }
    }

    @Test(
        "Other formats are named, with the way out",
        arguments: [("\0\0\0\u{C}JXL ", "JPEG XL"), ("%PDF-1.7\n", "PDF"), ("PK\u{3}\u{4}", "ZIP")])
    func otherFormats(start: String, name: String) throws {
        let file = InputFile(name: "other", bytes: Array(start.utf8) + [UInt8](repeating: 0, count: 32))
        for decode in [{ _ = try ColorPicture.decode(file) }, { _ = try SampleMap.decode(file) }] {
            let error = try #require(throws: FlatteningError.self) { try decode() }
            #expect(error.code == .unsupported)
            #expect(error.seen == name)
            #expect(error.advice != nil)
        }
    }

    @Test("Nothing of a folder of broken files ends the process", .enabled(if: folder != nil))
    func folderOfBrokenFiles() throws {
        let folder = try #require(Self.folder)
        let files = try #require(FileManager.default.enumerator(atPath: folder))
        for case let name as String in files {
            guard let file = try? InputFile.read(path: folder + "/" + name) else { continue }
            Self.decodeAll(file.bytes, of: name)
        }
    }

    /// A folder of such files can be named by whoever has one.
    private static let folder = ProcessInfo.processInfo.environment["BROKEN_FILES"]

    /// A PNG of RGB with a correct header and next to nothing behind it.
    private static func png(width: Int, height: Int) -> [UInt8] {
        var png = HandmadePNG(width: width, height: height, bitDepth: 8, colorType: 2) { _, _, _ in 0 }
        png.hasPixels = false
        png.chunks = [("IDAT", [0x78, 0x9C, 3, 0, 0, 0, 0, 1])]
        return png.bytes
    }
}
