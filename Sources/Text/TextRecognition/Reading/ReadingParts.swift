import Synchronization

/// The progress of reading a page in parts. Each part is a fixed share of the whole, which was measured.
///
/// Within a part each row of each pass counts the same. The number of rows in a later part is known only after an
/// earlier one, so a part's share does not depend on it, and the progress never falls.
final class ReadingParts: Sendable {
    private struct Part {
        /// The shares of the whole at which the part begins and ends.
        var start = 0.0
        var end = 0.0
        var planned = 0.0
        var read = 0.0
    }

    private let part = Mutex(Part())
    private let tell: @Sendable (Double) -> Void

    /// - Parameter tell: receives the share of the whole that is done; called under a lock.
    init(_ tell: @escaping @Sendable (Double) -> Void) {
        self.tell = tell
    }

    /// Begins the next part of the work; whatever the previous part left out counts as done.
    /// - Parameters:
    ///   - count: the number of rows read in it, over all its passes; 0 for a part that has nothing to do here.
    ///   - end: the share of the whole that is done after this part, 0 to 1.
    func begin(rows count: Int, upTo end: Double) {
        part.withLock {
            $0 = Part(start: $0.end, end: end, planned: Double(count), read: 0)
            tell($0.start)
        }
    }

    /// Counts rows of the part as read.
    func add(rows count: Double) {
        part.withLock {
            let before = $0.read
            $0.read = min(before + count, $0.planned)
            guard $0.read > before else { return }
            tell($0.start + ($0.end - $0.start) * $0.read / $0.planned)
        }
    }

    /// Returns a listener for the reading of an image with `count` rows: it receives the share of the image that has
    /// been read.
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
}
