import Documents
import Foundation
import RobustStatistics
import Testing

@testable import ContactStore

/// Of what was once in a store and is no longer, nothing stands in its files.
@Suite struct RemovedWordsTests {
    /// Contacts that are added, edited, merged and removed at random; all words are made up, so that none is part of another.
    private struct Random {
        var generator: SplitMix64
        /// All words that ever were in the store.
        var words: Set<String> = []

        mutating func word() -> String {
            let letters = Array("bcdfghjklmnpqrstvwxz")
            let word = String(
                (0..<14).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] })
            words.insert(word)
            return word
        }

        mutating func contact() -> Contact {
            .read(
                name: "\(word().capitalized) \(word().capitalized)",
                organisation: Bool.random(using: &generator) ? word() : nil,
                emails: (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                    "\(word())@\(word()).example"
                },
                urls: Bool.random(using: &generator) ? ["https://\(word()).example"] : [],
                // Some values take pages of their own.
                address: Bool.random(using: &generator) ? String(repeating: word() + " ", count: 100) : nil)
        }

        mutating func picture() -> StoredContact.Picture { .init(hash: word(), name: word() + ".jpg") }
    }

    /// Every step's words are sought at the end, and in the middle every fiftieth time: what one step leaves may well be
    /// overwritten by a later one.
    @Test func noRemovedWordStandsInAnyByte() throws {
        let scratch = try ScratchBook()
        let book = scratch.book
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = Random(generator: SplitMix64(seed: seed))
        var ids: [Int] = []
        func some() -> Int? { ids.randomElement(using: &random.generator) }
        for step in 1...200 {
            switch Int.random(in: 0..<10, using: &random.generator) {
            case 0..<4:
                ids.append(try book.add(random.contact(), pictures: [random.picture()]).id)
            case 4..<6:
                guard let id = some() else { continue }
                try book.edit(id, to: random.contact())
            case 6:
                guard let one = some(), let other = some(), one != other else { continue }
                try book.merge([one, other])
                ids.removeAll { $0 == max(one, other) }
            default:
                guard let id = some() else { continue }
                try book.remove([id])
                ids.removeAll { $0 == id }
            }
            if step % 50 == 0 {
                try expectNoTrace(of: random.words, in: scratch, "seed \(seed), step \(step)")
            }
        }
        try book.remove(ids)
        try expectNoTrace(of: random.words, in: scratch, "seed \(seed), at the end")
    }

    private func expectNoTrace(of words: Set<String>, in scratch: ScratchBook, _ place: String) throws {
        let kept = try scratch.book.contacts()
        let texts = kept.flatMap { contact in
            contact.values.flatMap { [$0.text, $0.printed] }
                + contact.pictures.flatMap { [$0.hash, $0.name] }
        }
        let live = Set(texts.flatMap { $0.lowercased().split { !$0.isLetter }.map(String.init) })
        #expect(live.isSubset(of: words.union(["https", "example", "jpg"])))
        // Capitals aside, and by the last letters: an index keeps what a word has beyond the one before it.
        let endings = Dictionary(words.map { (Self.ending($0), $0) }) { first, _ in first }
        var found: Set<String> = []
        var run: UInt64 = 0
        for byte in try scratch.bytes() {
            run = run << 8 | UInt64((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
            if let word = endings[run] { found.insert(word) }
        }
        let traces = found.subtracting(live)
        #expect(traces.isEmpty, "\(traces.sorted()) of \(words.count - live.count) removed words; \(place)")
        #expect(found == live.intersection(words), "what is there is found by this search; \(place)")
    }

    /// The last eight letters as one number.
    private static func ending(_ word: String) -> UInt64 {
        word.utf8.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
