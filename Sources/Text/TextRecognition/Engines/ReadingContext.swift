public import Diagnostics
import Platform
import Parallelism

/// How long reading may go on, and who is told of its progress.
public struct ReadingContext: Sendable {
    /// The time at which reading ends with `.timeout`; nil (the default) for no limit.
    public var deadline: ContinuousClock.Instant?
    /// Whether reading must end with `.cancelled`; by default, whether the current task is cancelled.
    public var isCancelled: @Sendable () -> Bool
    /// Receives the share of the page that has been read, 0 to 1; nil by default.
    public var onProgress: (@Sendable (Double) -> Void)?

    /// Whether to read only as much as shows whether there is text: some rows, without a close look at logos. Engines
    /// from outside this package do not know of it.
    package var isCursory = false

    /// Receives the rows that are not read.
    var onUnread: (@Sendable (UnreadRows) -> Void)?

    /// Called where another reader than the engine itself read the page.
    var onOtherReader: (@Sendable (OtherReader) -> Void)?

    /// A reader that an engine handed a page to.
    struct OtherReader: Sendable {
        let name: String
        let languages: [String]
        /// The rows that it did not read.
        let unread: UnreadRows?
        /// What the engine itself had read.
        let replaced: [RecognizedLine]
    }

    /// A context, each part with its default.
    public init(
        deadline: ContinuousClock.Instant? = nil,
        isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled },
        onProgress: (@Sendable (Double) -> Void)? = nil
    ) {
        self.deadline = deadline
        self.isCancelled = isCancelled
        self.onProgress = onProgress
    }

    /// Throws `.cancelled` or `.timeout` if reading is to end.
    public func check() throws(FlatteningError) {
        if isCancelled() {
            throw FlatteningError(.cancelled, "reading was cancelled", stage: .text)
        }
        if isLate {
            throw FlatteningError(.timeout, "the time allowed for reading is used up", stage: .text)
        }
    }

    /// Whether `check()` would throw.
    var isUsedUp: Bool { isCancelled() || isLate }

    private var isLate: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

    /// Returns the same context for use on several threads. The caller's wish to stop may be visible only on the
    /// caller's thread (a task's cancellation is), so it is passed on from there to the others.
    func sharedAmongThreads() -> ReadingContext {
        let stop = CancellationFlag()
        let caller = ThreadIdentity()
        var shared = self
        shared.isCancelled = {
            if stop.isRaised { return true }
            guard ThreadIdentity() == caller, isCancelled() else { return false }
            stop.raise()
            return true
        }
        return shared
    }

    /// Returns the same context with another listener to its progress.
    func reporting(to listener: (@Sendable (Double) -> Void)?) -> ReadingContext {
        var context = self
        context.onProgress = listener
        return context
    }
}
