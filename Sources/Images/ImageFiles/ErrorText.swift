/// A buffer for the words of a C library.
struct ErrorText {
    /// Filled by the C function, ended by a zero.
    var buffer = [CChar](repeating: 0, count: 256)

    /// The words, nil if there are none.
    var words: String? {
        let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
