package import Imaging
package import Parallelism
internal import CSheetNetwork

extension SheetNetwork {
    /// Returns where sheets are in an image.
    ///
    /// Squashing takes O(pixels). Then follows a fixed number of operations: about 3,600 multiplications a pixel of
    /// `side` x `side` at the widths that ship.
    /// - Parameters:
    ///   - picture: of any size but empty; its sides may differ.
    ///   - side: the side that it is squashed to, see `allows(side:)`. The network is trained at 256 to 384.
    ///   - threading: how many cores share the work.
    package func field(of picture: RGBImage, side: Int, threading: Threading = .allCores) -> SheetField {
        field(of: SquashedPicture(picture, side: side, threading: threading), threading: threading)
    }

    /// Returns where sheets are in an image that is already squashed.
    package func field(of picture: SquashedPicture, threading: Threading = .allCores) -> SheetField {
        let arena = Arena(side: picture.side, widths: widths)
        defer { arena.deallocate() }
        let (seen, first, second) = (arena.seen, arena.first, arena.second)
        let side = { level in picture.side >> (level + 1) }

        picture.values.withUnsafeBufferPointer { values in
            guard let base = values.baseAddress else { return }
            csheetnetwork_enter(base, Int32(side(0)), first)
        }
        stem[0](first, side: side(0), kernel: kernel, threading: threading, into: second)
        stem[1](second, side: side(0), kernel: kernel, threading: threading, into: seen[0])

        for (i, level) in levels.enumerated() {
            let here = seen[i + 1]
            csheetnetwork_split(seen[i], Int32(widths[i]), Int32(side(i + 1)), first)
            level.down(first, side: side(i + 1), kernel: kernel, threading: threading, into: here)
            for block in level.blocks {
                block.first(here, side: side(i + 1), kernel: kernel, threading: threading, into: first)
                block.second(
                    first, side: side(i + 1), adding: here, kernel: kernel, threading: threading, into: here)
            }
        }

        let coarsest = levels.count
        var means = [Float](repeating: 0, count: widths[coarsest])
        csheetnetwork_means(seen[coarsest], Int32(means.count), Int32(side(coarsest)), &means)
        let presence = presence(means)[0]
        let shares = everywhere(means).map { $0 > 0 ? $0 : 0 }
        csheetnetwork_add(shares, Int32(shares.count), Int32(side(coarsest)), seen[coarsest])

        for (step, i) in zip(steps, levels.indices.reversed()) {
            let (above, here) = (seen[i + 1], seen[i])
            step.narrow(
                above, side: side(i + 1), rectified: false, kernel: kernel, threading: threading, into: first)
            csheetnetwork_double(first, Int32(widths[i]), Int32(side(i + 1)), second)
            step.skip(here, side: side(i), adding: second, kernel: kernel, threading: threading, into: second)
            // What the way down stored here is not needed any more.
            step.mix(second, side: side(i), kernel: kernel, threading: threading, into: here)
        }

        head(seen[0], side: side(0), rectified: false, kernel: kernel, threading: threading, into: first)
        let length = csheetnetwork_map_length(Int32(side(0)))
        return SheetField(
            side: side(0), sheet: probabilities(first, side: side(0)),
            border: probabilities(first + length, side: side(0)),
            presence: csheetnetwork_probability(presence))
    }

    private func probabilities(_ map: UnsafePointer<Float>, side: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: side * side) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            csheetnetwork_probabilities(map, Int32(side), base)
            count = side * side
        }
    }
}

/// All memory of one run: the maps of each level, which the way up needs again, and two buffers for intermediate maps.
private struct Arena {
    let seen: [UnsafeMutablePointer<Float>]
    let first: UnsafeMutablePointer<Float>
    let second: UnsafeMutablePointer<Float>
    private let memory: UnsafeMutableRawPointer

    init(side: Int, widths: [Int]) {
        var seenLengths: [Int] = []
        var (firstLength, secondLength) = (0, 0)
        for (level, width) in widths.enumerated() {
            let length = csheetnetwork_map_length(Int32(side >> (level + 1)))
            // Each map that is halved into this level is split into four.
            let halved = level == 0 ? 3 : widths[level - 1]
            // That is enough for the way up from here too, which has as many maps as the level above.
            firstLength = max(firstLength, length * max(4 * halved, width, 2))
            secondLength = max(secondLength, length * width)
            seenLengths.append(length * width)
        }
        let count = seenLengths.reduce(firstLength + secondLength, +)
        memory = .allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
        var next = memory.initializeMemory(as: Float.self, repeating: 0, count: count)
        var seen: [UnsafeMutablePointer<Float>] = []
        for length in seenLengths {
            seen.append(next)
            next += length
        }
        self.seen = seen
        first = next
        second = next + firstLength
    }

    func deallocate() { memory.deallocate() }
}
