import Parallelism
import Diagnostics
import LocalFiles
import Platform
import ReceiptFlattening
import Synchronization

/// The moment by which a run must be done, and what ends it where nobody asks for the time.
///
/// Who can asks between steps. A read that waits for standard input and a C library's long step cannot: for them there is a
/// watchdog, which ends the process a little later. Outputs have no name until they are whole, so none is half written; one that already
/// has its name keeps it.
struct TimeLimit: Sendable {
    /// How long after the moment the watchdog waits for a step to end by itself. Measured: of runs over the samples, with
    /// text and stopped after 0.4 to 2.0 s, the latest that said so itself was 0.26 s late, two processors having ten
    /// processes to run.
    static let grace = Duration.milliseconds(400)

    /// The shortest sleep of the watchdog, in seconds: what is left rounds to nothing at the end.
    private static let shortestSleep = 0.001

    /// What is allowed for one capture unless somebody says otherwise, in seconds: what the library allows.
    static let secondsOfCapture = ReceiptFlattener.Options.usualTimeLimit / .seconds(1)

    /// The moment; nil for no limit.
    let end: ContinuousClock.Instant?
    private let seconds: Double

    /// - Parameter seconds: from the start of the program; 0 for no limit.
    init(seconds: Double) {
        self.seconds = seconds
        end = seconds > 0 ? ProgramStart.instant + .seconds(seconds) : nil
    }

    /// - Parameters:
    ///   - asked: what somebody said, 0 for no limit; nil for the usual time of each capture.
    ///   - captures: how many the run is about.
    init(_ asked: TimeSpan?, captures: Int) {
        self.init(seconds: asked?.seconds ?? Self.secondsOfCapture * Double(captures))
    }

    /// The time that is left, more than none, as the library takes it: what passed since the program started is no reason to
    /// call the option wrong. Nil for no limit.
    var remaining: Duration? { end.map { max($0 - .now, .milliseconds(1)) } }

    /// Throws `.timeout` if no time is left.
    func check(before stage: String) throws(FlatteningError) {
        if let end, end <= .now { throw error(stage) }
    }

    /// Does work that ends by itself at the moment that it is handed; that it did so is said in the words of the option.
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
    /// - Returns: where to note what is being done, for the message.
    /// - Throws: `.shortage` if no thread can be had for it.
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

    /// An error as it is said: steps are given what time is left, people gave the whole.
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

    /// What is being done now.
    final class Activity: Sendable {
        private let name = Mutex("start")

        var current: String { name.withLock { $0 } }

        func begin(_ stage: String) { name.withLock { $0 = stage } }
    }
}
