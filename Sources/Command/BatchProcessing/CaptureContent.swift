import Checksums
package import Diagnostics
import LocalFiles
internal import Platform
import ScalarText

/// What a capture holds, as the process that runs a batch sees it: it parses nothing, follows no link inside a capture, never
/// waits for a pipe, and stops at limits and at a deadline. Whoever made the capture cannot hold it up.
package struct CaptureContent: Equatable, Sendable {
    /// The hash of the file's bytes, or of the names and bytes of all files of a folder. Where it lies and when it was
    /// written does not matter. A link counts as what it says, not as what it leads to.
    package var hash: String
    /// The hash of the names, sizes, places and times: other ones say that the capture was changed meanwhile.
    package var stamp: String

    /// How much is looked at.
    package struct Limits: Sendable {
        /// Bytes of a file that are hashed as a whole. Default 256 MiB: no larger file is read whole (`maximumTIFFBytes`). A
        /// larger one counts by its size, its first and its last MiB; of an archive the list of all files with their checksums
        /// stands at the end.
        package var wholeFileBytes: Int64 = Int64(FlatteningLimits().maximumTIFFBytes)
        /// Files of a folder, its folders included (`maximumEntries`).
        package var entries = FlatteningLimits().maximumEntries
        /// Bytes of a capture's files together that are hashed as a whole. Default 4 GiB: a hundred frames of 48 MP. What comes
        /// after counts by its size and ends, so that files without content, which take no room, take no time either.
        package var wholeBytes: Int64 = 4 << 30
        /// Folders within folders. A recording is looked into five deep.
        package var depth = 8

        package init() {}
    }

    private static let pieceBytes = 1 << 18
    /// Of a file that is too large, at each end.
    private static let endBytes: Int64 = 1 << 20
    /// Of a file that comes after `wholeBytes`, at each end.
    private static let laterEndBytes: Int64 = 1 << 16

    /// Looks at a capture.
    /// - Parameters:
    ///   - path: a file or a folder, or the file in a folder that describes it (``folder(ofDescription:)``).
    ///   - follows: whether `path` may be a link. What a folder holds is not followed, what somebody named is.
    /// - Throws: `.fileAccess` for what cannot be read and for what is neither file nor folder, `.limitExceeded`, `.timeout`.
    /// - Complexity: O(bytes) to the limits.
    package init(
        of path: String, follows: Bool, limits: Limits = Limits(), until deadline: ContinuousClock.Instant
    ) throws(FlatteningError) {
        var reading = try ContentReading(limits: limits, deadline: deadline, reads: true)
        try reading.add(path, follows: follows)
        hash = reading.content.digest()
        stamp = reading.stamps.digest()
    }

    /// The stamp alone, without reading a file.
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

    /// The hashes on their way.
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
                    // The worker ignores what may not be read, too; once it may be read, this is another capture.
                    guard let opened = try folder.file(entry.bytes) else { continue }
                    defer { close(opened) }
                    try hash(opened, path: path + "/" + String(showing: name), size: entry.stamp.size)
                case .link:
                    let link = name + [0] + folder.destination(ofLink: entry.bytes) + [0]
                    content.update(link)
                    stamps.update(link)
                case .folder where depth < limits.depth:
                    // The worker ignores what may not be looked into, too.
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

        /// Takes in a file's hash: of all its bytes, or of its size and ends.
        private mutating func hash(_ descriptor: Int32, path: String, size: Int64) throws(FlatteningError) {
            var file = try SHA256()
            let isLate = hashedBytes + size > limits.wholeBytes
            if size <= limits.wholeFileBytes, !isLate {
                // A file that grows while it is read ends here; that it has grown its stamp tells.
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
