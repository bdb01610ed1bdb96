import RobustStatistics
import Testing

@Suite struct QuantilesTests {
    @Test("Of two middle values the upper median takes the upper one, the midpoint median their mean")
    func conventions() {
        #expect([4.0, 1, 3, 2].upperMedian() == 3)
        #expect([4.0, 1, 3, 2].midpointMedian() == 2.5)
        #expect([5.0, 1, 3].upperMedian() == 3)
        #expect([5.0, 1, 3].midpointMedian() == 3)
    }

    @Test("One value is its own median, and nothing has the median 0")
    func few() {
        #expect([7.0].upperMedian() == 7 && [7.0].midpointMedian() == 7 && [7.0].quantile(0.98) == 7)
        let none: [Double] = []
        #expect(none.upperMedian() == 0 && none.midpointMedian() == 0 && none.quantile(0.5) == 0)
        #expect(none.robustDeviation() == 0)
    }

    @Test("Quantiles are the values at the share's place: the least, the upper median, the greatest")
    func quantiles() {
        let values = (0..<100).map(Double.init).reversed() as [Double]
        #expect(values.quantile(0) == 0)
        #expect(values.quantile(0.5) == values.upperMedian())
        #expect(values.quantile(0.95) == 95)
        #expect(values.quantile(1) == 99)
    }

    @Test("Medians move with the values and turn with their sign", arguments: UInt64(1)...4)
    func identities(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for count in [1, 2, 3, 10, 33, 100] {
            let values = (0..<count).map { _ in Double.random(in: -1...1, using: &generator) }
            let sorted = values.sorted()
            #expect(values.upperMedian() == sorted[count / 2], "seed \(seed)")
            let middle = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
            #expect(values.midpointMedian() == middle, "seed \(seed)")
            #expect(values.map { -$0 }.midpointMedian() == -middle, "seed \(seed)")
            // A doubling is exact.
            #expect(values.map { 2 * $0 }.upperMedian() == 2 * values.upperMedian(), "seed \(seed)")
            #expect(values.shuffled(using: &generator).upperMedian() == values.upperMedian(), "seed \(seed)")
        }
    }

    @Test(
        "The robust deviation of normal noise is its standard deviation, and little more with a fifth of it wild"
    )
    func deviation() {
        var generator = SplitMix64(seed: 11)
        // Sums of twelve uniform numbers have variance 1.
        let noise = (0..<20_000).map { _ in
            (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &generator) }
        }
        // The median's own deviation: 1.2 / root of 20 000, some 0.8 %.
        #expect(abs(noise.robustDeviation() - 1) < 0.03)
        let wild = noise.indices.map { $0 % 5 == 0 ? 1000 : noise[$0] }
        // A fifth beyond all others makes the median the 5/8 quantile of |r|: 0.887 instead of 0.674.
        #expect(abs(wild.robustDeviation() - 0.887 * 1.4826) < 0.04)
        #expect(RobustScale.medianToDeviation == 1.4826)
    }
}
