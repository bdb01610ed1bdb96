import Parallelism
import Diagnostics
import LocalFiles
import ArgumentParser
import Platform
import ReceiptFlattening
import Synchronization

/// `--timeout`: how long the whole run may take.
struct TimeArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Give up after this time, reading and writing included; outputs written before stay. In seconds, or as 90s, 1.5m, \
            1h30m.
            """, valueName: "time"))
    var timeout: TimeSpan?

    mutating func validate() throws {
        if let timeout, timeout.seconds <= 0 { throw ValidationError("--timeout is more than 0 seconds") }
    }

    /// The limit, its clock running since the program started; nil if there is none.
    var limit: TimeLimit? { timeout.map { TimeLimit(seconds: $0.seconds) } }

    /// Does work that ends by itself at the moment that it is handed; that it did so is said in the words of the option.
    func spend<Value>(
        on work: (ContinuousClock.Instant?) throws(FlatteningError) -> Value
    ) throws(FlatteningError) -> Value {
        do throws(FlatteningError) {
            return try work(limit?.end)
        } catch {
            throw limit?.restating(error) ?? error
        }
    }
}

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

    /// The moment.
    let end: ContinuousClock.Instant
    private let seconds: Double

    init(seconds: Double) {
        self.seconds = seconds
        end = ProgramStart.instant + .seconds(seconds)
    }

    /// The time that is left; 0 or less if there is none.
    var remaining: Duration { end - .now }

    /// Throws `.timeout` if no time is left.
    func check(before stage: String) throws(FlatteningError) {
        guard remaining > .zero else { throw error(stage) }
    }

    /// Starts the watchdog.
    /// - Returns: where to note what is being done, for the message.
    func startWatchdog() -> Activity {
        let activity = Activity()
        startThread {
            while end + Self.grace > .now {
                let left = (end + Self.grace - .now) / .seconds(1)
                usleep(UInt32(min(max(left, Self.shortestSleep) * 1e6, 1e9)))
            }
            Console.giveLastWord(error(activity.current))
            AtomicFile.removeTemporaries()
            // Programs that were started (`ChildProcess`) die with the threads that started them.
            _exit(FlatteningError.Code.timeout.exitCode)
        }
        return activity
    }

    /// An error as it is said: steps are given what time is left, people gave the whole.
    func restating(_ error: FlatteningError) -> FlatteningError {
        guard error.code == .timeout else { return error }
        var restated = error
        restated.allowed = "\(seconds) s"
        return restated
    }

    private func error(_ stage: String) -> FlatteningError {
        FlatteningError(
            .timeout, "the time allowed was used up", stage: .init(rawValue: stage), allowed: "\(seconds) s",
            advice: "Allow more time, or ask for less: no text, a lower resolution")
    }

    /// What is being done now.
    final class Activity: Sendable {
        private let name = Mutex("start")

        var current: String { name.withLock { $0 } }

        func begin(_ stage: String) { name.withLock { $0 = stage } }
    }
}
