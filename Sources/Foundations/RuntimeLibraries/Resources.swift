#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Checks whether the process can still get the resources that a C library takes for granted.
///
/// Some libraries end the process, or retry forever, when memory is short. Requesting the same amount first and releasing it
/// costs a microsecond and gives a warning in time. Another thread may take it in between; nothing here can prevent that.
package enum Resources {
    /// Descriptors that a loader or tesseract has open at once: with four a text is read, with three it is not (tesseract 5.3).
    /// Must be even.
    package static let neededDescriptors = 4
    /// Address space that the loader needs for its list of libraries and first tables; 30 kB to 300 kB on full systems.
    static let loaderBytes = 1 << 20

    /// Address space that a library needs with all its dependencies: OpenBLAS 45 MB, tesseract 75 MB (Debian 12). If less than
    /// this is free, that may well be why the loader failed.
    static let libraryBytes = 256 << 20

    /// Whether descriptors, or this many bytes of address space, are short, so that a library that was not found or not mapped
    /// may exist after all.
    package static func areShort(_ bytes: Int) -> Bool { !canOpen(neededDescriptors) || !canReserve(bytes) }

    /// Whether this many more descriptors can be opened. It opens pipes, so that no file is touched, and closes them at once.
    package static func canOpen(_ count: Int) -> Bool {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count {
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else {
                // Any other reason for missing pipes does not count.
                return errno != EMFILE && errno != ENFILE
            }
            opened += ends
        }
        return true
    }

    /// Whether this much more address space is available, in one piece. None of it is touched.
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
