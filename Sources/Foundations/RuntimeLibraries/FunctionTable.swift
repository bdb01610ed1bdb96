#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The names of the functions used from a C library, as a C target lists them.
package struct FunctionNames: Sendable {
    /// Functions that the library must have.
    package var required: [String]
    /// Functions that may be missing; their pointers are then null.
    package var optional: [String]

    /// - Parameters:
    ///   - required: names, each followed by a space, in the order of the table's members.
    ///   - optional: the same for the members after those.
    package init(_ required: UnsafePointer<CChar>, optional: UnsafePointer<CChar>? = nil) {
        func names(_ words: UnsafePointer<CChar>?) -> [String] {
            unsafe words.map { unsafe String(cString: $0).split(separator: " ").map(String.init) } ?? []
        }
        self.required = unsafe names(required)
        self.optional = unsafe names(optional)
    }
}

/// A C structure that contains only function pointers, filled from a library.
enum FunctionTable {
    /// Opens the first library that can be loaded and has all required functions, and never closes it.
    /// - Parameters:
    ///   - fileNames: the names passed to `dlopen`, in this order.
    ///   - functions: the names of the table's members, all of them and in their order.
    ///   - unsuitable: returns why a library with all functions cannot be used; nil if it can.
    /// - Throws: `LibraryAbsence`, with the problem of each library.
    static func open<Functions>(
        anyOf fileNames: [String], functions: FunctionNames, unsuitable: (Functions) -> String?
    ) throws(LibraryAbsence) -> Functions {
        let names = functions.required + functions.optional
        let stride = unsafe MemoryLayout<UnsafeMutableRawPointer>.stride
        precondition(
            MemoryLayout<Functions>.size == names.count * stride, "a function of the table has no name")
        var refusals: [LibraryAbsence.Refusal] = []
        for fileName in fileNames {
            guard let handle = unsafe dlopen(fileName, RTLD_NOW | RTLD_LOCAL) else {
                refusals.append(LibraryAbsence.Refusal(loaderSays: loaderError() ?? fileName))
                continue
            }
            let addresses = unsafe names.map { unsafe dlsym(handle, $0) }
            if let missing = unsafe zip(functions.required, addresses).first(where: { unsafe $0.1 == nil })?.0
            {
                refusals.append(.init(.unsuitable, "\(fileName) has no function \(missing)"))
                continue
            }
            let table = unsafe addresses.withUnsafeBytes { unsafe $0.loadUnaligned(as: Functions.self) }
            if let reason = unsuitable(table) {
                refusals.append(.init(.unsuitable, "\(fileName) \(reason)"))
                continue
            }
            return table
        }
        throw LibraryAbsence(refusals: refusals)
    }

    private static func loaderError() -> String? { unsafe dlerror().map { unsafe String(cString: $0) } }
}
