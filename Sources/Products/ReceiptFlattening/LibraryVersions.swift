import SheetFlattening
import Diagnostics
import Archives
import Captures
import Documents
import ImageFiles
import Imaging
import LinearAlgebra
package import RuntimeLibraries
import TextRecognition

/// The C libraries below this package: their versions, as the loaded ones say, beside the oldest that have all fixes of
/// security defects known upstream.
///
/// A version tells what upstream mended. Distributions mend older versions under their own number, which a library does not
/// tell: an older number is a reason to look at the package's own changelog, not a finding.
package struct LibraryVersions: Equatable, Sendable, CustomStringConvertible {
    /// What is loaded, or could not be; a library that stands on another has it behind it.
    package var libraries: [LibraryVersion]

    package init(libraries: [LibraryVersion]) { self.libraries = libraries }

    /// All libraries, loaded now where they were not.
    /// - Complexity: loads what is installed, some 0.1 s with the first call.
    package static var current: LibraryVersions {
        LibraryVersions(libraries: ofAllCaptures + ofSomeCaptures)
    }

    /// What every capture is worked on with.
    private static var ofAllCaptures: [LibraryVersion] {
        ImageLibraries.versions + LAPACK.versions + TextLibraries.versions
    }

    /// What only some captures are read by, or only some texts. Left out of the fingerprint: to install one, as a message
    /// advises, must not make everything else anew, and what they give back their formats determine (but for a rounding of
    /// HEIC's colours). The learned reader is in where it reads.
    private static var ofSomeCaptures: [LibraryVersion] {
        ImageLibraries.versionsOfRareFormats + ArchiveLibraries.versions + CaptureLibraries.versions
            + [TextLibraries.onnxRuntime] + CodeLibraries.versions
    }

    /// The oldest release with all fixes known upstream when the table of the article Security, which holds the same, was last
    /// brought up to date, and what the last of them was.
    ///
    /// - libpng 1.6.57: CVE-2026-34757 (its CHANGES; before it CVE-2026-33416, CVE-2026-33636, CVE-2026-25646).
    /// - zlib 1.2.13: CVE-2022-37434, the extra field of gzip in inflate (its ChangeLog). CVE-2023-45853, mended in 1.3.1, is
    ///   minizip's, which nothing here uses.
    /// - ISA-L 2.32.1: overruns in igzip, whose deflate writes our PNG (its release notes; no CVE).
    /// - libtiff 4.7.0: CVE-2024-7006, CVE-2023-52355, CVE-2023-52356, CVE-2023-6277.
    /// - libjpeg-turbo 2.1.0: CVE-2021-29390, CVE-2021-37972, CVE-2021-46822 (its ChangeLog); CVE-2023-2804 is of 3.0's tests
    ///   alone and mended in 3.0.0.
    /// - libheif 1.23.1: GHSA-46rp-pcq2-rpmr, GHSA-73p7-m7gg-w2jv, GHSA-2h34-fcv6-jqvh, GHSA-jc8f-p23p-5hjg (its commits).
    /// - OpenEXR 3.2.11: CVE-2026-61555, CVE-2026-59981 to 59984 and more also touch 3.1, for which there are no more releases
    ///   (its SECURITY.md). Only 3.1 can be read here: what mends it is the distribution.
    /// - libzip 1.3.0: CVE-2017-12858, CVE-2017-14107 (its NEWS).
    /// - OpenBLAS 0.3.18: CVE-2021-4048 in ?LARRV (its Changelog), which none of the functions used here calls.
    /// - zbar 0.23.93: CVE-2023-40889, CVE-2023-40890 (its pull request 276).
    ///
    /// None is known to us of tesseract and Leptonica as they are used here, on pixels.
    package static let oldestMended = [
        "libpng": "1.6.57", "zlib": "1.2.13", "ISA-L": "2.32.1", "libtiff": "4.7.0",
        "libjpeg-turbo": "2.1.0", "libheif": "1.23.1", "OpenEXR": "3.2.11", "libzip": "1.3.0",
        "OpenBLAS": "0.3.18", "zbar": "0.23.93", "Leptonica": "1.83.0",
    ]

    /// Whether a library says a version older than the oldest that has all fixes; nil where that cannot be told.
    package static func isOlderThanMended(_ library: LibraryVersion) -> Bool? {
        guard case .loaded(let version) = library.state, let oldest = oldestMended[library.name] else {
            return nil
        }
        return numbers(version).lexicographicallyPrecedes(numbers(oldest))
    }

    /// The leading numbers of "1.6.39", "1.2.13.1-motley" or "0.3.21 DYNAMIC_ARCH".
    static func numbers(_ version: String) -> [Int] {
        let head = version.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        return head.split(separator: ".").compactMap { Int($0) }
    }

    /// A line for each library: its name, its version, and what upstream mended last where that is newer.
    package var description: String {
        var lines = libraries.map { library in
            let oldest = Self.oldestMended[library.name]
            switch library.state {
            case .loaded(let version):
                guard Self.isOlderThanMended(library) == true, let oldest else {
                    return "\(library.name) \(version)"
                }
                return "\(library.name) \(version) (upstream mended defects up to \(oldest))"
            case .unasked(let known):
                return "\(library.name): cannot be asked for its version; \(known)"
                    + (oldest.map { " (upstream mended defects up to \($0))" } ?? "")
            case .unavailable(let reason):
                return "\(library.name): not there (\(reason))"
            case .short:
                return "\(library.name): not loaded (memory or open files are short)"
            }
        }
        if libraries.contains(where: { Self.isOlderThanMended($0) == true }) {
            lines.append("Distributions mend older versions under their own number: see their changelogs.")
        }
        return lines.joined(separator: "\n")
    }

    /// What decides the bytes of outputs besides captures and options, as a few lines: versions of the libraries, and size
    /// and hash of the language data. Equal for equal installations; holds no path and no time.
    /// - Parameters:
    ///   - language: languages in tesseract's notation; nil where no text is asked for: then tesseract, which may still tell
    ///     which way is up, may also be missing.
    ///   - reader: what reads them. A learned reader's model is a file like another: its content is not in the fingerprint.
    ///   - model: as `TextReader` takes it.
    /// - Throws: `.missingDependency` for LAPACK; `.shortage` where memory or descriptors are short for a library or for
    ///   language data, asked for or not: a moment must not look like another installation; as an engine of that language,
    ///   and `.fileAccess` for language data that cannot be read.
    package static func fingerprint(
        language: String?, reader: TextReader = .tesseract, model: String? = nil
    ) throws(FlatteningError) -> String {
        try RequiredLibraries.load()
        if let language, let further = try reader.furtherLibraries(language: language, model: model) {
            return try fingerprint(of: ofAllCaptures + further, language: language) { _ in [] }
        }
        // Data that are not asked for need not be sound: most captures are turned upright without them.
        return try fingerprint(of: ofAllCaptures, language: language.map(TextReader.tesseractLanguage)) {
            (name) throws(FlatteningError) in
            try TextLibraries.languageFiles(name, loads: language != nil)
        }
    }

    /// The fingerprint of these libraries and of the language data that `files` finds.
    static func fingerprint(
        of libraries: [LibraryVersion], language: String?,
        files: (_ language: String) throws(FlatteningError) -> [TextLibraries.LanguageFile]
    ) throws(FlatteningError) -> String {
        var lines: [String] = []
        for library in libraries {
            switch library.state {
            case .loaded(let version): lines.append("\(library.name) \(version)")
            case .unasked(let known): lines.append("\(library.name) \(known)")
            // Not the reason, whose words may be another's the next time.
            case .unavailable: lines.append("\(library.name) none")
            case .short: throw .shortage(of: library.name, stage: .libraries, detail: nil)
            }
        }
        for file in try languageFiles(language, files) {
            lines.append("\(file.language).traineddata \(file.size) \(String(file.hash, radix: 16))")
        }
        return lines.joined(separator: "\n")
    }

    /// The files of a language; where none is asked for, those of "eng", or none if they cannot be used.
    private static func languageFiles(
        _ language: String?, _ files: (String) throws(FlatteningError) -> [TextLibraries.LanguageFile]
    ) throws(FlatteningError) -> [TextLibraries.LanguageFile] {
        do {
            return try files(language ?? "eng")
        } catch {
            guard language == nil, error.code != .shortage else { throw error }
            return []
        }
    }
}
