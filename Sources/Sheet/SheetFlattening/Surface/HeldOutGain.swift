import Platform

/// How much better a richer surface predicts left-out readings than a simpler one, and how much of that may be chance.
///
/// With a and b the residuals of the two surfaces for the same reading, a² - b² = (a - b)² + 2 (a - b) b. If the richer surface
/// is right, b is noise and only the last term is due to chance. Its sums over fields are independent, because noise does not
/// cross fields, and have mean 0, so the sum of their squares is the variance of the whole (White, Econometrica 1980, by
/// clusters). Unlike the scatter of the fields' gains, this does not penalise a shape that occurs in one place only.
struct HeldOutGain {
    /// Σ a² - b².
    let gain: Double
    /// Standard deviation of the contribution of noise to the gain.
    let deviation: Double

    /// - Parameters:
    ///   - simpler: residual of each reading, from a fit of the simpler surface that did not use it.
    ///   - richer: the same for the richer surface.
    ///   - blocks: the field of each reading, numbered from 0.
    ///   - limit: larger residuals are limited to this: wild readings are no argument for a shape.
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
