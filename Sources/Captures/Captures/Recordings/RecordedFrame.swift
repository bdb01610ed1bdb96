package import DepthGeometry
import Diagnostics

/// What belongs to one frame of a recording, before any picture of it is read.
package struct RecordedFrame: Equatable, Sendable {
    /// The files, and how they are to be understood.
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

    /// A frame of these files; camera, pose and time are filled in by the format.
    /// - Parameter depthUnit: metres a unit of the depth map; nil where its file decides.
    /// - Throws: see ``RecordedPictures/description(in:unit:)``.
    init(
        _ pictures: RecordedPictures, depthUnit: Double?, in files: RecordedFiles
    ) throws(FlatteningError) {
        self.init(description: try pictures.description(in: files, unit: depthUnit))
    }

    /// States the camera.
    /// - Parameters:
    ///   - name: the file among `files` that states it; errors name it.
    ///   - read: reads the camera; nil states none.
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
