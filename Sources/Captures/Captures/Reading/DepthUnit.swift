import Platform

/// The unit of a depth map that no file states.
///
/// Files of one layout mostly have one unit, but not always: RealSense cameras write millimetres into the layout of the TUM
/// benchmark, whose own maps count 1/5000 m, and others the reverse. A wrong unit gives a plausible picture of the wrong
/// size. So a unit is never taken silently, and where it puts the scene where nobody photographs a sheet and another in
/// use does not, the other is taken.
struct DepthUnit: Equatable {
    /// Metres.
    let meters: Double
    /// What was assumed, why, and how to state it.
    let warning: String

    /// Where the median reading of a scene with a sheet lies, in metres. Nearer no phone's or desk camera's sensor measures
    /// (RealSense D405: 0.07 m, but its exports state their unit; TrueDepth: 0.15 m); farther away a sheet is lost in the
    /// room, and LiDAR of phones ends at 5 m.
    static let distances = 0.15...4.0

    /// Units of whole numbers in use, the commonest first: millimetres, and the TUM benchmark's.
    private static let wholeNumbers = [CaptureDescription.Depth.millimeter, 1 / 5000.0]
    /// Units of floating-point numbers in use.
    private static let floatingPoint = [1, CaptureDescription.Depth.millimeter]

    /// The unit of whole numbers.
    /// - Parameters:
    ///   - usual: what files of this layout mostly have.
    ///   - median: the median reading, as stored; NaN for none.
    ///   - name: the map's file.
    static func ofWholeNumbers(usually usual: Double, median: Double, name: String) -> DepthUnit {
        DepthUnit([usual] + wholeNumbers.filter { $0 != usual }, median: median, name: name)
    }

    /// The unit of floating-point numbers.
    static func ofFloatingPoint(median: Double, name: String) -> DepthUnit {
        DepthUnit(floatingPoint, median: median, name: name)
    }

    /// The unit of a floating-point disparity.
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

    /// - Parameter units: the usual one, then the others in use.
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
