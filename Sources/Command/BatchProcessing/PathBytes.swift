internal import Platform

/// A path compared by its bytes: two spellings of one letter (NFC, NFD) are two files.
struct PathBytes: Hashable {
    let path: String

    init(_ path: String) { self.path = path }

    static func == (one: PathBytes, other: PathBytes) -> Bool {
        let areEqual = unsafe one.path.utf8.withContiguousStorageIfAvailable { own in
            unsafe other.path.utf8.withContiguousStorageIfAvailable { others in
                guard own.count == others.count, let start = own.baseAddress, let other = others.baseAddress
                else { return own.isEmpty && others.isEmpty }
                return unsafe memcmp(start, other, own.count) == 0
            }
        }
        return (areEqual ?? nil) ?? one.path.utf8.elementsEqual(other.path.utf8)
    }

    /// Hashes the text, whose hash is the same for equal bytes.
    func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
