import ArgumentParser
import BatchProcessing
import Diagnostics
import Platform
import LocalFiles

extension FlatteningRequest {
    /// Whether outputs have numbers: with `--sheets all`, and for several pages.
    /// - Parameter pages: how many pages of a document are flattened; 1 for a capture that is not a document.
    func numbersOutputs(pages: Int) -> Bool { sheets == .all || pages > 1 }

    /// Returns this request with the outputs of the sheet with this number, where each sheet has its own.
    func forSheet(_ number: Int, pages: Int = 1) -> FlatteningRequest {
        guard numbersOutputs(pages: pages) else { return self }
        var request = self
        request.outputs = outputs.map { takesNumber($0) ? $0.numbered(number) : $0 }
        return request
    }

    /// Whether each sheet has a file of its own for an output.
    private func takesNumber(_ output: RequestedOutput) -> Bool {
        !output.kind.isOfRun && !(output.kind == .text && isStreamed(output.path))
    }

    /// Every file that may be written, as far as known before the sheets are. For outputs with numbers, these are number 1 of
    /// each output and all numbered files that already exist.
    func possibleOutputs(pages: Int = 1) -> [OutputPlan.Named] {
        guard numbersOutputs(pages: pages) else { return files }
        return outputs.filter { !takesNumber($0) }.flatMap(\.files)
            + numberedFiles.flatMap { output in
                Set([1] + Self.numbersInUse(of: output.path)).sorted().map {
                    .init(option: output.option, path: NumberedPath.numbered(output.path, $0))
                }
            }
    }

    /// Throws a usage error if outputs need numbers but cannot take one: standard output, devices and pipes.
    func requireNumberableOutputs(pages: Int = 1) throws(ValidationError) {
        guard numbersOutputs(pages: pages) else { return }
        for output in numberedFiles where Self.isNoFile(output.path) {
            let reason =
                sheets == .all
                ? "--sheets all writes a file for each sheet, with its number; name a file"
                : "\(pages) pages are taken, and a file with its number is written for each; name a file, or take one page "
                    + "(--pages 1)"
            throw ValidationError("\(output.option) \(output.path): \(reason)")
        }
    }

    /// The existing numbered outputs for which this run has no sheet: left by a run that found more sheets.
    func leftovers(after count: Int, pages: Int = 1) -> [String] {
        guard numbersOutputs(pages: pages) else { return [] }
        return numberedFiles.flatMap { output in
            Self.numbersInUse(of: output.path).filter { $0 > count }
                .map { NumberedPath.numbered(output.path, $0) }
        }
    }

    /// Whether a text goes to standard output in a format in which several texts may follow one another. Each text but the
    /// first then begins with a form feed, with which pdftotext and tesseract separate pages.
    func isStreamed(_ text: String) -> Bool {
        text == "-" && [.text, .markdown].contains(textFormat ?? .text)
    }

    /// The files of a sheet that take its number.
    private var numberedFiles: [OutputPlan.Named] { outputs.filter(takesNumber).flatMap(\.files) }

    private static func numbersInUse(of path: String) -> [Int] {
        (1...NumberedPath.greatestNumber).filter { number in
            var status = stat()
            return unsafe lstat(NumberedPath.numbered(path, number), &status) == 0
        }
    }

    private static func isNoFile(_ path: String) -> Bool {
        var status = stat()
        guard path != "-" else { return true }
        return unsafe stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }
}
