import Foundation
public import RobustStatistics

/// The shape of a bent sheet of paper. All lengths in metres, angles in radians, measured on the flat sheet from its centre.
///
/// Directions are angles on the flat sheet from its u axis (along the printed lines) towards its v axis (down the sheet). A
/// `direction` is the one *across* the rulings, along which the sheet bends: 0 lifts the long sides, pi / 2 lifts the ends,
/// anything between gives oblique rulings. Positive curvature lifts the edge off the table.
///
/// Every shape except `.crumple` is developable and keeps lengths exactly.
public enum SheetShape: Sendable, Equatable {
    /// Flat on the table.
    case plane
    /// A circular arc: `curvature` in 1/m (4 = a radius of 25 cm).
    case curl(curvature: Double, direction: Double)
    /// Flat in the middle, with one or both ends rolled up: from `start` metres off the centre, the curvature grows over
    /// `transition` metres to `curvature` (1/m) and then stays constant. `nearEnd` is the side of negative t (the top for pi
    /// / 2).
    case roll(
        curvature: Double, start: Double, transition: Double, nearEnd: Bool, farEnd: Bool, direction: Double)
    /// Waves whose tangent turns sinusoidally, θ = slope · sin(2 pi t / wavelength + phase): the sine-generated curve of
    /// Langbein and Leopold (1966), whose parameter is its arc length.
    case wave(slope: Double, wavelength: Double, phase: Double, direction: Double)
    /// Straight creases across the sheet, each turning it by its angle within `creaseWidth` metres.
    case fold(creases: [Crease], creaseWidth: Double, direction: Double)
    /// Part of a circular cone whose apex lies `apexDistance` metres from the sheet's centre along the middle ruling;
    /// `curvature` (1/m) across the ruling through the centre.
    case cone(apexDistance: Double, curvature: Double, direction: Double)
    /// Facets between `ridgeCount` random soft ridges whose slopes change by about `slope`, relaxed until the sheet hardly
    /// stretches; `PaperSurface.stretch` measures the remaining stretch.
    case crumple(slope: Double, ridgeCount: Int, seed: UInt64)

    /// A crease of a folded sheet.
    public struct Crease: Sendable, Equatable {
        /// The crease's position, in metres from the sheet's centre along the bending direction.
        public var position: Double
        /// The angle by which the crease turns the sheet, in radians; positive is a valley.
        public var angle: Double

        /// Creates a crease at a position.
        public init(position: Double, angle: Double) {
            self.position = position
            self.angle = angle
        }
    }

    /// The kinds of shapes, by the names used for samples.
    public enum Kind: String, CaseIterable, Sendable {
        /// `.plane`.
        case plane
        /// `.curl` along or across the sheet.
        case curl
        /// `.roll`.
        case roll
        /// `.wave` along or across the sheet.
        case wave
        /// `.wave` with oblique rulings.
        case oblique
        /// `.fold`.
        case fold
        /// `.cone`.
        case cone
        /// `.crumple`.
        case crumple
    }

    /// Returns a shape of a kind, with parameters typical of real receipts.
    /// - Parameters:
    ///   - kind: the kind of shape.
    ///   - width: the sheet's width in metres.
    ///   - height: the sheet's height in metres.
    ///   - generator: the source of the parameters.
    public static func random(
        _ kind: Kind, width: Double, height: Double, using generator: inout SeededGenerator
    ) -> SheetShape {
        let down = Double.pi / 2
        switch kind {
        case .plane:
            return .plane
        case .curl:
            let isAcross = generator.uniform(0..<1) < 0.25
            // The whole arc turns by 0.5 to 1.1 radians, which lifts the ends of a sheet of 15 cm by 8 to 20 mm.
            let angle = generator.uniform(0.5..<1.1)
            let sign = generator.uniform(0..<1) < 0.6 ? 1.0 : -1.0
            return .curl(
                curvature: sign * angle / (isAcross ? width : height),
                direction: isAcross ? 0 : down + generator.uniform(-0.1..<0.1))
        case .roll:
            let both = generator.uniform(0..<1) < 0.4
            let far = both || generator.uniform(0..<1) < 0.6
            return .roll(
                curvature: generator.uniform(20..<36), start: height * generator.uniform(0.12..<0.2),
                transition: height * 0.2, nearEnd: both || !far, farEnd: far, direction: down)
        case .wave:
            let isAcross = generator.uniform(0..<1) < 0.25
            return .wave(
                slope: generator.uniform(0.25..<0.5), wavelength: generator.uniform(0.045..<0.09),
                phase: generator.uniform(0..<2 * .pi), direction: isAcross ? 0 : down)
        case .oblique:
            let sign = generator.uniform(0..<1) < 0.5 ? 1.0 : -1.0
            return .wave(
                slope: generator.uniform(0.25..<0.45), wavelength: generator.uniform(0.05..<0.09),
                phase: generator.uniform(0..<2 * .pi), direction: down + sign * generator.uniform(0.35..<0.9))
        case .fold:
            let count = 1 + Int(generator.uniform(0..<2.999))
            var turn = generator.uniform(0..<1) < 0.5 ? 1.0 : -1.0
            let creases = (1...count).map { index in
                let even = Double(index) / Double(count + 1) - 0.5
                turn = -turn
                return Crease(
                    position: height * (even + generator.uniform(-0.06..<0.06)),
                    angle: turn * generator.uniform(0.35..<0.75))
            }
            return .fold(
                creases: creases, creaseWidth: generator.uniform(0.001..<0.003),
                direction: down + generator.uniform(-0.06..<0.06))
        case .cone:
            let sign = generator.uniform(0..<1) < 0.7 ? 1.0 : -1.0
            return .cone(
                apexDistance: height * generator.uniform(0.8..<1.4),
                curvature: sign * generator.uniform(5..<9), direction: down + generator.uniform(-0.3..<0.3))
        case .crumple:
            return .crumple(slope: generator.uniform(0.3..<0.45), ridgeCount: 9, seed: generator.next())
        }
    }
}
