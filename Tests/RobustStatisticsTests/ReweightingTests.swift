import RobustStatistics
import Testing

@Suite struct ReweightingTests {
    /// The weighted mean of some values, robustly.
    private func mean(
        of values: [Double], prior: [Double]? = nil, by reweighting: Reweighting
    ) -> (level: Double, outcome: Reweighting.Outcome, fits: Int) {
        var level = 0.0
        var fits = 0
        let outcome = reweighting.run(prior: prior ?? values.map { _ in 1 }) { weights in
            let next = zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
            let isSettled = fits > 0 && abs(next - level) < 1e-12
            level = next
            fits += 1
            return (values.map { $0 - level }, isSettled)
        }
        return (level, outcome, fits)
    }

    @Test("Values that agree are met at once, with the scale 0")
    func agreement() {
        let (level, outcome, fits) = mean(of: [2, 2, 2, 2], by: Reweighting(loss: .cauchy, sweeps: 9))
        #expect(level == 2 && outcome.scale == 0 && fits == 1)
        #expect(outcome.weights == [1, 1, 1, 1])
    }

    @Test("Wild values move the mean no more", arguments: [RobustLoss.cauchy, .tukey])
    func wild(loss: RobustLoss) {
        var generator = SplitMix64(seed: 3)
        var values = (0..<200).map { _ in 5 + Double.random(in: -0.1...0.1, using: &generator) }
        let clean = values.reduce(0, +) / 200
        for index in stride(from: 0, to: 200, by: 10) { values[index] = 1e3 }
        let (level, outcome, _) = mean(of: values, by: Reweighting(loss: loss, sweeps: 50))
        // A tenth is wild; of the rest the mean is known to 0.058 / root of 180, four thousandths.
        #expect(abs(level - clean) < 0.02)
        #expect(outcome.weights[0] < 1e-3 * outcome.weights[1])
    }

    @Test("The scale is never below what it is given, and is taken of what counts only")
    func scales() {
        let values = [0.0, 0, 0, 9, 9, 9, 9]
        let least = Reweighting(loss: .cauchy, sweeps: 3, leastScale: 0.5).run(prior: values.map { _ in 1 }) {
            _ in (values.map { $0 * 1e-6 }, false)
        }
        #expect(least.scale == 0.5)
        let counted = Reweighting(loss: .cauchy, sweeps: 1).run(
            prior: values.map { _ in 1 }, isCounted: values.map { $0 == 0 }
        ) { _ in (values.map { $0 + 1 }, false) }
        #expect(counted.scale == 1.4826)
        #expect(counted.weights.count == values.count)
    }

    @Test("Each weight is its prior's share")
    func priors() {
        let prior = [4.0, 1, 0.25]
        let outcome = Reweighting(loss: .cauchy, sweeps: 1).run(prior: prior) { weights in
            #expect(weights == prior)
            return ([1, 1, 1], false)
        }
        // All residuals are alike: u² = 1 / (2.385 · 1.4826)², some 0.08.
        #expect(outcome.weights[0] == 4 * outcome.weights[1])
        #expect(abs(outcome.weights[1] - 1 / (1 + 1 / (2.385 * 2.385 * 1.4826 * 1.4826))) < 1e-12)
    }

    @Test("A fit that fails ends the sweeps with its error")
    func failure() {
        struct Singular: Error {}
        #expect(throws: Singular.self) {
            try Reweighting(loss: .tukey, sweeps: 5).run(prior: [1]) { _ throws(Singular) in throw Singular()
            }
        }
    }
}
