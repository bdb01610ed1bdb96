import Diagnostics
import ImageFiles
import Imaging

/// A way in which a camera app or a data set lays out its files.
///
/// One type a format; ``RecordingDetection/formats`` lists them.
protocol RecordingFormat: Sendable {
    /// The name that people know it by.
    static var name: String { get }

    /// The evidence for this format in a listing, nil without anything that only this format has.
    static func recognize(_ files: RecordedFiles) -> RecordingEvidence?

    /// Reads what describes the frames, but no picture.
    init(_ files: RecordedFiles) throws(FlatteningError)

    /// How many frames there are; at least 1.
    var frameCount: Int { get }

    /// What belongs to a frame.
    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame

    /// The files that are a frame's own, by any of which a person may name it.
    func files(of index: Int) -> [String]
}

/// The evidence for a format.
struct RecordingEvidence: Equatable {
    /// Files and folders that are there.
    var found: [String]
    /// Those without which nothing can be read: the recording is of this format, but incomplete.
    var missing: [String] = []
}
