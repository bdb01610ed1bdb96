import Diagnostics
import LocalFiles
import ImageFiles
import Imaging

/// The cameras in COLMAP's `cameras.txt`, by number.
///
/// Each line is "CAMERA_ID MODEL WIDTH HEIGHT PARAMS[]" (colmap.github.io/format.html and src/colmap/sensor/models.h). COLMAP
/// measures pixels from the image's corner: the centre of the top-left pixel is (0.5, 0.5), so 0.5 is subtracted here.
struct COLMAPCameras {
    /// The cameras by their numbers.
    let cameras: [Int: IntrinsicsDocument]

    /// The parameters of each model, in order.
    private static let models: [String: [String]] = [
        "SIMPLE_PINHOLE": ["f", "cx", "cy"],
        "PINHOLE": ["fx", "fy", "cx", "cy"],
        "SIMPLE_RADIAL": ["f", "cx", "cy", "k1"],
        "RADIAL": ["f", "cx", "cy", "k1", "k2"],
        "OPENCV": ["fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2"],
        "FULL_OPENCV": ["fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6"],
    ]

    /// Reads a file.
    /// - Returns: nil if the file does not have this form.
    /// - Throws: `.unsupported` for other lens models, `.badInput` for impossible values.
    init?(_ file: InputFile) throws(FlatteningError) {
        guard let table = try? FieldTable(file), let first = table.rows.first, first.count >= 7,
            Int(first[0]) != nil, first[1].allSatisfy({ $0.isUppercase || $0 == "_" || $0.isNumber }),
            first[1].contains(where: \.isUppercase), Int(first[2]) != nil, Int(first[3]) != nil
        else { return nil }
        var cameras: [Int: IntrinsicsDocument] = [:]
        for row in table.rows {
            guard row.count > 4, let number = Int(row[0]), let width = Int(row[2]), let height = Int(row[3])
            else {
                throw FlatteningError(
                    .badInput, "a line describes no camera", file: file.name, stage: .intrinsics,
                    seen: String(row.joined(separator: " ").prefix(60)))
            }
            guard let names = Self.models[String(row[1])] else {
                throw FlatteningError(
                    .unsupported, "this lens model is not read", file: file.name, stage: .intrinsics,
                    seen: String(row[1].prefix(40)),
                    allowed: Self.models.keys.sorted().joined(separator: ", "),
                    advice: "Undistort the pictures first (colmap image_undistorter)")
            }
            let values = row[4...].compactMap { FieldTable.number($0) }
            guard values.count == names.count, row.count == 4 + names.count else {
                throw FlatteningError(
                    .badInput, "a camera has the wrong number of parameters", file: file.name,
                    stage: .intrinsics, seen: "\(row.count - 4) for \(row[1])", allowed: "\(names.count)")
            }
            var named = Dictionary(uniqueKeysWithValues: zip(names, values))
            if let focal = named.removeValue(forKey: "f") {
                named["fx"] = focal
                named["fy"] = focal
            }
            for axis in ["cx", "cy"] { named[axis]? -= 0.5 }
            named["width"] = Double(width)
            named["height"] = Double(height)
            var camera = try IntrinsicsDocument.recognize(.object(named.mapValues { .number($0) }))
            camera.form = "COLMAP \(row[1])"
            guard cameras.updateValue(camera, forKey: number) == nil else {
                throw FlatteningError(
                    .badInput, "camera \(number) is there twice", file: file.name, stage: .intrinsics)
            }
        }
        self.cameras = cameras
    }

    /// The one camera that the file describes.
    /// - Throws: `.badInput` if it describes several cameras that differ.
    var only: IntrinsicsDocument {
        get throws(FlatteningError) {
            guard let first = cameras.values.first, cameras.values.allSatisfy({ $0 == first }) else {
                throw FlatteningError(
                    .badInput, "the file describes several cameras", stage: .intrinsics,
                    seen: "\(cameras.count) cameras", allowed: "one",
                    advice: "Put images.txt beside it, which says what picture each one took")
            }
            return first
        }
    }
}
