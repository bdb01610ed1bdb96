import Dispatch
import Synchronization

/// How much of a page has been read, told to whoever shows it.
///
/// Counted in rows: each row of each pass counts one, and a row that needs no second pass counts as read in it, so the
/// share never falls. Told on a queue of its own, one call after the other, so that a caller's code never runs under
/// the locks of a recogniser or inside tesseract.
final class ReadingProgress: Sendable {
    private struct Rows {
        var planned = 0.0
        var read = 0.0
    }

    private let rows = Mutex(Rows())
    private let tell: @Sendable (Double) -> Void
    private let queue = DispatchQueue(label: "receipt-flattening.reading-progress")

    init(_ tell: @escaping @Sendable (Double) -> Void) {
        self.tell = tell
    }

    /// Says how many rows will be read at most, over all passes, before the first of them is.
    func begin(rows count: Int) {
        rows.withLock {
            $0.planned = Double(count)
            queue.async { [tell] in tell(0) }
        }
    }

    /// Counts rows as read.
    func add(rows count: Double) {
        rows.withLock {
            // The last step belongs to `end`: what remains after the last row is done by then too.
            let before = $0.read
            $0.read = min(before + count, $0.planned)
            guard $0.read > before, $0.read < $0.planned else { return }
            let share = $0.read / $0.planned
            queue.async { [tell] in tell(share) }
        }
    }

    /// A listener to the reading of a picture that shows `count` rows: it is told the share that has been read of it.
    func listener(rows count: Int) -> @Sendable (Double) -> Void {
        let last = LastShare()
        return { [self] share in
            let step = last.value.withLock { last in
                defer { last = max(last, share) }
                return max(share - last, 0)
            }
            add(rows: step * Double(count))
        }
    }

    private final class LastShare: Sendable {
        let value = Mutex(0.0)
    }

    /// Returns when all has been told; after a reading that succeeded the last is 1.
    func end(succeeded: Bool) {
        if succeeded { queue.async { [tell] in tell(1) } }
        queue.sync {}
    }
}
