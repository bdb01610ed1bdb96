import ArgumentParser
import Captures
import Diagnostics
import ReceiptFlattening

/// Several captures: pages of a document, or, with `--stitch`, parts of one image.
extension FlatteningRequest {
    /// Throws a usage error for options that are of one photograph.
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

    /// Throws a usage error unless there are as many captures as can be joined. Not part of `validate()`, as a batch has its
    /// own words for it.
    func requireSeveralCaptures() throws(ValidationError) {
        let allowed = 2...ReceiptFlattener.mostStitchedCaptures
        guard allowed.contains(input.captures.count) else {
            throw ValidationError(
                "--stitch joins \(allowed.lowerBound) to \(allowed.upperBound) captures, each named by itself "
                    + "(seen: \(input.captures.count))")
        }
    }

    /// Throws a usage error where captures are the pages of a document, for options that are of one of them. Not part of
    /// `validate()`, as a batch takes many.
    func requirePages() throws(ValidationError) {
        try input.requirePages()
        let single = [("--corners", !corners.isEmpty), ("--redact-area", !redactAreas.isEmpty)]
        if input.captures.count > 1, let option = single.first(where: \.1)?.0 {
            throw ValidationError(
                "\(option) is of one photograph, and \(input.captures.count) are named as pages of a document"
            )
        }
    }

    /// Throws a usage error where a file turns out to have several pages, for what is of one flat image.
    func requireOneImage(pages: Int) throws(ValidationError) {
        guard pages > 1, !redactAreas.isEmpty else { return }
        throw ValidationError(
            "--redact-area is of one flat image, and \(pages) pages are taken: choose one by --pages")
    }

    /// The same for one of several captures.
    func naming(_ capture: String) -> FlatteningRequest {
        var request = self
        request.input = input.naming(capture)
        return request
    }

    /// The captures but for the first, as files that are read.
    var furtherCaptures: [OutputPlan.Named] {
        input.captures.dropFirst().map { .init(option: "the capture", path: $0) }
    }

    /// Reads the captures that are to be joined: of a recording its middle frame.
    func readToStitch(
        until deadline: ContinuousClock.Instant?
    ) throws(FlatteningError) -> [(capture: Capture, folderAround: String?)] {
        var captures: [(capture: Capture, folderAround: String?)] = []
        for name in input.captures {
            var read = try input.naming(name).read(usesDepth: !noDepth, until: deadline)
            // What messages call it: as the user does.
            read.capture.metadata.imageName = name
            captures.append(read)
        }
        return captures
    }
}
