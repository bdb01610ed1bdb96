package import Diagnostics

#if canImport(Darwin)
    package import Darwin
#elseif canImport(Musl)
    package import Musl
#else
    package import Glibc
#endif

/// An entry of a folder as the system reports it: its name is bytes, which need not be text, and it need not be a file.
package struct FolderEntry: Sendable {
    /// The kind of an entry.
    package enum Kind: Sendable {
        case file, folder, link
        /// A pipe, a socket, a device.
        case other
    }

    /// The name's bytes.
    package var bytes: [UInt8]
    /// The kind of the entry itself: a link counts as a link, wherever it leads.
    package var kind: Kind
    /// Size, identity and modification time; they differ once the entry was changed.
    package var stamp: Stamp

    package struct Stamp: Equatable, Sendable {
        package var size: Int64
        package var identity: FileIdentity
        package var seconds: Int
        package var nanoseconds: Int

        /// The stamp of a file's status.
        package init(_ status: stat) {
            size = Int64(status.st_size)
            identity = FileIdentity(status)
            #if canImport(Darwin)
                let written = status.st_mtimespec
            #else
                let written = status.st_mtim
            #endif
            seconds = written.tv_sec
            nanoseconds = written.tv_nsec
        }
    }

    /// The name as text; nil if it is not valid UTF-8.
    package var name: String? { String(validating: bytes, as: UTF8.self) }

    /// The name for display: bytes that are not text are written as \xe9.
    package var shownName: String { String(showing: bytes) }
}

extension FolderEntry.Kind {
    /// The kind for a file's mode.
    package init(_ mode: mode_t) {
        self =
            switch mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
    }
}

/// An open folder. Its entries are accessed from here by name, so that the folder cannot be swapped for a link between two
/// accesses.
package final class OpenFolder {
    /// The descriptor of the open folder.
    package let descriptor: Int32
    private let path: String
    /// The stage that errors name.
    private let stage: FlatteningError.Stage

    /// Opens a folder.
    /// - Parameters:
    ///   - follows: whether a link as the last part of the path is followed.
    ///   - stage: the stage that errors name.
    /// - Throws: `.fileAccess`.
    package init(path: String, follows: Bool, stage: FlatteningError.Stage) throws(FlatteningError) {
        self.path = path
        self.stage = stage
        descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else {
            throw FileSystemError.last("the folder cannot be opened", file: path, stage: stage)
        }
    }

    /// Takes over a folder that was opened elsewhere, and closes it in the end.
    /// - Parameter path: the folder's name in messages.
    package init(adopting descriptor: Int32, path: String, stage: FlatteningError.Stage) {
        self.descriptor = descriptor
        self.path = path
        self.stage = stage
    }

    deinit { close(descriptor) }

    /// Opens a subfolder; nil if it is not accessible or is gone.
    package func folder(_ name: [UInt8]) throws(FlatteningError) -> OpenFolder? {
        try opened(name, O_DIRECTORY).map {
            OpenFolder(adopting: $0, path: path + "/" + String(showing: name), stage: stage)
        }
    }

    /// Opens a file of the folder for reading; nil if it is not accessible or is gone. Never waits, never follows a link.
    package func file(_ name: [UInt8]) throws(FlatteningError) -> Int32? { try opened(name, O_NONBLOCK) }

    private func opened(_ name: [UInt8], _ flags: Int32) throws(FlatteningError) -> Int32? {
        let opened = unsafe Self.withCString(name) {
            unsafe openat(descriptor, $0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | flags)
        }
        if opened >= 0 { return opened }
        let failure = errno
        if [EACCES, EPERM, ENOENT, ELOOP, ENOTDIR, ENXIO].contains(failure) { return nil }
        throw FileSystemError.make(
            failure, "the file cannot be opened", file: path + "/" + String(showing: name), stage: stage)
    }

    /// Lists the folder, including hidden entries, in the order of the names' bytes: the same in every locale.
    /// - Parameter most: the largest number of entries allowed.
    /// - Throws: `.fileAccess` if it cannot be listed, `.limitExceeded` for more entries.
    package func entries(most: Int) throws(FlatteningError) -> [FolderEntry] {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = unsafe fdopendir(copy) else {
            let failure = FileSystemError.last("the folder cannot be listed", file: path, stage: stage)
            if copy >= 0 { close(copy) }
            throw failure
        }
        defer { unsafe closedir(stream) }
        unsafe rewinddir(stream)
        var entries: [FolderEntry] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else {
                    throw FileSystemError.last("the folder cannot be listed", file: path, stage: stage)
                }
                break
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(
                    to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)
                ) {
                    unsafe Array(UnsafeBufferPointer(start: $0, count: strlen($0))).map(
                        UInt8.init(bitPattern:))
                }
            }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            var status = stat()
            // An entry that has disappeared meanwhile is ignored.
            guard
                unsafe Self.withCString(
                    name, { unsafe fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0
            else { continue }
            guard entries.count < most else {
                throw FlatteningError(
                    .limitExceeded, "the folder holds too many files", file: path, stage: stage,
                    seen: "more than \(most)", allowed: "\(most)")
            }
            entries.append(FolderEntry(bytes: name, kind: .init(status.st_mode), stamp: .init(status)))
        }
        return entries.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// Returns the target of a link in the folder, as written in the link.
    package func destination(ofLink name: [UInt8]) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe Self.withCString(name) { unsafe readlinkat(descriptor, $0, &buffer, buffer.count) }
        return buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:))
    }

    private static func withCString<Result>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result)
        -> Result
    {
        unsafe (name.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
            // The zero makes the buffer non-empty, so it has an address.
            unsafe body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}
