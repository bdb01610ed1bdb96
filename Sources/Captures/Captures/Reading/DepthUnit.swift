import Platform

/// The unit of a depth map whose unit no file states.
///
/// Files of one layout mostly have one unit, but not always: RealSense cameras write millimetres into the layout of the TUM
/// benchmark, whose own maps count 1/5000 m, and others do the reverse. A wrong unit gives a plausible image of the wrong
/// size. So a unit is never assumed silently. If it puts the scene at a distance from which nobody photographs a sheet, and
/// another common unit does not, the other one is used.
struct DepthUnit: Equatable {
    /// Metres per unit.
    let meters: Double
    /// Says what was assumed, why, and how to state the unit.
    let warning: String

    /// The plausible range of the median reading of a scene with a sheet, in metres. No phone's or desk camera's sensor
    /// measures nearer (RealSense D405: 0.07 m, but its exports state their unit; TrueDepth: 0.15 m). Farther away a sheet is
    /// lost in the room, and phones' LiDAR ends at 5 m.
    static let distances = 0.15...4.0

    /// Common units of whole numbers, the most common first: millimetres, and the TUM benchmark's.
    private static let wholeNumbers = [CaptureDescription.Depth.millimeter, 1 / 5000.0]
    /// Common units of floating-point numbers.
    private static let floatingPoint = [1, CaptureDescription.Depth.millimeter]

    /// Decides the unit of whole numbers.
    /// - Parameters:
    ///   - usual: the usual unit of files of this layout.
    ///   - median: the median reading, as stored; NaN for none.
    ///   - name: the map's file.
    static func ofWholeNumbers(usually usual: Double, median: Double, name: String) -> DepthUnit {
        DepthUnit([usual] + wholeNumbers.filter { $0 != usual }, median: median, name: name)
    }

    /// Decides the unit of floating-point numbers.
    static func ofFloatingPoint(median: Double, name: String) -> DepthUnit {
        DepthUnit(floatingPoint, median: median, name: name)
    }

    /// Returns the unit of a floating-point disparity.
    static func ofDisparity(name: String) -> DepthUnit {
        DepthUnit(
            meters: 1,
            warning:
                "\(name): no unit of disparity is stated; 1/metre is assumed. If it is another, state it "
                + "(--depth-unit), or say that it has none (--depth-relative)")
    }

    private init(meters: Double, warning: String) {
        self.meters = meters
        self.warning = warning
    }

    /// - Parameter units: the usual unit, then the other common ones.
    private init(_ units: [Double], median: Double, name: String) {
        let usual = units[0]
        let better =
            median.isNaN || Self.distances.contains(median * usual)
            ? nil : units.dropFirst().first { Self.distances.contains(median * $0) }
        meters = better ?? usual
        let assumed = "\(name): no unit of depth is stated; \(Self.words(meters)) assumed"
        let far = NumberText.significant(median * usual, 3) + " m"
        if better != nil {
            warning =
                assumed + ", as the middle of the map would else lie \(far) away. "
                + "If it is another, state it (--depth-unit, in metres)"
        } else if median.isNaN || Self.distances.contains(median * usual) {
            warning = assumed + ". If it is another, state it (--depth-unit, in metres)"
        } else {
            warning =
                assumed + ", and the middle of the map then lies \(far) away, which looks wrong. "
                + "State the unit (--depth-unit, in metres)"
        }
    }

    private static func words(_ unit: Double) -> String {
        switch unit {
        case 1: "metres are"
        case CaptureDescription.Depth.millimeter: "millimetres are"
        default: "1/\(Int((1 / unit).rounded())) m a unit is"
        }
    }
}
