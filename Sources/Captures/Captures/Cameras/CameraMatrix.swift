import Diagnostics
import Imaging

// Camera matrices of nine numbers, in the many ways in which files write them.

extension IntrinsicsDocument {
    /// The values of a camera matrix.
    struct Matrix {
        var fx: Double
        var fy: Double
        var cx: Double
        var cy: Double
        var form: String
        var notes: [String] = []
    }

    /// Returns the matrix in a value: under a known key, or the value itself; nil if there is none.
    static func matrix(in root: StructuredValue) throws(FlatteningError) -> Matrix? {
        for key in DocumentField.matrix.keys {
            guard let value = root[key], let entries = try entries(of: value, key: key) else { continue }
            return try split(entries, key: key, hasRealKey: key == "intrinsic_matrix")
        }
        if root.array != nil, let entries = try entries(of: root, key: "the matrix") {
            return try split(entries, key: "the matrix", hasRealKey: false)
        }
        return nil
    }

    /// Returns nine numbers in the file's order: flat, nested by three, or as {rows, cols, data}. Nil if this is not a
    /// matrix.
    private static func entries(
        of value: StructuredValue, key: String
    ) throws(FlatteningError) -> [Double]? {
        var value = value
        if case .object = value {
            guard let data = value["data"] else { return nil }
            for side in ["rows", "cols"] {
                if let count = value[side], count.number != 3 {
                    throw FlatteningError(
                        .badInput, "\(key) is not 3 x 3", stage: .intrinsics, seen: "\(side): \(count.kind)")
                }
            }
            value = data
        }
        guard let outer = value.array else { return nil }
        var flat: [StructuredValue] = []
        for element in outer {
            if let row = element.array {
                guard outer.count == 3, row.count == 3 else {
                    throw FlatteningError(
                        .badInput, "\(key) is not 3 x 3", stage: .intrinsics,
                        seen: "\(outer.count) rows, one of \(row.count)")
                }
                flat.append(contentsOf: row)
            } else {
                flat.append(element)
            }
        }
        guard flat.count == 9 else {
            throw FlatteningError(
                .badInput, "\(key) is not a 3 x 3 matrix", stage: .intrinsics, seen: "\(flat.count) values",
                allowed: "9 numbers")
        }
        var numbers: [Double] = []
        for element in flat {
            guard let number = element.number else {
                throw FlatteningError(
                    .badInput, "\(key) contains a value that is not a number", stage: .intrinsics,
                    seen: element.kind)
            }
            numbers.append(number)
        }
        return numbers
    }

    /// Tells row order from column order by the zeros: [fx s cx; 0 fy cy; 0 0 1] has them in other places when transposed.
    private static func split(
        _ entries: [Double], key: String, hasRealKey: Bool
    ) throws(FlatteningError) -> Matrix {
        guard entries[8] == 1 else {
            throw FlatteningError(
                .badInput, "\(key) is not a camera matrix", stage: .intrinsics,
                seen: "last value \(entries[8])",
                allowed: "1 in its last corner")
        }
        let byRows = entries[3] == 0 && entries[6] == 0 && entries[7] == 0
        let byColumns = entries[1] == 0 && entries[2] == 0 && entries[5] == 0
        guard byRows || byColumns else {
            throw FlatteningError(
                .badInput, "\(key) is not a camera matrix", stage: .intrinsics,
                seen: entries.map { "\($0)" }.joined(separator: " "),
                allowed: "zeros below the diagonal, by rows or by columns")
        }
        let skew = byRows ? entries[1] : entries[3]
        // A skew of a thousandth of the focal length shifts an image corner by less than a thousandth of the image's size.
        guard abs(skew) <= abs(entries[0]) / 1000 else {
            throw FlatteningError(
                .unsupported, "\(key) has skew, which this camera model leaves out", stage: .intrinsics,
                seen: "\(skew)", allowed: "at most fx / 1000")
        }
        let order = byRows ? "by rows" : "by columns"
        var matrix = Matrix(
            fx: entries[0], fy: entries[4], cx: byRows ? entries[2] : entries[6],
            cy: byRows ? entries[5] : entries[7],
            form: hasRealKey && byColumns && !byRows ? "Open3D" : "3 x 3 matrix \(order)")
        if skew != 0 { matrix.notes.append("a skew of \(skew) in \(key) was ignored") }
        return matrix
    }
}
