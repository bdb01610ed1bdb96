internal import CLibZip
internal import Imaging
package import RuntimeLibraries

/// The C library that archives are opened with.
package enum ArchiveLibraries {
    /// Its version; loads it.
    package static var versions: [LibraryVersion] {
        [
            LibraryVersion("libzip") { () throws(FlatteningError) in
                String(cString: try ZIPLibrary.load().functions.zip_libzip_version())
            }
        ]
    }
}
