package import Diagnostics
package import CProcessLimits
internal import Platform

/// The files that a confined process reaches by name. What is not there is passed over.
package struct FileAccess: Equatable, Sendable {
    /// Read, with all below if it is a folder; links are followed.
    package var system: [String]
    /// Read, as `system`, but a link is not followed: it may have been put there meanwhile.
    package var readable: [String]
    /// The one folder that may be written to; no link.
    package var writable: String?
    /// Whether programs among `system` may be executed.
    package var executes: Bool

    package init(system: [String], readable: [String] = [], writable: String? = nil, executes: Bool = false) {
        self.system = system
        self.readable = readable
        self.writable = writable
        self.executes = executes
    }

    /// Calls `body` with the same as C sees it.
    /// - Throws: `.shortage` without memory for that.
    package func withCFiles<Result>(
        _ body: (UnsafePointer<process_files>) throws(FlatteningError) -> Result
    ) throws(FlatteningError) -> Result {
        // A slash at the end would follow a link all the same.
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

/// Calls `body` with the strings as C sees them.
/// - Parameter copy: gives a copy that free(3) takes, nil without memory.
/// - Throws: `.shortage` without memory for all of them: C would take the first one that is missing for the end of the list.
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
