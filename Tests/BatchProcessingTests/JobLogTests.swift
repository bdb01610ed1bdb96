import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import BatchProcessing

@Suite struct JobLogTests {
    private func record(_ name: String, _ state: JobRecord.State = .done) -> JobRecord {
        JobRecord(
            key: "k", name: name, input: "in/" + name, state: state,
            outputs: [.init(name: name + ".png", sha256: "00")], exitCode: 0, error: nil, seconds: 1.5)
    }

    @Test func whatIsDoneIsTheLastWordOfAllLogs() throws {
        let folder = try ScratchFolder()
        #expect(throws: FlatteningError.self) { try JobLog.done(in: folder.path) }
        func lines(_ records: [JobRecord]) throws -> String {
            try records.map { String(decoding: try #require($0.line), as: UTF8.self) }.joined()
        }
        var later = record("b", .failed)
        later.ended = "2026-01-02T00:00:00Z"
        var earlier = record("b")
        earlier.ended = "2026-01-01T00:00:00Z"
        try folder.write(
            try lines([record("c", .failed), earlier, record("c")]) + "{torn", as: JobLog.fileName)
        try folder.write(try lines([record("a"), later]), as: "jobs.1-of-2.jsonl")
        #expect(try JobLog.done(in: folder.path).map(\.name) == ["a", "c"])
    }

    private func content(_ folder: ScratchFolder) throws -> String {
        try String(contentsOfFile: folder.path(JobLog.fileName), encoding: .utf8)
    }

    @Test func whatIsWrittenIsFoundByTheNextOne() throws {
        let folder = try ScratchFolder()
        do {
            let log = try JobLog(folder: folder.path)
            try log.append(record("a", .failed))
            try log.append(record("b"))
            try log.append(record("a"))
        }
        let log = try JobLog(folder: folder.path)
        #expect(log.record(key: "k", name: "a") == record("a"))
        #expect(log.record(key: "k", name: "b") == record("b"))
        #expect(log.record(key: "other", name: "a") == nil)
        #expect(try content(folder).split(separator: "\n").count == 3)
    }

    @Test func aLineTornAnywhereIsForgottenAndTheOthersStand() throws {
        let folder = try ScratchFolder()
        do {
            let log = try JobLog(folder: folder.path)
            try log.append(record("a"))
            try log.append(record("b"))
        }
        let whole = try content(folder)
        let first = try #require(whole.firstIndex(of: "\n"))
        let firstLine = whole[...first]
        for length in firstLine.utf8.count..<whole.utf8.count {
            try Data(whole.utf8.prefix(length)).write(to: URL(filePath: folder.path(JobLog.fileName)))
            let log = try JobLog(folder: folder.path)
            #expect(log.record(key: "k", name: "a") != nil)
            #expect(log.record(key: "k", name: "b") == nil)
            #expect(try content(folder) == firstLine)
        }
    }

    @Test func aLineTooLongIsPassedOverAndTheNextStands() throws {
        let folder = try ScratchFolder()
        try folder.write(String(repeating: "x", count: 3 << 20) + "\n", as: JobLog.fileName)
        do {
            let log = try JobLog(folder: folder.path)
            try log.append(record("a"))
        }
        #expect(try JobLog(folder: folder.path).record(key: "k", name: "a") != nil)
    }

    @Test func aFailureDeservesAnotherTryByItsCauseOrByMoreRoom() {
        var failed = record("a", .failed)
        let limits = JobRecord.Limits(memoryMebibytes: 64, processorSeconds: 10)
        #expect(!failed.deservesRetry(within: limits))
        failed.limits = limits
        #expect(!failed.deservesRetry(within: limits))
        #expect(failed.deservesRetry(within: .init(memoryMebibytes: 65, processorSeconds: 10)))
        #expect(failed.deservesRetry(within: .init(memoryMebibytes: 64, processorSeconds: 11)))
        failed.limits = nil
        failed.retry = true
        #expect(failed.deservesRetry(within: limits))
    }

    @Test func linesOfNonsenseArePassedOver() throws {
        let folder = try ScratchFolder()
        try folder.write("nonsense\n{\"key\":1}\n\n\u{0}\u{0}\n", as: JobLog.fileName)
        let log = try JobLog(folder: folder.path)
        try log.append(record("a"))
        #expect(log.record(key: "k", name: "a") != nil)
    }

    @Test func anUnlockedFolderIsFreeWhileItsLogLivesOn() throws {
        let folder = try ScratchFolder()
        let first = try JobLog(folder: folder.path)
        first.unlock()
        #expect(throws: Never.self) { try JobLog(folder: folder.path) }
        withExtendedLifetime(first) {}
    }

    @Test func twoBatchesNeverShareAFolder() throws {
        let folder = try ScratchFolder()
        let first = try JobLog(folder: folder.path)
        let error = try #require(throws: FlatteningError.self) { try JobLog(folder: folder.path) }
        #expect(error.code == .fileAccess)
        withExtendedLifetime(first) {}
    }

    @Test(.timeLimit(.minutes(1)))
    func aLogThatIsNoFileIsNamedAndNotWaitedFor() throws {
        let piped = try ScratchFolder()
        mkfifo(piped.path(JobLog.fileName), 0o600)
        let asPipe = try #require(throws: FlatteningError.self) { try JobLog(folder: piped.path) }
        #expect(asPipe.code == .fileAccess)
        let folder = try ScratchFolder()
        try folder.write("x", as: JobLog.fileName + "/inside")
        let asFolder = try #require(throws: FlatteningError.self) { try JobLog(folder: folder.path) }
        #expect(asFolder.code == .fileAccess && asFolder.file == folder.path(JobLog.fileName))
        // A link could lead out of the folder.
        let other = try ScratchFolder()
        try other.write("", as: "elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: other.path(JobLog.fileName), withDestinationPath: other.path("elsewhere"))
        let asLink = try #require(throws: FlatteningError.self) { try JobLog(folder: other.path) }
        #expect(asLink.code == .fileAccess)
    }
}
