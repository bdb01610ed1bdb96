import DepthGeometry
import Imaging
import SheetFlattening
import RobustStatistics

/// A frame at the working size of guidance, with the measurements taken on it.
struct GuidanceView {
    typealias Luma = LumaPyramid

    /// The image, reduced.
    let image: RGBImage
    /// Its brightness.
    let luma: Luma
    /// The frame's depth, unchanged.
    let depth: DepthMap?

    private let frame: Capture
    private let reduced: ReducedPicture

    /// Reduces a frame by the least whole factor that leaves at most `longestSide` pixels per side. O(pixels).
    init(_ frame: Capture, longestSide: Int) {
        self.frame = frame
        reduced = ReducedPicture(reducing: ReducedPicture(frame.image), toLongestSide: longestSide)
        image = reduced.image
        luma = LumaPyramid(image)
        depth = frame.depth
    }

    /// The working image's size.
    var size: PixelSize { image.size }
    /// Its longer side in pixels.
    var longerSide: Double { Double(max(size.width, size.height)) }

    /// Converts a position from the working image to the frame's image.
    func inFrame(_ point: SIMD2<Double>) -> SIMD2<Double> { reduced.photographPoint(point) }

    /// Converts a step from the working image to the frame's image.
    func stepInFrame(_ step: SIMD2<Double>) -> SIMD2<Double> { step * Double(reduced.factor) }

    /// Converts an outline from the working image to the frame's image.
    func inFrame(_ outline: SheetOutline) -> SheetOutline {
        reduced.factor == 1
            ? outline : outline.mapped(to: frame.image.size, reduced.photographPoint)
    }

    /// The pattern of the sheet with these corners; nil without corners.
    func pattern(_ corners: [SIMD2<Double>]?) -> SheetPattern? {
        let level = min(2, luma.levels.count - 1)
        let scale = Double(1 << level)
        return corners.flatMap {
            SheetPattern(luma.level(level), corners: $0.map { ($0 + 0.5) / scale - 0.5 })
        }
    }

    /// Searches for the sheet; if there are several, takes the one nearest the middle of the image. The result is in the
    /// working image's pixels; nil if none is found.
    /// - Parameters:
    ///   - inMiddle: whether to search only the middle half of the image, where a sheet that is too small in the whole image
    ///     appears at twice the size.
    ///   - held: the tracked sheet. Another sheet must be nearer the middle by `switchingShare`.
    func search(inMiddle: Bool, holding held: SheetOutline? = nil) -> SheetOutline? {
        guard inMiddle else {
            return nearestMiddle(of: SheetOutline.find(in: image, looksNearer: false).outlines, holding: held)
        }
        let (left, top) = (size.width / 4, size.height / 4)
        let half = PixelSize(width: size.width / 2, height: size.height / 2)
        let middle = unsafe RGBImage(width: half.width, height: half.height) { pixels in
            for y in 0..<half.height {
                let row = (top + y) * size.width + left
                _ = unsafe UnsafeMutableBufferPointer(rebasing: pixels[y * half.width..<(y + 1) * half.width])
                    .initialize(from: image.elements[row..<row + half.width])
            }
        }
        let whole = SheetOutline.find(in: middle, looksNearer: false).outlines.filter { $0.borderShare == 0 }
            .map { $0.mapped(to: size) { $0 + SIMD2(Double(left), Double(top)) } }
        return nearestMiddle(of: whole, holding: held)
    }

    /// How much nearer the middle another sheet must be than the tracked one, as a share of the longer side: a hand's tremor
    /// must not switch between two similar sheets in every frame.
    private static let switchingShare = 0.1

    /// The outline nearest the middle of the image, where people aim; if several contain the middle, the first of them.
    func nearestMiddle(of outlines: [SheetOutline], holding held: SheetOutline? = nil) -> SheetOutline? {
        let middle = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
        let lead = Self.switchingShare * longerSide
        func distance(_ outline: SheetOutline) -> Double {
            let isHeld = held.map { $0.overlap(with: outline) >= SheetFollower.overlaps.sheet } ?? false
            return outline.distance(to: middle) - (isHeld ? lead : 0)
        }
        // Of equal distances, `min(by:)` returns the first.
        return outlines.map { (outline: $0, distance: distance($0)) }.min { $0.distance < $1.distance }?
            .outline
    }

    // MARK: Measuring

    /// Measures how well a sheet is seen.
    /// - Parameters:
    ///   - outline: the outline in the working image; nil without a sheet.
    ///   - motion: in longer sides per second.
    func quality(of outline: SheetOutline?, motion: Double?) -> ReceiptGuidance.Quality {
        let box = (outline ?? .wholePicture(size)).pixelBox
        let light = light(on: outline)
        let pose = outline.flatMap(pose)
        return ReceiptGuidance.Quality(
            sharpness: luma.fineDetail(columns: box.columns, rows: box.rows), brightness: light.brightness,
            glare: outline == nil ? 0 : light.blownShare, tilt: pose?.tilt, distance: pose?.distance,
            extent: outline == nil
                ? 0
                : min(
                    max(
                        Double(box.columns.count) / Double(size.width),
                        Double(box.rows.count) / Double(size.height)), 1),
            motion: motion, wholeness: outline.map { 1 - $0.borderShare } ?? 0)
    }

    /// The upper quartile of the brightness on the sheet, 0 to 1, and the share of the sheet that is overexposed.
    private func light(on outline: SheetOutline?) -> (brightness: Double, blownShare: Double) {
        let small = luma.level(2)
        var histogram = [Int](repeating: 0, count: 256)
        if let mask = outline?.mask(size: small.size) {
            for (value, isOnSheet) in zip(small.elements, mask.elements) where isOnSheet {
                histogram[Int(value)] += 1
            }
        }
        var count = histogram.reduce(0, +)
        if count == 0 {
            for value in small.elements { histogram[Int(value)] += 1 }
            count = small.elements.count
        }
        guard count > 0 else { return (0, 0) }
        var brighter = count
        let quartile = histogram.firstIndex { pixels in
            brighter -= pixels
            return 4 * brighter < count
        }
        // Clipped channels end at 255; noise and averaging over four pixels reduce that a little.
        let blown = histogram[252...].reduce(0, +)
        return (Double(quartile ?? 0) / 255, Double(blown) / Double(count))
    }

    /// The sheet's tilt and distance: from metric depth, else the tilt alone, from the corners.
    private func pose(of outline: SheetOutline) -> (tilt: Double?, distance: Double?)? {
        let camera = frame.intrinsics ?? .assumed(imageSize: frame.image.size)
        if let points = depthPoints(on: outline), let plane = try? Plane.fit(to: points).model {
            return (Self.acute(plane.tilt), points.map { Double($0.z) }.upperMedian())
        }
        guard let corners = outline.corners else { return nil }
        let ideal = Camera(intrinsics: camera.scaled(to: frame.image.size), distortion: frame.distortion)
        let places = corners.map(inFrame)
        let pose = Quadrilateral(
            topLeft: places[0], topRight: places[1], bottomRight: places[2], bottomLeft: places[3]
        ).pose(camera: ideal)
        return pose.map { (Self.acute($0.plane.tilt), nil) }
    }

    private static func acute(_ angle: Double) -> Double { min(angle, .pi - angle) }

    /// Points of the sheet from metric depth, at most a few thousand; nil if there are too few.
    private func depthPoints(on outline: SheetOutline) -> [SIMD3<Float>]? {
        guard let depth, depth.scale == .metric, let intrinsics = frame.intrinsics else { return nil }
        let coarse = PixelSize(width: min(depth.width, 80), height: min(depth.height, 80))
        let mask = outline.mask(size: coarse)
        let camera = Camera(intrinsics: intrinsics.scaled(to: frame.image.size), distortion: frame.distortion)
        var points: [SIMD3<Float>] = []
        for y in 0..<coarse.height {
            for x in 0..<coarse.width where mask[x: x, y: y] {
                let place =
                    (SIMD2(Double(x), Double(y)) + 0.5) / SIMD2(Double(coarse.width), Double(coarse.height))
                let column = min(Int(place.x * Double(depth.width)), depth.width - 1)
                let row = min(Int(place.y * Double(depth.height)), depth.height - 1)
                let reading = depth[x: column, y: row]
                guard !reading.isNaN else { continue }
                let scale = SIMD2(
                    Double(frame.image.width) / Double(depth.width),
                    Double(frame.image.height) / Double(depth.height))
                let pixel = (SIMD2(Double(column), Double(row)) + 0.5) * scale - 0.5
                points.append(SIMD3<Float>(camera.unproject(pixel, depth: Double(reading))))
            }
        }
        return points.count >= 50 ? points : nil
    }
}

extension SheetOutline {
    /// The same outline elsewhere, or in an image of another size.
    fileprivate func mapped(to size: PixelSize, _ place: (SIMD2<Double>) -> SIMD2<Double>) -> SheetOutline {
        SheetOutline(
            imageSize: size, polygon: polygon.map(place), cornerIndices: cornerIndices,
            confidence: confidence,
            borderShare: borderShare)
    }

    /// The distance of a point from the sheet, in pixels; 0 on it. O(vertices).
    func distance(to place: SIMD2<Double>) -> Double {
        guard !contains(place) else { return 0 }
        return polygon.indices.map { index in
            distanceToSegment(place, polygon[index], polygon[(index + 1) % polygon.count])
        }.min() ?? .infinity
    }

    /// The same outline, shifted.
    func moved(by shift: SIMD2<Double>) -> SheetOutline { mapped(to: imageSize) { $0 + shift } }
}
