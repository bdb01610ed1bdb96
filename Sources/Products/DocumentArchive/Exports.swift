public import Diagnostics

/// Why an archive was refused.
public typealias FlatteningError = Diagnostics.FlatteningError
