package import Diagnostics
package import Imaging
import Parallelism

/// Reads the codes in pictures with all engines that are there.
package struct CodeReader: Sendable {
    private let hasZXing: Bool

    /// A reader. ZXing-C++ is optional; without it zbar and libdmtx are needed.
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

    /// Whether the libraries that read codes are there.
    package static var isThere: Bool { (try? CodeReader()) != nil }

    /// The symbologies that no engine that is there reads: those that ZXing-C++ alone knows.
    package var unknownSymbologies: [SheetCode.Symbology] { hasZXing ? [] : [.aztec, .microQR, .pdf417] }

    /// The codes in a picture, from above and from the left, each with `corners` in pixels of the picture.
    /// - Parameter onPartial: called where the picture is too dense to be looked at, or in all ways: noise, halftone, thousands of codes.
    /// - Throws: `.shortage` where an engine finds no memory.
    /// - Complexity: O(pixels); some 0.5 s for 3 megapixels.
    package func codes(
        in picture: GrayImage, onPartial: () -> Void = {}
    ) throws(FlatteningError) -> [SheetCode] {
        guard picture.width > 0, picture.height > 0 else { return [] }
        var found: [CodeReading] = []
        // ZXing first: of two readings of one place it is more often right.
        if hasZXing { found = joined(try ZXingEngine().readings(in: picture), to: found) }
        if let zbar = try zbar() {
            let views = Self.zbarViews(of: picture)
            let first = try Self.readings(in: views[0], by: zbar)
            found = joined(first ?? [], to: found)
            // The other views are for codes that the first does not show well; so many are not all of that kind.
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

    /// What zbar reads in a view, in pixels of the picture; nil where it is too dense to be looked at.
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

    /// The codes of those readings that may be believed, from above and from the left.
    private static func placed(_ readings: [CodeReading]) -> [SheetCode] {
        readings.filter(\.isBelievable).map { reading in
            var code = reading.code
            code.corners = SmallestRectangle.around(reading.points)
            return code
        }.sorted { place($0) < place($1) }
    }

    /// The codes that one look at a picture shows, by the engine that reads most: for the frames of a camera, of which the next
    /// one shows what this one did not. Places as in `codes(in:)`.
    /// - Throws: `.shortage` where an engine finds no memory.
    /// - Complexity: O(pixels); some 12 ms for 640 x 480.
    package func codesAtOneLook(in picture: GrayImage) throws(FlatteningError) -> [SheetCode] {
        guard picture.width > 0, picture.height > 0, !Self.isTooDense(picture) else { return [] }
        let readings =
            hasZXing ? try ZXingEngine().readings(in: picture) : try ZBarEngine().readings(in: picture)
        return Self.placed(joined(readings, to: []))
    }

    /// zbar, beside ZXing only where it is there.
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

    /// Pixels up to which a picture is also shown at twice its size: zbar needs two pixels a module and more.
    static let doubledPixels = 2_000_000
    /// Pixels from which on it is also shown at half its size, which averages noise.
    static let halvedPixels = 1_000_000

    /// Pixels of the turned view, at most: those of a photograph of 15 megapixels, unreduced. A long strip would become a square
    /// of any size.
    static let turnedPixels = 32_000_000.0

    /// The views that zbar is shown. It scans rows and columns only: a turn by 45 degrees shows it bars that lie between.
    private static func zbarViews(of picture: GrayImage) -> [CodeView] {
        let pixels = picture.width * picture.height
        var views = [CodeView(picture)]
        if pixels <= doubledPixels { views.append(.whole(picture, zoom: 2)) }
        if pixels >= halvedPixels { views.append(CodeView(halving: picture)) }
        // Turned by 45 degrees a picture fills a square over the sum of its sides.
        let side = Double(picture.width + picture.height)
        views.append(
            .whole(
                picture, zoom: min(1, (2 * turnedPixels).squareRoot() / max(side, 1)),
                turn: (0.5.squareRoot(), 0.5.squareRoot())))
        return views
    }

    /// Codes from which on a picture is not shown again in other ways.
    static let manyCodes = 256

    /// Edges of a picture that zbar is shown, at most. It follows each, for each symbology: noise of 12 megapixels, with 20
    /// million, took it 29 s. Photographs of codes, receipts and pages of 12 megapixels have 0.1 to 1.2 million, a page of 3,600
    /// QR codes 2.8 million. To look at every n-th row alone is no way out: few rows agree on much that is no code.
    private static let mostEdges = 3_000_000
    /// Grey levels between neighbours at an edge.
    private static let edge = 24

    /// Whether a picture has more edges than codes make: noise, halftone.
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

    /// New readings, joined with those of the same content nearby.
    private func joined(_ readings: [CodeReading], to found: [CodeReading]) -> [CodeReading] {
        var found = found
        for reading in readings {
            if let index = found.firstIndex(where: { $0.isOfSameCode(as: reading) }) {
                // Engines other than the first give other corners; its own are kept.
                if found[index].engine == reading.engine { found[index].points += reading.points }
                // A reading without a count needs none to be believed, and so it stays.
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
    /// The middle of its points; not a number without any.
    var middle: SIMD2<Double> { points.reduce(.zero, +) / Double(points.count) }

    /// The middle of its points, and how far they reach from it.
    private var extent: (middle: SIMD2<Double>, reach: Double) {
        guard !points.isEmpty else { return (.zero, .infinity) }
        let middle = middle
        let reach = points.map { (($0 - middle) * ($0 - middle)).sum().squareRoot() }.max() ?? 0
        return (middle, reach)
    }

    /// Whether two readings are of one printed code: equal content, and places that reach each other.
    fileprivate func isOfSameCode(as other: CodeReading) -> Bool {
        guard symbology == other.symbology, bytes == other.bytes else { return false }
        let (one, two) = (extent, other.extent)
        let step = one.middle - two.middle
        return (step * step).sum().squareRoot() <= max(2 * max(one.reach, two.reach), Self.nearness)
    }

    /// Pixels within which two readings of one content are of one code, even where an engine tells a single point of each.
    private static let nearness = 64.0
}
