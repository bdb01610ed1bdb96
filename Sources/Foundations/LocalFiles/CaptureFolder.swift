import ScalarText

/// The folder of one capture and the file that describes it, judged by name alone.
package enum CaptureFolder {
    /// The name of the file that describes a capture folder.
    package static let descriptionName = "capture.json"

    /// Returns the folder whose description a path names: "scan" for "scan/capture.json"; nil for any other path, and for
    /// "capture.json" alone.
    package static func folder(describedBy path: String) -> String? {
        path.dropping(scalarSuffix: "/" + descriptionName).map(String.init)
    }
}
