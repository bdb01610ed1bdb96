public import Diagnostics
public import Documents

/// What a business card says about whom to reach, and how.
public typealias Contact = Documents.Contact
/// Why a store was refused.
public typealias FlatteningError = Diagnostics.FlatteningError
