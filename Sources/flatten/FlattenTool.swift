import ArgumentParser
import ReceiptFlattening

/// `flatten`: a photograph of a receipt goes in, a flat picture of true size and its text come out.
@main
struct FlattenTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flatten",
        abstract:
            "Turns a photograph of a curled, folded or tilted receipt into a flat picture of true size, and into text.",
        discussion: """
            CAPTURE is a capture folder (capture.json beside its files) or a picture, with --depth and --intrinsics where \
            there are any. Without depth the picture alone is used. "-" names standard output.

            Exit codes: 0 done; 64 wrong usage; 65 bad input; 69 a library or language data is missing; 70 a defect of \
            this program; 71 a limit of size was passed; 74 a file cannot be read or written; 75 the time allowed was \
            used up.
            """,
        version: ReceiptFlatteningVersion.current,
        subcommands: [FlattenCommand.self, InspectCommand.self],
        defaultSubcommand: FlattenCommand.self)
}
