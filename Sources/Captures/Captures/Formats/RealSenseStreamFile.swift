import ScalarText

/// A file of one RealSense stream, by its name: PREFIX_STREAM[_metadata][_MOMENT].EXTENSION.
///
/// RealSense Viewer's snapshots are "shot_Depth.raw", "shot_Depth_metadata.csv", "shot_Color.png"; rs-convert's files are
/// "out_Depth_1573133.250000.raw", "out_Depth_metadata_1573133.250000.txt", or with a frame number for the moment.
struct RealSenseStreamFile: Equatable {
    enum Stream { case color, depth }

    /// The name as it is listed.
    let name: String
    /// The path up to the stream's name: the same for what was written together.
    let prefix: String
    let stream: Stream
    /// Whether this describes a frame.
    let isMetadata: Bool
    /// What is written behind the stream's name: a time stamp in milliseconds, a frame number, or nothing.
    let moment: String
    /// In lower case.
    let fileExtension: String

    /// Milliseconds; nil for frame numbers, which each stream counts by itself.
    var milliseconds: Double? { moment.containsScalar(".") ? Double(moment) : nil }

    /// The parts of a name, nil for one of another form.
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
