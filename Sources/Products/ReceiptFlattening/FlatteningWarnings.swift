import DepthGeometry
import Captures
import Platform
import Imaging
import SheetFlattening

/// Warnings about a missing or doubtful result: what went differently from what the caller wanted.
///
/// Warnings never end a run or change its result. Each says what is wrong, what was done, and what to do next, in words that
/// fit both the library and the command line.
struct FlatteningWarnings {
    let capture: Capture
    let search: SheetSearch
    let sheet: UnrolledSheet
    let options: ReceiptFlattener.Options
    /// The page's clockwise quarter turns.
    var turns = 0
    /// The sheet's ends, if the image border cuts it and it was flattened nevertheless.
    var cut: OpenSheet?

    /// All warnings that apply, the most serious first.
    var all: [String] {
        [
            missingSheet, unusedOutline, cutSheet, unsureOutline, otherSheets, unusedDepth, unusedMethod,
            assumedCamera,
            doubtfulUnit, readingsOnALine,
        ].compactMap(\.self)
    }

    /// The caller asked for a surface that can only be fitted to depth, and there is no depth.
    private var unusedMethod: String? {
        guard options.method != .auto, options.usesDepth, capture.depth == nil, capture.depthRefusal == nil
        else {
            return nil
        }
        return "the surface \(options.method.rawValue) is not fitted: the capture has no depth"
    }

    // MARK: Sheet

    /// No sheet was found, and the caller gave no corners.
    private var missingSheet: String? {
        guard case .notFound(let reason) = search else { return nil }
        return "no sheet was found: \(reason). \(whatWasDone); if a sheet is in view, give its four corners"
    }

    /// A sheet was found, but no step could flatten it.
    private var unusedOutline: String? {
        guard case .found = search, !sheet.isFramedByOutline else { return nil }
        if let outline = search.outline, outline.cornerIndices == nil,
            outline.area >= Self.wholePicture * Double(outline.imageSize.pixelCount)
        {
            return "the sheet fills the picture, and none of its sides is in view. \(whatWasDone)"
        }
        let reason = sheet.refused.last { $0.step == "corners" }?.reason ?? "no step holds"
        return "the sheet that was found is not made flat: \(reason). \(whatWasDone)"
            + (options.corners == nil ? "; give the sheet's four corners if they can be seen" : "")
    }

    /// The share of the image area at which an outline counts as the image border itself: .999 and more in photographs that
    /// show only paper, .967 where a strip of table is visible beside it (of 216 photographs of receipts).
    private static let wholePicture = 0.98

    /// The photograph does not show all of the sheet.
    private var cutSheet: String? {
        let byRows = cut.map {
            [$0.goesOnAbove ? "upper" : nil, $0.goesOnBelow ? "lower" : nil].compactMap(\.self)
        }
        let ends = byRows ?? sheet.rectangle?.turned(clockwiseQuarters: turns).cutEnds ?? []
        guard !ends.isEmpty else { return nil }
        return
            "the photograph cuts the sheet off at its \(ends.joined(separator: " and its ")) end: what it shows of the sheet is "
            + "made flat, by the sides and the printed rows"
    }

    /// The confidence below which a result is reported as unsure even if the outline is sure: its corners do not form a
    /// rectangle, or the readings scatter around its surface.
    private static let leastConfidence = 0.15

    /// The outline may be something other than the sheet, or only a part of it.
    private var unsureOutline: String? {
        guard let outline = search.outline, options.corners == nil, sheet.isFramedByOutline else {
            return nil
        }
        let confidence = min(outline.confidence, sheet.confidence)
        guard outline.confidence < SheetOutline.sureConfidence || confidence < Self.leastConfidence else {
            return nil
        }
        return
            "the sheet's outline is unsure (confidence \(figure(confidence, places: 2)) of 1): look at the picture, "
            + "and give the sheet's four corners (--corners) if it shows something else or cuts something off"
    }

    /// One sheet is flattened, and there are more.
    private var otherSheets: String? {
        let others = search.outlines.count - 1
        guard others > 0, sheet.isFramedByOutline else { return nil }
        let inView = others == 1 ? "another sheet is in view" : "\(others) other sheets are in view"
        return
            "\(inView): ask for all sheets (--sheets all), or give the four corners of the one meant (--corners)"
    }

    /// What the flat image shows if it does not show the sheet alone.
    private var whatWasDone: String {
        switch sheet.method {
        case .plane, .cylinder, .freeform:
            "The surface that most depth readings share is made flat instead"
        case .angle: "The whole photograph is shown, levelled by the lines printed on it"
        case .edges, .corners, .scan, .unchanged: "The whole photograph is shown, only turned upright"
        }
    }

    // MARK: Depth

    /// Depth was present and not switched off by the caller, but did not shape the result. Depth that could not be read at
    /// all is among the capture's own warnings.
    private var unusedDepth: String? {
        guard options.usesDepth, capture.depth != nil, !sheet.method.usesDepth,
            let refusal = sheet.refused.first(where: { $0.step == "depth" })
        else { return nil }
        return "the depth is not used: \(refusal.reason)"
    }

    /// Depth shaped the result, with a camera whose parameters are unknown.
    private var assumedCamera: String? {
        guard capture.intrinsics == nil, sheet.method.usesDepth else { return nil }
        let degrees = Int((CameraIntrinsics.assumedFieldOfView * 180 / .pi).rounded())
        return
            "the camera is not known: a view angle of \(degrees) degrees is assumed, so depth gives the shape but no "
            + "millimetres. State the camera (--intrinsics, or --fx, --cx and --cy)"
    }

    /// Ratio of breadth to length of the readings below which they nearly form a line. The narrowest till roll, 57 mm, would
    /// have to be over a metre long for that.
    private static let leastElongation = 0.05

    /// The readings do not determine the sheet's tilt well enough.
    private var readingsOnALine: String? {
        guard let spread = sheet.plane?.spread, spread.elongationRatio < Self.leastElongation else {
            return nil
        }
        return
            "the depth readings on the sheet lie nearly on a line: how the sheet is tilted about it is uncertain"
    }

    // MARK: Unit

    /// Range of a sheet's shorter side, in metres: labels and tickets begin at 15 mm, pages end at A2's 420 mm.
    private static let shorterSides = 0.015...0.42
    /// The longest side, in metres. Till rolls may be long, but beyond this, 16,384 pixels show fewer than 5 a millimetre,
    /// and print 2 mm high cannot be read.
    private static let longestSide = 3.3
    /// Range of distances, in metres, from which sheets are photographed: no phone's depth sensor measures nearer, and
    /// farther away its camera has less than a pixel a millimetre.
    private static let distances = 0.12...4.0
    /// The same ranges if the unit was stated: only impossible values are refused. Distances are those of the inspection;
    /// sides may be off by ten.
    private static let conceivableDistances = 0.02...20.0
    private static let conceivableShorterSides = 0.0015...4.2

    /// The sheet's size or distance suggests another unit of depth.
    var doubtfulUnit: String? {
        guard sheet.isMetric, let distance = sheet.distance else { return nil }
        guard let unit = capture.metadata.assumedDepthUnit else {
            let isConceivable =
                Self.conceivableDistances.contains(distance)
                && sides.map { Self.conceivableShorterSides.contains($0.min()) } ?? true
            guard !isConceivable else { return nil }
            return
                "the depth's unit looks wrong: the sheet is \(place(times: 1)). Check it (--depth-unit, in metres)"
        }
        guard !isPlausible(times: 1) else { return nil }
        let better = Self.units.filter { isPlausible(times: $0 / unit) }.map {
            "; \($0) would make it \(place(times: $0 / unit))"
        }
        return "the depth's unit looks wrong: none is stated, \(unit) m is assumed, and so the sheet is "
            + "\(place(times: 1)). State it (--depth-unit, in metres)" + better.joined()
    }

    /// Common units of depth maps, in metres, the most common first: millimetres, the TUM benchmark's, 0.1 mm (RealSense's
    /// finer unit and AVFoundation's dumps), metres, centimetres.
    private static let units = [0.001, 0.0002, 0.0001, 1, 0.01]

    /// The sheet's sides in metres, without the margin; nil if no sheet was found.
    private var sides: SIMD2<Double>? {
        sheet.millimeters(of: sheet.frame, margin: options.sheet.marginAroundSheet).map { $0 / 1000 }
    }

    /// Whether the sheet's size and distance become plausible with a unit `factor` times larger.
    private func isPlausible(times factor: Double) -> Bool {
        guard let distance = sheet.distance, Self.distances.contains(distance * factor) else { return false }
        guard let sides = sides.map({ $0 * factor }) else { return true }
        return Self.shorterSides.contains(sides.min()) && sides.max() <= Self.longestSide
    }

    /// "98.8 x 58.4 mm, 0.29 m away"
    private func place(times factor: Double) -> String {
        let size = sides.map { $0 * factor * 1000 }
        return (size.map { "\(figure($0.x, places: 1)) x \(figure($0.y, places: 1)) mm, " } ?? "")
            + "\(figure((sheet.distance ?? 0) * factor, places: 2)) m away"
    }

    private func figure(_ value: Double, places: Int) -> String {
        NumberText.fixed(value, places)
    }
}

extension FlatteningMethod {
    /// Whether the method uses depth.
    var usesDepth: Bool {
        switch self {
        case .plane, .cylinder, .freeform: true
        case .edges, .corners, .scan, .angle, .unchanged: false
        }
    }
}

extension Array where Element: Hashable {
    /// The elements in order, without duplicates.
    func withoutRepeats() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
