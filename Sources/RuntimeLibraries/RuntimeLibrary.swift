#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A C library found at run time, as the table of its functions that are used.
///
/// What is opened so costs nothing until it is needed, and its absence is an error that can be told instead of a
/// program that does not start. The library is never closed: thread pools and static state would not survive that.
package struct RuntimeLibrary<Functions>: @unchecked Sendable {
    // Plain C function pointers, written once before any other thread sees them.
    package let functions: Functions

    /// Opens the first library that can be opened and has all that is needed.
    /// - Parameters:
    ///   - fileNames: what `dlopen` is given, in this order.
    ///   - fill: writes all of the table from the open library, or returns the name of the first function that it lacks.
    ///   - unsuitable: why a library that has all functions is not to be used, such as its version; nil for one that is.
    /// - Throws: `LibraryAbsence`, with what was wrong with each.
    package init(
        anyOf fileNames: [String],
        fill: (UnsafeMutableRawPointer, UnsafeMutablePointer<Functions>) -> UnsafePointer<CChar>?,
        unsuitable: (Functions) -> String? = { _ in nil }
    ) throws(LibraryAbsence) {
        var refusals: [LibraryAbsence.Refusal] = []
        for fileName in fileNames {
            guard let handle = dlopen(fileName, RTLD_NOW | RTLD_LOCAL) else {
                refusals.append(LibraryAbsence.Refusal(loaderSays: Self.loaderError() ?? fileName))
                continue
            }
            let table = UnsafeMutablePointer<Functions>.allocate(capacity: 1)
            defer { table.deallocate() }
            if let missing = fill(handle, table) {
                refusals.append(
                    .init(.unsuitable, "\(fileName) has no function \(String(cString: missing))"))
                continue
            }
            let filled = table.move()
            if let reason = unsuitable(filled) {
                refusals.append(.init(.unsuitable, "\(fileName) \(reason)"))
                continue
            }
            functions = filled
            return
        }
        throw LibraryAbsence(refusals: refusals)
    }

    private static func loaderError() -> String? { dlerror().map { String(cString: $0) } }
}
