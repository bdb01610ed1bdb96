import Diagnostics
import Platform
import Imaging
import Parallelism
import Synchronization

/// A few tesseract handles that read several images at once, one on each core.
///
/// Handles beyond the first are made when they are first needed: each costs 60 ms and some 20 MB.
final class TesseractPool: Sendable {
    /// An image to read.
    struct Job: Sendable {
        var page: GrayImage
        var segmentation: TesseractHandle.Segmentation
        /// Whether to read poorly read rows as light on dark too.
        var triesInverted = false
        /// Receives the share of the image that has been read, on the thread that reads it.
        var onProgress: (@Sendable (Double) -> Void)?
    }

    let version: String
    private let language: String
    private let dataPath: String?
    private let slots: [Slot]

    /// Holds a handle of its own; whoever uses the handle holds its lock.
    private final class Slot: Sendable {
        let handle: Mutex<TesseractHandle?>
        init(_ handle: sending TesseractHandle?) { self.handle = Mutex(handle) }
    }

    init(language: String, dataPath: String?, count: Int) throws(FlatteningError) {
        let first = try TesseractHandle(language: language, dataPath: dataPath)
        version = TesseractLibrary.version(first.functions)
        self.language = language
        self.dataPath = dataPath
        slots = [Slot(first)] + (1..<max(count, 1)).map { _ in Slot(nil) }
    }

    /// Reads images on as many threads as there are handles, but no more than there are images.
    /// - Returns: the words of each image, in the images' order.
    /// - Throws: the error of the first image that has one.
    func read(_ jobs: [Job], context: ReadingContext) throws(FlatteningError) -> [[ReadWord]] {
        guard jobs.count > 1, slots.count > 1 else {
            var results: [[ReadWord]] = []
            for job in jobs { results.append(try read(job, in: slots[0], context: context).get()) }
            return results
        }
        let shared = context.sharedAmongThreads()
        return try shareOut(
            jobs, among: Array(slots.prefix(jobs.count)), longestFirst: \.page.size.pixelCount
        ) { job, slot throws(FlatteningError) in
            try read(job, in: slot, context: shared).get()
        }
    }

    private func read(
        _ job: Job, in slot: Slot, context: ReadingContext
    ) -> Result<[ReadWord], FlatteningError> {
        let words = slot.handle.withLock { handle in
            Result { () throws(FlatteningError) -> [ReadWord] in
                let own: TesseractHandle
                if let handle, !handle.isBroken {
                    own = handle
                } else {
                    own = try TesseractHandle(language: language, dataPath: dataPath)
                    handle = own
                }
                return try own.read(
                    job.page, segmentation: job.segmentation, triesInverted: job.triesInverted,
                    context: context.reporting(to: job.onProgress))
            }
        }
        // tesseract reports progress before each word, so never after the last.
        if case .success = words { job.onProgress?(1) }
        return words
    }
}
