internal import Imaging

extension PointCloud {
    /// The unit normal at each point, towards the camera; NaN where fewer than four neighbours lie on the point's surface or
    /// all of them on a line.
    ///
    /// The local plane is fitted in inverse depth w = 1/z over the rays, where it is affine, w = a x + b y + c: noise that grows
    /// as z² counts alike everywhere, and (-a, -b, -c) is the normal, for n · P = n · ray / w is then constant. Neighbours
    /// farther than 2 % of the distance from the point's own slope (the gentler of its two sides, along rows and columns) are
    /// another surface's and do not count. O(points · (2 radius + 1)²).
    /// - Parameter radius: of the square window in depth pixels, at least 1.
    public func normals(radius: Int = 2) -> [SIMD3<Float>] {
        precondition(radius >= 1, "a window has neighbours")
        let window = NormalWindow(width: gridSize.width, height: gridSize.height, radius: radius)
        // Ray and inverse depth of each pixel; NaN for none, which no comparison lets in.
        var samples = [SIMD4<Float>](repeating: SIMD4(repeating: .nan), count: gridSize.pixelCount)
        for (point, pixel) in zip(positions, pixelIndices) {
            let w = 1 / point.z
            samples[Int(pixel)] = SIMD4(point.x * w, point.y * w, w, 1)
        }
        return [SIMD3<Float>](unsafeUninitializedCapacity: count) { normals, initialized in
            nonisolated(unsafe) let normals = normals
            pixelIndices.withUnsafeBufferPointer { pixels in
                samples.withUnsafeBufferPointer { samples in
                    nonisolated(unsafe) let (pixels, samples) = (pixels, samples)
                    forEachBand(of: 0..<pixels.count, threading: .allCores, minimumRows: 8192) { range in
                        for index in range {
                            let normal = window.normal(at: Int(pixels[index]), samples: samples)
                            normals.initializeElement(at: index, to: normal)
                        }
                    }
                }
            }
            initialized = count
        }
    }
}

/// Fits the plane of the readings around a pixel.
private struct NormalWindow: Sendable {
    let width: Int
    let height: Int
    let radius: Int

    @inline(__always)
    func normal(at pixel: Int, samples: UnsafeBufferPointer<SIMD4<Float>>) -> SIMD3<Float> {
        let (x, y) = (pixel % width, pixel / width)
        // (ray x, ray y, w, 1) of the pixel itself; relative to it single precision is plenty.
        let here = samples[pixel]
        let slopeX = Self.gentlerSlope(
            from: here, samples[x > 0 ? pixel - 1 : pixel], samples[x < width - 1 ? pixel + 1 : pixel],
            axis: 0)
        let slopeY = Self.gentlerSlope(
            from: here, samples[y > 0 ? pixel - width : pixel],
            samples[y < height - 1 ? pixel + width : pixel],
            axis: 1)
        let origin = SIMD4(here.x, here.y, here.z, 0)
        let reach = 0.02 * here.z

        // Sums of (dx, dy, dw, 1), and of these times dx and dy.
        var sums = SIMD4<Float>.zero
        var sumsX = SIMD4<Float>.zero
        var sumsY = SIMD4<Float>.zero
        for row in max(y - radius, 0)...min(y + radius, height - 1) {
            for column in max(x - radius, 0)...min(x + radius, width - 1) {
                let offset = samples[row * width + column] - origin
                guard abs(offset.z - slopeX * offset.x - slopeY * offset.y) <= reach else { continue }
                sums += offset
                sumsX += offset * offset.x
                sumsY += offset * offset.y
            }
        }
        let n = sums.w
        guard n >= 5 else { return SIMD3(repeating: .nan) }
        let mean = sums / n
        let xx = sumsX.x - sums.x * mean.x
        let xy = sumsX.y - sums.x * mean.y
        let yy = sumsY.y - sums.y * mean.y
        let xw = sumsX.z - sums.x * mean.z
        let yw = sumsY.z - sums.y * mean.z
        let determinant = xx * yy - xy * xy
        guard determinant > 1e-3 * xx * yy else { return SIMD3(repeating: .nan) }
        let a = (yy * xw - xy * yw) / determinant
        let b = (xx * yw - xy * xw) / determinant
        // The fitted plane's w at the pixel, carried to the optical axis.
        let c = here.z + mean.z - a * (mean.x + here.x) - b * (mean.y + here.y)
        let length = (a * a + b * b + c * c).squareRoot()
        return SIMD3(-a / length, -b / length, -c / length)
    }

    /// The change of w for each unit of the ray's x or y towards the neighbour on the gentler side; 0 if there is neither.
    @inline(__always)
    private static func gentlerSlope(
        from here: SIMD4<Float>, _ before: SIMD4<Float>, _ after: SIMD4<Float>, axis: Int
    ) -> Float {
        // At the rim a neighbour is the pixel itself, and 0 / 0 is NaN, as for one without a reading.
        let backward = (before.z - here.z) / (before[axis] - here[axis])
        let forward = (after.z - here.z) / (after[axis] - here[axis])
        let slope = abs(backward) < abs(forward) || forward.isNaN ? backward : forward
        return slope.isNaN ? 0 : slope
    }
}
