import ArgumentParser
import Captures
import Diagnostics
import ReceiptFlattening

/// Several captures: pages of a document, or, with `--stitch`, parts of one image.
extension FlatteningRequest {
    /// Throws a usage error for options that apply to a single photograph.
    func requireStitchable() throws(ValidationError) {
        if let output = outputs.first(where: \.kind.isOfPhotograph) {
            throw Self.ofOnePhotograph(output.kind.option)
        }
        let single: [(String, Bool)] = [
            ("--depth", input.depth != nil), ("--confidence", input.confidence != nil),
            ("--corners", !corners.isEmpty), ("--fuse", input.fuse), ("--best", input.best),
            ("--frame", input.frame != nil), ("--sheets all", sheets == .all),
        ]
        if let option = single.first(where: \.1)?.0 { throw Self.ofOnePhotograph(option) }
    }

    private static func ofOnePhotograph(_ option: String) -> ValidationError {
        ValidationError("\(option) is of one photograph, and --stitch joins several")
    }

    /// Throws a usage error unless this number of captures can be joined. Not part of `validate()`, as a batch has its own
    /// message for it.
    func requireSeveralCaptures() throws(ValidationError) {
        let allowed = 2...ReceiptFlattener.mostStitchedCaptures
        guard allowed.contains(input.captures.count) else {
            throw ValidationError(
                "--stitch joins \(allowed.lowerBound) to \(allowed.upperBound) captures, each named by itself "
                    + "(seen: \(input.captures.count))")
        }
    }

    /// Throws a usage error if several captures are the pages of a document and an option applies to one of them only. Not part
    /// of `validate()`, as a batch takes many.
    func requirePages() throws(ValidationError) {
        try input.requirePages()
        let single = [("--corners", !corners.isEmpty), ("--redact-area", !redactAreas.isEmpty)]
        if input.captures.count > 1, let option = single.first(where: \.1)?.0 {
            throw ValidationError(
                "\(option) is of one photograph, and \(input.captures.count) are named as pages of a document"
            )
        }
    }

    /// Throws a usage error if a file turns out to have several pages and an option applies to one flat image only.
    func requireOneImage(pages: Int) throws(ValidationError) {
        guard pages > 1, !redactAreas.isEmpty else { return }
        throw ValidationError(
            "--redact-area is of one flat image, and \(pages) pages are taken: choose one by --pages")
    }

    /// Returns this request with the given capture as its only one.
    func naming(_ capture: String) -> FlatteningRequest {
        var request = self
        request.input = input.naming(capture)
        return request
    }

    /// The captures except the first, as files that are read.
    var furtherCaptures: [OutputPlan.Named] {
        input.captures.dropFirst().map { .init(option: "the capture", path: $0) }
    }

    /// Reads the captures to be joined; for a recording, its middle frame.
    func readToStitch(
        until deadline: ContinuousClock.Instant?
    ) throws(FlatteningError) -> [(capture: Capture, folderAround: String?)] {
        var captures: [(capture: Capture, folderAround: String?)] = []
        for name in input.captures {
            var read = try input.naming(name).read(usesDepth: !noDepth, until: deadline)
            // Messages call the capture by the name that the user gave.
            read.capture.metadata.imageName = name
            captures.append(read)
        }
        return captures
    }
}
