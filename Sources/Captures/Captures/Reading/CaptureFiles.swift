import Diagnostics
package import ImageFiles
package import LocalFiles

/// The bytes of a capture's files: from memory for data without a path of its own (entries of an archive, frames of a video,
/// maps that a format stores in its own way), otherwise from disk.
package struct CaptureFiles: Equatable, Sendable {
    private enum Content: Equatable, Sendable {
        case file(InputFile)
        case samples(SampleMap)
    }

    /// Data in memory, by the path that it stands for.
    private var contents: [String: Content] = [:]

    /// Creates a source that reads from disk only.
    package init() {}

    /// Keeps an unpacked file under a path.
    package mutating func keep(_ file: InputFile, as path: String) { contents[path] = .file(file) }

    /// Keeps a decoded map under a path.
    package mutating func keep(_ map: SampleMap, as path: String) { contents[path] = .samples(map) }

    /// - Throws: errors of ``InputFile/read(path:limits:kind:)`` for a file on disk.
    func file(
        _ path: String, limits: FlatteningLimits, kind: InputFile.Kind = .image
    ) throws(FlatteningError) -> InputFile {
        if case .file(let file) = contents[path] { return file }
        return try InputFile.read(path: path, limits: limits, kind: kind)
    }

    /// - Throws: errors of reading and decoding.
    func samples(_ path: String, limits: FlatteningLimits) throws(FlatteningError) -> SampleMap.File {
        try decoder(ofMap: path, limits: limits)()
    }

    /// Reads a map's file. The returned function decodes it, on any thread, without a file descriptor.
    /// - Throws: errors of reading; the returned function throws errors of decoding.
    func decoder(
        ofMap path: String, limits: FlatteningLimits
    ) throws(FlatteningError) -> @Sendable () throws(FlatteningError) -> SampleMap.File {
        if case .samples(let map) = contents[path] { return { SampleMap.File(map: map) } }
        let file = try file(path, limits: limits)
        return { () throws(FlatteningError) in try SampleMap.decodeFile(file, limits: limits) }
    }
}
