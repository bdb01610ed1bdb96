import Imaging

extension LumaPyramid {
    /// The energy that rounding to whole values adds to the Laplacian. Rounding has a variance of 1/12, and the squares of the
    /// Laplacian's weights sum to 20.
    fileprivate static let roundingEnergy = 20.0 / 12

    /// The energy of detail at full resolution relative to half resolution, 0 to 1.
    ///
    /// Blur removes the finest detail first, so the ratio of the Laplacian's energies at the two sizes measures it, whatever
    /// is printed and however bright (the multi-scale form of the Laplacian measure in Pertuz, Puig and Garcia, Pattern
    /// Recognition 46(5), 2013). The energy of noise is estimated from the quietest quarter of the pixels and subtracted.
    /// - Returns: 0 if there is no detail at all.
    /// - Complexity: O(pixels of the part).
    func fineDetail(columns: Range<Int>, rows: Range<Int>) -> Double {
        let fine = level(0).detailEnergy(columns: columns, rows: rows)
        let coarse = level(1).detailEnergy(
            columns: columns.lowerBound / 2..<columns.upperBound / 2,
            rows: rows.lowerBound / 2..<rows.upperBound / 2)
        guard levels.count > 1 else { return 0 }
        // An energy barely above that of rounding does not count as sharp.
        return min(fine / (coarse + 3 * Self.roundingEnergy), 1)
    }
}

extension Raster where Element == UInt8 {
    /// The energy of the Laplacian minus that of noise, in grey values squared.
    fileprivate func detailEnergy(columns: Range<Int>, rows: Range<Int>) -> Double {
        let (sum, quartile) = (
            laplacianEnergy(columns: columns, rows: rows), laplacianQuartile(columns: columns, rows: rows)
        )
        // A quarter of normally distributed values lie within 0.3186 standard deviations.
        let noise = quartile / 0.3186
        return max(sum - max(noise * noise, LumaPyramid.roundingEnergy), 0)
    }

    /// The lower quartile of the Laplacian's magnitude within a part of the image.
    private func laplacianQuartile(columns: Range<Int>, rows: Range<Int>) -> Double {
        var histogram = [Int](repeating: 0, count: 4 * 255 + 1)
        var pixels = 0
        forEachLaplacian(columns: columns, rows: rows) { _, _, value in
            histogram[Int(abs(value))] += 1
            pixels += 1
        }
        let quarter = pixels / 4
        var below = 0
        for (value, count) in histogram.enumerated() {
            // Interpolated between whole values, so that the result does not jump in images with little noise.
            if below + count > quarter {
                let low = max(Double(value) - 0.5, 0)
                return low + (Double(value) + 0.5 - low) * Double(quarter - below) / Double(count)
            }
            below += count
        }
        return 0
    }
}
