import DocumentArchive

/// The archive in which callers keep what they flattened.
struct ServedArchive: Sendable {
    /// The folder.
    let path: String
    /// An encrypted one stays open: its key takes a fifth of a second to make. A plain one is opened with each request.
    private let kept: DocumentArchive?

    /// - Throws: as `DocumentArchive.init(path:access:passphrase:)` for an archive that cannot be used.
    init(path: String, passphrase: String?) throws(FlatteningError) {
        self.path = path
        let archive = try DocumentArchive(path: path, passphrase: passphrase)
        kept = archive.isEncrypted ? archive : nil
    }

    func open() throws(FlatteningError) -> DocumentArchive {
        if let kept { return kept }
        return try DocumentArchive(path: path)
    }
}
