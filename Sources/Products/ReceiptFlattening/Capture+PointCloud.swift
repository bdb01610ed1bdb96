public import Diagnostics
import Captures
public import DepthGeometry
public import Imaging

extension Capture {
    /// The point cloud of the capture's depth, without flying pixels and isolated readings, coloured from its picture.
    /// - Throws: `.badInput` if there is no metric depth or no camera: there is no cloud then.
    public func coloredPointCloud() throws(FlatteningError) -> (cloud: PointCloud, colors: [RGB]) {
        guard let depth, let intrinsics, depth.scale == .metric else {
            throw FlatteningError(
                .badInput, "a point cloud needs metric depth and camera intrinsics", file: metadata.imageName,
                stage: .cloud,
                seen: depth == nil
                    ? "no usable depth" : intrinsics == nil ? "no intrinsics" : "relative depth",
                advice: "Give --depth and --intrinsics, or leave the cloud out")
        }
        let cleaned = depth.cleaned(intrinsics: intrinsics).depth
        let cloud = PointCloud(unprojecting: cleaned, intrinsics: intrinsics, distortion: distortion)
        return (cloud, cloud.colors(from: image, intrinsics: intrinsics, distortion: distortion))
    }
}
