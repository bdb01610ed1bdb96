import LocalFiles
public import Foundation
import ImageFiles
import Imaging

extension SyntheticCapture {
    /// Writes the ground truth of this capture, for programs that score a flattening:
    ///
    /// - `uv.png`, a quarter of the photograph's size, 16-bit RGB: pixel (x, y) gives the place on the sheet that pixel (4x,
    ///   4y) of the photograph shows. Blue: millimetres from the left · 200 + 1; green: from the top; 0 = not the printed
    ///   side of the sheet.
    /// - `grid.npz`: `us`, `vs` (millimetres; the last ones are the sheet's size), `grid` (the position of place us[i], vs[j]
    ///   in the photograph, [j][i] = (x, y) in pixels) and `seen` (whether it is visible there).
    /// - `text.txt` and `case.json`: the text, the facts and how the capture was made.
    public func writeTruth(to folder: URL, name: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        let flat = flatMillimeters(step: 4)
        var code = Array(repeating: UInt16(0), count: flat.elements.count * 3)
        for (index, place) in flat.elements.enumerated() where !place.x.isNaN {
            code[3 * index + 2] = UInt16((max(place.x, 0) * 200 + 1).rounded())
            code[3 * index + 1] = UInt16((max(place.y, 0) * 200 + 1).rounded())
        }
        try Self.writePNG16(code, size: flat.size, pixels: .rgb16, to: path("uv.png"))
        try AtomicFile.replace(path("grid.npz"), with: archivedGrid())
        try AtomicFile.replace(path("text.txt"), with: Array(text.utf8))
        try AtomicFile.replace(path("case.json"), with: Self.json(CaseDescription(self, name: name)))
    }

    /// Returns places of the sheet about a millimetre apart, their positions in the photograph, and whether they are visible.
    private func archivedGrid() -> [UInt8] {
        func axis(_ length: Double) -> [Double] {
            let count = max(Int((length * 1000).rounded()), 1)
            return (0...count).map { length * 1000 * Double($0) / Double(count) }
        }
        let us = axis(surface.width)
        let vs = axis(surface.height)
        // A place is visible if the pixel shows it and not a place in front of it.
        let flat = flatMillimeters()
        var positions: [Float] = []
        var seen: [UInt8] = []
        for v in vs {
            for u in us {
                let position = photographPosition(u: u / 1000, v: v / 1000)
                positions += [Float(position.x), Float(position.y)]
                let x = Int(position.x.rounded())
                let y = Int(position.y.rounded())
                guard x >= 0, y >= 0, x < flat.width, y < flat.height else {
                    seen.append(0)
                    continue
                }
                let there = flat[x: x, y: y] - SIMD2(Float(u), Float(v))
                seen.append((there * there).sum() < 1 ? 1 : 0)
            }
        }
        var archive = ArrayArchive()
        archive.add("us", type: "<f8", shape: [us.count], elements: us.withUnsafeBytes(Array.init))
        archive.add("vs", type: "<f8", shape: [vs.count], elements: vs.withUnsafeBytes(Array.init))
        archive.add(
            "grid", type: "<f4", shape: [vs.count, us.count, 2],
            elements: positions.withUnsafeBytes(Array.init))
        archive.add("seen", type: "|b1", shape: [vs.count, us.count], elements: seen)
        return archive.encoded()
    }

    // Spelled as in the file.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    private struct CaseDescription: Encodable {
        let name: String
        let seed: UInt64
        let document = "receipt"
        let surface: String
        let sensor: String
        let image: [Int]
        let depth_format: String
        let facts: [String: String]
        let surface_facts: [String: String]
        let table: String
        let width_mm: Double
        let height_mm: Double
        let distance_mm: Double

        init(_ capture: SyntheticCapture, name: String) {
            let scene = capture.scene
            self.name = name
            seed = scene.seed
            let shape = "\(scene.shape)"
            surface = String(shape.prefix { $0 != "(" })
            sensor = capture.sensor.kind.rawValue
            image = [capture.image.width, capture.image.height]
            depth_format = capture.rawDepth == nil ? "tiff32" : "png16"
            facts =
                scene.document.facts.map { ["date": $0.date, "total": $0.printedTotal, "store": $0.store] }
                ?? [:]
            let stretch = capture.surface.stretch()
            surface_facts = [
                "shape": shape, "ends": scene.endCut.rawValue, "stretch_rms": "\(stretch.rms)",
                "stretch_worst": "\(stretch.worst)",
            ]
            table = scene.table.rawValue
            width_mm = capture.surface.width * 1000
            height_mm = capture.surface.height * 1000
            distance_mm = scene.pose.translation.z * 1000
        }
    }
}
