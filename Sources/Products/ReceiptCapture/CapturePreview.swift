public import DepthGeometry
public import SheetGuidance
import Captures
public import Imaging
import SheetFlattening
import RobustStatistics

/// A small image with depth and the sheet's outline drawn over it.
public struct CapturePreview: Sendable {
    /// The image, at most 640 pixels on its longer side. Pixels with depth are tinted from orange (near) to blue (far). The
    /// outline is green if the advice is `ready` or `holdStill`, otherwise yellow.
    public let image: RGBImage
    /// Whether the preview shows depth.
    public let showsDepth: Bool
    /// Guidance for the capture's image.
    public let guidance: ReceiptGuidance

    /// The share of the depth tint in a pixel's colour.
    private static let tintShare = 0.35
    private static let longerSide = 640

    /// Draws a preview. O(pixels of the capture).
    /// - Parameters:
    ///   - capture: the image, with depth if there is any; metric or not.
    ///   - guidance: the guidance for that image.
    public init(of capture: Capture, guidance: ReceiptGuidance) {
        let reduced = ReducedPicture(reducing: ReducedPicture(capture.image), toLongestSide: Self.longerSide)
        var image = reduced.image
        let range = capture.depth.flatMap(Self.range)
        if let depth = capture.depth, let range {
            for y in 0..<image.height {
                let row = min(y * depth.height / image.height, depth.height - 1)
                for x in 0..<image.width {
                    let reading = depth[x: min(x * depth.width / image.width, depth.width - 1), y: row]
                    guard !reading.isNaN else { continue }
                    let place = Double((reading - range.lowerBound) / (range.upperBound - range.lowerBound))
                    image[x: x, y: y] = Self.tinted(image[x: x, y: y], place: min(max(place, 0), 1))
                }
            }
        }
        if let outline = guidance.sheet?.outline {
            let isGood = guidance.advice == .ready || guidance.advice == .holdStill
            let color = isGood ? RGB(red: 0, green: 200, blue: 80) : RGB(red: 255, green: 200, blue: 0)
            image.drawClosedLine(outline.polygon.map(reduced.reducedPoint), color: color)
        }
        self.image = image
        showsDepth = range != nil
        self.guidance = guidance
    }

    /// The range of the middle nine tenths of the readings, widened if it is very small; nil without readings.
    private static func range(of depth: DepthMap) -> ClosedRange<Float>? {
        // A few thousand readings suffice.
        let step = max(1, depth.values.elements.count / 10_000)
        var readings = stride(from: 0, to: depth.values.elements.count, by: step)
            .map { depth.values.elements[$0] }.filter { !$0.isNaN }
        guard !readings.isEmpty else { return nil }
        let middle = readings.selectRank(readings.count / 2)
        let near = readings.selectRank(readings.count / 20)
        let far = readings.selectRank(readings.count - 1 - readings.count / 20)
        // Otherwise a sheet seen straight on would show the sensor's noise in all colours.
        let least = 0.05 * middle
        return far - near >= least ? near...far : middle - least / 2...middle + least / 2
    }

    private static func tinted(_ pixel: RGB, place: Double) -> RGB {
        let near = SIMD3(240.0, 120, 20)
        let far = SIMD3(30.0, 90, 200)
        let own = SIMD3(Double(pixel.red), Double(pixel.green), Double(pixel.blue))
        let mixed = own * (1 - tintShare) + (near + (far - near) * place) * tintShare
        return RGB(
            red: UInt8(mixed.x.rounded()), green: UInt8(mixed.y.rounded()), blue: UInt8(mixed.z.rounded()))
    }
}

extension Raster where Element == RGB {
    /// Draws a closed line of three pixels' width through points, clipped to the image. O(length).
    fileprivate mutating func drawClosedLine(_ points: [SIMD2<Double>], color: RGB) {
        guard var from = points.last else { return }
        for to in points {
            let way = to - from
            let steps = Swift.max(1, Int(Swift.max(abs(way.x), abs(way.y)).rounded(.up)))
            for step in 0...steps {
                let point = from + way * (Double(step) / Double(steps))
                let (x, y) = (Int(point.x.rounded()), Int(point.y.rounded()))
                for row in Swift.max(y - 1, 0)..<Swift.max(Swift.min(y + 2, height), 0) where row < height {
                    for column in Swift.max(x - 1, 0)..<Swift.max(Swift.min(x + 2, width), 0)
                    where column < width {
                        self[x: column, y: row] = color
                    }
                }
            }
            from = to
        }
    }
}
