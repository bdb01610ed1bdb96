import DepthGeometry
import Diagnostics
import Documents
import ImageFiles
import LocalFiles
import Platform
import ReceiptFlattening
import ReceiptOutputs

extension FlatteningRequest {
    /// What a sheet says and how it was made flat: outputs of a few values, which wait until all pages are read, since a receipt
    /// may go on over them.
    var valueOutputs: [RequestedOutput] { outputs.filter(\.kind.isOfValues) }

    /// Writes what one sheet says and how it was made flat.
    /// - Returns: the paths of what was written.
    func write(_ page: FlattenedPage, to outputs: [RequestedOutput]) throws(FlatteningError) -> [String] {
        for output in outputs {
            let json: Data
            if output.kind == .report {
                var report = page.report
                if reproducible { report.timings = [] }
                json = try report.json()
            } else {
                json = try ReceiptValues(page).json()
            }
            try TextOutput.write(String(decoding: json, as: UTF8.self), to: output.path)
        }
        return outputs.map(\.path)
    }

    /// One sheet whose outputs are written.
    private struct Sheet {
        let receipt: FlattenedReceipt
        let capture: Capture
        /// What the capture is called in outputs.
        let name: String
        /// Whether no other sheet of the run was written before.
        let isFirst: Bool
    }

    /// Writes every output of one sheet, but for those of values.
    /// - Parameter isFirst: whether no other sheet of the run was written before.
    /// - Returns: the paths of what was written: what is missing for an output is a warning.
    func write(
        _ receipt: FlattenedReceipt, of capture: Capture, isFirst: Bool, console: Console
    ) throws(FlatteningError) -> [String] {
        var receipt = receipt
        if reproducible { receipt.report.timings = [] }
        let name = receipt.hidden.shown(input.captures.first.map { URL(filePath: $0).lastPathComponent })
        let sheet = Sheet(receipt: receipt, capture: capture, name: name, isFirst: isFirst)
        var paths: [String] = []
        for output in outputs where !output.kind.isOfRun && !output.kind.isOfValues {
            do throws(FlatteningError) {
                paths += try write(output, of: sheet)
            } catch  where error.code == .badInput && output.kind.showsDepth {
                // That there is no depth is missing information: a warning, not an error.
                console.warn("\(output.path) is not written: \(error)")
            }
            if let reason = lack(of: output, in: receipt), !paths.contains(output.path) {
                console.warn("\(output.path) is not written: \(reason)")
            }
        }
        return paths
    }

    /// Why a sheet may have nothing to show in an output; nil for one that always has.
    private func lack(of output: RequestedOutput, in receipt: FlattenedReceipt) -> String? {
        switch output.kind {
        case .contact: "no contact was found, as on a business card"
        case .mesh:
            "a mesh needs a surface fitted to depth in a known unit, and the sheet was flattened by the method "
                + receipt.report.method.rawValue
        default: nil
        }
    }

    /// The longest side of a thumbnail in pixels: twice what a card of the index shows, for dense screens.
    private static let longestThumbnail = 320

    /// - Returns: the paths of the files; none where the sheet has nothing to show in them.
    private func write(
        _ output: RequestedOutput, of sheet: Sheet
    ) throws(FlatteningError) -> [String] {
        let (receipt, capture, path) = (sheet.receipt, sheet.capture, output.path)
        switch output.kind {
        case .image: try receipt.picture.write(toPath: path)
        case .thumbnail:
            try ImageWriter.write(receipt.picture.render().bounded(Self.longestThumbnail), to: path)
        case .map: try NPYWriter.write(receipt.map, to: path)
        case .text: try writeText(of: sheet, to: path)
        case .contact:
            guard let format = ContactFileFormat(path: path), let found = receipt.findings.contact,
                !found.isEmpty
            else { return [] }
            try AtomicFile.replace(path, with: Array(format.text(of: found, version: vcard).utf8))
        case .page:
            let page = try ResultPage(of: receipt, in: capture, name: sheet.name, isRedacted: isRedacted)
            try TextOutput.write(page.html, to: path)
        case .overlay:
            let drawn = SheetOverlay(of: receipt, photograph: capture.image)
            if URL.extension(of: path) == "svg" {
                try AtomicFile.replace(path, with: Array(try drawn.svg().utf8))
            } else {
                try ImageWriter.write(drawn.render(), to: path)
            }
        case .cloud:
            let (points, colors) = try capture.coloredPointCloud()
            try PLYWriter.write(positions: points.positions, colors: colors, to: path)
        case .depthPreview:
            let preview = try ReliefPreview(of: capture, plane: receipt.plane, outline: receipt.outline)
            try ImageWriter.write(preview.image, to: path)
        case .mesh:
            guard let format = FittedSheetMesh.Format(path: path),
                let fitted = FittedSheetMesh(of: receipt, in: capture)
            else { return [] }
            let files = try fitted.files(named: path, as: format, texture: receipt.picture.render())
            for file in files { try AtomicFile.replace(file.path, with: file.bytes) }
            return files.map(\.path)
        case .report, .fields, .table, .merge, .galleryPart, .tablePart, .mergePart, .valuesPart: return []
        }
        return [path]
    }

    /// Writes the outputs that hold all sheets.
    func writeJoint(_ sheets: [FinishedSheet]) throws(FlatteningError) {
        for output in outputs where output.kind.isOfRun { try write(output, of: sheets) }
    }

    private func write(_ output: RequestedOutput, of sheets: [FinishedSheet]) throws(FlatteningError) {
        let path = output.path
        switch output.kind {
        case .table:
            let format = TableFiles.Format(path: path, for: tableFor)
            try TableFiles.replace(path, as: format) { (tables) throws(FlatteningError) in
                let capture = input.captures.joined(separator: " + ")
                try tables.add(
                    FinishedSheet.table(sheets),
                    capture: sheets.reduce(capture) { $1.subject.hidden.shown($0) }, name: "")
            }
        case .merge:
            _ = try MergedPDF.replace(path, pageSize: mergeSize) { (pdf) throws(FlatteningError) in
                for page in sheets.compactMap(\.page) { try pdf.add(page) }
            }
        case .galleryPart: try SheetParts.writeCards(sheets.map { Gallery.Card($0.flattened) }, to: path)
        case .tablePart: try SheetParts.writeTable(FinishedSheet.table(sheets), to: path)
        case .mergePart: try SheetParts.writePages(sheets.compactMap(\.page), to: path)
        case .valuesPart:
            // A batch takes each page by itself, and joins receipts at its end. A page with several sheets is a receipt for
            // each.
            guard sheets.count == 1, var page = sheets.first?.flattened, page.text?.isSound == true,
                page.report.page.map({ $0.count > 1 }) == true
            else { return }
            if reproducible { page.report.timings = [] }
            try SheetParts.writeValues(page, to: path)
        case .image, .text, .map, .report, .fields, .contact, .cloud, .depthPreview, .page, .overlay, .mesh,
            .thumbnail:
            return
        }
    }

    /// Whether an output holds the pictures of all sheets.
    var joinsPictures: Bool { outputs.contains { [.merge, .mergePart].contains($0.kind) } }

    /// Writes a text output.
    private func writeText(of sheet: Sheet, to path: String) throws(FlatteningError) {
        // Paths whose extension is no format were refused when they were parsed.
        let format = textFormat ?? (try? TextOutputFormat(path: path)) ?? .text
        let receipt = sheet.receipt
        guard let textFormat = format.textFormat else {
            return try AtomicFile.replace(
                path, with: Array(try receipt.searchablePDF(date: SourceDate.current)))
        }
        let picture = picture(besides: path).flatMap { receipt.hidden.shown($0) == $0 ? $0 : nil }
        let text = receipt.text?.formatted(as: textFormat, picture: picture) ?? ""
        try TextOutput.write(sheet.isFirst || !isStreamed(path) ? text : "\u{C}" + text, to: path)
    }

    /// The name of the first picture that lies in the folder of another output; nil if none does.
    private func picture(besides path: String) -> String? {
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
    /// What a file is called in outputs: by a name that says nothing of what is hidden.
    fileprivate func shown(_ name: String?) -> String {
        guard let name, kindsSaid(in: name).isEmpty else { return "receipt" }
        return name
    }
}
