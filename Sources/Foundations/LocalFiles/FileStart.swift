#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The first bytes of a file, which identify its type before it is read.
package struct FileStart: Equatable, Sendable {
    /// The first bytes, at most the number requested; fewer if the file is shorter.
    package let bytes: [UInt8]

    /// Takes bytes that are already in memory.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the first bytes of an open file, from its current position; nil if it cannot be read.
    package init?(descriptor: Int32, count: Int = ImageFileFormat.signatureLength) {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = unsafe read(descriptor, &bytes, count)
        while got < 0, errno == EINTR { got = unsafe read(descriptor, &bytes, count) }
        guard got >= 0 else { return nil }
        self.bytes = Array(bytes.prefix(got))
    }

    /// Reads the first bytes of a regular file; nil for any other kind, or if it cannot be read. Never waits for a pipe.
    package init?(path: String, count: Int = ImageFileFormat.signatureLength) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(descriptor: descriptor, count: count)
    }

    /// The format of an image, map or archive with this start.
    package var format: ImageFileFormat? { ImageFileFormat.sniff(bytes) }

    /// Whether it is text: every image format that is read or refused by name has a control character in its start.
    package var isText: Bool {
        guard !bytes.isEmpty, format == nil else { return false }
        return bytes.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }
}
