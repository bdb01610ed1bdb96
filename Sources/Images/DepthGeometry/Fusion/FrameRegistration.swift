import Platform
package import Imaging
import LinearAlgebra
import RobustStatistics

// How the camera moved between two frames of a still scene.
//
// Problem: depth alone determines a motion along the line of sight, or a tilt, only as well as the sensor's slowly varying
// error allows, and frames aligned by their depth would inherit that error. Their images determine the motion to a fraction
// of a pixel.
//
// Model: each point of the reference frame has the same brightness in the other frame, up to one gain and one offset for
// the whole image (exposure): g I(π(T x)) + b = I_ref.
//
// Method: Gauss-Newton over the six parameters of motion and the two of brightness, from coarse to fine, with Huber's
// weights (Steinbrücker, Sturm and Cremers, "Real-time visual odometry from dense RGB-D images", ICCV Workshops 2011).
//
// Known failures: motions beyond a few hundredths of the image without a pose to start from; surfaces without any pattern;
// glare, which moves with the camera. The first and the last show in the correlation, the second in the error.

/// One frame to be registered: its brightness, its depth, and the camera of both.
package struct RegistrationView: Sendable {
    /// Brightness from coarse to fine.
    let levels: [Level]
    /// Depth in metres, covering the same view as the image.
    package let depth: DepthMap
    /// The camera at the image's size.
    package let camera: Camera
    /// The camera at the depth map's size.
    package let depthCamera: Camera

    struct Level: Sendable {
        var luma: Raster<Float>
        var camera: Camera
    }

    /// The longest side at which brightness is compared. A pattern located to a twentieth of such a pixel gives distances
    /// to about 1 in 5000, better than depth sensors, and takes little time.
    static let longestSide = 512

    /// A frame from its image, depth and camera.
    /// - Precondition: the camera belongs to the image's size, which has at least 32 pixels a side.
    /// - Complexity: O(pixels).
    package init(image: RGBImage, depth: DepthMap, camera: Camera) {
        precondition(camera.intrinsics.imageSize == image.size, "a frame's camera has its picture's size")
        precondition(min(image.width, image.height) >= 32, "a frame has some pixels")
        self.depth = depth
        self.camera = camera
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
    /// The means of blocks of `step` x `step` pixels; incomplete blocks at the right and bottom edges are cut off.
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

/// The motion of a frame relative to a reference frame, and how well it is known.
package struct FrameRegistration: Sendable {
    /// From the reference camera's frame to the other's.
    package var transform: RigidTransform
    /// Correlation of the two images after alignment, -1 to 1. Areas hidden or shining in one of them have little weight.
    package var correlation: Double
    /// The share of the reference's points that the other image shows, 0 to 1.
    package var overlap: Double
    /// Standard error of depths moved by the transform, as a share of the distance.
    package var relativeDepthError: Double

    /// Registers a frame to a reference frame.
    /// - Parameters:
    ///   - view: the frame whose motion is sought.
    ///   - reference: the frame to align it to.
    ///   - start: the motion as far as it is known.
    /// - Returns: nil if the images determine no motion at all.
    /// - Complexity: O(pixels at 512 a side), some tens of passes.
    package init?(
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

    /// The points that a level's pixels show, about 40 000 at most, evenly spread.
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

    /// Runs Gauss-Newton at one level until a step no longer moves anything. False if the pattern determines no motion.
    mutating func refine(_ points: [Point], in level: RegistrationView.Level) -> Bool {
        guard points.count >= 64 else { return false }
        var scale = Double.infinity
        for _ in 0..<30 {
            let system = system(points, in: level, scale: scale)
            guard system.residuals.count >= 64 else { return false }
            // The robust deviation is that of the noise; hidden and shining points lie beyond it.
            scale = max(system.residuals.robustDeviation(), 1e-4)
            guard let factor = try? CholeskyFactorization(of: system.normalMatrix),
                let step = try? factor.solve((0..<8).map { system.gradient[$0] })
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
            // A ten-thousandth of the distance is below any sensor's error; the iteration ends at a hundredth of that.
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
        // Errors of neighbouring pixels are correlated (lens, compression, interpolation) over about three pixels each way:
        // a ninth of the pixels are independent.
        return 3 * scale * (sum / Double(count)).squareRoot()
    }

    /// The normal equations of one step, and the sums that show how well the images match.
    private func system(_ points: [Point], in level: RegistrationView.Level, scale: Double)
        -> PhotometricSystem
    {
        var system = PhotometricSystem(capacity: points.count)
        let camera = level.camera
        let focal = SIMD2(camera.intrinsics.fx, camera.intrinsics.fy)
        level.luma.elements.withUnsafeBufferPointer { luma in
            let brightness = BrightnessReading(luma: luma, width: level.luma.width, height: level.luma.height)
            for point in points {
                let p = transform.apply(point.position)
                guard p.z > 0, let (value, slope) = brightness.read(at: camera.project(p)) else { continue }
                let residual = gain * value + offset - point.luma
                // How brightness changes as the point moves along x, y and z.
                let x = gain * slope.x * focal.x / p.z
                let y = gain * slope.y * focal.y / p.z
                let z = -(x * p.x + y * p.y) / p.z
                let weight = RobustLoss.huberWeight(residual, scale: scale)
                system.add(
                    SIMD8(x, y, z, z * p.y - y * p.z, x * p.z - z * p.x, y * p.x - x * p.y, value, 1),
                    residual: residual, weight: weight)
                system.compare(point.luma, with: value, depth: p.z, weight: weight)
            }
        }
        return system
    }
}
