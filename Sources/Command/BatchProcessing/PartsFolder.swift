import Diagnostics
import LocalFiles
internal import Platform

/// The folder beside the outputs that holds each capture's part of outputs of the whole batch.
///
/// It stays when the batch ends: a later batch that resumes needs the parts of all captures, not only of new ones. It may
/// be removed if no such batch is planned; captures whose parts are missing are worked on again.
package enum PartsFolder {
    /// Its name in the output folder.
    package static let name = ".flatten-parts"

    /// Makes the folder if there is none.
    /// - Throws: `.fileAccess` where something else has its name, `.storageFull`.
    static func make(in folder: String) throws(FlatteningError) {
        let path = folder + "/" + name
        // Accessible only to its user, as the parts hold the text of the receipts.
        if unsafe mkdir(path, 0o700) == 0 { return }
        let failure = errno
        var status = stat()
        // A link could lead out of the output folder.
        guard failure == EEXIST, unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw FileSystemError.make(
                failure, "the folder of parts cannot be made", file: path, stage: .batch)
        }
    }

    /// Removes the parts of captures that are not (or no longer) in the batch.
    /// - Parameter wanted: the names of all its parts.
    package static func removeOthers(in folder: String, than wanted: Set<String>) {
        let path = folder + "/" + name
        guard let entries = try? OpenFolder(path: path, follows: false, stage: .batch).entries(most: .max)
        else { return }
        for entry in entries where entry.kind == .file {
            guard let name = entry.name, !wanted.contains(name) else { continue }
            unsafe unlink(path + "/" + name)
        }
    }
}
