import RobustStatistics
import Testing

@testable import Documents

/// The convolutions of the network that reads zones, against their definition.
@Suite struct CellNetworkTests {
    /// Sizes that fill whole tiles of the kernel, and sizes that do not: outputs, inputs, side of the window, height, width.
    @Test(arguments: [
        (12, 1, 3, 26, 26), (5, 3, 3, 7, 33), (38, 64, 1, 1, 19), (4, 2, 3, 3, 18), (1, 1, 3, 3, 3),
    ])
    func aConvolutionIsItsSumOnEveryKernel(
        outputs: Int, inputs: Int, side: Int, height: Int, width: Int
    ) {
        for isRectified in [true, false] {
            check(outputs, inputs, side, height, width, isRectified)
        }
    }

    private func check(
        _ outputs: Int, _ inputs: Int, _ side: Int, _ height: Int, _ width: Int, _ isRectified: Bool
    ) {
        var generator = SplitMix64(seed: 46)
        func numbers(_ count: Int) -> [Float] {
            (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
        }
        let (weights, biases) = (numbers(outputs * inputs * side * side), numbers(outputs))
        let layer = CellNetwork.Layer(
            outputs: outputs, inputs: inputs, side: side, weights: weights, biases: biases)
        var planes = CellNetwork.Planes(channels: inputs, height: height, width: width)
        // What lies beyond a row's width may not count.
        planes.values = planes.values.map { _ in .nan }
        for channel in 0..<inputs {
            for y in 0..<height {
                for x in 0..<width {
                    planes.values[(channel * height + y) * planes.pitch + x] = numbers(1)[0]
                }
            }
        }
        let results = ZoneKernel.available.map {
            planes.convolved(by: layer, isRectified: isRectified, kernel: $0)
        }
        for result in results {
            #expect(result.height == height - side + 1 && result.width == width - side + 1)
            for channel in 0..<outputs {
                for y in 0..<result.height {
                    for x in 0..<result.width {
                        var sum = Double(biases[channel])
                        for input in 0..<inputs {
                            for place in 0..<side * side {
                                let row = (input * height + y + place / side) * planes.pitch
                                sum +=
                                    Double(weights[(channel * inputs + input) * side * side + place])
                                    * Double(planes.values[row + x + place % side])
                            }
                        }
                        let value = result.values[(channel * result.height + y) * result.pitch + x]
                        // At most 64 products of numbers up to 1: their sum in single precision is off by less than 1e-5.
                        #expect(abs(Double(value) - (isRectified ? max(sum, 0) : sum)) < 1e-5)
                        #expect(value == results[0].values[(channel * result.height + y) * result.pitch + x])
                    }
                }
            }
        }
    }

    /// The last row and column of an odd size have no block.
    @Test func poolingTakesTheLargestOfEachBlock() {
        var planes = CellNetwork.Planes(channels: 2, height: 3, width: 5)
        for channel in 0..<2 {
            for y in 0..<3 {
                for x in 0..<5 {
                    planes.values[(channel * 3 + y) * planes.pitch + x] = Float(100 * channel + 10 * y - x)
                }
            }
        }
        let pooled = planes.pooled()
        #expect(pooled.height == 1 && pooled.width == 2)
        #expect(
            (0..<2).map { Array(pooled.values[$0 * pooled.pitch..<$0 * pooled.pitch + 2]) } == [
                [10, 8], [110, 108],
            ])
    }
}
