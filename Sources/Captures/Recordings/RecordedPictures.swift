import Imaging

/// The names of the files that make one frame.
struct RecordedPictures: Sendable {
    /// The picture.
    var image: String
    /// The depth map.
    var depth: String?
    /// How far the sensor trusts each reading.
    var confidence: String?

    /// The description of these files.
    /// - Parameter unit: metres a unit of the depth map; nil where its file decides.
    /// - Throws: `.fileAccess` for a name that is not among the files, and what unpacking an archive throws.
    func description(
        in files: RecordedFiles, unit: Double?
    ) throws(FlatteningError) -> CaptureDescription {
        var description = CaptureDescription(imagePath: "")
        description.imagePath = try files.reference(image, in: &description.contents)
        if let depth {
            description.depth = .init(
                path: try files.reference(depth, in: &description.contents), unit: unit)
        }
        if let confidence {
            description.confidencePath = try files.reference(confidence, in: &description.contents)
        }
        return description
    }
}

extension Array {
    /// The frames with depth; all of them where none has any. Apps take more pictures than depth maps, or the reverse.
    func preferring(_ depth: (Element) -> String?) -> [Element] {
        let withDepth = filter { depth($0) != nil }
        return withDepth.isEmpty ? self : withDepth
    }
}
