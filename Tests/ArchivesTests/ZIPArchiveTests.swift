import Foundation
import LocalFiles
import TestSupport
import Testing

@testable import Archives

@Suite struct ZIPArchiveTests {
    @Test func onlyPlainFilesOfPlainNamesAreThere() throws {
        let archive = try ZIPArchive(path: try fixturePath("files.zip"), limits: FlatteningLimits())
        #expect(archive.names.sorted() == ["a/deflated.txt", "stored.bin"])
        #expect(try archive.read("a/deflated.txt") == Array(String(repeating: "abc", count: 1000).utf8))
        #expect(try archive.read("stored.bin") == Array(0...255))
        for name in ["../outside.txt", "/absolute.txt", "folder/", "link.txt", "none"] {
            #expect(failure { try archive.read(name) }?.code == .fileAccess)
        }
    }

    /// PowerShell 5 writes backslashes, and Explorer names in the code page of MS-DOS: 0x81 is u with two points.
    @Test func namesAreReadAsWindowsWritesThem() throws {
        var entries = [HandmadeZIP.Entry]()
        for name in [
            Array("a\\b.txt".utf8), [0x62, 0x81, 0x2F, 0x63], Array("..\\out.txt".utf8), Array("\\abs".utf8),
        ] {
            var entry = HandmadeZIP.Entry("")
            entry.name = name
            entries.append(entry)
        }
        try HandmadeZIP(entries).withFile { path in
            let archive = try ZIPArchive(path: path, limits: FlatteningLimits())
            #expect(archive.names.sorted() == ["a/b.txt", "b\u{FC}/c"])
            for name in archive.names { #expect(try archive.read(name) == [1, 2, 3]) }
        }
        // On Unix a backslash is part of a name, which no document of a capture has.
        for index in entries.indices { entries[index].system = 3 }
        try HandmadeZIP(entries).withFile { path in
            let archive = try ZIPArchive(path: path, limits: FlatteningLimits())
            #expect(archive.names == ["b\u{FC}/c"])
        }
    }

    /// Tools that know no other system state MS-DOS, whatever machine they run on; there a colon may stand in a name.
    @Test func aDriveIsRefusedButNoOtherColon() throws {
        let names = ["12:30.png", "a/b:c.png", "é:1.png", "C:out.png", "c:\\out.png", "D:/out.png"]
        try HandmadeZIP(names.map { .init($0) }).withFile { path in
            let archive = try ZIPArchive(path: path, limits: FlatteningLimits())
            #expect(archive.names.sorted() == ["12:30.png", "a/b:c.png", "é:1.png"])
            #expect(try archive.read("12:30.png") == [1, 2, 3])
        }
    }

    @Test func whatIsTooLargeIsRefusedBeforeItIsUnpacked() throws {
        var limits = FlatteningLimits()
        limits.maximumFileBytes = 1 << 20
        let archive = try ZIPArchive(path: try fixturePath("bomb.zip"), limits: limits)
        #expect(failure { try archive.read("zeros.bin") }?.code == .limitExceeded)
        limits.maximumEntries = 0
        #expect(
            failure { try ZIPArchive(path: try fixturePath("bomb.zip"), limits: limits) }?.code
                == .limitExceeded)
    }

    @Test func anArchiveEndsWithItsDeadline() throws {
        var limits = FlatteningLimits()
        var archive = try ZIPArchive(path: try fixturePath("files.zip"), limits: limits)
        limits.deadline = .now - .milliseconds(1)
        archive.limits = limits
        for error in [
            failure { try archive.read("stored.bin") },
            failure { try ZIPArchive(path: try fixturePath("files.zip"), limits: limits) },
        ] {
            #expect(error?.code == .timeout && error?.stage == .archive)
            #expect(error?.file?.contains("files.zip") == true)
        }
    }

    @Test func aSizeThatDeflateCannotReachIsALie() throws {
        // The sizes stand in the central directory, 20 and 24 bytes after its signature.
        var bytes = try fixture("bomb.zip")
        let signature: [UInt8] = [0x50, 0x4B, 0x01, 0x02]
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: signature) })
        bytes.replaceSubrange((start + 24)..<(start + 28), with: [0, 0, 0, 0x40])
        let folder = try ScratchFolder()
        let path = folder.path("lie.zip")
        try Data(bytes).write(to: URL(filePath: path))
        #expect(failure { try ZIPArchive(path: path, limits: FlatteningLimits()) }?.code == .badInput)
    }

    @Test func brokenContentAndOtherMethodsAreErrors() throws {
        let broken = try ZIPArchive(path: try fixturePath("broken.zip"), limits: FlatteningLimits())
        #expect(failure { try broken.read("stored.bin") }?.code == .badInput)
        let other = failure { try ZIPArchive(path: try fixturePath("bzip2.zip"), limits: FlatteningLimits()) }
        #expect(other?.code == .unsupported)
        let none = failure { try ZIPArchive(path: try fixturePath("text.lzfse"), limits: FlatteningLimits()) }
        #expect(none?.code == .badInput)
    }

    @Test func aMissingLibraryIsNamedWithHowToInstallIt() {
        let error = failure { try ZIPLibrary.shared.open(anyOf: ["libzip-that-is-not-there.so"]) }
        #expect(error?.code == .missingDependency)
        #expect(error?.advice?.contains("apt-get install libzip") == true)
    }
}
