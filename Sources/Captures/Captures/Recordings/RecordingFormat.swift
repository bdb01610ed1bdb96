import Diagnostics
import ImageFiles
import Imaging

/// The file layout of a camera app or a data set.
///
/// Each format is one type; ``RecordingDetection/formats`` lists them.
protocol RecordingFormat: Sendable {
    /// The format's common name.
    static var name: String { get }

    /// Returns the evidence for this format in a listing; nil if nothing in it is specific to this format.
    static func recognize(_ files: RecordedFiles) -> RecordingEvidence?

    /// Reads the description of the frames, but no image.
    init(_ files: RecordedFiles) throws(FlatteningError)

    /// Number of frames; at least 1.
    var frameCount: Int { get }

    /// Returns the data of a frame.
    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame

    /// Returns a frame's own files, any of which can name it.
    func files(of index: Int) -> [String]
}

/// The evidence for a format.
struct RecordingEvidence: Equatable {
    /// Files and folders that exist.
    var found: [String]
    /// Missing files without which nothing can be read: the recording has this format, but is incomplete.
    var missing: [String] = []
}
