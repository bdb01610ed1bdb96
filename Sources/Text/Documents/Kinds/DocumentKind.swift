/// A kind of document.
public enum DocumentKind: String, CaseIterable, Codable, Hashable, Sendable {
    /// A slip printed by a till or a card reader.
    case receipt
    /// A bill on a page.
    case invoice
    /// A card with a person's or firm's contact data.
    case businessCard = "business_card"
    /// An identity card, a residence permit or a driving licence, of the size of a bank card or of TD2.
    case identityCard = "identity_card"
    /// A passport's page, or a visa.
    case passport
    /// A credit or debit card.
    case paymentCard = "payment_card"
    /// A label on a product.
    case label
    /// A page of text: a letter, a form, a page of a book.
    case page
    /// A printed photograph.
    case photograph
    /// None of these, or unclear.
    case unknown
}

/// The kind that a sheet was classified as, and why.
public struct DocumentClassification: Hashable, Sendable {
    /// The kind; `unknown` if none is likely enough.
    public let kind: DocumentKind
    /// Estimated probability that the likeliest kind is right, 0 to 1; also set where it is too small for `kind` to be given.
    public let confidence: Double
    /// The strongest reasons for the likeliest kind over the next one, strongest first; at most three.
    public let reasons: [String]
}
