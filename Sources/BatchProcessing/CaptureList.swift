internal import Foundation
internal import ImageFiles
package import Imaging

/// The captures that a batch is about: those of a folder, or those that a list names.
package enum CaptureList {
    /// The paths of the captures, each once, in the order of the list or, for a folder, of their names.
    ///
    /// In a folder each sub-folder is a capture, each archive (`.r3d`, `.zip`), and each picture, by its extension or its
    /// first bytes: a picture whose bytes are lost must be told of, not passed over. Portable maps go by their extension
    /// alone, as text may begin like one. Hidden entries and all other files are no captures. A folder that is itself a
    /// recording is refused: its parts are no captures. A list is a
    /// text file (UTF-8) with one path a line, relative to the current folder; empty lines are passed over.
    /// - Parameters:
    ///   - input: a folder, a list, or "-" for a list on standard input.
    ///   - output: the folder that is written to; it is no capture if it lies within `input`.
    /// - Throws: `.badInput` for what is neither folder nor list, `.fileAccess`, `.limitExceeded` for a list above 64 MiB.
    package static func paths(of input: String, output: String) throws(FlatteningError) -> [String] {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: input, isDirectory: &isFolder)
        if input != "-", exists, isFolder.boolValue { return try paths(inFolder: input, output: output) }
        return try paths(inList: try InputFile.read(path: input))
    }

    private static func paths(inFolder folder: String, output: String) throws(FlatteningError) -> [String] {
        let own = resolved(output)
        guard own != resolved(folder) else {
            throw failure(
                "the output folder is the input folder", file: folder, advice: "Name another folder")
        }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw FlatteningError(
                .fileAccess, "the folder cannot be listed", file: folder, stage: "batch",
                detail: error.localizedDescription)
        }
        if let sign = names.first(where: signsOfRecordings.contains) {
            throw failure(
                "this is itself a capture", file: folder, seen: sign,
                advice: "flatten it without \"batch\", or name the folder that it lies in")
        }
        // By bytes: the order is the same in every locale.
        let sorted = names.filter { !$0.hasPrefix(".") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return sorted.map { folder.hasSuffix("/") ? folder + $0 : folder + "/" + $0 }
            .filter { isCapture($0) && (own == nil || resolved($0) != own) }
    }

    private static func paths(inList list: InputFile) throws(FlatteningError) -> [String] {
        if let format = list.format, format != .pnm {
            throw failure(
                "this is neither a folder nor a list of paths", file: list.name, seen: format.rawValue,
                advice: "flatten a single picture without \"batch\"")
        }
        guard let text = String(validating: list.bytes, as: UTF8.self), !text.utf8.contains(0) else {
            throw failure("a list of paths is UTF-8 text", file: list.name)
        }
        var seen: Set<String> = []
        // A line feed ends a path; what ended lines on other systems does not belong to it either.
        return text.split(whereSeparator: \.isNewline).map(String.init)
            .map { $0.hasPrefix("-") ? "./" + $0 : $0 }
            .filter { seen.insert($0).inserted }
    }

    private static let pictureExtensions: Set = [
        "png", "jpg", "jpeg", "tif", "tiff", "heic", "heif", "pgm", "ppm", "pnm",
    ]
    private static let archiveExtensions: Set = ["r3d", "zip"]
    /// What only lies in the folder of one recording, beside its pictures or their folders.
    private static let signsOfRecordings: Set = [
        "capture.json", "camera_matrix.csv", "transforms.json", "DepthMetadata.json", "keyframes", "rgbd",
        "rgb.txt",
        "associations.txt", "frame_00000.json",
    ]

    private static func isCapture(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return false }
        let kind = URL(filePath: path).pathExtension.lowercased()
        if isFolder.boolValue || pictureExtensions.contains(kind) || archiveExtensions.contains(kind) {
            return true
        }
        guard let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType,
            type == .typeRegular || type == .typeSymbolicLink,
            let file = FileHandle(forReadingAtPath: path),
            let start = try? file.read(upToCount: ImageFileFormat.signatureLength)
        else { return false }
        switch ImageFileFormat.sniff(start) {
        case .png, .jpeg, .tiff, .heic: return true
        default: return false
        }
    }

    /// The one path of what a path leads to; nil if there is nothing.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func failure(
        _ message: String, file: String, seen: String? = nil, advice: String? = nil
    ) -> FlatteningError {
        FlatteningError(.badInput, message, file: file, stage: "batch", seen: seen, advice: advice)
    }
}
