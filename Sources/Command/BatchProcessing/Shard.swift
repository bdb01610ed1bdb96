package import Diagnostics
import ScalarText

/// One share of a batch that several processes work on, each on its own share, in one output folder.
///
/// Captures are dealt out in turn: from the list, sorted by the bytes of the paths, the first goes to the first shard, the
/// second to the second, and so on. So each capture is in exactly one shard, and shards differ by at most one capture, as
/// long as all of them see the same list.
package struct Shard: Equatable, Hashable, Sendable {
    /// The number of this shard, from 1 to `count`.
    package let number: Int
    /// Number of shards.
    package let count: Int

    /// Most shards; no array engine starts more.
    package static let mostShards = 1_000_000

    /// - Returns: nil unless the number is in `1...count`.
    package init?(number: Int, count: Int) {
        guard (1...Self.mostShards).contains(count), (1...count).contains(number) else { return nil }
        self.number = number
        self.count = count
    }

    /// Creates the shard that an option names.
    /// - Parameters:
    ///   - words: `I/N` with I from 1 to N; `auto` to use the engine's environment; `auto/N` if the engine tells
    ///     each process its own number but not how many there are.
    ///   - environment: of this process.
    /// - Throws: `.badInput` for any other text, and for an environment that lacks the information.
    package init(_ words: String, environment: [String: String]) throws(FlatteningError) {
        let parts = words.split(atScalar: "/", omittingEmptySubsequences: false).map(String.init)
        let shard: Shard?
        switch (parts.first, parts.count) {
        case ("auto", 1): shard = try Self.told(by: environment, count: nil)
        case ("auto", 2):
            guard let count = Self.number(parts[1]) else { throw Self.wrong(words) }
            shard = try Self.told(by: environment, count: count)
        case (_, 2):
            guard let number = Self.number(parts[0]), let count = Self.number(parts[1]) else {
                throw Self.wrong(words)
            }
            shard = Shard(number: number, count: count)
        default: shard = nil
        }
        guard let shard else { throw Self.wrong(words) }
        self = shard
    }

    /// The form used in file names: `2-of-8`.
    package var label: String { "\(number)-of-\(count)" }

    /// The shard for a label; nil for other text.
    init?(label: some StringProtocol) {
        let parts = label.split(atScalar: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1] == "of", let number = Self.number(parts[0]),
            let count = Self.number(parts[2])
        else { return nil }
        self.init(number: number, count: count)
    }

    /// The indices in `paths` of this shard's captures, in the order in which they are worked on.
    package func places(in paths: [String]) -> [Int] {
        let sorted = paths.indices.sorted { first, second in
            // By bytes, as folders are listed: two spellings of one letter are two names.
            let (one, other) = (paths[first].utf8, paths[second].utf8)
            return one.lexicographicallyPrecedes(other) || (first < second && one.elementsEqual(other))
        }
        return stride(from: number - 1, to: sorted.count, by: count).map { sorted[$0] }
    }

    // MARK: - Environments

    /// The shard that an array engine states in the environment of the processes that it starts.
    private static func told(
        by environment: [String: String], count: Int?
    ) throws(FlatteningError) -> Shard? {
        func value(_ name: String) -> Int? { environment[name].flatMap(number) }
        if let task = value("SLURM_ARRAY_TASK_ID") {
            let (first, step) = (
                value("SLURM_ARRAY_TASK_MIN") ?? 0, max(value("SLURM_ARRAY_TASK_STEP") ?? 1, 1)
            )
            guard let count = count ?? value("SLURM_ARRAY_TASK_COUNT") else {
                throw unknown("SLURM_ARRAY_TASK_COUNT is missing")
            }
            guard task >= first, (task - first).isMultiple(of: step),
                let shard = Shard(number: (task - first) / step + 1, count: count)
            else {
                // For example with --array=2,7,11: minimum and count do not tell which share belongs to which task.
                throw unknown(
                    "task \(task) of \(count) that begin with \(first) is not in line with the others")
            }
            return shard
        }
        for (index, size) in [
            ("JOB_COMPLETION_INDEX", nil), ("AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE"),
        ] {
            guard let place = value(index) else { continue }
            guard let count = count ?? size.flatMap(value) else {
                throw unknown("\(index) is \(place), of how many is not said")
            }
            guard let shard = Shard(number: place + 1, count: count) else {
                throw unknown("\(index) is \(place), of \(count)")
            }
            return shard
        }
        throw unknown(
            "none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and AWS_BATCH_JOB_ARRAY_INDEX is set")
    }

    /// Digits alone, without a sign.
    private static func number(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    private static func wrong(_ words: String) -> FlatteningError {
        FlatteningError(
            .badInput, "there is no such shard", stage: .batch, seen: words,
            allowed: "I/N with I from 1 to N, auto, or auto/N")
    }

    private static func unknown(_ reason: String) -> FlatteningError {
        FlatteningError(
            .badInput, "the environment does not tell which shard this is", stage: .batch, seen: reason,
            advice: "Say --shard I/N, or --shard auto/N where only the number is missing")
    }
}
