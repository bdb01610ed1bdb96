package import Diagnostics

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file's content with its name for messages.
package struct InputFile: Equatable, Sendable {
    /// The purpose of a file; decides how many bytes it may have.
    package enum Kind: Sendable {
        /// An image or map: `maximumTIFFBytes` if it starts like a TIFF, else `maximumFileBytes`.
        case image
        /// JSON or YAML: `maximumJSONBytes`.
        case metadata
        /// Text that describes every frame of a recording: `maximumFileBytes`.
        case sequence
    }

    /// The name for messages: a path, or "standard input".
    package let name: String
    /// The whole content.
    package let bytes: [UInt8]

    /// A file that is already in memory.
    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// The format detected from the first bytes; nil if unknown.
    package var format: ImageFileFormat? { ImageFileFormat.sniff(bytes) }

    /// Reads a whole file. It is opened only once, so the checked file is the one that is read.
    ///
    /// Folders, devices, sockets and pipes are refused without waiting on them; the size is checked before memory is
    /// reserved, and again while reading, since a file may grow.
    /// - Parameters:
    ///   - kind: the purpose of the file; decides how large it may be.
    ///   - limits: the limits for the file.
    ///   - path: "-" reads standard input, which may be a pipe.
    /// - Throws: `.fileAccess` with the system's message, `.limitExceeded`, `.badInput` for an empty file, `.timeout` after the
    ///   limits' deadline, also while a pipe has nothing to read.
    package static func read(
        path: String, limits: FlatteningLimits = FlatteningLimits(), kind: Kind = .image
    ) throws(FlatteningError) -> InputFile {
        if path == "-" {
            return try read(descriptor: 0, expected: 0, name: "standard input", limits: limits, kind: kind)
        }
        // A NUL would end the path early for the system, which would then open a different file.
        guard !path.isEmpty && !path.utf8.contains(0) else {
            throw FlatteningError(.fileAccess, "the path is empty or contains a zero byte", stage: .read)
        }
        // Opening a pipe for reading would wait for its writer.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw FileSystemError.last("the file cannot be opened", file: path, stage: .read)
        }
        defer { close(descriptor) }

        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw FileSystemError.last("the file cannot be examined", file: path, stage: .read)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            throw FlatteningError(
                .fileAccess,
                isFolder ? "this is a folder, not a file" : "this is a device or pipe, not a file",
                file: path, stage: .read,
                advice: isFolder ? nil : "Read a pipe as standard input, with the name -")
        }
        return try read(
            descriptor: descriptor, expected: Int(clamping: status.st_size), name: path, limits: limits,
            kind: kind)
    }

    private static func read(
        descriptor: Int32, expected: Int, name: String, limits: FlatteningLimits, kind: Kind
    ) throws(FlatteningError) -> InputFile {
        // The first bytes decide which limit applies.
        let deadline = limits.deadline
        var bytes = try read(
            upTo: ImageFileFormat.signatureLength, from: descriptor, after: [], name: name, until: deadline)
        guard !bytes.isEmpty else {
            throw FlatteningError(.badInput, "the file is empty", file: name, stage: .read)
        }
        let maximum: Int
        let limitName: String
        switch (kind, ImageFileFormat.sniff(bytes)) {
        case (.metadata, _): (maximum, limitName) = (limits.maximumJSONBytes, "maximumJSONBytes")
        case (.image, .tiff): (maximum, limitName) = (limits.maximumTIFFBytes, "maximumTIFFBytes")
        case (.image, _), (.sequence, _): (maximum, limitName) = (limits.maximumFileBytes, "maximumFileBytes")
        }
        func tooLarge(_ seen: String) -> FlatteningError {
            FlatteningError(
                .limitExceeded, "the file is too large", file: name, stage: .read, seen: seen,
                allowed: "\(maximum) bytes (\(limitName))", advice: "Raise the limit if you trust the file")
        }
        guard expected <= maximum else { throw tooLarge("\(expected) bytes") }

        // Reads everything at once, and one byte more to detect the end; a file without a known size, or one that grew, is read
        // in pieces.
        if expected >= bytes.count {
            bytes = try read(
                upTo: expected + 1, from: descriptor, after: bytes, name: name, until: deadline)
        }
        while expected == 0 || bytes.count > expected {
            guard bytes.count <= maximum else { throw tooLarge("more than \(maximum) bytes") }
            let piece = try read(
                upTo: min(1 << 18, maximum + 1 - bytes.count), from: descriptor, after: [], name: name,
                until: deadline)
            if piece.isEmpty { break }
            bytes.append(contentsOf: piece)
        }
        return InputFile(name: name, bytes: bytes)
    }

    /// Returns `start` and the next bytes of the file, `count` bytes together; fewer only at the end of the file.
    private static func read(
        upTo count: Int, from descriptor: Int32, after start: [UInt8], name: String,
        until deadline: ContinuousClock.Instant?
    ) throws(FlatteningError) -> [UInt8] {
        var failure: Int32 = 0
        var isLate = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = unsafe buffer.update(fromContentsOf: start)
            while filled < count {
                guard canRead(descriptor, until: deadline) else {
                    isLate = true
                    return
                }
                // Reads a megabyte at most at a time, so that the deadline is checked often even with a slow disk or server.
                let piece = min(count - filled, 1 << 20)
                let got = unsafe systemRead(descriptor, buffer.baseAddress.map { unsafe $0 + filled }, piece)
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        if isLate { try deadline.check(before: .read, file: name) }
        guard failure == 0 else {
            throw FileSystemError.make(failure, "the file cannot be read", file: name, stage: .read)
        }
        return bytes
    }
}

/// read(2) under a name that `InputFile.read` does not hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}

/// Waits until there is something to read, or the end of it; false once the deadline has passed.
private func canRead(_ descriptor: Int32, until deadline: ContinuousClock.Instant?) -> Bool {
    guard let deadline else { return true }
    while true {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return false }
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // Waits in whole milliseconds: at least one, so that the last wait does not become a busy loop; at most an hour at a
        // time.
        let wait = Int32(min(left / .milliseconds(1) + 1, 3_600_000))
        // Errors are left to read(2) to report.
        let ready = unsafe poll(&state, 1, wait)
        if ready > 0 || ready < 0 && errno != EINTR { return true }
    }
}
