import ArgumentParser
import Foundation

/// A folder of real photographs and what was marked in them: the border of each sheet, or that none shows a sheet.
///
/// `outlines.jsonl` in the folder has a line for each photograph, `{"file": "a/b.jpg", "polygon": [[x, y], ...]}` for one
/// sheet or `{"file": "a/b.jpg", "outlines": [[[x, y], ...], ...]}` for any number, in fractions of the upright photograph's
/// width and height. Without that file no photograph of the folder shows a sheet.
struct MarkedPhotographs {
    struct Photograph {
        let file: URL
        /// The border of each sheet in it.
        let sheets: [[SIMD2<Double>]]
    }

    /// The folder's own name: results must not tell where it lies.
    let name: String
    let showSheets: Bool
    let photographs: [Photograph]

    /// - Throws: where there is no such folder, no photograph in it, or a line that says something else.
    init(folder: URL) throws {
        name = folder.lastPathComponent
        let marks = folder.appending(path: "outlines.jsonl")
        showSheets = FileManager.default.fileExists(atPath: marks.path(percentEncoded: false))
        photographs = try showSheets ? Self.marked(by: marks, in: folder) : Self.pictures(in: folder)
        guard !photographs.isEmpty else { throw ValidationError("\(name): no photographs") }
    }

    private struct Line: Decodable {
        let file: String
        let polygon: [SIMD2<Double>]?
        let outlines: [[SIMD2<Double>]]?
    }

    private static func marked(by marks: URL, in folder: URL) throws -> [Photograph] {
        try Data(contentsOf: marks).split(separator: UInt8(ascii: "\n")).map { text in
            let line = try JSONDecoder().decode(Line.self, from: text)
            guard let sheets = line.outlines ?? line.polygon.map({ [$0] }) else {
                throw ValidationError("\(folder.lastPathComponent): \(line.file) is not marked")
            }
            return Photograph(file: folder.appending(path: line.file), sheets: sheets)
        }
    }

    private static func pictures(in folder: URL) throws -> [Photograph] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
            .map { folder.appending(path: $0) }
            .filter { ["jpg", "jpeg", "png", "tif", "tiff", "heic"].contains($0.pathExtension.lowercased()) }
            .map { Photograph(file: $0, sheets: []) }
    }
}
