internal import CLineNetwork
package import Imaging

extension RowNetwork {
    /// Returns how sure the network is of print at each pixel.
    /// - Parameter picture: the page's brightness, both sides multiples of `step`. Letters are found from 6 to some 40 pixels of
    ///   height, best from 8 on.
    /// - Returns: for each pixel the logarithm of the odds that it lies inside a row of print.
    package func odds(of picture: GrayImage) -> Raster<Float> {
        precondition(picture.width % Self.step == 0 && picture.height % Self.step == 0)
        let work = LineWorkspace(kernel)
        let image = LineMap(
            height: picture.height, width: picture.width, channels: 1,
            numbers: picture.elements.map { (Float($0) / 255 - Self.mean) / Self.deviation })
        var map = stem.onWindows(Self.halving, relu: false, of: image, in: work)
        var sizes: [LineMap] = []
        for block in blocks {
            if block.stride == 2 { sizes.append(map) }
            map = passed(map, through: block, work)
        }
        // The first size is half of the image, which the neck does not use.
        sizes.removeFirst()
        sizes.append(map)
        return parted(joined(necks(sizes, work), work), work)
    }

    /// Mean and deviation of brightness that the network was trained with, where white is 1.
    private static let mean: Float = 0.45
    private static let deviation: Float = 0.226

    private static let halving = clinenetwork_window(side: 3, stride: 2, before: 1)
    private static let around = clinenetwork_window(side: 3, stride: 1, before: 1)

    private func passed(_ input: LineMap, through block: Block, _ work: LineWorkspace) -> LineMap {
        var map = block.neighbours(
            input, rows: block.side, stride: block.stride, columnStride: block.stride, in: work)
        if let first = block.first { bend(&map, first) }
        block.gate?.apply(to: &map, in: work)
        map = block.mixed(map, in: work)
        bend(&map, block.second)
        return map
    }

    /// Returns the neck's maps for all sizes, the finest first, with the same number of channels each.
    private func necks(_ sizes: [LineMap], _ work: LineWorkspace) -> [LineMap] {
        var coarser: LineMap?
        var necks: [LineMap] = []
        for (layer, size) in zip(widened, sizes.reversed()) {
            var map = layer.dense(size, in: work)
            layer.gate.apply(to: &map, from: 1, in: work)
            if let coarser {
                let channels = Int32(map.channels)
                coarser.read { coarse in
                    map.change {
                        clinenetwork_enlarge(
                            coarse, Int32(coarser.height), Int32(coarser.width), channels, 2, true, $0,
                            channels)
                    }
                }
            }
            coarser = map
            necks.insert(map, at: 0)
        }
        return necks
    }

    /// Joins all sizes side by side, the coarsest first, at the places of the finest one.
    private func joined(_ necks: [LineMap], _ work: LineWorkspace) -> LineMap {
        let parts = zip(narrowed, necks.reversed()).map { layer, neck in
            var part = layer.dense.onWindows(Self.around, relu: false, of: neck, in: work)
            layer.gate.apply(to: &part, from: 1, in: work)
            return part
        }
        let finest = parts[parts.count - 1]
        return LineMap(height: finest.height, width: finest.width, channels: Self.depth) { output in
            for (index, part) in parts.enumerated() {
                part.read {
                    clinenetwork_enlarge(
                        $0, Int32(part.height), Int32(part.width), Int32(part.channels),
                        Int32(finest.width / part.width), false, output + index * Self.share,
                        Int32(Self.depth))
                }
            }
        }
    }

    /// Returns the head's answer for each pixel: each place of a map becomes 2 x 2 places, and each of these 2 x 2
    /// again.
    private func parted(_ map: LineMap, _ work: LineWorkspace) -> Raster<Float> {
        let narrow = head.onWindows(Self.around, of: map, in: work)
        let halves = enlarged[0](narrow, CLINENETWORK_RELU, in: work)
        // The four places that come of one, each with a quarter of its channels, lie one after the other.
        let places = LineMap(
            height: 1, width: 4 * halves.places, channels: Self.share, numbers: halves.numbers)
        let quarters = enlarged[1](places, in: work)
        return Raster(width: 4 * map.width, height: 4 * map.height) { pixels in
            for y in 0..<4 * map.height {
                for x in 0..<4 * map.width {
                    let place = (y / 4) * map.width + x / 4
                    let half = y / 2 % 2 * 2 + x / 2 % 2
                    pixels[y * 4 * map.width + x] =
                        quarters.numbers[16 * place + 4 * half + y % 2 * 2 + x % 2]
                }
            }
        }
    }

    private func bend(_ map: inout LineMap, _ bend: Bend) {
        let count = map.numbers.count
        map.change { clinenetwork_bend($0, count, bend.gain, bend.shift) }
    }
}
