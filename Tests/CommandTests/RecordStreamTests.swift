import Diagnostics
import Synchronization
import Testing

@testable import BatchProcessing
@testable import flatten

@Suite struct RecordStreamTests {
    @Test func aRecordThatIsNoJSONEndsTheBatchAndIsNamed() throws {
        let failures = Mutex(0)
        let stream = RecordStream { failures.withLock { $0 += 1 } }
        for _ in 1...2 {
            stream.write(
                JobRecord(
                    key: "k", name: "scan", input: "in/scan", state: .done, outputs: [], exitCode: 0,
                    error: nil,
                    seconds: .nan))
        }
        #expect(failures.withLock { $0 } == 1)
        let error = try #require(throws: FlatteningError.self) { try stream.check() }
        #expect(error.code == .internalInconsistency && error.file == "scan")
    }
}
