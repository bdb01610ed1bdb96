import ScalarText

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Where a user's own files lie, as the XDG base directory specification says.
package enum UserFolders {
    /// The variable that names the folder of data.
    package static let dataVariable = "XDG_DATA_HOME"

    /// The folder of data; nil where neither its variable nor HOME names an absolute path.
    package static var data: String? {
        absolute(dataVariable) ?? absolute("HOME").map { $0 + "/.local/share" }
    }

    private static func absolute(_ variable: String) -> String? {
        unsafe getenv(variable).map { unsafe String(cString: $0) }.flatMap {
            $0.hasScalarPrefix("/") ? $0 : nil
        }
    }
}
