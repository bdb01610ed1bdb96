/// Integers of a fixed width, stored one after another in a file.
enum FixedWidth {
    /// Calls `body` with the index and the value of each integer of `bytes`, whose count is a multiple of the width.
    static func read<Integer: FixedWidthInteger>(
        _ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool, _ body: (Int, Integer) -> Void
    ) {
        bytes.withUnsafeBytes { raw in
            for index in 0..<raw.count / MemoryLayout<Integer>.size {
                let stored = raw.loadUnaligned(
                    fromByteOffset: index * MemoryLayout<Integer>.size, as: Integer.self)
                body(index, isBigEndian ? Integer(bigEndian: stored) : Integer(littleEndian: stored))
            }
        }
    }
}
