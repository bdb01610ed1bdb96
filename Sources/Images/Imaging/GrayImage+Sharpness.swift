extension Raster where Element == UInt8 {
    /// Calls `body` with the Laplacian of each pixel in a part of the image, for pixels that have all four neighbours: 4
    /// I(x, y) minus the neighbours, from -1020 to 1020. O(pixels of the part).
    @inlinable
    package func forEachLaplacian(
        columns: Range<Int>, rows: Range<Int>, _ body: (_ x: Int, _ y: Int, _ value: Int32) -> Void
    ) {
        let columns = columns.clamped(to: 1..<Swift.max(width - 1, 1))
        let rows = rows.clamped(to: 1..<Swift.max(height - 1, 1))
        elements.withUnsafeBufferPointer { luma in
            for y in rows {
                for x in columns {
                    let at = y * width + x
                    let around =
                        Int32(luma[at - 1]) + Int32(luma[at + 1]) + Int32(luma[at - width])
                        + Int32(luma[at + width])
                    body(x, y, 4 * Int32(luma[at]) - around)
                }
            }
        }
    }

    /// The mean square of the Laplacian over a part of the image; 0 for an empty part.
    /// - Parameter includes: which pixels of the part count.
    @inlinable
    package func laplacianEnergy(
        columns: Range<Int>, rows: Range<Int>, where includes: (_ x: Int, _ y: Int) -> Bool = { _, _ in true }
    ) -> Double {
        var (sum, count) = (Int64(0), 0)
        forEachLaplacian(columns: columns, rows: rows) { x, y, value in
            guard includes(x, y) else { return }
            sum += Int64(value * value)
            count += 1
        }
        return count > 0 ? Double(sum) / Double(count) : 0
    }
}
