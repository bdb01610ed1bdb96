import Diagnostics
import Platform
import Imaging

/// A lens's distortion as a file states it.
package enum DistortionDocument: Equatable, Sendable {
    /// Brown & Conrady's radial and tangential coefficients, in OpenCV's order k1, k2, p1, p2, k3.
    case brownConrady(k1: Double, k2: Double, p1: Double, p2: Double, k3: Double)
    /// RealSense's "inverse Brown-Conrady": the same polynomial, but from the photograph's direction to the ideal one
    /// (librealsense, rs2_deproject_pixel_to_point).
    case inverseBrownConrady(k1: Double, k2: Double, p1: Double, p2: Double, k3: Double)
    /// Apple's radial tables (`AVCameraCalibrationData`): relative change of the radius at equal steps from the centre to the
    /// farthest corner.
    /// - Parameters:
    ///   - table: from undistorted to distorted radius (`lensDistortionLookupTable`).
    ///   - inverse: from distorted to undistorted radius (`inverseLensDistortionLookupTable`); may be empty.
    ///   - center: in pixels of the image that the intrinsics are stated for, pixel centres on whole numbers; nil = principal
    ///     point.
    case radialTable(table: [Double], inverse: [Double], center: SIMD2<Double>?)

    /// Reads the distortion in an object; nil if there is none or it has no effect.
    /// - Throws: `.badInput` for a wrong number of coefficients, `.unsupported` for other models with an effect.
    init?(in root: StructuredValue) throws(FlatteningError) {
        if let table = root.first(of: .distortionTable) {
            let inverse = root.first(of: .inverseDistortionTable)
            self = .radialTable(
                table: try Self.numbers(table.value, key: table.key),
                inverse: try inverse.map { found throws(FlatteningError) in
                    try Self.numbers(found.value, key: found.key)
                } ?? [],
                center: try Self.center(in: root))
            return
        }
        let found = root.first(of: .distortion)
        if let found, !found.value.keys.isEmpty, found.value["data"] == nil {
            // The key holds named coefficients or tables.
            try self.init(in: found.value)
            return
        }
        if let found, found.value != .null {
            try self.init(
                coefficients: found.value["data"] ?? found.value, key: found.key,
                model: root.first(of: .distortionModel)?.value.string ?? "")
            return
        }
        // Named coefficients, as nerfstudio writes them.
        let names = ["k1", "k2", "p1", "p2", "k3"]
        guard names.contains(where: { root[$0] != nil }) else { return nil }
        for key in ["k4", "k5", "k6"] {
            if let value = root[key], value.number != 0 {
                throw FlatteningError(
                    .unsupported, "the lens model with \(key) is not read", stage: .distortion,
                    seen: value.kind,
                    allowed: "k1, k2, p1, p2, k3")
            }
        }
        var values: [Double] = []
        for name in names {
            let value = root[name] ?? .number(0)
            guard let number = value.number else {
                throw FlatteningError(
                    .badInput, "\(name) is not a number", stage: .distortion, seen: value.kind)
            }
            values.append(number)
        }
        self.init(values)
    }

    private init?(
        coefficients: StructuredValue, key: String, model: String
    ) throws(FlatteningError) {
        let values = try Self.numbers(coefficients, key: key)
        guard values.contains(where: { $0 != 0 }) else { return nil }
        let name = model.lowercased()
        // RealSense names its models "distortion.inverse_brown_conrady"; ROS "plumb_bob", "equidistant".
        if name.contains("equidistant") || name.contains("fisheye")
            || name.contains("ftheta") || name.contains("kannala") || name.contains("rational")
        {
            throw FlatteningError(
                .unsupported, "this lens model is not read", stage: .distortion, seen: model,
                allowed: "Brown-Conrady (plumb_bob)", advice: "Undistort the picture first")
        }
        guard
            values.count == 4 || values.count == 5
                || (values.count > 5 && values[5...].allSatisfy { $0 == 0 })
        else {
            throw FlatteningError(
                .badInput, "\(key) has an unsupported number of distortion coefficients", stage: .distortion,
                seen: "\(values.count) coefficients", allowed: "4 or 5: k1, k2, p1, p2[, k3]")
        }
        self.init(values)
        if name.contains("inverse"), case .brownConrady(let k1, let k2, let p1, let p2, let k3) = self {
            self = .inverseBrownConrady(k1: k1, k2: k2, p1: p1, p2: p2, k3: k3)
        }
    }

    private init?(_ values: [Double]) {
        guard values.contains(where: { $0 != 0 }) else { return nil }
        self = .brownConrady(
            k1: values[0], k2: values[1], p1: values[2], p2: values[3], k3: values.count > 4 ? values[4] : 0)
    }

    private static func center(in root: StructuredValue) throws(FlatteningError) -> SIMD2<Double>? {
        guard let found = root.first(of: .distortionCenter) else {
            return nil
        }
        let values: [Double]
        if let x = found.value["x"]?.number, let y = found.value["y"]?.number {
            values = [x, y]
        } else {
            values = try numbers(found.value, key: found.key)
        }
        guard values.count == 2, values.allSatisfy({ abs($0) < 1e7 }) else {
            throw FlatteningError(
                .badInput, "\(found.key) is not a place in a picture", stage: .distortion,
                seen: found.value.kind)
        }
        return SIMD2(values[0], values[1])
    }

    /// Returns the numbers of an array, or of a base64 text that holds Apple's table as in memory, in single precision.
    private static func numbers(_ value: StructuredValue, key: String) throws(FlatteningError) -> [Double] {
        if let data = value.string.flatMap({ Data(base64Encoded: $0) }), !data.isEmpty,
            data.count.isMultiple(of: 4)
        {
            let bytes = Array(data)
            return stride(from: 0, to: bytes.count, by: 4).map { start in
                let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) }
                return Double(Float(bitPattern: bits))
            }
        }
        guard let elements = value.array else {
            throw FlatteningError(
                .badInput, "\(key) is not an array of numbers", stage: .distortion, seen: value.kind)
        }
        var numbers: [Double] = []
        for element in elements {
            // OpenCV writes a column vector as rows of one number.
            let single = element.array?.count == 1 ? element.array?.first ?? element : element
            guard let number = single.number else {
                throw FlatteningError(
                    .badInput, "\(key) contains a value that is not a number", stage: .distortion,
                    seen: element.kind)
            }
            numbers.append(number)
        }
        return numbers
    }
}
