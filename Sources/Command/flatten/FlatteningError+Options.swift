import Diagnostics

extension FlatteningError {
    /// The same error in the command's terms: a limit that an option raises is called by that option's name.
    var namingOptions: FlatteningError {
        guard code == .limitExceeded, let allowed,
            let (limit, option) = Self.options.first(where: { allowed.contains("(\($0.limit))") })
        else { return self }
        var named = self
        named.allowed = allowed.replacing("(\(limit))", with: "(\(option))")
        named.advice =
            advice.map {
                $0.replacing("raise the limit", with: "allow more with \(option)")
                    .replacing("Raise the limit", with: "Allow more with \(option)")
            } ?? "Allow more with \(option)"
        return named
    }

    /// The limits that options raise.
    private static let options: [(limit: String, option: String)] = [
        ("maximumColorPixels", "--max-megapixels"), ("maximumDecodingBytes", "--max-megapixels"),
        ("maximumJPEGScanPixels", "--max-megapixels"), ("maximumDepthPixels", "--max-depth-megapixels"),
        ("maximumSide", "--max-side"), ("maximumFileBytes", "--max-file-mib"),
        ("maximumTIFFBytes", "--max-tiff-mib"), ("maximumJSONBytes", "--max-json-mib"),
    ]
}

extension FlatteningError {
    /// Whether other captures would fail with it too: something that all need is missing, or the store itself fails.
    /// - Parameter store: the stage of operations on the store.
    func concernsAllCaptures(of store: Stage) -> Bool {
        file == nil && [.missingDependency, .missingLanguageData, .timeout, .storageFull].contains(code)
            || stage == store
    }
}
