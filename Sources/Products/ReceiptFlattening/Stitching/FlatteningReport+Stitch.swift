import Imaging
import SheetFlattening
import SheetStitching

extension FlatteningReport {
    /// How a picture was joined from several photographs. Lengths are in pixels of the joined picture, and in
    /// millimetres where scale is metric (null otherwise).
    package struct StitchSummary: Codable, Equatable, Sendable {
        /// The photographs in the picture, from above.
        package var pictures: [StitchedPicture]
        /// Photographs that show nothing that the others do not.
        package var unused: [String]
        /// Whether the sheet's upper end is in a photograph: otherwise the sheet goes on above the picture.
        package var showsTop: Bool
        /// Whether the sheet's lower end is in a photograph.
        package var showsBottom: Bool
        /// The share by which lengths that two photographs show differ at most: between the scales that each has by itself, and
        /// between the places of the print in an overlap.
        package var disagreement: Double
    }

    /// One photograph of a joined picture.
    package struct StitchedPicture: Codable, Equatable, Sendable {
        /// The photograph's file.
        package var picture: String
        /// Its number among those given, from 1.
        package var number: Int
        /// How it became flat.
        package var method: FlatteningMethod
        /// How sure that is, 0 to 1.
        package var confidence: Double
        /// Whether it stood upside down to the others.
        package var isTurned: Bool
        /// What its lengths were multiplied by to agree with the other photographs'.
        package var scale: Double
        /// What it was turned by, clockwise, in degrees.
        package var turnDegrees: Double
        /// Where its flat part's upper left corner lies in the joined picture.
        package var offsetPx: [Double]
        /// The same in millimetres.
        package var offsetMm: [Double]?
        /// What red, green and blue were multiplied by.
        package var gain: [Double]
        /// How it meets the photograph above it; null for the first.
        package var overlap: OverlapSummary?

        private enum CodingKeys: String, CodingKey {
            case picture, number, method, confidence, isTurned, scale, turnDegrees, offsetPx, offsetMm, gain,
                overlap
        }

        /// Writes null for what is not known.
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

    /// How two photographs meet.
    package struct OverlapSummary: Codable, Equatable, Sendable {
        /// The length that both show.
        package var lengthPx: Double
        /// The same in millimetres.
        package var lengthMm: Double?
        /// Pieces of print that lie where they should.
        package var pieces: Int
        /// Their share of all pieces of print in the overlap, 0 to 1.
        package var agreement: Double
        /// How far they lie apart, root mean square.
        package var residualPx: Double
        /// The same in millimetres.
        package var residualMm: Double?
        /// The share of the seam that crosses print, 0 to 1.
        package var crossing: Double

        private enum CodingKeys: String, CodingKey {
            case lengthPx, lengthMm, pieces, agreement, residualPx, residualMm, crossing
        }

        /// Writes null for what is not known.
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
    ///   - parts: the photographs' own results, in the order in which they were given.
    ///   - pixelsPerUnit: of the joined picture.
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
    /// A map whose pixels come from no one photograph.
    static func withoutSource(_ size: PixelSize) -> SamplingMap {
        SamplingMap(outputSize: size, spacing: max(size.width, size.height, 1)) { _ in SIMD2(.nan, .nan) }
    }
}
