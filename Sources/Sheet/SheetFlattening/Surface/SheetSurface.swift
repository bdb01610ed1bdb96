public import DepthGeometry

/// Which kind of surface to fit.
public enum SurfaceMethod: String, CaseIterable, Sendable {
    /// The simplest kind that the readings support: plane, then cylinder, then free form.
    case auto
    /// A plane.
    case plane
    /// A general cylinder: bent along one direction, straight along the other.
    case cylinder
    /// A free surface, straight unless the readings show otherwise.
    case freeform
}

/// The shape of the sheet in front of the camera (camera frame, metres).
public enum SheetSurface: Equatable, Sendable {
    /// Flat.
    case plane(Plane)
    /// Bent along one direction.
    case cylinder(CylinderSurface)
    /// Any smooth or creased shape.
    case freeform(FreeformSurface)

    /// The method that chooses this kind; never `.auto`.
    public var method: SurfaceMethod {
        switch self {
        case .plane: .plane
        case .cylinder: .cylinder
        case .freeform: .freeform
        }
    }

    /// The plane itself, or the plane under the profile or relief.
    package var basePlane: Plane {
        switch self {
        case .plane(let plane): plane
        case .cylinder(let cylinder): Plane(through: cylinder.frame.origin, normal: cylinder.frame.normal)
        case .freeform(let freeform): Plane(normal: -freeform.gradient, offset: 1)
        }
    }

    /// 1/z in 1/metres of the surface point seen along a ray (x, y, 1); 0 or less if the ray misses it.
    ///
    /// For a plane n · X + d = 0 it is -n · ray / d, affine in the pixel.
    func inverseDepth(along ray: SIMD3<Double>) -> Double {
        switch self {
        case .plane(let plane): -plane.normal.dot(ray) / plane.offset
        case .cylinder(let cylinder): cylinder.inverseDepth(along: ray)
        case .freeform(let freeform): freeform.inverseDepth(along: ray)
        }
    }

    /// The surface point seen at a photograph pixel, in the camera frame; nil if there is none. O(1).
    public func point(seenAt pixel: SIMD2<Double>, intrinsics: CameraIntrinsics) -> SIMD3<Double>? {
        let ray = intrinsics.ray(through: pixel)
        let inverse = inverseDepth(along: ray)
        guard inverse > 0, inverse.isFinite else { return nil }
        return ray / inverse
    }
}
