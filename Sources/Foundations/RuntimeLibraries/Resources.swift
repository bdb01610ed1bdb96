#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Whether the process can still have what a C library takes for granted.
///
/// Some libraries end the process, or call again for ever, where memory is short. Asking for as much first and giving it
/// back costs a microsecond and says it in time. Another thread may take it in between; nothing here can prevent that.
package enum Resources {
    /// Descriptors that a loader or tesseract has open at once: with four a text is read, with three it is not (tesseract 5.3).
    /// An even number.
    package static let neededDescriptors = 4
    /// Address space that the loader takes for its list of libraries and first tables; 30 kB to 300 kB on full systems.
    static let loaderBytes = 1 << 20

    /// Address space that a library takes with all that it stands on: OpenBLAS 45 MB, tesseract 75 MB (Debian 12); where
    /// there is less than this the loader may well have failed for it.
    static let libraryBytes = 256 << 20

    /// Whether descriptors, or so many bytes of address space, are short, so that a library that was not found, or not
    /// mapped, may well be there.
    package static func areShort(_ bytes: Int) -> Bool { !canOpen(neededDescriptors) || !canReserve(bytes) }

    /// Whether so many further descriptors can be opened. They are of pipes, so that no file is
    /// touched, and closed again at once.
    package static func canOpen(_ count: Int) -> Bool {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count {
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else {
                // Where there are no pipes to be had, that is another matter.
                return errno != EMFILE && errno != ENFILE
            }
            opened += ends
        }
        return true
    }

    /// Whether so much further address space can be had, in one piece. Nothing of it is touched.
    package static func canReserve(_ bytes: Int) -> Bool {
        guard bytes > 0 else { return true }
        #if canImport(Darwin)
            let flags = MAP_PRIVATE | MAP_ANON
        #else
            let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        #endif
        guard let start = unsafe mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, -1, 0),
            unsafe start != MAP_FAILED
        else {
            return false
        }
        unsafe munmap(start, bytes)
        return true
    }
}
