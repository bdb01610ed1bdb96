internal import Foundation
internal import ImageFiles
internal import Imaging

/// An entry of a folder as the system has it: its name is bytes, which need not be text, and it may be no file at all.
struct FolderEntry: Sendable {
    enum Kind: Sendable {
        case file, folder, link
        /// A pipe, a socket, a device.
        case other
    }

    /// The name's bytes.
    var bytes: [UInt8]
    /// What the entry itself is: a link is a link, wherever it leads.
    var kind: Kind
    /// Bytes, where it lies and when it was written: what differs once the entry was changed.
    var stamp: Stamp

    struct Stamp: Equatable, Sendable {
        var size: Int64
        var device: UInt64
        var node: UInt64
        var seconds: Int
        var nanoseconds: Int

        init(_ status: stat) {
            size = Int64(status.st_size)
            device = UInt64(status.st_dev)
            node = UInt64(status.st_ino)
            #if canImport(Darwin)
                let written = status.st_mtimespec
            #else
                let written = status.st_mtim
            #endif
            seconds = written.tv_sec
            nanoseconds = written.tv_nsec
        }
    }

    /// The name as text; nil if it is none (UTF-8).
    var name: String? { String(validating: bytes, as: UTF8.self) }

    /// The name for people: bytes that are no text are written as \xe9.
    var shownName: String { Self.shown(bytes) }

    /// Text for people from bytes that may be none.
    static func shown(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return bytes.map { byte in
            (0x20..<0x7F).contains(byte)
                ? String(UnicodeScalar(byte))
                : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

extension FolderEntry.Kind {
    init(_ mode: mode_t) {
        self =
            switch mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
    }
}

/// A folder that is open. What lies in it is reached from here by its own name, so that it cannot be swapped for a link
/// between a look and the next.
final class OpenFolder {
    let descriptor: Int32
    private let path: String

    /// - Parameter follows: whether a link in the path's last place is followed.
    init(path: String, follows: Bool) throws(FlatteningError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else {
            throw FileSystemError.last("the folder cannot be opened", file: path, stage: "batch")
        }
    }

    /// A folder that was opened elsewhere, closed with this.
    /// - Parameter path: what it is called in messages.
    init(adopting descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// A folder within; nil if it may not be looked into or is gone.
    func folder(_ name: [UInt8]) throws(FlatteningError) -> OpenFolder? {
        try opened(name, O_DIRECTORY).map {
            OpenFolder(adopting: $0, path: path + "/" + FolderEntry.shown(name))
        }
    }

    /// Opens a file within for reading; nil if it may not be read or is gone. Never waits, never follows a link.
    func file(_ name: [UInt8]) throws(FlatteningError) -> Int32? { try opened(name, O_NONBLOCK) }

    private func opened(_ name: [UInt8], _ flags: Int32) throws(FlatteningError) -> Int32? {
        let opened = Self.withCString(name) {
            openat(descriptor, $0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | flags)
        }
        if opened >= 0 { return opened }
        let failure = errno
        if [EACCES, EPERM, ENOENT, ELOOP, ENOTDIR, ENXIO].contains(failure) { return nil }
        throw FileSystemError.make(
            failure, "the file cannot be opened", file: path + "/" + FolderEntry.shown(name), stage: "batch")
    }

    /// What lies in the folder, hidden entries too, in the order of the names' bytes: the same in every locale.
    /// - Parameter most: entries at most.
    /// - Throws: `.fileAccess` if it cannot be listed, `.limitExceeded` for more entries.
    func entries(most: Int) throws(FlatteningError) -> [FolderEntry] {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = fdopendir(copy) else {
            let failure = FileSystemError.last("the folder cannot be listed", file: path, stage: "batch")
            if copy >= 0 { close(copy) }
            throw failure
        }
        defer { closedir(stream) }
        rewinddir(stream)
        var entries: [FolderEntry] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else {
                    throw FileSystemError.last("the folder cannot be listed", file: path, stage: "batch")
                }
                break
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(
                    to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)
                ) {
                    Array(UnsafeBufferPointer(start: $0, count: strlen($0))).map(UInt8.init(bitPattern:))
                }
            }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            var status = stat()
            // What is gone again was not there.
            guard Self.withCString(name, { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0
            else { continue }
            guard entries.count < most else {
                throw FlatteningError(
                    .limitExceeded, "the folder holds too many files", file: path, stage: "batch",
                    seen: "more than \(most)", allowed: "\(most)")
            }
            entries.append(FolderEntry(bytes: name, kind: .init(status.st_mode), stamp: .init(status)))
        }
        return entries.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// Where a link within leads to, as it is written.
    func destination(ofLink name: [UInt8]) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = Self.withCString(name) { readlinkat(descriptor, $0, &buffer, buffer.count) }
        return buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:))
    }

    private static func withCString<Result>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result)
        -> Result
    {
        (name.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
            // The zero makes the buffer longer than empty, so that there is an address.
            body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}
