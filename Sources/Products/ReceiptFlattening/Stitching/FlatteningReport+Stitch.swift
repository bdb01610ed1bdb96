import Imaging
import SheetFlattening
import SheetStitching

extension FlatteningReport {
    /// How a picture was joined from several photographs. Lengths are in pixels of the joined picture, and also in
    /// millimetres if the scale is metric (null otherwise).
    package struct StitchSummary: Codable, Equatable, Sendable {
        /// The photographs used, from top to bottom.
        package var pictures: [StitchedPicture]
        /// Photographs left out because they show nothing that the others do not.
        package var unused: [String]
        /// Whether the sheet's upper end is in a photograph; if not, the sheet continues above the picture.
        package var showsTop: Bool
        /// Whether the sheet's lower end is in a photograph.
        package var showsBottom: Bool
        /// The greatest relative difference between lengths that two photographs show: between their own scales, and between
        /// the positions of the print in an overlap.
        package var disagreement: Double
    }

    /// One photograph of a joined picture.
    package struct StitchedPicture: Codable, Equatable, Sendable {
        /// The photograph's file.
        package var picture: String
        /// Its number among the given photographs, from 1.
        package var number: Int
        /// How it was flattened.
        package var method: FlatteningMethod
        /// Confidence of that, 0 to 1.
        package var confidence: Double
        /// Whether it was upside down relative to the others.
        package var isTurned: Bool
        /// The factor on its lengths that makes them agree with the other photographs'.
        package var scale: Double
        /// The clockwise turn applied to it, in degrees.
        package var turnDegrees: Double
        /// Position of its flat part's upper left corner in the joined picture.
        package var offsetPx: [Double]
        /// The same in millimetres.
        package var offsetMm: [Double]?
        /// The factors on red, green and blue.
        package var gain: [Double]
        /// Its overlap with the photograph above it; null for the first.
        package var overlap: OverlapSummary?

        private enum CodingKeys: String, CodingKey {
            case picture, number, method, confidence, isTurned, scale, turnDegrees, offsetPx, offsetMm, gain,
                overlap
        }

        /// Writes null for unknown values.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(picture, forKey: .picture)
            try container.encode(number, forKey: .number)
            try container.encode(method, forKey: .method)
            try container.encode(confidence, forKey: .confidence)
            try container.encode(isTurned, forKey: .isTurned)
            try container.encode(scale, forKey: .scale)
            try container.encode(turnDegrees, forKey: .turnDegrees)
            try container.encode(offsetPx, forKey: .offsetPx)
            try container.encode(offsetMm, forKey: .offsetMm)
            try container.encode(gain, forKey: .gain)
            try container.encode(overlap, forKey: .overlap)
        }
    }

    /// The overlap of two photographs.
    package struct OverlapSummary: Codable, Equatable, Sendable {
        /// The length that both photographs show.
        package var lengthPx: Double
        /// The same in millimetres.
        package var lengthMm: Double?
        /// Number of pieces of print whose positions agree.
        package var pieces: Int
        /// Their share of all pieces of print in the overlap, 0 to 1.
        package var agreement: Double
        /// Root mean square distance between their two positions.
        package var residualPx: Double
        /// The same in millimetres.
        package var residualMm: Double?
        /// The share of the seam that crosses print, 0 to 1.
        package var crossing: Double

        private enum CodingKeys: String, CodingKey {
            case lengthPx, lengthMm, pieces, agreement, residualPx, residualMm, crossing
        }

        /// Writes null for unknown values.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(lengthPx, forKey: .lengthPx)
            try container.encode(lengthMm, forKey: .lengthMm)
            try container.encode(pieces, forKey: .pieces)
            try container.encode(agreement, forKey: .agreement)
            try container.encode(residualPx, forKey: .residualPx)
            try container.encode(residualMm, forKey: .residualMm)
            try container.encode(crossing, forKey: .crossing)
        }
    }
}

extension FlatteningReport.StitchSummary {
    /// - Parameters:
    ///   - parts: the results of the single photographs, in the order given.
    ///   - pixelsPerUnit: pixels of the joined picture per unit.
    ///   - isMetric: whether a unit is a millimetre.
    init(
        _ sheet: StitchedSheet, of parts: [(name: String, report: FlatteningReport)], pixelsPerUnit: Double,
        isMetric: Bool
    ) {
        func millimeters(_ units: Double) -> Double? { isMetric ? units : nil }
        pictures = sheet.placements.map { placement in
            .init(
                picture: parts[placement.part].name, number: placement.part + 1,
                method: parts[placement.part].report.method,
                confidence: parts[placement.part].report.confidence, isTurned: placement.isTurned,
                scale: placement.scale, turnDegrees: placement.turn * 180 / .pi,
                offsetPx: [placement.corner.x * pixelsPerUnit, placement.corner.y * pixelsPerUnit],
                offsetMm: isMetric ? [placement.corner.x, placement.corner.y] : nil,
                gain: [placement.gain.x, placement.gain.y, placement.gain.z],
                overlap: placement.joint.map { joint in
                    .init(
                        lengthPx: joint.overlap * pixelsPerUnit, lengthMm: millimeters(joint.overlap),
                        pieces: joint.pieces, agreement: joint.agreement,
                        residualPx: joint.residual * pixelsPerUnit, residualMm: millimeters(joint.residual),
                        crossing: joint.crossing)
                })
        }
        unused = sheet.unused.map { parts[$0].name }
        showsTop = sheet.showsTop
        showsBottom = sheet.showsBottom
        // Photographs without a scale of their own took it from the others.
        let scales = sheet.placements.filter { parts[$0.part].report.sizeMm != nil }.map(\.scale)
        let spread = (scales.max() ?? 1) / (scales.min() ?? 1) - 1
        disagreement = sheet.placements.compactMap(\.joint?.stretch)
            .reduce(spread) { max($0, abs($1.x), abs($1.y)) }
    }
}

extension SamplingMap {
    /// A map whose pixels have no source in a single photograph.
    static func withoutSource(_ size: PixelSize) -> SamplingMap {
        SamplingMap(outputSize: size, spacing: max(size.width, size.height, 1)) { _ in SIMD2(.nan, .nan) }
    }
}
