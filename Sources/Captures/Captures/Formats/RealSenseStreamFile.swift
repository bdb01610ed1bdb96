import ScalarText

/// A file of one RealSense stream, parsed from its name: PREFIX_STREAM[_metadata][_MOMENT].EXTENSION.
///
/// RealSense Viewer's snapshots are "shot_Depth.raw", "shot_Depth_metadata.csv", "shot_Color.png"; rs-convert's files are
/// "out_Depth_1573133.250000.raw", "out_Depth_metadata_1573133.250000.txt", or have a frame number instead of the time.
struct RealSenseStreamFile: Equatable {
    enum Stream { case color, depth }

    /// The name as listed.
    let name: String
    /// The path up to the stream's name: the same for files written together.
    let prefix: String
    let stream: Stream
    /// Whether the file is the metadata of a frame.
    let isMetadata: Bool
    /// The part after the stream's name: a time stamp in milliseconds, a frame number, or nothing.
    let moment: String
    /// In lower case.
    let fileExtension: String

    /// Milliseconds; nil for frame numbers, which each stream counts separately.
    var milliseconds: Double? { moment.containsScalar(".") ? Double(moment) : nil }

    /// Splits a name into its parts; nil if it has another form.
    init?(_ name: String) {
        let folder = name.lastIndex(ofScalar: "/").map { name[..<name.index(afterScalar: $0)] } ?? ""
        let parts = RecordedFiles.stem(name).split(atScalar: "_", omittingEmptySubsequences: false)
        guard
            let place = parts.lastIndex(where: { ["color", "depth"].contains($0.lowercased()) }), place > 0
        else { return nil }
        var rest = parts[(place + 1)...]
        isMetadata = rest.first?.lowercased() == "metadata"
        if isMetadata { rest = rest.dropFirst() }
        moment = rest.joined(separator: "_")
        guard moment.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }) else { return nil }
        self.name = name
        prefix = folder + parts[..<place].joined(separator: "_")
        stream = parts[place].lowercased() == "color" ? .color : .depth
        fileExtension = RecordedFiles.fileExtension(name)
    }
}
