import Parallelism
import Testing

@Suite struct DetachedWorkTests {
    @Test("Detached work answers with its value or its own error, and hears of cancellation")
    func detached() async throws {
        #expect(await computeDetached { _ in 7 } == 7)
        struct Refusal: Error {}
        await #expect(throws: Refusal.self) {
            try await computeDetached { _ throws(Refusal) -> Int in throw Refusal() }
        }
        let task = Task {
            await computeDetached { stop in
                while !stop.isRaised {}
                return true
            }
        }
        task.cancel()
        #expect(await task.value)
    }
}
