package import Diagnostics
package import Imaging
import Parallelism

/// Reads the codes in images with every engine that is installed.
package struct CodeReader: Sendable {
    private let hasZXing: Bool

    /// Creates a reader. ZXing-C++ is optional; without it both zbar and libdmtx are required.
    /// - Throws: `.missingDependency`, `.shortage`.
    package init() throws(FlatteningError) {
        do {
            _ = try CodeLibraries.zxing.load()
            hasZXing = true
        } catch {
            guard error.code == .missingDependency else { throw error }
            hasZXing = false
            _ = try CodeLibraries.zbar.load()
            _ = try CodeLibraries.dmtx.load()
        }
    }

    /// Whether the libraries that read codes are installed.
    package static var isThere: Bool { (try? CodeReader()) != nil }

    /// The symbologies that no installed engine reads; only ZXing-C++ reads these.
    package var unknownSymbologies: [SheetCode.Symbology] { hasZXing ? [] : [.aztec, .microQR, .pdf417] }

    /// The codes in an image, sorted from top to bottom and left to right, each with `corners` in pixels of the image.
    /// - Parameter onPartial: called when the image is too dense to be searched at all or in all views: noise, halftone,
    ///   thousands of codes.
    /// - Throws: `.shortage` if an engine runs out of memory.
    /// - Complexity: O(pixels); about 0.5 s for 3 megapixels.
    package func codes(
        in picture: GrayImage, onPartial: () -> Void = {}
    ) throws(FlatteningError) -> [SheetCode] {
        guard picture.width > 0, picture.height > 0 else { return [] }
        var found: [CodeReading] = []
        // ZXing goes first: where two readings of one place differ, ZXing's is more often right.
        if hasZXing { found = joined(try ZXingEngine().readings(in: picture), to: found) }
        if let zbar = try zbar() {
            let views = Self.zbarViews(of: picture)
            let first = try Self.readings(in: views[0], by: zbar)
            found = joined(first ?? [], to: found)
            // The other views serve codes that the first view shows badly; when this many codes were found, more views are not
            // worth the time.
            let others = found.count < Self.manyCodes ? views.dropFirst() : []
            let further = try shareOut(Array(others), longestFirst: \.image.elements.count) {
                view throws(FlatteningError) in try Self.readings(in: view, by: zbar)
            }
            for readings in further { found = joined(readings ?? [], to: found) }
            if others.isEmpty || first == nil || further.contains(where: { $0 == nil }) { onPartial() }
        }
        if !hasZXing { found = joined(try DMTXEngine().readings(in: picture, besides: found), to: found) }
        return Self.placed(found)
    }

    /// Returns what zbar reads in a view, in pixels of the image; nil if the view is too dense to be searched.
    private static func readings(
        in view: CodeView, by zbar: ZBarEngine
    ) throws(FlatteningError) -> [CodeReading]? {
        guard !isTooDense(view.image) else { return nil }
        return try zbar.readings(in: view.image).map { reading in
            var reading = reading
            reading.points = reading.points.map(view.picturePlace)
            return reading
        }
    }

    /// Returns the codes of the believable readings, sorted from top to bottom and left to right.
    private static func placed(_ readings: [CodeReading]) -> [SheetCode] {
        readings.filter(\.isBelievable).map { reading in
            var code = reading.code
            code.corners = SmallestRectangle.around(reading.points)
            return code
        }.sorted { place($0) < place($1) }
    }

    /// Returns the codes found in a single pass, by the engine that reads most. Meant for camera frames, where the next frame
    /// may show what this one missed. Places as in `codes(in:)`.
    /// - Throws: `.shortage` if an engine runs out of memory.
    /// - Complexity: O(pixels); about 12 ms for 640 x 480.
    package func codesAtOneLook(in picture: GrayImage) throws(FlatteningError) -> [SheetCode] {
        guard picture.width > 0, picture.height > 0, !Self.isTooDense(picture) else { return [] }
        let readings =
            hasZXing ? try ZXingEngine().readings(in: picture) : try ZBarEngine().readings(in: picture)
        return Self.placed(joined(readings, to: []))
    }

    /// Returns zbar; optional if ZXing is present, required otherwise.
    private func zbar() throws(FlatteningError) -> ZBarEngine? {
        do {
            return try ZBarEngine()
        } catch {
            guard hasZXing, error.code == .missingDependency else { throw error }
            return nil
        }
    }

    private static func place(_ code: SheetCode) -> (Double, Double, String) {
        let corner = code.corners?.first ?? .zero
        return (corner.y, corner.x, code.text ?? "")
    }

    // MARK: views

    /// Largest image, in pixels, that zbar also sees at twice its size: zbar needs at least two pixels per module.
    static let doubledPixels = 2_000_000
    /// Smallest image, in pixels, that zbar also sees at half its size, which averages noise.
    static let halvedPixels = 1_000_000

    /// Upper limit for the pixels of the turned view: enough for a photograph of 15 megapixels without reduction. Without a
    /// limit, a long strip would become a huge square.
    static let turnedPixels = 32_000_000.0

    /// The views passed to zbar. It scans rows and columns only; the view turned by 45 degrees lets it read bars that lie
    /// between them.
    private static func zbarViews(of picture: GrayImage) -> [CodeView] {
        let pixels = picture.width * picture.height
        var views = [CodeView(picture)]
        if pixels <= doubledPixels { views.append(.whole(picture, zoom: 2)) }
        if pixels >= halvedPixels { views.append(CodeView(halving: picture)) }
        // Turned by 45 degrees, an image fills a square whose side is the image's width plus its height over the square root of
        // 2.
        let side = Double(picture.width + picture.height)
        views.append(
            .whole(
                picture, zoom: min(1, (2 * turnedPixels).squareRoot() / max(side, 1)),
                turn: (0.5.squareRoot(), 0.5.squareRoot())))
        return views
    }

    /// With this many codes found, the other views are skipped.
    static let manyCodes = 256

    /// Largest number of edges in an image passed to zbar. zbar follows each edge for each symbology: noise of 12 megapixels,
    /// with 20 million edges, took it 29 s. Photographs of codes, receipts and pages of 12 megapixels have 0.1 to 1.2 million, a
    /// page of 3,600 QR codes 2.8 million. Scanning only every n-th row does not help: a few rows also agree on much that is no
    /// code.
    private static let mostEdges = 3_000_000
    /// Smallest grey-level difference between neighbouring pixels that counts as an edge.
    private static let edge = 24

    /// Whether an image has more edges than codes produce, as noise and halftone have.
    static func isTooDense(_ image: GrayImage) -> Bool {
        let width = image.width
        var edges = 0
        image.elements.withUnsafeBufferPointer { pixels in
            for y in 0..<image.height {
                let row = y * width
                var count = 0
                for x in row..<row + width - 1 where abs(Int(pixels[x]) - Int(pixels[x + 1])) >= edge {
                    count += 1
                }
                if y + 1 < image.height {
                    for x in row..<row + width where abs(Int(pixels[x]) - Int(pixels[x + width])) >= edge {
                        count += 1
                    }
                }
                edges += count
            }
        }
        return edges > mostEdges
    }

    // MARK: readings of one code

    /// Adds new readings to those found; readings of the same content nearby are merged.
    private func joined(_ readings: [CodeReading], to found: [CodeReading]) -> [CodeReading] {
        var found = found
        for reading in readings {
            if let index = found.firstIndex(where: { $0.isOfSameCode(as: reading) }) {
                // Other engines report other corners; only those of the first engine are kept.
                if found[index].engine == reading.engine { found[index].points += reading.points }
                // A reading without a count is believed without one, so the count stays nil.
                found[index].agreement = found[index].agreement.flatMap { one in
                    reading.agreement.map { max(one, $0) }
                }
            } else {
                found.append(reading)
            }
        }
        return found
    }
}

extension CodeReading {
    /// The mean of its points; NaN if it has none.
    var middle: SIMD2<Double> { points.reduce(.zero, +) / Double(points.count) }

    /// The mean of its points, and the distance to the farthest point.
    private var extent: (middle: SIMD2<Double>, reach: Double) {
        guard !points.isEmpty else { return (.zero, .infinity) }
        let middle = middle
        let reach = points.map { (($0 - middle) * ($0 - middle)).sum().squareRoot() }.max() ?? 0
        return (middle, reach)
    }

    /// Whether two readings are of the same printed code: the content is equal and the places overlap.
    fileprivate func isOfSameCode(as other: CodeReading) -> Bool {
        guard symbology == other.symbology, bytes == other.bytes else { return false }
        let (one, two) = (extent, other.extent)
        let step = one.middle - two.middle
        return (step * step).sum().squareRoot() <= max(2 * max(one.reach, two.reach), Self.nearness)
    }

    /// Distance in pixels within which two readings of equal content belong to one code, even if an engine reports a single
    /// point for each.
    private static let nearness = 64.0
}
