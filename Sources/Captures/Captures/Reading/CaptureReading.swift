package import Diagnostics
package import LocalFiles
package import DepthGeometry
import ImageFiles
import Imaging

extension Capture {
    /// Reads a recording of any format that ``Recording`` knows (its middle frame, if there are many), or a picture alone.
    /// - Throws: `FlatteningError` for files that cannot be read; never for information that is missing.
    package static func read(
        _ path: String, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> Capture {
        try read(try CaptureDescription.find(path, limits: limits), limits: limits)
    }

    /// Reads the files that a description names and assembles an upright capture.
    /// - Parameters:
    ///   - description: which files, and how they are to be understood.
    ///   - limits: how much the file may ask for.
    ///   - minimumConfidence: readings of a lower level are taken out.
    /// - Throws: `FlatteningError` naming the file: `.fileAccess`, `.limitExceeded`, `.unsupported`, or `.badInput` for
    ///   broken files and for intrinsics that contradict the picture.
    /// - Complexity: O(pixels). The picture is in memory once, twice while it is turned.
    package static func read(
        _ description: CaptureDescription, minimumConfidence: ConfidenceMap.Level = .medium,
        limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> Capture {
        var assembly = try CaptureAssembly(description, limits: limits)
        try assembly.addCamera()
        try assembly.addDepth(minimumConfidence: minimumConfidence)
        return assembly.capture
    }
}

extension CaptureDescription {
    /// The description of whatever a path leads to: a recording of any format that ``Recording`` knows, or a picture.
    /// - Parameters:
    ///   - path: the file, as the caller names it.
    ///   - limits: how much the file may ask for.
    ///   - frame: which frame of a recording; nil for the one in the middle.
    /// - Throws: see ``Recording/open(_:limits:)``.
    package static func find(
        _ path: String, frame: Int? = nil, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> CaptureDescription {
        let recording = try Recording.open(path, limits: limits)
        return try recording.description(at: frame ?? recording.middleIndex).description
    }
}
