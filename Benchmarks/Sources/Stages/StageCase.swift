public import Parallelism
public import Imaging

/// One thing that is timed: a step of the pipeline on an input of a given size.
public struct StageCase: Sendable {
    /// The stages of the pipeline, one file of this target each.
    public enum Stage: String, CaseIterable, Sendable {
        case codecs, cloud, plane, surface, unrolling, resampling, reading, guidance
        case endToEnd = "end to end"
    }

    /// To which stage it belongs.
    public let stage: Stage
    /// What is done, for instance "bicubic warp".
    public let task: String
    /// On how much, for instance "12 MP".
    public let size: String
    /// On how many threads.
    public let threading: Threading
    /// Reads the input, before any timing.
    public let prepare: @Sendable (InputFolder) throws -> Work

    init(
        _ stage: Stage, _ task: String, _ size: String, threading: Threading = .single,
        prepare: @escaping @Sendable (InputFolder) throws -> Work
    ) {
        self.stage = stage
        self.task = task
        self.size = size
        self.threading = threading
        self.prepare = prepare
    }

    /// The case's name: "resampling/bicubic warp/12 MP/one thread".
    public var name: String {
        "\(stage.rawValue)/\(task)/\(size)/\(threading == .single ? "one thread" : "all threads")"
    }

    /// Every case of every stage.
    public static let all: [StageCase] =
        codecs + cloud + plane + surface + unrolling + resampling + reading + guidance + endToEnd
}

/// A case with its input in memory.
public struct Work {
    /// What is timed.
    public let run: () throws -> Void
    /// Runs once more, outside the timing: throws if the result is wrong, and returns what is to be compared with the
    /// peer's beside the time, by name.
    public let check: () throws -> [String: Double]

    init<Output>(
        _ work: @escaping () throws -> Output, check: @escaping (Output) throws -> [String: Double]
    ) {
        run = { try measuredWork { keep(try work()) } }
        self.check = { try check(try work()) }
    }
}

/// A result that is wrong.
public struct WrongResult: Error, CustomStringConvertible {
    /// What is wrong, in one sentence.
    public let description: String
    init(_ description: String) { self.description = description }
}

func require(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
    guard isRight else { throw WrongResult(what()) }
}

/// A function of its own, so that a profiler can be told to count what runs inside it and nothing else.
@inline(never) @_optimize(none)
func measuredWork(_ work: () throws -> Void) rethrows { try work() }

/// Keeps the optimiser from leaving out work whose result nobody reads.
@inline(never)
private func keep<Output>(_ output: Output) {}
