import ArgumentParser

/// `flatten CAPTURE -o flat.png`, the main job; its word `single` may be omitted.
struct FlattenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "single",
        abstract: FlattenTool.abstract,
        usage: usage,
        discussion: """
            CAPTURE is a capture folder (capture.json beside its files), a recording's folder or archive, or an image, \
            with --depth and --intrinsics if there are any; "-" is standard input. Without depth the image alone is used. \
            As an output, "-" is standard output. Several captures are the pages of one document, in that order: each has \
            outputs of its own, with its number.

            Outputs are written whole or not at all. Existing files are replaced, but inputs and files of the capture only \
            with --force. --no-clobber replaces nothing.

            A capture with the name of a subcommand is ./inspect, or stands after --. flatten --version --verbose lists \
            the libraries in use.

            Exit codes: \(ExitReason.page).
            """)

    /// The ways to call the main job.
    static let usage = """
        flatten CAPTURE -o IMAGE [options]
        flatten PAGE PAGE ... -o IMAGE [options]
        flatten PART PART ... --stitch -o IMAGE [options]
        """

    @OptionGroup var arguments: FlattenArguments

    @Flag(help: "List the languages that can be read here, and end.")
    var listLanguages = false

    @Flag(help: "Show every option and the exit codes, and end.")
    var helpAll = false

    func run() throws {
        if helpAll { FlattenTool.show(HelpPage.whole) }
        if listLanguages { return try LanguagePage.show(arguments.verbosity) }
        try FlatteningRun(
            request: arguments.request, verbosity: arguments.verbosity, tellsProgress: arguments.progress
        ).run()
    }
}
