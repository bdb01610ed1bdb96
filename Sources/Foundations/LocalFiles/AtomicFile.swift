package import Diagnostics
import ScalarText

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that appears under its name only when it is completely written.
///
/// Bytes go to a temporary file in the same folder, readable only by the owner. `commit` writes them to the disk, gives the file
/// its usual permissions and renames it over the old one. If anything fails before that, the old file stays as it was and the
/// temporary one is removed. Since the old file is replaced, not rewritten, it may also be one that is being read. Where the
/// system supports it (Linux, most file systems), the temporary file has no name until `commit`, so that even a killed process
/// leaves nothing behind.
///
/// "-" means standard output; devices and pipes are written directly, as there is nothing to replace. A symbolic link stays: the
/// file it points to is replaced; a link that leads nowhere is itself replaced. Within `keepingExisting` no file is replaced.
package final class AtomicFile {
    /// The path as the caller named it.
    package let path: String

    private enum Target {
        case replacing(path: String, permissions: mode_t)
        case direct
    }
    private let target: Target
    private let replacesExisting: Bool
    /// The temporary file's name, nil while it has none.
    private var temporary: String? {
        didSet { TemporaryFiles.change(from: oldValue, to: temporary) }
    }
    private var descriptor: Int32
    private let closesDescriptor: Bool
    private var buffer: [UInt8] = []
    private var written = 0
    private var isFinished = false
    /// The holder that delays the file's naming; nil if there is none.
    private var holder: Held?

    private static let bufferBytes = 1 << 16

    /// Starts a file.
    /// - Parameter path: where the file will appear; "-" for standard output.
    /// - Throws: `.fileAccess` if the folder is missing or not writable or the path is a folder.
    package convenience init(path: String) throws(FlatteningError) {
        try self.init(path: path, mayBeNameless: true)
    }

    /// - Parameter mayBeNameless: false to behave as on a system where every file has a name.
    init(path: String, mayBeNameless: Bool) throws(FlatteningError) {
        self.path = path
        replacesExisting = Self.replacesExisting
        holder = Held.current
        buffer.reserveCapacity(Self.bufferBytes)
        if path == "-" {
            (target, descriptor, closesDescriptor) = (.direct, 1, false)
            return
        }
        guard !path.isEmpty && !path.utf8.contains(0) else {
            throw FlatteningError(.fileAccess, "the path is empty or contains a zero byte", stage: .write)
        }

        var status = stat()
        let exists = unsafe stat(path, &status) == 0
        let kind = status.st_mode & S_IFMT
        if exists && kind == S_IFDIR {
            throw FlatteningError(.fileAccess, "this is a folder, not a file", file: path, stage: .write)
        }
        if exists && kind != S_IFREG {
            descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else {
                throw FileSystemError.last("the file cannot be opened", file: path, stage: .write)
            }
            (target, closesDescriptor) = (.direct, true)
            return
        }
        guard replacesExisting || !exists else { throw Self.existing(path) }

        let destination = exists ? Self.resolvingLinks(path) : path
        let folder = Self.split(destination).folder
        closesDescriptor = true
        if mayBeNameless, let nameless = Self.openNameless(in: folder.isEmpty ? "." : folder) {
            descriptor = nameless.descriptor
            target = .replacing(
                path: destination, permissions: exists ? status.st_mode & 0o777 : nameless.permissions)
            return
        }
        target = .replacing(
            path: destination,
            permissions: exists ? status.st_mode & 0o777 : Self.usualPermissions(beside: destination))
        var opened: Int32 = -1
        let name = Self.firstFreeName(beside: destination) { name in
            opened = NewFile.create(name, 0o600)
            return opened >= 0
        }
        descriptor = opened
        guard descriptor >= 0 else {
            throw FileSystemError.last("the file cannot be created", file: path, stage: .write)
        }
        note(temporary: name)
    }

    deinit { discard() }

    /// Adds bytes at the end.
    /// - Throws: `.fileAccess` with the system's message (disk full ...); the file can then only be discarded.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FlatteningError) {
        precondition(!isFinished, "the file is already committed or discarded")
        if holdsBack || buffer.count + bytes.count <= Self.bufferBytes {
            unsafe buffer.append(contentsOf: bytes)
            return
        }
        try flush()
        if bytes.count >= Self.bufferBytes {
            try unsafe writeThrough(bytes)
        } else {
            unsafe buffer.append(contentsOf: bytes)
        }
    }

    /// Adds bytes at the end.
    package func write(_ bytes: [UInt8]) throws(FlatteningError) {
        try unsafe bytes.withTypedBytes { (raw) throws(FlatteningError) in try unsafe write(raw) }
    }

    /// Completes the file and makes it visible: flush, fsync, permissions, rename, fsync of the folder.
    package func commit() throws(FlatteningError) {
        precondition(!isFinished, "the file is already committed or discarded")
        if let holder {
            if !holdsBack { try flush() }
            return holder.add(self)
        }
        try flush()
        guard case .replacing(let destination, let permissions) = target else {
            try closeDirect()
            return
        }
        guard Self.setPermissions(permissions, of: descriptor), fsync(descriptor) == 0 else {
            throw FileSystemError.last("the file cannot be completed", file: path, stage: .write)
        }
        #if os(Linux)
            if temporary == nil {
                // Uses the descriptor's entry in /proc: linking with an empty path would need a privilege.
                let source = "/proc/self/fd/\(descriptor)"
                // A new file gets its final name at once; only to replace an old one is a temporary name needed.
                if unsafe linkat(AT_FDCWD, source, AT_FDCWD, destination, AT_SYMLINK_FOLLOW) == 0 {
                    try finish(in: destination)
                    return
                }
                guard replacesExisting || errno != EEXIST else { throw Self.existing(path) }
                let name = Self.firstFreeName(beside: destination) { name in
                    unsafe linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
                }
                guard let name else {
                    throw FileSystemError.last("the file cannot be named", file: path, stage: .write)
                }
                // Set only after the check: the lock in its observer may change errno.
                temporary = name
            }
        #endif
        guard let temporary else { preconditionFailure("a file that is to be renamed has a name") }
        if replacesExisting {
            guard unsafe rename(temporary, destination) == 0 else {
                throw FileSystemError.last("the file cannot be replaced", file: path, stage: .write)
            }
        } else {
            guard Self.renameUnlessThere(temporary, destination) else {
                guard errno == EEXIST else {
                    throw FileSystemError.last("the file cannot be named", file: path, stage: .write)
                }
                throw Self.existing(path)
            }
        }
        try finish(in: destination)
    }

    /// Runs once the file has its name: closes it and writes the name to the disk.
    private func finish(in destination: String) throws(FlatteningError) {
        isFinished = true
        temporary = nil
        guard close(descriptor) == 0 else {
            throw FileSystemError.last("the file cannot be completed", file: path, stage: .write)
        }
        // Errors are ignored: whether a folder can be synchronised depends only on its file system.
        let folder = Self.split(destination).folder
        let opened = unsafe open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        if opened >= 0 {
            fsync(opened)
            close(opened)
        }
    }

    /// Discards the file: the old file stays as it was, nothing is left behind. Harmless after `commit`.
    package func discard() {
        guard !isFinished else { return }
        isFinished = true
        if closesDescriptor && descriptor >= 0 { close(descriptor) }
        if let temporary { unsafe unlink(temporary) }
        temporary = nil
    }

    /// Replaces the file at `path` with what `body` writes; on any error the old file stays.
    package static func replace(
        _ path: String, with body: (AtomicFile) throws(FlatteningError) -> Void
    ) throws(FlatteningError) {
        let file = try AtomicFile(path: path)
        do throws(FlatteningError) {
            try body(file)
            try file.commit()
        } catch {
            file.discard()
            throw error.naming(file: path)
        }
    }

    /// Replaces the file at `path` with `bytes`.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(FlatteningError) {
        try replace(path) { (file) throws(FlatteningError) in try file.write(bytes) }
    }

    // MARK: - Holding

    /// Files that are complete but not yet named, in the order in which they were committed.
    ///
    /// Only one thread uses it; it is shared only with the functions that this thread calls.
    package final class Held: @unchecked Sendable {
        @TaskLocal fileprivate static var current: Held?

        private var files: [AtomicFile] = []

        fileprivate func add(_ file: AtomicFile) { files.append(file) }

        /// Calls `body` with the path of each file, as the caller named it, and with its content, read back from the disk.
        /// Output for standard output, a device or a pipe stays in memory until `commit`.
        package func forEach(
            _ body: (_ path: String, _ bytes: [UInt8]) throws(FlatteningError) -> Void
        ) throws(FlatteningError) {
            for file in files { try body(file.path, try file.contents()) }
        }

        /// Gives all files their names; if one fails, the files after it are discarded.
        package func commit() throws(FlatteningError) {
            defer { discard() }
            for file in files {
                file.holder = nil
                do throws(FlatteningError) { try file.commit() } catch {
                    file.discard()
                    throw error.naming(file: file.path)
                }
            }
        }

        /// Discards all files.
        package func discard() {
            for file in files { file.discard() }
            files = []
        }

        deinit { discard() }
    }

    /// Runs `body`; files written in it do not get their names yet.
    /// - Returns: the files; they are deleted if it is released without `commit`.
    package static func holding(
        _ body: () throws(FlatteningError) -> Void
    ) throws(FlatteningError) -> Held {
        let held = Held()
        let outcome: Swift.Result<Void, FlatteningError> = Held.$current.withValue(held) {
            do throws(FlatteningError) { return .success(try body()) } catch { return .failure(error) }
        }
        do throws(FlatteningError) { try outcome.get() } catch {
            held.discard()
            throw error
        }
        return held
    }

    /// Whether output stays in memory, because it could not be taken back from where it goes.
    private var holdsBack: Bool {
        guard holder != nil, case .direct = target else { return false }
        return true
    }

    /// Returns the content of a held file.
    private func contents() throws(FlatteningError) -> [UInt8] {
        guard case .replacing = target else { return buffer }
        var bytes = [UInt8](repeating: 0, count: written)
        var offset = 0
        while offset < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + offset }, buffer.count - offset,
                    off_t(offset))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw FileSystemError.last("the file cannot be read back", file: path, stage: .write)
            }
            offset += count
        }
        return bytes
    }

    // MARK: - Not replacing

    @TaskLocal private static var replacesExisting = true

    /// Runs `body`, in which no file replaces another: an existing one throws `.fileAccess`, even if it appears while the new
    /// file is written.
    package static func keepingExisting<Result>(
        _ body: () throws(FlatteningError) -> Result
    ) throws(FlatteningError) -> Result {
        let outcome: Swift.Result<Result, FlatteningError> = $replacesExisting.withValue(false) {
            do throws(FlatteningError) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    private static func existing(_ path: String) -> FlatteningError {
        FlatteningError(
            .fileAccess, "the file exists, and none is to be replaced", file: path, stage: .write,
            advice: "Name another file, or allow that it is replaced")
    }

    /// Gives a file its name unless that name is taken; errno is then EEXIST.
    private static func renameUnlessThere(_ temporary: String, _ destination: String) -> Bool {
        // Uses a second hard link where the file system supports it; otherwise (FAT) the system's exclusive rename.
        if unsafe link(temporary, destination) == 0 {
            unsafe unlink(temporary)
            return true
        }
        guard errno != EEXIST else { return false }
        #if canImport(Darwin)
            return renamex_np(temporary, destination, UInt32(RENAME_EXCL)) == 0
        #else
            // The headers do not expose this function to Swift.
            typealias RenameAt =
                @convention(c) (
                    Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
                ) -> Int32
            guard let symbol = unsafe dlsym(nil, "renameat2") else {
                errno = ENOSYS
                return false
            }
            let unlessThere: UInt32 = 1  // RENAME_NOREPLACE
            return unsafe unsafeBitCast(symbol, to: RenameAt.self)(
                AT_FDCWD, temporary, AT_FDCWD, destination, unlessThere) == 0
        #endif
    }

    // MARK: - Steps

    /// Sets the name from the initialiser, which would not call the property's observer.
    private func note(temporary name: String?) { temporary = name }

    private func flush() throws(FlatteningError) {
        guard !buffer.isEmpty else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        try unsafe buffer.withTypedBytes { (raw) throws(FlatteningError) in try unsafe writeThrough(raw) }
    }

    private func writeThrough(_ bytes: UnsafeRawBufferPointer) throws(FlatteningError) {
        // Beyond the process's file size limit, the kernel would kill a program that does not ignore SIGXFSZ instead of
        // returning an error.
        if case .replacing = target {
            var limit = rlimit()
            if unsafe getrlimit(Self.fileSizeResource, &limit) == 0,
                UInt64(written + bytes.count) > limit.rlim_cur
            {
                throw FileSystemError.make(EFBIG, "the file cannot be written", file: path, stage: .write)
            }
        }
        var offset = 0
        while offset < bytes.count {
            let count = unsafe systemWrite(
                descriptor, bytes.baseAddress.map { unsafe $0 + offset }, bytes.count - offset)
            if count < 0 {
                if errno == EINTR { continue }
                throw FileSystemError.last("the file cannot be written", file: path, stage: .write)
            }
            offset += count
        }
        written += bytes.count
    }

    private func closeDirect() throws(FlatteningError) {
        isFinished = true
        guard closesDescriptor else { return }
        guard close(descriptor) == 0 else {
            throw FileSystemError.last("the file cannot be completed", file: path, stage: .write)
        }
    }

    #if canImport(Glibc)
        private static let fileSizeResource = Int32(RLIMIT_FSIZE.rawValue)
    #else
        private static let fileSizeResource = Int32(RLIMIT_FSIZE)
    #endif

    /// Opens a file without a name in `folder`, readable only by the owner, and returns it with the permissions that a new file
    /// would have; nil where this is not supported.
    private static func openNameless(in folder: String) -> (descriptor: Int32, permissions: mode_t)? {
        #if os(Linux)
            // O_TMPFILE, which is not imported because headers define it as an expression: its own bit and O_DIRECTORY.
            let withoutName: Int32 = 0o20000000 | O_DIRECTORY
            guard unsafe access("/proc/self/fd", X_OK) == 0 else { return nil }
            let opened = unsafe open(folder, O_RDWR | withoutName | O_CLOEXEC, 0o666)
            guard opened >= 0 else { return nil }
            // The system has applied the umask. Nobody can have opened the nameless file before it is made private.
            var status = stat()
            guard unsafe fstat(opened, &status) == 0, setPermissions(0o600, of: opened) else {
                close(opened)
                return nil
            }
            return (opened, status.st_mode & 0o777)
        #else
            return nil
        #endif
    }

    /// Changes a file's permissions only if they differ: a confined process may not change any.
    private static func setPermissions(_ permissions: mode_t, of descriptor: Int32) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return status.st_mode & 0o777 == permissions || fchmod(descriptor, permissions) == 0
    }

    /// Returns the path at the end of a chain of symbolic links.
    private static func resolvingLinks(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Splits a path into the folder with its slash (empty for the current one) and the last part.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(ofScalar: "/") else { return ("", path) }
        let name = path.index(afterScalar: slash)
        return (String(path[..<name]), String(path[name...]))
    }
}

/// write(2) under a name that `AtomicFile.write` does not hide.
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, buffer, count)
}
