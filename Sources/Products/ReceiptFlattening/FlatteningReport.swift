public import Diagnostics
public import Platform
import Imaging
public import SheetFlattening

/// What was understood, decided, refused and measured while one capture was flattened.
///
/// Written as JSON with keys in snake case and `schema` 1. Lengths in it are millimetres, angles degrees, shares 0 to 1.
/// A value that is not known is null, never 0.
public struct FlatteningReport: Codable, Equatable, Sendable {
    /// The plane that the sheet was unrolled from, or that its curved surface stands on, in the camera's frame (x right, y
    /// down, z forward).
    package struct PlaneSummary: Codable, Equatable, Sendable {
        /// Unit normal, facing the camera.
        package var normal: [Double]
        /// Distance of the plane from the camera.
        package var distanceMm: Double
        /// Root mean square distance of the inliers from the plane.
        package var rmsMm: Double
        /// Readings that agree with the plane.
        package var inliers: Int
        /// Readings on the sheet.
        package var readings: Int
        /// Angle between the normal and the optical axis.
        package var tiltDegrees: Double
        /// Standard deviations of the inliers along their principal axes, ascending: across the plane, along it the shorter
        /// way, along it the longer way. Where the second is small next to the third, the tilt is uncertain.
        package var spreadMm: [Double]
    }

    /// The surface through the sheet.
    package struct SurfaceSummary: Codable, Equatable, Sendable {
        /// Root mean square distance of the readings from the surface.
        package var residualMm: Double
        /// The sensor's noise, one standard deviation of a reading, as the data shows it.
        package var noiseMm: Double
        /// The sensor's slowly varying error, one standard deviation, as the table around the sheet shows it; nil where no
        /// table is seen.
        package var slowErrorMm: Double?
        /// What is assumed of it where no table is seen: what such sensors have as a rule at this distance.
        package var assumedSlowErrorMm: Double?
        /// By how much the sheet's sides changed depth before the surface was fitted, root mean square over the sheet; nil if
        /// they did not.
        package var correctedBySidesMm: Double?
        /// The greatest curvature.
        package var maximumCurvaturePerMm: Double
        /// How far the flat picture departs from isometry.
        package var distortion: Distortion?

        /// Every key is written, null where a thing is not known.
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

    /// What the lines printed on the sheet say of its flatness, and what was done about it.
    package struct PrintSummary: Codable, Equatable, Sendable {
        /// Lines of text and rules that could be judged.
        package var lines: Int
        /// Angle by which the sheet was turned for its lines to be level, clockwise quarter turns aside.
        package var turnedDegrees: Double
        /// Mean distance of the print from straight and level lines before anything but that turn, in pixels of the flat
        /// picture; null if there were too few lines.
        package var residualBeforePx: Double?
        /// The same after straightening, for lines that were held out of it; null if it was not tried.
        package var residualAfterPx: Double?
        /// Whether the lines were straightened; if not, `refused` says why.
        package var isStraightened: Bool

        /// Every key is written, null where a thing is not known.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(lines, forKey: .lines)
            try container.encode(turnedDegrees, forKey: .turnedDegrees)
            try container.encode(residualBeforePx, forKey: .residualBeforePx)
            try container.encode(residualAfterPx, forKey: .residualAfterPx)
            try container.encode(isStraightened, forKey: .isStraightened)
        }
    }

    /// What making the sheet's sides those of a rectangle came to.
    package struct SidesSummary: Codable, Equatable, Sendable {
        /// How far the sides lay from a rectangle's at most before, as a share of its shorter side.
        package var greatestMove: Double
        /// The ends at which the picture's rim cuts the sheet off, of "upper", "right", "lower" and "left", as the flat picture
        /// stands.
        package var cut: [String]
        /// By which share print was wider at the left end than in the middle, and higher at the upper one, before it was made
        /// even; less than 0 where it was narrower or lower. Null where it was even or did not tell.
        package var stretch: [Double]?

        /// Every key is written, null where a thing is not known.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(greatestMove, forKey: .greatestMove)
            try container.encode(cut, forKey: .cut)
            try container.encode(stretch, forKey: .stretch)
        }
    }

    /// Which of the sheets in view a report is of.
    public struct SheetNumber: Codable, Equatable, Sendable, CustomStringConvertible {
        /// Counted from 1 in reading order: rows from above, and from the left in a row.
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

    /// Which page of a document a report is of.
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

    /// How the picture was turned upright.
    public struct Uprightness: Codable, Equatable, Sendable {
        /// Clockwise quarter turns against the photograph, 0 to 3: a sheet that lies aslant was first turned by less than
        /// an eighth, and with 0 stands as in the photograph.
        public var quarterTurns: Int
        /// What decided: "text" (rows were read), "ink" (the shape of the print), "mrz" (a machine-readable zone
        /// whose check digits hold), "page" (a document's page that is drawn, with words of its own) or "photograph" (its own up,
        /// for the print does not tell).
        package var decidedBy: String
        /// How sure the print is of it, 0 to 1; 0 where the photograph decided.
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

    /// What was read.
    package struct TextSummary: Codable, Equatable, Sendable {
        /// The languages that the recogniser was given.
        package var language: String
        /// Lines found.
        package var lines: Int
        /// Mean confidence of the words, 0 to 1.
        package var confidence: Double
        /// Places that look like rows of print and were not read; absent in reports from before it was written.
        package var unreadRows: Int?
        /// Surely read letters and digits per mark of a letter's size, 0 to 1; nil where there are none, and in older reports.
        package var shareRead: Double?
    }

    /// Version of this layout. It changes when a key changes its meaning or goes.
    package var schema = 1
    /// How the picture became flat.
    public var method: FlatteningMethod
    /// How sure the step taken is of itself, 0 to 1: the outline's confidence, lessened by the readings' scatter around the
    /// surface, or by how far the corners are from those of a rectangle and how much of one curved side the other does not
    /// predict; of a scan the probability that the picture is the sheet; 0 where nothing was done.
    public var confidence: Double
    /// Steps that were not taken, in the order in which they were tried.
    public var refused: [RefusedStep]
    /// The flat picture's true resolution in dots per inch; null where scale is not metric.
    public var dpi: Double?
    /// The flat picture's size in pixels.
    package var sizePx: Extent
    /// The flat picture's size in millimetres, its margin included; null where scale is not metric.
    public var sizeMm: Extent?
    /// The sheet's own size in millimetres, without the picture's margin; null where scale is not metric or no sheet was found,
    /// and absent in reports from before it was written.
    public var sheetMm: Extent?
    /// The plane through the sheet, if there was depth.
    package var plane: PlaneSummary?
    /// The surface that the sheet was unrolled from, if there was depth.
    package var surface: SurfaceSummary?
    /// What the printed lines added; null if none were found.
    package var print: PrintSummary?
    /// What making the sheet's sides those of a rectangle came to; null where depth told the shape, no outline was found or the
    /// picture is a scan, and absent in reports from before it was written.
    package var sides: SidesSummary?
    /// Share of the sheet's outline that the flat picture shows.
    public var coverage: Double
    /// The sheet's outline in the upright photograph's pixels, clockwise, of a scan the picture's rim; null if none was found.
    package var outline: [[Double]]?
    /// How sure the outline is, 0 to 1.
    package var outlineConfidence: Double?
    /// Which of the sheets in view this is; null if none was found.
    public var sheet: SheetNumber?
    /// Which page of a document this is of; null for what is none, and absent in reports from before it was written.
    public var page: PageNumber?
    /// The pages, ascending, that the receipt on this one goes over: the first one's report says what it says. Null for a receipt
    /// on one page, and absent in reports from before it was written.
    public package(set) var receiptPages: [Int]?
    /// How the picture was turned upright.
    public var upright: Uprightness
    /// What was read, if text was asked for.
    package var text: TextSummary?
    /// What the text says of seller, date, items and sums; null unless text was asked for.
    package var fields: FieldsSummary?
    /// Why there are no fields; null where there are, and absent in reports from before it was written.
    package var fieldsMissing: String?
    /// What was looked for on the sheet besides, in alphabetical order; null where nothing was.
    package var finds: [String]?
    /// The codes on the sheet and in the photograph; null unless they were looked for.
    package var codes: [CodeSummary]?
    /// The symbologies that no library that is there reads; null where codes were not looked for.
    package var codesNotSought: [String]?
    /// The faces on the sheet and in the photograph; null unless they were looked for.
    package var faces: [FaceSummary]?
    /// What kind of document the sheet is; null where that was not looked for.
    package var document: DocumentSummary?
    /// Links, addresses, numbers, dates and prices in reading order; null where they were not looked for.
    package var items: [RecognizedItemSummary]?
    /// What a business card says; null where it was not looked for.
    package var contact: ContactSummary?
    /// The machine-readable zone; null unless it was looked for and found.
    package var mrz: ZoneSummary?
    /// How the picture was joined from several photographs; null where it is of one.
    package var stitch: StitchSummary?
    /// What several frames of a recording gave; null where one frame was used.
    package var fusion: FusionSummary?
    /// What was hidden; null unless something was to be.
    package var redaction: RedactionSummary?
    /// Where the intrinsics came from.
    package var intrinsicsOrigin: String?
    /// What looks wrong about the capture though it could be used.
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

    /// Writes every key, with null for what is not known, so that a reader need not guess which keys exist.
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

    /// JSON as reports are written.
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

    /// A report from its JSON.
    public init(json: Data) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(FlatteningReport.self, from: json)
    }
}
