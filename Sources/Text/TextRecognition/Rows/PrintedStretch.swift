import PrintDetection

/// A part of a row without blank columns: a letter, or several that touch.
struct PrintedStretch: Equatable {
    /// Left edge in pixels.
    var left: Double
    /// Right edge in pixels.
    var right: Double

    var width: Double { right - left }
    var middle: Double { (left + right) / 2 }
}

extension PrintedRow {
    /// The row's print from left to right; marks above one another are joined.
    var stretches: [PrintedStretch] {
        var stretches: [PrintedStretch] = []
        for mark in marks {
            if let last = stretches.last, Double(mark.left) <= last.right {
                stretches[stretches.count - 1].right = max(last.right, Double(mark.right))
            } else {
                stretches.append(PrintedStretch(left: Double(mark.left), right: Double(mark.right)))
            }
        }
        return stretches
    }

    /// Returns the width of the row in pixels, where no blank counts for more than `longestBlank`. O(marks).
    func length(longestBlank: Double) -> Double {
        let stretches = stretches
        let blanks = zip(stretches, stretches.dropFirst()).map { min($1.left - $0.right, longestBlank) }
        return stretches.reduce(0) { $0 + $1.width } + blanks.reduce(0, +)
    }
}
