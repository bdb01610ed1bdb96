import Diagnostics
import ImageFiles
import Imaging
import LocalFiles
import ScalarText

/// A folder described by a `capture.json`; see ``CaptureDescription/parse(_:folder:)``.
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

    func files(of index: Int) -> [String] {
        let paths = [description.imagePath, description.depth?.path, description.confidencePath]
        return paths.compactMap { $0?.dropping(scalarPrefix: files.path("")).map(String.init) }
    }

    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame {
        var description = description
        var names = files(of: index)
        if case .file(let path) = description.intrinsics {
            names.append(String(path.dropFirst(files.path("").count)))
        }
        for name in names { _ = try files.reference(name, in: &description.files) }
        return RecordedFrame(description: description)
    }
}
