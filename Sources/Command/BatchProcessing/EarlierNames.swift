package import Diagnostics
internal import Platform

/// The names that captures had when they ended, from the logs of a folder.
package struct EarlierNames {
    private var byPath: [PathBytes: (name: String, ended: String)] = [:]

    /// Creates an empty set of names.
    package init() {}

    /// Reads the logs of all shards in a folder; none if the folder does not exist.
    /// - Throws: `.fileAccess` for a log that cannot be read.
    package init(in folder: String) throws(FlatteningError) {
        let (reader, present) = (JobRecordReader(), JobRecord.now)
        for log in try JobLog.all(in: folder) {
            let path = folder + "/" + log.name
            let descriptor = try JobLog.openedToRead(path)
            defer { close(descriptor) }
            _ = try unsafe JobLog.lines(descriptor, path: path) { line in
                guard let capture = unsafe line.flatMap(reader.capture) else { return }
                let path = PathBytes(capture.input)
                // Within one log, the later line wins; between several, the later time. A time in the future comes from a
                // clock that was ahead.
                let ended = min(capture.ended, present)
                if let earlier = byPath[path], earlier.ended > ended { return }
                byPath[path] = (capture.name, ended)
            }
        }
    }

    package var isEmpty: Bool { byPath.isEmpty }

    /// The last name of the capture with this path.
    subscript(path: String) -> String? { byPath[PathBytes(path)]?.name }
}
