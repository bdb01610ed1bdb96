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

        /// A line of characters, starting in the first column.
        public init(_ text: String, isBold: Bool = false, isDoubleHeight: Bool = false) {
            self.text = text
            self.isBold = isBold
            self.isDoubleHeight = isDoubleHeight
        }
    }

    /// The two common widths of paper, as sold in rolls.
    public enum Paper: String, CaseIterable, Sendable {
        /// 58 mm wide, 32 columns.
        case narrow
        /// 80 mm wide, 42 columns.
        case wide

        /// Width in metres.
        public var width: Double { self == .narrow ? 0.058 : 0.080 }
        /// Characters in a line.
        public var columns: Int { self == .narrow ? 32 : 42 }
        /// Width of a character's cell in metres: printers print on 48 and 72 mm of the two papers.
        public var columnPitch: Double { (self == .narrow ? 0.048 : 0.072) / Double(columns) }
    }

    /// Facts that text recognition should find on the receipt.
    public struct Facts: Sendable, Equatable {
        /// The store's name as printed.
        public var store: String
        /// The date as printed.
        public var date: String
        /// Names and prices of what was bought, in cents.
        public var items: [Item]
        /// Sum of the items in cents.
        public var subtotal: Int
        /// Tax in cents.
        public var tax: Int
        /// What was paid, in cents.
        public var total: Int
        /// The total as printed.
        public var printedTotal: String

        /// One thing bought.
        public struct Item: Sendable, Equatable {
            /// As printed, with the count before it if there is one.
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
    /// The blackness of the print, 0 (invisible) to 1; thermal paper fades.
    public var blackness: Double

    /// A receipt of given lines.
    public init(
        paper: Paper, lines: [Line], facts: Facts? = nil, endMargin: Double = 0.008, blackness: Double = 0.92
    ) {
        self.paper = paper
        self.lines = lines
        self.facts = facts
        self.endMargin = endMargin
        self.blackness = blackness
    }

    /// Distance between lines in metres: twice the column pitch and a tenth, about 3.8 mm on the wide paper.
    public var linePitch: Double { paper.columnPitch * 2.2 }

    /// The sheet's width in metres.
    public var width: Double { paper.width }

    /// The sheet's height in metres: lines and margins.
    public var height: Double {
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
