package import Foundation

/// What of the repository itself tests read.
package enum Repository {
    /// Its folder.
    package static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The captures that `make samples` draws.
    package static let samples = folder.appending(path: "SampleData")
}
