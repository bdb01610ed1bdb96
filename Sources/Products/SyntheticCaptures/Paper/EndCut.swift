import Foundation
import RobustStatistics

/// The cut of the sheet's two ends.
public enum EndCut: String, CaseIterable, Sendable {
    /// Straight, as with scissors.
    case straight
    /// Small teeth, made by the printer's tear bar.
    case serrated
    /// Uneven by some millimetres, torn by hand.
    case torn

    /// How much of the sheet is missing at each end, along u.
    struct Profile: Sendable {
        private static let step = 0.0002
        private let top: [Double]
        private let bottom: [Double]

        /// Whether a place of the flat sheet remains after the cut.
        @inline(__always)
        func keeps(u: Double, v: Double, height: Double) -> Bool {
            let index = min(max(Int(u / Self.step), 0), top.count - 1)
            return v >= top[index] && v <= height - bottom[index]
        }

        /// - Parameter cut: not `.straight`.
        fileprivate init(cut: EndCut, width: Double, seed: UInt64) {
            let count = Int(width / Self.step) + 2
            var generator = SplitMix64(seed: seed).generator(for: "ends")
            func edge() -> [Double] {
                let phase = generator.uniform(0..<1)
                let waves = (1...7).map { index in
                    (
                        frequency: Double(index) * generator.uniform(0.7..<1.3) / width,
                        phase: generator.uniform(0..<2 * .pi), height: 0.0008 / Double(index)
                    )
                }
                return (0..<count).map { index in
                    let u = Double(index) * Self.step
                    if cut == .serrated {
                        let tooth = u / 0.0021 + phase
                        return 0.0008 * abs(2 * (tooth - tooth.rounded(.down)) - 1)
                    }
                    let rough = 0.0002 * Double(NoiseHash.uniform(seed, UInt64(index)))
                    return waves.reduce(0.0018 + rough) {
                        $0 + $1.height * sin(2 * .pi * $1.frequency * u + $1.phase)
                    }
                }
            }
            top = edge().map { max($0, 0) }
            bottom = edge().map { max($0, 0) }
        }
    }

    func profile(width: Double, seed: UInt64) -> Profile? {
        self == .straight ? nil : Profile(cut: self, width: width, seed: seed)
    }
}
