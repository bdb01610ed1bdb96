import Imaging

/// A 64-bit hash of an image's appearance: the same image encoded again, smaller or lighter has almost the same bits.
enum ImageLikeness {
    /// Number of cells along a side.
    private static let side = 8

    /// Returns the hash: each bit says whether a cell of 9 x 8 is lighter than the next one to its right (N. Krawetz, Kind of
    /// Like That, 2013).
    static func bits(of image: RGBImage) -> UInt64 {
        let gray = image.gray()
        var bits: UInt64 = 0
        for row in 0..<side {
            let means = (0...side).map { column in
                mean(of: gray, row: row, column: column)
            }
            for column in 0..<side { bits = bits << 1 | (means[column] > means[column + 1] ? 1 : 0) }
        }
        return bits
    }

    private static func mean(of gray: GrayImage, row: Int, column: Int) -> Double {
        let top = row * gray.height / side
        let bottom = max(top + 1, (row + 1) * gray.height / side)
        let left = column * gray.width / (side + 1)
        let right = max(left + 1, (column + 1) * gray.width / (side + 1))
        var sum = 0
        for y in top..<min(bottom, gray.height) {
            for x in left..<min(right, gray.width) { sum += Int(gray[x: x, y: y]) }
        }
        return Double(sum) / Double((bottom - top) * (right - left))
    }
}
