import ArgumentParser
import Diagnostics
import Platform
import LocalFiles

/// `--sheets`: which of the sheets in view are made flat.
enum SheetChoice: String, CaseIterable, ExpressibleByArgument {
    /// The one most likely meant.
    case best
    /// All. Every output has a number then, also that of a single sheet: who reads the outputs knows their names before the
    /// photograph is looked at, and no file of one run hides behind those of another.
    case all
}

extension FlattenArguments {
    /// Whether outputs have numbers: with `--sheets all`, and where several pages are taken.
    /// - Parameter pages: how many pages of a document are made flat; 1 for what is none.
    func numbersOutputs(pages: Int) -> Bool { sheets == .all || pages > 1 }

    /// The same, with outputs for the sheet of this number where each has its own.
    func forSheet(_ number: Int, pages: Int = 1) -> FlattenArguments {
        guard numbersOutputs(pages: pages) else { return self }
        func numbered(_ path: String) -> String { NumberedPath.numbered(path, number) }
        var arguments = self
        arguments.output = output.map(numbered)
        arguments.text = text.map { isStreamed($0) ? $0 : numbered($0) }
        arguments.map = map.map(numbered)
        arguments.report = report.map(numbered)
        arguments.fields = fields.map(numbered)
        arguments.contact = contact.map(numbered)
        arguments.cloud = cloud.map(numbered)
        arguments.depthPreview = depthPreview.map(numbered)
        arguments.views = views.numbered(numbered)
        return arguments
    }

    /// Every file that may be written, as far as that is known before the sheets are: where outputs have numbers, the first
    /// of each, and all that are there already.
    func possibleOutputs(pages: Int = 1) -> [OutputPlan.Named] {
        guard numbersOutputs(pages: pages) else { return outputs }
        return jointOutputs + streamedOutputs
            + numberedOutputs.flatMap { output in
                Set([1] + Self.numbersInUse(of: output.path)).sorted().map {
                    .init(option: output.option, path: NumberedPath.numbered(output.path, $0))
                }
            }
    }

    /// Throws a usage error for outputs that take no number: standard output, devices and pipes.
    func requireNumberableOutputs(pages: Int = 1) throws(ValidationError) {
        guard numbersOutputs(pages: pages) else { return }
        for output in numberedOutputs where Self.isNoFile(output.path) {
            let reason =
                sheets == .all
                ? "--sheets all writes a file for each sheet, with its number; name a file"
                : "\(pages) pages are taken, and a file with its number is written for each; name a file, or take one page "
                    + "(--pages 1)"
            throw ValidationError("\(output.option) \(output.path): \(reason)")
        }
    }

    /// The numbered outputs that are there though there is no sheet of that number: left by a run that saw more.
    func leftovers(after count: Int, pages: Int = 1) -> [String] {
        guard numbersOutputs(pages: pages) else { return [] }
        return numberedOutputs.flatMap { output in
            Self.numbersInUse(of: output.path).filter { $0 > count }
                .map { NumberedPath.numbered(output.path, $0) }
        }
    }

    /// Whether a text goes to standard output in a format of which texts may follow one another: each but the first begins with a
    /// form feed, as pdftotext and tesseract part pages.
    func isStreamed(_ text: String) -> Bool {
        text == "-" && [.text, .markdown].contains(format ?? .text)
    }

    private var streamedOutputs: [OutputPlan.Named] {
        text.filter(isStreamed).map { .init(option: "--text", path: $0) }
    }

    /// The outputs of a sheet that take its number.
    private var numberedOutputs: [OutputPlan.Named] {
        sheetOutputs.filter { $0.option != "--text" || !isStreamed($0.path) }
    }

    private static func numbersInUse(of path: String) -> [Int] {
        (1...NumberedPath.greatestNumber).filter { number in
            var status = stat()
            return lstat(NumberedPath.numbered(path, number), &status) == 0
        }
    }

    private static func isNoFile(_ path: String) -> Bool {
        var status = stat()
        guard path != "-" else { return true }
        return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }
}
