package import Imaging

extension SheetOutline {
    /// Whether a picture shows another sheet beside this one.
    ///
    /// A look at the whole picture on its own, from nothing but the picture and the outline: in a small picture the sheet is
    /// painted over with what surrounds it, and what is bright there is rated as the sheet was. Sheets that touch this one, or
    /// are much smaller or darker, are not seen. O(pixels) for the reduction; the rest does not depend on the photograph's size.
    /// - Parameter image: the photograph that the outline belongs to.
    package func hasNeighbour(in image: RGBImage) -> Bool {
        let middle = ReducedPicture(reducing: ReducedPicture(image), toLongestSide: 8 * Self.searchSide)
        let small = ReducedPicture(reducing: middle, toLongestSide: Self.searchSide)
        var extremes = middle.image.lumaExtremes(small.factor / middle.factor)
        var image = small.image
        let mask = Contour(polygon.map(small.reducedPoint)).mask(width: image.width, height: image.height)
        guard let area = Self.mean(mask, of: extremes.greatest) else { return false }
        let brightness = extremes.greatest
        Self.paintOver(mask, width: image.width) { from, to in
            image.elements[to] = image.elements[from]
            extremes.least[to] = extremes.least[from]
            extremes.greatest[to] = extremes.greatest[from]
        }
        let picture = SmallPicture(
            field: ColorField(image, smoothing: true), least: extremes.least, greatest: extremes.greatest)
        return SheetCandidates(picture).findBright(levels: 8).contains { candidate in
            guard candidate.score >= Self.neighbourScore + Self.rimPenalty * candidate.rimShare else {
                return false
            }
            let other = candidate.contour.mask(width: image.width, height: image.height)
            guard let own = Self.mean(other, of: brightness) else { return false }
            let shared = zip(other, mask).count { $0.0 && $0.1 }
            return Double(shared) < Self.mostShared * Double(own.count)
                && Double(own.count) > Self.neighbourArea * Double(area.count)
                && own.value > Self.neighbourBrightness * area.value
        }
    }

    /// The longer side, in pixels, of the picture that another sheet is looked for in: a sheet of a tenth of the picture has 40
    /// pixels a side.
    private static let searchSide = 128
    /// What another sheet rates at least, and more at the picture's rim. In 80 photographs and drawings of one sheet nothing
    /// else rates above 0.14; the other sheet of 57 pairs of them does above 0.3 in 50.
    private static let neighbourScore = 0.3
    /// What another sheet rates more than `neighbourScore` if all of its outline lies at the picture's rim: there a table's
    /// bright corner looks as a sheet does that is cut off.
    private static let rimPenalty = 0.3
    /// The share of another sheet that may lie on this one: outlines are off by a pixel or two of the small picture.
    private static let mostShared = 0.1
    /// Another sheet's area over this one's: what is smaller is a card, a label or a part of something.
    private static let neighbourArea = 0.25
    /// Another sheet's brightness over this one's: paper is paper, and lies in the same light or in the shade.
    private static let neighbourBrightness: Float = 0.6

    /// How far from the region, in pixels of the small picture, nothing of its edge is left: the reduction blurs by less.
    private static let edgePixels = 3

    /// How many pixels of a mask there are, and their mean; nil for none.
    private static func mean(_ mask: [Bool], of values: [Float]) -> (count: Int, value: Float)? {
        var sum: Float = 0
        var count = 0
        for (isMeant, value) in zip(mask, values) where isMeant {
            sum += value
            count += 1
        }
        return count > 0 ? (count, sum / Float(count)) : nil
    }

    /// Carries what surrounds a region into it, from all sides; from a little away, where nothing of its edge is left.
    private static func paintOver(_ mask: [Bool], width: Int, copy: (_ from: Int, _ to: Int) -> Void) {
        let bits = BinaryMask(width: width, height: mask.count / width, bits: mask.map { $0 ? 1 : 0 })
        var isKnown = bits.distances(to: 1).map { $0 > .pixels(Self.edgePixels) }
        var front = isKnown.indices.filter { isKnown[$0] }
        while !front.isEmpty {
            var next: [Int] = []
            for from in front {
                let x = from % width
                let neighbours = [
                    x > 0 ? from - 1 : nil, x + 1 < width ? from + 1 : nil, from - width, from + width,
                ]
                for to in neighbours.compactMap(\.self) where isKnown.indices.contains(to) && !isKnown[to] {
                    isKnown[to] = true
                    copy(from, to)
                    next.append(to)
                }
            }
            front = next
        }
    }
}
