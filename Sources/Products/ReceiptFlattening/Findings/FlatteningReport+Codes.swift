package import Documents
import Imaging

extension FlatteningReport {
    /// Where something was seen, as quadrilaterals, clockwise. It may lie on the flat image, beside it, or both; a place is
    /// null where it was not seen.
    package struct Sighting: Codable, Equatable, Sendable {
        /// In pixels of the flat image, the centre of its first pixel being 0, 0.
        package var flat: [[Double]]?
        /// In pixels of the upright photograph.
        package var photograph: [[Double]]?
        /// In millimetres from the flat image's top left corner; null also where scale is not metric.
        package var mm: [[Double]]?

        init(flat: [SIMD2<Double>]?, photograph: [SIMD2<Double>]?, pixelsPerMillimeter: Double?) {
            func rounded(_ points: [SIMD2<Double>]?) -> [[Double]]? {
                points.map { points in points.map { [$0.x, $0.y].map { ($0 * 100).rounded() / 100 } } }
            }
            self.flat = rounded(flat)
            self.photograph = rounded(photograph)
            mm = rounded(pixelsPerMillimeter.flatMap { scale in flat?.map { ($0 + 0.5) / scale } })
        }

        private enum CodingKeys: String, CodingKey { case flat, photograph, mm }

        /// Writes null for unknown values.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(flat, forKey: .flat)
            try container.encode(photograph, forKey: .photograph)
            try container.encode(mm, forKey: .mm)
        }
    }

    /// A code; see `SheetCode`.
    package struct CodeSummary: Codable, Equatable, Sendable {
        /// One data element of GS1's system.
        package struct Element: Codable, Equatable, Sendable {
            /// The application identifier.
            package var identifier: String
            /// Its value.
            package var value: String
        }

        /// What kind of code it is.
        package var symbology: String
        /// Its text; null if its bytes are not text.
        package var text: String?
        /// Its bytes, two hexadecimal digits each.
        package var bytes: String
        /// GS1's data elements; null if it holds none.
        package var gs1: [Element]?
        /// The decoded meaning; null for a number or a text in no known format.
        package var content: CodeContent?
        /// The engine that read it.
        package var engine: String
        /// Where it lies.
        package var polygon: Sighting

        init(_ code: SheetCode, pixelsPerMillimeter: Double?) {
            symbology = code.symbology.rawValue
            text = code.text
            bytes = code.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            gs1 = code.elements?.map { Element(identifier: $0.identifier, value: $0.value) }
            content = code.content
            engine = code.engine.rawValue
            polygon = Sighting(
                flat: code.corners, photograph: code.photographCorners,
                pixelsPerMillimeter: pixelsPerMillimeter)
        }

        private enum CodingKeys: String, CodingKey {
            case symbology, text, bytes, gs1, content, engine, polygon
        }

        /// Writes null for unknown values.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(symbology, forKey: .symbology)
            try container.encode(text, forKey: .text)
            try container.encode(bytes, forKey: .bytes)
            try container.encode(gs1, forKey: .gs1)
            try container.encode(content, forKey: .content)
            try container.encode(engine, forKey: .engine)
            try container.encode(polygon, forKey: .polygon)
        }
    }
}
