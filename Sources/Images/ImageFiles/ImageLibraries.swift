import CPNGCodec
import Imaging
package import RuntimeLibraries

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The C libraries that read and write files.
package enum ImageLibraries {
    /// Versions of the libraries that read most images and depth maps.
    package static var versions: [LibraryVersion] {
        [
            LibraryVersion("libpng", .loaded(String(cString: cpng_libpng_version()))),
            LibraryVersion(
                "zlib",
                cpng_zlib_version().map { .loaded(String(cString: $0)) } ?? .unasked("linked into libpng")),
            LibraryVersion("ISA-L", .unasked("built with \(String(cString: cpng_isal_version()))")),
            TIFFLibrary.shared.version(of: "libtiff", TIFFLibrary.version),
            LibraryVersion("libjpeg-turbo", .unasked(jpegVersion)),
        ]
    }

    /// Versions of the libraries that are loaded with the first file of their format; loads them.
    package static var versionsOfRareFormats: [LibraryVersion] {
        [
            HEIFLibrary.shared.version(of: "libheif") { heif in
                heif.heif_get_version().map { String(cString: $0) } ?? "unknown"
            },
            EXRLibrary.shared.version(of: "OpenEXR") { EXRLibrary.version($0).text },
        ]
    }

    /// TurboJPEG has no function that returns its version; the functions of version 3 begin with tj3.
    private static var jpegVersion: String {
        // RTLD_DEFAULT, which Swift does not import: null with glibc and musl, -2 on Darwin.
        #if canImport(Darwin)
            let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
        #else
            let everywhere: UnsafeMutableRawPointer? = nil
        #endif
        return dlsym(everywhere, "tj3Init") == nil ? "before 3.0" : "3.0 or newer"
    }
}
