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
    /// The same, with outputs for the sheet of this number where each has its own.
    func forSheet(_ number: Int) -> FlattenArguments {
        guard sheets == .all else { return self }
        func numbered(_ path: String) -> String { NumberedPath.numbered(path, number) }
        var arguments = self
        arguments.output = output.map(numbered)
        arguments.text = text.map(numbered)
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
    var possibleOutputs: [OutputPlan.Named] {
        guard sheets == .all else { return outputs }
        return jointOutputs
            + sheetOutputs.flatMap { output in
                Set([1] + Self.numbersInUse(of: output.path)).sorted().map {
                    .init(option: output.option, path: NumberedPath.numbered(output.path, $0))
                }
            }
    }

    /// Throws a usage error for outputs that take no number: standard output, devices and pipes.
    func requireNumberableOutputs() throws(ValidationError) {
        guard sheets == .all else { return }
        for output in sheetOutputs where Self.isNoFile(output.path) {
            throw ValidationError(
                "\(output.option) \(output.path): --sheets all writes a file for each sheet, with its number; name a file"
            )
        }
    }

    /// The numbered outputs that are there though there is no sheet of that number: left by a run that saw more.
    func leftovers(after count: Int) -> [String] {
        guard sheets == .all else { return [] }
        return sheetOutputs.flatMap { output in
            Self.numbersInUse(of: output.path).filter { $0 > count }
                .map { NumberedPath.numbered(output.path, $0) }
        }
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
