import ScalarText

/// Names of numbered files, one for each of several things: `flat.png` becomes `flat-1.png`, `flat-2.png` ...
///
/// The number comes before the extension; double extensions that name the content and the format (`.words.json`) count as one.
/// Different paths stay different, whatever their numbers.
package enum NumberedPath {
    /// Extensions of two parts: what a file holds, and its format.
    private static let doubleExtensions = [
        ".words.json", ".fields.json", ".alto.xml", ".relief.png", ".overlay.png", ".thumb.jpg",
    ]

    /// The largest number that `parted` recognizes: photographs show fewer than a thousand things to number.
    package static let greatestNumber = 999

    /// Returns the path of the file with this number, 1 or more.
    package static func numbered(_ path: String, _ number: Int) -> String {
        let (stem, ending) = split(path)
        return stem + "-\(number)" + ending
    }

    /// Splits a path into the path without its number, and the number; nil if it has none from 1 to `greatestNumber`.
    package static func parted(_ path: String) -> (path: String, number: Int)? {
        guard mayBeNumbered(path) else { return nil }
        let (stem, ending) = split(path)
        guard let hyphen = stem.lastIndex(ofScalar: "-") else { return nil }
        let digits = stem[stem.index(afterScalar: hyphen)...]
        guard let number = Int(digits), (1...greatestNumber).contains(number), "\(number)" == digits else {
            return nil
        }
        let bare = stem[..<hyphen] + ending
        // Adding the number to the rest must give the same path again.
        return numbered(String(bare), number) == path ? (String(bare), number) : nil
    }

    /// Whether a hyphen precedes a digit that may start a number. Most paths have none and need no further check.
    private static func mayBeNumbered(_ path: String) -> Bool {
        var isAfterHyphen = false
        for byte in path.utf8 {
            if isAfterHyphen, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) { return true }
            isAfterHyphen = byte == UInt8(ascii: "-")
        }
        return false
    }

    /// Splits a path before its extension, which includes the dot; a dot at the start of a name begins no extension.
    private static func split(_ path: String) -> (stem: Substring, ending: Substring) {
        let name = path.lastIndex(ofScalar: "/").map { path[path.index(afterScalar: $0)...] } ?? path[...]
        let double =
            doubleExtensions
            .first { name.lowercased().hasScalarSuffix($0) && name.utf8.count > $0.utf8.count }
        if let double {
            let start = path.utf8.index(path.endIndex, offsetBy: -double.utf8.count)
            return (path[..<start], path[start...])
        }
        guard let dot = name.lastIndex(ofScalar: "."), dot != name.startIndex else {
            return (path[...], path[path.endIndex...])
        }
        return (path[..<dot], path[dot...])
    }
}
