import Diagnostics
package import ImageFiles
package import LocalFiles

/// Where the bytes of a capture's files come from: from memory for what no path leads to (entries of an archive, frames of a
/// video, maps that a format stores in a way of its own), else from the disk.
package struct CaptureFiles: Equatable, Sendable {
    private enum Content: Equatable, Sendable {
        case file(InputFile)
        case samples(SampleMap)
    }

    /// What is in memory, by the path that stands for it.
    private var contents: [String: Content] = [:]

    /// Files on disk only.
    package init() {}

    /// Keeps an unpacked file under a path.
    package mutating func keep(_ file: InputFile, as path: String) { contents[path] = .file(file) }

    /// Keeps a decoded map under a path.
    package mutating func keep(_ map: SampleMap, as path: String) { contents[path] = .samples(map) }

    /// Reads a file.
    /// - Throws: what ``InputFile/read(path:limits:kind:)`` throws for a file on disk.
    func file(
        _ path: String, limits: FlatteningLimits, kind: InputFile.Kind = .image
    ) throws(FlatteningError) -> InputFile {
        if case .file(let file) = contents[path] { return file }
        return try InputFile.read(path: path, limits: limits, kind: kind)
    }

    /// Reads and decodes a map.
    /// - Throws: what reading and decoding throw.
    func samples(_ path: String, limits: FlatteningLimits) throws(FlatteningError) -> SampleMap.File {
        try decoder(ofMap: path, limits: limits)()
    }

    /// Reads a map's file; what is returned decodes it, on any thread, without a descriptor.
    /// - Throws: what reading throws; what is returned throws what decoding throws.
    func decoder(
        ofMap path: String, limits: FlatteningLimits
    ) throws(FlatteningError) -> @Sendable () throws(FlatteningError) -> SampleMap.File {
        if case .samples(let map) = contents[path] { return { SampleMap.File(map: map) } }
        let file = try file(path, limits: limits)
        return { () throws(FlatteningError) in try SampleMap.decodeFile(file, limits: limits) }
    }
}
