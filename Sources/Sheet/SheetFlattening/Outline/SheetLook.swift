import Imaging
import SheetNetwork

// Sheets that are small in a photograph, for example when it shows several, span few cells of the network's field: their
// borders blur, and the gaps between them fill up. So the network looks at each again, from nearer.

/// One run of the network on an image, or on a window of it.
struct SheetLook: Sendable {
    /// The window it covers, in pixels of the image.
    let window: PictureWindow
    /// The network's output there.
    let field: SheetField
    /// The sheets found there, the largest first.
    let regions: [SheetRegion]

    /// Side, in pixels, of the square that the network takes as input.
    static let networkSide = 384
    /// Address space that looks need: 7 MB for the network's maps, and those of the regions. A run that cannot get it would end
    /// the process.
    static let bytes = 24 << 20
    /// Margin shown on each side of a region that is looked at again, as a share of the region's longer side. On 60 drawn
    /// images of 127 real scans on tables 0.15 finds 0.945 of the sheets, 0.25 finds 0.929, 0.4 finds 0.882, and one look alone
    /// 0.843.
    private static let surroundings = 0.15
    /// Greatest share of a look's window that a nearer look covers: more would hardly be nearer.
    private static let mostOfWindow = 0.6
    /// A sheet of the second look counts as one of the looked-at sheets if they cover more than this share of it.
    private static let leastCovered = 0.5

    /// Looks at the whole image.
    init(at picture: RGBImage) {
        let window = PictureWindow(left: 0, top: 0, size: picture.size)
        self.init(window: window, field: SheetNetwork.shared.field(of: picture, side: Self.networkSide))
    }

    /// Looks at a window of an image already searched whole; `regions` found by that search are ignored.
    init(
        at window: PictureWindow, of picture: RGBImage, besides regions: [SheetRegion], of whole: SheetLook
    ) {
        var field = SheetNetwork.shared.field(of: window.pixels(of: picture), side: Self.networkSide)
        for cell in field.sheet.indices {
            let place = window.place(ofCell: cell, side: field.side)
            guard let seen = whole.window.cell(at: place, side: whole.field.side) else { continue }
            if regions.contains(where: { $0.mask.elements[seen] }) { field.sheet[cell] = 0 }
        }
        self.init(window: window, field: field)
    }

    private init(window: PictureWindow, field: SheetField) {
        self.window = window
        self.field = field
        regions = SheetRegion.all(in: field)
    }

    /// Returns all sheets of an image; each that is small in it is replaced by the result of a nearer look.
    ///
    /// A nearer look ignores the neighbours. On 120 drawn images of 344 real scans that nearly touch, this finds 0.88, with 30
    /// false; without it, a sheet and its neighbour run together in the second look, and 0.85 are found with 37 false.
    ///
    /// O(small sheets) runs of the network.
    /// - Parameter picture: the image that this look covers, or that its window belongs to.
    func sheets(of picture: RGBImage) -> [SeenSheet] {
        regions.indices.flatMap { lookedAtAgain(SeenSheet(look: self, index: $0), in: picture) }
    }

    /// Returns the sheets that looks at parts of an image show whole and with sure confidence: sheets in front of clutter that
    /// one look at the whole image does not separate from their surroundings.
    ///
    /// O(1) runs of the network, 13 at most.
    static func nearer(in picture: RGBImage) -> [SeenSheet] {
        var found: [SeenSheet] = []
        for share in shares {
            let side = Int(share * Double(max(picture.width, picture.height)))
            let size = PixelSize(width: min(side, picture.width), height: min(side, picture.height))
            for top in places(of: size.height, in: picture.height) {
                for left in places(of: size.width, in: picture.width) {
                    let look = SheetLook(
                        window: PictureWindow(left: left, top: top, size: size), in: picture)
                    for seen in look.sheets(of: picture)
                    where seen.confidence >= SheetOutline.sureConfidence && seen.isWhole(in: picture.size) {
                        // Windows overlap: if two show the same sheet, the more confident one stays.
                        if let same = found.firstIndex(where: { $0.overlaps(seen) }) {
                            if found[same].confidence < seen.confidence { found[same] = seen }
                        } else {
                            found.append(seen)
                        }
                    }
                }
            }
        }
        return found
    }

    /// Sides of the square windows, as shares of the image's longer side.
    private static let shares = [0.75, 0.5]

    /// Start positions of windows that cover a length; each starts at most half a window after the one before.
    private static func places(of window: Int, in length: Int) -> [Int] {
        let steps = (2 * (length - window) + window - 1) / window
        return steps == 0 ? [0] : (0...steps).map { (length - window) * $0 / steps }
    }

    private init(window: PictureWindow, in picture: RGBImage) {
        self.init(
            window: window,
            field: SheetNetwork.shared.field(of: window.pixels(of: picture), side: Self.networkSide))
    }

    /// Returns the sheets a nearer look finds, if it finds several or one with more confidence; else the sheet unchanged.
    private func lookedAtAgain(_ seen: SeenSheet, in picture: RGBImage) -> [SeenSheet] {
        guard let around = windowAround(seen.region, of: picture.size) else { return [seen] }
        let second = SheetLook(at: around, of: picture, besides: seen.others, of: self)
        let parts = second.regions.indices.map { SeenSheet(look: second, index: $0) }.filter {
            covered($0, by: seen.region) > Self.leastCovered
        }
        let area = parts.reduce(0) { $0 + $1.region.areaShare }
        let confidence = parts.reduce(0) { $0 + $1.confidence * $1.region.areaShare } / max(area, .ulpOfOne)
        return parts.count > 1 || confidence > seen.confidence ? parts : [seen]
    }

    /// The window around a region of this look, as nearly square as the image allows; nil if it would cover most of this look's
    /// window.
    private func windowAround(_ region: SheetRegion, of picture: PixelSize) -> PictureWindow? {
        let cells = region.mask.elements.indices.filter { region.mask.elements[$0] }
        let columns = cells.map { $0 % field.side }
        guard let left = columns.min(), let right = columns.max(), let first = cells.first,
            let last = cells.last
        else { return nil }
        let cell = SIMD2(Double(window.size.width), Double(window.size.height)) / Double(field.side)
        let origin = SIMD2(Double(window.left), Double(window.top))
        let start = origin + SIMD2(Double(left), Double(first / field.side)) * cell
        let end = origin + SIMD2(Double(right + 1), Double(last / field.side + 1)) * cell
        let longer = (end - start).max() * (1 + 2 * Self.surroundings)
        let size = PixelSize(
            width: min(Int(longer.rounded(.up)), picture.width),
            height: min(Int(longer.rounded(.up)), picture.height))
        guard Double(size.pixelCount) < Self.mostOfWindow * Double(window.size.pixelCount) else { return nil }
        let middle = (start + end) / 2
        return PictureWindow(
            left: min(max(Int(middle.x) - size.width / 2, 0), picture.width - size.width),
            top: min(max(Int(middle.y) - size.height / 2, 0), picture.height - size.height), size: size)
    }

    /// The share of another look's sheet that a region of this look covers.
    private func covered(_ sheet: SeenSheet, by region: SheetRegion) -> Double {
        let mask = sheet.region.mask
        var all = 0
        var both = 0
        for index in mask.elements.indices where mask.elements[index] {
            let place = sheet.look.window.place(ofCell: index, side: sheet.look.field.side)
            all += 1
            if let here = window.cell(at: place, side: field.side), region.mask.elements[here] { both += 1 }
        }
        return Double(both) / Double(max(all, 1))
    }
}

/// A sheet as one look found it.
struct SeenSheet: Sendable {
    let look: SheetLook
    let region: SheetRegion
    /// Probability that the region is a sheet, whole and alone.
    let confidence: Double
    /// The other regions that the same look found.
    let others: [SheetRegion]

    init(look: SheetLook, index: Int) {
        self.look = look
        region = look.regions[index]
        confidence = region.confidence(presence: look.field.presence)
        var others = look.regions
        others.remove(at: index)
        self.others = others
    }

    /// Whether the look's window contains the whole sheet, up to the image border.
    func isWhole(in picture: PixelSize) -> Bool {
        let (side, window) = (look.field.side, look.window)
        return region.mask.elements.indices.allSatisfy { index in
            guard region.mask.elements[index] else { return true }
            let (row, column) = index.quotientAndRemainder(dividingBy: side)
            return (column > 0 || window.left == 0) && (row > 0 || window.top == 0)
                && (column < side - 1 || window.left + window.size.width >= picture.width)
                && (row < side - 1 || window.top + window.size.height >= picture.height)
        }
    }

    /// Whether this sheet and one of another look are the same, or share one: the middle of either lies in the other.
    func overlaps(_ other: SeenSheet) -> Bool { holds(other.middle) || other.holds(middle) }

    private var middle: SIMD2<Double> {
        let cells = region.mask.elements.indices.filter { region.mask.elements[$0] }
        return cells.reduce(.zero) { $0 + look.window.place(ofCell: $1, side: look.field.side) }
            / Double(max(cells.count, 1))
    }

    private func holds(_ place: SIMD2<Double>) -> Bool {
        look.window.cell(at: place, side: look.field.side).map { region.mask.elements[$0] } ?? false
    }

    /// The line around the sheet where its probability falls below a level, in image coordinates.
    func line(at level: Float = SheetRegion.inside) -> Contour {
        let line = region.line(at: level, in: look.field, size: look.window.size)
        let origin = SIMD2(Double(look.window.left), Double(look.window.top))
        return Contour(line.points.map { $0 + origin })
    }
}

/// A part of an image, in its pixels.
struct PictureWindow: Sendable, Equatable {
    let left: Int
    let top: Int
    let size: PixelSize

    /// Copies the image's pixels in the window.
    func pixels(of picture: RGBImage) -> RGBImage {
        guard size != picture.size else { return picture }
        var elements: [RGB] = []
        elements.reserveCapacity(size.pixelCount)
        for y in top..<(top + size.height) {
            let first = y * picture.width + left
            elements += picture.elements[first..<(first + size.width)]
        }
        return RGBImage(width: size.width, height: size.height, elements: elements)
    }

    /// The middle of a cell of a `side` by `side` field that spans the window, in pixels from the image's corner.
    func place(ofCell index: Int, side: Int) -> SIMD2<Double> {
        let (row, column) = index.quotientAndRemainder(dividingBy: side)
        return SIMD2(
            Double(left) + (Double(column) + 0.5) * Double(size.width) / Double(side),
            Double(top) + (Double(row) + 0.5) * Double(size.height) / Double(side))
    }

    /// The cell that contains a position; nil outside the window.
    func cell(at place: SIMD2<Double>, side: Int) -> Int? {
        let column = Int(((place.x - Double(left)) * Double(side) / Double(size.width)).rounded(.down))
        let row = Int(((place.y - Double(top)) * Double(side) / Double(size.height)).rounded(.down))
        return (0..<side).contains(column) && (0..<side).contains(row) ? row * side + column : nil
    }
}
