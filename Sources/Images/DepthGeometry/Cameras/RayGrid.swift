import Imaging

/// The rays of all pixels of a depth map, as (x, y) with z = 1, computed row by row.
struct RayGrid {
    private let camera: Camera
    private let size: PixelSize

    /// Creates the rays of a camera; its parameters may belong to another size of the same image.
    init(camera: Camera, size: PixelSize) {
        self.camera = size == camera.intrinsics.imageSize ? camera : camera.scaled(to: size)
        self.size = size
    }

    /// Calls `body` for each row from the top with a function that gives the ray of a column.
    @inline(__always)
    func forEachRow(_ body: (_ y: Int, _ ray: (Int) -> SIMD2<Float>) -> Void) {
        let intrinsics = camera.intrinsics
        if let distortion = camera.distortion {
            var row = [SIMD2<Float>](repeating: .zero, count: size.width)
            for y in 0..<size.height {
                fill(&row, y: y, intrinsics: intrinsics, distortion: distortion)
                row.withUnsafeBufferPointer { row in body(y) { row[$0] } }
            }
        } else {
            // Without a lens the ray's x depends on the column only and its y on the row only.
            let xs = (0..<size.width).map { Float((Double($0) - intrinsics.cx) / intrinsics.fx) }
            xs.withUnsafeBufferPointer { xs in
                for y in 0..<size.height {
                    let rayY = Float((Double(y) - intrinsics.cy) / intrinsics.fy)
                    body(y) { SIMD2(xs[$0], rayY) }
                }
            }
        }
    }

    private func fill(
        _ row: inout [SIMD2<Float>], y: Int, intrinsics: CameraIntrinsics, distortion: LensDistortion
    ) {
        switch distortion {
        case .brownConrady(let model):
            var step = SIMD2<Double>.zero
            var previous = SIMD2<Double>(.nan, .nan)
            for x in row.indices {
                let ray = intrinsics.ray(through: SIMD2(Double(x), Double(y)))
                let bent = SIMD2(ray.x, ray.y)
                // Start from the neighbour's correction, carried on; it is about one step away from the solution.
                let start = previous.isFinite ? previous + step : bent
                // A last step of 1e-5 leaves an error of about 1e-10, far below single precision.
                var ideal = model.undistort(bent, startingAt: start, until: 1e-5)
                if !ideal.isFinite { ideal = model.undistort(bent) }
                step = previous.isFinite ? ideal - previous : .zero
                previous = ideal
                row[x] = SIMD2(Float(ideal.x), Float(ideal.y))
            }
        case .radialTable:
            for x in row.indices {
                let ray = distortion.ray(through: SIMD2(Double(x), Double(y)), intrinsics: intrinsics)
                row[x] = SIMD2(Float(ray.x), Float(ray.y))
            }
        }
    }
}
