internal import CLibZip
package import RuntimeLibraries

/// The C library that archives are opened with.
package enum ArchiveLibraries {
    /// Its version; loads it.
    package static var versions: [LibraryVersion] {
        do {
            let version = String(cString: try ZIPLibrary.load().functions.zip_libzip_version())
            return [LibraryVersion("libzip", .loaded(version))]
        } catch {
            return [LibraryVersion("libzip", failing: error)]
        }
    }
}
