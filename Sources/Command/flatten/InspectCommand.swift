import Diagnostics
import LocalFiles
import ArgumentParser
import Platform
import ReceiptFlattening

/// `flatten inspect CAPTURE`: shows what was understood of a capture before it is flattened.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what was understood of a capture.",
        usage: "flatten inspect CAPTURE [options]")

    @OptionGroup var input: CaptureArguments
    @Flag(help: "Print it as JSON: the report's keys, as far as they are known before the flat image.")
    var json = false
    @OptionGroup var time: TimeArguments
    @OptionGroup var verbosity: VerbosityArguments

    func run() throws {
        try input.request.requireOneCapture(for: "flatten inspect")
        let limit = time.limit()
        try withExitCodes(verbosity) { console throws(FlatteningError) in
            let activity = try limit.startWatchdog()
            console.progress("reading the capture")
            activity.begin("read")
            let capture = try limit.spend { end throws(FlatteningError) in try input.request.read(until: end)
            }
            .capture
            try limit.check(before: "outline")
            console.progress("looking for the sheet")
            activity.begin("outline")
            let inspection = try ReceiptFlattener().inspect(capture)
            console.clearProgress()
            guard !json else {
                return try TextOutput.write(String(decoding: try inspection.json(), as: UTF8.self))
            }
            let page = inspection.description.keepingOnOneLine(
                input.captures + input.request.files.map(\.path))
            try AtomicFile.replace("-", with: Array((page.visibleLines + "\n").utf8))
        }
    }
}
