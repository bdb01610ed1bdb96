import Imaging

/// Which part of an image of a HEIF file is shown, and how it is turned: the `clap`, `irot` and `imir` properties of
/// ISO/IEC 23008-12, 6.5.9 to 6.5.12, in the order in which they are associated. (HEIF ignores EXIF's orientation.)
struct HEIFTransformations {
    /// How the visible part must be turned.
    private(set) var orientation = ImageOrientation.up
    /// The visible part, in pixels as stored: encoders pad images to the blocks that they code.
    private(set) var columns: Range<Int>
    private(set) var rows: Range<Int>
    private let boxes: HEIFBoxes

    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - item: the image's item number; nil for the primary image.
    ///   - storedSize: the image's size before cropping and turning.
    init(of bytes: [UInt8], item: Int? = nil, storedSize: PixelSize) {
        boxes = HEIFBoxes(bytes)
        (columns, rows) = (0..<storedSize.width, 0..<storedSize.height)
        var isCropped = false
        for (type, content) in properties(of: item ?? boxes.primaryItem) {
            guard let value = boxes.bytes[content].first else { continue }
            switch type {
            case "clap":
                // Only once, as the standard demands.
                guard !isCropped, let part = aperture(content, storedSize: storedSize) else { continue }
                (columns, rows) = part
                isCropped = true
            case "irot":
                // Quarter turns counter-clockwise.
                let turns: [ImageOrientation] = [.up, .left, .down, .right]
                orientation = orientation.followed(by: turns[Int(value & 3)])
            case "imir":
                // 0 mirrors about a vertical axis (left to right), 1 about a horizontal one.
                orientation = orientation.followed(by: value & 1 == 0 ? .upMirrored : .downMirrored)
            default: break
            }
        }
    }

    /// The clean aperture (ISO/IEC 14496-12, 12.1.4), turned back to pixels as stored; nil unless it lies within the image.
    private func aperture(
        _ content: Range<Int>, storedSize: PixelSize
    ) -> (columns: Range<Int>, rows: Range<Int>)? {
        let numbers = (0..<8).compactMap {
            boxes.number(at: content.lowerBound + 4 * $0, length: 4, in: content)
        }
        guard numbers.count == 8 else { return nil }
        /// A quotient of two of the numbers; offsets may be negative.
        func quotient(_ index: Int) -> Double {
            Double(Int32(truncatingIfNeeded: numbers[index])) / Double(numbers[index + 1])
        }
        /// The part of a side covered by an aperture of the given length, whose centre lies `offset` from the side's
        /// centre.
        func part(of side: Int, length: Double, offset: Double) -> Range<Int>? {
            let first = ((Double(side) - length) / 2 + offset).rounded()
            guard length >= 1, first >= 0, first + length.rounded(.down) <= Double(side) else { return nil }
            return Int(first)..<Int(first) + Int(length)
        }
        let turned = orientation.size(turning: storedSize)
        guard let across = part(of: turned.width, length: quotient(0), offset: quotient(4)),
            let down = part(of: turned.height, length: quotient(2), offset: quotient(6))
        else { return nil }
        let corners = [(across.lowerBound, down.lowerBound), (across.upperBound - 1, down.upperBound - 1)].map
        {
            orientation.inverse.turn(SIMD2(Double($0), Double($1)), in: turned)
        }
        let (low, high) = (pointwiseMin(corners[0], corners[1]), pointwiseMax(corners[0], corners[1]))
        return (Int(low.x)..<Int(high.x) + 1, Int(low.y)..<Int(high.y) + 1)
    }

    /// An image's properties in the order of their association.
    private func properties(of item: Int?) -> [(type: String, content: Range<Int>)] {
        guard let item, let meta = boxes.meta, let properties = boxes.child("iprp", of: meta),
            let container = boxes.child("ipco", of: properties),
            let association = boxes.child("ipma", of: properties)
        else { return [] }
        let all = boxes.children(of: container)
        return indices(ofItem: item, in: association).compactMap { index in
            all.indices.contains(index - 1) ? all[index - 1] : nil
        }
    }

    /// The indices of an item's properties, counted from 1.
    private func indices(ofItem item: Int, in association: Range<Int>) -> [Int] {
        guard let head = boxes.number(at: association.lowerBound, length: 4, in: association),
            let count = boxes.number(at: association.lowerBound + 4, length: 4, in: association)
        else { return [] }
        let idLength = head >> 24 == 0 ? 2 : 4
        let indexLength = head & 1 == 1 ? 2 : 1
        var position = association.lowerBound + 8
        for _ in 0..<count {
            guard let id = boxes.number(at: position, length: idLength, in: association),
                let entries = boxes.number(at: position + idLength, length: 1, in: association)
            else { return [] }
            position += idLength + 1
            if id == item {
                return (0..<entries).compactMap { entry in
                    boxes.number(at: position + entry * indexLength, length: indexLength, in: association)
                        .map { $0 & (indexLength == 2 ? 0x7FFF : 0x7F) }
                }
            }
            position += entries * indexLength
        }
        return []
    }
}

extension ImageOrientation {
    /// The single turn that equals this turn followed by `next`.
    func followed(by next: ImageOrientation) -> ImageOrientation {
        // For an image of 2 x 3, no two turns map these points to the same places.
        let size = PixelSize(width: 2, height: 3)
        let points = [SIMD2(0.0, 0), SIMD2(1.0, 0), SIMD2(0.0, 2)]
        let turned = points.map { next.turn(turn($0, in: size), in: self.size(turning: size)) }
        return Self.allCases.first { one in points.map { one.turn($0, in: size) } == turned } ?? .up
    }
}
