import Diagnostics
import Foundation
import LocalFiles
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

@Suite("Files read")
struct InputFileTests {
    static func isDevice(_ path: String) throws -> Bool {
        let kind = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        return kind == .typeCharacterSpecial
    }

    @Test("A file is read whole", arguments: [1, 31, 32, 33, 262_144, 700_001])
    func whole(count: Int) throws {
        let folder = try ScratchFolder()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        try AtomicFile.replace(folder.path("a"), with: bytes)
        let file = try InputFile.read(path: folder.path("a"))
        #expect(file.bytes == bytes)
        #expect(file.name == folder.path("a"))
    }

    @Test("A folder, a device, a pipe, nothing: each is named, none is waited for")
    func notFiles() throws {
        let folder = try ScratchFolder()
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [folder.path, "/dev/zero", pipe, folder.path("missing"), ""] {
            let error = try #require(throws: FlatteningError.self) { try InputFile.read(path: path) }
            #expect(error.code == .fileAccess, "\(path)")
        }
    }

    @Test("An empty file is refused")
    func empty() throws {
        let folder = try ScratchFolder()
        try AtomicFile.replace(folder.path("a"), with: [])
        let error = try #require(throws: FlatteningError.self) { try InputFile.read(path: folder.path("a")) }
        #expect(error.code == .badInput)
    }

    @Test("Each kind of file has its own limit of bytes")
    func limits() throws {
        let folder = try ScratchFolder()
        var limits = FlatteningLimits()
        limits.maximumFileBytes = 100
        limits.maximumTIFFBytes = 200
        limits.maximumJSONBytes = 50
        func read(_ count: Int, start: [UInt8] = [], kind: InputFile.Kind = .image) throws -> Int {
            let bytes = start + [UInt8](repeating: 0x20, count: count - start.count)
            try AtomicFile.replace(folder.path("a"), with: bytes)
            return try InputFile.read(path: folder.path("a"), limits: limits, kind: kind).bytes.count
        }
        let tiff: [UInt8] = [0x49, 0x49, 0x2A, 0]
        #expect(try read(100) == 100)
        #expect(try read(200, start: tiff) == 200)
        #expect(try read(50, kind: .metadata) == 50)
        for attempt in [
            { try read(101) }, { try read(201, start: tiff) }, { try read(51, kind: .metadata) },
        ] {
            let error = try #require(throws: FlatteningError.self) { try attempt() }
            #expect(error.code == .limitExceeded)
            #expect(error.allowed?.contains("maximum") == true)
        }
    }

    #if os(Linux)
        @Test("A file that has no size is read to its end, within the limit")
        func withoutSize() throws {
            let file = try InputFile.read(path: "/proc/self/maps")
            #expect(file.bytes.count > 1000 && file.bytes.last == 0x0A)
            var limits = FlatteningLimits()
            limits.maximumFileBytes = 500
            let error = try #require(throws: FlatteningError.self) {
                try InputFile.read(path: "/proc/self/maps", limits: limits)
            }
            #expect(error.code == .limitExceeded && error.seen == "more than 500 bytes")
        }

        @Test("What the system fails to read is told in its words")
        func unreadable() throws {
            // The first page of a process's memory is nobody's.
            let error = try #require(throws: FlatteningError.self) {
                try InputFile.read(path: "/proc/self/mem")
            }
            #expect(error.code == .fileAccess && error.message.contains("read") && error.detail != nil)
        }
    #endif
}
