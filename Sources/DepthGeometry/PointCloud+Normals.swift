internal import Imaging

extension PointCloud {
    /// The unit normal at each point, towards the camera; NaN where fewer than four neighbours lie on the point's surface or
    /// all of them on a line.
    ///
    /// The local plane is fitted in inverse depth w = 1/z over the rays, where it is affine, w = a x + b y + c: noise that grows
    /// as z² counts alike everywhere, and (-a, -b, -c) is the normal, for n · P = n · ray / w is then constant. Neighbours
    /// farther than 2 % of the distance from the point's own slope (the gentler of its two sides, along rows and columns) are
    /// another surface's and do not count.
    /// O(points · (2 radius + 1)²).
    /// - Parameters:
    ///   - radius: of the square window in depth pixels, at least 1.
    public func normals(radius: Int = 2) -> [SIMD3<Float>] {
        precondition(radius >= 1, "a window has neighbours")
        // From pixel to point; -1 for none.
        var numbers = [Int32](repeating: -1, count: gridSize.pixelCount)
        for (number, pixel) in pixelIndices.enumerated() {
            numbers[Int(pixel)] = Int32(truncatingIfNeeded: number)
        }
        let window = NormalWindow(width: gridSize.width, height: gridSize.height, radius: radius)

        return [SIMD3<Float>](unsafeUninitializedCapacity: count) { normals, initialized in
            nonisolated(unsafe) let normals = normals
            positions.withUnsafeBufferPointer { positions in
                pixelIndices.withUnsafeBufferPointer { pixels in
                    numbers.withUnsafeBufferPointer { numbers in
                        nonisolated(unsafe) let (positions, pixels, numbers) = (positions, pixels, numbers)
                        forEachBand(of: 0..<positions.count, threading: .allCores, minimumRows: 8192) {
                            range in
                            for index in range {
                                let normal = window.normal(
                                    at: Int(pixels[index]), positions: positions, numbers: numbers)
                                normals.initializeElement(at: index, to: normal)
                            }
                        }
                    }
                }
            }
            initialized = count
        }
    }
}

/// Fits the plane of the points around a pixel.
private struct NormalWindow: Sendable {
    let width: Int
    let height: Int
    let radius: Int

    /// The change of w from the pixel to its neighbour on the gentler side, per ray unit along the step; 0 if it has neither.
    @inline(__always)
    private func gentlerSlope(
        _ pixel: Int, step: Int, hasBefore: Bool, hasAfter: Bool, axis: Int, w0: Float, ray: Float,
        positions: UnsafeBufferPointer<SIMD3<Float>>, numbers: UnsafeBufferPointer<Int32>
    ) -> Float {
        var slope = Float.infinity
        for side in 0..<2 {
            guard side == 0 ? hasBefore : hasAfter else { continue }
            let number = numbers[side == 0 ? pixel - step : pixel + step]
            guard number >= 0 else { continue }
            let point = positions[Int(number)]
            let w = 1 / point.z
            let next = (w - w0) / (point[axis] * w - ray)
            if abs(next) < abs(slope) { slope = next }
        }
        return slope.isFinite ? slope : 0
    }

    @inline(__always)
    func normal(
        at pixel: Int, positions: UnsafeBufferPointer<SIMD3<Float>>, numbers: UnsafeBufferPointer<Int32>
    ) -> SIMD3<Float> {
        let (x, y) = (pixel % width, pixel / width)
        let center = positions[Int(numbers[pixel])]
        let w0 = 1 / center.z
        let (x0, y0) = (center.x * w0, center.y * w0)
        let slopeX = gentlerSlope(
            pixel, step: 1, hasBefore: x > 0, hasAfter: x < width - 1, axis: 0, w0: w0, ray: x0,
            positions: positions, numbers: numbers)
        let slopeY = gentlerSlope(
            pixel, step: width, hasBefore: y > 0, hasAfter: y < height - 1, axis: 1, w0: w0, ray: y0,
            positions: positions, numbers: numbers)
        // Sums over the neighbours, all relative to the pixel itself, so that single precision is plenty.
        var (n, sx, sy, sw): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var (sxx, sxy, syy, sxw, syw): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
        for row in max(y - radius, 0)...min(y + radius, height - 1) {
            for column in max(x - radius, 0)...min(x + radius, width - 1) {
                let number = numbers[row * width + column]
                guard number >= 0 else { continue }
                let point = positions[Int(number)]
                let w = 1 / point.z
                let dx = point.x * w - x0
                let dy = point.y * w - y0
                let dw = w - w0
                guard abs(dw - slopeX * dx - slopeY * dy) <= 0.02 * w0 else { continue }
                n += 1
                sx += dx
                sy += dy
                sw += dw
                sxx += dx * dx
                sxy += dx * dy
                syy += dy * dy
                sxw += dx * dw
                syw += dy * dw
            }
        }
        guard n >= 5 else { return SIMD3(repeating: .nan) }
        let xx = sxx - sx * sx / n
        let xy = sxy - sx * sy / n
        let yy = syy - sy * sy / n
        let xw = sxw - sx * sw / n
        let yw = syw - sy * sw / n
        let determinant = xx * yy - xy * xy
        guard determinant > 1e-3 * xx * yy else { return SIMD3(repeating: .nan) }
        let a = (yy * xw - xy * yw) / determinant
        let b = (xx * yw - xy * xw) / determinant
        // The fitted plane's w at the pixel, carried to the optical axis.
        let c = w0 + (sw - a * sx - b * sy) / n - a * x0 - b * y0
        let length = (a * a + b * b + c * c).squareRoot()
        return SIMD3(-a / length, -b / length, -c / length)
    }
}
