import ArgumentParser
import Foundation
import Stages

/// Draws the inputs, for those who measure without `bench compare`.
struct Draw: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Draw the inputs that are not there yet.")

    @Option(help: "The folder of the inputs.") var inputs: String

    func run() throws {
        try FileManager.default.createDirectory(atPath: inputs, withIntermediateDirectories: true)
        try InputFolder(path: inputs).fill(sizes: PhotographSize.all) { print($0) }
    }
}
