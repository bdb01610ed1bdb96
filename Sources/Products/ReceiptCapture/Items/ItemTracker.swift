import DepthGeometry
import Documents
import Imaging
import RobustStatistics
import SheetGuidance

/// Items that were read in a frame, with their places on its sheet.
struct SheetReading: Sendable {
    /// An item, and where it stands in the frame's image: its corners, clockwise around the text.
    struct PlacedItem: Sendable {
        var item: RecognizedItem
        var corners: [SIMD2<Double>]
    }

    /// The sheet as it was followed in that frame.
    let sheet: ReceiptGuidance.FollowedSheet
    /// The items in reading order.
    let items: [PlacedItem]
}

/// Binds items to their places on a sheet, so that each keeps its identifier while sheet and camera move.
///
/// A reading's items are brought from the image to the sheet by the homography of its corners, and joined with what stood
/// there before; the place decides, not the text, which may be read otherwise each time. Corners that are not exact shift
/// the whole print: first the places move to where items that are read alike stand now. What is shown of a place is what
/// most of its readings say, weighed by how sure they are. A sheet of another identifier has other items, unless the same
/// stands in the same places: then the follower has only lost the track, and the items have their identifiers again.
struct ItemTracker {
    /// The least overlap (intersection over union, in the sheet's plane) of two readings of one item. Of drawn recordings the
    /// same item overlaps by 0.55 and more, boxes that end one word apart by 0.5; neighbours in a row or column do not.
    private static let leastOverlap = 0.3
    /// How far apart, in heights of their boxes, two readings of one value may lie where they do not overlap so much.
    private static let greatestDistance = 1.0
    /// Items that are read alike in both readings, and once in each, from which on they tell where the print stands; as many,
    /// the nearest ones, tell it for a place. Of three the median is right although one is another item of equal text.
    private static let anchors = 3
    /// The movement in pixels that is told of: less cannot be seen.
    private static let leastMovement = 0.5
    /// Frames for which items stay when no sheet is visible: as long as the sheet's own identifier does.
    private static let memory = 5

    /// The share of what is read on a sheet that must stand where it stood on the sheet before, for the two to be one:
    /// receipts of one shop have its address and number in common, less than half of their items.
    private static let leastShareInCommon = 0.5

    /// Places that are kept although nothing is read there any more, at most; a long receipt has some hundred items.
    static let mostGone = 500

    private let options: ItemTrackingOptions
    private var sheet: Sheet?
    /// In reading order.
    private(set) var places: [Place] = []
    /// What stood on the sheet before, until it is clear whether it is the same one.
    private var former: (places: [Place], size: SIMD2<Double>)?
    private var shown: [TrackedItem] = []
    private var framesWithoutSheet = 0
    private var lastID = 0

    init(options: ItemTrackingOptions) { self.options = options }

    /// A sheet and its plane.
    private struct Sheet {
        let id: Int
        /// The sides of its rectangle: as long as they first were in the image, so that distances are about pixels.
        let size: SIMD2<Double>
        /// From the rectangle to the frame's image.
        var toImage: Homography

        init?(_ followed: ReceiptGuidance.FollowedSheet, size: SIMD2<Double>? = nil) {
            guard let corners = followed.corners, corners.count == 4 else { return nil }
            func length(_ one: Int, _ other: Int) -> Double { (corners[one] - corners[other]).length }
            let size = size ?? SIMD2(length(0, 1) + length(3, 2), length(1, 2) + length(0, 3)) / 2
            let rectangle = [SIMD2(0, 0), SIMD2(size.x, 0), size, SIMD2(0, size.y)]
            guard let map = try? Homography(mapping: rectangle, onto: corners), map.determinant != 0 else {
                return nil
            }
            (id, self.size, toImage) = (followed.id, size, map)
        }
    }

    /// A place on the sheet where something was read.
    struct Place {
        /// Nil until it is shown.
        var id: Int?
        /// Its corners on the sheet.
        private(set) var corners: [SIMD2<Double>]
        /// What most of the latest readings say, weighed by confidence; of equals what was said before.
        private(set) var item: RecognizedItem
        /// What the latest readings say, the last one at the end.
        private var votes: [RecognizedItem]
        private(set) var readings = 1
        /// Readings in a row that did not find it.
        var missed = 0

        init(_ item: RecognizedItem, corners: [SIMD2<Double>]) {
            (self.item, votes, self.corners) = (item, [item], corners)
        }

        /// Where it lies on the sheet.
        var box: Box { Box(around: corners) }

        /// Stretches the sheet that it lies on.
        mutating func stretch(by factors: SIMD2<Double>) { corners = corners.map { $0 * factors } }

        /// Moves it on the sheet.
        mutating func move(by step: SIMD2<Double>) { corners = corners.map { $0 + step } }

        /// Takes another reading.
        /// - Parameter count: how many readings vote.
        mutating func take(_ item: RecognizedItem, corners: [SIMD2<Double>], of count: Int) {
            self.corners = corners
            votes = (votes + [item]).suffix(count)
            readings += 1
            missed = 0
            var weights: [Said: Double] = [:]
            for vote in votes { weights[Said(vote), default: 0] += vote.confidence }
            var best = Said(self.item)
            for vote in votes where weights[Said(vote), default: 0] > weights[best, default: 0] {
                best = Said(vote)
            }
            self.item = votes.last { Said($0) == best } ?? item
        }
    }

    /// What a reading says.
    private struct Said: Hashable {
        let kind: RecognizedItem.Kind
        let value: String
        let currency: String?

        init(_ item: RecognizedItem) { (kind, value, currency) = (item.kind, item.value, item.currency) }
    }

    /// Takes the next frame.
    /// - Parameter reading: one that has ended, of this or an earlier frame.
    mutating func advance(to guidance: ReceiptGuidance, reading: SheetReading?) -> ItemChanges {
        follow(guidance.sheet)
        if let reading { take(reading) }
        return show(guidance)
    }

    private mutating func follow(_ followed: ReceiptGuidance.FollowedSheet?) {
        guard let followed else {
            framesWithoutSheet += 1
            if framesWithoutSheet > Self.memory { forget() }
            return
        }
        framesWithoutSheet = 0
        if let sheet, sheet.id != followed.id {
            if places.contains(where: { $0.id != nil }) { former = (places, sheet.size) }
            (self.sheet, places) = (nil, [])
        }
        // While a corner is out of view the items stay where they were.
        sheet = Sheet(followed, size: sheet?.size) ?? sheet
    }

    private mutating func forget() {
        (sheet, places, former) = (nil, [], nil)
    }

    // MARK: Reading

    private mutating func take(_ reading: SheetReading) {
        guard let sheet, sheet.id == reading.sheet.id,
            let read = Sheet(reading.sheet, size: sheet.size)
        else { return }
        let toSheet = read.toImage.inverse
        let found = reading.items.map { ($0.item, $0.corners.map(toSheet.callAsFunction)) }
        recognize(found, on: sheet)
        places = Self.moved(places, to: found)
        let matches = matches(of: found)
        let matched = Set(matches.compactMap(\.self))
        for place in places.indices where !matched.contains(place) { places[place].missed += 1 }
        // From the last item on, so that a new one stands before what was read after it.
        var order = Array(places.indices)
        var next = order.count
        for (index, (item, corners)) in found.enumerated().reversed() {
            if let place = matches[index] {
                places[place].take(item, corners: corners, of: max(options.votes, 1))
                next = order.firstIndex(of: place) ?? next
            } else {
                order.insert(places.count, at: next)
                places.append(Place(item, corners: corners))
            }
        }
        // One that was shown may be read again: it is out of sight, and keeps its identifier while the sheet does.
        places = order.map { places[$0] }.filter { $0.id != nil || !isGone($0) }
        forgetOldest()
    }

    /// Of too many places that are gone, those go first that were missed longest.
    private mutating func forgetOldest() {
        let gone = places.indices.filter { isGone(places[$0]) }
        guard gone.count > Self.mostGone else { return }
        let oldest = Set(
            gone.sorted { (places[$1].missed, $0) < (places[$0].missed, $1) }.prefix(
                gone.count - Self.mostGone))
        places = places.indices.filter { !oldest.contains($0) }.map { places[$0] }
    }

    private func isGone(_ place: Place) -> Bool { place.missed >= max(options.missedReadings, 1) }

    /// Takes what stood on the sheet before if this one is the same. It is looked for until something of this one is shown.
    private mutating func recognize(
        _ found: [(item: RecognizedItem, corners: [SIMD2<Double>])], on sheet: Sheet
    ) {
        guard let former, places.allSatisfy({ $0.id == nil }) else { return self.former = nil }
        var before = former.places
        for place in before.indices { before[place].stretch(by: sheet.size / former.size) }
        before = Self.moved(before, to: found)
        let known = found.count { item, corners in
            before.contains {
                Said($0.item) == Said(item) && Box(around: corners).overlap(with: $0.box) >= Self.leastOverlap
            }
        }
        guard Double(known) > Self.leastShareInCommon * Double(found.count) else { return }
        (places, self.former) = (before, nil)
    }

    /// Places where the print stands in a reading: each moves as the nearest items do that both hold once.
    ///
    /// Corners that were found a tenth of the sheet apart shift rows onto their neighbours. No map is fitted: of a column of
    /// prices alone it would tell nothing of the rest.
    private static func moved(
        _ places: [Place], to found: [(item: RecognizedItem, corners: [SIMD2<Double>])]
    ) -> [Place] {
        let held = Dictionary(grouping: places) { Said($0.item) }
        let read = Dictionary(grouping: found) { Said($0.item) }
        // In reading order, so that of anchors equally near always the same count.
        let anchors = places.compactMap { place -> (place: SIMD2<Double>, step: SIMD2<Double>)? in
            guard held[Said(place.item)]?.count == 1, let items = read[Said(place.item)], items.count == 1
            else { return nil }
            return (place.box.center, Box(around: items[0].corners).center - place.box.center)
        }
        guard anchors.count >= Self.anchors else { return places }
        return places.map { place in
            let center = place.box.center
            let nearest = anchors.enumerated().sorted {
                (($0.element.place - center).length, $0.offset) < (
                    ($1.element.place - center).length, $1.offset
                )
            }.prefix(Self.anchors).map(\.element.step)
            var place = place
            place.move(by: SIMD2(nearest.map(\.x).midpointMedian(), nearest.map(\.y).midpointMedian()))
            return place
        }
    }

    /// The place that each item is a reading of; nil for a new one. The closest pairs first, each place once.
    private func matches(of found: [(item: RecognizedItem, corners: [SIMD2<Double>])]) -> [Int?] {
        var pairs: [(item: Int, place: Int, closeness: Double)] = []
        for (index, (item, corners)) in found.enumerated() {
            let box = Box(around: corners)
            for (place, held) in places.enumerated() {
                let overlap = box.overlap(with: held.box)
                let isSame = Said(item) == Said(held.item)
                let isNear =
                    (box.center - held.box.center).length
                    <= Self.greatestDistance * min(box.shorterSide, held.box.shorterSide)
                guard overlap >= Self.leastOverlap || isSame && (isNear || overlap > 0) else { continue }
                pairs.append((index, place, overlap + (isSame ? 1 : 0)))
            }
        }
        // Of equals the first in reading order: sorting alone would leave it open.
        pairs.sort { ($1.closeness, $0.item, $0.place) < ($0.closeness, $1.item, $1.place) }
        var matches = [Int?](repeating: nil, count: found.count)
        var taken: Set<Int> = []
        for pair in pairs where matches[pair.item] == nil && taken.insert(pair.place).inserted {
            matches[pair.item] = pair.place
        }
        return matches
    }

    // MARK: Showing

    private mutating func show(_ guidance: ReceiptGuidance) -> ItemChanges {
        var items: [TrackedItem] = []
        if let sheet {
            for index in places.indices
            where places[index].readings >= options.leastReadings && !isGone(places[index]) {
                if places[index].id == nil {
                    lastID += 1
                    places[index].id = lastID
                }
                items.append(
                    TrackedItem(
                        id: places[index].id ?? 0, item: places[index].item,
                        corners: places[index].corners.map(sheet.toImage.callAsFunction),
                        readings: places[index].readings))
            }
        }
        let before = Dictionary(uniqueKeysWithValues: shown.map { ($0.id, $0) })
        let now = Set(items.map(\.id))
        // What hardly moved is told where it was, so that small steps add up.
        items = items.map { item in
            before[item.id].flatMap { item.isLike($0, within: Self.leastMovement) ? $0 : nil } ?? item
        }
        let changes = ItemChanges(
            guidance: guidance, items: items, added: items.filter { before[$0.id] == nil },
            updated: items.filter { item in before[item.id].map { $0 != item } ?? false },
            removed: shown.filter { !now.contains($0.id) })
        shown = items
        return changes
    }
}

extension TrackedItem {
    /// Whether the same is read in about the same place of the image.
    fileprivate func isLike(_ other: TrackedItem, within distance: Double) -> Bool {
        item.kind == other.item.kind && item.value == other.item.value && item.currency == other.item.currency
            && zip(corners, other.corners).allSatisfy { ($0 - $1).length <= distance }
    }
}

extension Box {
    fileprivate var center: SIMD2<Double> { SIMD2(left + right, top + bottom) / 2 }

    fileprivate var shorterSide: Double { min(right - left, bottom - top) }

    /// Intersection over union, 0 to 1.
    fileprivate func overlap(with other: Box) -> Double {
        let width = min(right, other.right) - max(left, other.left)
        let height = min(bottom, other.bottom) - max(top, other.top)
        guard width > 0, height > 0 else { return 0 }
        func area(_ box: Box) -> Double { (box.right - box.left) * (box.bottom - box.top) }
        return width * height / (area(self) + area(other) - width * height)
    }
}
