import ContactStore

/// What a merchant is known by, however it is spelled.
enum MerchantName {
    /// The name in small letters without accents, marks and the legal form: equal for spellings of one name. "" for none.
    static func key(_ name: String) -> String { name.foldedOrganisation }
}
