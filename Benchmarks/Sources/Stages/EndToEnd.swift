import Foundation
import ReceiptFlattening

extension StageCase {
    /// A capture's files to a flat image: the library in this process, and the command in one of its own.
    static let endToEnd: [StageCase] =
        PhotographSize.all.flatMap { size in
            [
                StageCase(.endToEnd, "library", size.label, threading: .allCores) { inputs in
                    let folder = inputs.path("capture-\(size.megapixels)")
                    return Work({
                        let receipt = try ReceiptFlattener().flatten(
                            Capture(contentsOf: URL(filePath: folder)))
                        return (receipt, receipt.picture.render())
                    }) { receipt, _ in
                        try require(
                            receipt.report.method == .freeform, "the step was \(receipt.report.method)")
                        return [:]
                    }
                },
                StageCase(.endToEnd, "command", size.label, threading: .allCores) { inputs in
                    let flat = Scratch.path("flat-\(ProcessInfo.processInfo.processIdentifier).png")
                    return command([inputs.path("capture-\(size.megapixels)"), "-o", flat, "--quiet"]) {
                        try FileManager.default.removeItem(atPath: flat)
                    }
                },
            ]
        } + [
            StageCase(.endToEnd, "start-up", "--help", threading: .allCores) { _ in
                command(["--help"]) {}
            }
        ]

    /// The command named by FLATTEN in the environment; its peak memory is told beside the time.
    private static func command(_ arguments: [String], clean: @escaping () throws -> Void) -> Work {
        let path = ProcessInfo.processInfo.environment["FLATTEN"] ?? "../.build/release/flatten"
        return Work({ try ChildProcess.run(path, arguments) }) { peakBytes in
            try clean()
            return ["peak MB": Double(peakBytes) / 1e6]
        }
    }
}
