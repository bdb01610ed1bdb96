import Parallelism
import DepthGeometry
import Foundation
import Imaging
import RobustStatistics

/// Simulates a sensor's readings from true depth.
struct DepthSimulation {
    let sensor: DepthSensor
    /// The depth camera.
    let camera: CameraIntrinsics
    let pose: CameraPose
    let mesh: SheetMesh
    let table: TableTop
    /// The seed of the table, which all shots share.
    let seed: UInt64
    /// The seed of the noise, which differs from shot to shot.
    let noiseSeed: UInt64
    let threading: Threading

    /// Readings in metres, NaN = none.
    func readings() -> Raster<Float> {
        switch sensor.kind {
        case .perfect:
            return trueDepth(camera).depth
        case .structuredLight:
            return structuredLight()
        case .lidar:
            return lidar()
        case .stereo:
            return stereo()
        case .timeOfFlight:
            return timeOfFlight()
        }
    }

    // MARK: The truth

    struct TrueDepth {
        /// z-depth in metres.
        var depth: Raster<Float>
        /// True on either side of the sheet, false on the table.
        var isSheet: Raster<Bool>
    }

    /// Computes the depth along the rays through the pixels' centres; NaN beyond the table's horizon.
    func trueDepth(_ camera: CameraIntrinsics) -> TrueDepth {
        let width = camera.imageSize.width
        let height = camera.imageSize.height
        let rasterizer = SheetRasterizer(mesh: mesh, camera: camera, pose: pose)
        let eye = pose.position
        var isSheet = Array(repeating: false, count: width * height)
        let depth = Raster<Float>(width: width, height: height) { depth in
            depth.initialize(repeating: .nan)
            let depth = DisjointRows(depth, rowLength: width)
            isSheet.withUnsafeMutableBufferPointer { isSheet in
                let isSheet = DisjointRows(isSheet, rowLength: width)
                forEachBand(of: 0..<height, threading: threading, minimumRows: 32) { rows in
                    let hits = SheetRasterizer.Hits(capacity: width * rows.count)
                    defer { hits.deallocate() }
                    _ = rasterizer.draw(lines: rows, width: width, into: hits)
                    for y in rows {
                        let (depth, isSheet) = (depth[y], isSheet[y])
                        for x in 0..<width {
                            let inverse = hits.inverseDepth[(y - rows.lowerBound) * width + x]
                            if inverse != 0 {
                                depth[x] = 1 / abs(inverse)
                                isSheet[x] = true
                                continue
                            }
                            let ray = pose.directionInTable(camera.ray(through: SIMD2(Double(x), Double(y))))
                            // The ray's z in the camera frame is 1, so its length to the table is the depth.
                            if let hit = table.hit(from: eye, along: ray) { depth[x] = Float(hit.length) }
                        }
                    }
                }
            }
        }
        return TrueDepth(depth: depth, isSheet: Raster(width: width, height: height, elements: isSheet))
    }

    // MARK: Structured light

    private func structuredLight() -> Raster<Float> {
        let truth = trueDepth(camera)
        let width = camera.imageSize.width
        let height = camera.imageSize.height
        let noise = correlatedNoise(width: width, height: height, deviation: 0.8)
        let clumps = correlatedNoise(width: width, height: height, deviation: 1.6, stream: 7)
        let hashes = NoiseHash.mix(noiseSeed ^ 0xD0)
        var readings = truth.depth
        let eye = pose.position
        for y in 0..<height {
            for x in 0..<width {
                let at = y * width + x
                let z = truth.depth.elements[at]
                guard z.isFinite else { continue }
                var reported = z
                let random = NoiseHash.uniform(hashes, UInt64(at))
                if let other = depthAcrossEdge(truth.depth, x, y) {
                    // The matching window sees front and back at once.
                    if random < 0.5 {
                        readings.elements[at] = .nan
                        continue
                    }
                    if random < 0.7 { reported = z + (other - z) * (random - 0.5) * 5 }
                }
                if slant(truth.depth, x, y) < 0.2079 {
                    readings.elements[at] = .nan
                    continue
                }
                if !truth.isSheet.elements[at] {
                    let ray = pose.directionInTable(camera.ray(through: SIMD2(Double(x), Double(y))))
                    let missing = Self.missing(at: table.luminance(from: eye, along: ray, seed: seed))
                    // Holes come in clumps: a reading is missing where smooth noise exceeds the quantile that removes up to a
                    // third of the readings.
                    if missing > 0, clumps[at] > 1.6 - 1.2 * missing {
                        readings.elements[at] = .nan
                        continue
                    }
                }
                readings.elements[at] = reported + Float(sensor.noise(atDepth: Double(z))) * noise[at]
            }
        }
        return readings
    }

    /// How much light a dark place lacks, 0 to 1: readings are missing where less than 8 % is reflected.
    static func missing(at luminance: Float) -> Float {
        min(max((leastReturn - luminance) / leastReturn, 0), 1)
    }

    /// The share of light that must be reflected for all readings to be present.
    private static let leastReturn: Float = 0.08

    /// Returns the depth beyond an edge beside a pixel: where 1/z, which is affine on planes, bends by more than 5 mm of
    /// depth.
    func depthAcrossEdge(_ depth: Raster<Float>, _ x: Int, _ y: Int) -> Float? {
        let here = depth.elements[y * depth.width + x]
        let limit = 0.005 / (here * here)
        for (dx, dy) in [(1, 0), (0, 1)] {
            guard x - dx >= 0, y - dy >= 0, x + dx < depth.width, y + dy < depth.height else { continue }
            let before = depth.elements[(y - dy) * depth.width + x - dx]
            let after = depth.elements[(y + dy) * depth.width + x + dx]
            if abs(1 / before + 1 / after - 2 / here) > limit {
                return abs(before - here) > abs(after - here) ? before : after
            }
        }
        return nil
    }

    /// Returns the cosine between a pixel's ray and the surface normal there, from the neighbouring depths.
    func slant(_ depth: Raster<Float>, _ x: Int, _ y: Int) -> Double {
        let left = max(x - 1, 0)
        let right = min(x + 1, depth.width - 1)
        let above = max(y - 1, 0)
        let below = min(y + 1, depth.height - 1)
        func point(_ x: Int, _ y: Int) -> SIMD3<Double> {
            camera.unproject(
                SIMD2(Double(x), Double(y)), depth: Double(depth.elements[y * depth.width + x]))
        }
        let a = point(right, y) - point(left, y)
        let b = point(x, below) - point(x, above)
        let normal = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        let ray = camera.ray(through: SIMD2(Double(x), Double(y)))
        let lengths = (normal * normal).sum() * (ray * ray).sum()
        return lengths > 0 ? abs((normal * ray).sum()) / lengths.squareRoot() : 1
    }

    /// Returns Gaussian noise of deviation 1: white noise blurred by a Gaussian of `deviation` pixels.
    func correlatedNoise(width: Int, height: Int, deviation: Double, stream: UInt64 = 3) -> [Float] {
        let reach = Int((3 * deviation).rounded(.up))
        let padded = width + 2 * reach
        let white = (0..<padded * (height + 2 * reach)).map {
            NoiseHash.normal(NoiseHash.mix(noiseSeed &+ stream), UInt64($0))
        }
        let kernel = gaussian(deviation: deviation, reach: reach)
        let smooth = Self.filtered(white, width: padded, height: height + 2 * reach, kernel: kernel)
        // White noise filtered by a separable kernel has as its variance the square of the kernel's sum of squares.
        let gain = 1 / kernel.reduce(0) { $0 + $1 * $1 }
        var cropped: [Float] = []
        cropped.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width { cropped.append(smooth[(y + reach) * padded + x + reach] * gain) }
        }
        return cropped
    }

    // MARK: LiDAR

    private func lidar() -> Raster<Float> {
        let width = camera.imageSize.width
        let height = camera.imageSize.height
        // Twice the resolution, so that edges mix in proportion to their share of a pixel.
        let fine = camera.scaled(to: PixelSize(width: 2 * width, height: 2 * height))
        var depth = trueDepth(fine).depth.elements
        for index in depth.indices where depth[index].isNaN { depth[index] = 5 }
        let kernel = gaussian(deviation: 2, reach: 6)
        let smooth = Self.filtered(depth, width: 2 * width, height: 2 * height, kernel: kernel)
        let bias = slowField(width: width, height: height, wavelengths: 80..<240)
        let hashes = NoiseHash.mix(noiseSeed ^ 0x11DA)
        var readings: [Float] = []
        readings.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width {
                let at = 4 * y * width + 2 * x
                let mean =
                    (smooth[at] + smooth[at + 1] + smooth[at + 2 * width] + smooth[at + 2 * width + 1]) / 4
                let place = y * width + x
                let noise =
                    Float(sensor.noise(atDepth: Double(mean))) * NoiseHash.normal(hashes, UInt64(place))
                readings.append(mean + Float(sensor.bias(atDepth: Double(mean))) * bias[place] + noise)
            }
        }
        return Raster(width: width, height: height, elements: readings)
    }

    /// Returns a smooth random field of deviation 1: waves in all directions, with these wavelengths in pixels.
    func slowField(width: Int, height: Int, wavelengths: Range<Double>) -> [Float] {
        let own = waves(width: width, height: height, wavelengths, seed: noiseSeed)
        let share = sensor.sharedBias
        guard share > 0 else { return own }
        let shared = waves(width: width, height: height, wavelengths, seed: NoiseHash.mix(seed ^ 0x5A))
        let (a, b) = (Float((1 - share).squareRoot()), Float(share.squareRoot()))
        return zip(own, shared).map { a * $0 + b * $1 }
    }

    private func waves(width: Int, height: Int, _ wavelengths: Range<Double>, seed: UInt64) -> [Float] {
        var generator = SplitMix64(seed: seed).generator(for: "depth bias")
        let count = 24
        let waves = (0..<count).map { _ in
            let frequency = 2 * Double.pi / generator.uniform(wavelengths)
            let direction = generator.uniform(0..<2 * .pi)
            return (
                x: frequency * cos(direction), y: frequency * sin(direction),
                phase: generator.uniform(0..<2 * .pi)
            )
        }
        let height1 = (2 / Double(count)).squareRoot()
        return (0..<width * height).map { index in
            let x = Double(index % width)
            let y = Double(index / width)
            var sum = 0.0
            for wave in waves { sum += cos(wave.x * x + wave.y * y + wave.phase) }
            return Float(height1 * sum)
        }
    }

    // MARK: Filters

    func gaussian(deviation: Double, reach: Int) -> [Float] {
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let total = weights.reduce(0, +)
        return weights.map { Float($0 / total) }
    }

    /// Filters `values` with a kernel of odd length along both axes; values at the edge are repeated beyond it.
    static func filtered(_ values: [Float], width: Int, height: Int, kernel: [Float]) -> [Float] {
        let reach = kernel.count / 2
        func pass(_ from: [Float], count: Int, step: Int, lines: Int, lineStep: Int) -> [Float] {
            Array(unsafeUninitializedCapacity: from.count) { to, filled in
                from.withUnsafeBufferPointer { from in
                    kernel.withUnsafeBufferPointer { kernel in
                        for line in 0..<lines {
                            for index in 0..<count {
                                var sum: Float = 0
                                for tap in -reach...reach {
                                    let place = min(max(index + tap, 0), count - 1)
                                    sum += kernel[tap + reach] * from[line * lineStep + place * step]
                                }
                                to[line * lineStep + index * step] = sum
                            }
                        }
                    }
                }
                filled = from.count
            }
        }
        let across = pass(values, count: width, step: 1, lines: height, lineStep: width)
        return pass(across, count: height, step: width, lines: width, lineStep: 1)
    }
}
