import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import LocalFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// One after the other: a test removes all temporary files of this process, as a signal would.
@Suite("Files appear whole or not at all", .serialized)
struct AtomicFileTests {
    private func content(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func permissions(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)
            .intValue
    }

    @Test("What is written is what is read, at any size", arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
    func roundTrip(count: Int) throws {
        let folder = try ScratchFolder()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try AtomicFile.replace(folder.path("a"), with: bytes)
        #expect(try content(folder.path("a")) == bytes)
        #expect(try folder.contents == ["a"])
    }

    @Test(
        "Files that are held are read back, have no names until they may, and may be given up",
        arguments: [true, false])
    func holding(commits: Bool) throws {
        let folder = try ScratchFolder()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try AtomicFile.replace(folder.path("old"), with: [1])
        let held = try AtomicFile.holding { () throws(FlatteningError) in
            try AtomicFile.replace(folder.path("new"), with: bytes)
            try AtomicFile.replace(folder.path("old"), with: [2, 3])
        }
        #expect(try content(folder.path("old")) == [1])
        #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
        var read: [(String, [UInt8])] = []
        try held.forEach { read.append(($0, $1)) }
        #expect(read.map(\.0) == [folder.path("new"), folder.path("old")])
        #expect(read.map(\.1) == [bytes, [2, 3]])
        if commits { try held.commit() } else { held.discard() }
        #expect(try content(folder.path("old")) == (commits ? [2, 3] : [1]))
        #expect(try folder.contents == (commits ? ["new", "old"] : ["old"]))
    }

    @Test("What fails while files are held leaves none behind")
    func failureWhileHolding() throws {
        let folder = try ScratchFolder()
        #expect(throws: FlatteningError.self) {
            try AtomicFile.holding { () throws(FlatteningError) in
                try AtomicFile.replace(folder.path("a"), with: [1])
                try AtomicFile.replace(folder.path("missing/b"), with: [1])
            }
        }
        #expect(try folder.contents == [])
    }

    @Test("A pipe gets nothing of what is held before it may")
    func heldPipe() throws {
        let folder = try ScratchFolder()
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        let reader = open(folder.path("pipe"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let held = try AtomicFile.holding { () throws(FlatteningError) in
            try AtomicFile.replace(folder.path("pipe"), with: [7, 8])
        }
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(read(reader, &buffer, 8) <= 0)
        try held.commit()
        #expect(read(reader, &buffer, 8) == 2 && buffer.prefix(2) == [7, 8])
    }

    @Test("Small pieces add up")
    func pieces() throws {
        let folder = try ScratchFolder()
        let file = try AtomicFile(path: folder.path("a"))
        for index in 0..<3000 { try file.write([UInt8](repeating: UInt8(index % 251), count: 100)) }
        #expect(try folder.contents.allSatisfy { $0 != "a" })
        try file.commit()
        #expect(try content(folder.path("a")).count == 300_000)
        #expect(try content(folder.path("a"))[299_999] == UInt8(2999 % 251))
    }

    @Test(
        "While it is written the old file stands, and only the owner can read the new one",
        arguments: [true, false])
    func whileWriting(mayBeNameless: Bool) throws {
        let folder = try ScratchFolder()
        let path = folder.path("a")
        try AtomicFile.replace(path, with: [1, 2, 3])
        let file = try AtomicFile(path: path, mayBeNameless: mayBeNameless)
        try file.write([UInt8](repeating: 9, count: 100_000))
        #expect(try content(path) == [1, 2, 3])
        // Where the system has files without names there may be nothing to see at all.
        #expect(try mayBeNameless || folder.contents.count == 2)
        for name in try folder.contents where name != "a" {
            #expect(try permissions(folder.path(name)) == 0o600)
        }
        try file.commit()
        #expect(try content(path).count == 100_000)
        #expect(try folder.contents == ["a"])
    }

    @Test("An error, giving up or forgetting leaves the old file and nothing else")
    func failures() throws {
        let folder = try ScratchFolder()
        let path = folder.path("a")
        try AtomicFile.replace(path, with: [1])

        #expect(throws: FlatteningError.self) {
            try AtomicFile.replace(path) { (file) throws(FlatteningError) in
                try file.write([2])
                throw FlatteningError(.badInput, "a reason")
            }
        }
        let discarded = try AtomicFile(path: path)
        try discarded.write([3])
        discarded.discard()
        discarded.discard()
        do {
            let forgotten = try AtomicFile(path: path)
            try forgotten.write([4])
        }
        #expect(try content(path) == [1])
        #expect(try folder.contents == ["a"])
    }

    @Test("A new file has the usual permissions, a replaced one keeps its own")
    func permissionsOfFiles() throws {
        let folder = try ScratchFolder()
        let path = folder.path("a")
        // What the system gives to a file that is simply created.
        #expect(FileManager.default.createFile(atPath: folder.path("plain"), contents: Data()))
        for mayBeNameless in [true, false] {
            let file = try AtomicFile(path: path, mayBeNameless: mayBeNameless)
            try file.write([1])
            try file.commit()
            #expect(try permissions(path) == permissions(folder.path("plain")))
            try FileManager.default.removeItem(atPath: path)
        }
        try AtomicFile.replace(path, with: [1])
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try AtomicFile.replace(path, with: [2])
        #expect(try permissions(path) == 0o640)
    }

    @Test(
        "Where nothing is to be replaced, a file that exists is an error, sooner or later",
        arguments: [true, false])
    func keepingExisting(mayBeNameless: Bool) throws {
        let folder = try ScratchFolder()
        let path = folder.path("a")
        try AtomicFile.keepingExisting { () throws(FlatteningError) in
            let file = try AtomicFile(path: path, mayBeNameless: mayBeNameless)
            try file.write([1])
            try file.commit()
        }
        #expect(try content(path) == [1])
        let known = #expect(throws: FlatteningError.self) {
            try AtomicFile.keepingExisting { () throws(FlatteningError) in
                try AtomicFile.replace(path, with: [2])
            }
        }
        #expect(known?.code == .fileAccess)
        // One that appears while its successor is written.
        let late = try AtomicFile.keepingExisting { () throws(FlatteningError) in
            try AtomicFile(path: folder.path("b"), mayBeNameless: mayBeNameless)
        }
        try late.write([2])
        try AtomicFile.replace(folder.path("b"), with: [3])
        #expect(throws: FlatteningError.self) { try late.commit() }
        late.discard()
        #expect(try content(path) == [1])
        #expect(try content(folder.path("b")) == [3])
        #expect(try folder.contents == ["a", "b"])
        try AtomicFile.replace(path, with: [4])
        #expect(try content(path) == [4], "only within")
    }

    @Test("Temporary files that have names are known by them until they are gone")
    func removingTemporaries() throws {
        let folder = try ScratchFolder()
        let file = try AtomicFile(path: folder.path("a"), mayBeNameless: false)
        try file.write([1])
        #expect(try folder.contents.count == 1)
        AtomicFile.removeTemporaries()
        #expect(try folder.contents.isEmpty)
        file.discard()
    }

    @Test("A file that cannot be replaced in the end leaves nothing behind", arguments: [true, false])
    func replacedByFolder(mayBeNameless: Bool) throws {
        let folder = try ScratchFolder()
        let file = try AtomicFile(path: folder.path("a"), mayBeNameless: mayBeNameless)
        try file.write([1])
        try FileManager.default.createDirectory(
            atPath: folder.path("a/b"), withIntermediateDirectories: true)
        let error = try #require(throws: FlatteningError.self) { try file.commit() }
        #expect(error.code == .fileAccess)
        file.discard()
        #expect(try folder.contents == ["a"])
    }

    @Test("Long names have room for a temporary one")
    func longName() throws {
        let folder = try ScratchFolder()
        let name = String(repeating: "\u{FC}", count: 120)
        try AtomicFile.replace(folder.path(name), with: [1])
        #expect(try content(folder.path(name)) == [1])
    }

    @Test("A symbolic link stays a link")
    func links() throws {
        let folder = try ScratchFolder()
        try AtomicFile.replace(folder.path("target"), with: [1])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: "target")
        try AtomicFile.replace(folder.path("link"), with: [2])
        #expect(try content(folder.path("target")) == [2])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "target")
    }

    @Test("A symbolic link that leads nowhere is replaced by the file", arguments: [true, false])
    func danglingLink(mayBeNameless: Bool) throws {
        let folder = try ScratchFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: "none")
        let file = try AtomicFile(path: folder.path("link"), mayBeNameless: mayBeNameless)
        try file.write([2])
        try file.commit()
        #expect(try content(folder.path("link")) == [2])
        #expect(try folder.contents == ["link"])
    }

    @Test("A relative path is written where it points")
    func currentFolder() throws {
        let name = "image-files-relative-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: name) }
        try AtomicFile.replace(name, with: [5])
        #expect(try content(name) == [5])
    }

    @Test("Places that cannot be written are named", arguments: ["", "missing/a", "."])
    func badPlaces(name: String) throws {
        let folder = try ScratchFolder()
        let path = name.isEmpty ? "" : folder.path(name)
        let error = try #require(throws: FlatteningError.self) { try AtomicFile.replace(path, with: [1]) }
        #expect(error.code == .fileAccess)
    }

    @Test("A full device is an error", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func fullDevice() throws {
        let error = try #require(throws: FlatteningError.self) {
            try AtomicFile.replace("/dev/full", with: [1])
        }
        #expect(error.code == .storageFull)
        #expect(error.file == "/dev/full")
    }

    @Test("A device that swallows everything is written to, not replaced")
    func nullDevice() throws {
        try AtomicFile.replace("/dev/null", with: [1])
        #expect(try InputFileTests.isDevice("/dev/null"))
    }

    @Test func aSocketCannotBeWrittenTo() throws {
        let folder = try ScratchFolder()
        // Sockets' addresses hold some hundred bytes.
        let path = folder.path("s")
        var address = sockaddr_un()
        try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let listening = socket(AF_UNIX, stream, 0)
        defer { close(listening) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        let error = try #require(throws: FlatteningError.self) { try AtomicFile(path: path) }
        #expect(error.code == .fileAccess && error.message.contains("opened"))
    }
}
