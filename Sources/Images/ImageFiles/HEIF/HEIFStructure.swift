package import Diagnostics
package import LocalFiles
import Platform

/// The images that a HEIF file shows as separate pages, found from its boxes before libheif reads it (ISO/IEC 23008-12, 6
/// and 9).
package enum HEIFStructure {
    /// Bytes at the file's start that are searched for boxes. The boxes of an image of 48 tiles take 4 KiB, those of one in
    /// 1,000 tiles 80 KiB.
    private static let longestHead = 256 << 10
    /// Most groups that are read: a camera writes one.
    private static let mostGroups = 64
    /// The types of items that are images: coded ones, and those composed of others.
    private static let pictures: Set = [
        "hvc1", "av01", "avc1", "vvc1", "jpeg", "j2k1", "grid", "iden", "iovl",
    ]

    /// Number of images that a file on disk shows; 1 if it cannot be told, in which case decoding will report the error.
    /// O(items).
    package static func pageCount(ofFile path: String) -> Int {
        max(pages(in: FileStart(path: path, count: longestHead)?.bytes ?? []).count, 1)
    }

    /// The items shown as separate images, the primary one first and the others in the file's order. Leaves out tiles,
    /// thumbnails, depth and other auxiliary images, and hidden images; keeps one of each group of alternatives or stereo
    /// images.
    static func pages(in bytes: [UInt8]) -> [Int] {
        let boxes = HEIFBoxes(Array(bytes.prefix(longestHead)))
        guard let meta = boxes.meta else { return [] }
        let (all, primary) = (items(boxes, meta), boxes.primaryItem)
        let others = companions(of: Set(all), boxes, meta)
        var shown = all.filter { !others.contains($0) || $0 == primary }
        for group in groups(boxes, meta) {
            let members = shown.filter(group.contains)
            let kept = members.first { $0 == primary } ?? members.first
            shown.removeAll { $0 != kept && group.contains($0) }
        }
        return shown.filter { $0 == primary } + shown.filter { $0 != primary }
    }

    /// The images that are not hidden.
    private static func items(_ boxes: HEIFBoxes, _ meta: Range<Int>) -> [Int] {
        guard let list = boxes.child("iinf", of: meta), let version = boxes.bytes[list].first else {
            return []
        }
        return boxes.children(of: list.dropFirst(version == 0 ? 6 : 8)).compactMap { box in
            let content = box.content
            guard box.type == "infe", let version = boxes.bytes[content].first, version >= 2,
                let flags = boxes.number(at: content.lowerBound + 1, length: 3, in: content), flags & 1 == 0
            else { return nil }
            let length = version == 2 ? 2 : 4
            let type = content.lowerBound + 4 + length + 2
            guard let item = boxes.number(at: content.lowerBound + 4, length: length, in: content),
                type + 4 <= content.upperBound,
                pictures.contains(String(decoding: boxes.bytes[type..<type + 4], as: UTF8.self))
            else { return nil }
            return item
        }
    }

    /// The items that serve others: tiles, thumbnails, depth and other channels.
    private static func companions(of pictures: Set<Int>, _ boxes: HEIFBoxes, _ meta: Range<Int>) -> Set<Int>
    {
        guard let list = boxes.child("iref", of: meta), let version = boxes.bytes[list].first else {
            return []
        }
        let length = version == 0 ? 2 : 4
        var found: Set<Int> = []
        for (type, content) in boxes.children(of: list.dropFirst(4)) {
            let ids = content.lowerBound + length + 2
            guard let from = boxes.number(at: content.lowerBound, length: length, in: content),
                let count = boxes.number(at: content.lowerBound + length, length: 2, in: content)
            else { continue }
            switch type {
            case "thmb", "auxl": found.insert(from)
            // The inputs of a brightness map (gain map) are not tiles.
            case "dimg" where pictures.contains(from):
                found.formUnion(
                    (0..<min(count, content.count / length)).compactMap {
                        boxes.number(at: ids + $0 * length, length: length, in: content)
                    })
            default: break
            }
        }
        return found
    }

    /// Groups of items, only one of which is shown: alternatives, and stereo images.
    private static func groups(_ boxes: HEIFBoxes, _ meta: Range<Int>) -> [Set<Int>] {
        guard let list = boxes.child("grpl", of: meta) else { return [] }
        let groups = boxes.children(of: list).filter { ["altr", "ster"].contains($0.type) }
        return groups.prefix(mostGroups).map { _, content in
            let count = boxes.number(at: content.lowerBound + 8, length: 4, in: content) ?? 0
            return Set(
                (0..<min(count, content.count / 4)).compactMap {
                    boxes.number(at: content.lowerBound + 12 + 4 * $0, length: 4, in: content)
                })
        }
    }
}
