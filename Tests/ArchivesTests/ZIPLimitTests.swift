import Diagnostics
import Foundation
import LocalFiles
import TestSupport
import Testing

@testable import Archives

/// What a stranger's archive may hold, and what it may ask for: one thing a test, on archives put together by hand.
@Suite struct ZIPLimitTests {
    private typealias Entry = HandmadeZIP.Entry

    private func names(_ entries: [Entry], _ limits: FlatteningLimits = FlatteningLimits()) throws -> [String]
    {
        try HandmadeZIP(entries).withFile { try ZIPArchive(path: $0, limits: limits).names.sorted() }
    }

    private func refusal(
        _ entries: [Entry], _ change: (inout FlatteningLimits) -> Void = { _ in }
    ) throws -> FlatteningError {
        var limits = FlatteningLimits()
        change(&limits)
        return try HandmadeZIP(entries).withFile { path in
            let error = try #require(failure { try ZIPArchive(path: path, limits: limits) })
            #expect(error.file == path && error.stage == .archive)
            return error
        }
    }

    @Test func whatTheTestsPutTogetherIsAnArchive() throws {
        try HandmadeZIP([Entry("a/b.txt", [7, 8]), Entry("c", [])]).withFile { path in
            let archive = try ZIPArchive(path: path, limits: FlatteningLimits())
            #expect(archive.names.sorted() == ["a/b.txt", "c"])
            #expect(try archive.read("a/b.txt") == [7, 8])
            #expect(try archive.read("c") == [])
        }
    }

    @Test func theNumberOfEntriesIsLimitedWhateverTheyAre() throws {
        let entries = [Entry("a"), Entry("folder/"), Entry("../b")]
        let error = try refusal(entries) { $0.maximumEntries = 2 }
        #expect(error.code == .limitExceeded && error.seen == "3")
        #expect(error.allowed?.contains("maximumEntries") == true)
        var limits = FlatteningLimits()
        limits.maximumEntries = 3
        #expect(try names(entries, limits) == ["a"])
    }

    @Test func theBytesOfAllFilesTogetherAreLimited() throws {
        let entries = [
            Entry("a", [UInt8](repeating: 0, count: 60)), Entry("b", [UInt8](repeating: 0, count: 41)),
        ]
        let error = try refusal(entries) { $0.maximumArchiveBytes = 100 }
        #expect(error.code == .limitExceeded && error.allowed?.contains("maximumArchiveBytes") == true)
        var limits = FlatteningLimits()
        limits.maximumArchiveBytes = 101
        #expect(try names(entries, limits) == ["a", "b"])
    }

    /// Entries that share their bytes make a small archive large without any compression.
    @Test func entriesThatOverlapCountEach() throws {
        var entries = [Entry("0", [UInt8](repeating: 9, count: 1000))]
        for index in 1..<50 {
            var entry = Entry("\(index)", [])
            entry.sharesContentOf = 0
            entries.append(entry)
        }
        let error = try refusal(entries) { $0.maximumArchiveBytes = 49_999 }
        #expect(error.code == .limitExceeded)
    }

    @Test func aRatioThatDeflateCannotReachIsALie() throws {
        var entry = Entry("a", [UInt8](repeating: 0, count: 100))
        entry.method = 8
        entry.size = 101 * 1100
        let error = try refusal([entry])
        #expect(error.code == .badInput && error.allowed?.contains("maximumArchiveRatio") == true)
        var limits = FlatteningLimits()
        limits.maximumArchiveRatio = 1111
        #expect(try names([entry], limits) == ["a"])
    }

    @Test(arguments: [
        "../a", "a/../../b", "..", "/a", "//a", "a//b", "a/", "./a", "a/.", ".hidden", "a/.hidden", "..\\a",
        "a\\..\\b", "\\a", "a\\.hidden", "/\u{301}a", ".\u{301}hidden", "a/.\u{301}hidden", "..\\\u{301}a",
        "a/\u{600}/../b",
        "a\\\u{301}..\u{600}\\..\\b",
        "C:\\a", "__MACOSX/a", "",
    ])
    func aNameThatIsNotPlainIsAsGoodAsNotThere(name: String) throws {
        try HandmadeZIP([Entry(name), Entry("plain")]).withFile { path in
            let archive = try ZIPArchive(path: path, limits: FlatteningLimits())
            #expect(archive.names == ["plain"])
            #expect(failure { try archive.read(name) }?.code == .fileAccess)
        }
    }

    /// A zero would end a path for the system. libzip makes it a space; whatever it made of it, nothing must lead out.
    @Test func aZeroInANameLeadsNowhere() throws {
        let seen = try names([Entry("a\0/../../b"), Entry("c\0.png"), Entry("plain")])
        #expect(seen.contains("plain") && !seen.contains { $0.contains("..") || $0.utf8.contains(0) })
        #expect(seen.count <= 2)
    }

    /// In the code page of MS-DOS every byte is a character; where the entry says that it is UTF-8, these are none.
    @Test func aNameThatIsNoTextLeadsNowhere() throws {
        var entry = Entry("")
        entry.name = [0x2E, 0x2E, 0x2F, 0xFF, 0xFE]
        #expect(try names([entry, Entry("plain")]) == ["plain"])
        entry.name = [0x61, 0xFF, 0xFE]
        entry.flags = 1 << 11
        #expect(try refusal([entry, Entry("plain")]).code == .badInput)
    }

    @Test(arguments: [0o120777, 0o120000])
    func aLinkIsAsGoodAsNotThere(mode: Int) throws {
        var link = Entry("link", Array("/etc/passwd".utf8))
        link.system = 3
        link.attributes = mode << 16
        var file = Entry("file")
        file.system = 3
        file.attributes = 0o100644 << 16
        #expect(try names([link, file]) == ["file"])
    }

    @Test func anArchiveWithinAnArchiveIsAFileLikeOthers() throws {
        let inner = HandmadeZIP([Entry("inner")]).bytes
        try HandmadeZIP([Entry("nested.zip", inner)]).withFile { path in
            let archive = try ZIPArchive(path: path, limits: FlatteningLimits())
            #expect(archive.names == ["nested.zip"])
            #expect(try archive.read("nested.zip") == inner)
        }
    }

    @Test func encryptionIsNamed() throws {
        var entry = Entry("secret.bin")
        entry.flags = 1
        let error = try refusal([entry])
        #expect(error.code == .unsupported && error.message.contains("encrypted"))
        #expect(error.seen?.contains("secret.bin") == true)
    }

    @Test(arguments: [1, 6, 9, 12, 14, 93, 95])
    func otherMethodsAreNamedByNumber(method: Int) throws {
        var entry = Entry("a")
        entry.method = method
        let error = try refusal([entry])
        #expect(error.code == .unsupported && error.seen == "a: method \(method)")
    }

    @Test func aNameThatIsThereTwiceIsRefused() throws {
        let error = try refusal([Entry("a", [1]), Entry("b"), Entry("a", [2])])
        #expect(error.code == .badInput && error.seen == "a" && error.message.contains("twice"))
    }

    @Test(arguments: [2, 4])
    func aStoredFileOfAnotherSizeThanItSaysIsBroken(size: Int) throws {
        var entry = Entry("a", [1, 2, 3])
        entry.size = size
        try HandmadeZIP([entry]).withFile { path in
            // libzip may see it at once or while reading.
            let error = failure { try ZIPArchive(path: path, limits: FlatteningLimits()).read("a") }
            #expect(error?.code == .badInput)
        }
    }

    @Test func damagedAtAnyByteItIsAnErrorOrTheRightBytes() throws {
        let content = Array("the only content that may come out".utf8)
        let whole = HandmadeZIP([Entry("a", content), Entry("b/c", content)]).bytes
        let folder = try ScratchFolder()
        let path = folder.path("damaged.zip")
        for position in whole.indices {
            for change in [0x01, 0x80, 0xFF] as [UInt8] {
                var damaged = whole
                damaged[position] ^= change
                try Data(damaged).write(to: URL(fileURLWithPath: path))
                func check(_ error: FlatteningError?) {
                    #expect(
                        error.map { [.badInput, .unsupported, .limitExceeded].contains($0.code) } ?? true,
                        "byte \(position) ^ \(change): \(String(describing: error))")
                }
                check(
                    failure {
                        let archive = try ZIPArchive(path: path, limits: FlatteningLimits())
                        for name in archive.names {
                            check(
                                failure {
                                    let bytes = try archive.read(name)
                                    #expect(bytes == content, "byte \(position) ^ \(change)")
                                })
                        }
                    })
            }
        }
    }

    @Test func aLibraryOfAnotherKindIsToldByTheFunctionItLacks() {
        #if os(Linux)
            let error = failure { try ZIPLibrary.shared.open(anyOf: ["libm.so.6"]) }
            #expect(error?.code == .missingDependency)
            #expect(error?.detail?.contains("libm.so.6 has no function zip_") == true)
        #endif
    }
}
