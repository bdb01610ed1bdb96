import Diagnostics
import ImageFiles
import Imaging
import LocalFiles
import ScalarText

/// Files that hold captures but cannot be read: those of cameras that need their own SDK, and archives other than ZIP. The
/// error names the kind and says what to do instead.
enum UnreadContainer {
    /// Returns the error for a file that starts like such a container; nil for any other.
    static func refusal(start: [UInt8], path: String) -> FlatteningError? {
        func begins(_ text: String, at offset: Int = 0) -> Bool {
            start.dropFirst(offset).starts(with: Array(text.utf8))
        }
        if begins("#ROSBAG V") { return error(.rosBag, path) }
        if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return error(.matroska, path) }
        if begins("SQLite format 3\0") || start.starts(with: [0x89] + Array("MCAP0".utf8)) {
            return error(.ros2Bag, path)
        }
        if begins("ustar", at: 257) { return error(.tar, path) }
        if archiveStarts.contains(where: { start.starts(with: $0) }) { return error(.archive, path) }
        let videoBrands = ["isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "qt  ", "M4V "]
        if begins("ftyp", at: 4), videoBrands.contains(where: { begins($0, at: 8) }) {
            return error(.video, path)
        }
        return nil
    }

    /// The first bytes of gzip, bzip2, xz, Zstandard, 7-Zip and RAR files.
    private static let archiveStarts: [[UInt8]] = [
        [0x1F, 0x8B], Array("BZh".utf8), [0xFD, 0x37, 0x7A, 0x58, 0x5A], [0x28, 0xB5, 0x2F, 0xFD],
        [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], Array("Rar!".utf8),
    ]

    /// Returns the error for a folder in which only such a container was found; nil if there is none.
    static func refusal(names: [String], folder: String) -> FlatteningError? {
        for name in names where !name.containsScalar("/") {
            let kind: Kind? =
                switch RecordedFiles.fileExtension(name) {
                case "bag": .rosBag
                case "mkv": .matroska
                case "db3", "mcap": .ros2Bag
                default: nil
                }
            if let kind { return error(kind, FilePath.join(folder, name)) }
        }
        return nil
    }

    private enum Kind: String {
        case rosBag = "ROS bag"
        case ros2Bag = "ROS 2 bag"
        case matroska = "Matroska"
        case video = "MP4 or QuickTime video"
        case tar = "TAR"
        case archive = "gzip, bzip2, xz, Zstandard, 7-Zip or RAR"
    }

    private static func error(_ kind: Kind, _ path: String) -> FlatteningError {
        let advice =
            switch kind {
            case .rosBag:
                "Export it: rs-convert -i in.bag -p out/frame -r out/frame (RealSense), or the image_saver of ROS"
            case .ros2Bag:
                "Export its pictures and depth maps as PNG, with the CameraInfo as YAML beside them"
            case .matroska:
                "Export it: python azure_kinect_mkv_reader.py --input in.mkv --output out (Open3D, for Azure Kinect)"
            case .tar, .archive: "Unpack it and give the folder, or make a ZIP of it"
            case .video:
                "A video holds no depth: give its recording's folder, or a picture: ffmpeg -i in.mp4 -frames:v 1 out.png"
            }
        return FlatteningError(
            .unsupported, "\(kind.rawValue) files are not read", file: path, stage: .capture,
            seen: kind.rawValue,
            allowed: "a folder or ZIP of pictures and depth maps", advice: advice)
    }
}
