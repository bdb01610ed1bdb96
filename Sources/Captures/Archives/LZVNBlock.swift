import Diagnostics

/// A block of LZVN, for short data: literals and matches, each introduced by a one-byte opcode.
enum LZVNBlock {
    /// Decodes a block's payload.
    /// - Parameter end: the greatest length that the output may reach.
    static func decode(
        _ payload: ArraySlice<UInt8>, into output: inout [UInt8], end: Int
    ) throws(FlatteningError) {
        var position = payload.startIndex
        var distance = 0
        func byte(_ offset: Int) throws(FlatteningError) -> Int {
            guard position + offset < payload.endIndex else {
                throw LZFSEInput.failure("a block ends too early")
            }
            return Int(payload[position + offset])
        }
        while true {
            let code = try byte(0)
            var literals = 0
            var match = 0
            let size: Int
            switch code {
            case 0x06: return
            case 0x0E, 0x16:
                position += 1
                continue
            case 0xE0:
                (literals, size) = (try byte(1) + 16, 2)
            case 0xE1...0xEF:
                (literals, size) = (code & 15, 1)
            case 0xF0:
                (match, size) = (try byte(1) + 16, 2)
            case 0xF1...0xFF:
                (match, size) = (code & 15, 1)
            case 0x70...0x7F, 0xD0...0xDF:
                throw LZFSEInput.failure("an opcode is not defined", seen: "\(code)")
            case 0xA0...0xBF:
                // 101LLMMM DDDDDDMM DDDDDDDD
                let second = try byte(1)
                literals = code >> 3 & 3
                match = (code & 7) << 2 + second & 3 + 3
                distance = second >> 2 + (try byte(2)) << 6
                size = 3
            default:
                // LLMMMDDD: the three bits of D say how the distance is coded.
                literals = code >> 6
                match = code >> 3 & 7 + 3
                switch code & 7 {
                case 6:
                    guard literals > 0 else {
                        throw LZFSEInput.failure("an opcode is not defined", seen: "\(code)")
                    }
                    size = 1
                case 7:
                    distance = try byte(1) + (try byte(2)) << 8
                    size = 3
                default:
                    distance = (code & 7) << 8 + (try byte(1))
                    size = 2
                }
            }
            position += size
            guard literals <= payload.endIndex - position, literals <= end - output.count else {
                throw LZFSEInput.failure("literals lie outside the data")
            }
            output.append(contentsOf: payload[position..<(position + literals)])
            position += literals
            if match > 0 { try LZFSE.copy(match, from: distance, in: &output, end: end) }
        }
    }
}
