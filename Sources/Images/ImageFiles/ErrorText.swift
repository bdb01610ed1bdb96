/// A buffer for an error message of a C library.
struct ErrorText {
    /// Filled by the C function; terminated by a zero.
    var buffer = [CChar](repeating: 0, count: 256)

    /// The message; nil if there is none.
    var words: String? {
        let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
