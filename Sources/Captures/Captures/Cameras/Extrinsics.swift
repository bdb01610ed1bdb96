import DepthGeometry
import Diagnostics

/// The pose of one camera relative to another, as files write it: `rotation` and `translation`, or a 4 x 4 matrix by rows.
///
/// Nested rotations are by rows. Nine plain numbers are by columns, as in librealsense's `rs2_extrinsics` (rs_types.h), with
/// the translation in metres; or by rows, as in Azure Kinect's `k4a_calibration_extrinsics_t` (k4atypes.h), with the
/// translation in millimetres. The length of the translation tells the two apart: no depth camera is a metre away from its
/// colour camera, nor within a millimetre of it.
enum Extrinsics {
    /// Returns the transform in a value.
    /// - Parameter key: the value's name in its file, for errors.
    /// - Throws: `.badInput` for anything else, and for a matrix that is not a pure rotation.
    static func transform(
        _ value: StructuredValue, key: String
    ) throws(FlatteningError) -> RigidTransform {
        func failure(_ seen: String) -> FlatteningError {
            FlatteningError(
                .badInput, "\(key) is not a rotation and translation", stage: .extrinsics, seen: seen,
                allowed: "\"rotation\" of 9 numbers and \"translation\" of 3, or a 4 x 4 matrix by rows")
        }
        let rotation: [Double]
        let shift: [Double]
        if let turn = value.first(of: .rotation)?.value,
            let offset = value.first(of: .translation)?.value.numbers
        {
            shift = offset
            let flat = flattened(turn)
            guard flat.count == 9 else { throw failure("\(flat.count) numbers of rotation") }
            let isByColumns = turn.numbers != nil && !isInMillimeters(shift)
            rotation = isByColumns ? (0..<9).map { flat[($0 % 3) * 3 + $0 / 3] } : flat
        } else {
            let flat = flattened(value)
            guard flat.count == 16 || flat.count == 12 else { throw failure(value.kind) }
            rotation = (0..<3).flatMap { flat[(4 * $0)..<(4 * $0 + 3)] }
            shift = (0..<3).map { flat[4 * $0 + 3] }
        }
        guard shift.count == 3 else { throw failure("\(shift.count) numbers of translation") }
        let offset = SIMD3(shift[0], shift[1], shift[2]) / (isInMillimeters(shift) ? 1000 : 1)
        guard let transform = RigidTransform(rotation: rotation, translation: offset) else {
            throw failure("a matrix that does not only turn")
        }
        return transform
    }

    /// Flattens numbers in one row or in several rows.
    private static func flattened(_ value: StructuredValue) -> [Double] {
        value.numbers ?? (value.array ?? []).compactMap(\.numbers).flatMap(\.self)
    }

    /// Whether a translation is in millimetres: in metres it would be longer than one metre.
    private static func isInMillimeters(_ shift: [Double]) -> Bool {
        shift.reduce(0) { $0 + $1 * $1 } > 1
    }
}
