package import Diagnostics
package import LocalFiles
package import DepthGeometry
import ImageFiles
import Imaging

extension Capture {
    /// Reads a recording in any format that ``Recording`` knows (its middle frame, if there are many), or an image alone.
    /// - Throws: `FlatteningError` for files that cannot be read; never for information that is missing.
    package static func read(
        _ path: String, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> Capture {
        try read(try CaptureDescription.find(path, limits: limits), limits: limits)
    }

    /// Reads the files that a description names and assembles an upright capture.
    /// - Parameters:
    ///   - description: the files and how to read them.
    ///   - limits: the limits for each file.
    ///   - minimumConfidence: readings below this level are removed.
    /// - Throws: `FlatteningError` naming the file: `.fileAccess`, `.limitExceeded`, `.unsupported`, or `.badInput` for
    ///   broken files and for intrinsics that contradict the image.
    /// - Complexity: O(pixels). The image is in memory once, twice while it is turned.
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
    /// Returns the description of what a path leads to: a recording in any format that ``Recording`` knows, or an image.
    /// - Parameters:
    ///   - path: the file's path, as the caller gave it.
    ///   - limits: the limits for each file.
    ///   - frame: the frame's index in a recording; nil for the middle one.
    /// - Throws: see ``Recording/open(_:limits:)``.
    package static func find(
        _ path: String, frame: Int? = nil, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> CaptureDescription {
        let recording = try Recording.open(path, limits: limits)
        return try recording.description(at: frame ?? recording.middleIndex).description
    }
}
