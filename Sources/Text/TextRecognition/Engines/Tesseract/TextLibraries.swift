package import Diagnostics
import CTesseract
import Imaging
import LineNetwork
package import RuntimeLibraries

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The C libraries that read text, and their data.
package enum TextLibraries {
    /// The version of ONNX Runtime; loads the library.
    package static var onnxRuntime: LibraryVersion {
        OnnxLibrary.shared.version(of: "ONNX Runtime", OnnxLibrary.version)
    }

    /// Versions of the built-in reader, of tesseract and of the Leptonica that it uses; loads them.
    package static var versions: [LibraryVersion] {
        var versions = [
            LibraryVersion("built-in reader", .loaded(LineNetwork.version)),
            TesseractLibrary.shared.version(of: "tesseract", TesseractLibrary.version),
        ]
        if let words = try? TesseractLibrary.shared.load().getLeptonicaVersion?() {
            defer { free(words) }
            versions.append(
                LibraryVersion(
                    "Leptonica", .loaded(String(String(cString: words).trimmingPrefix("leptonica-")))))
        }
        return versions
    }

    /// The data file of one language.
    package struct LanguageFile: Equatable, Sendable {
        /// The language's name.
        package var language: String
        /// Where it lies.
        package var path: String
        /// Bytes.
        package var size: Int
        /// FNV-1a of 64 bits over the whole file, eight bytes at a time: detects a change, but not one that is made to
        /// deceive.
        package var hash: UInt64
    }

    /// Returns the data files of the languages in a string, in the order of their names.
    /// - Parameter loads: whether to load the files, so that broken ones are reported.
    /// - Throws: as a `TesseractEngine` of that language, `.fileAccess` for a file that cannot be read, and `.shortage`
    ///   where there is no free descriptor for it.
    /// - Complexity: O(bytes of the files), plus one start of tesseract (60 ms, 8 where nothing is loaded).
    package static func languageFiles(
        _ language: String, dataPath: String? = nil, loads: Bool = true
    ) throws(FlatteningError) -> [LanguageFile] {
        // Only tesseract knows the folder that it was built with.
        let folder = try TesseractHandle(language: language, dataPath: dataPath, reads: loads).dataFolder
        let data = LanguageData(dataPath: folder)
        var files: [LanguageFile] = []
        for name in try TesseractHandle.languages(in: language).sorted() {
            guard let file = data.file(of: name) else {
                throw FlatteningError(
                    .fileAccess, "the data of a language that was loaded cannot be found", stage: .text,
                    seen: name, detail: folder)
            }
            let hash = try hash(of: file.path)
            files.append(LanguageFile(language: name, path: file.path, size: file.size, hash: hash))
        }
        return files
    }

    private static func hash(of path: String) throws(FlatteningError) -> UInt64 {
        func failure() -> FlatteningError {
            let number = errno
            let words = String(cString: strerror(number))
            if [ENOMEM, EMFILE, ENFILE].contains(number) {
                return .shortage(of: path, stage: .text, detail: words)
            }
            return FlatteningError(
                .fileAccess, "the data of a language cannot be read", file: path, stage: .text, detail: words
            )
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure() }
            guard count > 0 else { return hash }
            // Each read of a regular file fills the buffer, except the last.
            let words = count / 8 * 8
            for place in stride(from: 0, to: words, by: 8) {
                let word = UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                hash = (hash ^ word) &* 0x100_0000_01B3
            }
            for byte in buffer[words..<count] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
    }
}
