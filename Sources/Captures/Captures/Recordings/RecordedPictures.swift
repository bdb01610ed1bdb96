import Diagnostics
import Imaging

/// The names of the files of one frame.
struct RecordedPictures: Sendable {
    /// The image, or a video of which `videoFrame` is the image.
    var image: String
    /// The index of the image in display order, from 0, if `image` is a video.
    var videoFrame: Int?
    /// The depth map.
    var depth: String?
    /// The sensor's confidence in each reading.
    var confidence: String?

    /// The files, except for a video, which all frames share.
    var names: [String] {
        [videoFrame == nil ? image : nil, depth, confidence].compactMap(\.self)
    }

    /// Returns the description of these files.
    /// - Parameter unit: metres per unit of the depth map; nil if its file decides.
    /// - Throws: `.fileAccess` for a name that is not among the files, and errors of unpacking an archive or reading a video.
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
    /// Returns the frames with depth, or all of them if none has any. Apps take more images than depth maps, or the reverse.
    func preferring(_ depth: (Element) -> String?) -> [Element] {
        let withDepth = filter { depth($0) != nil }
        return withDepth.isEmpty ? self : withDepth
    }
}
