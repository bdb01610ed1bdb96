import Foundation
@testable import Captures
@testable import ImageFiles
@testable import Imaging
@testable import LocalFiles
import ReceiptFlattening

/// A capture folder of which one file is what libFuzzer makes of the seeds, and all others are as they should be.
struct FuzzedFolder: Sendable {
    private let folder: String
    /// The file that changes.
    private let path: String

    /// Lays the files that stay.
    init(changing name: String, beside files: [String: [UInt8]]) {
        folder = NSTemporaryDirectory() + "fuzz-\(UUID().uuidString)"
        path = folder + "/" + name
        for (other, content) in files { Self.write(content, to: folder + "/" + other) }
    }

    /// Reads the folder with this content of the file.
    func read(_ bytes: [UInt8], limits: FlatteningLimits) {
        Self.write(bytes, to: path)
        Self.read(folder, limits: limits)
    }

    /// Reads a recording as those do who want to see what is in it: its first and its middle frame.
    static func read(_ path: String, limits: FlatteningLimits) {
        guard let recording = try? Recording.open(path, limits: limits) else { return }
        for index in Set([0, recording.middleIndex]) { _ = try? recording.frame(at: index) }
    }

    static func write(_ bytes: [UInt8], to path: String) {
        let manager = FileManager.default
        if !manager.createFile(atPath: path, contents: Data(bytes)) {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try? manager.createDirectory(at: folder, withIntermediateDirectories: true)
            guard manager.createFile(atPath: path, contents: Data(bytes)) else {
                fatalError("\(path) cannot be written")
            }
        }
    }
}

/// A whole capture folder, written anew from bytes: a line with a name and a length, so many bytes, and so on.
enum PackedFolder {
    private static let folder = NSTemporaryDirectory() + "fuzz-\(UUID().uuidString)"

    static func read(_ bytes: [UInt8], limits: FlatteningLimits) {
        try? FileManager.default.removeItem(atPath: folder)
        var rest = bytes[...]
        for _ in 0..<16 {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { break }
            let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
            rest = rest[(end + 1)...]
            guard words.count == 2, let length = Int(words[1]), length >= 0 else { continue }
            let content = rest.prefix(length)
            rest = rest.dropFirst(content.count)
            if let name = Self.harmless(words[0]) {
                FuzzedFolder.write(Array(content), to: folder + "/" + name)
            }
        }
        FuzzedFolder.read(folder, limits: limits)
    }

    /// A name that leads nowhere but into the folder, and to no other program (videos are read by one).
    private static func harmless(_ name: Substring) -> String? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.count <= 40 && part.first != "."
                && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
        }
        return isPlain && parts.count <= 4 && !name.hasSuffix(".mp4") ? String(name) : nil
    }
}
