import Diagnostics
import Testing

@testable import BatchProcessing

@Suite struct ShardTests {
    /// Of any number of captures and shards, in whatever order the captures are told.
    @Test(arguments: [1, 2, 20261123] as [UInt64])
    func eachCaptureIsInOneShardExactlyAndSharesDifferByOneAtMost(seed: UInt64) throws {
        var generator = Seeded(state: seed)
        for _ in 0..<50 {
            let captures = Int.random(in: 1...300, using: &generator)
            let count = Int.random(in: 1...40, using: &generator)
            let paths = (0..<captures).map { "in/\($0 * 7919 % captures).jpg" }.shuffled(using: &generator)
            let again = paths.shuffled(using: &generator)
            var dealt: [String] = []
            for number in 1...count {
                let shard = try #require(Shard(number: number, count: count))
                let share = shard.places(in: paths).map { paths[$0] }
                #expect(share == shard.places(in: again).map { again[$0] }, "seed \(seed)")
                #expect((captures / count...captures / count + 1).contains(share.count))
                dealt += share
            }
            #expect(dealt.sorted() == paths.sorted(), "seed \(seed)")
        }
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            // Knuth's MMIX; its high bits are put below, where ranges look.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state.byteSwapped
        }
    }

    @Test func sharesFollowTheBytesOfThePaths() throws {
        // By bytes the capital comes first, and two spellings of one letter are two paths.
        let paths = ["b", "a", "B", "e\u{301}", "\u{E9}"]
        #expect(try #require(Shard(number: 1, count: 1)).places(in: paths) == [2, 1, 0, 3, 4])
        #expect(try #require(Shard(number: 2, count: 2)).places(in: paths) == [1, 3])
    }

    @Test(
        arguments: [
            ("2/8", [:], 2, 8), ("1/1", [:], 1, 1),
            (
                "auto",
                ["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_COUNT": "4"], 3, 4
            ),
            (
                "auto",
                [
                    "SLURM_ARRAY_TASK_ID": "6", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_COUNT": "5",
                    "SLURM_ARRAY_TASK_STEP": "2",
                ], 4, 5
            ),
            ("auto/3", ["JOB_COMPLETION_INDEX": "0"], 1, 3), ("auto/3", ["JOB_COMPLETION_INDEX": "2"], 3, 3),
            ("auto", ["AWS_BATCH_JOB_ARRAY_INDEX": "1", "AWS_BATCH_JOB_ARRAY_SIZE": "2"], 2, 2),
            ("auto/9", ["AWS_BATCH_JOB_ARRAY_INDEX": "1"], 2, 9),
        ] as [(String, [String: String], Int, Int)])
    func aShardIsToldByWordsOrByTheEngine(
        words: String, environment: [String: String], number: Int, count: Int
    ) throws {
        #expect(try Shard(words, environment: environment) == Shard(number: number, count: count))
    }

    @Test(
        arguments: [
            ("", [:]), ("0/3", [:]), ("4/3", [:]), ("1", [:]), ("1/2/3", [:]), ("-1/3", [:]), ("+1/3", [:]),
            ("1/", [:]),
            ("a/b", [:]), ("1/99999999999999999999", [:]), ("auto", [:]),
            ("auto/", ["JOB_COMPLETION_INDEX": "0"]),
            ("auto", ["JOB_COMPLETION_INDEX": "0"]), ("auto/3", ["JOB_COMPLETION_INDEX": "3"]),
            ("auto", ["SLURM_ARRAY_TASK_ID": "7"]),
            // --array=2,7,11
            (
                "auto",
                ["SLURM_ARRAY_TASK_ID": "11", "SLURM_ARRAY_TASK_MIN": "2", "SLURM_ARRAY_TASK_COUNT": "3"]
            ),
        ] as [(String, [String: String])])
    func whatTellsNoShardIsRefused(words: String, environment: [String: String]) throws {
        let error = try #require(throws: FlatteningError.self) {
            try Shard(words, environment: environment)
        }
        #expect(error.code == .badInput)
    }
}
