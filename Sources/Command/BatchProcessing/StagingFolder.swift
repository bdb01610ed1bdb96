import Checksums
import Diagnostics
import LocalFiles
internal import Platform
import ScalarText

/// The private folder that one worker writes into, beside the outputs so that they can be renamed.
///
/// It is the only place that the worker may write to. What it leaves there is not trusted: only regular files with one name,
/// called as they were asked for, become outputs, once they are hashed.
final class StagingFolder {
    let path: String
    /// The folder of the outputs.
    private let destination: String

    /// How the names of all of them begin.
    private static let prefix = ".flatten-batch-"
    /// What mkdtemp(3) puts letters and digits in the place of: its six X.
    private static let placeholder = String(repeating: "X", count: 6)

    /// A new folder, open to its owner alone. Whoever makes it removes it.
    /// - Parameter shard: whose it is, as its name says.
    /// - Throws: `.storageFull` or `.fileAccess`: nothing can be written beside the outputs.
    init(in destination: String, shard: Shard?) throws(FlatteningError) {
        self.destination = destination
        let label = shard.map { $0.label + "-" } ?? ""
        var template = Array((destination + "/" + Self.prefix + label + Self.placeholder).utf8CString)
        guard let made = unsafe mkdtemp(&template) else {
            throw FileSystemError.last(
                "the output folder cannot be written to", file: destination, stage: .batch)
        }
        path = unsafe String(cString: made)
    }

    /// Removes the folder with what is left in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Removes those that are this user's, look like ours, and whose batch or shard runs no more.
    /// - Parameter isOver: asked of each shard, nil for a batch without shards, with what is to be done if it is.
    static func removeAll(in destination: String, ifOver isOver: (Shard?, () -> Void) -> Void) {
        guard let folder = try? OpenFolder(path: destination, follows: true, stage: .batch),
            let entries = try? folder.entries(most: .max)
        else { return }
        var leftovers: [Shard?: [String]] = [:]
        for entry in entries where entry.kind == .folder {
            guard let name = entry.name, let words = name.dropping(scalarPrefix: prefix) else { continue }
            // By Characters: what is not all ASCII, as is asked for below, is no folder of ours.
            let unique = words.suffix(placeholder.count)
            let label = words.dropLast(placeholder.count)  // By Characters: as above.
            let shard = label.dropping(scalarSuffix: "-").flatMap { Shard(label: $0) }
            var status = stat()
            guard unique.utf8.count == placeholder.utf8.count, label.isEmpty || shard != nil,
                unique.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }),
                unsafe lstat(destination + "/" + name, &status) == 0, status.st_uid == geteuid(),
                status.st_mode & 0o777 == 0o700
            else { continue }
            leftovers[shard, default: []].append(destination + "/" + name)
        }
        for (shard, paths) in leftovers {
            isOver(shard) {
                for path in paths { try? FileManager.default.removeItem(atPath: path) }
            }
        }
    }

    /// The permissions that a new file gets here.
    func usualPermissions() throws(FlatteningError) -> mode_t {
        guard let permissions = NewFile.permissions(at: path + "/permissions") else {
            throw FileSystemError.last(
                "the output folder cannot be written to", file: destination, stage: .batch)
        }
        return permissions
    }

    /// The names of what the worker left here.
    func names() throws(FlatteningError) -> [String] {
        try OpenFolder(path: path, follows: false, stage: .batch).entries(most: Self.mostEntries)
            .compactMap(\.name)
    }

    /// The files that a worker may leave: more than six kinds of outputs of each sheet that has a number.
    private static let mostEntries = 10 * NumberedPath.greatestNumber

    /// What the worker wrote, of what it was asked for: hashed, with the permissions of the file that it replaces or of a new
    /// one, on the disk, and still here.
    /// - Throws: `.badInput` for what is no plain file, `.fileAccess`, also for a file that is missing.
    func collect(
        _ wanted: [Batch.Job.Output], allMayBeMissing: Bool, permissions: mode_t
    ) throws(FlatteningError) -> [JobRecord.Output] {
        var outputs: [JobRecord.Output] = []
        for output in wanted {
            let name = output.name
            let opened = unsafe open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
            let failure = opened < 0 ? errno : 0
            if failure == ENOENT, allMayBeMissing || output.mayBeMissing { continue }
            // Links, sockets, and what we may not open, are the worker's doing; that descriptors are short is not.
            guard [0, ELOOP, EACCES, ENXIO].contains(failure) else {
                throw FileSystemError.make(
                    failure, "what the worker wrote cannot be opened", file: name, stage: .batch)
            }
            var status = stat()
            defer { if opened >= 0 { close(opened) } }
            guard opened >= 0, unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_nlink == 1
            else {
                throw FlatteningError(
                    .badInput, "the worker left something else than a plain file", file: name, stage: .batch)
            }
            outputs.append(
                .init(name: output.path, sha256: try SHA256.digest(ofFile: opened, path: name)))
            var old = stat()
            let isReplaced =
                unsafe lstat(destination + "/" + output.path, &old) == 0 && old.st_mode & S_IFMT == S_IFREG
            guard fchmod(opened, isReplaced ? old.st_mode & 0o777 : permissions) == 0, fsync(opened) == 0
            else {
                throw FileSystemError.last("the file cannot be completed", file: name, stage: .batch)
            }
        }
        return outputs
    }

    /// Gives files that were collected their place, replacing what is there, and brings the names to the disk.
    func publish(_ outputs: [JobRecord.Output]) throws(FlatteningError) {
        for output in outputs {
            let file = destination + "/" + output.name
            // Parts lie in a folder only once they have their place.
            guard let name = output.name.split(atScalar: "/").last,
                unsafe rename(path + "/" + name, file) == 0
            else {
                throw FileSystemError.last("the file cannot be given its name", file: file, stage: .batch)
            }
        }
        let folder = try OpenFolder(path: destination, follows: true, stage: .batch)
        // Some file systems cannot synchronise a folder; what a failed disk says is an error like any other.
        if fsync(folder.descriptor) != 0, errno != EINVAL, errno != ENOTSUP {
            throw FileSystemError.last(
                "the output folder cannot be written to", file: destination, stage: .batch)
        }
    }
}
