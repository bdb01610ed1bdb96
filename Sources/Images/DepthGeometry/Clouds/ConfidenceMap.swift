package import Diagnostics
package import Imaging

/// The sensor's confidence in each of its depth readings.
package struct ConfidenceMap: Equatable, Sendable {
    /// The three levels that phones distinguish.
    package enum Level: UInt8, CaseIterable, Comparable, Codable, Sendable {
        /// Probably wrong.
        case low = 0
        /// Usable.
        case medium = 1
        /// Good.
        case high = 2

        /// Lower confidence comes first.
        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The level of each pixel, as the raw value of `Level`.
    package let levels: Raster<UInt8>

    /// Creates a map from stored values; their maximum determines the scale.
    ///
    /// - Up to 2: the values are the levels themselves, 0/1/2 (ARKit). A plain mask of 0/1 thus means low and medium.
    /// - From 127: levels spread over the range of a byte, 0/127/255 (or a mask of 0/255): up to 63 is low, up to 191
    ///   medium, above that high.
    /// - In between: the scale is unknown; a guess would silently drop or keep everything.
    ///
    /// A map of zeros is low everywhere on both scales.
    /// - Throws: `unsupported` if the maximum is 3 to 126.
    package init(stored: Raster<UInt8>) throws(FlatteningError) {
        let largest = stored.elements.max() ?? 0
        switch largest {
        case 0...2: levels = stored
        case 127...: levels = stored.map { $0 < 64 ? 0 : $0 < 192 ? 1 : 2 }
        default:
            throw FlatteningError(
                .unsupported, "the scale of the confidence values is not known", stage: .confidence,
                seen: "values up to \(largest)", allowed: "0/1/2 or 0/127/255")
        }
    }

    /// The size of the map.
    package var size: PixelSize { levels.size }

    /// The level of a pixel.
    package subscript(x x: Int, y y: Int) -> Level { Level(rawValue: levels[x: x, y: y]) ?? .low }

    /// The share of pixels at or above a level, 0 to 1.
    package func fraction(atLeast level: Level) -> Double {
        guard !levels.elements.isEmpty else { return 0 }
        let trusted = levels.elements.reduce(0) { $0 + ($1 >= level.rawValue ? 1 : 0) }
        return Double(trusted) / Double(levels.elements.count)
    }

    /// Marks the pixels at or above a level, for a depth map of the given `size`. Resamples by nearest neighbour if sizes
    /// differ.
    package func trusted(atLeast level: Level, size: PixelSize) -> Raster<Bool> {
        guard size != self.size else { return levels.map { $0 >= level.rawValue } }
        guard levels.width > 0, levels.height > 0 else {
            return Raster(width: size.width, height: size.height, filledWith: false)
        }
        var trusted: [Bool] = []
        trusted.reserveCapacity(size.pixelCount)
        for y in 0..<size.height {
            let row = (2 * y + 1) * levels.height / (2 * size.height)
            for x in 0..<size.width {
                let column = (2 * x + 1) * levels.width / (2 * size.width)
                trusted.append(levels.elements[row * levels.width + column] >= level.rawValue)
            }
        }
        return Raster(width: size.width, height: size.height, elements: trusted)
    }

    /// The map, turned with its image.
    package func oriented(by orientation: ImageOrientation) -> ConfidenceMap {
        ConfidenceMap(levels: levels.oriented(by: orientation))
    }

    private init(levels: Raster<UInt8>) { self.levels = levels }
}

extension DepthMap {
    /// Returns the map without the readings whose confidence is below `level`. O(pixels).
    package func masked(
        by confidence: ConfidenceMap, atLeast level: ConfidenceMap.Level = .medium
    ) -> DepthMap {
        masked(by: confidence.trusted(atLeast: level, size: size))
    }
}
