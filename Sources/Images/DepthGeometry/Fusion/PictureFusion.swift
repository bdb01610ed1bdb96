import Platform
package import Imaging
import Parallelism

/// Fuses the images of frames of one still scene: keeps the reference's image, but takes areas that are hidden or blurred
/// in it from other frames.
///
/// Frames are added one by one, and only small drafts of them are kept. Frames that the plan uses are then read once more.
package struct PictureFusion: Sendable {
    private let reference: RGBImage
    private let camera: Camera
    private let target: AlignmentTarget
    /// Positions in the scene at every `spacing`-th pixel, in the reference camera's frame.
    private let points: Raster<SIMD3<Double>>
    private let spacing: Int
    private let step: Int
    private var drafts: [FrameDraft]
    private var members: [(number: Int, map: SamplingMap, luma: GrayImage?)] = []

    /// Largest residual displacement in pixels, and smallest correlation, of an image aligned with the reference's. Chosen
    /// by reasoning: strokes of letters are about three pixels wide, so joined strokes stay whole at half a pixel; at a
    /// correlation of 0.7, one image explains half of what the other shows.
    private static let greatestResidual = 0.5
    private static let leastCorrelation = 0.7
    /// Blocks of a draft between two nodes of a sampling map.
    private static let blocksToNode = 2
    /// Smallest distance in pixels from a source position to its image's border.
    private static let margin = 2.0

    /// Starts with the reference frame, whose pixels stay where they are good.
    /// - Parameters:
    ///   - reference: the frame's image.
    ///   - depth: metric depth of the same view, preferably fused from the frames: the depth of a finger in one frame
    ///     misleads.
    ///   - camera: the frame's camera, at the image's size.
    package init(reference: RGBImage, depth: DepthMap, camera: Camera) {
        self.reference = reference
        self.camera = camera
        target = AlignmentTarget(reference)
        step = FrameDraft.step(for: reference.size)
        spacing = Self.blocksToNode * step
        points = Self.points(of: reference.size, spacing: spacing, depth: depth, camera: camera)
        drafts = [FrameDraft(reference, step: step) { _ in true }]
    }

    /// Adds a frame's image.
    /// - Parameters:
    ///   - transform: from the reference camera's frame to this one's.
    ///   - number: the number that identifies the frame.
    /// - Returns: why the frame is left out; nil if it is used.
    /// - Complexity: O(pixels).
    package mutating func add(
        _ image: RGBImage, camera: Camera, transform: RigidTransform, number: Int
    ) -> String? {
        let positions = points.map { point -> SIMD2<Float> in
            let moved = transform.apply(point)
            return moved.z > 0 ? SIMD2<Float>(camera.project(moved)) : SIMD2(.nan, .nan)
        }
        let rough = SamplingMap(outputSize: reference.size, spacing: spacing, nodes: positions)
        guard let alignment = PictureAlignment(of: image, to: target, position: { rough.source(of: $0) })
        else { return "its picture shows too little print to be laid over the reference's" }
        guard alignment.correlation >= Self.leastCorrelation, alignment.residual <= Self.greatestResidual
        else {
            return
                "its picture does not lie on the reference's: off by \(alignment.residual.rounded(places: 2)) pixels, "
                + "correlation \(alignment.correlation.rounded(places: 2))"
        }
        let nodes = Raster(width: positions.width, height: positions.height) { nodes in
            for y in 0..<positions.height {
                for x in 0..<positions.width {
                    let at = alignment.displacement(at: SIMD2(Double(x), Double(y)) * Double(spacing))
                    nodes.initializeElement(
                        at: y * positions.width + x, to: positions[x: x, y: y] + SIMD2<Float>(at))
                }
            }
        }
        let map = SamplingMap(outputSize: reference.size, spacing: spacing, nodes: nodes)
        let end = SIMD2(Double(image.width), Double(image.height)) - 1 - Self.margin
        drafts.append(
            FrameDraft(image.resampled(through: map), step: step) { pixel in
                let source = map.source(of: pixel)
                return source.x >= Self.margin && source.y >= Self.margin && source.x <= end.x
                    && source.y <= end.y
            })
        members.append((number, map, mayBeFiner ? image.gray() : nil))
        return nil
    }

    /// Whether finer pixels are attempted; if so, the frames' brightness is kept.
    private var mayBeFiner: Bool { reference.size.pixelCount <= FinerBrightness.mostPixels }

    /// Returns the fused image, after all frames have been added.
    /// - Parameter image: reads the image of an added frame once more.
    /// - Returns: nil if nothing is gained: the reference's image is the best of all.
    /// - Complexity: O(pixels) for each frame that something is taken from.
    package func fused<Failure: Error>(
        image: (_ number: Int) throws(Failure) -> RGBImage
    ) throws(Failure) -> FusedPicture? {
        guard !members.isEmpty else { return nil }
        let plan = PicturePlan(drafts)
        let mixed = try mixed(by: plan, image: image)
        guard let finer = finer(plan) else { return mixed }
        let nothing = Raster<Float>(
            width: drafts[0].colors.width, height: drafts[0].colors.height, filledWith: 0)
        return FusedPicture(
            image: (mixed?.image ?? reference).with(finer), frames: mixed?.frames ?? [],
            taken: mixed?.taken ?? nothing, step: FinerBrightness.factor * step, finer: finer.gain)
    }

    /// The reference's image with the parts that the plan takes from other frames; nil if there are none.
    private func mixed<Failure: Error>(
        by plan: PicturePlan, image: (_ number: Int) throws(Failure) -> RGBImage
    ) throws(Failure) -> FusedPicture? {
        let contributing = plan.contributing
        guard !contributing.isEmpty else { return nil }
        var picture = reference
        var total = plan.weights[0]
        for frame in contributing {
            // Frames are mixed in one by one: each takes its share of the mixture so far.
            let own = plan.weights[frame]
            total = Raster(
                width: total.width, height: total.height, elements: zip(total.elements, own.elements).map(+))
            let shares = Raster(
                width: own.width, height: own.height,
                elements: zip(own.elements, total.elements).map { $1 > 0 ? $0 / $1 : 0 })
            let (number, map, _) = members[frame - 1]
            picture.mix(
                try image(number), through: map, shares: shares, gains: plan.gains[frame], step: step)
        }
        return FusedPicture(
            image: picture, frames: contributing.map { members[$0 - 1].number },
            taken: plan.weights[0].map { 1 - $0 }, step: step)
    }

    /// The finer brightness from all frames, between the reference's pixels; nil if it gains nothing.
    private func finer(_ plan: PicturePlan) -> FinerBrightness? {
        guard mayBeFiner else { return nil }
        let own = FinerBrightness.Frame(
            luma: reference.gray(),
            map: SamplingMap(outputSize: reference.size, spacing: spacing) { $0 },
            says: plan.says[0], gains: plan.gains[0].map(Self.ofLuma))
        let others = members.indices.compactMap { index -> FinerBrightness.Frame? in
            members[index].luma.map { luma in
                FinerBrightness.Frame(
                    luma: luma, map: members[index].map, says: plan.says[index + 1],
                    gains: plan.gains[index + 1].map(Self.ofLuma))
            }
        }
        return FinerBrightness([own] + others, step: step)
    }

    /// The factor for brightness, with the channel weights of ITU-R BT.601.
    private static func ofLuma(_ gains: SIMD3<Float>) -> Float { (gains * SIMD3(0.299, 0.587, 0.114)).sum() }

    /// Points of the scene on a grid of pixels: means of the readings, with holes filled from their surroundings, then
    /// smoothed, because single readings are noisier than a sheet is rough.
    private static func points(
        of size: PixelSize, spacing: Int, depth: DepthMap, camera: Camera
    ) -> Raster<SIMD3<Double>> {
        let nodes = SamplingMap.nodeSize(outputSize: size, spacing: spacing)
        let scale = SIMD2(
            Double(depth.width) / Double(size.width), Double(depth.height) / Double(size.height))
        // Half a cell each way; the range covers at least one reading.
        let reach = scale * Double(spacing) / 2
        var inverse = Raster<Double>(width: nodes.width, height: nodes.height, filledWith: .nan)
        for j in 0..<nodes.height {
            for i in 0..<nodes.width {
                let middle = (SIMD2(Double(i), Double(j)) * Double(spacing) + 0.5) * scale
                func range(_ middle: Double, _ reach: Double, _ count: Int) -> ClosedRange<Int> {
                    let first = min(max(Int((middle - reach).rounded(.down)), 0), count - 1)
                    return first...min(max(Int((middle + reach).rounded(.up)) - 1, first), count - 1)
                }
                var (sum, count) = (0.0, 0)
                for y in range(middle.y, reach.y, depth.height) {
                    for x in range(middle.x, reach.x, depth.width) where depth[x: x, y: y] > 0 {
                        sum += 1 / Double(depth[x: x, y: y])
                        count += 1
                    }
                }
                if count > 0 { inverse[x: i, y: j] = sum / Double(count) }
            }
        }
        inverse = inverse.withHolesFilled()
        for _ in 0..<2 { inverse = inverse.smoothed { ($0 + 2 * $1 + $2) / 4 } }
        return Raster(
            width: nodes.width, height: nodes.height,
            elements: (0..<nodes.pixelCount).map { index in
                let pixel = SIMD2(Double(index % nodes.width), Double(index / nodes.width)) * Double(spacing)
                return camera.unproject(pixel, depth: 1 / inverse.elements[index])
            })
    }
}

/// An image made of several frames.
package struct FusedPicture: Sendable {
    /// The image, from the reference's viewpoint and in its light.
    package let image: RGBImage
    /// The frames beside the reference that contributed parts.
    package let frames: [Int]
    /// The share of other frames, 0 to 1, by blocks of `step` x `step` pixels.
    package let taken: Raster<Float>
    /// Side of a block in pixels.
    package let step: Int
    /// See `FusionRecord.finer`.
    package var finer: Double?
}

extension Raster where Element == RGB {
    /// Mixes in another image, seen through a map, where its share is more than 0.
    fileprivate mutating func mix(
        _ other: RGBImage, through map: SamplingMap, shares: Raster<Float>, gains: Raster<SIMD3<Float>>,
        step: Int
    ) {
        let (width, height) = (width, height)
        elements.withUnsafeMutableBufferPointer { pixels in
            let rows = DisjointRows(pixels, rowLength: width)
            forEachBand(of: 0..<shares.height, threading: .allCores, minimumRows: 4) { band in
                // Shares are interpolated between the centres of blocks, so the blocks next to the band count too.
                let near = max(band.lowerBound - 1, 0)..<min(band.upperBound + 1, shares.height)
                let used = near.lowerBound * shares.width..<near.upperBound * shares.width
                guard shares.elements[used].contains(where: { $0 > 0 }) else { return }
                let lines = band.lowerBound * step..<min(band.upperBound * step, height)
                let seen = RGBImage(width: width, height: lines.count) { seen in
                    other.resample(through: map, rows: lines, threading: .single, into: seen)
                }
                for y in lines {
                    let row = rows[y]
                    for x in 0..<width {
                        let place = (SIMD2(Double(x), Double(y)) + 0.5) / Double(step) - 0.5
                        let cell = BilinearCell(
                            holding: place, columns: shares.width, rows: shares.height)
                        let share = cell.weighted { (index: Int) -> Float in shares.elements[index] }
                        guard share > 0 else { continue }
                        let gain = gains[x: x / step, y: y / step]
                        row[x] = row[x].mixed(
                            with: seen[x: x, y: y - lines.lowerBound], gain: gain, share: share)
                    }
                }
            }
        }
    }
}

extension RGBImage {
    /// The image with finer pixels: its own colours, enlarged, with the finer brightness.
    fileprivate func with(_ finer: FinerBrightness) -> RGBImage {
        var picture = enlarged(by: Double(FinerBrightness.factor))
        let width = picture.width
        let cell = Double(FinerBrightness.factor * FinerBrightness.cell)
        picture.elements.withUnsafeMutableBufferPointer { pixels in
            let rows = DisjointRows(pixels, rowLength: width)
            forEachBand(of: 0..<finer.values.height, threading: .allCores) { band in
                for y in band {
                    let row = rows[y]
                    for x in 0..<width {
                        let share = BilinearCell(
                            holding: (SIMD2(Double(x), Double(y)) + 0.5) / cell - 0.5,
                            columns: finer.shares.width, rows: finer.shares.height
                        ).weighted { (index: Int) -> Float in finer.shares.elements[index] }
                        guard share > 0 else { continue }
                        row[x] = row[x].brighter(by: share * (finer.values[x: x, y: y] - Float(row[x].luma)))
                    }
                }
            }
        }
        return picture
    }
}

extension RGB {
    fileprivate func brighter(by difference: Float) -> RGB {
        let sum = (SIMD3(Float(red), Float(green), Float(blue)) + difference + 0.5)
            .clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
        return RGB(red: UInt8(sum.x), green: UInt8(sum.y), blue: UInt8(sum.z))
    }

    fileprivate func mixed(with other: RGB, gain: SIMD3<Float>, share: Float) -> RGB {
        let own = SIMD3(Float(red), Float(green), Float(blue))
        let theirs = SIMD3(Float(other.red), Float(other.green), Float(other.blue)) * gain
        let sum = (own * (1 - share) + theirs * share + 0.5)
            .clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
        return RGB(red: UInt8(sum.x), green: UInt8(sum.y), blue: UInt8(sum.z))
    }
}

extension Raster where Element == Double {
    /// Replaces NaN elements by the mean of their valid neighbours, ring after ring; by 1 if there are no valid elements.
    fileprivate func withHolesFilled() -> Raster {
        var filled = self
        var holes = filled.elements.indices.filter { filled.elements[$0].isNaN }
        while !holes.isEmpty {
            let before = filled
            var left: [Int] = []
            for index in holes {
                let (column, row) = (index % width, index / width)
                var (sum, count) = (0.0, 0)
                for y in Swift.max(row - 1, 0)...Swift.min(row + 1, height - 1) {
                    for x in Swift.max(column - 1, 0)...Swift.min(column + 1, width - 1)
                    where !before[x: x, y: y].isNaN {
                        sum += before[x: x, y: y]
                        count += 1
                    }
                }
                if count > 0 { filled.elements[index] = sum / Double(count) } else { left.append(index) }
            }
            guard left.count < holes.count else { return filled.map { $0.isNaN ? 1 : $0 } }
            holes = left
        }
        return filled
    }
}

extension Double {
    fileprivate func rounded(places: Int) -> Double {
        let unit = pow(10, Double(places))
        return (self * unit).rounded() / unit
    }
}
