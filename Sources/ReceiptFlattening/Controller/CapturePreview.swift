public import Captures
public import Imaging
internal import SheetFlattening

/// A small picture with what the depth camera sees and where the sheet lies drawn over it.
public struct CapturePreview: Sendable {
    /// The picture, its longer side at most 640 pixels: tinted from orange (near) to blue (far) where there is depth, with the sheet's
    /// outline in green once the advice is `ready` or `holdStill`, in yellow before.
    public let image: RGBImage
    /// Whether there was depth to show.
    public let showsDepth: Bool
    /// Where the sheet lies in the capture's picture, how well it is seen, and what to do next.
    public let guidance: ReceiptGuidance

    /// How much of a pixel's colour is the depth's.
    private static let tintShare = 0.35
    private static let longerSide = 640

    /// Draws a preview. O(pixels of the capture).
    /// - Parameters:
    ///   - capture: the picture, with depth if there is any; metric or not.
    ///   - guidance: what was seen on that picture.
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

    /// What nine tenths of the readings lie between, widened where that is next to nothing; nil without readings.
    private static func range(of depth: DepthMap) -> ClosedRange<Float>? {
        // Some thousand readings tell as much as all of them.
        let step = max(1, depth.values.elements.count / 10_000)
        let readings = stride(from: 0, to: depth.values.elements.count, by: step)
            .map { depth.values.elements[$0] }.filter { !$0.isNaN }.sorted()
        guard let middle = readings.isEmpty ? nil : readings[readings.count / 2] else { return nil }
        let near = readings[readings.count / 20]
        let far = readings[readings.count - 1 - readings.count / 20]
        // A sheet seen straight on should not show the sensor's noise in all colours.
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
    /// Draws a line of three pixels' width through points and back to the first; what lies outside is left out. O(length).
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
