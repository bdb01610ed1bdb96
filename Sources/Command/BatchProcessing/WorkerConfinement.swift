import ChildProcesses
package import Diagnostics
import LocalFiles
internal import CProcessLimits
internal import Platform
import ScalarText

/// The restrictions of a worker: it applies them itself before it touches an untrusted file, and never removes them.
package struct WorkerConfinement: Sendable {
    /// The process that the worker works for; when that process dies, so does the worker.
    package var parent: Int32
    /// Most bytes of address space.
    package var addressSpace: UInt64
    /// Most seconds of processor time.
    package var processorSeconds: UInt64
    /// The number of the user's threads at which no more are started; nil for no limit from us.
    package var processes: UInt64?
    /// What may be read besides the system's libraries and language data: files, or folders with everything below them.
    /// Links are not followed; to allow the use of a link, name its target.
    package var readable: [String]
    /// The only folder that may be written to. Not a link.
    package var writable: String

    /// Largest file in bytes that a worker writes: eight times the largest output, a map of where each of 64 million pixels
    /// comes from, with 8 bytes each.
    package static let maximumFileBytes: UInt64 = 4 << 30
    /// Most descriptors that a worker has open at once: it reads one file at a time, and each library once.
    package static let maximumOpenFiles: UInt64 = 1024

    package init(
        parent: Int32, addressSpace: UInt64, processorSeconds: UInt64, processes: UInt64? = nil,
        readable: [String], writable: String
    ) {
        self.parent = parent
        self.addressSpace = addressSpace
        self.processorSeconds = processorSeconds
        self.processes = processes
        self.readable = readable
        self.writable = writable
    }

    /// A sentence that says which confinement is missing on this system; nil if none is.
    package static var warning: String? { ConfinementSupport.current.warning }

    /// Confines this process, which must not have a second thread yet. Files that it creates are accessible only to its
    /// user. If the kernel has no Landlock or cannot filter system calls, the other restrictions still apply; `warning`
    /// says so.
    /// - Throws: `.fileAccess` if the system refuses, `.internalInconsistency` if there is a second thread, which Landlock
    ///   would not confine, `.shortage` without memory. The worker must not go on then.
    package func apply() throws(FlatteningError) {
        try Self.checkThreads()
        guard process_die_with_parent(parent) == 0 else {
            throw FlatteningError(
                .cancelled, "the batch that this worker belongs to is gone", stage: .worker)
        }
        // Set this now, since permissions cannot be changed from here on.
        umask(0o077)
        let limits = ProcessLimits(
            addressSpace: addressSpace, processorSeconds: processorSeconds, fileBytes: Self.maximumFileBytes,
            openFiles: Self.maximumOpenFiles, processes: processes)
        var forC = limits.forC
        guard unsafe process_limit_resources(&forC) == 0 else {
            throw FileSystemError.last("the worker's limits cannot be set", file: writable, stage: .worker)
        }
        let files = FileAccess(system: systemPaths, readable: readable, writable: writable)
        guard try unsafe files.withCFiles(process_confine_files) >= 0,
            process_confine_calls(PROCESS_CALLS_OF_WORKER) >= 0
        else {
            throw FileSystemError.last("the worker cannot be confined", file: writable, stage: .worker)
        }
    }

    /// Throws if this process has more than one thread, on systems that can tell.
    private static func checkThreads() throws(FlatteningError) {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 1
        guard threads == 1 else {
            throw FlatteningError(
                .internalInconsistency, "a worker confines itself before it starts threads", stage: .worker,
                seen: "\(threads) threads", allowed: "1")
        }
    }

    /// The places of libraries, their settings and tesseract's data, and what the C libraries read about the machine.
    ///
    /// libdispatch reads the state of each of its threads by number under /proc, and traps if it may not. Access to /proc
    /// reveals which other processes there are, with their command lines, and what the kernel tells everybody about itself
    /// (to root more than that). It does not reveal environment, memory and open files of other processes to a process
    /// confined like this (without Landlock: it does to one of the same user).
    private var systemPaths: [String] {
        let environment = ProcessInfo.processInfo.environment
        let named = ["TESSDATA_PREFIX", "LD_LIBRARY_PATH", "LIBHEIF_PLUGIN_PATH"]
            .flatMap { ProcessEnvironment.absoluteFolders(environment[$0]) }
            .filter { Self.isNarrow($0, writable: writable) }
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        return [
            "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share", "/usr/local/share", "/lib", "/lib64",
            "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime",
            "/etc/ssl/openssl.cnf", "/proc",
            "/sys/devices/system/cpu", "/sys/fs/cgroup", "/dev/urandom",
        ] + named + Self.loadedLibraries(in: maps)
    }

    /// Whether a folder named by the environment may be read with everything below: it must have at least two parts once
    /// its links are resolved (not "/" or "/home"), and must not contain the folder that is written to, beside which a
    /// user's own files usually lie. Libraries or language data in other folders are not found.
    static func isNarrow(_ folder: String, writable: String) -> Bool {
        func parts(_ path: String) -> [Substring]? {
            guard let resolved = unsafe realpath(path, nil) else { return nil }
            defer { unsafe free(resolved) }
            return unsafe String(cString: resolved).split(atScalar: "/")
        }
        guard let named = parts(folder), named.count >= 2 else { return false }
        return parts(writable).map { !$0.starts(with: named) } ?? true
    }

    /// The libraries that are already loaded, each by its own path: the Swift runtime may lie anywhere, beside files that a
    /// worker must not read.
    /// - Parameter maps: the content of /proc/self/maps.
    static func loadedLibraries(in maps: String) -> [String] {
        // Address, rights, offset, device, inode, and the path, which may contain blanks.
        let paths = maps.split(atScalar: "\n").compactMap { line in
            line.firstIndex(ofScalar: "/").map { String(line[$0...]) }
        }
        return Set(paths).filter(isLibrary).sorted()
    }

    /// Whether a file's name has the form NAME.so or NAME.so.1.2.3.
    private static func isLibrary(_ path: String) -> Bool {
        let name = path.split(atScalar: "/").last ?? ""
        return name.wholeMatch(of: /.+\.so(\.[0-9]+)*/) != nil
    }
}
