import ArgumentParser
import Diagnostics
import ImageFiles
import Platform
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

    mutating func validate() throws {
        if let page, !["html", "htm"].contains(URL.extension(of: page)), page != "-" {
            throw ValidationError("--page \(page): pages are files that end in .html")
        }
        if let mesh, FittedSheetMesh.Format(path: mesh) == nil {
            throw ValidationError("--mesh \(mesh): meshes are written as .obj, .glb or .ply")
        }
        if let overlay, URL.extension(of: overlay) != "svg" {
            do throws(FlatteningError) {
                _ = try ImageWriter.Format(path: overlay)
            } catch {
                throw ValidationError("--overlay: \(error)")
            }
        }
    }
}

extension FittedSheetMesh.Format {
    /// What a path's extension asks for; nil for one that stands for no format of meshes.
    init?(path: String) { self.init(rawValue: URL.extension(of: path)) }
}

extension URL {
    /// A path's extension in small letters; "" without one.
    static func `extension`(of path: String) -> String { URL(filePath: path).pathExtension.lowercased() }
}
