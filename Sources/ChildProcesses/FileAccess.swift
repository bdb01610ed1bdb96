package import CProcessLimits
internal import Foundation

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
    package func withCFiles<Result>(_ body: (UnsafePointer<process_files>) -> Result) -> Result {
        withCStrings(system) { system in
            // A slash at the end would follow a link all the same.
            withCStrings((readable + [writable].compactMap(\.self)).map(Self.withoutSlashes)) { others in
                var files = process_files(
                    system: system.baseAddress, system_count: system.count, readable: others.baseAddress,
                    readable_count: readable.count, writable: writable == nil ? nil : others[readable.count],
                    executes: executes ? 1 : 0)
                return body(&files)
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
func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return copies.map { $0.map { UnsafePointer($0) } }.withUnsafeBufferPointer(body)
}
