package import Imaging

/// Bar codes drawn from the tables of ISO/IEC 15420.
package enum DrawnEAN {
    private static let odd = [
        "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111",
        "0001011",
    ]
    private static let parity = [
        "OOOOOO", "OOEOEE", "OOEEOE", "OOEEEO", "OEOOEE", "OEEOOE", "OEEEOO", "OEOEOE", "OEOEEO", "OEEOEO",
    ]

    /// The modules of an EAN-13, 1 for dark.
    private static func modules(_ digits: String) -> String {
        let digits = digits.compactMap(\.wholeNumberValue)
        func inverted(_ bars: String) -> String { String(bars.map { $0 == "0" ? "1" : "0" }) }
        let left = zip(digits[1...6], parity[digits[0]]).map { digit, parity in
            parity == "O" ? odd[digit] : String(inverted(odd[digit]).reversed())
        }
        let right = digits[7...12].map { inverted(odd[$0]) }
        return "101" + left.joined() + "01010" + right.joined() + "101"
    }

    /// A page with the code from (left, top), modules of `module` pixels.
    package static func draw(
        _ digits: String, on page: inout GrayImage, left: Int, top: Int, module: Int, height: Int
    ) {
        for (index, bar) in modules(digits).enumerated() where bar == "1" {
            for y in top..<(top + height) {
                for x in (left + index * module)..<(left + (index + 1) * module) { page[x: x, y: y] = 20 }
            }
        }
    }
}
