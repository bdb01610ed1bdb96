import Captures
import DepthGeometry
import Diagnostics
package import Platform
import Imaging
import SheetFlattening

/// The output of `flatten inspect --json`: what was found out about a capture, in the report's units and keys where the
/// report has them. Every key is written, null for an unknown value.
package struct InspectionFacts: Encodable, Equatable, Sendable {
    /// The photograph, upright.
    struct Picture: Encodable, Equatable, Sendable {
        var name: String
        var width: Int
        var height: Int
        /// EXIF's orientation, 1 to 8, which was applied.
        var orientation: Int
    }

    /// The depth map, upright. Distances are metres, or units of unknown size.
    struct Depth: Encodable, Equatable, Sendable {
        var name: String?
        var form: String?
        var width: Int
        var height: Int
        var isMetric: Bool
        var validShare: Double
        var minimum: Double?
        var median: Double?
        var maximum: Double?

        enum CodingKeys: String, CodingKey {
            case name, form, width, height, isMetric, validShare, minimum, median, maximum
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(form, forKey: .form)
            try container.encode(width, forKey: .width)
            try container.encode(height, forKey: .height)
            try container.encode(isMetric, forKey: .isMetric)
            try container.encode(validShare, forKey: .validShare)
            try container.encode(minimum, forKey: .minimum)
            try container.encode(median, forKey: .median)
            try container.encode(maximum, forKey: .maximum)
        }
    }

    /// The camera, in pixels of the upright photograph.
    struct Intrinsics: Encodable, Equatable, Sendable {
        var fx: Double
        var fy: Double
        var cx: Double
        var cy: Double
        var viewDegrees: Double
        var hasDistortion: Bool
    }

    var schema = 1
    /// The format that the capture was recognised as.
    var capture: String?
    var picture: Picture
    var depth: Depth?
    var intrinsics: Intrinsics?
    var intrinsicsOrigin: String?
    var outline: [[Double]]?
    var outlineConfidence: Double?
    var sheet: FlatteningReport.SheetNumber?
    /// Why no sheet was found; nil if one was.
    var notFound: String?
    var sheetMm: FlatteningReport.Extent?
    var method: FlatteningMethod
    var plane: FlatteningReport.PlaneSummary?
    var surface: FlatteningReport.SurfaceSummary?
    var refused: [RefusedStep]
    var looksWrong: [String]

    enum CodingKeys: String, CodingKey {
        case schema, capture, picture, depth, intrinsics, intrinsicsOrigin, outline, outlineConfidence
        case sheet, notFound, sheetMm, method, plane, surface, refused, looksWrong
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(schema, forKey: .schema)
        try container.encode(capture, forKey: .capture)
        try container.encode(picture, forKey: .picture)
        try container.encode(depth, forKey: .depth)
        try container.encode(intrinsics, forKey: .intrinsics)
        try container.encode(intrinsicsOrigin, forKey: .intrinsicsOrigin)
        try container.encode(outline, forKey: .outline)
        try container.encode(outlineConfidence, forKey: .outlineConfidence)
        try container.encode(sheet, forKey: .sheet)
        try container.encode(notFound, forKey: .notFound)
        try container.encode(sheetMm, forKey: .sheetMm)
        try container.encode(method, forKey: .method)
        try container.encode(plane, forKey: .plane)
        try container.encode(surface, forKey: .surface)
        try container.encode(refused, forKey: .refused)
        try container.encode(looksWrong, forKey: .looksWrong)
    }

    /// JSON: keys in snake case, sorted, indented.
    package func json() throws(FlatteningError) -> Data { try FlatteningReport.json(of: self) }
}

extension InspectionFacts {
    init(
        of capture: Capture, known: CaptureInspection, search: SheetSearch, sheet: UnrolledSheet,
        sheetMm: SIMD2<Double>?, findings: [String]
    ) {
        let metadata = capture.metadata
        self.capture = metadata.source
        picture = Picture(
            name: metadata.imageName, width: known.imageSize.width, height: known.imageSize.height,
            orientation: metadata.orientation.rawValue)
        depth = known.depth.map { depth in
            // Without any reading there is no distance.
            let hasReadings = depth.validFraction > 0
            return Depth(
                name: metadata.depthName, form: metadata.depthForm, width: depth.size.width,
                height: depth.size.height, isMetric: depth.scale == .metric, validShare: depth.validFraction,
                minimum: hasReadings ? depth.minimum : nil, median: hasReadings ? depth.percentiles.y : nil,
                maximum: hasReadings ? depth.maximum : nil)
        }
        intrinsics = capture.intrinsics.map {
            Intrinsics(
                fx: $0.fx, fy: $0.fy, cx: $0.cx, cy: $0.cy, viewDegrees: $0.fieldOfView * 180 / .pi,
                hasDistortion: capture.distortion != nil)
        }
        intrinsicsOrigin = sheet.intrinsicsOrigin
        outline = sheet.outline.map { $0.polygon.map { [$0.x, $0.y] } }
        outlineConfidence = sheet.outline?.confidence
        self.sheet = search.numberOfMeant
        if case .notFound(let reason) = search { notFound = "\(reason)" }
        self.sheetMm = sheetMm.map { .init(width: $0.x, height: $0.y) }
        method = sheet.method
        plane = sheet.isMetric ? sheet.plane.map(FlatteningReport.PlaneSummary.init) : nil
        surface =
            sheet.isMetric
            ? sheet.fit.map { FlatteningReport.SurfaceSummary($0, unrolling: sheet.unrolling) } : nil
        refused = sheet.refused
        looksWrong = findings
    }
}
