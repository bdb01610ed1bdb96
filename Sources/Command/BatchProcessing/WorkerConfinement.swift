import ChildProcesses
package import Diagnostics
import LocalFiles
internal import CProcessLimits
internal import Platform
import ScalarText

/// What a worker may do: set by itself before it touches a file that it does not trust, and never taken back.
package struct WorkerConfinement: Sendable {
    /// The process that the worker works for; when that dies so does the worker.
    package var parent: Int32
    /// Most bytes of address space.
    package var addressSpace: UInt64
    /// Most seconds of processor time.
    package var processorSeconds: UInt64
    /// The number of threads of the user from which on none is started, nil for no limit of ours.
    package var processes: UInt64?
    /// What may be read besides the system's libraries and language data: files, or folders with all below them. What is
    /// a link is not followed: whoever allows one to be used names what it leads to.
    package var readable: [String]
    /// The folder that may be written to. No link.
    package var writable: String

    /// Most bytes of a file that a worker writes: eight times the largest that comes of a capture, where each of 64 million
    /// pixels comes from, with 8 bytes each.
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

    /// What is missing on this system of what confines a worker, as a sentence; nil if nothing is.
    package static var warning: String? { ConfinementSupport.current.warning }

    /// Confines this process, which must not have a second thread yet. Files that it makes are its user's alone. Where the
    /// kernel has no Landlock or filters no system calls the rest holds; `warning` says so.
    /// - Throws: `.fileAccess` if the system refuses, `.internalInconsistency` if there is a second thread, which Landlock
    ///   would leave as it is, `.shortage` without memory; the worker must not go on then.
    package func apply() throws(FlatteningError) {
        try Self.checkThreads()
        guard process_die_with_parent(parent) == 0 else {
            throw FlatteningError(
                .cancelled, "the batch that this worker belongs to is gone", stage: .worker)
        }
        // Private from the start, since permissions cannot be changed from here on.
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

    /// Throws if this process has another thread than this one, where the system tells.
    private static func checkThreads() throws(FlatteningError) {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 1
        guard threads == 1 else {
            throw FlatteningError(
                .internalInconsistency, "a worker confines itself before it starts threads", stage: .worker,
                seen: "\(threads) threads", allowed: "1")
        }
    }

    /// Where libraries, their settings and tesseract's data lie, and what the C libraries ask of the machine.
    ///
    /// Under /proc libdispatch reads the state of each of its threads by number, and traps if it may not. That shows which
    /// other processes there are, with their command lines, and what the kernel tells everybody of itself, to root more
    /// than that; environment, memory and open files of other processes it does not show to a process confined like this
    /// (where there is no Landlock: to one of the same user).
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

    /// Whether a folder that the environment names may be read with all below: one of at least two parts once its links are
    /// followed (not "/" or "/home"), that does not hold the folder that is written to, and with it, as a rule, what is
    /// somebody's own. Libraries or language data of one that is not are not found.
    static func isNarrow(_ folder: String, writable: String) -> Bool {
        func parts(_ path: String) -> [Substring]? {
            guard let resolved = unsafe realpath(path, nil) else { return nil }
            defer { unsafe free(resolved) }
            return unsafe String(cString: resolved).split(atScalar: "/")
        }
        guard let named = parts(folder), named.count >= 2 else { return false }
        return parts(writable).map { !$0.starts(with: named) } ?? true
    }

    /// The libraries that are already loaded, each by its own name: the Swift runtime may lie anywhere, beside what is
    /// nobody's business.
    /// - Parameter maps: what /proc/self/maps holds.
    static func loadedLibraries(in maps: String) -> [String] {
        // Address, rights, offset, device, inode, and the path, which may hold blanks.
        let paths = maps.split(atScalar: "\n").compactMap { line in
            line.firstIndex(ofScalar: "/").map { String(line[$0...]) }
        }
        return Set(paths).filter(isLibrary).sorted()
    }

    /// Whether a file is called NAME.so or NAME.so.1.2.3.
    private static func isLibrary(_ path: String) -> Bool {
        let name = path.split(atScalar: "/").last ?? ""
        return name.wholeMatch(of: /.+\.so(\.[0-9]+)*/) != nil
    }
}
