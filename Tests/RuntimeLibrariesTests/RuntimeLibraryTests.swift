import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RuntimeLibraries

@Suite struct RuntimeLibraryTests {
    /// Functions of every C library; the second may lack.
    private struct Functions {
        var getpid: @convention(c) () -> pid_t
        var getppid: (@convention(c) () -> pid_t)?
    }

    #if canImport(Darwin)
        private static let systemLibrary = "libSystem.B.dylib"
    #else
        private static let systemLibrary = "libc.so.6"
    #endif

    private func open(
        _ fileNames: [String], required: String = "getpid ", optional: String = "getppid ",
        unsuitable: (Functions) -> String? = { _ in nil }
    ) throws(LibraryAbsence) -> Functions {
        try FunctionTable.open(
            anyOf: fileNames, functions: FunctionNames(required, optional: optional), unsuitable: unsuitable)
    }

    private func absence(of fileNames: [String]) throws -> LibraryAbsence {
        try #require(throws: LibraryAbsence.self) { _ = try open(fileNames) }
    }

    /// What loaders say (glibc 2.36 to 2.41, musl 1.2, dyld), and what it means where nothing is short, and where all is.
    @Test(
        arguments: [
            (
                "cannot create shared object descriptor: \(words(ENOMEM))", LibraryAbsence.Reason.shortage,
                .shortage
            ),
            ("libx.so.1: cannot open shared object file: \(words(EMFILE))", .shortage, .shortage),
            ("libx.so.1: cannot open shared object file: \(words(ENFILE))", .shortage, .shortage),
            ("libx.so.1: failed to map segment from shared object: \(words(ENOMEM))", .shortage, .shortage),
            ("libcrypto.so.3: failed to map segment from shared object", .broken, .shortage),
            ("libx.so.1: cannot map zero-fill pages", .broken, .shortage),
            // A folder without execution (noexec), and libraries that ask for what a policy refuses.
            ("libx.so.1: failed to map segment from shared object: \(words(EPERM))", .broken, .broken),
            (
                "libx.so.1: cannot enable executable stack as shared object requires: Invalid argument",
                .broken, .broken
            ),
            (
                "libx.so.1: cannot enable executable stack as shared object requires: \(words(EACCES))",
                .broken, .broken
            ),
            ("libx.so.1: cannot open shared object file: No such file or directory", .notFound, .shortage),
            ("Error loading shared library libx.so.1: No such file or directory", .notFound, .shortage),
            ("dlopen(libx.1.dylib, 0x0002): tried: 'libx.1.dylib' (no such file)", .notFound, .shortage),
            ("libx.so.1: cannot open shared object file: \(words(EACCES))", .broken, .broken),
            ("libx.so.1: invalid ELF header", .broken, .broken),
            ("libx.so.1: file too short", .broken, .broken),
            ("libx.so.1: wrong ELF class: ELFCLASS32", .broken, .broken),
            ("libx.so.1: undefined symbol: y", .broken, .broken),
        ] as [(String, LibraryAbsence.Reason, LibraryAbsence.Reason)])
    func theLoadersWordsTellShortageFromAbsence(
        words: String, reason: LibraryAbsence.Reason, ifShort: LibraryAbsence.Reason
    ) {
        #expect(LibraryAbsence.Refusal(loaderSays: words) { _ in false } == .init(reason, words))
        #expect(LibraryAbsence.Refusal(loaderSays: words) { _ in true } == .init(ifShort, words))
    }

    /// The system's words for an error number.
    private static func words(_ number: Int32) -> String { String(cString: strerror(number)) }

    @Test func aLibraryThatIsNotThereIsNotFound() throws {
        let absence = try absence(of: ["libx-that-is-not-there.so", "liby-that-is-not-there.so"])
        #expect(absence.reason == .notFound && absence.refusals.count == 2)
        let error = absence.error(
            library: "X, which does y,", stage: .init(rawValue: "z"), advice: "Install it: i")
        #expect(error.code == .missingDependency && error.advice == "Install it: i")
    }

    @Test(arguments: ["", "no library at all, but long enough for a header of one. ....................."])
    func aFileThatIsNoLibraryIsBroken(content: String) throws {
        let folder = try ScratchFolder()
        let absence = try absence(of: [folder.write(content, as: "libx.so")])
        #expect(absence.reason == .broken)
        let error = absence.error(
            library: "X, which does y,", stage: .init(rawValue: "z"), advice: "Install it: i")
        #expect(
            error.code == .missingDependency
                && error.message == "X, which does y, is there, but cannot be loaded")
        #expect(error.detail?.contains("libx.so") == true)
    }

    @Test func aShortageIsALimitAndWeighsMoreThanAnAbsence() {
        let absence = LibraryAbsence(refusals: [.init(.notFound, "a"), .init(.shortage, "b")])
        let error = absence.error(
            library: "X, which does y,", stage: .init(rawValue: "z"), advice: "Install it: i")
        #expect(error.code == .shortage && error.detail == "a; b")
        #expect(error.message == "X, which does y, cannot be loaded: memory or open files are short")
        #expect(error.advice?.contains("Install") == false)
    }

    @Test func theTableHoldsTheFunctionsInTheOrderOfTheirNames() throws {
        let functions = try open(["libx-that-is-not-there.so", Self.systemLibrary])
        #expect(functions.getpid() == getpid() && functions.getppid?() == getppid())
    }

    @Test func aFunctionThatMayLackIsNullAndOneThatIsNeededIsNamed() throws {
        let functions = try open([Self.systemLibrary], optional: "a_function ")
        #expect(functions.getpid() == getpid() && functions.getppid == nil)
        let absence = try #require(throws: LibraryAbsence.self) {
            _ = try open([Self.systemLibrary], required: "a_function ")
        }
        #expect(absence.refusals == [.init(.unsuitable, "\(Self.systemLibrary) has no function a_function")])
    }

    @Test func aLibraryOfAnotherVersionIsRefusedWithItsReason() throws {
        let absence = try #require(throws: LibraryAbsence.self) {
            _ = try open([Self.systemLibrary], unsuitable: { _ in "is version 7, not 5" })
        }
        #expect(absence.refusals == [.init(.unsuitable, "\(Self.systemLibrary) is version 7, not 5")])
    }

    // MARK: - What is kept

    private struct Failure: Error, Equatable { var lasts: Bool }

    @Test func whatFailedForShortageIsTriedAgainAndWhatIsAbsentIsNot() {
        let tries = Mutex(0)
        let outcomes = [Failure(lasts: false), Failure(lasts: false), nil]
        let passing = LoadedOnce(lasts: { (failure: Failure) in failure.lasts }) {
            () throws(Failure) -> Int in
            let index = tries.withLock { tries in
                defer { tries += 1 }
                return tries
            }
            if let failure = outcomes[index] { throw failure }
            return 7
        }
        for _ in 0..<2 { #expect(throws: Failure(lasts: false)) { try passing.get() } }
        for _ in 0..<3 { #expect((try? passing.get()) == 7) }
        #expect(tries.withLock(\.self) == 3)

        let absent = LoadedOnce(lasts: { (failure: Failure) in failure.lasts }) { () throws(Failure) -> Int in
            tries.withLock { $0 += 1 }
            throw Failure(lasts: true)
        }
        for _ in 0..<3 { #expect(throws: Failure(lasts: true)) { try absent.get() } }
        #expect(tries.withLock(\.self) == 4)
    }

    // MARK: - What can be had

    @Test func whatCannotBeHadIsToldWithoutTakingIt() {
        #expect(Resources.canReserve(0) && Resources.canReserve(1 << 20))
        #expect(!Resources.canReserve(1 << 50))
        #expect(Resources.canOpen(Resources.neededDescriptors))
    }
}
