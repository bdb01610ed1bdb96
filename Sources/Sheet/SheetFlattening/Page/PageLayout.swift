package import Diagnostics
import DepthGeometry
package import Imaging
import RobustStatistics

/// The rectangle of a flat sheet that becomes the picture, at its resolution, not yet turned upright.
package struct PageLayout {
    private let unrolling: Unrolling
    private let camera: Camera
    /// The rectangle, in the sheet's flat coordinates.
    package private(set) var frame: PageFrame
    /// Pixels per unit of the flat coordinates.
    package private(set) var density: Double
    /// The density of the photograph itself, as far as a picture may have it: what a picture has that is not asked for.
    private let photographedDensity: Double
    /// Whether that unit is a metre.
    private let isMetric: Bool

    /// Nodes of the sampling map lie this many output pixels apart: bilinear interpolation between them is then within
    /// 0.02 pixels for a phone's perspective and for a curl of 15 mm radius at 300 dpi.
    private static let nodeSpacing = 8

    /// The page of a sheet: its frame, and the density that the options ask for or the photograph holds.
    package init(sheet: UnrolledSheet, photograph: PixelSize, options: SheetFlattener.Options)
        throws(FlatteningError)
    {
        unrolling = sheet.unrolling
        camera = sheet.camera
        isMetric = sheet.isMetric
        frame = sheet.frame
        let native = Self.nativeDensity(of: sheet.unrolling, in: frame, photograph: photograph)
        let area = frame.size.x * frame.size.y
        guard native.isFinite, native > 0, area > 0 else {
            throw FlatteningError(
                .internalInconsistency, "the flat sheet shows nothing of the photograph", stage: .framing,
                seen: "\(frame.size.x) x \(frame.size.y)")
        }
        let greatest = (Double(options.maximumOutputPixels) / area).squareRoot()
        photographedDensity = min(
            isMetric ? min(native, options.maximumDotsPerInch / Inch.meters) : native, greatest)
        var wanted = photographedDensity
        if isMetric {
            wanted = options.dotsPerInch.map { $0 / Inch.meters } ?? wanted
            let pixels = area * wanted * wanted
            if options.dotsPerInch != nil, pixels > Double(options.maximumOutputPixels) {
                throw FlatteningError(
                    .limitExceeded, "the flat picture would be too large", stage: .framing,
                    seen: "\(Int(min(pixels / 1e6, 1e9))) megapixels",
                    allowed: "\(options.maximumOutputPixels / 1_000_000) megapixels",
                    advice: "Ask for a lower dpi")
            }
        }
        density = min(wanted, greatest)
    }

    /// The density in pixels per metre; nil where scale is not metric.
    package var pixelsPerMeter: Double? { isMetric ? density : nil }

    /// The picture's size.
    package var pictureSize: PixelSize { frame.pictureSize(density: density) }

    /// Where each pixel of the picture comes from.
    package func samplingMap() -> SamplingMap { samplingMap(density: density) }

    /// The same page at the photograph's own density, whatever density was asked for: what is read must not depend on that.
    package func asPhotographed() -> PageLayout {
        var page = self
        page.density = photographedDensity
        return page
    }

    /// A small map of the same page, its longer side `length` pixels (or less, if the photograph holds less).
    package func previewMap(longerSide length: Double) -> SamplingMap {
        samplingMap(density: previewDensity(longerSide: length))
    }

    /// Pixels per unit of the flat coordinates in that small map.
    package func previewDensity(longerSide length: Double) -> Double {
        min(photographedDensity, length / max(frame.size.x, frame.size.y))
    }

    private func samplingMap(density: Double) -> SamplingMap {
        let ideal = unrolling.samplingMap(frame: frame, pixelsPerMeter: density, spacing: Self.nodeSpacing)
        return SamplingMap(
            outputSize: ideal.outputSize, spacing: ideal.spacing,
            nodes: ideal.nodes.map { SIMD2<Float>(camera.photographed(SIMD2<Double>($0))) })
    }

    /// The same page turned clockwise by quarter turns.
    package func turned(clockwiseQuarters: Int) -> PageLayout {
        var page = self
        page.frame = frame.turned(clockwiseQuarters: clockwiseQuarters)
        return page
    }

    /// Where pixels of the photograph, without distortion, lie in the picture, in pixel-centre coordinates; nil if one is not on
    /// the flat sheet.
    package func places(of pixels: [SIMD2<Double>]) -> [SIMD2<Double>]? {
        let places = pixels.compactMap(unrolling.flatPosition(ofPixel:)).map {
            frame.offset(of: $0) * density - 0.5
        }
        return places.count == pixels.count ? places : nil
    }

    /// Share of a region, given by its outline in ideal pixels, that the page shows.
    package func coverage(of region: [SIMD2<Double>]) -> Double {
        // The region's outline is often the frame's own, met but for rounding.
        let tolerance = 1e-6 * max(frame.size.x, frame.size.y)
        var shown = 0
        for point in region {
            guard let flat = unrolling.flatPosition(ofPixel: point) else { continue }
            let inside = frame.offset(of: flat)
            if pointwiseMax(-inside, inside - frame.size).max() <= tolerance { shown += 1 }
        }
        return region.isEmpty ? 0 : Double(shown) / Double(region.count)
    }

    /// How many photograph pixels lie along one unit of the flat sheet where they lie densest: the median, over the
    /// page, of the greater stretch of the map. For a sheet that faces the camera it is f / z.
    private static func nativeDensity(
        of unrolling: Unrolling, in frame: PageFrame, photograph: PixelSize
    ) -> Double {
        // 48 nodes along the page, and two across a narrow one; none that the photograph's pixels cannot fill, or a sliver
        // would ask for any number of them.
        let (length, breadth) = (max(frame.size.x, frame.size.y), min(frame.size.x, frame.size.y))
        let finest = 2 * Double(max(photograph.width, photograph.height)) / length
        let probe = max(48 / length, min(2 / breadth, finest))
        let map = unrolling.samplingMap(frame: frame, pixelsPerMeter: probe, spacing: 1)
        // To the edges of the outermost pixels: a photograph of one row ends half a pixel around 0.
        let bounds = SIMD2(Float(photograph.width), Float(photograph.height)) - 0.5
        var stretches: [Double] = []
        for y in 0..<max(map.nodes.height - 1, 0) {
            for x in 0..<max(map.nodes.width - 1, 0) {
                let here = map.nodes[x: x, y: y]
                guard here.x >= -0.5, here.y >= -0.5, here.x < bounds.x, here.y < bounds.y else { continue }
                let right = map.nodes[x: x + 1, y: y] - here
                let down = map.nodes[x: x, y: y + 1] - here
                let stretch = max((right * right).sum(), (down * down).sum()).squareRoot()
                if stretch.isFinite { stretches.append(Double(stretch)) }
            }
        }
        guard !stretches.isEmpty else { return .nan }
        return stretches.upperMedian() * probe
    }
}
