import Platform
import ReceiptFlattening
import SQLiteDatabase

/// What a new reading of a document says otherwise.
public struct ReadingChange: Codable, Equatable, Sendable {
    /// The name of the value.
    public var name: String
    /// What was read before; nil where it was not known.
    public var before: ArchivedDocument.Value?
    /// What is read now; nil where it is not known any more.
    public var after: ArchivedDocument.Value?
}

extension ArchivedDocument {
    /// The values that another reading has otherwise, by their names; of values that say the same confidences are not compared.
    public func changes(in new: NewDocument) -> [ReadingChange] {
        Set(read.keys).union(new.read.keys).sorted().compactMap { name in
            guard read[name]?.text != new.read[name]?.text else { return nil }
            return ReadingChange(name: name, before: read[name], after: new.read[name])
        }
    }
}

extension DocumentArchive {
    /// What a program that reads now calls itself in reports.
    static let program = "receipt-flattening " + ReceiptFlatteningVersion.current

    /// The documents that were added with one, in their order: what the same capture shows.
    package func documents(addedWith document: ArchivedDocument) throws(FlatteningError)
        -> [ArchivedDocument]
    {
        guard let first = document.files(.original).first else { return [document] }
        let ids = try reading { try Self.holders(of: first.hash, as: .original, in: $0) }
        return try documents(ids)
    }

    /// Which reading of a capture is of which document: in their order where there are as many, else by their words.
    /// - Returns: for each document its reading; nil where none is like it.
    package static func readings(
        _ new: [NewDocument], of documents: [ArchivedDocument]
    ) -> [NewDocument?] {
        guard new.count != documents.count else { return new }
        var left = new
        return documents.map { document in
            let words = DocumentTraits.words(of: document.text)
            let shares = left.map { DocumentTraits.share(words, DocumentTraits.words(of: $0.text)) }
            guard let best = shares.indices.max(by: { shares[$0] < shares[$1] }),
                shares[best] >= DocumentTraits.leastShare
            else { return nil }
            return left.remove(at: best)
        }
    }
}
