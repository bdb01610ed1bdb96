import Dispatch
import Foundation
import Imaging
import Synchronization

/// A few tesseract handles that read several pictures at once, one on each core.
///
/// Handles beyond the first are made when they are first needed: each costs 60 ms and some 20 MB.
final class EnginePool: Sendable {
    /// A picture to be read.
    struct Job: Sendable {
        var page: GrayImage
        var segmentation: TesseractEngine.Segmentation
        var dotsPerInch: Int
        /// Told the share of the picture that has been read, on the thread that reads it.
        var onProgress: (@Sendable (Double) -> Void)?
    }

    let version: String
    private let language: String
    private let dataPath: String?
    private let slots: [Slot]

    /// A handle of its own for each slot; whoever uses it holds its lock.
    private final class Slot: Sendable {
        let engine: Mutex<TesseractEngine?>
        init(_ engine: sending TesseractEngine?) { self.engine = Mutex(engine) }
    }

    init(language: String, dataPath: String?, count: Int) throws(FlatteningError) {
        let first = try TesseractEngine(language: language, dataPath: dataPath)
        version = first.library.version
        self.language = language
        self.dataPath = dataPath
        slots = [Slot(first)] + (1..<max(count, 1)).map { _ in Slot(nil) }
    }

    /// Reads pictures on as many threads as there are handles, and pictures.
    /// - Returns: the words of each picture, in the pictures' order.
    /// - Throws: the error of the first picture that has one.
    func read(
        _ jobs: [Job], allowance: ReadingAllowance
    ) throws(FlatteningError) -> [[TesseractEngine.Word]] {
        guard jobs.count > 1, slots.count > 1 else {
            var results: [[TesseractEngine.Word]] = []
            for job in jobs { results.append(try read(job, in: slots[0], allowance: allowance).get()) }
            return results
        }
        // The caller's wish to stop may be known only on the caller's thread (a task's cancellation is): what it sees
        // there is passed on.
        let stop = CancellationFlag()
        let caller = ObjectIdentifier(Thread.current)
        let shared = ReadingAllowance(deadline: allowance.deadline) {
            if stop.isRaised { return true }
            guard ObjectIdentifier(Thread.current) == caller, allowance.isCancelled() else { return false }
            stop.raise()
            return true
        }
        let next = Counter()
        let results = Mutex<[Result<[TesseractEngine.Word], FlatteningError>?]>(
            Array(repeating: nil, count: jobs.count))
        DispatchQueue.concurrentPerform(iterations: min(slots.count, jobs.count)) { slot in
            while true {
                let index = next.value.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < jobs.count else { return }
                let result = read(jobs[index], in: slots[slot], allowance: shared)
                results.withLock { $0[index] = result }
            }
        }
        var words: [[TesseractEngine.Word]] = []
        for result in results.withLock({ $0 }) {
            guard let result else { continue }
            words.append(try result.get())
        }
        return words
    }

    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    private func read(
        _ job: Job, in slot: Slot, allowance: ReadingAllowance
    ) -> Result<[TesseractEngine.Word], FlatteningError> {
        slot.engine.withLock { engine in
            Result { () throws(FlatteningError) in
                let own: TesseractEngine
                if let engine, !engine.isBroken {
                    own = engine
                } else {
                    own = try TesseractEngine(language: language, dataPath: dataPath)
                    engine = own
                }
                return try own.read(
                    job.page, segmentation: job.segmentation, dotsPerInch: job.dotsPerInch,
                    allowance: allowance, onProgress: job.onProgress)
            }
        }
    }
}
