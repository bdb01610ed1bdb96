import ScalarText

/// Paths as the system sees them: bytes between slashes.
package enum FilePath {
    /// Returns the path of a name in a folder.
    package static func join(_ folder: String, _ name: String) -> String {
        folder.hasScalarSuffix("/") ? folder + name : folder + "/" + name
    }
}
