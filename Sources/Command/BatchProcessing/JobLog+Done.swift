package import Diagnostics
import LocalFiles
internal import Platform

extension JobLog {
    /// Returns the captures that are done by the latest records of all logs in a folder, sorted by name.
    /// - Throws: `.fileAccess` for a folder without a log, or one that cannot be read.
    package static func done(in folder: String) throws(FlatteningError) -> [JobRecord] {
        let files = try all(in: folder)
        guard !files.isEmpty else { throw noLog(in: folder) }
        var latest = LatestRecords<String>(in: folder)
        for (index, file) in files.enumerated() {
            let path = FilePath.join(folder, file.name)
            let descriptor = try openedToRead(path)
            defer { close(descriptor) }
            _ = try read(descriptor, path: path) { latest.add($0, under: $0.name, log: index) }
        }
        return latest.byKey.values.map(\.record).filter { $0.state == .done }.sorted { $0.name < $1.name }
    }

    /// The error for a folder without a log.
    static func noLog(in folder: String) -> FlatteningError {
        FlatteningError(.fileAccess, "no batch has written to this folder", file: folder, stage: .batch)
    }
}
