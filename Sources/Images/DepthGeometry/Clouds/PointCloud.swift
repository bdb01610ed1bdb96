public import Imaging

/// Points in the camera frame (x right, y down, z forward; metres for metric depth), each with the depth pixel it came from.
public struct PointCloud: Equatable, Sendable {
    /// Positions in the camera frame, in the order of their pixels (row by row). All finite, z > 0.
    public let positions: [SIMD3<Float>]
    /// For each position its depth pixel, `y * gridSize.width + x`. Strictly increasing.
    package let pixelIndices: [Int32]
    /// The size of the depth map that the pixels belong to.
    package let gridSize: PixelSize

    /// A cloud from its parts.
    /// - Precondition: as many positions as pixels, all pixels inside the grid.
    package init(positions: [SIMD3<Float>], pixelIndices: [Int32], gridSize: PixelSize) {
        precondition(positions.count == pixelIndices.count, "every point comes from one pixel")
        self.positions = positions
        self.pixelIndices = pixelIndices
        self.gridSize = gridSize
    }

    /// Creates a cloud of the caller's own points in the camera frame. O(1).
    /// - Precondition: all finite, z > 0; fewer than 2^31.
    public init(positions: [SIMD3<Float>]) {
        self.init(
            positions: positions, pixelIndices: (0..<Int32(positions.count)).map { $0 },
            gridSize: PixelSize(width: positions.count, height: 1))
    }

    /// Every valid reading as a point: P = z · ray(u, v), with the ray's z = 1. O(pixels).
    /// - Parameters:
    ///   - depth: planar depth (along the optical axis).
    ///   - intrinsics: of the image at any resolution of the same shape; scaled to the depth map by the half-pixel rule.
    ///   - distortion: the lens, for the same image as `intrinsics`; undone for the ray before it is scaled by z. Readings
    ///     at pixels where it sees nothing are left out.
    public init(
        unprojecting depth: DepthMap, intrinsics: CameraIntrinsics, distortion: LensDistortion? = nil
    ) {
        self.init(unprojecting: depth, camera: Camera(intrinsics: intrinsics, distortion: distortion))
    }

    /// Every valid reading as a point; see `init(unprojecting:intrinsics:distortion:)`.
    package init(unprojecting depth: DepthMap, camera: Camera) {
        precondition(depth.size.pixelCount <= Int(Int32.max), "pixels are counted in 32 bits")
        let rays = RayGrid(camera: camera, size: depth.size)
        // Room for one more than needed: each reading is written first, and kept only if the counter advances.
        var pixels: [Int32] = []
        let room = depth.validCount + 1
        let positions = [SIMD3<Float>](unsafeUninitializedCapacity: room) { positions, count in
            pixels = [Int32](unsafeUninitializedCapacity: room) { indices, indexCount in
                depth.values.elements.withUnsafeBufferPointer { readings in
                    rays.forEachRow { y, row in
                        let start = y * depth.width
                        // A local variable stays in a register.
                        var next = count
                        for x in 0..<depth.width {
                            let z = readings[start + x]
                            let ray = row(x)
                            let point = SIMD3(z * ray.x, z * ray.y, z)
                            positions[next] = point
                            indices[next] = Int32(truncatingIfNeeded: start + x)
                            // A product with NaN is NaN, whether from the reading or the ray. Infinity needs no check:
                            // readings and rays are finite, and only an absurd depth overflows.
                            next &+= (point.x * point.y).isFinite ? 1 : 0
                        }
                        count = next
                    }
                }
                indexCount = count
            }
        }
        self.init(positions: positions, pixelIndices: pixels, gridSize: depth.size)
    }

    /// Number of points.
    public var count: Int { positions.count }

    /// The points whose depth pixel is true in a mask. O(points).
    /// - Precondition: the mask has the depth map's size.
    package func masked(by isKept: Raster<Bool>) -> PointCloud {
        precondition(isKept.size == gridSize, "a mask has its grid's size")
        return filtered { isKept.elements[Int(pixelIndices[$0])] }
    }

    /// The points for whose index (0 to `count` - 1) `isKept` is true. O(points).
    package func filtered(_ isKept: (Int) throws -> Bool) rethrows -> PointCloud {
        var kept: [SIMD3<Float>] = []
        var pixels: [Int32] = []
        for index in positions.indices where try isKept(index) {
            kept.append(positions[index])
            pixels.append(pixelIndices[index])
        }
        return PointCloud(positions: kept, pixelIndices: pixels, gridSize: gridSize)
    }
}
