import Platform
import Diagnostics
import DepthGeometry
import ImageFiles
import Imaging
import RobustStatistics

// Converts a depth file's numbers to metres along the axis. Errors here are usually silent (wrong unit, wrong kind, wrong
// size), so every assumption is reported.

/// Depth interpreted as its file or its description says, in its stored orientation.
struct DepthReading {
    /// The map in metres (or unknown units), in its stored orientation.
    var map: DepthMap
    /// Words for the form in which the numbers were read.
    var form: String
    /// The file's own orientation tag.
    var orientation: ImageOrientation?
    /// Whether the numbers are distances along each ray.
    var isRadial: Bool
    /// Metres per unit, as assumed if nothing states them.
    var assumedUnit: Double?
    /// Assumptions made.
    var warnings: [String] = []
}

extension DepthReading {
    /// Interprets the numbers of a depth file.
    /// - Throws: `.unsupported` for 8-bit distances; `.badInput` for a disparity without unit.
    init(
        _ description: CaptureDescription.Depth, decoded: SampleMap.File
    ) throws(FlatteningError) {
        let name = description.path
        orientation = decoded.orientation
        let stated: Double?
        if let unit = description.unit {
            do throws(FlatteningError) {
                stated = try CaptureDescription.Depth.checkedUnit(unit, seen: "\(unit)")
            } catch {
                throw error.naming(file: name)
            }
        } else {
            stated = nil
        }

        let readings: Raster<Float>
        let numbers: String
        switch decoded.map {
        case .float32(let raster): (readings, numbers) = (raster, "floating point")
        case .uint16(let raster):
            // The greatest number is what a sensor writes if it sees nothing, or if the distance does not fit.
            (readings, numbers) = (raster.map { $0 == .max ? .nan : Float($0) }, "16-bit whole numbers")
        case .uint8(let raster):
            guard description.accuracy == .relative else {
                throw FlatteningError(
                    .unsupported, "an 8-bit picture holds no distances", file: name, stage: .depth,
                    seen: "8 bits", allowed: "16-bit or floating-point depth",
                    advice: "If it is a preview of the shape, say so: --depth-relative")
            }
            (readings, numbers) = (raster.map(Float.init), "8-bit whole numbers")
        }

        let unit: Double
        if description.accuracy == .relative {
            unit = stated ?? 1
        } else if let stated {
            unit = stated
            assumedUnit = description.assumedUnit
        } else {
            let assumed = try Self.unit(of: readings, decoded.map, description)
            unit = assumed.meters
            assumedUnit = unit
            warnings.append(assumed.warning)
        }

        switch description.kind {
        case .depth:
            map = DepthMap(readings: readings, metersPerUnit: Float(unit), scale: description.accuracy)
        case .disparity:
            let scale = Float(unit)
            map = DepthMap(disparity: readings.map { $0 * scale }, scale: description.accuracy)
        }
        isRadial = description.projection == .radial
        let along = isRadial ? "along each ray" : "along the axis"
        switch (description.accuracy, description.kind) {
        case (.relative, let kind): form = "\(numbers), relative \(kind.rawValue) without scale"
        case (.metric, .depth): form = "\(numbers), \(unit) m a unit, \(along)"
        case (.metric, .disparity): form = "\(numbers), disparity of \(unit) /m a unit"
        }
    }
}

extension DepthReading {
    /// Returns the unit of numbers if nothing states one.
    /// - Throws: `.badInput` for whole-number disparity, whose unit may be anything.
    private static func unit(
        of readings: Raster<Float>, _ map: SampleMap, _ description: CaptureDescription.Depth
    ) throws(FlatteningError) -> DepthUnit {
        let isFloatingPoint = if case .float32 = map { true } else { false }
        if description.kind == .disparity {
            guard isFloatingPoint else {
                throw FlatteningError(
                    .badInput, "whole-number disparity needs a unit", file: description.path, stage: .depth,
                    advice:
                        "Give the unit in 1/metres (--depth-unit), or say that it has none (--depth-relative)"
                )
            }
            return .ofDisparity(name: description.path)
        }
        var valid = readings.elements.filter { $0.isFinite && $0 > 0 }
        let median = valid.isEmpty ? Double.nan : Double(valid.selectRank(valid.count / 2))
        return isFloatingPoint
            ? .ofFloatingPoint(median: median, name: description.path)
            : .ofWholeNumbers(usually: description.usualUnit, median: median, name: description.path)
    }

    /// Takes the depth embedded in an image file, in the image's stored orientation.
    init(_ embedded: EmbeddedCapture.Depth) {
        let scale: DepthMap.Scale = embedded.isAbsolute ? .metric : .relative
        self.init(
            map: embedded.isDisparity
                ? DepthMap(disparity: embedded.readings, scale: scale)
                : DepthMap(readings: embedded.readings, scale: scale),
            form: embedded.form, orientation: nil, isRadial: embedded.isRadial)
        guard let step = embedded.step, let share = Self.share(of: step, in: embedded.readings) else {
            return
        }
        let percent = NumberText.significant(share * 100, 2) + " %"
        form += ", in steps of \(percent) of the distance"
        if share > Self.coarsestStep {
            warnings.append(
                "the depth inside the picture is coarse: its steps are \(percent) of the distance, so that folds and "
                    + "curls below that are not seen")
        }
    }

    /// The step between depth values, as a share of the distance, above which a warning is given: a hundredth, 3 mm at 0.3 m,
    /// is the scatter of a time-of-flight camera's readings; coarser steps are a greater error than any sensor's.
    private static let coarsestStep = 0.01

    /// Returns a step as a share of the median reading; the same for distances and for their reciprocals.
    private static func share(of step: Float, in readings: Raster<Float>) -> Double? {
        var valid = readings.elements.filter { $0.isFinite && $0 > 0 }
        guard !valid.isEmpty else { return nil }
        return Double(step / valid.selectRank(valid.count / 2))
    }
}

/// A confidence map's file, in its stored orientation.
struct ConfidenceReading {
    /// The confidence of each reading.
    var map: ConfidenceMap
    /// The file's own orientation tag.
    var orientation: ImageOrientation?

    /// Reads a confidence map of whole numbers; ``ConfidenceMap`` tells the scales apart.
    /// - Throws: errors of reading and decoding; `.unsupported` for floating-point maps and unknown scales.
    init(_ decoded: SampleMap.File, name: String) throws(FlatteningError) {
        orientation = decoded.orientation
        let stored: Raster<UInt8>
        switch decoded.map {
        case .uint8(let raster): stored = raster
        case .uint16(let raster):
            guard raster.elements.allSatisfy({ $0 <= 255 }) else {
                throw FlatteningError(
                    .unsupported, "confidence above 255 is of no known scale", file: name,
                    stage: .confidence, seen: "up to \(raster.elements.max() ?? 0)",
                    allowed: "whole numbers 0, 1, 2 or 0 ... 255")
            }
            stored = raster.map { UInt8(truncatingIfNeeded: $0) }
        case .float32:
            throw FlatteningError(
                .unsupported, "floating-point confidence is not read", file: name, stage: .confidence,
                allowed: "whole numbers 0, 1, 2 or 0 ... 255")
        }
        do throws(FlatteningError) {
            map = try ConfidenceMap(stored: stored)
        } catch {
            throw error.naming(file: name)
        }
    }
}
