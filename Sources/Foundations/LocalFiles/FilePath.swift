import ScalarText

/// Paths as the system has them: bytes between slashes.
package enum FilePath {
    /// The path of a name in a folder.
    package static func join(_ folder: String, _ name: String) -> String {
        folder.hasScalarSuffix("/") ? folder + name : folder + "/" + name
    }
}
