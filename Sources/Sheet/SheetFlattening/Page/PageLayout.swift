package import Diagnostics
import DepthGeometry
package import Imaging
import RobustStatistics

/// The rectangle of a flat sheet that becomes the image, at its resolution, not yet turned upright.
package struct PageLayout {
    private let unrolling: Unrolling
    private let camera: Camera
    /// The rectangle, in the sheet's flat coordinates.
    package private(set) var frame: PageFrame
    /// Pixels per unit of the flat coordinates.
    package private(set) var density: Double
    /// The photograph's own density, within the limits of the options: the default density of the image.
    private let photographedDensity: Double
    /// Whether the unit of the flat coordinates is a metre.
    private let isMetric: Bool

    /// Distance between nodes of the sampling map, in output pixels: bilinear interpolation between them is then within 0.02
    /// pixels for a phone's perspective and for a curl of 15 mm radius at 300 dpi.
    private static let nodeSpacing = 8

    /// Creates the page of a sheet: its frame, and the density that the options ask for or the photograph provides.
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
                    .limitExceeded, "the flat image would be too large", stage: .framing,
                    seen: "\(Int(min(pixels / 1e6, 1e9))) megapixels",
                    allowed: "\(options.maximumOutputPixels / 1_000_000) megapixels",
                    advice: "Ask for a lower dpi")
            }
        }
        density = min(wanted, greatest)
    }

    /// The density in pixels per metre; nil where scale is not metric.
    package var pixelsPerMeter: Double? { isMetric ? density : nil }

    /// The size of the image.
    package var pictureSize: PixelSize { frame.pictureSize(density: density) }

    /// The map from each image pixel to its source.
    package func samplingMap() -> SamplingMap { samplingMap(density: density) }

    /// The same page at the photograph's own density, whatever density was asked for: reading must not depend on the request.
    package func atDensityOfPhotograph() -> PageLayout {
        var page = self
        page.density = photographedDensity
        return page
    }

    /// A small map of the same page; its longer side has `length` pixels, or fewer if the photograph provides fewer.
    package func previewMap(longerSide length: Double) -> SamplingMap {
        samplingMap(density: previewDensity(longerSide: length))
    }

    /// Pixels per unit of the flat coordinates in the map of `previewMap(longerSide:)`.
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

    /// Maps pixels of the photograph, without distortion, to positions in the image, in pixel-centre coordinates; nil if any is
    /// not on the flat sheet.
    package func places(of pixels: [SIMD2<Double>]) -> [SIMD2<Double>]? {
        let places = pixels.compactMap(unrolling.flatPosition(ofPixel:)).map {
            frame.offset(of: $0) * density - 0.5
        }
        return places.count == pixels.count ? places : nil
    }

    /// The share of a region, given by its outline in ideal pixels, that the page shows.
    package func coverage(of region: [SIMD2<Double>]) -> Double {
        // The region's outline often coincides with the frame, up to rounding.
        let tolerance = 1e-6 * max(frame.size.x, frame.size.y)
        var shown = 0
        for point in region {
            guard let flat = unrolling.flatPosition(ofPixel: point) else { continue }
            let inside = frame.offset(of: flat)
            if pointwiseMax(-inside, inside - frame.size).max() <= tolerance { shown += 1 }
        }
        return region.isEmpty ? 0 : Double(shown) / Double(region.count)
    }

    /// The greatest number of photograph pixels along one unit of the flat sheet: the median, over the page, of the map's
    /// greater stretch. For a sheet that faces the camera it is f / z.
    private static func nativeDensity(
        of unrolling: Unrolling, in frame: PageFrame, photograph: PixelSize
    ) -> Double {
        // 48 nodes along the page, and two across a narrow one. But no more than the photograph's pixels can fill: a sliver
        // would otherwise ask for any number of them.
        let (length, breadth) = (max(frame.size.x, frame.size.y), min(frame.size.x, frame.size.y))
        let finest = 2 * Double(max(photograph.width, photograph.height)) / length
        let probe = max(48 / length, min(2 / breadth, finest))
        let map = unrolling.samplingMap(frame: frame, pixelsPerMeter: probe, spacing: 1)
        // Includes the outer halves of the outermost pixels: a photograph of one row extends half a pixel to either side of 0.
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
