/// How a stored image must be turned to stand upright: the eight values of EXIF's Orientation tag.
public enum ImageOrientation: Int, CaseIterable, Codable, Sendable {
    /// As stored.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Turned by 180 degrees.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Transposed: rows become columns.
    case leftMirrored = 5
    /// Turned clockwise by 90 degrees.
    case right = 6
    /// Transposed along the other diagonal.
    case rightMirrored = 7
    /// Turned counter-clockwise by 90 degrees.
    case left = 8

    /// Whether width and height are swapped.
    @usableFromInline package var swapsAxes: Bool { rawValue >= 5 }

    /// The size that an image of `size` has after turning.
    @usableFromInline package func size(turning size: PixelSize) -> PixelSize {
        swapsAxes ? PixelSize(width: size.height, height: size.width) : size
    }

    /// Where a point of the stored image lies in the upright one, both in pixel-centre coordinates.
    /// - Parameters:
    ///   - point: a point of the stored image.
    ///   - size: the stored image's size.
    @usableFromInline package func turn(_ point: SIMD2<Double>, in size: PixelSize) -> SIMD2<Double> {
        let right = Double(size.width) - 1
        let bottom = Double(size.height) - 1
        switch self {
        case .up: return point
        case .upMirrored: return SIMD2(right - point.x, point.y)
        case .down: return SIMD2(right - point.x, bottom - point.y)
        case .downMirrored: return SIMD2(point.x, bottom - point.y)
        case .leftMirrored: return SIMD2(point.y, point.x)
        case .right: return SIMD2(bottom - point.y, point.x)
        case .rightMirrored: return SIMD2(bottom - point.y, right - point.x)
        case .left: return SIMD2(point.y, right - point.x)
        }
    }

    /// The orientation that undoes this one.
    @usableFromInline package var inverse: ImageOrientation {
        switch self {
        case .right: return .left
        case .left: return .right
        default: return self
        }
    }
}

extension Raster {
    /// The raster turned upright. O(width · height), one copy; `.up` costs nothing.
    @inlinable
    package func oriented(by orientation: ImageOrientation) -> Raster {
        guard orientation != .up else { return self }
        let target = orientation.size(turning: size)
        guard !elements.isEmpty else {
            return Raster(width: target.width, height: target.height, elements: [])
        }

        // Turning is affine on whole pixels: the sources of the target's (0, 0), (1, 0) and (0, 1) determine all others.
        let inverse = orientation.inverse
        func source(_ x: Double, _ y: Double) -> Int {
            let point = inverse.turn(SIMD2(x, y), in: target)
            return Int(point.y) * width + Int(point.x)
        }
        let origin = source(0, 0)
        let columnStep = target.width > 1 ? source(1, 0) - origin : 0
        let rowStep = target.height > 1 ? source(0, 1) - origin : 0

        // If rows become columns, each step along a target row lands in another source row. Working in tiles lets the next
        // rows use what a step fetched before it leaves the cache. Otherwise whole rows are copied.
        let tile = orientation.swapsAxes ? 64 : max(target.width, target.height)
        return elements.withUnsafeBufferPointer { stored in
            Raster(width: target.width, height: target.height) { turned in
                for top in stride(from: 0, to: target.height, by: tile) {
                    for left in stride(from: 0, to: target.width, by: tile) {
                        let right = min(left + tile, target.width)
                        for y in top..<min(top + tile, target.height) {
                            var from = origin + y * rowStep + left * columnStep
                            for next in (y * target.width + left)..<(y * target.width + right) {
                                turned.initializeElement(at: next, to: stored[from])
                                from += columnStep
                            }
                        }
                    }
                }
            }
        }
    }
}
