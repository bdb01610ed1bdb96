import Platform

/// By how much a richer surface predicts left-out readings better than a simpler one, and what chance may have done.
///
/// With a and b the two surfaces' residuals of the same reading, a² - b² = (a - b)² + 2 (a - b) b. Where the richer surface is
/// right, b is noise and only the last term owes to chance: its sums over fields, which noise does not cross, are independent
/// and have mean 0, so the sum of their squares is the variance of the whole (White, Econometrica 1980, by clusters).
/// Unlike the scatter of the fields' gains, this does not hold it against a shape that it is in one place only.
struct HeldOutGain {
    /// Σ a² - b².
    let gain: Double
    /// Standard deviation of what noise adds to it.
    let deviation: Double

    /// - Parameters:
    ///   - simpler: residual of each reading, by a surface that had not seen it.
    ///   - richer: the same of the richer surface.
    ///   - blocks: the field of each reading, numbered from 0.
    ///   - limit: larger residuals count as this much: wild readings are no argument for a shape.
    init(simpler: [Double], richer: [Double], blocks: [Int32], limit: Double) {
        var gain = 0.0
        var chances = [Double](repeating: 0, count: Int(blocks.max() ?? -1) + 1)
        for index in simpler.indices {
            let a = min(max(simpler[index], -limit), limit)
            let b = min(max(richer[index], -limit), limit)
            gain += a * a - b * b
            chances[Int(blocks[index])] += 2 * (a - b) * b
        }
        self.gain = gain
        deviation = chances.reduce(0) { $0 + $1 * $1 }.squareRoot()
    }
}
