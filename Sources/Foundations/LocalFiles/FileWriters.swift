package import Diagnostics
import ScalarText

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Checks who can change a file, before it is run as code.
package enum FileWriters {
    /// Refuses a file that anyone but root and the user can change or replace.
    ///
    /// The file, a link to it, and the folders of both must belong to root or to the user of this process, and nobody else may
    /// write to them, except the group with ID 0 (root). The sticky bit of a folder does not help: it stops others from
    /// replacing a file, but a library may load further files from its own folder, as ONNX Runtime's does, and anyone who can
    /// write to the folder can put them there. The folders further up are not checked.
    /// - Parameters:
    ///   - name: what the file is, such as "the reader's library".
    ///   - otherwise: how to proceed without it.
    /// - Throws: `.fileAccess`, with what is wrong and the command that fixes it.
    package static func refuseOthers(
        _ path: String, called name: String, stage: FlatteningError.Stage, otherwise: String
    ) throws(FlatteningError) {
        guard let resolved = unsafe realpath(path, nil) else {
            throw FileSystemError.last("\(name) cannot be looked at", file: path, stage: stage)
        }
        defer { unsafe free(resolved) }
        let real = unsafe String(cString: resolved)
        for place in [path, real, folder(of: path), folder(of: real)] {
            var status = stat()
            guard unsafe lstat(place, &status) == 0 else {
                throw FileSystemError.last("\(name) cannot be looked at", file: place, stage: stage)
            }
            guard let fault = fault(of: status, at: place) else { continue }
            throw FlatteningError(
                .fileAccess, "\(name) is not used, since others can change or replace it", file: path,
                stage: stage, seen: fault.seen,
                allowed: "files and folders of root or user \(geteuid()) that nobody else may write",
                advice: "Mend it by: \(fault.remedy); or \(otherwise)")
        }
    }

    private static func fault(of status: stat, at place: String) -> (seen: String, remedy: String)? {
        let user = geteuid()
        guard status.st_uid == 0 || status.st_uid == user else {
            return ("\(place) belongs to user \(status.st_uid)", "chown -h \(user) '\(place)'")
        }
        // Nobody can write to a link, whatever its permissions say.
        if status.st_mode & S_IFMT == S_IFLNK { return nil }
        if status.st_mode & S_IWOTH != 0 {
            return ("\(place) may be written by everybody", "chmod go-w '\(place)'")
        }
        if status.st_mode & S_IWGRP != 0 && status.st_gid != 0 {
            return ("\(place) may be written by group \(status.st_gid)", "chmod g-w '\(place)'")
        }
        return nil
    }

    private static func folder(of path: String) -> String {
        let end = path.lastIndex(ofScalar: "/") ?? path.startIndex
        return end == path.startIndex ? (path.hasScalarPrefix("/") ? "/" : ".") : String(path[..<end])
    }
}
