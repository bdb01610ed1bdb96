// A grey picture at another size, axis by axis: for recognisers, which read best at one height and width of type.

extension Raster where Element == UInt8 {
    /// The picture at another size, its corners kept (pixel (x, y) comes from ((x + 0.5) w / w' - 0.5, ...)).
    ///
    /// Enlarged by the Catmull-Rom cubic (Keys 1981, a = -0.5); reduced by the same cubic stretched to the reduction's
    /// factor, so that nothing aliases. The axes are independent. Beyond the rim the nearest pixel counts.
    /// O(width' · height + width' · height' · taps), in single precision with one rounding at the end.
    /// - Parameter target: both sizes at least 1; the picture itself must not be empty.
    public func resized(to target: PixelSize, threading: Threading = .allCores) -> GrayImage {
        precondition(target.width > 0 && target.height > 0, "a resized picture has at least one pixel")
        precondition(width > 0 && height > 0, "an empty picture cannot be resized")
        guard target != size else { return self }
        let across = ResizingWeights(from: width, to: target.width)
        let down = ResizingWeights(from: height, to: target.height)
        return elements.withUnsafeBufferPointer { input in
            GrayImage(width: target.width, height: target.height) { output in
                guard let source = input.baseAddress, let result = output.baseAddress else { return }
                nonisolated(unsafe) let from = source
                nonisolated(unsafe) let to = result
                forEachBand(of: 0..<target.height, threading: threading, minimumRows: 32) { band in
                    resizeBand(band, from: from, across: across, down: down, into: to)
                }
            }
        }
    }

    private func resizeBand(
        _ band: Range<Int>, from source: UnsafePointer<UInt8>, across: ResizingWeights, down: ResizingWeights,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        let columns = across.firsts.count
        // Input rows already resized across, each in the slot row % taps: consecutive output rows share most of them.
        withUnsafeTemporaryAllocation(of: Float.self, capacity: (down.taps + 1) * columns) { storage in
            let sum = UnsafeMutableBufferPointer(rebasing: storage[(down.taps * columns)...])
            var ready = -1
            for y in band {
                let first = down.firsts[y]
                for row in max(first, ready + 1)..<max(first + down.taps, ready + 1) {
                    let slot = UnsafeMutableBufferPointer(
                        rebasing: storage[((row % down.taps) * columns)..<((row % down.taps + 1) * columns)])
                    let stored = min(row, height - 1)
                    across.apply(
                        to: UnsafeBufferPointer(start: source + stored * width, count: width), into: slot)
                    ready = row
                }
                for x in 0..<columns { sum[x] = 0.5 }
                for tap in 0..<down.taps {
                    let weight = down.weights[y * down.taps + tap]
                    let slot = ((first + tap) % down.taps) * columns
                    for x in 0..<columns { sum[x] += weight * storage[slot + x] }
                }
                let line = target + y * columns
                for x in 0..<columns { line[x] = UInt8(Swift.min(Swift.max(sum[x], 0), 255)) }
            }
        }
    }
}

/// For each output position of one axis, the weights of the input positions it comes from.
private struct ResizingWeights: Sendable {
    /// The first input position of each output position, at least 0 and with all taps inside where the axis is long enough.
    var firsts: [Int] = []
    /// `taps` weights for each output position, summing to 1.
    var weights: [Float] = []
    let taps: Int
    let length: Int

    init(from length: Int, to count: Int) {
        let scale = Double(length) / Double(count)
        let stretch = max(scale, 1)
        let reach = 2 * stretch
        let taps = min(Int(reach.rounded(.up)) * 2 + 1, length)
        self.taps = taps
        self.length = length
        firsts.reserveCapacity(count)
        weights.reserveCapacity(count * taps)
        for position in 0..<count {
            let center = (Double(position) + 0.5) * scale - 0.5
            let start = Int((center - reach).rounded(.up))
            let end = Int((center + reach).rounded(.down))
            let first = min(max(start, 0), length - taps)
            var folded = [Double](repeating: 0, count: taps)
            for tap in start...max(end, start) {
                // What would lie outside is the nearest pixel inside.
                let inside = min(max(tap, 0), length - 1)
                folded[min(max(inside - first, 0), taps - 1)] += Self.cubic((Double(tap) - center) / stretch)
            }
            let total = folded.reduce(0, +)
            firsts.append(first)
            weights.append(contentsOf: folded.map { Float($0 / total) })
        }
    }

    func apply(to line: UnsafeBufferPointer<UInt8>, into result: UnsafeMutableBufferPointer<Float>) {
        weights.withUnsafeBufferPointer { weights in
            for x in result.indices {
                let first = firsts[x]
                var sum: Float = 0
                for tap in 0..<taps { sum += weights[x * taps + tap] * Float(line[first + tap]) }
                result[x] = sum
            }
        }
    }

    private static func cubic(_ distance: Double) -> Double {
        let d = abs(distance)
        if d < 1 { return (1.5 * d - 2.5) * d * d + 1 }
        return d < 2 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : 0
    }
}
