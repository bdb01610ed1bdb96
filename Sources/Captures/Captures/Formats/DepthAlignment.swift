import Diagnostics
import LocalFiles
import DepthGeometry
import ImageFiles
import Imaging

extension CaptureDescription {
    /// Reprojects the depth map from the depth camera to the colour camera; the result, in metres, is kept in ``files``.
    /// - Parameters:
    ///   - depthCamera: the camera of the depth map.
    ///   - colorCamera: the camera of the image.
    ///   - transform: the transform from the depth camera's frame to the colour camera's.
    ///   - limits: the limits for each file.
    /// - Throws: errors of reading depth and image. A map that is not the depth camera's stays unchanged, with a note.
    mutating func bringDepth(
        from depthCamera: IntrinsicsDocument, to colorCamera: IntrinsicsDocument,
        by transform: RigidTransform,
        limits: FlatteningLimits
    ) throws(FlatteningError) {
        guard var map = depth else { return }
        let reading = try DepthReading(map, decoded: try files.samples(map.path, limits: limits))
        guard depthCamera.size.map({ Arrangement.haveSameShape($0, reading.map.size) }) ?? true else {
            notes.append(
                "\(map.path): its size (\(reading.map.size)) is not the depth camera's; it is assumed to be aligned"
            )
            return
        }
        let imageSize: PixelSize
        if let size = colorCamera.size {
            imageSize = size
        } else {
            imageSize = try ColorPicture.decode(try files.file(imagePath, limits: limits), limits: limits)
                .image
                .size
        }
        var passedOver: [String] = []
        let source = try depthCamera.camera(of: reading.map.size, orientation: .up, warnings: &passedOver)
        let target = try colorCamera.camera(of: imageSize, orientation: .up, warnings: &passedOver)
        let moved = reading.map.reprojected(from: source, to: target, by: transform)
        files.keep(.float32(moved.values), as: map.path)
        notes += reading.warnings
        notes.append("\(map.path): reprojected from the depth camera to the colour camera (\(reading.form))")
        map.unit = 1
        map.assumedUnit = reading.assumedUnit
        map.isInMeters = true
        depth = map
    }
}
