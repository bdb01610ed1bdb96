package import Diagnostics

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Converts errors of the operating system to this package's errors.
package enum FileSystemError {
    /// Returns the error for the current `errno`, which must be read before any other call changes it.
    package static func last(_ message: String, file: String, stage: FlatteningError.Stage) -> FlatteningError
    {
        make(errno, message, file: file, stage: stage)
    }

    /// The error for an errno value.
    package static func make(_ number: Int32, _ message: String, file: String, stage: FlatteningError.Stage)
        -> FlatteningError
    {
        FlatteningError(
            isStorageFull(number) ? .storageFull : .fileAccess, message, file: file, stage: stage,
            detail: words(of: number), advice: advice(for: number))
    }

    /// Whether an errno value means that nothing more can be written there.
    package static func isStorageFull(_ number: Int32) -> Bool {
        number == ENOSPC || number == EDQUOT || number == EROFS
    }

    /// Returns the system's message for an errno value.
    private static func words(of number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return String(
            decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func advice(for number: Int32) -> String? {
        switch number {
        case ENOSPC, EDQUOT: "Free some space or write elsewhere"
        case EACCES, EPERM, EROFS: "Check the permissions of the file and its folder"
        case EFBIG: "The file would pass the size limit of this process"
        default: nil
        }
    }
}
