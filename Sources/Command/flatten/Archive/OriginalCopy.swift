import Diagnostics
import DocumentArchive
import LocalFiles
import Platform

/// The originals of a document, as files that the program can read for as long as it needs them.
struct OriginalCopy {
    /// The single file, or the folder of several.
    let path: String
    /// The descriptor of an unnamed file, or of the folder, which stays locked while it is in use.
    private let descriptor: Int32
    /// The folder of named files; nil for an unnamed file.
    private let folder: String?

    /// - Parameters:
    ///   - files: the originals. A single image is kept in memory without a name where the system supports it, so that it
    ///     disappears with this process however the process ends. PDFs are read by other programs, and captures are
    ///     folders: those become named files.
    ///   - isSecret: whether they must never reach a disk; the folder is then in memory (/dev/shm). Files left there by a
    ///     process that was killed are removed by the next process.
    /// - Throws: `.unsupported` for several photographs, which only the person who added them can put together again, and
    ///   for secret files on a system without such memory; `.storageFull`.
    init(_ files: [(name: String, content: Data)], isSecret: Bool) throws(FlatteningError) {
        if files.count == 1, !files[0].content.starts(with: Array("%PDF".utf8)),
            let descriptor = Self.fileInMemory(files[0].content)
        {
            self.descriptor = descriptor
            folder = nil
            path = "/proc/\(getpid())/fd/\(descriptor)"
            return
        }
        let photographs = files.map { $0.name.lowercased() }
            .filter { name in [".jpg", ".jpeg", ".heic"].contains { name.hasSuffix($0) } }
        guard photographs.count < 2 else {
            throw FlatteningError(
                .unsupported, "a document of several photographs cannot be read again", stage: .documents,
                advice: "Add them once more, and remove this one")
        }
        let place = isSecret ? Self.memory : FileManager.default.temporaryDirectory.path
        Self.sweep(place)
        var template = Array(FilePath.join(place, Self.prefix + "XXXXXX").utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            guard isSecret, errno == ENOENT || errno == EACCES else {
                throw FileSystemError.last("a folder cannot be made", file: place, stage: .documents)
            }
            throw FlatteningError(
                .unsupported,
                "what is encrypted is read again in memory only, and there is no \(Self.memory)",
                stage: .documents)
        }
        let folder = unsafe template.withUnsafeBufferPointer {
            unsafe $0.baseAddress.map { unsafe String(cString: $0) } ?? ""
        }
        self.folder = folder
        descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw FileSystemError.last("a folder cannot be kept", file: folder, stage: .documents)
        }
        var taken: Set<String> = []
        let names = files.map { file in
            var name = DocumentArchive.fileName(file.name)
            while !taken.insert(name).inserted { name = "_" + name }
            return name
        }
        path = names.count == 1 ? FilePath.join(folder, names[0]) : folder
        do throws(FlatteningError) {
            for (file, name) in zip(files, names) {
                try AtomicFile.replace(FilePath.join(folder, name), with: Array(file.content))
            }
        } catch {
            remove()
            throw error
        }
    }

    private static let memory = "/dev/shm"
    private static let prefix = "flatten-originals-"

    /// Creates an unnamed file in memory.
    /// - Returns: nil if the system has no such files, or no room for this one.
    private static func fileInMemory(_ content: Data) -> Int32? {
        #if os(Linux)
            // O_TMPFILE: its own bit and O_DIRECTORY, because the headers define it as an expression that is not imported.
            let descriptor = unsafe open(memory, O_RDWR | 0o20000000 | O_DIRECTORY | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return nil }
            let isWhole = unsafe content.withUnsafeBytes { bytes in
                var done = 0
                while done < bytes.count {
                    let count = unsafe write(
                        descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
                    if count >= 0 { done += count } else if errno != EINTR { return false }
                }
                return true
            }
            if isWhole { return descriptor }
            close(descriptor)
        #endif
        return nil
    }

    /// Removes the files.
    func remove() {
        if let folder { Self.remove(folder, descriptor) }
        close(descriptor)
    }

    /// - Parameter descriptor: the folder's own descriptor; nothing is removed by a path, which may lead elsewhere by then.
    private static func remove(_ folder: String, _ descriptor: Int32) {
        let entries = try? OpenFolder(path: folder, follows: false, stage: .documents).entries(most: 1000)
        for entry in entries ?? [] {
            unsafe unlinkat(descriptor, String(decoding: entry.bytes, as: UTF8.self), 0)
        }
        unsafe rmdir(folder)
    }

    /// Removes folders left by this user's killed processes: nobody locks them any more.
    private static func sweep(_ place: String) {
        let entries = try? OpenFolder(path: place, follows: true, stage: .documents).entries(most: 100_000)
        for entry in entries ?? [] where entry.kind == .folder {
            guard let name = entry.name, name.hasPrefix(prefix) else { continue }
            let folder = FilePath.join(place, name)
            let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            var status = stat()
            if unsafe fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            {
                remove(folder, descriptor)
            }
            close(descriptor)
        }
    }
}
