/// The version of this package.
package enum ReceiptFlatteningVersion {
    /// Semantic version, as in CHANGELOG.
    package static let current = "0.1.0"
}
