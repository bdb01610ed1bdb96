import DepthGeometry
import RobustStatistics
import Testing

@testable import SheetFlattening

/// What counts as a better prediction of left-out readings.
@Suite struct HeldOutGainTests {
    /// Forty fields of fifty readings.
    let blocks = (0..<2000).map { Int32($0 / 50) }

    func noise(seed: UInt64) -> [Double] {
        var generator = SplitMix64(seed: seed)
        // Sums of three uniform numbers: nearly normal, deviation 1.
        return blocks.map { _ in
            (0..<3).reduce(0) { sum, _ in sum + Double.random(in: -1...1, using: &generator) }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func aSurfaceThatFollowsOtherReadingsNoiseGainsNothing(seed: UInt64) {
        let readings = noise(seed: seed)
        // It missed these readings, so what it follows has nothing to do with them.
        let followed = noise(seed: seed + 100)
        let gain = HeldOutGain(
            simpler: readings, richer: zip(readings, followed).map { $0 - 0.3 * $1 }, blocks: blocks, limit: 3
        )
        // On the mean it loses 0.09 a reading, 180 in all; chance is sqrt 2000 · 2 · 0.3 = 27.
        #expect(gain.gain < 0, "seed \(seed)")
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func aShapeInOneCornerOnlyIsFound(seed: UInt64) {
        let readings = noise(seed: seed)
        let lifted = zip(readings, blocks).map { $1 < 4 ? $0 + 2 : $0 }
        let gain = HeldOutGain(simpler: lifted, richer: readings, blocks: blocks, limit: 4)
        // 200 readings lifted by 2: 800, and chance about sqrt 200 · 4 = 57, known from four fields to within a half.
        #expect(gain.gain > 3 * gain.deviation, "seed \(seed)")
    }

    @Test func noiseThatAWholeFieldSharesIsNoProof() {
        // One field is off by 1 throughout, and the richer surface goes half the way to it by luck.
        let simpler = blocks.map { $0 == 7 ? 1.0 : 0 }
        let richer = blocks.map { $0 == 7 ? 0.5 : 0 }
        let gain = HeldOutGain(simpler: simpler, richer: richer, blocks: blocks, limit: 4)
        // 50 (1 - 1/4) = 37.5, and chance 50 · 2 · 0.5 · 0.5 = 25: taken one by one, the readings would prove it.
        #expect(abs(gain.gain - 37.5) < 1e-9)
        #expect(abs(gain.deviation - 25) < 1e-9)
    }

    @Test func wildReadingsCountAsTheLimit() {
        let gain = HeldOutGain(simpler: [100, 1], richer: [-100, 1], blocks: [0, 0], limit: 2)
        #expect(gain.gain == 0)
    }
}
