package import Diagnostics
import ScalarText

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Creates missing folders.
package enum NewFolder {
    /// Creates a folder and its missing parents; an existing one stays as it is.
    /// - Throws: `.fileAccess` or `.storageFull`, with the system's message.
    package static func make(_ path: String, stage: FlatteningError.Stage) throws(FlatteningError) {
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
        let trimmed = path.utf8.count > 1 ? path.dropping(scalarSuffix: "/").map(String.init) ?? path : path
        if let slash = trimmed.lastIndex(ofScalar: "/"), slash > trimmed.startIndex {
            try make(String(trimmed[..<slash]), stage: stage)
        }
        // Another program may have created it meanwhile.
        guard unsafe mkdir(trimmed, 0o777) != 0 else { return }
        let failure = errno
        guard failure == EEXIST, unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            if failure == EEXIST, unsafe lstat(trimmed, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
                throw FlatteningError(
                    .fileAccess, "the output folder is a link that leads to no folder", file: path,
                    stage: stage, advice: "Make the folder that it names, or name another")
            }
            throw FileSystemError.make(failure, "the output folder cannot be made", file: path, stage: stage)
        }
    }
}
