import Checksums
package import Diagnostics
import LocalFiles
internal import Platform
import ScalarText

/// The content of a capture, as seen by the process that runs a batch. It parses nothing, follows no link inside a capture,
/// never waits for a pipe, and stops at limits and at a deadline, so that nobody can hold it up with a prepared capture.
package struct CaptureContent: Equatable, Sendable {
    /// Hash of the file's bytes, or of the names and bytes of all files in a folder. Location and time of writing do not
    /// matter. A link counts by its destination text, not by what it leads to.
    package var hash: String
    /// Hash of the names, sizes, places and times: if it differs, the capture was changed meanwhile.
    package var stamp: String

    /// Limits on how much is read.
    package struct Limits: Sendable {
        /// Largest file in bytes that is hashed as a whole. Default 256 MiB: no larger file is read whole
        /// (`maximumTIFFBytes`). Of a larger file, its size, its first and its last MiB are hashed; an archive has the list
        /// of all its files with their checksums at its end.
        package var wholeFileBytes: Int64 = Int64(FlatteningLimits().maximumTIFFBytes)
        /// Most files in a folder, including sub-folders (`maximumEntries`).
        package var entries = FlatteningLimits().maximumEntries
        /// Bytes of a capture's files together that are hashed as a whole. Default 4 GiB: a hundred frames of 48 MP. Of
        /// later files, only size and ends are hashed, so that sparse files, which take no room, take no time either.
        package var wholeBytes: Int64 = 4 << 30
        /// Deepest nesting of folders. Recordings are read five levels deep.
        package var depth = 8

        package init() {}
    }

    private static let pieceBytes = 1 << 18
    /// Bytes hashed at each end of a file that is too large.
    private static let endBytes: Int64 = 1 << 20
    /// Bytes hashed at each end of a file that comes after `wholeBytes`.
    private static let laterEndBytes: Int64 = 1 << 16

    /// Reads a capture.
    /// - Parameters:
    ///   - path: a file or a folder, or the file in a folder that describes it (``folder(ofDescription:)``).
    ///   - follows: whether `path` may be a link. Links found in a folder are not followed, links that somebody named are.
    /// - Throws: `.fileAccess` for a path that cannot be read or is neither file nor folder, `.limitExceeded`, `.timeout`.
    /// - Complexity: O(bytes) up to the limits.
    package init(
        of path: String, follows: Bool, limits: Limits = Limits(), until deadline: ContinuousClock.Instant
    ) throws(FlatteningError) {
        var reading = try ContentReading(limits: limits, deadline: deadline, reads: true)
        try reading.add(path, follows: follows)
        hash = reading.content.digest()
        stamp = reading.stamps.digest()
    }

    /// Returns the stamp alone, without reading a file.
    package static func stamp(
        of path: String, follows: Bool, limits: Limits = Limits(), until deadline: ContinuousClock.Instant
    ) throws(FlatteningError) -> String {
        var reading = try ContentReading(limits: limits, deadline: deadline, reads: false)
        try reading.add(path, follows: follows)
        return reading.stamps.digest()
    }

    /// The folder of a recording if the path names the file that describes it (`capture.json`, `transforms.json` ...).
    package static func folder(ofDescription path: String) -> String? {
        guard let slash = path.lastIndex(ofScalar: "/"),
            CaptureList.signsOfRecordings.contains(String(path[path.index(afterScalar: slash)...]))
        else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The hashes while they are being computed.
    private struct ContentReading: ~Copyable {
        var content: SHA256
        var stamps: SHA256
        let limits: Limits
        let deadline: ContinuousClock.Instant
        let reads: Bool
        private var entryCount = 0
        private var hashedBytes: Int64 = 0

        init(limits: Limits, deadline: ContinuousClock.Instant, reads: Bool) throws(FlatteningError) {
            let content = try SHA256()
            let stamps = try SHA256()
            self.content = content
            self.stamps = stamps
            self.limits = limits
            self.deadline = deadline
            self.reads = reads
        }

        mutating func add(_ named: String, follows: Bool) throws(FlatteningError) {
            let path = CaptureContent.folder(ofDescription: named) ?? named
            let opened = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW))
            guard opened >= 0 else {
                throw errno == ELOOP && !follows
                    ? FlatteningError(
                        .fileAccess, "a link in a folder of captures is not followed", file: path,
                        stage: .batch, advice: "Name it in a list if it is to be followed")
                    : FileSystemError.last("the capture cannot be opened", file: path, stage: .batch)
            }
            var status = stat()
            guard unsafe fstat(opened, &status) == 0 else {
                let failure = FileSystemError.last(
                    "the capture cannot be examined", file: path, stage: .batch)
                close(opened)
                throw failure
            }
            if FolderEntry.Kind(status.st_mode) == .folder {
                try add(
                    OpenFolder(adopting: opened, path: path, stage: .batch), path: path, prefix: [], depth: 1
                )
                return
            }
            defer { close(opened) }
            guard FolderEntry.Kind(status.st_mode) == .file else {
                throw FlatteningError(
                    .fileAccess, "this is a device or pipe, neither file nor folder", file: path,
                    stage: .batch)
            }
            update(.init(status))
            if reads { try hash(opened, path: path, size: Int64(status.st_size)) }
        }

        private mutating func add(
            _ folder: OpenFolder, path: String, prefix: [UInt8], depth: Int
        ) throws(FlatteningError) {
            for entry in try folder.entries(most: limits.entries - entryCount) {
                entryCount += 1
                let name = prefix + entry.bytes
                switch entry.kind {
                case .file:
                    content.update(name + [0])
                    stamps.update(name + [0])
                    update(entry.stamp)
                    guard reads else { break }
                    // The worker ignores unreadable files too; once the file becomes readable, this is a different capture.
                    guard let opened = try folder.file(entry.bytes) else { continue }
                    defer { close(opened) }
                    try hash(opened, path: path + "/" + String(showing: name), size: entry.stamp.size)
                case .link:
                    let link = name + [0] + folder.destination(ofLink: entry.bytes) + [0]
                    content.update(link)
                    stamps.update(link)
                case .folder where depth < limits.depth:
                    // The worker ignores unreadable folders too.
                    guard let inner = try folder.folder(entry.bytes) else { continue }
                    try add(inner, path: path, prefix: name + [0x2F], depth: depth + 1)
                case .folder, .other:
                    break
                }
            }
        }

        private mutating func update(_ stamp: FolderEntry.Stamp) {
            stamps.update(
                "\(stamp.size) \(stamp.identity.device) \(stamp.identity.node) \(stamp.seconds) \(stamp.nanoseconds)"
            )
        }

        /// Adds a file's hash: of all its bytes, or of its size and ends.
        private mutating func hash(_ descriptor: Int32, path: String, size: Int64) throws(FlatteningError) {
            var file = try SHA256()
            let isLate = hashedBytes + size > limits.wholeBytes
            if size <= limits.wholeFileBytes, !isLate {
                // A file that grows while it is read is cut off here; its stamp shows that it has grown.
                try update(&file, descriptor, from: 0, to: limits.wholeFileBytes, path: path)
                hashedBytes += size
            } else {
                let end = min(isLate ? CaptureContent.laterEndBytes : CaptureContent.endBytes, size)
                file.update("\(size)")
                try update(&file, descriptor, from: 0, to: end, path: path)
                try update(&file, descriptor, from: size - end, to: size, path: path)
            }
            content.update(file.digest())
        }

        private func update(
            _ hash: inout SHA256, _ descriptor: Int32, from start: Int64, to end: Int64, path: String
        ) throws(FlatteningError) {
            var offset = start
            while offset < end {
                guard ContinuousClock.now < deadline else {
                    throw FlatteningError(
                        .timeout, "the capture takes too long to read", file: path, stage: .batch,
                        advice: "Allow more with --processor-seconds")
                }
                var failure: Int32 = 0
                let piece = unsafe [UInt8](
                    unsafeUninitializedCapacity: min(pieceBytes, Int(end - offset))
                ) { buffer, filled in
                    let got = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
                    filled = max(got, 0)
                    failure = got < 0 ? errno : 0
                }
                if failure == EINTR { continue }
                guard failure == 0 else {
                    throw FileSystemError.make(
                        failure, "the file cannot be read", file: path, stage: .batch)
                }
                if piece.isEmpty { return }
                hash.update(piece)
                offset += Int64(piece.count)
            }
        }
    }
}
