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

    /// No library of the names given could be used.
    package struct Absence: Error {
        /// What was wrong with each, in the order in which they were tried.
        package let refusals: [String]
        /// The refusals as one sentence.
        package var description: String { refusals.joined(separator: "; ") }
    }

    /// Opens the first library that can be opened and has all that is needed.
    /// - Parameters:
    ///   - fileNames: what `dlopen` is given, in this order.
    ///   - fill: writes all of the table from the open library, or returns the name of the first function that it lacks.
    /// - Throws: `Absence`, with what was wrong with each.
    package init(
        anyOf fileNames: [String],
        fill: (UnsafeMutableRawPointer, UnsafeMutablePointer<Functions>) -> UnsafePointer<CChar>?
    ) throws(Absence) {
        var refusals: [String] = []
        for fileName in fileNames {
            guard let handle = dlopen(fileName, RTLD_NOW | RTLD_LOCAL) else {
                refusals.append(dlerror().map { String(cString: $0) } ?? fileName)
                continue
            }
            let table = UnsafeMutablePointer<Functions>.allocate(capacity: 1)
            defer { table.deallocate() }
            guard let missing = fill(handle, table) else {
                functions = table.move()
                return
            }
            refusals.append("\(fileName) has no function \(String(cString: missing))")
        }
        throw Absence(refusals: refusals)
    }
}
