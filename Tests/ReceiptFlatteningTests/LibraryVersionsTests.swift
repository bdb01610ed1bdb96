import Diagnostics
import Foundation
import RuntimeLibraries
import TestSupport
import Testing
import TextRecognition

@testable import LinearAlgebra
@testable import ReceiptFlattening

@Suite struct LibraryVersionsTests {
    @Test func everyLibraryIsNamedWithItsVersionOrWhyThereIsNone() {
        let current = LibraryVersions.current
        #expect(
            current.libraries.map(\.name).starts(with: [
                "libpng", "zlib", "ISA-L", "libtiff", "libjpeg-turbo", "LAPACK",
            ]))
        #expect(
            current.libraries.map(\.name).suffix(8) == [
                "libheif", "OpenEXR", "libzip", "libyaml", "ONNX Runtime", "zbar", "libdmtx", "ZXing-C++",
            ])
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
        // tesseract also tells which way is up.
        #expect(bare == english)
        #expect(english.contains("\neng.traineddata ") && english.contains("\ntesseract "))
        #expect(!english.contains("/"))
        #expect(try LibraryVersions.fingerprint(language: "eng") == english)
        #expect(throws: FlatteningError.self) { try LibraryVersions.fingerprint(language: "tlh") }
    }

    /// A shortage says nothing of the installation: as a text it would make every capture anew.
    @Test(arguments: [nil, "eng"])
    func aShortageIsNoFingerprint(language: String?) throws {
        let there = [
            LibraryVersion("libpng", .loaded("1.6.58")), LibraryVersion("tesseract", .loaded("5.3.0")),
        ]
        let noFiles = { (_: String) throws(FlatteningError) -> [TextLibraries.LanguageFile] in [] }
        #expect(
            try LibraryVersions.fingerprint(of: there, language: language, files: noFiles)
                == "libpng 1.6.58\ntesseract 5.3.0")
        let short = #expect(throws: FlatteningError.self) {
            try LibraryVersions.fingerprint(
                of: there + [LibraryVersion("Leptonica", .short)], language: language, files: noFiles)
        }
        #expect(short?.code == .shortage)
        let shortOfFiles = #expect(throws: FlatteningError.self) {
            try LibraryVersions.fingerprint(of: there, language: language) { _ throws(FlatteningError) in
                throw FlatteningError(.shortage, "too many open files", stage: .text)
            }
        }
        #expect(shortOfFiles?.code == .shortage)
    }

    @Test func whatIsNotInstalledIsNoneAndLanguageDataMayBeMissingIfUnasked() throws {
        let none = [LibraryVersion("tesseract", .unavailable("not found"))]
        let missing = { (_: String) throws(FlatteningError) -> [TextLibraries.LanguageFile] in
            throw FlatteningError(.missingDependency, "there is none", stage: .text)
        }
        #expect(
            try LibraryVersions.fingerprint(of: none, language: nil, files: missing) == "tesseract none")
        #expect(throws: FlatteningError.self) {
            try LibraryVersions.fingerprint(of: none, language: "eng", files: missing)
        }
    }

    /// What people read and what the program says.
    @Test func theTableOfTheArticleSecurityIsTheSame() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(
                path: "Sources/Products/ReceiptFlattening/Documentation.docc/Security.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let section = try #require(text.split(separator: "\n## Libraries\n", maxSplits: 1).last)
        var table: [String: String] = [:]
        for line in section.prefix(upTo: section.firstRange(of: "\n## ")?.lowerBound ?? section.endIndex)
            .split(separator: "\n") where line.hasPrefix("| ")
        {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            if cells.count > 2, cells[2].first?.isNumber == true { table[cells[1]] = cells[2] }
        }
        #expect(table == LibraryVersions.oldestMended)
    }

    /// Another file under the same name and of the same size decides other bytes.
    @Test func oneByteOfLanguageDataChangesItsHash() throws {
        let file = try #require(try TextLibraries.languageFiles("eng").first)
        let folder = try ScratchFolder()
        var data = try Data(contentsOf: URL(filePath: file.path))
        let copy = folder.url.appending(path: "eng.traineddata")
        try data.write(to: copy)
        let same = try #require(try TextLibraries.languageFiles("eng", dataPath: folder.path).first)
        #expect(same.hash == file.hash && same.size == data.count)
        data[data.count / 2] ^= 1
        try data.write(to: copy)
        let other = try #require(try? TextLibraries.languageFiles("eng", dataPath: folder.path).first)
        #expect(other.hash != file.hash && other.size == file.size)
    }
}
