import Foundation

/// The print of a receipt, line by line, in fixed-width cells as receipt printers set them.
public struct ReceiptDocument: Sendable, Equatable {
    /// A line of print.
    public struct Line: Sendable, Equatable {
        /// The characters, spaces included, at most as many as the paper has columns. Printable ASCII.
        public var text: String
        /// Whether it is printed in the bold face.
        public var isBold: Bool
        /// Whether its characters are stretched to twice their height.
        public var isDoubleHeight: Bool

        /// Creates a line of characters, starting in the first column.
        public init(_ text: String, isBold: Bool = false, isDoubleHeight: Bool = false) {
            self.text = text
            self.isBold = isBold
            self.isDoubleHeight = isDoubleHeight
        }
    }

    /// The sheets that receipts are printed on.
    public enum Paper: String, CaseIterable, Sendable {
        /// 58 mm wide, 32 columns, cut where the print ends.
        case narrow
        /// 80 mm wide, 42 columns, cut where the print ends.
        case wide
        /// US letter, 215.9 x 279.4 mm, 64 columns.
        case letter
        /// A4, 210 x 297 mm, 64 columns.
        case a4

        /// Width in metres.
        public var width: Double {
            switch self {
            case .narrow: 0.058
            case .wide: 0.080
            case .letter: 0.2159
            case .a4: 0.210
            }
        }
        /// Height in metres; nil for paper off a roll.
        public var height: Double? {
            switch self {
            case .narrow, .wide: nil
            case .letter: 0.2794
            case .a4: 0.297
            }
        }
        /// Characters in a line.
        public var columns: Int {
            switch self {
            case .narrow: 32
            case .wide: 42
            case .letter, .a4: 64
            }
        }
        /// Width of a character's cell in metres: printers use 48 and 72 mm of the width of the two rolls, and 160 mm of a
        /// page.
        public var columnPitch: Double {
            switch self {
            case .narrow: 0.048 / 32
            case .wide: 0.072 / 42
            case .letter, .a4: 0.160 / 64
            }
        }
    }

    /// Facts that text recognition should find on the receipt.
    public struct Facts: Sendable, Equatable {
        /// The store's name as printed.
        public var store: String
        /// The date as printed.
        public var date: String
        /// Names and prices of the items bought, in cents.
        public var items: [Item]
        /// Sum of the items in cents.
        public var subtotal: Int
        /// Tax in cents.
        public var tax: Int
        /// The amount paid, in cents.
        public var total: Int
        /// The total as printed.
        public var printedTotal: String

        /// One thing bought.
        public struct Item: Sendable, Equatable {
            /// The name as printed, preceded by the count if there is one.
            public var name: String
            /// The line's price in cents.
            public var price: Int
        }
    }

    /// The paper.
    public var paper: Paper
    /// The lines from the top; empty ones are blank.
    public var lines: [Line]
    /// The facts on the receipt; nil for the caller's own text.
    public var facts: Facts?
    /// Unprinted paper above the first line and below the last one, in metres.
    public var endMargin: Double
    /// The blackness of the print, 0 (invisible) to 1; below 1 for faded thermal paper.
    public var blackness: Double

    /// Creates a receipt from given lines.
    public init(
        paper: Paper, lines: [Line], facts: Facts? = nil, endMargin: Double = 0.008, blackness: Double = 0.92
    ) {
        self.paper = paper
        self.lines = lines
        self.facts = facts
        self.endMargin = endMargin
        self.blackness = blackness
    }

    /// Distance between lines in metres: 2.2 times the column pitch, about 3.8 mm on the wide paper.
    public var linePitch: Double { paper.columnPitch * 2.2 }

    /// The sheet's width in metres.
    public var width: Double { paper.width }

    /// The sheet's height in metres: the paper's own, or that of the lines and margins.
    public var height: Double {
        if let height = paper.height { return height }
        let pitches = lines.reduce(0) { $0 + ($1.isDoubleHeight ? 2 : 1) }
        return Double(pitches) * linePitch + 2 * endMargin
    }

    /// The text that recognition should return: the lines as printed, without spaces at their ends.
    public var text: String {
        lines.map { line in
            var trimmed = Substring(line.text)
            while trimmed.last == " " { trimmed.removeLast() }
            return trimmed + "\n"
        }.joined()
    }
}
