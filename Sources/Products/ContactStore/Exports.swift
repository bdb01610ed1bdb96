public import Diagnostics
public import Documents

/// The contact data of a business card.
public typealias Contact = Documents.Contact
/// The error for a refused store.
public typealias FlatteningError = Diagnostics.FlatteningError
