import Foundation
@testable import Captures
@testable import Documents
@testable import ImageFiles
@testable import Imaging
@testable import LocalFiles
@testable import Documents
import ReceiptFlattening

/// The readers that are fuzzed: every one that takes bytes from outside.
enum Reader: String, CaseIterable {
    /// Pictures and maps; the format is told from the first bytes, so that the seeds choose the decoder.
    case png, tiff, jpeg, npy, heic, exr, pnm
    /// EXIF, XMP and the index of further pictures alone, inside a JPEG that is whole.
    case exif, xmp, index
    /// Intrinsics, by form.
    case json, yaml, colmap, numbers
    /// capture.json.
    case capture
    /// Archives, and what Record3D's hold.
    case zip, lzfse, record3d
    /// The files that describe recordings, one each.
    case transforms, odometry, list, associations, trajectory, dump, images, calibration, keyframe
    /// Lines of machine-readable zones.
    case zone
    /// A cascade of faces, which also looks at a picture; GS1's element strings.
    case cascade, gs1
    /// A whole folder of any files.
    case folder
    /// Text as it was read: what is found in it, and written of it.
    case words
    /// A store of contacts, and words that are looked for in one.
    case store, search
    /// The log of a batch.
    case log
    /// The characters that a model of lines lists.
    case alphabet
    /// Text in what is written, which must come back as it was: cells, vCards, and markup of pages.
    case csv, vcard, markup

    /// By `FUZZ_READER`, or by the program's name, `READER_fuzzer`: services start programs, and set no variables.
    static let chosen: Reader? = {
        let name = URL(filePath: CommandLine.arguments[0]).lastPathComponent
        let named = name.hasSuffix("_fuzzer") ? String(name.dropLast("_fuzzer".count)) : ""
        return Reader(rawValue: ProcessInfo.processInfo.environment["FUZZ_READER"] ?? named)
    }()

    /// Small enough that a find is a defect and not only a large picture.
    private static let limits: FlatteningLimits = {
        var limits = FlatteningLimits()
        limits.maximumColorPixels = 1_000_000
        limits.maximumDepthPixels = 1_000_000
        limits.maximumJPEGScanPixels = 10_000_000
        limits.maximumDecodingBytes = 64 << 20
        return limits
    }()

    /// Reads as the package's users do.
    func read(_ bytes: [UInt8]) {
        switch self {
        case .png, .tiff, .jpeg, .npy, .heic, .exr, .pnm: readPicture(bytes)
        case .exif: readPicture(Samples.photograph(with: [(0xE1, "Exif\0\0", bytes)]))
        case .xmp: readPicture(Samples.photograph(xmp: bytes))
        case .index: readPicture(Samples.photograph(with: [(0xE2, "MPF\0", bytes)]) + Samples.photograph)
        case .json: readIntrinsics(InputFile(name: "fuzz.json", bytes: bytes))
        case .yaml: readIntrinsics(InputFile(name: "fuzz.yaml", bytes: bytes))
        case .colmap, .numbers: readIntrinsics(InputFile(name: "fuzz.txt", bytes: bytes))
        case .capture:
            FuzzedTexts.readCapture(bytes)
        case .store: FuzzedStore.read(bytes)
        case .search: FuzzedStore.search(String(decoding: bytes, as: UTF8.self))
        case .log: FuzzedLog.read(bytes)
        case .alphabet: FuzzedTexts.readAlphabet(String(decoding: bytes, as: UTF8.self))
        case .csv: FuzzedTexts.writeCells(bytes)
        case .vcard: FuzzedTexts.writeCard(String(decoding: bytes, as: UTF8.self))
        case .markup: FuzzedTexts.writeMarkup(String(decoding: bytes, as: UTF8.self))
        case .words: FuzzedWords.read(bytes)
        case .zone:
            let text = String(decoding: bytes, as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            _ = MachineReadableZone(lines: lines, today: Date(timeIntervalSince1970: 1_577_836_800))
        case .cascade:
            _ = HaarCascade(xml: bytes)?.detections(
                in: GrayImage(width: 80, height: 70, filledWith: 90), step: 1.5)
        case .gs1: _ = GS1Element.elements(of: bytes)
        case .folder: PackedFolder.read(bytes, limits: Self.limits)
        case .zip:
            FuzzedFolder.write(bytes, to: Self.archivePath)
            FuzzedFolder.read(Self.archivePath, limits: Self.limits)
        case .lzfse, .record3d, .transforms, .odometry, .list, .associations, .trajectory, .dump, .images,
            .calibration, .keyframe:
            Self.prepared?.read(bytes, limits: Self.limits)
        }
    }

    private func readPicture(_ bytes: [UInt8]) {
        let file = InputFile(name: "fuzz", bytes: bytes)
        _ = try? ColorPicture.decode(file, limits: Self.limits)
        _ = try? SampleMap.decode(file, limits: Self.limits)
        _ = try? EmbeddedCapture.read(file, limits: Self.limits)
    }

    private func readIntrinsics(_ file: InputFile) {
        _ = try? IntrinsicsDocument.parse(file)
    }

    private static let archivePath = NSTemporaryDirectory() + "fuzz-\(UUID().uuidString).zip"

    /// The folder of the chosen reader, nil for those that read no folder.
    private static let prepared = chosen.flatMap(\.layout).map {
        FuzzedFolder(changing: $0.name, beside: $0.files)
    }

    /// The file that changes, and those beside it.
    private var layout: (name: String, files: [String: [UInt8]])? {
        let (image, depth, camera) = (Samples.photograph, Samples.depth, Samples.camera)
        let rows = Array("8,0,3.5\n0,8,2.5\n0,0,1\n".utf8)
        let pictures = ["rgb/0.jpg": image, "depth/0.npy": depth]
        switch self {
        case .lzfse:
            // The size of ArchivesTests' depth map.
            let metadata = #"{"w":8,"h":6,"K":[8,0,0,0,8,0,3.5,2.5,1],"dw":128,"dh":96}"#
            return ("rgbd/0.depth", ["rgbd/0.jpg": image, "metadata": Array(metadata.utf8)])
        case .record3d:
            let stored = Array("bvx-".utf8) + [48, 0, 0, 0] + [UInt8](repeating: 0x3F, count: 48)
            return (
                "metadata", ["rgbd/0.jpg": image, "rgbd/0.depth": stored + Array("bvx$".utf8)]
            )
        case .transforms: return ("transforms.json", pictures)
        case .odometry:
            return ("odometry.csv", ["camera_matrix.csv": rows].merging(pictures) { $1 })
        case .list:
            let maps = (0..<3).map { "\($0).01 depth/0.npy\n" }.joined()
            return ("rgb.txt", ["depth.txt": Array(maps.utf8)].merging(pictures) { $1 })
        case .associations: return ("associations.txt", pictures)
        case .trajectory:
            let line = Array("0 rgb/0.jpg 0 depth/0.npy\n".utf8)
            return ("groundtruth.txt", ["associations.txt": line].merging(pictures) { $1 })
        case .dump: return ("DepthMetadata.json", ["rgb_1.png": image, "depth_1.png": depth])
        case .images:
            let cameras = Array("1 PINHOLE 8 6 8 8 4 3\n2 PINHOLE 8 6 9 9 4 3\n".utf8)
            return ("sparse/0/images.txt", ["sparse/0/cameras.txt": cameras, "images/0.jpg": image])
        case .calibration:
            return ("calibration.json", ["color.png": image, "depth.npy": depth, "color_info.json": camera])
        case .keyframe:
            return (
                "keyframes/cameras/1.json", ["keyframes/images/1.jpg": image, "keyframes/depth/1.png": depth]
            )
        default: return nil
        }
    }
}
