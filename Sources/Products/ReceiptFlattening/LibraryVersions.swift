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

/// The C libraries that this package uses: their versions as the loaded libraries report them, compared with the oldest
/// versions that have all upstream security fixes known to us.
///
/// A version number tells only what upstream has fixed. Distributions fix older versions under the old number, which a
/// library does not report. So an older number is a reason to look at the package's own changelog, not a finding.
package struct LibraryVersions: Equatable, Sendable, CustomStringConvertible {
    /// The libraries that are loaded or could not be loaded. A library is followed by those that it depends on.
    package var libraries: [LibraryVersion]

    package init(libraries: [LibraryVersion]) { self.libraries = libraries }

    /// All libraries; loads those that are not yet loaded.
    /// - Complexity: loads what is installed, some 0.1 s on the first call.
    package static var current: LibraryVersions {
        LibraryVersions(libraries: ofAllCaptures + ofSomeCaptures)
    }

    /// The libraries used for every capture.
    private static var ofAllCaptures: [LibraryVersion] {
        ImageLibraries.versions + LAPACK.versions + TextLibraries.versions
    }

    /// The libraries used for only some captures or some texts. They are left out of the fingerprint: installing one of them,
    /// as a message advises, must not cause everything else to be recomputed, and their output is determined by the file
    /// formats (except for rounding of HEIC's colours). The learned reader is included where it reads.
    private static var ofSomeCaptures: [LibraryVersion] {
        ImageLibraries.versionsOfRareFormats + ArchiveLibraries.versions + CaptureLibraries.versions
            + [TextLibraries.onnxRuntime] + CodeLibraries.versions
    }

    /// The oldest release of each library that has all known security fixes, with the last of them. The article Security has the
    /// same table.
    ///
    /// - libpng 1.6.57: CVE-2026-34757 (its CHANGES; before it CVE-2026-33416, CVE-2026-33636, CVE-2026-25646).
    /// - zlib 1.2.13: CVE-2022-37434, the extra field of gzip in inflate (its ChangeLog). CVE-2023-45853, mended in 1.3.1, is
    ///   minizip's, which nothing here uses.
    /// - ISA-L 2.32.1: overruns in igzip, whose deflate writes our PNG (its release notes; no CVE).
    /// - libtiff 4.7.0: CVE-2024-7006, CVE-2023-52355, CVE-2023-52356, CVE-2023-6277.
    /// - libjpeg-turbo 2.1.0: CVE-2021-29390, CVE-2021-37972, CVE-2021-46822 (its ChangeLog); CVE-2023-2804 is of 3.0's tests
    ///   alone and mended in 3.0.0.
    /// - libheif 1.23.1: GHSA-46rp-pcq2-rpmr, GHSA-73p7-m7gg-w2jv, GHSA-2h34-fcv6-jqvh, GHSA-jc8f-p23p-5hjg (its commits).
    /// - OpenEXR 3.2.11: CVE-2026-61555, CVE-2026-59981 to 59984 and more also affect 3.1, which gets no more releases (its
    ///   SECURITY.md). This package can only use 3.1, so fixes must come from the distribution.
    /// - libzip 1.3.0: CVE-2017-12858, CVE-2017-14107 (its NEWS).
    /// - OpenBLAS 0.3.18: CVE-2021-4048 in ?LARRV (its Changelog), which none of the functions used here calls.
    /// - zbar 0.23.93: CVE-2023-40889, CVE-2023-40890 (its pull request 276).
    ///
    /// We know of none for tesseract and Leptonica as they are used here, on pixels.
    package static let oldestMended = [
        "libpng": "1.6.57", "zlib": "1.2.13", "ISA-L": "2.32.1", "libtiff": "4.7.0",
        "libjpeg-turbo": "2.1.0", "libheif": "1.23.1", "OpenEXR": "3.2.11", "libzip": "1.3.0",
        "OpenBLAS": "0.3.18", "zbar": "0.23.93", "Leptonica": "1.83.0",
    ]

    /// Whether a library's version is older than the oldest with all fixes; nil if that cannot be determined.
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

    /// One line per library: its name, its version, and the version with upstream's latest fixes if that is newer.
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

    /// Returns everything that decides the bytes of outputs besides captures and options, as a few lines: versions of the
    /// libraries, and size and hash of the language data. The lines are equal for equal installations and hold no path and no
    /// time.
    /// - Parameters:
    ///   - language: languages in tesseract's notation; nil if no text is asked for. Tesseract may then be missing, although
    ///     it may help to find which way is up if it is installed.
    ///   - reader: the reader of the text. A learned reader's model is treated as an ordinary file: its content is not in the
    ///     fingerprint.
    ///   - model: as `TextReader` takes it.
    /// - Throws: `.missingDependency` for LAPACK; `.shortage` if memory or descriptors are short for a library or for
    ///   language data, whether text was asked for or not, so that a temporary shortage does not look like another
    ///   installation; the errors of an engine for that language; and `.fileAccess` for language data that cannot be read.
    package static func fingerprint(
        language: String?, reader: TextReader = .tesseract, model: String? = nil
    ) throws(FlatteningError) -> String {
        try RequiredLibraries.load()
        if let language, let further = try reader.furtherLibraries(language: language, model: model) {
            return try fingerprint(of: ofAllCaptures + further, language: language) { _ in [] }
        }
        // Language data need not be valid if text was not asked for: most captures are turned upright without it.
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
