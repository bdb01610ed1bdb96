/// What kind of document a sheet is.
public enum DocumentKind: String, CaseIterable, Codable, Hashable, Sendable {
    /// What a till or a card reader prints.
    case receipt
    /// A bill on a page.
    case invoice
    /// A card that says how to reach somebody.
    case businessCard = "business_card"
    /// An identity card, a residence permit or a driving licence, of the size of a bank card or of TD2.
    case identityCard = "identity_card"
    /// A passport's page, or a visa.
    case passport
    /// A credit or debit card.
    case paymentCard = "payment_card"
    /// What is stuck on a thing that is sold.
    case label
    /// A page of text: a letter, a form, a page of a book.
    case page
    /// A printed photograph.
    case photograph
    /// None of these, or not clear.
    case unknown
}

/// What kind of document a sheet is taken for, and why.
public struct DocumentClassification: Hashable, Sendable {
    /// The kind; `unknown` where none is likely enough.
    public let kind: DocumentKind
    /// Estimated probability that the likeliest kind is right, 0 to 1, also where it is too small to be given.
    public let confidence: Double
    /// What speaks most for the likeliest kind against the next, the strongest first; at most three.
    public let reasons: [String]
}
