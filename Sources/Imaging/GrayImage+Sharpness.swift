extension Raster where Element == UInt8 {
    /// The mean square of 4 I(x, y) minus its four neighbours, within a part of the picture; 0 for an empty part.
    package func laplacianEnergy(columns: Range<Int>, rows: Range<Int>) -> Double {
        let columns = columns.clamped(to: 1..<Swift.max(width - 1, 1))
        let rows = rows.clamped(to: 1..<Swift.max(height - 1, 1))
        guard !columns.isEmpty, !rows.isEmpty else { return 0 }
        var sum: Int64 = 0
        elements.withUnsafeBufferPointer { luma in
            for y in rows {
                for at in y * width + columns.lowerBound..<y * width + columns.upperBound {
                    let around =
                        Int32(luma[at - 1]) + Int32(luma[at + 1]) + Int32(luma[at - width])
                        + Int32(luma[at + width])
                    let second = 4 * Int32(luma[at]) - around
                    sum += Int64(second * second)
                }
            }
        }
        return Double(sum) / Double(columns.count * rows.count)
    }
}
