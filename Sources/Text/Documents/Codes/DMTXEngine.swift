import CDMTX
import Diagnostics
import Imaging
import Parallelism

/// Reads Data Matrix codes with libdmtx.
///
/// libdmtx searches every pixel for the start of a border, which takes seconds where there is print. So it is passed only places
/// that may be a code, each at one size.
struct DMTXEngine {
    private let dmtx: CDMTXFunctions

    /// - Throws: `.missingDependency`, `.shortage`.
    init() throws(FlatteningError) { dmtx = try CodeLibraries.dmtx.load() }

    /// Longer side, in pixels, of an image passed to libdmtx: a code of 40 modules has 4 pixels per module in it.
    static let shownSide = 200.0

    /// The codes in an image.
    /// - Parameter others: codes already read; their places are not searched.
    /// - Throws: `.shortage` if libdmtx runs out of memory.
    func readings(in picture: GrayImage, besides others: [CodeReading]) throws(FlatteningError)
        -> [CodeReading]
    {
        let places = MatrixPlaces.candidates(in: picture, besides: others.map(\.middle))
        let seen = try shareOut(places, longestFirst: { _ in 1 }) { place throws(FlatteningError) in
            let zoom = Self.shownSide / max(place.width, place.height)
            let view = CodeView(
                of: picture,
                size: PixelSize(
                    width: Int((place.width * zoom).rounded(.up)),
                    height: Int((place.height * zoom).rounded(.up))),
                middle: SIMD2(place.centerX, place.centerY) - 0.5, scale: 1 / zoom)
            return try reading(in: view)
        }
        var readings: [CodeReading] = []
        for case (let place, let reading?) in zip(places, seen) {
            // Larger places come first, and may hold smaller ones.
            if !readings.contains(where: { place.holds($0.middle) }) { readings.append(reading) }
        }
        return readings
    }

    private func reading(in view: CodeView) throws(FlatteningError) -> CodeReading? {
        // libdmtx takes a mutable pixel buffer.
        var pixels = view.image.elements
        let (width, height) = (CInt(view.image.width), CInt(view.image.height))
        let result: Result<CodeReading?, FlatteningError> = pixels.withUnsafeMutableBufferPointer { pixels in
            guard let first = pixels.baseAddress else { return .success(nil) }
            var image = dmtx.dmtxImageCreate(first, width, height, CInt(CDMTX_GRAY))
            defer { if image != nil { _ = dmtx.dmtxImageDestroy(&image) } }
            var decode = image.flatMap { dmtx.dmtxDecodeCreate($0, 1) }
            defer { if decode != nil { _ = dmtx.dmtxDecodeDestroy(&decode) } }
            guard let decode else {
                return .failure(FlatteningError(.shortage, "libdmtx finds no memory", stage: .finding))
            }
            _ = dmtx.dmtxDecodeSetProp(decode, CInt(CDMTX_FNC1), CInt(GS1Element.separator))
            _ = dmtx.dmtxDecodeSetProp(decode, CInt(CDMTX_SCAN_GAP), Self.scanGap)
            _ = dmtx.dmtxDecodeSetProp(decode, CInt(CDMTX_EDGE_THRESHOLD), Self.edgeThreshold)
            for _ in 0..<Self.maximumRegions {
                guard let region = dmtx.dmtxRegionFindNext(decode, nil) else { break }
                defer {
                    var ended: UnsafeMutablePointer<cdmtx_region>? = region
                    _ = dmtx.dmtxRegionDestroy(&ended)
                }
                guard let message = dmtx.dmtxDecodeMatrixRegion(decode, region, CInt(CDMTX_ALL_ERRORS)) else {
                    continue
                }
                defer {
                    var ended: UnsafeMutablePointer<cdmtx_message>? = message
                    _ = dmtx.dmtxMessageDestroy(&ended)
                }
                return .success(reading(message.pointee, region.pointee, view))
            }
            return .success(nil)
        }
        return try result.get()
    }

    /// Spacing in pixels of the lines along which libdmtx looks for a border. A code fills most of the image, so several lines
    /// cross its border: of 24 images of codes and 48 distorted ones, a spacing of 16 reads the same 36 as a spacing of 4, in
    /// half to a third of the time.
    private static let scanGap: CInt = 16
    /// Smallest contrast of an edge that libdmtx follows, in its measure of 1 to 100; its default of 10 follows every stain.
    private static let edgeThreshold: CInt = 20
    /// Largest number of borders tried in one place.
    private static let maximumRegions = 16

    private func reading(_ message: cdmtx_message, _ region: cdmtx_region, _ view: CodeView) -> CodeReading? {
        let count = Int(max(message.output_count, 0))
        guard let output = message.output, count > 0, count <= message.output_size else { return nil }
        let bytes = Array(UnsafeBufferPointer(start: output, count: count))
        let m = region.fit_to_raw
        let points = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map { x, y in
            let w = x * m.0.2 + y * m.1.2 + m.2.2
            let place = SIMD2(x * m.0.0 + y * m.1.0 + m.2.0, x * m.0.1 + y * m.1.1 + m.2.1) / w
            // libdmtx counts y from the lower left corner.
            return view.picturePlace(SIMD2(place.x, Double(view.image.height - 1) - place.y))
        }
        guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        return CodeReading(
            symbology: .dataMatrix, bytes: bytes, isGS1: bytes.first == GS1Element.separator, engine: .dmtx,
            agreement: nil, points: points)
    }
}

extension Box {
    /// Whether a pixel's centre lies in it.
    fileprivate func holds(_ place: SIMD2<Double>) -> Bool {
        place.x + 0.5 >= left && place.x + 0.5 <= right && place.y + 0.5 >= top && place.y + 0.5 <= bottom
    }
}
