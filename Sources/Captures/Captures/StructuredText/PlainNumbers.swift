import LocalFiles
import ImageFiles

/// Camera matrices as bare numbers: the `camera_matrix.csv` of Stray Scanner, the `camera-intrinsics.txt` of 7-Scenes, the
/// 4 x 4 matrices of ScanNet, the "fx fy cx cy" of ETH3D's `calibration.txt`.
enum PlainNumbers {
    /// Returns the numbers in the structure of a camera document; nil if the file holds anything else.
    static func structure(of file: InputFile) -> StructuredValue? {
        guard let table = try? FieldTable(file) else { return nil }
        let numbers = table.rows.map { row in row.compactMap { FieldTable.number($0) } }
        guard zip(numbers, table.rows).allSatisfy({ $0.count == $1.count }) else { return nil }
        switch numbers.map(\.count) {
        case [3, 3, 3], [9]:
            return .array(numbers.joined().map { .number($0) })
        case [4, 4, 4, 4], [4, 4, 4]:
            return .array(numbers.prefix(3).flatMap { $0.prefix(3) }.map { .number($0) })
        case [4]:
            let names = ["fx", "fy", "cx", "cy"]
            return .object(Dictionary(uniqueKeysWithValues: zip(names, numbers[0].map { .number($0) })))
        default:
            return nil
        }
    }
}
