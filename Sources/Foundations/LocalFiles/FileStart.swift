#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How a file begins, by which it is told what it is before it is read.
package struct FileStart: Equatable, Sendable {
    /// The first bytes, at most as many as were asked for; fewer where the file is shorter.
    package let bytes: [UInt8]

    /// Bytes that are had already.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The first bytes of an open file, from where it stands; nil if it cannot be read.
    package init?(descriptor: Int32, count: Int = ImageFileFormat.signatureLength) {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = unsafe read(descriptor, &bytes, count)
        while got < 0, errno == EINTR { got = unsafe read(descriptor, &bytes, count) }
        guard got >= 0 else { return nil }
        self.bytes = Array(bytes.prefix(got))
    }

    /// The first bytes of a regular file; nil for what is none or cannot be read. Never waits for a pipe.
    package init?(path: String, count: Int = ImageFileFormat.signatureLength) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(descriptor: descriptor, count: count)
    }

    /// The format of a picture, map or archive that begins so.
    package var format: ImageFileFormat? { ImageFileFormat.sniff(bytes) }

    /// Whether it is text: no picture format that is read or refused by name starts without a control character.
    package var isText: Bool {
        guard !bytes.isEmpty, format == nil else { return false }
        return bytes.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }
}
