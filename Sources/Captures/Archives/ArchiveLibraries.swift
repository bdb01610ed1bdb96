internal import CLibZip
package import RuntimeLibraries

/// The C library that archives are opened with.
package enum ArchiveLibraries {
    /// Its version; loads it.
    package static var versions: [LibraryVersion] {
        [
            ZIPLibrary.shared.version(of: "libzip") { zip in
                unsafe zip.zip_libzip_version().map { unsafe String(cString: $0) } ?? "unknown"
            }
        ]
    }
}
