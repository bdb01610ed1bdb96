import ArgumentParser
import Foundation
import ReceiptFlattening

/// `flatten inspect CAPTURE`: what was understood, before anything is made of it.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flatten inspect",
        abstract: "Say what was understood of a capture, and what looks wrong about it.")

    @OptionGroup var input: CaptureArguments
    @OptionGroup var verbosity: VerbosityArguments

    func run() throws {
        try withExitCodes(verbosity) { console throws(FlatteningError) in
            console.progress("reading the capture")
            let capture = try input.read()
            console.progress("looking for the sheet")
            let inspection = try ReceiptFlattener().inspect(capture)
            console.clearProgress()
            try AtomicFile.replace("-", with: Array((inspection.description + "\n").utf8))
        }
    }
}
