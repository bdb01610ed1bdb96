import ScalarText

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The folders of a user's own files, by the XDG base directory specification.
package enum UserFolders {
    /// The environment variable for the data folder.
    package static let dataVariable = "XDG_DATA_HOME"

    /// The data folder; nil if neither its variable nor HOME names an absolute path.
    package static var data: String? {
        absolute(dataVariable) ?? absolute("HOME").map { $0 + "/.local/share" }
    }

    private static func absolute(_ variable: String) -> String? {
        unsafe getenv(variable).map { unsafe String(cString: $0) }.flatMap {
            $0.hasScalarPrefix("/") ? $0 : nil
        }
    }
}
