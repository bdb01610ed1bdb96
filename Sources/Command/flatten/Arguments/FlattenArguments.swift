import ArgumentParser
import ReceiptFlattening

/// The arguments of `flatten`: captures, outputs, and how the outputs are made.
struct FlattenArguments: ParsableArguments {
    @OptionGroup var input: CaptureArguments

    @OptionGroup var outputs: OutputArguments

    @Flag(
        help: """
            Join photographs of parts of one sheet, given as several captures in any order, to one image. Each should show \
            a quarter of the next.
            """)
    var stitch = false

    @OptionGroup var how: HowArguments

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Black out an area of the flat image (in its pixels), and take the text in it out of all outputs; may be given several times.",
            valueName: "x,y,width,height"))
    var redactArea: [PictureArea] = []

    @Flag(
        name: [.customShort("n"), .long],
        help: "Replace no existing output: end with exit code \(ExitReason.file.rawValue) before any work."
    )
    var noClobber = false

    @Flag(
        help: ArgumentHelp(
            "Tell what is being done on standard error, for a program that shows it: lines of progress: and an object of JSON."
        ))
    var progress = false

    @OptionGroup var verbosity: VerbosityArguments

    mutating func validate() throws {
        if how.force, noClobber {
            throw ValidationError("--force and --no-clobber exclude each other")
        }
        try request.validate()
    }

    /// The arguments as a request.
    var request: FlatteningRequest {
        var request = how.request(of: input.request)
        request.outputs = outputs.requested
        request.textFormat = outputs.format
        (request.tableFor, request.mergeSize) = (outputs.joint.tableFor, outputs.joint.mergeSize)
        (request.stitch, request.redactAreas) = (stitch, redactArea)
        if noClobber { request.existing = .kept }
        return request
    }
}
