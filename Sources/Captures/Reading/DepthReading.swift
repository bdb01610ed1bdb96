import Diagnostics
import DepthGeometry
import ImageFiles
import Imaging

// Numbers of a depth file to metres along the axis. The usual failure here is silent (wrong unit, wrong kind, wrong
// size), so every assumption is put into words.

/// Depth read as its file or its description says, still as stored.
struct DepthReading {
    /// The map in metres (or unknown units), as stored.
    var map: DepthMap
    /// What the numbers were taken for.
    var form: String
    /// The file's own orientation tag.
    var orientation: ImageOrientation?
    /// Whether the numbers are distances along each ray.
    var isRadial: Bool
    /// Metres a unit where nothing states them.
    var assumedUnit: Double?
    /// Assumptions made.
    var warnings: [String] = []
}

extension DepthReading {
    /// Reads the numbers of a depth file.
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
        var usualUnit = CaptureDescription.Depth.millimeter
        switch decoded.map {
        case .float32(let raster):
            (readings, numbers, usualUnit) = (raster, "floating point", 1)
        case .uint16(let raster):
            // The greatest number is what a sensor writes where it sees nothing, or where the distance does not fit.
            (readings, numbers) = (raster.map { $0 == .max ? .nan : Float($0) }, "16-bit whole numbers")
        case .uint8(let raster):
            guard description.accuracy == .relative else {
                throw FlatteningError(
                    .unsupported, "an 8-bit picture holds no distances", file: name, stage: .depth,
                    seen: "8 bits", allowed: "16-bit or floating-point depth",
                    advice: "If it is a preview of the shape, say so: accuracy relative")
            }
            (readings, numbers) = (raster.map(Float.init), "8-bit whole numbers")
        }

        let unit: Double
        if description.accuracy == .relative {
            unit = stated ?? 1
        } else if let stated {
            unit = stated
        } else if case .float32 = decoded.map {
            unit = usualUnit
            assumedUnit = unit
        } else if description.kind == .disparity {
            throw FlatteningError(
                .badInput, "whole-number disparity needs a unit", file: name, stage: .depth,
                advice: "Give the unit in 1/metres, or say that the accuracy is relative")
        } else {
            unit = usualUnit
            assumedUnit = unit
            warnings.append("\(name): no unit is stated; millimetres are assumed")
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
    /// The depth inside a picture's own file: it lies as the picture is stored.
    init(_ embedded: EmbeddedCapture.Depth) {
        let scale: DepthMap.Scale = embedded.isAbsolute ? .metric : .relative
        self.init(
            map: embedded.isDisparity
                ? DepthMap(disparity: embedded.readings, scale: scale)
                : DepthMap(readings: embedded.readings, scale: scale),
            form: embedded.form, orientation: nil, isRadial: embedded.isRadial)
    }
}

/// A confidence map's file, still as stored.
struct ConfidenceReading {
    /// How far each reading can be trusted.
    var map: ConfidenceMap
    /// The file's own orientation tag.
    var orientation: ImageOrientation?

    /// Reads a confidence map of whole numbers; ``ConfidenceMap`` tells the scales apart.
    /// - Throws: what reading and decoding throw; `.unsupported` for floating-point maps and unknown scales.
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
