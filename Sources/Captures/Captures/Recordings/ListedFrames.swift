import Diagnostics
import Imaging

/// The frames of a list, without those whose files are missing: copies of recordings are often incomplete.
struct ListedFrames<Frame: Sendable>: Sendable {
    /// The frames whose files are all present.
    let frames: [Frame]
    /// One sentence on what was skipped; nil if nothing was.
    let note: String?

    /// Looks up each frame's files.
    /// - Parameters:
    ///   - listed: the frames in the list.
    ///   - list: the list's name.
    ///   - names: returns a frame's files as the list writes them.
    /// - Throws: `.fileAccess` naming the first missing file, if no frame is left.
    init(
        _ listed: [Frame], of list: String, in files: RecordedFiles, names: (Frame) -> [String]
    ) throws(FlatteningError) {
        var missing: [String] = []
        frames = listed.filter { frame in
            guard let name = names(frame).first(where: { !files.holds($0) }) else { return true }
            missing.append(String(name.prefix(80)))
            return false
        }
        guard let first = missing.first else {
            note = nil
            return
        }
        guard !frames.isEmpty else {
            throw FlatteningError(
                .fileAccess, "the capture holds the files of none of the frames that \(list) names",
                file: files.path(first), stage: .capture, seen: "\(listed.count) frames",
                allowed: "files within the capture's folder; links are not followed")
        }
        note =
            "\(list): \(missing.count) of \(listed.count) frames "
            + (missing.count == 1 ? "is" : "are")
            + " passed over, as a file is missing (the first: \(first))"
    }
}
