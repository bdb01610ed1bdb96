extension String {
    /// Creates text for display from bytes that may not be UTF-8, such as a file's name: each invalid byte becomes `\xe9`.
    package init(showing bytes: some Collection<UInt8>) {
        self = ""
        var rest = bytes[...]
        while let first = rest.first {
            // A character has at most four bytes; an invalid byte is skipped on its own.
            if let length = (1...4).first(where: {
                $0 <= rest.count && String(validating: rest.prefix($0), as: UTF8.self) != nil
            }) {
                self += String(decoding: rest.prefix(length), as: UTF8.self)
                rest = rest.dropFirst(length)
            } else {
                let digits = String(first, radix: 16)
                self += "\\x" + (digits.count < 2 ? "0" : "") + digits
                rest = rest.dropFirst()
            }
        }
    }
}
