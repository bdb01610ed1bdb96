import Diagnostics
import Imaging

/// Detects the format of a recording from its files.
enum RecordingDetection {
    /// The formats that have a file or folder of their own.
    static let formats: [any RecordingFormat.Type] = [
        CaptureJSONFormat.self, StrayScannerFormat.self, Record3DFormat.self, PolycamFormat.self,
        ScannerAppFormat.self, TransformsFormat.self, TUMFormat.self, AVDepthDataFormat.self,
        RealSenseFormat.self, ARKitScenesFormat.self,
    ]

    /// Tried last: images beside depth maps from any source.
    static let fallback: any RecordingFormat.Type = PicturePairsFormat.self

    /// A recognised format and its evidence.
    struct Finding {
        var format: any RecordingFormat.Type
        var files: RecordedFiles
        var evidence: RecordingEvidence
    }

    /// Finds the format of a recording. The recording may be in a subfolder of the one that was named, as is usual in
    /// archives.
    /// - Parameter marker: the file by which the caller named the recording: only formats with this file as evidence count.
    /// - Returns: nil if no format has the marker as evidence.
    /// - Throws: `.badInput` if no format or several are recognised, or if something is missing.
    static func detect(
        _ files: RecordedFiles, marker: String? = nil
    ) throws(FlatteningError) -> Finding? {
        var candidates: [Finding]
        if marker == nil {
            candidates = try self.candidates(in: files)
        } else {
            candidates = findings(of: formats, in: files)
            if candidates.isEmpty { candidates = findings(of: [fallback], in: files) }
        }
        // Running out of time must not be reported as an unknown format.
        try files.limits.deadline.check(before: .capture, file: files.root)
        if let marker {
            candidates = candidates.filter { $0.evidence.found.contains(marker) }
            if candidates.isEmpty { return nil }
        }
        let complete = candidates.filter(\.evidence.missing.isEmpty)
        // Our own description was written on purpose, beside whatever a camera left.
        if let ours = complete.first, ours.format == CaptureJSONFormat.self { return ours }
        if complete.count > 1 {
            throw FlatteningError(
                .badInput, "the capture matches more than one format", file: files.root, stage: .capture,
                seen: complete.map(Self.words).joined(separator: "; "),
                advice: "Name the file that describes the one meant")
        }
        if let found = complete.first { return found }
        if let partial = candidates.first {
            throw FlatteningError(
                .badInput, "the capture looks like \(words(partial)), but is incomplete",
                file: partial.files.root, stage: .capture,
                seen: "no " + partial.evidence.missing.joined(separator: ", no "))
        }
        let bare = unwrappings(of: files).last ?? files
        if let refusal = UnreadContainer.refusal(names: bare.names, folder: bare.root) { throw refusal }
        throw FlatteningError(
            .badInput, "the capture's format is not known", file: files.root, stage: .capture,
            seen: files.names.isEmpty ? "no files" : files.names.prefix(6).joined(separator: ", "),
            allowed: formats.map { $0.name }.joined(separator: ", ")
                + ", or a picture beside a depth map of its name",
            advice: "Name the picture itself, with --depth and --intrinsics where there are such files")
    }

    /// The most nested folders that hold nothing but the next one: a download is at most a folder in an archive in a folder,
    /// and an archive may claim any number.
    private static let mostWrappers = 4

    /// Returns the files as named, then without each folder that holds everything.
    private static func unwrappings(of files: RecordedFiles) -> [RecordedFiles] {
        var all = [files]
        while all.count <= mostWrappers, let inner = all.last?.onlyFolder { all.append(inner) }
        return all
    }

    /// Returns what is recognised: without the outer folders, with them, or in one of several folders.
    private static func candidates(in files: RecordedFiles) throws(FlatteningError) -> [Finding] {
        let all = unwrappings(of: files)
        for files in all.reversed() {
            let found = findings(of: formats, in: files)
            if !found.isEmpty { return found }
        }
        let bare = all.last ?? files
        let inFolders = try inFolders(of: bare, formats)
        if !inFolders.isEmpty { return inFolders }
        for files in all.reversed() {
            let pairs = findings(of: [fallback], in: files)
            if !pairs.isEmpty { return pairs }
        }
        return try self.inFolders(of: bare, [fallback])
    }

    /// Returns the complete recordings found in these files, by evidence that only their formats have.
    static func described(_ files: RecordedFiles) -> [Finding] {
        findings(of: formats, in: files).filter(\.evidence.missing.isEmpty)
    }

    /// Returns the recording of images beside depth maps in these files, if it contains this name: in any other folder,
    /// nobody said that its text files describe a camera.
    static func paired(_ files: RecordedFiles, _ name: String) -> [Finding] {
        PicturePairsFormat.pairs(name, in: files) ? findings(of: [fallback], in: files) : []
    }

    /// Returns what is recognised in one of the recording's folders.
    /// - Throws: `.badInput` if several folders contain something.
    private static func inFolders(
        of files: RecordedFiles, _ formats: [any RecordingFormat.Type]
    ) throws(FlatteningError) -> [Finding] {
        let candidates = files.folders.flatMap { findings(of: formats, in: $0) }
        let roots = Set(candidates.map(\.files.root)).sorted()
        guard roots.count <= 1 else {
            throw FlatteningError(
                .badInput, "the folder holds several captures", file: files.root, stage: .capture,
                seen: roots.prefix(5).joined(separator: ", "), advice: "Name one of them")
        }
        return candidates
    }

    private static func findings(
        of formats: [any RecordingFormat.Type], in files: RecordedFiles
    ) -> [Finding] {
        formats.compactMap { format in
            format.recognize(files).map { Finding(format: format, files: files, evidence: $0) }
        }
    }

    private static func words(_ finding: Finding) -> String {
        "\(finding.format.name) (\(finding.evidence.found.joined(separator: ", ")))"
    }
}
