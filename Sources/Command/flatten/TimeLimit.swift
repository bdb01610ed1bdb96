import Parallelism
import Diagnostics
import LocalFiles
import Platform
import ReceiptFlattening
import Synchronization

/// The time by which a run must be done, and a watchdog that enforces it.
///
/// Code that can, checks the time between steps. A read that waits for standard input and a C library's long step cannot;
/// for these the watchdog ends the process a little later. Outputs get their names only when complete, so none is half
/// written; an output that already has its name keeps it.
struct TimeLimit: Sendable {
    /// How long after the time limit the watchdog waits for a step to end by itself. Measured on runs over the samples,
    /// with text and stopped after 0.4 to 2.0 s, with ten processes on two processors: the latest step that ended by itself
    /// was 0.26 s late.
    static let grace = Duration.milliseconds(400)

    /// The shortest sleep of the watchdog, in seconds, because the remaining time rounds to nothing at the end.
    private static let shortestSleep = 0.001

    /// The default limit for one capture in seconds: that of the library.
    static let secondsOfCapture = ReceiptFlattener.Options.usualTimeLimit / .seconds(1)

    /// The end of the time allowed; nil for no limit.
    let end: ContinuousClock.Instant?
    private let seconds: Double

    /// - Parameter seconds: from the start of the program; 0 for no limit.
    init(seconds: Double) {
        self.seconds = seconds
        end = seconds > 0 ? ProgramStart.instant + .seconds(seconds) : nil
    }

    /// - Parameters:
    ///   - asked: the limit requested, 0 for no limit; nil for the default time for each capture.
    ///   - captures: number of captures in the run.
    init(_ asked: TimeSpan?, captures: Int) {
        self.init(seconds: asked?.seconds ?? Self.secondsOfCapture * Double(captures))
    }

    /// The remaining time in the form that the library accepts, always greater than 0: time that passed since the program
    /// started must not make the option invalid. Nil for no limit.
    var remaining: Duration? { end.map { max($0 - .now, .milliseconds(1)) } }

    /// Throws `.timeout` if no time is left.
    func check(before stage: String) throws(FlatteningError) {
        if let end, end <= .now { throw error(stage) }
    }

    /// Runs work that ends by itself at the given time; its timeout error is restated in the option's terms.
    func spend<Value>(
        on work: (ContinuousClock.Instant?) throws(FlatteningError) -> Value
    ) throws(FlatteningError) -> Value {
        do throws(FlatteningError) {
            return try work(end)
        } catch {
            throw restating(error)
        }
    }

    /// Starts the watchdog, if there is a limit.
    /// - Returns: where to note the current activity, for the message.
    /// - Throws: `.shortage` if no thread is available for it.
    func startWatchdog() throws(FlatteningError) -> Activity {
        let activity = Activity()
        guard let end else { return activity }
        let hasStarted = startThread {
            while end + Self.grace > .now {
                let left = (end + Self.grace - .now) / .seconds(1)
                usleep(UInt32(min(max(left, Self.shortestSleep) * 1e6, 1e9)))
            }
            Console.giveLastWord(error(activity.current))
            AtomicFile.removeTemporaries()
            // Programs that were started (`ChildProcess`) die with the threads that started them.
            _exit(FlatteningError.Code.timeout.exitCode)
        }
        guard hasStarted else { throw .shortageOfThreads(stage: .init(rawValue: activity.current)) }
        return activity
    }

    /// Restates an error for people: steps were given the remaining time, people gave the whole time.
    private func restating(_ error: FlatteningError) -> FlatteningError {
        guard error.code == .timeout, end != nil else { return error }
        var restated = error
        restated.allowed = "\(seconds) s"
        return restated
    }

    private func error(_ stage: String) -> FlatteningError {
        FlatteningError(
            .timeout, "the time allowed was used up", stage: .init(rawValue: stage), allowed: "\(seconds) s",
            advice: "Allow more time (--timeout), or ask for less: no text, a lower resolution")
    }

    /// The current activity.
    final class Activity: Sendable {
        private let name = Mutex("start")

        var current: String { name.withLock { $0 } }

        func begin(_ stage: String) { name.withLock { $0 = stage } }
    }
}
