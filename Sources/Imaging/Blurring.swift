// Local means by running sums: their cost does not depend on the window.

extension Raster where Element == Float {
    /// The mean over a window of (2 · radius + 1)² elements around each; at the rim over the part that lies inside.
    ///
    /// O(elements), whatever the radius. Sums run in Double, so that a long row does not drift; one that is not finite
    /// spoils what its rows' and columns' sums meet after it, so callers fill gaps first (or use ``boxMean(radius:counting:)``).
    /// - Parameter radius: at least 0, in elements.
    public func boxMean(radius: Int) -> Raster<Float> {
        precondition(radius >= 0, "a window's radius is at least 0")
        guard radius > 0, !elements.isEmpty else { return self }
        return Raster<Float>(width: width, height: height) { output in
            elements.withUnsafeBufferPointer { input in
                withUnsafeTemporaryAllocation(of: Double.self, capacity: width) { sums in
                    sums.initialize(repeating: 0)
                    func add(_ row: Int, _ sign: Double) {
                        let start = row * width
                        for x in 0..<width { sums[x] += sign * Double(input[start + x]) }
                    }
                    for row in 0..<min(radius, height) { add(row, 1) }
                    for y in 0..<height {
                        if y + radius < height { add(y + radius, 1) }
                        if y - radius - 1 >= 0 { add(y - radius - 1, -1) }
                        let rows = min(y + radius, height - 1) - max(y - radius, 0) + 1
                        var sum = 0.0
                        for x in 0..<min(radius, width) { sum += sums[x] }
                        for x in 0..<width {
                            if x + radius < width { sum += sums[x + radius] }
                            if x - radius - 1 >= 0 { sum -= sums[x - radius - 1] }
                            let columns = min(x + radius, width - 1) - max(x - radius, 0) + 1
                            output[y * width + x] = Float(sum / Double(rows * columns))
                        }
                    }
                }
            }
        }
    }

    /// The mean of the elements that count within each window, NaN where none does.
    ///
    /// Elements that do not count may hold anything, NaN included. O(elements).
    /// - Precondition: the mask has the raster's size.
    public func boxMean(radius: Int, counting mask: Raster<Bool>) -> Raster<Float> {
        precondition(mask.size == size, "a mask has its raster's size")
        var values = self
        for index in elements.indices where !mask.elements[index] { values.elements[index] = 0 }
        let shares = mask.map { $0 ? Float(1) : 0 }.boxMean(radius: radius)
        var means = values.boxMean(radius: radius)
        // Half a part in the largest window that fits a picture: less is rounding, not a share.
        let least = Float(0.5) / Float(max(elements.count, 1))
        for index in means.elements.indices {
            let share = shares.elements[index]
            means.elements[index] = share > least ? means.elements[index] / share : .nan
        }
        return means
    }

    /// Approximately a Gaussian blur: three box means whose variances add up to it (Wells 1986; Kovesi 2010).
    ///
    /// Windows are whole numbers of elements, so the true sigma differs by less than 0.2 elements. At the rim each mean is
    /// over what lies inside. O(elements), whatever the sigma.
    /// - Parameter sigma: in elements, 0 ... 10^6; below 0.4 nothing changes.
    public func gaussianBlurred(sigma: Double) -> Raster<Float> {
        precondition((0...1e6).contains(sigma), "a blur's sigma is 0 ... 10^6")
        // A window of w = 2 r + 1 has the variance (w² - 1) / 12 = r (r + 1) / 3; three of them make r (r + 1).
        // m of the narrower and 3 - m of the wider window come nearest.
        let variance = sigma * sigma
        let narrow = Int(((1 + 4 * variance).squareRoot() - 1) / 2)
        let each = { (radius: Int) in Double(radius * (radius + 1)) / 3 }
        let wider = Int((3 * (variance / 3 - each(narrow)) / (each(narrow + 1) - each(narrow))).rounded())
        var blurred = self
        for pass in 0..<3 { blurred = blurred.boxMean(radius: pass < wider ? narrow + 1 : narrow) }
        return blurred
    }
}
