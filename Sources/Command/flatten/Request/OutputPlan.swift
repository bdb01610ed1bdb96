import LocalFiles
import Diagnostics
import ArgumentParser
import Platform
import ReceiptFlattening
import ScalarText

/// The files of one run, compared before any work: no two outputs may be the same file, and no output may be an input unless
/// that is clearly intended.
///
/// Files are compared by what their paths lead to, so that links, hard links and other spellings of a path are recognised.
struct OutputPlan {
    /// A file with the words that name it in messages.
    struct Named: Sendable {
        var option: String
        var path: String
    }

    /// Files and standard output ("-") that are to be written.
    let outputs: [Named]
    /// The files that are read ("-" is standard input).
    let inputs: [Named]
    /// The capture. If it is a folder, or a file that describes a capture, its whole folder counts as read.
    let capture: String

    /// What happens to outputs that already exist.
    enum Existing: Codable {
        /// They are replaced, inputs excepted.
        case replaced
        /// They are replaced whatever they are (`--force`).
        case forced
        /// They are kept, and that is an error (`--no-clobber`).
        case kept
    }

    /// Checks the plan.
    /// - Throws: a usage error for two outputs that are one file and for an output that is an input; a `FlatteningError`,
    ///   `.fileAccess`, for one that exists and shall be kept.
    /// - Complexity: O(outputs times inputs); O(files of the capture's folder) for an output with several hard links.
    func check(_ existing: Existing) throws {
        var seen: [Identity: Named] = [:]
        for output in outputs {
            guard let identity = Identity(output: output.path) else { continue }
            if let other = seen.updateValue(output, forKey: identity) {
                throw ValidationError(
                    "two outputs have the same name: \(other.option) \(other.path) and \(output.option) \(output.path) "
                        + "lead to one file")
            }
        }
        if existing != .forced {
            for output in outputs {
                guard let input = try overwritten(by: output) else { continue }
                throw ValidationError(
                    "\(output.option) \(output.path) would replace \(input): name another file, or give --force if that "
                        + "is meant")
            }
        }
        if existing == .kept {
            for output in outputs where Self.isOccupied(output.path) {
                throw FlatteningError(
                    .fileAccess, "the file exists, and --no-clobber replaces none", file: output.path,
                    stage: .write, advice: "Name another file, or leave --no-clobber out")
            }
        }
    }

    /// The input that an output would replace, in words; nil if there is none.
    private func overwritten(by output: Named) throws -> String? {
        guard let file = Identity(existing: output.path, standing: STDOUT_FILENO) else { return nil }
        for input in [Named(option: "the capture", path: capture)] + inputs
        where Identity(existing: input.path, standing: STDIN_FILENO) == file {
            return "\(input.option) \(input.path)"
        }
        guard let folder = captureFolder, let identity = Identity(folder: folder),
            identity.contains(output.path)
                || Self.hasSeveralNames(output.path) && folderHolds(file, in: folder)
        else { return nil }
        return "a file of the capture \(capture)"
    }

    /// The folder whose files the capture consists of.
    private var captureFolder: String? {
        var status = stat()
        guard capture != "-", unsafe stat(capture, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFDIR { return capture }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        // An image or an archive is a whole capture; a text file describes the files beside it.
        guard Self.isText(capture) else { return nil }
        return capture.lastIndex(ofScalar: "/").map { String(capture[..<capture.index(afterScalar: $0)]) }
            ?? "."
    }

    /// Whether a file begins like a text file.
    private static func isText(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var start = [UInt8](repeating: 0, count: ImageFileFormat.signatureLength)
        let count = unsafe read(descriptor, &start, start.count)
        guard count > 0, ImageFileFormat.sniff(start.prefix(count)) == nil else { return false }
        return start.prefix(count).allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
    }

    /// Whether the folder, at any depth, contains a hard link to this file.
    private func folderHolds(_ file: Identity, in folder: String) -> Bool {
        let entries = try? OpenFolder(path: folder, follows: true, stage: .write).entries(most: .max)
        return (entries ?? []).contains { entry in
            guard let name = entry.name else { return false }
            let path = folder + "/" + name
            return Identity(existing: path, standing: nil) == file
                || entry.kind == .folder && folderHolds(file, in: path)
        }
    }

    /// Whether the file that a path leads to has several hard links.
    private static func hasSeveralNames(_ path: String) -> Bool {
        var status = stat()
        let found = unsafe path == "-" ? fstat(STDOUT_FILENO, &status) : stat(path, &status)
        return found == 0 && status.st_nlink > 1
    }

    /// Whether a file or a dangling link already exists at the output's path. Devices and pipes do not count: they are written
    /// to without being replaced.
    private static func isOccupied(_ path: String) -> Bool {
        var status = stat()
        guard path != "-", unsafe lstat(path, &status) == 0 else { return false }
        return unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }
}

extension OutputPlan {
    /// What a path leads to.
    enum Identity: Hashable {
        /// An existing file; the same device and inode mean the same file.
        case file(FileIdentity)
        /// A file that does not exist yet: its folder, and its name as the least strict file system compares it, without regard
        /// to case and Unicode normalisation.
        case new(folder: FileIdentity, name: String)
        /// A path in a folder that does not exist; this is reported when the file is created.
        case nowhere(String)

        /// The identity of an output; nil if it cannot be mistaken for another, as with a character device.
        /// - Parameter links: how many dangling links in a row may be followed.
        init?(output path: String, links: Int = 8) {
            if path == "-" {
                var status = stat()
                guard unsafe fstat(STDOUT_FILENO, &status) == 0 else { return nil }
                self.init(status)
                return
            }
            var status = stat()
            if unsafe stat(path, &status) == 0 {
                // Two outputs may both go to /dev/null.
                guard status.st_mode & S_IFMT != S_IFCHR else { return nil }
                self.init(status)
                return
            }
            let slash = path.lastIndex(ofScalar: "/")
            let folder = slash.map { String(path[..<path.index(afterScalar: $0)]) } ?? "."
            // Strings are compared by canonical equivalence.
            let name = (slash.map { String(path[path.index(afterScalar: $0)...]) } ?? path).lowercased()
            // A dangling link may lead to another output once that is written.
            if links > 0, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
                self.init(
                    output: target.hasScalarPrefix("/") ? target : folder + "/" + target, links: links - 1)
                return
            }
            if let folder = FileIdentity(of: folder) {
                self = .new(folder: folder, name: name)
            } else {
                self = .nowhere(URL(filePath: path).standardizedFileURL.path().lowercased())
            }
        }

        /// The identity of an existing regular file; "-" is the file open at the descriptor.
        init?(existing path: String, standing descriptor: Int32?) {
            var status = stat()
            let found =
                if path == "-", let descriptor {
                    unsafe fstat(descriptor, &status)
                } else {
                    unsafe stat(path, &status)
                }
            guard found == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            self.init(status)
        }

        init?(folder path: String) {
            var status = stat()
            guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
            self.init(status)
        }

        private init(_ status: stat) {
            self = .file(FileIdentity(status))
        }

        /// Whether an existing file lies in this folder, however deep.
        func contains(_ path: String) -> Bool {
            guard path != "-", let resolved = unsafe realpath(path, nil) else { return false }
            defer { unsafe free(resolved) }
            var folder = unsafe String(cString: resolved)[...]
            while let slash = folder.lastIndex(ofScalar: "/") {
                folder = folder[..<slash]
                if Identity(folder: folder.isEmpty ? "/" : String(folder)) == self { return true }
            }
            return false
        }
    }
}
