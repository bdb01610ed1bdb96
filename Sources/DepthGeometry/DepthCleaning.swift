import Foundation
public import Imaging

// Removal of readings that lie on no surface.
//
// Problem: at a depth edge a sensor's pixel sees two surfaces and reports something in between ("flying pixels"); where it
// saw next to nothing it reports anything ("isolated readings"). Fixed steps do not find them: on a tilted sheet neighbouring
// readings differ by more than a flying pixel does from a sheet that lies on the table.
//
// Model: in inverse depth w = 1/z a plane is affine in the pixel, and so is its extrapolation. Noise that grows as z² (stereo,
// structured light, disparity) is even in w, so one deviation estimated from the whole map serves everywhere.
//
// Method: a line through the three neighbours on one side predicts the pixel. A reading on a surface is predicted from at least
// one side along the row, and from at least one along the column; a mixed reading is predicted from neither side across its
// edge, though it may be along it, and lies between the two predictions. Where a surface bends, both predictions miss on
// the same side, so there a larger departure is allowed. A side without readings has no say. Readings on a slope as steep as no sheet is seen (a
// blurred edge is a ramp of several mixed pixels, which predict each other) go as well, and last small islands.
//
// Known failures: surfaces narrower than three pixels across; steps smaller than the tolerance, where a mixed reading
// does no harm.

/// What counts as a reading on no surface; see `DepthMap.cleaned(intrinsics:options:)`.
public struct DepthCleaningOptions: Equatable, Sendable {
    /// Departure from the local plane, as a share of the distance, that is always allowed; at least 0.
    public var relativeTolerance = 0.004
    /// Departure allowed in multiples of the prediction's standard deviation under the map's own noise; at least 0.
    public var noiseMultiple = 4.0
    /// Largest angle between surface normal and line of sight in radians, less than pi / 2.
    public var maximumIncidence = 80 * Double.pi / 180
    /// Fewest connected readings that are kept, at least 1.
    public var minimumIslandSize = 12

    /// The defaults.
    public init() {}
}

/// A depth map without the readings on no surface, and how many they were.
public struct CleanedDepth: Equatable, Sendable {
    /// The readings that are left.
    public let depth: DepthMap
    /// How many readings lay between surfaces.
    public let flyingCount: Int
    /// How many readings belonged to islands too small to be a surface.
    public let isolatedCount: Int
    /// The noise's standard deviation in inverse depth (1/metres) from pixel to pixel; times z² that is the depth's, in metres.
    /// Slow errors and holes do not show in it.
    public let inverseDepthNoise: Double
}

extension DepthMap {
    /// The map without flying pixels and isolated readings. O(pixels).
    /// - Parameters:
    ///   - intrinsics: of the picture at any resolution of the same shape; only angles of incidence need them.
    ///   - options: the tolerances.
    public func cleaned(
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
        let test = SurfaceTest(inverse: inverse, intrinsics: camera, noise: noise, options: options)
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

/// Asks for each reading whether it lies on the surfaces around it.
private struct SurfaceTest: Sendable {
    let inverse: Raster<Float>
    private let intrinsics: CameraIntrinsics
    /// Departure always allowed, as a share of w.
    private let relativeTolerance: Float
    /// Departure explained by noise, in w.
    private let noiseTolerance: Float
    /// Slope over three pixels explained by noise, in w per pixel.
    private let slopeMargin: Float
    private let leastCosine: Float

    init(
        inverse: Raster<Float>, intrinsics: CameraIntrinsics, noise: Double, options: DepthCleaningOptions
    ) {
        self.inverse = inverse
        self.intrinsics = intrinsics
        relativeTolerance = Float(options.relativeTolerance)
        // A line through three values extrapolates noise by sqrt(21 / 9), beside the pixel's own.
        noiseTolerance = Float(options.noiseMultiple * noise * (1 + 21.0 / 9).squareRoot())
        slopeMargin = Float(options.noiseMultiple * noise * 2.0.squareRoot() / 3)
        leastCosine = Float(cos(options.maximumIncidence))
    }

    func flyingPixels() -> Raster<Bool> {
        let (width, height) = (inverse.width, inverse.height)
        return Raster(width: width, height: height) { isFlying in
            nonisolated(unsafe) let isFlying = isFlying
            inverse.elements.withUnsafeBufferPointer { inverse in
                nonisolated(unsafe) let inverse = inverse
                forEachBand(of: 0..<height, threading: .allCores) { rows in
                    for y in rows {
                        for x in 0..<width {
                            let index = y * width + x
                            isFlying.initializeElement(at: index, to: self.isFlying(inverse, x, y))
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

        // The normal in ray coordinates is the gradient of w; w = n · ray up to the plane's distance.
        let rayX = (Float(x) - Float(intrinsics.cx)) / Float(intrinsics.fx)
        let rayY = (Float(y) - Float(intrinsics.cy)) / Float(intrinsics.fy)
        // Slopes over three pixels, less what noise alone makes of them.
        let slopeX = max(across.slope - slopeMargin, 0) * Float(intrinsics.fx)
        let slopeY = max(down.slope - slopeMargin, 0) * Float(intrinsics.fy)
        // Signs matter little next to the slopes that are looked for, and the smaller value keeps the reading.
        let along = max(here - slopeX * abs(rayX) - slopeY * abs(rayY), 0)
        let length = (slopeX * slopeX + slopeY * slopeY + along * along).squareRoot()
        let ray = (rayX * rayX + rayY * rayY + 1).squareRoot()
        return here < leastCosine * length * ray
    }

    /// What the neighbours along one axis say of a reading.
    private struct Axis {
        /// The smaller departure from the lines through the neighbours on either side, less where it may be a bend; 0 if
        /// neither side has a say.
        var departure: Float = 0
        /// The smaller steepness towards either side, per pixel; 0 if neither has a say.
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
            // The standard minimum returns the other one for NaN.
            let nearest = Float.minimum(abs(departures.0), abs(departures.1))
            if nearest.isNaN {
                departure = 0
            } else if departures.0.isNaN || departures.1.isNaN {
                // One side only: it may be a surface that bends.
                departure = nearest / 2
            } else {
                // Between the predictions, or beyond both as on a bend (where more than four tolerances is a spike).
                departure = departures.0 * departures.1 < 0 ? nearest : nearest / 4
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
            // The least-squares line through places 1, 2, 3, at place 0.
            departure = (4 * a + b - 2 * c) * (1 / 3) - here
            slope = abs(c - here) * (1 / 3)
        }
    }
}

extension Raster where Element == Float {
    /// The standard deviation of noise from pixel to pixel along rows, from second differences, which no plane changes.
    ///
    /// By the 80th percentile of up to about 16000 of them: edges are rarer than that, and the steps of quantised readings,
    /// which leave the median at 0, commoner.
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
        differences.sort()
        let percentile = differences[Swift.min(differences.count * 4 / 5, differences.count - 1)]
        // 80 % of normal numbers lie within 1.2816 deviations, and the weights 1, -2, 1 make sqrt 6 of one.
        return Double(percentile) / (1.2816 * 6.0.squareRoot())
    }

    /// Makes NaN what is not connected to at least `size` readings; returns how many that were.
    ///
    /// Neighbours (of 8) are connected if their depths differ by at most 5 %. Union-find over one pass. O(pixels).
    fileprivate mutating func removeIslands(smallerThan size: Int) -> Int {
        let (width, height) = (width, height)
        var removed = 0
        var parents = [Int32](repeating: 0, count: elements.count)
        var sizes = [Int32](repeating: 0, count: elements.count)
        elements.withUnsafeMutableBufferPointer { depths in
            parents.withUnsafeMutableBufferPointer { parents in
                for y in 0..<height {
                    for x in 0..<width {
                        let index = y * width + x
                        parents[index] = Int32(truncatingIfNeeded: index)
                        let depth = depths[index]
                        guard depth == depth else { continue }
                        let reach = 0.05 * depth
                        // Comparisons with NaN are false.
                        if x > 0, abs(depths[index - 1] - depth) <= reach {
                            Self.join(parents, index, index - 1)
                        }
                        guard y > 0 else { continue }
                        let above = index - width
                        if abs(depths[above] - depth) <= reach { Self.join(parents, index, above) }
                        if x > 0, abs(depths[above - 1] - depth) <= reach {
                            Self.join(parents, index, above - 1)
                        }
                        if x + 1 < width, abs(depths[above + 1] - depth) <= reach {
                            Self.join(parents, index, above + 1)
                        }
                    }
                }
                sizes.withUnsafeMutableBufferPointer { sizes in
                    for index in depths.indices where depths[index] == depths[index] {
                        sizes[Self.root(parents, index)] += 1
                    }
                    for index in depths.indices where depths[index] == depths[index] {
                        guard sizes[Self.root(parents, index)] < size else { continue }
                        depths[index] = .nan
                        removed += 1
                    }
                }
            }
        }
        return removed
    }

    /// The island that a pixel belongs to, by its first pixel; paths are halved on the way.
    @inline(__always)
    private static func root(_ parents: UnsafeMutableBufferPointer<Int32>, _ index: Int) -> Int {
        var index = index
        while Int(parents[index]) != index {
            parents[index] = parents[Int(parents[index])]
            index = Int(parents[index])
        }
        return index
    }

    @inline(__always)
    private static func join(_ parents: UnsafeMutableBufferPointer<Int32>, _ a: Int, _ b: Int) {
        // Most neighbours are joined already, by their common one.
        if parents[a] == parents[b] { return }
        let (first, second) = (root(parents, a), root(parents, b))
        if first < second {
            parents[second] = Int32(truncatingIfNeeded: first)
        } else {
            parents[first] = Int32(truncatingIfNeeded: second)
        }
    }
}
