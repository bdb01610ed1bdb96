import Foundation
import Imaging
import RuntimeLibraries
import Testing
import TextRecognition

@testable import ReceiptFlattening

@Suite struct LibraryVersionsTests {
    @Test func everyLibraryIsNamedWithItsVersionOrWhyThereIsNone() {
        let current = LibraryVersions.current
        #expect(
            current.libraries.map(\.name).starts(with: [
                "libpng", "zlib", "ISA-L", "libtiff", "libjpeg-turbo", "libheif", "OpenEXR", "libzip",
                "LAPACK",
            ]))
        for name in ["libpng", "libtiff", "LAPACK", "tesseract", "Leptonica"] {
            let library = current.libraries.first { $0.name == name }
            guard case .loaded(let version) = library?.state else {
                Issue.record("\(name): \(String(describing: library?.state))")
                continue
            }
            #expect(version.first?.isNumber == true, "\(name) \(version)")
        }
        let lines = current.description.split(separator: "\n")
        #expect(lines.count >= current.libraries.count)
        #expect(lines.allSatisfy { !$0.isEmpty })
    }

    @Test(arguments: [
        ("libpng", "1.6.39", true), ("libpng", "1.6.57", false), ("libpng", "1.6.58", false),
        ("libpng", "1.7.0", false), ("zlib", "1.2.13", false), ("zlib", "1.2.9", true),
        ("zlib", "1.2.13.1-motley", false), ("OpenBLAS", "0.3.21 DYNAMIC_ARCH", false),
        ("libheif", "1.9", true),
    ])
    func versionsAreComparedAsNumbers(name: String, version: String, isOlder: Bool) {
        #expect(LibraryVersions.isOlderThanMended(LibraryVersion(name, .loaded(version))) == isOlder)
    }

    @Test func whatCannotBeToldIsNotJudged() {
        #expect(LibraryVersions.isOlderThanMended(LibraryVersion("tesseract", .loaded("5.3.0"))) == nil)
        #expect(LibraryVersions.isOlderThanMended(LibraryVersion("libpng", .unavailable("no"))) == nil)
    }

    @Test func theFingerprintHoldsLibrariesAndLanguageDataAndNoPath() throws {
        let bare = try LibraryVersions.fingerprint(language: nil)
        let english = try LibraryVersions.fingerprint(language: "eng")
        #expect(english.hasPrefix(bare), "\(english)\n---\n\(bare)")
        #expect(!bare.contains("tesseract"))
        #expect(english.contains("\neng.traineddata ") && english.contains("\ntesseract "))
        #expect(!english.contains("/"))
        #expect(try LibraryVersions.fingerprint(language: "eng") == english)
        #expect(throws: FlatteningError.self) { try LibraryVersions.fingerprint(language: "tlh") }
    }

    /// Another file under the same name and of the same size decides other bytes.
    @Test func oneByteOfLanguageDataChangesItsHash() throws {
        let file = try #require(try TextLibraries.languageFiles("eng").first)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var data = try Data(contentsOf: URL(filePath: file.path))
        let copy = folder.appending(path: "eng.traineddata")
        try data.write(to: copy)
        let same = try #require(try TextLibraries.languageFiles("eng", dataPath: folder.path()).first)
        #expect(same.hash == file.hash && same.size == data.count)
        data[data.count / 2] ^= 1
        try data.write(to: copy)
        let other = try #require(try? TextLibraries.languageFiles("eng", dataPath: folder.path()).first)
        #expect(other.hash != file.hash && other.size == file.size)
    }
}
