public import Diagnostics
public import Platform
import Imaging
public import SheetFlattening

/// What was found, decided, refused and measured while one capture was flattened.
///
/// Written as JSON with keys in snake case and `schema` 1. Lengths are millimetres, angles degrees, shares 0 to 1. An unknown
/// value is null, never 0.
public struct FlatteningReport: Codable, Equatable, Sendable {
    /// The plane that the sheet was unrolled from, or the base plane of its curved surface, in the camera's frame (x right, y
    /// down, z forward).
    package struct PlaneSummary: Codable, Equatable, Sendable {
        /// Unit normal, facing the camera.
        package var normal: [Double]
        /// Distance of the plane from the camera.
        package var distanceMm: Double
        /// Root mean square distance of the inliers from the plane.
        package var rmsMm: Double
        /// Number of readings that agree with the plane.
        package var inliers: Int
        /// Number of readings on the sheet.
        package var readings: Int
        /// Angle between the normal and the optical axis.
        package var tiltDegrees: Double
        /// Standard deviations of the inliers along their principal axes, ascending: across the plane, along its shorter
        /// axis, along its longer axis. If the second is small compared with the third, the tilt is uncertain.
        package var spreadMm: [Double]
    }

    /// The surface through the sheet.
    package struct SurfaceSummary: Codable, Equatable, Sendable {
        /// Root mean square distance of the readings from the surface.
        package var residualMm: Double
        /// The sensor's noise, as one standard deviation of a reading, estimated from the data.
        package var noiseMm: Double
        /// The sensor's slowly varying error, as one standard deviation, estimated from the table around the sheet; nil if no
        /// table is seen.
        package var slowErrorMm: Double?
        /// The slowly varying error assumed if no table is seen: the usual one for such sensors at this distance.
        package var assumedSlowErrorMm: Double?
        /// How much the sheet's sides changed the depth before the surface was fitted, root mean square over the sheet; nil
        /// if they did not.
        package var correctedBySidesMm: Double?
        /// The greatest curvature.
        package var maximumCurvaturePerMm: Double
        /// How far the flat image departs from isometry.
        package var distortion: Distortion?

        /// Writes every key, with null for an unknown value.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(residualMm, forKey: .residualMm)
            try container.encode(noiseMm, forKey: .noiseMm)
            try container.encode(slowErrorMm, forKey: .slowErrorMm)
            try container.encode(assumedSlowErrorMm, forKey: .assumedSlowErrorMm)
            try container.encode(correctedBySidesMm, forKey: .correctedBySidesMm)
            try container.encode(maximumCurvaturePerMm, forKey: .maximumCurvaturePerMm)
            try container.encode(distortion, forKey: .distortion)
        }
    }

    /// How far an unrolled sheet departs from isometry.
    package struct Distortion: Codable, Equatable, Sendable {
        /// Root mean square relative change of lengths.
        package var lengthRms: Double
        /// Greatest relative change of a length.
        package var lengthMax: Double
        /// Root mean square relative change of areas.
        package var areaRms: Double
        /// Root mean square change of angles.
        package var angleRmsDegrees: Double
    }

    /// What the printed lines show about the sheet's flatness, and what was done about it.
    package struct PrintSummary: Codable, Equatable, Sendable {
        /// Lines of text and rules that could be judged.
        package var lines: Int
        /// Clockwise angle by which the sheet was turned to level its lines, apart from quarter turns.
        package var turnedDegrees: Double
        /// Mean distance of the print from straight and level lines after that turn but before straightening, in pixels of
        /// the flat image; null if there were too few lines.
        package var residualBeforePx: Double?
        /// The same after straightening, measured on lines held out from it; null if straightening was not tried.
        package var residualAfterPx: Double?
        /// Whether the lines were straightened; if not, `refused` gives the reason.
        package var isStraightened: Bool

        /// Writes every key, with null for an unknown value.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(lines, forKey: .lines)
            try container.encode(turnedDegrees, forKey: .turnedDegrees)
            try container.encode(residualBeforePx, forKey: .residualBeforePx)
            try container.encode(residualAfterPx, forKey: .residualAfterPx)
            try container.encode(isStraightened, forKey: .isStraightened)
        }
    }

    /// The result of squaring the sheet's sides to a rectangle.
    package struct SidesSummary: Codable, Equatable, Sendable {
        /// The greatest distance of the sides from the rectangle before squaring, as a share of its shorter side.
        package var greatestMove: Double
        /// The ends at which the image border cuts the sheet off, from "upper", "right", "lower" and "left" of the flat
        /// picture.
        package var cut: [String]
        /// How much wider the print was at the left end than in the middle, and how much higher at the upper end, as shares,
        /// before it was evened out; negative if narrower or lower. Null if the print was even or did not show it.
        package var stretch: [Double]?

        /// Writes every key, with null for an unknown value.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(greatestMove, forKey: .greatestMove)
            try container.encode(cut, forKey: .cut)
            try container.encode(stretch, forKey: .stretch)
        }
    }

    /// The number of the sheet that a report describes, among the sheets in view.
    public struct SheetNumber: Codable, Equatable, Sendable, CustomStringConvertible {
        /// Counted from 1 in reading order: rows from top to bottom, each from left to right.
        public var index: Int
        /// How many sheets are in view; 1 where corners were given.
        public var count: Int

        package init(index: Int, count: Int) {
            self.index = index
            self.count = count
        }

        /// "sheet 2 of 3"
        public var description: String { "sheet \(index) of \(count)" }
    }

    /// The number of the document page that a report describes.
    public struct PageNumber: Codable, Equatable, Sendable, CustomStringConvertible {
        /// Counted from 1.
        public var index: Int
        /// How many pages the document has.
        public var count: Int

        package init(index: Int, count: Int) {
            self.index = index
            self.count = count
        }

        /// "page 2 of 3"
        public var description: String { "page \(index) of \(count)" }
    }

    /// How the flat image was turned upright.
    public struct Uprightness: Codable, Equatable, Sendable {
        /// Clockwise quarter turns relative to the photograph, 0 to 3. A sheet that lies at an angle is first levelled by
        /// less than an eighth of a turn; with 0 it then stands as in the photograph.
        public var quarterTurns: Int
        /// What decided the turn: "text" (rows were read), "ink" (the shape of the print), "mrz" (a machine-readable zone
        /// with valid check digits), "page" (a document's drawn page with its own words) or "photograph" (the photograph's
        /// own up direction, because the print did not decide).
        package var decidedBy: String
        /// The confidence of the print's decision, 0 to 1; 0 if the photograph decided.
        public var confidence: Double
    }

    /// Time spent in one stage.
    public struct Timing: Codable, Equatable, Sendable {
        /// The stage's name.
        public var stage: String
        /// Wall-clock milliseconds.
        public var milliseconds: Double
    }

    /// A width and a height.
    public struct Extent: Codable, Equatable, Sendable {
        /// Along the lines of text.
        public var width: Double
        /// Across the lines of text.
        public var height: Double
    }

    /// Summary of the text that was read.
    package struct TextSummary: Codable, Equatable, Sendable {
        /// The languages that the recogniser was given.
        package var language: String
        /// Lines found.
        package var lines: Int
        /// Mean confidence of the words, 0 to 1.
        package var confidence: Double
        /// Number of places that look like rows of print but were not read; absent in older reports.
        package var unreadRows: Int?
        /// Letters and digits read with certainty per letter-sized mark, 0 to 1; nil if there are no marks, and in older
        /// reports.
        package var shareRead: Double?
    }

    /// Version of this layout. It changes when a key is removed or changes its meaning.
    package var schema = 1
    /// How the sheet was flattened.
    public var method: FlatteningMethod
    /// Confidence of the method, 0 to 1. It starts from the outline's confidence, reduced by the readings' scatter around the
    /// surface, or by how far the corners are from a rectangle's and how much one curved side differs from what the other
    /// predicts. For a scan, the probability that the image is the sheet; 0 if nothing was done.
    public var confidence: Double
    /// Steps that were tried and not taken, in order.
    public var refused: [RefusedStep]
    /// The flat image's true resolution in dots per inch; null if the scale is not metric.
    public var dpi: Double?
    /// The flat image's size in pixels.
    package var sizePx: Extent
    /// The flat image's size in millimetres, including its margin; null if the scale is not metric.
    public var sizeMm: Extent?
    /// The sheet's own size in millimetres, without the flat image's margin; null if the scale is not metric or no sheet
    /// was found, and absent in older reports.
    public var sheetMm: Extent?
    /// The plane through the sheet, if there was depth.
    package var plane: PlaneSummary?
    /// The surface that the sheet was unrolled from, if there was depth.
    package var surface: SurfaceSummary?
    /// What the printed lines contributed; null if none were found.
    package var print: PrintSummary?
    /// The result of squaring the sheet's sides to a rectangle; null if depth gave the shape, no outline was found or the
    /// image is a scan, and absent in older reports.
    package var sides: SidesSummary?
    /// Share of the sheet's outline that the flat image shows.
    public var coverage: Double
    /// The sheet's outline in the upright photograph's pixels, clockwise; for a scan, the image border. Null if none was
    /// found.
    package var outline: [[Double]]?
    /// Confidence of the outline, 0 to 1.
    package var outlineConfidence: Double?
    /// The number of this sheet among the sheets in view; null if none was found.
    public var sheet: SheetNumber?
    /// The number of the document page that this report describes; null if it is not a page, and absent in older reports.
    public var page: PageNumber?
    /// The pages, ascending, that this receipt covers; the first page's report has the fields for all of them. Null for a
    /// receipt on one page, and absent in older reports.
    public package(set) var receiptPages: [Int]?
    /// How the flat image was turned upright.
    public var upright: Uprightness
    /// What was read, if text was asked for.
    package var text: TextSummary?
    /// Seller, date, items and sums as read from the text; null unless text was asked for.
    package var fields: FieldsSummary?
    /// Why there are no fields; null if there are fields, and absent in older reports.
    package var fieldsMissing: String?
    /// What else was looked for on the sheet, in alphabetical order; null if nothing was.
    package var finds: [String]?
    /// The codes on the sheet and in the photograph; null unless they were looked for.
    package var codes: [CodeSummary]?
    /// The symbologies that no available library reads; null if codes were not looked for.
    package var codesNotSought: [String]?
    /// The faces on the sheet and in the photograph; null unless they were looked for.
    package var faces: [FaceSummary]?
    /// What kind of document the sheet is; null if that was not looked for.
    package var document: DocumentSummary?
    /// Links, addresses, numbers, dates and prices in reading order; null if they were not looked for.
    package var items: [RecognizedItemSummary]?
    /// The contents of a business card; null if they were not looked for.
    package var contact: ContactSummary?
    /// The machine-readable zone; null unless it was looked for and found.
    package var mrz: ZoneSummary?
    /// How the picture was joined from several photographs; null if it comes from one.
    package var stitch: StitchSummary?
    /// What several frames of a recording contributed; null if one frame was used.
    package var fusion: FusionSummary?
    /// What was hidden; null if nothing was to be hidden.
    package var redaction: RedactionSummary?
    /// Where the intrinsics came from.
    package var intrinsicsOrigin: String?
    /// What looks wrong about the capture although it could be used.
    public var warnings: [String]
    /// Time by stage, in order.
    public var timings: [Timing]
    /// Versions by name.
    package var versions: [String: String]

    private enum CodingKeys: String, CodingKey {
        case schema, method, confidence, refused, dpi, sizePx, sizeMm, sheetMm, plane, surface, print,
            sides, coverage
        case outline, outlineConfidence, sheet, page, receiptPages, upright, text, fields, fieldsMissing
        case finds, codes, codesNotSought, mrz, items, contact, faces, document
        case stitch, fusion, redaction, intrinsicsOrigin, warnings, timings, versions
    }

    /// Writes every key, with null for an unknown value, so that a reader need not guess which keys exist.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(schema, forKey: .schema)
        try container.encode(method, forKey: .method)
        try container.encode(confidence, forKey: .confidence)
        try container.encode(refused, forKey: .refused)
        try container.encode(dpi, forKey: .dpi)
        try container.encode(sizePx, forKey: .sizePx)
        try container.encode(sizeMm, forKey: .sizeMm)
        try container.encode(sheetMm, forKey: .sheetMm)
        try container.encode(plane, forKey: .plane)
        try container.encode(surface, forKey: .surface)
        try container.encode(print, forKey: .print)
        try container.encode(sides, forKey: .sides)
        try container.encode(coverage, forKey: .coverage)
        try container.encode(outline, forKey: .outline)
        try container.encode(outlineConfidence, forKey: .outlineConfidence)
        try container.encode(sheet, forKey: .sheet)
        try container.encode(page, forKey: .page)
        try container.encode(receiptPages, forKey: .receiptPages)
        try container.encode(upright, forKey: .upright)
        try container.encode(text, forKey: .text)
        try container.encode(fields, forKey: .fields)
        try container.encode(fieldsMissing, forKey: .fieldsMissing)
        try container.encode(finds, forKey: .finds)
        try container.encode(codes, forKey: .codes)
        try container.encode(codesNotSought, forKey: .codesNotSought)
        try container.encode(faces, forKey: .faces)
        try container.encode(document, forKey: .document)
        try container.encode(items, forKey: .items)
        try container.encode(contact, forKey: .contact)
        try container.encode(mrz, forKey: .mrz)
        try container.encode(stitch, forKey: .stitch)
        try container.encode(fusion, forKey: .fusion)
        try container.encode(redaction, forKey: .redaction)
        try container.encode(intrinsicsOrigin, forKey: .intrinsicsOrigin)
        try container.encode(warnings, forKey: .warnings)
        try container.encode(timings, forKey: .timings)
        try container.encode(versions, forKey: .versions)
    }

    /// The report as JSON: keys in snake case, sorted, indented.
    public func json() throws(FlatteningError) -> Data { try Self.json(of: self) }

    /// Encodes a value as JSON in the format of reports.
    package static func json(of value: some Encodable) throws(FlatteningError) -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .throw
        do {
            return try encoder.encode(value) + Data("\n".utf8)
        } catch {
            throw FlatteningError(
                .internalInconsistency, "the report cannot be written as JSON", stage: .report,
                detail: "\(error)")
        }
    }

    /// Decodes a report from its JSON.
    public init(json: Data) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(FlatteningReport.self, from: json)
    }
}
