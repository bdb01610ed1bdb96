import Platform
import ReceiptFlattening
import SQLiteDatabase

/// A value that differs between two readings of a document.
public struct ReadingChange: Codable, Equatable, Sendable {
    /// The name of the value.
    public var name: String
    /// The previous value; nil if there was none.
    public var before: ArchivedDocument.Value?
    /// The new value; nil if there is none any more.
    public var after: ArchivedDocument.Value?
}

extension ArchivedDocument {
    /// Returns the values that differ in another reading, by name; confidences of equal values are not compared.
    public func changes(in new: NewDocument) -> [ReadingChange] {
        Set(read.keys).union(new.read.keys).sorted().compactMap { name in
            guard read[name]?.text != new.read[name]?.text else { return nil }
            return ReadingChange(name: name, before: read[name], after: new.read[name])
        }
    }
}

extension DocumentArchive {
    /// The name of this program in reports.
    static let program = "receipt-flattening " + ReceiptFlatteningVersion.current

    /// Returns the documents that were added together with one, in order: those of the same capture.
    package func documents(addedWith document: ArchivedDocument) throws(FlatteningError)
        -> [ArchivedDocument]
    {
        guard let first = document.files(.original).first else { return [document] }
        let ids = try reading { try Self.holders(of: first.hash, as: .original, in: $0) }
        return try documents(ids)
    }

    /// Assigns the readings of a capture to its documents: by their words, the most similar first. If equally many remain on
    /// both sides, these are assigned in order.
    /// - Returns: the reading of each document; nil if there is none.
    package static func readings(
        _ new: [NewDocument], of documents: [ArchivedDocument]
    ) -> [NewDocument?] {
        let (ours, theirs) = (
            documents.map { DocumentTraits.words(of: $0.text) }, new.map { DocumentTraits.words(of: $0.text) }
        )
        let pairs = ours.indices.flatMap { one in
            theirs.indices.map { (one: one, other: $0, share: DocumentTraits.share(ours[one], theirs[$0])) }
        }
        var found = [NewDocument?](repeating: nil, count: documents.count)
        var (open, left) = (Set(ours.indices), Set(theirs.indices))
        for pair in pairs.sorted(by: { ($1.share, $0.one, $0.other) < ($0.share, $1.one, $1.other) })
        where pair.share >= DocumentTraits.leastShare && open.contains(pair.one)
            && left.contains(pair.other)
        {
            found[pair.one] = new[pair.other]
            open.remove(pair.one)
            left.remove(pair.other)
        }
        if open.count == left.count {
            for (one, other) in zip(open.sorted(), left.sorted()) { found[one] = new[other] }
        }
        return found
    }
}
