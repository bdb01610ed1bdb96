import Diagnostics
import Documents
import Platform
import ReceiptFlattening
import ReceiptOutputs

extension FlatteningRequest {
    /// The outputs of values: what a sheet says and how it was flattened. They wait until all pages are read, since a receipt
    /// may continue over several.
    var valueOutputs: [RequestedOutput] { outputs.filter(\.kind.isOfValues) }

    /// Writes the outputs of values of one sheet.
    /// - Returns: the paths of the files written.
    func write(_ page: FlattenedPage, to outputs: [RequestedOutput]) throws(FlatteningError) -> [String] {
        for output in outputs {
            guard case .values(let json) = output.kind.writer else { continue }
            try TextOutput.write(String(decoding: try json(page, self), as: UTF8.self), to: output.path)
        }
        return outputs.map(\.path)
    }

    /// Writes every output of one sheet, except those of values.
    /// - Parameter isFirst: whether no other sheet of the run was written before.
    /// - Returns: the paths of the files written. Missing information for an output gives a warning.
    func write(
        _ receipt: FlattenedReceipt, of capture: Capture, isFirst: Bool, console: Console
    ) throws(FlatteningError) -> [String] {
        var receipt = receipt
        if reproducible { receipt.report.timings = [] }
        let name = receipt.hidden.shown(input.captures.first.map { URL(filePath: $0).lastPathComponent })
        let sheet = SheetForOutput(
            receipt: receipt, capture: capture, name: name, isFirst: isFirst, request: self)
        var paths: [String] = []
        for output in outputs {
            guard case .sheet(let write) = output.kind.writer else { continue }
            do throws(FlatteningError) {
                let written = try write(sheet, output.path)
                paths += written
                if written.isEmpty, let reason = output.kind.lack?(receipt) {
                    console.warn("\(output.path) is not written: \(reason)")
                }
            } catch  where error.code == .badInput && output.kind.showsDepth {
                // Missing depth is missing information: a warning, not an error.
                console.warn("\(output.path) is not written: \(error)")
            }
        }
        return paths
    }

    /// Writes the outputs that hold all sheets.
    func writeJoint(_ sheets: [FinishedSheet]) throws(FlatteningError) {
        for output in outputs {
            guard case .run(let write) = output.kind.writer else { continue }
            try write(sheets, self, output.path)
        }
    }

    /// Whether an output holds the images of all sheets.
    var joinsPictures: Bool { outputs.contains { [.merge, .mergePart].contains($0.kind) } }

    /// The name of the first image in the same folder as another output; nil if there is none.
    func picture(besides path: String) -> String? {
        func folder(of path: String) -> URL {
            URL(filePath: path).standardizedFileURL.deletingLastPathComponent()
        }
        guard path != "-" else { return nil }
        // By Characters: whole paths are compared.
        return paths(.image).first { $0 != "-" && folder(of: $0) == folder(of: path) }
            .map { URL(filePath: $0).lastPathComponent }
    }
}

extension [PersonalData: HiddenContent] {
    /// The name of a file in outputs; "receipt" if it has no name or its name reveals hidden content.
    func shown(_ name: String?) -> String {
        guard let name, kindsSaid(in: name).isEmpty else { return "receipt" }
        return name
    }
}
