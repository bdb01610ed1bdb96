import Diagnostics
import Imaging

/// The names of the files that make one frame.
struct RecordedPictures: Sendable {
    /// The picture, or a video of which `videoFrame` is the picture.
    var image: String
    /// The number of the picture in the order of showing, from 0, where `image` is a video.
    var videoFrame: Int?
    /// The depth map.
    var depth: String?
    /// How far the sensor trusts each reading.
    var confidence: String?

    /// The files, but for a video, which is all frames'.
    var names: [String] {
        [videoFrame == nil ? image : nil, depth, confidence].compactMap(\.self)
    }

    /// The description of these files.
    /// - Parameter unit: metres a unit of the depth map; nil where its file decides.
    /// - Throws: `.fileAccess` for a name that is not among the files, and what unpacking an archive and reading a video throw.
    func description(
        in files: RecordedFiles, unit: Double?
    ) throws(FlatteningError) -> CaptureDescription {
        var description = CaptureDescription(imagePath: "")
        if let videoFrame {
            let picture = try VideoFrame.picture(number: videoFrame, of: image, in: files)
            description.imagePath = picture.name
            description.files.keep(picture, as: picture.name)
        } else {
            description.imagePath = try files.reference(image, in: &description.files)
        }
        if let depth {
            description.depth = .init(
                path: try files.reference(depth, in: &description.files), unit: files.depthUnit ?? unit)
        }
        if let confidence {
            description.confidencePath = try files.reference(confidence, in: &description.files)
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
