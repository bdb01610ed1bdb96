import Checksums
import Diagnostics
import LocalFiles
internal import Platform
import ScalarText

/// The private folder that one worker writes into. It lies beside the outputs, so that files can be moved by renaming.
///
/// It is the only place that the worker may write to. Its content is not trusted: only regular files with a single link and
/// a requested name become outputs, after they are hashed.
final class StagingFolder {
    let path: String
    /// The folder of the outputs.
    private let destination: String

    /// The common prefix of all these folders' names.
    private static let prefix = ".flatten-batch-"
    /// The six X that mkdtemp(3) replaces by letters and digits.
    private static let placeholder = String(repeating: "X", count: 6)

    /// Creates a new folder that only its owner can access. The caller must remove it.
    /// - Parameter shard: the shard that it belongs to, as shown in its name.
    /// - Throws: `.storageFull` or `.fileAccess` if nothing can be written beside the outputs.
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

    /// Removes the folder with its content.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Removes folders that belong to this user, look like ours, and whose batch or shard no longer runs.
    /// - Parameter isOver: called with each shard (nil for a batch without shards) and with the action to run if it is
    ///   over.
    static func removeAll(in destination: String, ifOver isOver: (Shard?, () -> Void) -> Void) {
        guard let folder = try? OpenFolder(path: destination, follows: true, stage: .batch),
            let entries = try? folder.entries(most: .max)
        else { return }
        var leftovers: [Shard?: [String]] = [:]
        for entry in entries where entry.kind == .folder {
            guard let name = entry.name, let words = name.dropping(scalarPrefix: prefix) else { continue }
            // By Characters: names that are not all ASCII, as checked below, are not ours.
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

    /// The permissions that a new file gets in this folder.
    func usualPermissions() throws(FlatteningError) -> mode_t {
        guard let permissions = NewFile.permissions(at: path + "/permissions") else {
            throw FileSystemError.last(
                "the output folder cannot be written to", file: destination, stage: .batch)
        }
        return permissions
    }

    /// The names of the files that the worker left here.
    func names() throws(FlatteningError) -> [String] {
        try OpenFolder(path: path, follows: false, stage: .batch).entries(most: Self.mostEntries)
            .compactMap(\.name)
    }

    /// Most files that a worker may leave: more than six kinds of outputs for each numbered sheet.
    private static let mostEntries = 10 * NumberedPath.greatestNumber

    /// Collects the requested files that the worker wrote: hashes them, gives them the permissions of the file that they
    /// replace or of a new one, and syncs them to the disk. They stay in this folder.
    /// - Throws: `.badInput` for anything but a plain file, `.fileAccess`, also for a missing file.
    func collect(
        _ wanted: [Batch.Job.Output], allMayBeMissing: Bool, permissions: mode_t
    ) throws(FlatteningError) -> [JobRecord.Output] {
        var outputs: [JobRecord.Output] = []
        for output in wanted {
            let name = output.name
            let opened = unsafe open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
            let failure = opened < 0 ? errno : 0
            if failure == ENOENT, allMayBeMissing || output.mayBeMissing { continue }
            // Links, sockets and files that we may not open are the worker's doing; a lack of descriptors is not.
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

    /// Moves collected files into place, replacing existing ones, and syncs the names to the disk.
    func publish(_ outputs: [JobRecord.Output]) throws(FlatteningError) {
        for output in outputs {
            let file = destination + "/" + output.name
            // Parts lie in a sub-folder only in their final place.
            guard let name = output.name.split(atScalar: "/").last,
                unsafe rename(path + "/" + name, file) == 0
            else {
                throw FileSystemError.last("the file cannot be given its name", file: file, stage: .batch)
            }
        }
        let folder = try OpenFolder(path: destination, follows: true, stage: .batch)
        // Some file systems cannot sync a folder; an error of a failing disk is reported like any other.
        if fsync(folder.descriptor) != 0, errno != EINVAL, errno != ENOTSUP {
            throw FileSystemError.last(
                "the output folder cannot be written to", file: destination, stage: .batch)
        }
    }
}
