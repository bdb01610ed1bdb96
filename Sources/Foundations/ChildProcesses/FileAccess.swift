package import Diagnostics
package import CProcessLimits
internal import Platform

/// The files that a confined process can access by name. Missing files are ignored.
package struct FileAccess: Equatable, Sendable {
    /// Readable paths, folders with everything below; links are followed.
    package var system: [String]
    /// Readable paths like `system`, but links are not followed: a link may have been put there meanwhile.
    package var readable: [String]
    /// The only writable folder; must not be a link.
    package var writable: String?
    /// Whether programs in `system` may be executed.
    package var executes: Bool

    package init(system: [String], readable: [String] = [], writable: String? = nil, executes: Bool = false) {
        self.system = system
        self.readable = readable
        self.writable = writable
        self.executes = executes
    }

    /// Calls `body` with these files as a C structure.
    /// - Throws: `.shortage` if memory runs out.
    package func withCFiles<Result>(
        _ body: (UnsafePointer<process_files>) throws(FlatteningError) -> Result
    ) throws(FlatteningError) -> Result {
        // A trailing slash would follow a link anyway.
        let others = (readable + [writable].compactMap(\.self)).map(Self.withoutSlashes)
        return try unsafe withCStrings(system) { system throws(FlatteningError) in
            try unsafe withCStrings(others) { others throws(FlatteningError) in
                var files = unsafe process_files(
                    system: system.baseAddress, system_count: system.count, readable: others.baseAddress,
                    readable_count: readable.count, writable: writable == nil ? nil : others[readable.count],
                    executes: executes ? 1 : 0)
                return try unsafe body(&files)
            }
        }
    }

    private static func withoutSlashes(_ path: String) -> String {
        var bytes = Substring(path).utf8
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return String(Substring(bytes))
    }
}

/// Calls `body` with the strings as C strings.
/// - Parameter copy: returns a copy to be freed with free(3), or nil if memory runs out.
/// - Throws: `.shortage` if memory runs out: C would take the first missing string as the end of the list.
func withCStrings<Result>(
    _ strings: [String], copy: (String) -> UnsafeMutablePointer<CChar>? = { unsafe strdup($0) },
    _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) throws(FlatteningError) -> Result
) throws(FlatteningError) -> Result {
    let copies = unsafe strings.map(copy)
    defer { unsafe copies.forEach { unsafe free($0) } }
    guard unsafe copies.allSatisfy({ unsafe $0 != nil }) else {
        throw FlatteningError(
            .shortage, "memory is short for starting or confining a program", stage: .program,
            advice: "Allow more (ulimit -v), or run fewer at once")
    }
    let words = unsafe copies.map { unsafe $0.map { unsafe UnsafePointer($0) } }
    return try unsafe words.withUnsafeBufferPointer(body)
}
