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

    /// Which reading of a capture is of which document: by their words, the likest first; as many as are left on both sides then, in
    /// their order.
    /// - Returns: for each document its reading; nil where there is none.
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
