package import DepthGeometry
import Diagnostics

/// The data of one frame of a recording, before any of its images is read.
package struct RecordedFrame: Equatable, Sendable {
    /// The files and how to read them.
    package var description: CaptureDescription
    /// See ``CaptureFrame/pose``.
    package var pose: RigidTransform?
    /// See ``CaptureFrame/timestamp``.
    package var timestamp: Double?

    init(description: CaptureDescription, pose: RigidTransform? = nil, timestamp: Double? = nil) {
        self.description = description
        self.pose = pose
        self.timestamp = timestamp
    }

    /// Creates a frame of these files; the format fills in camera, pose and time.
    /// - Parameter depthUnit: metres per unit of the depth map; nil if its file decides.
    /// - Throws: see ``RecordedPictures/description(in:unit:)``.
    init(
        _ pictures: RecordedPictures, depthUnit: Double?, in files: RecordedFiles
    ) throws(FlatteningError) {
        self.init(description: try pictures.description(in: files, unit: depthUnit))
    }

    /// States the camera.
    /// - Parameters:
    ///   - name: the file among `files` that states it; errors name it.
    ///   - read: reads the camera; returns nil if there is none.
    mutating func stateCamera(
        by name: String, of files: RecordedFiles,
        _ read: () throws(FlatteningError) -> IntrinsicsDocument?
    ) throws(FlatteningError) {
        let path = files.path(name)
        do throws(FlatteningError) {
            description.intrinsics = try read().map { .stated($0, file: path) }
        } catch {
            throw error.naming(file: path)
        }
    }
}
