import Diagnostics
import ImageFiles
import Imaging
import LocalFiles

/// A folder that `capture.json` describes; see ``CaptureDescription/parse(_:folder:)``.
struct CaptureJSONFormat: RecordingFormat {
    static let name = "capture.json"
    private let files: RecordedFiles
    private let description: CaptureDescription

    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? {
        files.contains(CaptureFolder.descriptionName)
            ? RecordingEvidence(found: [CaptureFolder.descriptionName]) : nil
    }

    init(_ files: RecordedFiles) throws(FlatteningError) {
        self.files = files
        description = try CaptureDescription.parse(
            try files.read(CaptureFolder.descriptionName, kind: .metadata), folder: files.root)
    }

    var frameCount: Int { 1 }

    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame {
        var description = description
        var paths = [description.imagePath, description.depth?.path, description.confidencePath]
        if case .file(let path) = description.intrinsics { paths.append(path) }
        let folder = files.path("")
        for path in paths.compactMap(\.self) {
            _ = try files.reference(String(path.dropFirst(folder.count)), in: &description.files)
        }
        return RecordedFrame(description: description)
    }
}
