import Parallelism
import Platform
package import Imaging
import RobustStatistics

// Removal of readings that lie on no surface.
//
// Problem: at a depth edge a sensor's pixel sees two surfaces and reports a depth in between ("flying pixels"); where it
// sees almost nothing it reports any depth ("isolated readings"). A fixed limit on depth steps does not find them:
// neighbouring readings on a tilted sheet can differ by more than a flying pixel differs from a sheet that lies on the
// table.
//
// Model: in inverse depth w = 1/z a plane is affine in the pixel, and so is its extrapolation. Noise that grows as z²
// (stereo, structured light, disparity) is uniform in w, so one standard deviation estimated from the whole map is valid
// everywhere.
//
// Method: a line through the three neighbours on one side predicts the pixel. A reading on a surface is predicted from at
// least one side along the row, and from at least one along the column. A mixed reading lies between the two predictions
// across its edge and matches neither, though it may match those along the edge. Where a surface bends, both predictions
// miss on the same side; there only readings that also stick out of every line through them are removed (`SpikeTest`, as
// inside a sheet's outline). A side without readings is ignored. Readings on a slope steeper than any sheet is seen at are
// removed as well (a blurred edge is a ramp of several mixed pixels that predict each other), and small islands last.
//
// Known failures: surfaces narrower than three pixels; steps smaller than the tolerance, where a mixed reading does no
// harm.

/// The limits for readings on no surface; see `DepthMap.cleaned(intrinsics:options:)`.
package struct DepthCleaningOptions: Equatable, Sendable {
    /// Deviation from the local plane that is always allowed, as a share of the distance; at least 0.
    package var relativeTolerance = 0.004
    /// Deviation allowed, in standard deviations of the prediction under the map's own noise; at least 0.
    package var noiseMultiple = 4.0
    /// Largest angle between surface normal and line of sight in radians, less than pi / 2.
    package var maximumIncidence = 80 * Double.pi / 180
    /// Fewest connected readings to keep, at least 1.
    package var minimumIslandSize = 12

    /// The defaults.
    package init() {}
}

/// A depth map without the readings on no surface, and the number of readings removed.
package struct CleanedDepth: Equatable, Sendable {
    /// The readings that are left.
    package let depth: DepthMap
    /// How many readings lay between surfaces.
    package let flyingCount: Int
    /// How many readings belonged to islands too small to be a surface.
    package let isolatedCount: Int
    /// Standard deviation of the pixel-to-pixel noise in inverse depth (1/metres); times z² it is the depth's, in metres.
    /// Slowly varying errors and holes do not contribute.
    package let inverseDepthNoise: Double
}

extension DepthMap {
    /// The map without flying pixels and isolated readings. O(pixels).
    /// - Parameters:
    ///   - intrinsics: of the image at any resolution of the same shape; used only for angles of incidence.
    ///   - options: the tolerances.
    package func cleaned(
        intrinsics: CameraIntrinsics, options: DepthCleaningOptions = DepthCleaningOptions()
    ) -> CleanedDepth {
        precondition(
            options.relativeTolerance >= 0 && options.noiseMultiple >= 0, "tolerances are at least 0")
        precondition(
            options.maximumIncidence > 0 && options.maximumIncidence < .pi / 2, "an incidence is below pi / 2"
        )
        let camera = intrinsics.scaled(to: size)
        let inverse = values.map { 1 / $0 }
        let noise = inverse.rowNoise()
        let test = SurfaceTest(
            depth: self, inverse: inverse, intrinsics: camera, noise: noise, options: options)
        let isFlying = test.flyingPixels()
        var kept = values
        var flyingCount = 0
        kept.elements.withUnsafeMutableBufferPointer { kept in
            for (index, isFlying) in isFlying.elements.enumerated() where isFlying {
                kept[index] = .nan
                flyingCount += 1
            }
        }
        let isolatedCount = kept.removeIslands(smallerThan: options.minimumIslandSize)
        return CleanedDepth(
            depth: DepthMap(readings: kept, scale: scale), flyingCount: flyingCount,
            isolatedCount: isolatedCount, inverseDepthNoise: noise)
    }
}

/// Tests for each reading whether it lies on the surfaces around it.
private struct SurfaceTest: Sendable {
    private let depth: DepthMap
    private let inverse: Raster<Float>
    private let spikes: SpikeTest
    private let intrinsics: CameraIntrinsics
    /// Deviation always allowed, as a share of w.
    private let relativeTolerance: Float
    /// Deviation explained by noise, in w.
    private let noiseTolerance: Float
    /// Slope over three pixels explained by noise, in w per pixel.
    private let slopeMargin: Float
    private let leastCosine: Float

    init(
        depth: DepthMap, inverse: Raster<Float>, intrinsics: CameraIntrinsics, noise: Double,
        options: DepthCleaningOptions
    ) {
        self.depth = depth
        self.inverse = inverse
        spikes = SpikeTest(of: depth, columns: 0..<depth.width, rows: 0..<depth.height)
        self.intrinsics = intrinsics
        relativeTolerance = Float(options.relativeTolerance)
        // A line through three values extrapolates their noise times sqrt(21 / 9); the pixel's own noise adds to it.
        noiseTolerance = Float(options.noiseMultiple * noise * (1 + 21.0 / 9).squareRoot())
        slopeMargin = Float(options.noiseMultiple * noise * 2.0.squareRoot() / 3)
        leastCosine = Float(cos(options.maximumIncidence))
    }

    func flyingPixels() -> Raster<Bool> {
        let (width, height) = (inverse.width, inverse.height)
        return Raster(width: width, height: height) { isFlying in
            let isFlying = DisjointRows(isFlying, rowLength: width)
            forEachBand(of: 0..<height, threading: .allCores) { rows in
                inverse.elements.withUnsafeBufferPointer { inverse in
                    for y in rows {
                        let row = isFlying[y]
                        for x in 0..<width {
                            row.initializeElement(at: x, to: self.isFlying(inverse, x, y))
                        }
                    }
                }
            }
        }
    }

    private func isFlying(_ inverse: UnsafeBufferPointer<Float>, _ x: Int, _ y: Int) -> Bool {
        let width = self.inverse.width
        let index = y * width + x
        let here = inverse[index]
        guard here == here else { return false }
        let across = Axis(inverse, at: index, step: 1, before: x, after: width - 1 - x)
        let down = Axis(inverse, at: index, step: width, before: y, after: self.inverse.height - 1 - y)
        let tolerance = max(relativeTolerance * here, noiseTolerance)
        if across.departure > tolerance || down.departure > tolerance { return true }
        if across.miss > tolerance || down.miss > tolerance, isSpike(x, y) { return true }

        // The normal in ray coordinates is the gradient of w; w = n · ray up to the plane's distance.
        let rayX = (Float(x) - Float(intrinsics.cx)) / Float(intrinsics.fx)
        let rayY = (Float(y) - Float(intrinsics.cy)) / Float(intrinsics.fy)
        // Slopes over three pixels, minus what noise alone contributes.
        let slopeX = max(across.slope - slopeMargin, 0) * Float(intrinsics.fx)
        let slopeY = max(down.slope - slopeMargin, 0) * Float(intrinsics.fy)
        // The signs matter little for slopes this steep, and the smaller value keeps the reading.
        let along = max(here - slopeX * abs(rayX) - slopeY * abs(rayY), 0)
        let length = (slopeX * slopeX + slopeY * slopeY + along * along).squareRoot()
        let ray = (rayX * rayX + rayY * rayY + 1).squareRoot()
        return here < leastCosine * length * ray
    }

    private func isSpike(_ x: Int, _ y: Int) -> Bool {
        depth.values.elements.withUnsafeBufferPointer { values in
            spikes.isSpike(values, width: depth.width, height: depth.height, x: x, y: y)
        }
    }

    /// How a reading compares with its neighbours along one axis.
    private struct Axis {
        /// The smaller deviation from the lines through the neighbours on either side; 0 if neither side has enough
        /// readings.
        var miss: Float = 0
        /// The same if the reading lies between the two lines; half of it if only one side has readings; 0 where it may be
        /// a bend.
        var departure: Float = 0
        /// The smaller steepness towards either side, per pixel; 0 if neither side has readings.
        var slope: Float = 0

        @inline(__always)
        init(_ values: UnsafeBufferPointer<Float>, at index: Int, step: Int, before: Int, after: Int) {
            let here = values[index]
            var departures = (Float.nan, Float.nan)
            var slopes = (Float.nan, Float.nan)
            if before >= 3 {
                Self.look(values, here, index, -step, &departures.0, &slopes.0)
            }
            if after >= 3 {
                Self.look(values, here, index, step, &departures.1, &slopes.1)
            }
            // `Float.minimum` ignores NaN: it returns the other value.
            let nearest = Float.minimum(abs(departures.0), abs(departures.1))
            if !nearest.isNaN {
                miss = nearest
                if departures.0.isNaN || departures.1.isNaN {
                    // Only one side has readings: it may be a surface that bends.
                    departure = nearest / 2
                } else if departures.0 * departures.1 < 0 {
                    departure = nearest
                }
            }
            slope = Float.minimum(slopes.0, slopes.1)
            if slope.isNaN { slope = 0 }
        }

        @inline(__always)
        private static func look(
            _ values: UnsafeBufferPointer<Float>, _ here: Float, _ index: Int, _ step: Int,
            _ departure: inout Float, _ slope: inout Float
        ) {
            let (a, b, c) = (values[index + step], values[index + 2 * step], values[index + 3 * step])
            // The least-squares line through positions 1, 2, 3, evaluated at position 0.
            departure = (4 * a + b - 2 * c) * (1 / 3) - here
            slope = abs(c - here) * (1 / 3)
        }
    }
}

extension Raster where Element == Float {
    /// The standard deviation of noise from pixel to pixel along rows, from second differences, which are 0 on any plane.
    ///
    /// Uses the 80th percentile of up to about 16000 differences: edges are rarer than the remaining 20 %, and the steps of
    /// quantised readings, which leave the median at 0, are more common.
    fileprivate func rowNoise() -> Double {
        let stride = Swift.max(elements.count / 16384, 1)
        var differences: [Float] = []
        var index = 1
        while index < elements.count - 1 {
            let column = index % width
            if column > 0, column < width - 1 {
                let difference = abs(elements[index - 1] - 2 * elements[index] + elements[index + 1])
                if !difference.isNaN { differences.append(difference) }
            }
            index += stride
        }
        guard !differences.isEmpty else { return 0 }
        let percentile = differences.selectRank(Swift.min(differences.count * 4 / 5, differences.count - 1))
        // 80 % of normally distributed numbers lie within 1.2816 deviations; the weights 1, -2, 1 multiply the deviation by
        // sqrt 6.
        return Double(percentile) / (1.2816 * 6.0.squareRoot())
    }
}
