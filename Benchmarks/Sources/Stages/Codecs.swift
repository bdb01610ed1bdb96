import Foundation
import ReceiptFlattening

extension StageCase {
    /// Files to pictures and back. Encoding includes writing the file.
    static let codecs: [StageCase] = PhotographSize.all.flatMap { size in
        [
            StageCase(.codecs, "decode JPEG", size.label) { inputs in
                let file = try inputs.data("capture-\(size.megapixels)/image.jpg")
                return Work({ try RGBImage(data: file) }) { picture in
                    try require(picture.size == size.pixels, "the photograph has \(picture.size) pixels")
                    return ["mean": picture.meanLevel]
                }
            },
            StageCase(.codecs, "decode PNG", size.halfLabel) { inputs in
                let file = try inputs.data("warp-\(size.megapixels)/flat.png")
                return Work({ try RGBImage(data: file) }) { ["mean": $0.meanLevel] }
            },
            StageCase(.codecs, "encode PNG", size.halfLabel) { inputs in
                try encoding(try inputs.data("warp-\(size.megapixels)/flat.png"), to: "png", isExact: true)
            },
            StageCase(.codecs, "encode JPEG", size.halfLabel) { inputs in
                try encoding(try inputs.data("warp-\(size.megapixels)/flat.png"), to: "jpg", isExact: false)
            },
        ]
    }

    private static func encoding(_ file: Data, to format: String, isExact: Bool) throws -> Work {
        let picture = try RGBImage(data: file)
        let path = Scratch.path("encoded-\(ProcessInfo.processInfo.processIdentifier).\(format)")
        return Work({ try picture.write(to: URL(filePath: path)) }) {
            defer { try? FileManager.default.removeItem(atPath: path) }
            let written = try Data(contentsOf: URL(filePath: path))
            let again = try RGBImage(data: written)
            if isExact { try require(again == picture, "the file holds another picture") }
            return ["bytes": Double(written.count)]
        }
    }
}

/// Where files are written while they are timed: in memory where the system has such a place, since the disk is not what
/// is measured.
enum Scratch {
    static func path(_ name: String) -> String {
        let memory = "/dev/shm"
        let isThere = FileManager.default.isWritableFile(atPath: memory)
        return (isThere ? memory : NSTemporaryDirectory()) + "/" + name
    }
}

extension PhotographSize {
    /// Half of it: the size of the flat image.
    public var halfLabel: String { megapixels % 2 == 0 ? "\(megapixels / 2) MP" : "\(megapixels / 2).5 MP" }
}

extension RGBImage {
    /// The mean of all channels, to hold against a peer's.
    var meanLevel: Double {
        withBytes { bytes in Double(bytes.reduce(0) { $0 + Int($1) }) / Double(max(bytes.count, 1)) }
    }
}
