import Diagnostics
import LocalFiles
import ImageFiles
import Imaging

/// The metadata that RealSense Viewer writes beside a snapshot: "name,value" lines (librealsense, `frame_metadata_to_csv`).
///
/// Reads `Format`, `Resolution x`, `Resolution y`, `Timestamp (ms)` and, of the intrinsics, `Fx`, `Fy`, `PPx`, `PPy`. The
/// file names the lens model, but not its coefficients. The text files of rs-convert have none of these.
struct RealSenseMetadata {
    private let values: [String: Substring]

    /// - Throws: `.badInput` for a file that is not text.
    init(_ file: InputFile) throws(FlatteningError) {
        values = Dictionary(
            try FieldTable(file).rows.compactMap { $0.count == 2 ? (String($0[0]), $0[1]) : nil },
            uniquingKeysWith: { first, _ in first })
    }

    /// The pixel format of the stream's raw file: "Z16", "RGB8"; nil if not stated.
    var format: String? { values["Format"].map(String.init) }

    /// The stream's size; nil if not stated or invalid.
    var size: PixelSize? {
        guard let width = values["Resolution x"].flatMap({ Int($0) }),
            let height = values["Resolution y"].flatMap({ Int($0) }), (1...65_536).contains(width),
            (1...65_536).contains(height)
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// Seconds on the camera's clock.
    var timestamp: Double? { values["Timestamp (ms)"].flatMap(FieldTable.number).map { $0 / 1000 } }

    /// Returns the stream's camera; nil if not stated.
    /// - Throws: `.badInput` for impossible numbers.
    func camera() throws(FlatteningError) -> IntrinsicsDocument? {
        let numbers = ["Fx", "Fy", "PPx", "PPy"].compactMap { values[$0].flatMap(FieldTable.number) }
        guard numbers.count == 4 else { return nil }
        return try IntrinsicsDocument(
            fx: numbers[0], fy: numbers[1], cx: numbers[2], cy: numbers[3], size: size, form: "RealSense")
    }
}
