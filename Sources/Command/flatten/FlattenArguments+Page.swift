import ArgumentParser
import DepthGeometry
import Diagnostics
import Platform
import ImageFiles
import LocalFiles
import ReceiptFlattening
import ReceiptOutputs

/// `--page`, `--overlay` and `--mesh`: outputs to look at.
struct ViewOutputArguments: ParsableArguments {
    @Option(
        help: "Page to look at in a browser, one file that needs no server: pictures, text, values, shape.",
        completion: .file(extensions: ["html"]))
    var page: String?

    @Option(
        help: "Photograph with the sheet's contour, unrolled grid, rows and fields: PNG, JPEG, TIFF or SVG.",
        completion: .file())
    var overlay: String?

    @Option(
        help:
            "The fitted sheet with its texture, metres: .glb, .ply, or .obj with .mtl and .jpg beside it. Needs depth.",
        completion: .file(extensions: ["glb", "ply", "obj"]))
    var mesh: String?

    @Option(help: ArgumentHelp("Small picture for a batch's index.", visibility: .private))
    var thumbnail: String?

    @Option(help: ArgumentHelp("What a batch makes its index of.", visibility: .private))
    var galleryPart: String?

    mutating func validate() throws {
        if let page, !["html", "htm"].contains(Self.fileExtension(page)), page != "-" {
            throw ValidationError("--page \(page): pages are files that end in .html")
        }
        if let mesh, Self.meshFormat(mesh) == nil {
            throw ValidationError("--mesh \(mesh): meshes are written as .obj, .glb or .ply")
        }
        if let overlay, Self.fileExtension(overlay) != "svg" {
            do throws(FlatteningError) {
                _ = try ImageWriter.Format(path: overlay)
            } catch {
                throw ValidationError("--overlay: \(error)")
            }
        }
    }

    /// Every file of one sheet, with the option that names it.
    var sheetOutputs: [OutputPlan.Named] {
        [("--page", page), ("--overlay", overlay), ("--thumbnail", thumbnail)].compactMap { option, path in
            path.map { .init(option: option, path: $0) }
        }
            + (mesh.flatMap { path in Self.meshFormat(path).map { FittedSheetMesh.paths(path, as: $0) } }
            ?? [])
            .map { .init(option: "--mesh", path: $0) }
    }

    /// The file that holds all sheets.
    var jointOutputs: [OutputPlan.Named] {
        galleryPart.map { [.init(option: "--gallery-part", path: $0)] } ?? []
    }

    /// Whether text is needed for what is shown.
    var readsText: Bool { page != nil || overlay != nil || galleryPart != nil }

    /// The same with numbered outputs.
    func numbered(_ number: (String) -> String) -> ViewOutputArguments {
        var views = self
        views.page = page.map(number)
        views.overlay = overlay.map(number)
        views.mesh = mesh.map(number)
        views.thumbnail = thumbnail.map(number)
        return views
    }

    private static func fileExtension(_ path: String) -> String {
        URL(filePath: path).pathExtension.lowercased()
    }

    private static func meshFormat(_ path: String) -> FittedSheetMesh.Format? {
        FittedSheetMesh.Format(rawValue: fileExtension(path))
    }

    /// The thumbnail's longest side in pixels: twice what a card of the index shows, for dense screens.
    private static let longestThumbnail = 320

    /// Writes the outputs of one sheet but the mesh.
    /// - Parameters:
    ///   - name: what the capture is called on the page.
    ///   - isRedacted: whether personal data was taken out of the receipt.
    /// - Returns: the paths of what was written.
    func write(
        _ receipt: FlattenedReceipt, of capture: Capture, name: String, isRedacted: Bool
    ) throws(FlatteningError) -> [String] {
        if let page {
            let made = try ResultPage(of: receipt, in: capture, name: name, isRedacted: isRedacted)
            try TextOutput.write(made.html, to: page)
        }
        if let overlay {
            let drawn = SheetOverlay(of: receipt, photograph: capture.image)
            if Self.fileExtension(overlay) == "svg" {
                try AtomicFile.replace(overlay, with: Array(try drawn.svg().utf8))
            } else {
                try ImageWriter.write(drawn.render(), to: overlay)
            }
        }
        if let thumbnail {
            try ImageWriter.write(receipt.picture.render().bounded(Self.longestThumbnail), to: thumbnail)
        }
        return [page, overlay, thumbnail].compactMap(\.self)
    }

    /// Writes the fitted sheet.
    /// - Returns: the paths of its files; none if depth told neither shape nor scale.
    func writeMesh(
        of receipt: FlattenedReceipt, in capture: Capture
    ) throws(FlatteningError) -> [String] {
        guard let mesh, let format = Self.meshFormat(mesh),
            let sheet = FittedSheetMesh(of: receipt, in: capture)
        else { return [] }
        let files = try sheet.files(named: mesh, as: format, texture: receipt.picture.render())
        for file in files { try AtomicFile.replace(file.path, with: file.bytes) }
        return files.map(\.path)
    }

    /// Writes what a batch makes its index of.
    func writeJoint(_ sheets: [FinishedSheet]) throws(FlatteningError) {
        if let galleryPart {
            try SheetParts.writeCards(sheets.map { Gallery.Card($0.flattened) }, to: galleryPart)
        }
    }
}
