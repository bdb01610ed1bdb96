import Foundation
import RobustStatistics
import TestSupport
import Testing

@testable import DocumentArchive

@Suite struct RemovedDocumentTests {
    /// A word that stands nowhere else.
    private static func word(_ generator: inout SplitMix64) -> String {
        "q"
            + String(
                (0..<14).map { _ in "abcdefghijklmnoprstuvwxyz".randomElement(using: &generator) ?? "a" })
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func nothingOfWhatWasRemovedStandsInAnyByte(_ seed: UInt64) throws {
        let folder = try ScratchFolder()
        let path = folder.path("papers")
        var generator = SplitMix64(seed: seed)
        var words: [UUID: [String]] = [:]
        var gone: [String] = []
        let archive = try DocumentArchive(path: path)
        for _ in 0..<60 {
            let word = Self.word(&generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0, 1:
                var document = TestDocuments.receipt("M\(word)", text: "T\(word)\nKäse 12,\(word)")
                document.notes = "N\(word)"
                document.files.append(.init(.pdf, name: "F\(word).pdf", content: Data("C\(word)".utf8)))
                words[try archive.addOne(document).id] = [word]
            case 2:
                guard
                    let id = words.keys.sorted(by: { $0.uuidString < $1.uuidString })
                        .randomElement(using: &generator)
                else { continue }
                var change = ArchiveChange()
                change.notes = "E\(word)"
                change.values = ["project": "P\(word)"]
                change.addedTags = ["G\(word)"]
                try archive.change(id, change)
                words[id, default: []].append(word)
            default:
                guard
                    let id = words.keys.sorted(by: { $0.uuidString < $1.uuidString })
                        .randomElement(using: &generator)
                else { continue }
                try archive.remove([id])
                gone += words.removeValue(forKey: id) ?? []
            }
        }
        #expect(gone.count > 5, "seed \(seed)")
        #expect(try archive.check().isEmpty)
        let files = try #require(FileManager.default.enumerator(atPath: path)).compactMap { $0 as? String }
        for file in files {
            // Folders have no content.
            guard let content = FileManager.default.contents(atPath: path + "/" + file) else { continue }
            for word in gone {
                #expect(content.range(of: Data(word.utf8)) == nil, "seed \(seed): \(word) in \(file)")
            }
        }
        for (id, kept) in words { #expect(try archive.document(id) != nil, "seed \(seed): \(kept)") }
    }

    @Test func aFileThatAnotherDocumentHasStays() throws {
        let folder = try ScratchFolder()
        let archive = try DocumentArchive(path: folder.path("papers"))
        let one = try archive.addOne(TestDocuments.receipt("Same"))
        let other = try archive.addOne(TestDocuments.receipt("Same"))
        try archive.remove([one.id])
        #expect(try archive.contents(of: other.files(.flat)[0]) == Data("flat image of Same".utf8))
        #expect(try archive.check().isEmpty)
    }
}
