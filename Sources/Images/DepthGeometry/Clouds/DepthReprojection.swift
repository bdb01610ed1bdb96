import Platform
package import Imaging

extension DepthMap {
    /// Returns the map as another camera beside this one would have measured it.
    ///
    /// Each reading is moved into the other camera's frame and drawn over the pixels that its own pixel covers there. Where
    /// several readings fall on one pixel, the nearest wins, as it hides the others (a z-buffer). So the map has no holes
    /// where it is magnified, and areas that only one of the cameras sees have no reading. Footprints follow librealsense's
    /// `rs2::align`: the corners of a pixel, half a pixel around its centre.
    /// - Parameters:
    ///   - source: the camera of this map, at its size.
    ///   - target: the camera to measure for, at any size.
    ///   - transform: from the source's frame to the target's, metres.
    /// - Returns: a map of the shape of the target's image, no finer than this map: its focal length is at most this map's.
    /// - Precondition: the source's image has the map's size; the map is metric.
    /// - Complexity: O(pixels of the map).
    package func reprojected(
        from source: Camera, to target: Camera, by transform: RigidTransform
    ) -> DepthMap {
        precondition(source.intrinsics.imageSize == size, "a map's camera has the map's size")
        precondition(scale == .metric, "only metres can be moved from camera to camera")
        let factor = min(1, source.intrinsics.fx / target.intrinsics.fx)
        let full = target.intrinsics.imageSize
        let camera = target.scaled(
            to: PixelSize(
                width: max(1, Int((Double(full.width) * factor).rounded())),
                height: max(1, Int((Double(full.height) * factor).rounded()))))
        let (columns, rows) = (camera.intrinsics.imageSize.width, camera.intrinsics.imageSize.height)
        var nearest = Raster<Float>(width: columns, height: rows, filledWith: .infinity)
        let centerRays = source.rays(
            columns: (0..<width).map(Double.init), rows: (0..<height).map(Double.init))
        let cornerRays = source.rays(
            columns: (0...width).map { Double($0) - 0.5 }, rows: (0...height).map { Double($0) - 0.5 })
        for y in 0..<height {
            for x in 0..<width {
                let depth = Double(self[x: x, y: y])
                guard depth > 0 else { continue }
                let point = transform.apply(centerRays[y * width + x] * depth)
                let first = transform.apply(cornerRays[y * (width + 1) + x] * depth)
                let last = transform.apply(cornerRays[(y + 1) * (width + 1) + x + 1] * depth)
                guard point.z > 0, first.z > 0, last.z > 0 else { continue }
                let a = camera.project(first)
                let b = camera.project(last)
                // The pixels whose centres lie within the footprint, plus the pixel that contains a footprint smaller than
                // a pixel.
                let center = (a + b) / 2
                guard
                    let left = Self.pixel(min(a.x, b.x), .up, below: columns),
                    let right = Self.pixel(max(a.x, b.x), .down, below: columns),
                    let top = Self.pixel(min(a.y, b.y), .up, below: rows),
                    let bottom = Self.pixel(max(a.y, b.y), .down, below: rows),
                    let middleColumn = Self.pixel(center.x, .toNearestOrEven, below: columns),
                    let middleRow = Self.pixel(center.y, .toNearestOrEven, below: rows)
                else { continue }
                let z = Float(point.z)
                for row in min(top, middleRow)...max(bottom, middleRow) where row >= 0 && row < rows {
                    for column in min(left, middleColumn)...max(right, middleColumn)
                    where column >= 0 && column < columns {
                        let index = row * columns + column
                        nearest.elements[index] = min(nearest.elements[index], z)
                    }
                }
            }
        }
        return DepthMap(readings: nearest)
    }

    /// Rounds a coordinate to a pixel from -1 (before the first) to `count` (after the last); nil if it is not finite.
    private static func pixel(
        _ place: Double, _ rule: FloatingPointRoundingRule, below count: Int
    ) -> Int? {
        place.isFinite ? Int(min(max(place.rounded(rule), -1), Double(count))) : nil
    }
}

extension Camera {
    /// The rays through a grid of positions, row by row. Inverting a lens model is iterative, so each position is computed
    /// once.
    fileprivate func rays(columns: [Double], rows: [Double]) -> [SIMD3<Double>] {
        rows.flatMap { row in columns.map { ray(through: SIMD2($0, row)) } }
    }
}
