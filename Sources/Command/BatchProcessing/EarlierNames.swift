package import Diagnostics
internal import Platform

/// What captures were called when they came to their end, by the logs of a folder.
package struct EarlierNames {
    private var byPath: [PathBytes: (name: String, ended: String)] = [:]

    /// No capture has come to its end.
    package init() {}

    /// Reads the logs of a folder, of all shards; none where there is no folder.
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
                // Of one log the later line holds, of several the later moment.
                // A moment to come is a clock's that was ahead.
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
