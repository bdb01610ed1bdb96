import Diagnostics
import ImageFiles
import Imaging
import ScalarText

/// The assignment of COLMAP's cameras to images: `images.txt` beside `cameras.txt` (colmap.github.io/format.html).
///
/// Every second line is "IMAGE_ID QW QX QY QZ TX TY TZ CAMERA_ID NAME"; the lines between them list points. Poses are not
/// read, because their unit is COLMAP's own.
struct COLMAPImages {
    /// The file that describes the cameras.
    let file: String
    private let cameras: COLMAPCameras
    private let cameraOfImage: [String: Int]

    /// The name of the file that describes the cameras, nil if there is none.
    static func cameraFile(in files: RecordedFiles) -> String? {
        ["cameras.txt", "sparse/cameras.txt", "sparse/0/cameras.txt"].first(where: files.contains)
    }

    /// Reads the cameras of a recording; nil if it has no COLMAP cameras.
    static func read(_ files: RecordedFiles) throws(FlatteningError) -> COLMAPImages? {
        guard let name = cameraFile(in: files),
            let cameras = try COLMAPCameras(try files.read(name, kind: .metadata))
        else { return nil }
        let list = String(name.dropping(scalarSuffix: "cameras.txt") ?? "") + "images.txt"
        var cameraOfImage: [String: Int] = [:]
        if files.contains(list) {
            for row in try FieldTable(try files.read(list, kind: .sequence)).rows
            where row.count >= 10 && row[9].containsScalar(".") && FieldTable.number(row[9]) == nil {
                cameraOfImage[row[9...].joined(separator: " ")] = Int(row[8])
            }
        }
        return COLMAPImages(file: name, cameras: cameras, cameraOfImage: cameraOfImage)
    }

    /// Returns the camera that took an image.
    /// - Throws: `.badInput` if there are several candidates.
    func camera(of image: String) throws(FlatteningError) -> IntrinsicsDocument {
        let plain = image.dropping(scalarPrefix: "images/").map(String.init) ?? image
        if let number = cameraOfImage[plain], let camera = cameras.cameras[number] { return camera }
        return try cameras.only
    }
}
