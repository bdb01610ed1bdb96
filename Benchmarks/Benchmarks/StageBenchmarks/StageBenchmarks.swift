import Benchmark
import Foundation
import Stages

/// Every case of every stage, for `swift package benchmark --filter "codecs/.*"`.
let benchmarks: @Sendable () -> Void = {
    let inputs = InputFolder(path: ProcessInfo.processInfo.environment["BENCH_INPUTS"] ?? ".build/inputs")
    for stageCase in StageCase.all {
        Benchmark(
            stageCase.name,
            configuration: .init(
                metrics: [.wallClock, .throughput, .peakMemoryResident], warmupIterations: 1)
        ) { (benchmark: Benchmark, work: Work) throws -> Void in
            for _ in benchmark.scaledIterations { try work.run() }
        } setup: { () async throws -> Work in
            let work = try stageCase.prepare(inputs)
            _ = try work.check()
            return work
        }
    }
}
