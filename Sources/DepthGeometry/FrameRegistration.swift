import Foundation
public import Imaging
import LinearAlgebra

// How the camera moved between two frames of a still scene.
//
// Problem: depth alone shows a motion along the line of sight, or a tilt, no better than the sensor's slow error lets it,
// and frames laid over each other by their depth would take over that error. Their pictures show it to a fraction of a pixel.
//
// Model: each point of the reference frame has the same brightness in the other frame, up to one gain and one offset of
// the whole picture (exposure): g I(π(T x)) + b = I_ref.
//
// Method: Gauss-Newton over the six numbers of the motion and the two of brightness, from coarse to fine, with Huber's
// weights (Steinbrücker, Sturm and Cremers, "Real-time visual odometry from dense RGB-D images", ICCV Workshops 2011).
//
// Known failures: motions beyond a few hundredths of the picture without a pose to start from; surfaces without any
// pattern; glare, which does not stay where it is. The first and the last show in the correlation, the second in the error.

/// One frame, as it is laid over others: a picture of brightness, depth, and the camera of both.
public struct RegistrationView: Sendable {
    /// Brightness from coarse to fine.
    let levels: [Level]
    /// Depth in metres, covering what the picture shows.
    public let depth: DepthMap
    /// The camera at the depth map's size.
    public let depthCamera: Camera

    struct Level: Sendable {
        var luma: Raster<Float>
        var camera: Camera
    }

    /// The longest side at which brightness is compared: a pattern seen to a twentieth of such a pixel tells distances
    /// to about 1 in 5000, more than depth sensors do, and is quickly done.
    static let longestSide = 512

    /// A frame from its picture, depth and camera.
    /// - Precondition: the camera belongs to the picture's size, which has at least 32 pixels a side.
    /// - Complexity: O(pixels).
    public init(image: RGBImage, depth: DepthMap, camera: Camera) {
        precondition(camera.intrinsics.imageSize == image.size, "a frame's camera has its picture's size")
        precondition(min(image.width, image.height) >= 32, "a frame has some pixels")
        self.depth = depth
        depthCamera = camera.scaled(to: depth.size)
        let longest = max(image.width, image.height)
        let step = (longest + Self.longestSide - 1) / Self.longestSide
        let full = image.gray().map { Float($0) / 255 }
        var level = Level(luma: full, camera: camera).reduced(by: step)
        var levels = [level]
        while min(level.luma.width, level.luma.height) >= 64 {
            level = level.reduced(by: 2)
            levels.append(level)
        }
        self.levels = levels.reversed()
    }
}

extension RegistrationView.Level {
    /// The means of blocks of `step` x `step` pixels; what is left over at the right and lower rim is cut off.
    fileprivate func reduced(by step: Int) -> Self {
        guard step > 1 else { return self }
        let size = PixelSize(width: luma.width / step, height: luma.height / step)
        let scale = 1 / Float(step * step)
        let means = Raster<Float>(width: size.width, height: size.height) { means in
            luma.elements.withUnsafeBufferPointer { luma in
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        var sum: Float = 0
                        for row in y * step..<(y + 1) * step {
                            let start = row * self.luma.width + x * step
                            for index in start..<start + step { sum += luma[index] }
                        }
                        means.initializeElement(at: y * size.width + x, to: sum * scale)
                    }
                }
            }
        }
        let whole = PixelSize(width: size.width * step, height: size.height * step)
        return Self(luma: means, camera: camera.cropped(x: 0, y: 0, size: whole).scaled(to: size))
    }
}

/// How a frame lies to a reference frame, and how well that is known.
public struct FrameRegistration: Sendable {
    /// From the reference camera's frame to the other's.
    public var transform: RigidTransform
    /// Correlation of the two pictures once laid over each other, -1 to 1.
    public var correlation: Double
    /// The share of the reference's points that the other picture shows, 0 to 1.
    public var overlap: Double
    /// Standard error of depths that are moved by the transform, as a share of the distance.
    public var relativeDepthError: Double

    /// Lays a frame over a reference frame.
    /// - Parameters:
    ///   - view: the frame whose place is sought.
    ///   - reference: the frame that it is brought to.
    ///   - start: the motion as far as it is known.
    /// - Returns: nil if the pictures determine no motion at all.
    /// - Complexity: O(pixels at 512 a side), some tens of passes.
    public init?(
        of view: RegistrationView, to reference: RegistrationView,
        startingAt start: RigidTransform = .identity
    ) {
        var fit = PhotometricFit(transform: start)
        for (own, other) in zip(
            reference.levels.suffix(view.levels.count), view.levels.suffix(reference.levels.count))
        {
            let points = PhotometricFit.points(of: own, depth: reference.depth)
            guard fit.refine(points, in: other) else { return nil }
        }
        transform = fit.transform
        correlation = fit.correlation
        overlap = fit.overlap
        relativeDepthError = fit.relativeDepthError
    }
}

/// The state of the iteration.
private struct PhotometricFit {
    var transform: RigidTransform
    var gain = 1.0
    var offset = 0.0
    var correlation = 0.0
    var overlap = 0.0
    var relativeDepthError = Double.infinity

    struct Point {
        var position: SIMD3<Double>
        var luma: Double
    }

    init(transform: RigidTransform) { self.transform = transform }

    /// The points that a level's pixels show, at most some 40 000, evenly spread.
    static func points(of level: RegistrationView.Level, depth: DepthMap) -> [Point] {
        let (width, height) = (level.luma.width, level.luma.height)
        let step = max(1, Int((Double(width * height) / 40_000).squareRoot()))
        let scale = SIMD2(Double(depth.width) / Double(width), Double(depth.height) / Double(height))
        var points: [Point] = []
        for y in stride(from: 0, to: height, by: step) {
            for x in stride(from: 0, to: width, by: step) {
                let pixel = SIMD2(Double(x), Double(y))
                let at = (pixel + 0.5) * scale
                let z = depth[x: min(Int(at.x), depth.width - 1), y: min(Int(at.y), depth.height - 1)]
                guard z > 0 else { continue }
                let position = level.camera.unproject(pixel, depth: Double(z))
                guard position.isFinite else { continue }
                points.append(Point(position: position, luma: Double(level.luma[x: x, y: y])))
            }
        }
        return points
    }

    /// Gauss-Newton at one level until a step moves nothing any more. False if the pattern determines no motion.
    mutating func refine(_ points: [Point], in level: RegistrationView.Level) -> Bool {
        guard points.count >= 64 else { return false }
        var scale = Double.infinity
        for _ in 0..<30 {
            let system = system(points, in: level, scale: scale)
            guard system.residuals.count >= 64 else { return false }
            // The deviation of the middle half is that of the noise; what is hidden or shines lies beyond.
            let sorted = system.residuals.sorted()
            scale = max(1.4826 * sorted[sorted.count / 2], 1e-4)
            guard let factor = try? CholeskyFactorization(of: system.normal),
                let step = try? factor.solve(system.gradient)
            else { return false }
            let turn = -SIMD3(step[3], step[4], step[5])
            let shift = -SIMD3(step[0], step[1], step[2])
            transform = RigidTransform(rotationVector: turn, translation: shift).after(transform)
            gain -= step[6]
            offset -= step[7]
            let distance = system.meanDepth
            correlation = system.correlation
            overlap = Double(system.residuals.count) / Double(points.count)
            relativeDepthError = Self.depthError(factor, points, scale: scale) / distance
            // A ten-thousandth of the distance is less than any sensor's error, a hundredth of that the end of the road.
            if turn.length < 1e-6, shift.length < 1e-6 * distance { break }
        }
        return gain > 0
    }

    /// Standard error of the moved points' depths: dz = t_z + (w x P)_z under the covariance s² (JᵀJ)⁻¹, root mean square.
    private static func depthError(
        _ factor: CholeskyFactorization, _ points: [Point], scale: Double
    ) -> Double {
        var sum = 0.0
        let some = stride(from: 0, to: points.count, by: max(1, points.count / 64))
        var count = 0
        for index in some {
            let point = points[index].position
            let row = [0, 0, 1, point.y, -point.x, 0, 0, 0]
            guard let solved = try? factor.solve(row) else { return .infinity }
            sum += zip(row, solved).reduce(0) { $0 + $1.0 * $1.1 }
            count += 1
        }
        // Neighbouring pixels err together (lens, compression, interpolation), over some three pixels each way: a ninth
        // of them are independent.
        return 3 * scale * (sum / Double(count)).squareRoot()
    }

    private struct System {
        var normal = Matrix(rows: 8, columns: 8)
        var gradient = [Double](repeating: 0, count: 8)
        /// Absolute residuals of the points that the other picture shows.
        var residuals: [Double] = []
        var meanDepth = 0.0
        var correlation = 0.0
    }

    private func system(_ points: [Point], in level: RegistrationView.Level, scale: Double) -> System {
        var system = System()
        system.residuals.reserveCapacity(points.count)
        var sums = [Double](repeating: 0, count: 36)
        var moments = (own: 0.0, other: 0.0, ownSquare: 0.0, otherSquare: 0.0, product: 0.0)
        let camera = level.camera
        let (fx, fy) = (camera.intrinsics.fx, camera.intrinsics.fy)
        let (width, height) = (level.luma.width, level.luma.height)
        level.luma.elements.withUnsafeBufferPointer { luma in
            sums.withUnsafeMutableBufferPointer { sums in
                system.gradient.withUnsafeMutableBufferPointer { gradient in
                    withUnsafeTemporaryAllocation(of: Double.self, capacity: 8) { row in
                        row.initialize(repeating: 0)
                        for point in points {
                            let p = transform.apply(point.position)
                            guard p.z > 0 else { continue }
                            let pixel = camera.project(p)
                            guard pixel.x >= 1, pixel.y >= 1, pixel.x < Double(width - 2),
                                pixel.y < Double(height - 2)
                            else { continue }
                            let (x, y) = (Int(pixel.x), Int(pixel.y))
                            let (u, v) = (pixel.x - Double(x), pixel.y - Double(y))
                            let at = y * width + x
                            func mixed(_ shift: Int) -> Double {
                                let i = at + shift
                                let top = Double(luma[i]) * (1 - u) + Double(luma[i + 1]) * u
                                let bottom =
                                    Double(luma[i + width]) * (1 - u) + Double(luma[i + width + 1]) * u
                                return top * (1 - v) + bottom * v
                            }
                            let value = mixed(0)
                            let slopeX = (mixed(1) - mixed(-1)) / 2
                            let slopeY = (mixed(width) - mixed(-width)) / 2
                            let residual = gain * value + offset - point.luma
                            system.residuals.append(abs(residual))
                            // Huber's weight: beyond 1.345 deviations (95 % efficient for normal noise) linear.
                            let weight = min(1, 1.345 * scale / max(abs(residual), 1e-12))
                            let ix = gain * slopeX * fx / p.z
                            let iy = gain * slopeY * fy / p.z
                            let iz = -(ix * p.x + iy * p.y) / p.z
                            row[0] = ix
                            row[1] = iy
                            row[2] = iz
                            row[3] = iz * p.y - iy * p.z
                            row[4] = ix * p.z - iz * p.x
                            row[5] = iy * p.x - ix * p.y
                            row[6] = value
                            row[7] = 1
                            var index = 0
                            for i in 0..<8 {
                                let weighted = weight * row[i]
                                gradient[i] += weighted * residual
                                for j in 0...i {
                                    sums[index] += weighted * row[j]
                                    index += 1
                                }
                            }
                            system.meanDepth += p.z
                            moments.own += point.luma
                            moments.other += value
                            moments.ownSquare += point.luma * point.luma
                            moments.otherSquare += value * value
                            moments.product += point.luma * value
                        }
                    }
                }
            }
        }
        var index = 0
        for i in 0..<8 {
            for j in 0...i {
                system.normal[i, j] = sums[index]
                system.normal[j, i] = sums[index]
                index += 1
            }
        }
        let count = Double(max(system.residuals.count, 1))
        system.meanDepth /= count
        let covariance = moments.product / count - moments.own / count * moments.other / count
        let variances =
            (moments.ownSquare / count - moments.own * moments.own / count / count)
            * (moments.otherSquare / count - moments.other * moments.other / count / count)
        system.correlation = variances > 0 ? covariance / variances.squareRoot() : 0
        return system
    }
}
