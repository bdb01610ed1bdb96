import DepthGeometry
import Diagnostics
import Documents
import Platform
import ImageFiles
import LocalFiles
import ArgumentParser
import ReceiptFlattening
import ReceiptOutputs

extension FlattenArguments {
    /// What a sheet says and how it was made flat: outputs of a few values, which wait until all pages are read, since a receipt
    /// may go on over them.
    struct ValueOutputs {
        var report: String?
        var fields: String?

        var isEmpty: Bool { report == nil && fields == nil }
    }

    /// The outputs of values.
    var valueOutputs: ValueOutputs { ValueOutputs(report: report, fields: fields) }

    /// Writes what one sheet says and how it was made flat.
    /// - Returns: the paths of what was written.
    func write(_ page: FlattenedPage, to outputs: ValueOutputs) throws(FlatteningError) -> [String] {
        if let path = outputs.report {
            var report = page.report
            if reproducible { report.timings = [] }
            try TextOutput.write(String(decoding: try report.json(), as: UTF8.self), to: path)
        }
        if let path = outputs.fields {
            try TextOutput.write(
                String(decoding: try ReceiptValues(page).json(), as: UTF8.self), to: path)
        }
        return [outputs.report, outputs.fields].compactMap(\.self)
    }

    /// Writes every output of one sheet, but for those of values.
    /// - Parameter isFirst: whether no other sheet of the run was written before.
    /// - Returns: the paths of what was written: what is missing for an output is a warning.
    func write(
        _ receipt: FlattenedReceipt, of capture: Capture, isFirst: Bool, console: Console
    ) throws(FlatteningError) -> [String] {
        var receipt = receipt
        var paths = output + text + [map].compactMap(\.self)
        if reproducible { receipt.report.timings = [] }
        let name = receipt.shown(input.captures.first.map { URL(filePath: $0).lastPathComponent })
        paths += try views.write(receipt, of: capture, name: name, isRedacted: isRedacted)
        for path in output { try receipt.picture.write(toPath: path) }
        if let map { try NPYWriter.write(receipt.map, to: map) }
        for path in text { try write(receipt, isFirst: isFirst, to: path) }
        if let contact, let format = ContactFileFormat(path: contact) {
            if let found = receipt.findings.contact, !found.isEmpty {
                try AtomicFile.replace(contact, with: Array(format.text(of: found, version: vcard).utf8))
                paths.append(contact)
            } else {
                console.warn("\(contact) is not written: no contact was found, as on a business card")
            }
        }
        return paths + (try writeDepthViews(of: capture, receipt: receipt, console: console))
    }

    /// Writes the outputs that hold all sheets.
    func writeJoint(_ sheets: [FinishedSheet]) throws(FlatteningError) {
        if let table = joint.table, let format = joint.tableFormat {
            try TableFiles.replace(table, as: format) { (tables) throws(FlatteningError) in
                let capture = input.captures.joined(separator: " + ")
                try tables.add(
                    FinishedSheet.table(sheets),
                    capture: sheets.reduce(capture) { $1.subject.hidden.shown($0) }, name: "")
            }
        }
        let pages = sheets.compactMap(\.page)
        if let merge = joint.merge {
            _ = try MergedPDF.replace(merge, pageSize: joint.mergeSize) { (pdf) throws(FlatteningError) in
                for page in pages { try pdf.add(page) }
            }
        }
        try views.writeJoint(sheets)
        if let tablePart { try SheetParts.writeTable(FinishedSheet.table(sheets), to: tablePart) }
        if let mergePart { try SheetParts.writePages(pages, to: mergePart) }
        // A batch takes each page by itself, and joins receipts at its end. A page with several sheets is a receipt for each.
        if let valuesPart, sheets.count == 1, var page = sheets.first?.flattened, page.text?.isSound == true,
            page.report.page.map({ $0.count > 1 }) == true
        {
            if reproducible { page.report.timings = [] }
            try SheetParts.writeValues(page, to: valuesPart)
        }
    }

    /// Whether an output holds the pictures of all sheets.
    var joinsPictures: Bool { joint.merge != nil || mergePart != nil }

    /// Writes what only depth can show. That there is none is missing information: a warning, not an error.
    /// - Returns: the paths of what was written.
    private func writeDepthViews(
        of capture: Capture, receipt: FlattenedReceipt, console: Console
    ) throws(FlatteningError) -> [String] {
        var paths: [String] = []
        if let cloud {
            do throws(FlatteningError) {
                let (points, colors) = try capture.coloredPointCloud()
                try PLYWriter.write(positions: points.positions, colors: colors, to: cloud)
                paths.append(cloud)
            } catch  where error.code == .badInput {
                console.warn("\(cloud) is not written: \(error)")
            }
        }
        if let depthPreview {
            do throws(FlatteningError) {
                let preview = try ReliefPreview(of: capture, plane: receipt.plane, outline: receipt.outline)
                try ImageWriter.write(preview.image, to: depthPreview)
                paths.append(depthPreview)
            } catch  where error.code == .badInput {
                console.warn("\(depthPreview) is not written: \(error)")
            }
        }
        if let mesh = views.mesh {
            let files = try views.writeMesh(of: receipt, in: capture)
            if files.isEmpty {
                console.warn(
                    "\(mesh) is not written: a mesh needs a surface fitted to depth in a known unit, and the sheet was "
                        + "flattened by the method \(receipt.report.method.rawValue)")
            }
            paths += files
        }
        return paths
    }

    /// Writes a text output.
    private func write(
        _ receipt: FlattenedReceipt, isFirst: Bool, to path: String
    ) throws(FlatteningError) {
        // Paths whose extension is no format were refused when they were parsed.
        let format = format ?? (try? TextOutputFormat(path: path)) ?? .text
        guard let textFormat = format.textFormat else {
            return try AtomicFile.replace(
                path, with: Array(try receipt.searchablePDF(date: SourceDate.current)))
        }
        let picture = picture(besides: path).flatMap { receipt.shown($0) == $0 ? $0 : nil }
        let text = receipt.text?.formatted(as: textFormat, picture: picture) ?? ""
        try TextOutput.write(isFirst || !isStreamed(path) ? text : "\u{C}" + text, to: path)
    }

    /// The name of the first picture that lies in the folder of another output; nil if none does.
    private func picture(besides path: String) -> String? {
        func folder(of path: String) -> URL {
            URL(filePath: path).standardizedFileURL.deletingLastPathComponent()
        }
        guard path != "-" else { return nil }
        return output.first { $0 != "-" && folder(of: $0) == folder(of: path) }
            .map { URL(filePath: $0).lastPathComponent }
    }
}

extension FlattenedReceipt {
    /// What a file is called in outputs: by a name that says nothing of what is hidden.
    fileprivate func shown(_ name: String?) -> String { hidden.shown(name) }
}

extension [PersonalData: HiddenContent] {
    /// See `FlattenedReceipt.shown`.
    fileprivate func shown(_ name: String?) -> String {
        guard let name, kindsSaid(in: name).isEmpty else { return "receipt" }
        return name
    }
}
