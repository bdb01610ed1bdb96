internal import CProcessLimits
internal import Foundation
internal import ImageFiles
package import Imaging

/// What a worker may do: set by itself before it touches a file that it does not trust, and never taken back.
package struct WorkerConfinement: Sendable {
    /// The process that the worker works for; when that dies so does the worker.
    package var parent: Int32
    /// Most bytes of address space.
    package var addressSpace: UInt64
    /// Most seconds of processor time.
    package var processorSeconds: UInt64
    /// What may be read besides the system's libraries and language data: files, or folders with all below them.
    package var readable: [String]
    /// The folder that may be written to.
    package var writable: String

    package init(
        parent: Int32, addressSpace: UInt64, processorSeconds: UInt64, readable: [String], writable: String
    ) {
        self.parent = parent
        self.addressSpace = addressSpace
        self.processorSeconds = processorSeconds
        self.readable = readable
        self.writable = writable
    }

    /// Confines this process. Where the kernel has no Landlock (Linux before 5.13, other systems) the limits of
    /// resources alone hold.
    /// - Throws: `.fileAccess` if the system refuses; the worker must not go on then.
    package func apply() throws(FlatteningError) {
        guard process_die_with_parent(parent) == 0 else {
            throw FlatteningError(
                .cancelled, "the batch that this worker belongs to is gone", stage: "worker")
        }
        guard process_limit_resources(addressSpace, processorSeconds) == 0 else {
            throw FileSystemError.last("the worker's limits cannot be set", file: writable, stage: "worker")
        }
        // What the libraries look at goes first: a rule for a folder that is not there is no rule.
        let read = Self.systemPaths + readable
        let confined = Self.withCStrings(read) { read in
            Self.withCStrings([writable, "/dev/null"]) { written in
                process_confine(read.baseAddress, read.count, written.baseAddress, written.count)
            }
        }
        guard confined >= 0 else {
            throw FileSystemError.last("the worker cannot be confined", file: writable, stage: "worker")
        }
    }

    /// Where libraries, their settings and tesseract's data lie, and what the C libraries ask of the machine. None of it
    /// is anybody's own. Under /proc libdispatch reads the state of each of its threads by number, and traps if it may not;
    /// of other processes' environment, memory and files the kernel shows nothing to a process confined like this.
    private static var systemPaths: [String] {
        let environment = ProcessInfo.processInfo.environment
        let named = ["TESSDATA_PREFIX", "LD_LIBRARY_PATH"].compactMap { environment[$0] }
            .flatMap { $0.split(separator: ":").map(String.init) }
        return [
            "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share", "/usr/local/share", "/lib", "/lib64",
            "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime",
            "/etc/ssl/openssl.cnf", "/proc",
            "/sys/devices/system/cpu", "/sys/fs/cgroup", "/dev/urandom",
        ] + named + loadedLibraryFolders
    }

    /// The folders of the libraries that are already loaded: the Swift runtime may lie anywhere.
    private static var loadedLibraryFolders: [String] {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        let folders = maps.split(separator: "\n").compactMap { line -> String? in
            guard let start = line.firstIndex(of: "/"), line[start...].contains(".so") else { return nil }
            return String(line[start..<(line.lastIndex(of: "/") ?? start)])
        }
        return Set(folders).sorted().filter { !$0.isEmpty }
    }

    /// Calls `body` with the strings as C sees them.
    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return copies.map { $0.map { UnsafePointer($0) } }.withUnsafeBufferPointer(body)
    }
}
