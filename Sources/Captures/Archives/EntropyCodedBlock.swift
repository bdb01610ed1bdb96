import Diagnostics

/// A block "bvx2": literals, and triples of literal count, match length and distance, each coded with its own finite-state
/// code.
enum EntropyCodedBlock {
    private static let literalStates = 1024
    private static let lengthStates = 64
    private static let distanceStates = 256
    /// The most that the encoder puts into one block.
    private static let maximumLiterals = 40_000
    private static let maximumMatches = 10_000

    private static let literalCounts = SymbolValues(extraBits: Array(repeating: 0, count: 16) + [2, 3, 5, 8])
    private static let matchLengths = SymbolValues(extraBits: Array(repeating: 0, count: 16) + [3, 5, 8, 11])
    private static let distances = SymbolValues(extraBits: (0..<64).map { $0 / 4 })

    /// Decodes a block whose magic number and length have been read.
    static func decode(
        _ input: inout LZFSEInput, into output: inout [UInt8], end: Int
    ) throws(FlatteningError) {
        let fields = (try input.word64(), try input.word64(), try input.word64())
        func bits(_ field: UInt64, _ start: Int, _ count: Int) -> Int {
            Int(field >> UInt64(start) & (1 << UInt64(count) - 1))
        }
        let literalCount = bits(fields.0, 0, 20)
        let matchCount = bits(fields.0, 40, 20)
        // The number of literals is padded to a multiple of four, and each triple must produce output: otherwise a short
        // block that declared thousands of them would cost far more work than its bytes.
        let raw = end - output.count
        guard literalCount <= min(maximumLiterals, raw + 3), literalCount.isMultiple(of: 4),
            matchCount <= min(maximumMatches, raw)
        else {
            throw LZFSEInput.failure("a block announces more than it can hold")
        }
        // Magic number, length and the three fields take 32 bytes.
        let frequencies = try Frequencies.decode(
            try input.take(bits(fields.2, 0, 32) - 32), counts: [20, 20, 64, 256])
        let literalPayload = try input.take(bits(fields.0, 20, 20))
        let matchPayload = try input.take(bits(fields.1, 40, 20))

        let literalTable = try StateTable(
            frequencies: frequencies[3], states: literalStates,
            values: SymbolValues(extraBits: Array(repeating: 0, count: 256)))
        var stream = BackwardBits(literalPayload, unused: 7 - bits(fields.0, 60, 3))
        var states = (0..<4).map { bits(fields.1, 10 * $0, 10) }
        var literals: [UInt8] = []
        literals.reserveCapacity(literalCount)
        for index in 0..<literalCount {
            let symbol = try literalTable.next(&states[index & 3], &stream)
            literals.append(UInt8(truncatingIfNeeded: symbol))
        }

        let countTable = try StateTable(
            frequencies: frequencies[0], states: lengthStates, values: literalCounts)
        let matchTable = try StateTable(
            frequencies: frequencies[1], states: lengthStates, values: matchLengths)
        let distanceTable = try StateTable(
            frequencies: frequencies[2], states: distanceStates, values: distances)
        stream = BackwardBits(matchPayload, unused: 7 - bits(fields.1, 60, 3))
        var countState = bits(fields.2, 32, 10)
        var matchState = bits(fields.2, 42, 10)
        var distanceState = bits(fields.2, 52, 10)
        var distance = 0
        var used = 0
        for _ in 0..<matchCount {
            let count = try countTable.next(&countState, &stream)
            let length = try matchTable.next(&matchState, &stream)
            let fresh = try distanceTable.next(&distanceState, &stream)
            // 0 repeats the previous distance.
            if fresh != 0 { distance = fresh }
            guard count <= literals.count - used, count <= end - output.count else {
                throw LZFSEInput.failure("literals lie outside the data")
            }
            output.append(contentsOf: literals[used..<(used + count)])
            used += count
            if length > 0 { try LZFSE.copy(length, from: distance, in: &output, end: end) }
        }
    }
}

/// The values of the symbols: each symbol has a base and `extraBits` further bits.
struct SymbolValues {
    let extraBits: [Int]
    let bases: [Int]

    /// Ranges of values follow each other without gaps.
    init(extraBits: [Int]) {
        self.extraBits = extraBits
        var next = 0
        bases = extraBits.map { bits in
            defer { next += 1 << bits }
            return next
        }
    }
}

/// The frequencies of the symbols, in a prefix code of 2 to 14 bits each.
enum Frequencies {
    /// The length of a code in bits, indexed by its lowest five bits.
    private static let lengths = [
        2, 3, 2, 5, 2, 3, 2, 8, 2, 3, 2, 5, 2, 3, 2, 14, 2, 3, 2, 5, 2, 3, 2, 8, 2, 3, 2, 5, 2, 3, 2, 14,
    ]
    /// The value of a code of up to five bits.
    private static let values = [
        0, 2, 1, 4, 0, 3, 1, 0, 0, 2, 1, 5, 0, 3, 1, 0, 0, 2, 1, 6, 0, 3, 1, 0, 0, 2, 1, 7, 0, 3, 1, 0,
    ]

    /// Decodes one table of frequencies after the other, with the sizes given by `counts`.
    static func decode(
        _ bytes: ArraySlice<UInt8>, counts: [Int]
    ) throws(FlatteningError) -> [[Int]] {
        var position = bytes.startIndex
        var held = 0
        var heldBits = 0
        var tables: [[Int]] = []
        for count in counts {
            var table: [Int] = []
            for _ in 0..<count {
                while heldBits < 14, position < bytes.endIndex {
                    held |= Int(bytes[position]) << heldBits
                    heldBits += 8
                    position += 1
                }
                let length = lengths[held & 31]
                guard length <= heldBits else { throw LZFSEInput.failure("the frequencies end too early") }
                switch length {
                case 8: table.append(8 + held >> 4 & 15)
                case 14: table.append(24 + held >> 4 & 1023)
                default: table.append(values[held & 31])
                }
                held >>= length
                heldBits -= length
            }
            tables.append(table)
        }
        return tables
    }
}

/// A finite-state decoder: each state gives a symbol and the states that may follow.
struct StateTable {
    private struct Entry {
        var totalBits = 0
        var valueBits = 0
        var delta = 0
        var base = 0
    }

    private let entries: [Entry]

    /// Builds the table for symbols with given frequencies, whose sum is at most the number of states.
    init(frequencies: [Int], states: Int, values: SymbolValues) throws(FlatteningError) {
        var entries: [Entry] = []
        entries.reserveCapacity(states)
        for (symbol, frequency) in frequencies.enumerated() where frequency > 0 {
            guard frequency <= states - entries.count else {
                throw LZFSEInput.failure("the frequencies sum to more than the states")
            }
            // The states of a symbol together cover all states: some take k further bits, the others k - 1.
            let k = frequency.leadingZeroBitCount - states.leadingZeroBitCount
            let split = (2 * states) >> k - frequency
            for index in 0..<frequency {
                let isLong = index < split
                let bits = isLong ? k : k - 1
                entries.append(
                    Entry(
                        totalBits: bits + values.extraBits[symbol], valueBits: values.extraBits[symbol],
                        delta: isLong ? (frequency + index) << k - states : (index - split) << (k - 1),
                        base: values.bases[symbol]))
            }
        }
        self.entries = entries
    }

    /// Returns the value of a state and moves on to the next state.
    func next(_ state: inout Int, _ stream: inout BackwardBits) throws(FlatteningError) -> Int {
        guard state >= 0, state < entries.count else {
            throw LZFSEInput.failure("a state is none of the table's")
        }
        let entry = entries[state]
        let bits = try stream.take(entry.totalBits)
        state = entry.delta + bits >> entry.valueBits
        return entry.base + bits & (1 << entry.valueBits - 1)
    }
}

/// A bit stream that is read from its last bit to its first.
struct BackwardBits {
    private let bytes: ArraySlice<UInt8>
    /// Number of bits left, counted from the start of the bytes.
    private var left: Int

    /// - Parameter unused: bits at the very end that are not part of the stream, 0 to 7.
    init(_ bytes: ArraySlice<UInt8>, unused: Int) {
        self.bytes = bytes
        left = max(bytes.count * 8 - unused, 0)
    }

    /// Returns the next bits, up to 25, as a number.
    mutating func take(_ count: Int) throws(FlatteningError) -> Int {
        guard count <= left else { throw LZFSEInput.failure("the stream ends too early") }
        left -= count
        let first = bytes.startIndex + left >> 3
        var value = 0
        for offset in 0..<4 where first + offset < bytes.endIndex {
            value |= Int(bytes[first + offset]) << (8 * offset)
        }
        return value >> (left & 7) & (1 << count - 1)
    }
}
