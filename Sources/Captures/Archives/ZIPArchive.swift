package import Diagnostics
package import LocalFiles
internal import CLibZip
internal import Platform
import ScalarText

/// A ZIP archive (`.zip`, Record3D's `.r3d`) whose files are unpacked one at a time, in memory.
///
/// Nothing is ever written. Entries that are not plain files with plain names (folders, links, absolute paths, `..`) are
/// ignored. Backslashes and names in a code page are read as Windows tools write them. Sizes are checked before memory is
/// reserved and again while unpacking, since an archive may state wrong ones.
package struct ZIPArchive: Sendable {
    /// The archive's path.
    package let path: String
    /// The names of its files.
    package let names: [String]
    private let entries: [String: Entry]
    /// The limits for its files.
    var limits: FlatteningLimits

    private struct Entry {
        var index: UInt64
        var size: Int
    }

    /// The supported compression methods: stored and deflated, which phones and all common tools write.
    private static let methods: Set<UInt16> = [0, 8]

    /// Lists an archive.
    /// - Throws: `.missingDependency` without libzip; `.badInput` for a file that is not an archive, has a name twice or
    ///   states an impossible size; `.unsupported` for encryption; `.limitExceeded` for too many entries or bytes. The error
    ///   names the file.
    /// - Complexity: O(entries).
    package init(path: String, limits: FlatteningLimits) throws(FlatteningError) {
        let zip = try ZIPLibrary.shared.load()
        let archive = try unsafe Self.open(path, zip)
        defer { unsafe zip.zip_discard(archive) }
        let count = unsafe zip.zip_get_num_entries(archive, 0)
        guard count <= Int64(limits.maximumEntries) else {
            throw FlatteningError(
                .limitExceeded, "the archive holds too many files", file: path, stage: .archive,
                seen: "\(count)", allowed: "\(limits.maximumEntries) (maximumEntries)")
        }
        var entries: [String: Entry] = [:]
        var total = 0
        for index in 0..<UInt64(max(count, 0)) {
            try limits.deadline.check(before: .archive, file: path)
            var status = unsafe zip_stat_t()
            let needed = UInt64(
                ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD
                    | ZIP_STAT_ENCRYPTION_METHOD)
            guard unsafe zip.zip_stat_index(archive, index, ZIP_FL_ENC_RAW, &status) == 0,
                unsafe status.valid & needed == needed, let bytes = unsafe status.name,
                let attributes = unsafe Attributes(archive, index, zip), !attributes.isLink,
                let name = unsafe Self.name(bytes, of: archive, index, attributes, zip), Self.isPlain(name)
            else { continue }
            guard unsafe status.encryption_method == 0, unsafe Self.methods.contains(status.comp_method)
            else {
                throw FlatteningError(
                    .unsupported,
                    "a file in the archive is encrypted or compressed in a way that is not read",
                    file: path, stage: .archive,
                    seen: unsafe "\(name.prefix(80)): method \(status.comp_method)",
                    allowed: "stored and deflated files")
            }
            guard let size = unsafe Int(exactly: status.size),
                unsafe size / max(limits.maximumArchiveRatio, 1) <= max(status.comp_size, 1)
            else {
                throw FlatteningError(
                    .badInput, "a file in the archive claims to be larger than it can be", file: path,
                    stage: .archive,
                    seen: unsafe "\(name.prefix(80)): \(status.size) of \(status.comp_size) bytes",
                    allowed: "1 : \(limits.maximumArchiveRatio) (maximumArchiveRatio)")
            }
            let (sum, isTooMuch) = total.addingReportingOverflow(size)
            guard !isTooMuch, sum <= limits.maximumArchiveBytes else {
                throw FlatteningError(
                    .limitExceeded, "the archive's files are too large together", file: path,
                    stage: .archive,
                    seen: isTooMuch ? "more than can be counted" : "\(sum) bytes and more",
                    allowed: "\(limits.maximumArchiveBytes) (maximumArchiveBytes)",
                    advice: "Raise the limit if you trust the file")
            }
            total = sum
            guard entries.updateValue(Entry(index: index, size: size), forKey: name) == nil else {
                throw FlatteningError(
                    .badInput, "the archive holds a name twice", file: path, stage: .archive,
                    seen: String(name.prefix(80)))
            }
        }
        self.path = path
        self.limits = limits
        self.entries = entries
        names = Array(entries.keys)
    }

    /// Unpacks a file.
    /// - Throws: `.limitExceeded` for more than `maximumFileBytes`; `.badInput` with libzip's message for a broken archive.
    /// - Complexity: O(entries + bytes): the archive is opened again each time, so that threads share nothing.
    package func read(_ name: String) throws(FlatteningError) -> [UInt8] {
        let label = path + "/" + name
        try limits.deadline.check(before: .archive, file: label)
        guard let entry = entries[name] else {
            throw FlatteningError(
                .fileAccess, "the archive holds no such file", file: label, stage: .archive)
        }
        guard entry.size <= limits.maximumFileBytes else {
            throw FlatteningError(
                .limitExceeded, "the file is too large", file: label, stage: .archive,
                seen: "\(entry.size) bytes", allowed: "\(limits.maximumFileBytes) bytes (maximumFileBytes)",
                advice: "Raise the limit if you trust the file")
        }
        let zip = try ZIPLibrary.shared.load()
        let archive = try unsafe Self.open(path, zip)
        defer { unsafe zip.zip_discard(archive) }
        guard let file = unsafe zip.zip_fopen_index(archive, entry.index, 0) else {
            throw unsafe FlatteningError(
                .badInput, "the file cannot be unpacked", file: label, stage: .archive,
                detail: zip.zip_strerror(archive).map { unsafe String(cString: $0) })
        }
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: entry.size) { buffer, filled in
            while count < entry.size, let base = buffer.baseAddress {
                // Reads a megabyte at a time, so that the deadline is checked in between.
                if let deadline = limits.deadline, ContinuousClock.now >= deadline { break }
                let got = unsafe zip.zip_fread(file, base + count, UInt64(min(entry.size - count, 1 << 20)))
                guard got > 0 else { break }
                count += Int(got)
            }
            filled = count
        }
        // libzip compares the checksum only when the end has been read.
        var beyond: UInt8 = 0
        let rest = unsafe zip.zip_fread(file, &beyond, 1)
        let closing = unsafe zip.zip_fclose(file)
        if count < entry.size { try limits.deadline.check(before: .archive, file: label) }
        guard count == entry.size, rest == 0, closing == 0 else {
            throw FlatteningError(
                .badInput, "the file in the archive is broken", file: label, stage: .archive,
                seen: "\(count) bytes", allowed: "\(entry.size) bytes whose checksum agrees")
        }
        return bytes
    }

    private static func open(
        _ path: String, _ zip: CZipFunctions
    ) throws(FlatteningError) -> OpaquePointer {
        var code: Int32 = 0
        guard let archive = unsafe zip.zip_open(path, ZIP_RDONLY, &code) else {
            throw FlatteningError(
                .badInput, "this is no ZIP archive, or a broken one", file: path, stage: .archive,
                detail: "libzip's error \(code)")
        }
        return unsafe archive
    }

    private static func isPlain(_ name: String) -> Bool {
        let parts = name.split(atScalar: "/", omittingEmptySubsequences: false)
        return !name.containsScalar("\\") && !parts.contains { $0.isEmpty || $0.hasScalarPrefix(".") }
            && parts.first != "__MACOSX"
    }

    /// Returns an entry's name in UTF-8, with slashes between folders.
    ///
    /// Windows Explorer writes non-ASCII names in an old code page, which libzip guesses, and PowerShell 5 writes
    /// backslashes. In archives from other systems, a backslash is part of the name.
    private static func name(
        _ raw: UnsafePointer<CChar>, of archive: OpaquePointer, _ index: UInt64, _ attributes: Attributes,
        _ zip: CZipFunctions
    ) -> String? {
        var name = unsafe String(validatingCString: raw)
        if name == nil {
            var status = unsafe zip_stat_t()
            guard unsafe zip.zip_stat_index(archive, index, ZIP_FL_ENC_GUESS, &status) == 0,
                unsafe status.valid & UInt64(ZIP_STAT_NAME) != 0
            else { return nil }
            name = unsafe status.name.flatMap { unsafe String(validatingCString: $0) }
        }
        guard attributes.mayHaveBackslashes else { return name }
        return name.flatMap { startsWithDrive($0) ? nil : $0.replacingScalars("\\", with: "/") }
    }

    /// Whether a name starts with a drive letter, which makes it absolute; a time of day ("12:30.png") does not count.
    private static func startsWithDrive(_ name: String) -> Bool {
        let start = Array(name.utf8.prefix(2))
        return start.count == 2 && (0x61...0x7A).contains(start[0] | 0x20) && start[1] == 0x3A
    }

    /// The information in an entry's external attributes.
    private struct Attributes {
        let isLink: Bool
        /// Whether the entry states MS-DOS or NTFS as its system. Windows tools do, and so do other tools that state no
        /// system of their own.
        let mayHaveBackslashes: Bool

        /// Nil if the attributes cannot be read.
        init?(_ archive: OpaquePointer, _ index: UInt64, _ zip: CZipFunctions) {
            var system: UInt8 = 0
            var attributes: UInt32 = 0
            guard unsafe zip.zip_file_get_external_attributes(archive, index, 0, &system, &attributes) == 0
            else {
                return nil
            }
            isLink =
                system == UInt8(ZIP_OPSYS_UNIX)
                && mode_t(truncatingIfNeeded: attributes >> 16) & S_IFMT == S_IFLNK
            mayHaveBackslashes = [UInt8(ZIP_OPSYS_DOS), UInt8(ZIP_OPSYS_WINDOWS_NTFS)].contains(system)
        }
    }
}
