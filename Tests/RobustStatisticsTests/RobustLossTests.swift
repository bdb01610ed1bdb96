import RobustStatistics
import Testing

@Suite struct RobustLossTests {
    @Test("A residual of 0 has its full weight, one at the cut half of it after Cauchy and none after Tukey")
    func values() {
        #expect(RobustLoss.cauchy.weight(0) == 1 && RobustLoss.tukey.weight(0) == 1)
        #expect(RobustLoss.cauchy.weight(1) == 0.5 && RobustLoss.cauchy.weight(-1) == 0.5)
        #expect(RobustLoss.tukey.weight(1) == 0 && RobustLoss.tukey.weight(-7) == 0)
        #expect(RobustLoss.tukey.weight(0.5) == 0.5625)
        #expect(RobustLoss.cauchy.weight(2, prior: 10) == 2)
        #expect(RobustLoss.tukey.weight(0.5, prior: 2) == 1.125)
    }

    @Test("Huber's weight is 1 up to his cut and falls as 1 / |r| beyond")
    func huber() {
        #expect(RobustLoss.huberWeight(1.3, scale: 1) == 1)
        #expect(RobustLoss.huberWeight(-2.69, scale: 1) == 0.5)
        #expect(RobustLoss.huberWeight(0, scale: 1) == 1)
    }

    @Test("NaN stays NaN and infinity weighs nothing")
    func special() {
        for loss in [RobustLoss.cauchy, .tukey] {
            #expect(loss.weight(.nan).isNaN)
            #expect(loss.weight(.infinity) == 0)
        }
    }

    @Test("Weights fall on either side of 0 and are the same on both")
    func shape() {
        for loss in [RobustLoss.cauchy, .tukey] {
            let weights = stride(from: 0.0, through: 1, by: 0.01).map { loss.weight($0) }
            #expect(zip(weights, weights.dropFirst()).allSatisfy { $0 > $1 })
            #expect(stride(from: 0.0, through: 2, by: 0.1).allSatisfy { loss.weight($0) == loss.weight(-$0) })
        }
    }
}
