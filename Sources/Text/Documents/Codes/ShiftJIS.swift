import Platform

/// Decodes Shift JIS as Windows defines it (code page 932), which codes are written in.
enum ShiftJIS {
    /// Decodes the bytes; nil for invalid bytes, and where the system has no table of the code page.
    static func text(of bytes: [UInt8]) -> String? {
        #if canImport(FoundationEssentials)
            let converter = iconv_open("UTF-8", "CP932")
            guard converter != iconv_t(bitPattern: -1) else { return nil }
            defer { iconv_close(converter) }
            var input = bytes.map { CChar(bitPattern: $0) }
            // No character takes more than three bytes of UTF-8.
            var output = [CChar](repeating: 0, count: 3 * bytes.count)
            var (unread, unused) = (input.count, output.count)
            let result = input.withUnsafeMutableBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output in
                    var (source, target) = (input.baseAddress, output.baseAddress)
                    return iconv(converter, &source, &unread, &target, &unused)
                }
            }
            // An error is -1.
            guard result >= 0, unread == 0 else { return nil }
            return String(decoding: output.dropLast(unused).lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #else
            return String(data: Data(bytes), encoding: .shiftJIS)
        #endif
    }
}
