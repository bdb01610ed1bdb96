internal import CLibZip
package import RuntimeLibraries

/// The C library that reads archives.
package enum ArchiveLibraries {
    /// Its version; loads the library.
    package static var versions: [LibraryVersion] {
        [
            ZIPLibrary.shared.version(of: "libzip") { zip in
                unsafe zip.zip_libzip_version().map { unsafe String(cString: $0) } ?? "unknown"
            }
        ]
    }
}
