/// The version of this package.
public enum ReceiptFlatteningVersion {
    /// Semantic version, as in CHANGELOG.
    public static let current = "0.1.0"
}
