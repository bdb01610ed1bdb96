import CSheetNetwork
import RobustStatistics

@testable import SheetNetwork

/// Square maps without a rim, and what the network computes from them by its definition, in double precision.
struct DirectMaps: Sendable {
    let side: Int
    /// Map after map, row by row.
    var maps: [[Double]]

    /// Values between -1 and 1 that a Float holds exactly.
    static func noise(_ count: Int, side: Int, seed: UInt64) -> DirectMaps {
        var generator = SplitMix64(seed: seed)
        return DirectMaps(
            side: side,
            maps: (0..<count).map { _ in
                (0..<side * side).map { _ in Double(Float.random(in: -1...1, using: &generator)) }
            })
    }

    /// A pixel, zero outside.
    func value(_ map: Int, _ x: Int, _ y: Int) -> Double {
        x >= 0 && y >= 0 && x < side && y < side ? maps[map][y * side + x] : 0
    }

    /// The sum of a convolution without its bias, and the sum of its terms' magnitudes.
    func sum(
        _ weights: [Float], of output: Int, x: Int, y: Int, reach: Int, stride: Int
    ) -> (value: Double, magnitude: Double) {
        var (value, magnitude) = (0.0, 0.0)
        let width = 2 * reach + 1
        for input in maps.indices {
            for dy in -reach...reach {
                for dx in -reach...reach {
                    let place = ((output * maps.count + input) * width + dy + reach) * width + dx + reach
                    let term =
                        Double(weights[place]) * self.value(input, stride * x + dx, stride * y + dy)
                    value += term
                    magnitude += abs(term)
                }
            }
        }
        return (value, magnitude)
    }

    /// The same maps as the kernels want them. What no kernel may use is filled with NaN.
    func withRim() -> [Float] {
        let length = csheetnetwork_map_length(Int32(side))
        var numbers = [Float](repeating: .nan, count: length * maps.count)
        for map in maps.indices {
            for y in -1...side {
                for x in -1...side {
                    numbers[map * length + (y + 1) * (side + 1) + x + 1] = Float(value(map, x, y))
                }
            }
        }
        return numbers
    }

    /// Takes the kernels' maps apart; nil if a rim is not zero.
    init?(withRim numbers: [Float], count: Int, side: Int) {
        let length = csheetnetwork_map_length(Int32(side))
        var maps: [[Double]] = []
        for map in 0..<count {
            var values: [Double] = []
            for y in -1...side {
                for x in -1...side {
                    let number = numbers[map * length + (y + 1) * (side + 1) + x + 1]
                    if x >= 0 && y >= 0 && x < side && y < side {
                        values.append(Double(number))
                    } else if number != 0 {
                        return nil
                    }
                }
            }
            maps.append(values)
        }
        self.init(side: side, maps: maps)
    }

    init(side: Int, maps: [[Double]]) {
        self.side = side
        self.maps = maps
    }
}
