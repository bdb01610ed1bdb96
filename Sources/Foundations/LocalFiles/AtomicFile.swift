package import Diagnostics
import ScalarText

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file being written that appears under its name only when it is whole.
///
/// Bytes go to a temporary file of the same folder, readable by the owner alone; `commit` brings them to the disk,
/// gives the file its usual permissions and renames it over the old one. Whatever fails before that leaves the old file
/// as it was and removes the temporary one. Since the old file is replaced, not rewritten, it may also be the one that
/// is being read. Where the system can (Linux, most file systems), the temporary file has no name until `commit`, so
/// that even a killed process leaves nothing behind.
///
/// "-" stands for standard output; devices and pipes are written directly, as there is nothing to replace. A symbolic
/// link stays: the file it points to is replaced; one that leads nowhere is itself replaced. Within `keepingExisting` no file is replaced.
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
    /// What keeps the file from its name; nil if nothing does.
    private var holder: Held?

    private static let bufferBytes = 1 << 16

    /// Starts a file.
    /// - Parameter path: where it shall appear; "-" for standard output.
    /// - Throws: `.fileAccess` if the folder is missing or not writable or the path is a folder.
    package convenience init(path: String) throws(FlatteningError) {
        try self.init(path: path, mayBeNameless: true)
    }

    /// - Parameter mayBeNameless: false to behave as where every file has a name.
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
    /// - Throws: `.fileAccess` with the system's words (disk full ...); the file can then only be discarded.
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

    /// Makes the file whole and visible: flush, fsync, permissions, rename, fsync of the folder.
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
                // The descriptor's own entry: linking by an empty path would need a privilege.
                let source = "/proc/self/fd/\(descriptor)"
                // A new file appears at once; only an old one needs a name beside it to be replaced from.
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
                // Only now: the lock behind it may change errno.
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

    /// The file stands under its name: all that is left is to let go of it and to bring the name to the disk.
    private func finish(in destination: String) throws(FlatteningError) {
        isFinished = true
        temporary = nil
        guard close(descriptor) == 0 else {
            throw FileSystemError.last("the file cannot be completed", file: path, stage: .write)
        }
        // Whether the folder can be synchronised depends on its file system alone.
        let folder = Self.split(destination).folder
        let opened = unsafe open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        if opened >= 0 {
            fsync(opened)
            close(opened)
        }
    }

    /// Gives up: the old file stays as it was, nothing is left behind. Harmless after `commit`.
    package func discard() {
        guard !isFinished else { return }
        isFinished = true
        if closesDescriptor && descriptor >= 0 { close(descriptor) }
        if let temporary { unsafe unlink(temporary) }
        temporary = nil
    }

    /// Replaces the file at `path` by what `body` writes; on any error the old file stays.
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

    /// Replaces the file at `path` by `bytes`.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(FlatteningError) {
        try replace(path) { (file) throws(FlatteningError) in try file.write(bytes) }
    }

    // MARK: - Holding

    /// Files that are whole but have no names yet, in the order in which they were committed.
    ///
    /// It is used by one thread; it is shared only with what that thread calls.
    package final class Held: @unchecked Sendable {
        @TaskLocal fileprivate static var current: Held?

        private var files: [AtomicFile] = []

        fileprivate func add(_ file: AtomicFile) { files.append(file) }

        /// Calls `body` with the path of each file, as it was named, and with what was written, read back from the disk. What
        /// goes to standard output, a device or a pipe is in memory until `commit`.
        package func forEach(
            _ body: (_ path: String, _ bytes: [UInt8]) throws(FlatteningError) -> Void
        ) throws(FlatteningError) {
            for file in files { try body(file.path, try file.contents()) }
        }

        /// Gives all files their names; those that come after one that fails are given up.
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

        /// Gives all files up.
        package func discard() {
            for file in files { file.discard() }
            files = []
        }

        deinit { discard() }
    }

    /// Runs `body`, in which files are written but do not get their names.
    /// - Returns: the files; if it is let go of without `commit`, they are gone.
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

    /// Whether what is written stays in memory: it cannot be taken back from where it goes.
    private var holdsBack: Bool {
        guard holder != nil, case .direct = target else { return false }
        return true
    }

    /// What was written to a file that is held.
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

    /// Runs `body`, in which no file replaces another: one that exists is `.fileAccess`, also if it appears while its
    /// successor is written.
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

    /// Gives a file its name unless there is one of that name; errno is EEXIST then.
    private static func renameUnlessThere(_ temporary: String, _ destination: String) -> Bool {
        // A second name where the file system has them; else (FAT) what the system offers for renaming.
        if unsafe link(temporary, destination) == 0 {
            unsafe unlink(temporary)
            return true
        }
        guard errno != EEXIST else { return false }
        #if canImport(Darwin)
            return renamex_np(temporary, destination, UInt32(RENAME_EXCL)) == 0
        #else
            // Not among what headers show to Swift.
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

    /// A name from the initialiser, where property observers are not called.
    private func note(temporary name: String?) { temporary = name }

    private func flush() throws(FlatteningError) {
        guard !buffer.isEmpty else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        try unsafe buffer.withTypedBytes { (raw) throws(FlatteningError) in try unsafe writeThrough(raw) }
    }

    private func writeThrough(_ bytes: UnsafeRawBufferPointer) throws(FlatteningError) {
        // Past the process's file size limit the kernel would end a program that does not ignore SIGXFSZ, instead of
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

    /// A file without a name in `folder`, readable by the owner alone, and the permissions that a new file would have;
    /// nil where there is no such thing.
    private static func openNameless(in folder: String) -> (descriptor: Int32, permissions: mode_t)? {
        #if os(Linux)
            // O_TMPFILE, which headers spell as an expression that is not imported: its own bit and O_DIRECTORY.
            let withoutName: Int32 = 0o20000000 | O_DIRECTORY
            guard unsafe access("/proc/self/fd", X_OK) == 0 else { return nil }
            let opened = unsafe open(folder, O_RDWR | withoutName | O_CLOEXEC, 0o666)
            guard opened >= 0 else { return nil }
            // The system took the umask away. Nobody can have opened what has no name before it is made private.
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

    /// The path that a chain of symbolic links ends at.
    private static func resolvingLinks(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// The folder with its slash (empty for the current one) and the last part of a path.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(ofScalar: "/") else { return ("", path) }
        let name = path.index(afterScalar: slash)
        return (String(path[..<name]), String(path[name...]))
    }
}

/// write(2) by a name that `AtomicFile.write` does not hide.
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, buffer, count)
}
