import DepthGeometry
import Documents
import Imaging
import RobustStatistics
import SheetGuidance

/// The items read in a frame, with their places in it.
struct FrameReading: Sendable {
    /// One item, and its corners in the frame's image, clockwise.
    struct Found: Sendable {
        var content: TrackedItem.Content
        var corners: [SIMD2<Double>]
    }

    /// The surface that the frame's items were bound to.
    let surface: TrackedSurface
    /// The kinds that were looked for; only items of these kinds can have been missed.
    let sought: Set<TrackedItem.Kind>
    /// Whether such readings are made several times as often as others, and find less.
    var isQuick = false
    /// What was found, in reading order.
    let found: [Found]
}

/// Binds each reading to its place, so that each item keeps its identifier while sheet and camera move.
///
/// The items of a reading are mapped from the image to the sheet by the homography of its corners, and matched with the items
/// known there. The place decides, not the text, which may be read differently each time. Inexact corners shift the whole
/// print, so the known places first move to where items with the same text are now. Each place shows what most of its
/// readings say, weighted by their confidence. A sheet with another identifier has other items, unless the same items are in
/// the same places: then the sheet follower only lost track, and the items get their identifiers back. If no sheet shows four
/// corners (it extends beyond the image, or there is none), the view takes its place and moves as the image moves.
struct ItemTracker {
    /// The least overlap (intersection over union, in the sheet's plane) of two readings of one item. In drawn recordings the
    /// same item overlaps by 0.55 and more, boxes that end one word apart by 0.5; neighbours in a row or column do not
    /// overlap.
    private static let leastOverlap = 0.3
    /// The greatest distance, in heights of their boxes, of two readings of one value that overlap less.
    private static let greatestDistance = 1.0
    /// The least number of anchors, which are items with the same text, once in each of both readings, for locating the
    /// print; this many nearest anchors locate each place. The median of three is right even if one is another item of equal
    /// text.
    private static let anchors = 3
    /// The least movement, in pixels, that is reported: less cannot be seen.
    private static let leastMovement = 0.5
    /// The number of frames for which items stay when no sheet is visible, as long as the sheet's identifier does, and for
    /// which a sheet without four corners is assumed to lie as before.
    private static let memory = 5
    /// The step of a place, in shorter sides of its box, up to which it counts as an inexact reading and is halved. A longer
    /// step is taken in full, as for a code that itself moves.
    private static let unsureStep = 0.25

    /// The share of the items read on a sheet that must be where they were on the previous sheet for the two to be the same:
    /// receipts of one shop have address and number in common, less than half of their items.
    private static let leastShareInCommon = 0.5

    /// The most places kept although nothing is read there any more; a long receipt has some hundred items.
    static let mostGone = 500

    private let options: ItemTrackingOptions
    /// The surface that items are bound to now; nil before the first frame.
    private(set) var surface: TrackedSurface?
    /// The places in reading order.
    private(set) var places: [Place] = []
    /// The places of the previous sheet, until it is clear whether the current sheet is the same one.
    private var former: (places: [Place], size: SIMD2<Double>)?
    private var shown: [TrackedItem] = []
    private var frame = PixelSize(width: 0, height: 0)
    private var framesWithoutSheet = 0
    private var framesWithoutCorners = 0
    /// The sheet that the view's places were on before; nil if that was long ago.
    private var sheetBefore: Int?
    /// Whether anything was read in the view.
    private var isViewRead = false
    private var path = SIMD2<Double>.zero
    private var lastID = 0
    private var lastView = 0

    init(options: ItemTrackingOptions) { self.options = options }

    /// A place on the surface where an item was read.
    struct Place {
        /// The item's identifier; nil until it is shown.
        var id: Int?
        /// Its corners on the surface.
        private(set) var corners: [SIMD2<Double>]
        /// What most of the latest readings say, weighted by confidence; on a tie, the previous content.
        private(set) var content: TrackedItem.Content
        /// The contents of the latest readings, the newest at the end.
        private var votes: [TrackedItem.Content]
        private(set) var readings = 1
        /// Number of successive readings that did not find it, in thirds: a quick reading counts one third.
        private(set) var thirdsMissed = 0
        /// Whether a quick reading has ever found it.
        private var isFoundQuickly = false

        init(_ content: TrackedItem.Content, corners: [SIMD2<Double>], isQuick: Bool) {
            (self.content, votes, self.corners) = (content, [content], corners)
            isFoundQuickly = isQuick
        }

        /// Its box on the surface.
        var box: Box { Box(around: corners) }

        /// Maps its corners, for example to another surface.
        mutating func map(_ change: (SIMD2<Double>) -> SIMD2<Double>) { corners = corners.map(change) }

        /// Adds another reading.
        /// - Parameter count: the number of readings that vote.
        mutating func take(
            _ content: TrackedItem.Content, corners: [SIMD2<Double>], isQuick: Bool, of count: Int
        ) {
            if isQuick { isFoundQuickly = true }
            let near = zip(corners, self.corners).allSatisfy {
                ($0 - $1).length <= ItemTracker.unsureStep * box.shorterSide
            }
            self.corners = near ? zip(corners, self.corners).map { ($0 + $1) / 2 } : corners
            votes = (votes + [content]).suffix(count)
            readings += 1
            thirdsMissed = 0
            var weights: [Said: Double] = [:]
            for vote in votes { weights[Said(vote), default: 0] += vote.confidence }
            var best = Said(self.content)
            for vote in votes where weights[Said(vote), default: 0] > weights[best, default: 0] {
                best = Said(vote)
            }
            self.content = votes.last { Said($0) == best } ?? content
        }

        /// Notes a reading that did not find it.
        mutating func miss(isQuick: Bool) {
            guard isQuick else { return thirdsMissed += 3 }
            if isFoundQuickly { thirdsMissed += 1 }
        }
    }

    /// The text of a reading, for comparison. All faces are equal.
    private struct Said: Hashable {
        let kind: TrackedItem.Kind
        let words: [String]
        var bytes: [UInt8] = []

        init(_ content: TrackedItem.Content) {
            kind = content.kind
            switch content {
            case .line(let line): words = [line.text]
            case .item(let item): words = [item.kind.rawValue, item.value, item.currency ?? ""]
            case .code(let code): (words, bytes) = ([code.symbology.rawValue], code.bytes)
            case .face: words = []
            case .field(let field, let value, _): words = [field.rawValue, value]
            }
        }
    }

    // MARK: Following

    /// Takes the next frame, and returns the surface for binding what is read in it.
    mutating func follow(_ guidance: ReceiptGuidance, in frame: PixelSize) -> TrackedSurface {
        self.frame = frame
        path += guidance.shift
        framesWithoutSheet = guidance.sheet == nil ? framesWithoutSheet + 1 : 0
        let next = follow(guidance.sheet)
        surface = next
        return next
    }

    private mutating func follow(_ sheet: ReceiptGuidance.FollowedSheet?) -> TrackedSurface {
        if let next = sheet.flatMap({ TrackedSurface($0, path: path, since: surface) }) {
            framesWithoutCorners = 0
            change(to: next)
            return next
        }
        framesWithoutCorners += 1
        guard var held = surface else { return view() }
        held.drift(to: path)
        if !held.isView, framesWithoutCorners > Self.memory {
            let next = view()
            sheetBefore = held.sheetID
            carry(from: held, to: next)
            held = next
        }
        // The places of a sheet are dropped when neither it nor its print is seen any more.
        if held.isView, !isViewRead, framesWithoutSheet > Self.memory { (places, sheetBefore) = ([], nil) }
        return held
    }

    private mutating func view() -> TrackedSurface {
        lastView += 1
        isViewRead = false
        return TrackedSurface(view: lastView, path: path)
    }

    /// Switches to a sheet's plane.
    private mutating func change(to next: TrackedSurface) {
        guard var held = surface, held.identity != next.identity else { return }
        held.drift(to: path)
        if held.isView { carry(from: held, to: next) }
        // Items read in the view stay, and so do items of this same sheet; all others belong to another sheet.
        guard !held.isView || !isViewRead && sheetBefore != next.sheetID else { return }
        let size = held.isView ? next.size : held.size
        if places.contains(where: { $0.id != nil }) { former = (places, size) }
        places = []
    }

    /// Maps all places from one surface to another through the image.
    private mutating func carry(from held: TrackedSurface, to next: TrackedSurface) {
        let (toImage, fromImage) = (held.toImage, next.toImage.inverse)
        for place in places.indices { places[place].map { fromImage(toImage($0)) } }
    }

    /// Takes the readings that have ended, if any, and returns the changes.
    /// - Parameter readings: those that have ended, of this or an earlier frame.
    mutating func advance(to guidance: ReceiptGuidance, readings: [FrameReading]) -> ItemChanges {
        for reading in readings { take(reading) }
        return show(guidance)
    }

    // MARK: Reading

    private mutating func take(_ reading: FrameReading) {
        guard let surface, let map = reading.surface.map(onto: surface) else { return }
        let found = reading.found.map { Found($0.content, corners: $0.corners.map(map)) }
        if surface.isView, !found.isEmpty { isViewRead = true }
        recognize(found, on: surface)
        move(to: found, of: reading.sought)
        let matches = matches(of: found)
        let matched = Set(matches.compactMap(\.self))
        for place in places.indices
        where !matched.contains(place) && reading.sought.contains(places[place].content.kind)
            && isInFrame(places[place], moved: reading.surface.path - surface.path)
        {
            places[place].miss(isQuick: reading.isQuick)
        }
        // Goes backwards, so that a new item is inserted before the items read after it.
        var order = Array(places.indices)
        var next = order.count
        for (index, item) in found.enumerated().reversed() {
            if let place = matches[index] {
                places[place].take(
                    item.content, corners: item.corners, isQuick: reading.isQuick, of: max(options.votes, 1))
                next = order.firstIndex(of: place) ?? next
            } else {
                order.insert(places.count, at: next)
                places.append(Place(item.content, corners: item.corners, isQuick: reading.isQuick))
            }
        }
        // An item that was shown may be read again: it is hidden, and keeps its identifier as long as the sheet does.
        places = order.map { places[$0] }.filter { $0.id != nil || !isGone($0) }
        forgetOldest()
    }

    /// An item found in one frame, in coordinates of the sheet's surface.
    private struct Found {
        let content: TrackedItem.Content
        let said: Said
        let corners: [SIMD2<Double>]
        let box: Box

        init(_ content: TrackedItem.Content, corners: [SIMD2<Double>]) {
            (self.content, said, self.corners, box) = (content, Said(content), corners, Box(around: corners))
        }
    }

    /// Whether a place's middle is in the image, or in the region of interest.
    private func isInFrame(_ place: Place, moved step: SIMD2<Double> = .zero) -> Bool {
        guard let surface else { return false }
        let middle = surface.toImage(place.box.center - 0.5) + step
        return (options.regionOfInterest ?? Box(of: frame)).holds(middle)
    }

    /// If too many places are gone, forgets those that were missed longest.
    private mutating func forgetOldest() {
        let gone = places.indices.filter { isGone(places[$0]) || !isInFrame(places[$0]) }
        guard gone.count > Self.mostGone else { return }
        let oldest = Set(
            gone.sorted { (places[$1].thirdsMissed, $0) < (places[$0].thirdsMissed, $1) }.prefix(
                gone.count - Self.mostGone))
        places = places.indices.filter { !oldest.contains($0) }.map { places[$0] }
    }

    private func isGone(_ place: Place) -> Bool {
        place.thirdsMissed >= 3 * max(options.missedReadings, 1)
    }

    /// Takes over the places of the previous sheet if this is the same one. This is tried until an item of this sheet is
    /// shown.
    private mutating func recognize(_ found: [Found], on surface: TrackedSurface) {
        guard let former, places.allSatisfy({ $0.id == nil }) else { return self.former = nil }
        let factors = surface.size / former.size
        var before = former.places
        for place in before.indices { before[place].map { $0 * factors } }
        before = Self.moved(before, to: found)
        let known = found.count { item in
            before.contains {
                Said($0.content) == item.said && item.box.overlap(with: $0.box) >= Self.leastOverlap
            }
        }
        guard Double(known) > Self.leastShareInCommon * Double(found.count) else { return }
        (places, self.former) = (before, nil)
    }

    /// Moves the places of these kinds to where the print is in a reading.
    private mutating func move(to found: [Found], of kinds: Set<TrackedItem.Kind>) {
        let these = places.indices.filter { kinds.contains(places[$0].content.kind) }
        for (index, place) in zip(these, Self.moved(these.map { places[$0] }, to: found)) {
            places[index] = place
        }
    }

    /// Returns the places moved to where the print is in a reading: each moves like the nearest anchors.
    ///
    /// Corners that are wrong by a tenth of the sheet shift rows onto their neighbours. No transform is fitted: from a column
    /// of prices alone it could not be determined for the rest.
    private static func moved(_ places: [Place], to found: [Found]) -> [Place] {
        let held = Dictionary(grouping: places) { Said($0.content) }
        let read = Dictionary(grouping: found, by: \.said)
        // In reading order, so that of equally near anchors always the same ones count.
        let anchors = places.compactMap { place -> (place: SIMD2<Double>, step: SIMD2<Double>)? in
            let said = Said(place.content)
            guard held[said]?.count == 1, let items = read[said], items.count == 1 else { return nil }
            return (place.box.center, items[0].box.center - place.box.center)
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
            let step = SIMD2(nearest.map(\.x).midpointMedian(), nearest.map(\.y).midpointMedian())
            place.map { $0 + step }
            return place
        }
    }

    /// Returns the place that each item is a reading of; nil for a new one. The closest pairs come first, each place once.
    private func matches(of found: [Found]) -> [Int?] {
        let held = places.map { Said($0.content) }
        let boxes = places.map(\.box)
        let (heldOnce, readOnce) = (Self.once(held), Self.once(found.map(\.said)))
        var pairs: [(item: Int, place: Int, closeness: Double)] = []
        for (index, item) in found.enumerated() {
            for (place, box) in boxes.enumerated() where held[place].kind == item.said.kind {
                let overlap = item.box.overlap(with: box)
                let isSame = item.said == held[place]
                let isNear =
                    (item.box.center - box.center).length
                    <= Self.greatestDistance * min(item.box.shorterSide, box.shorterSide)
                let isOfOne: Bool
                switch item.content {
                case .line, .item, .face:
                    isOfOne = overlap >= Self.leastOverlap || isSame && (isNear || overlap > 0)
                case .code:
                    // A code may itself move, and is never misread as another.
                    let isAlone = heldOnce.contains(item.said) && readOnce.contains(item.said)
                    isOfOne = isSame && (isAlone || isNear || overlap > 0)
                case .field:
                    // There is only one of each field, wherever it is printed.
                    isOfOne = item.said.words.first == held[place].words.first
                }
                if isOfOne { pairs.append((index, place, overlap + (isSame ? 1 : 0))) }
            }
        }
        // On a tie, the first in reading order comes first: sorting alone would leave it open.
        pairs.sort { ($1.closeness, $0.item, $0.place) < ($0.closeness, $1.item, $1.place) }
        var matches = [Int?](repeating: nil, count: found.count)
        var taken: Set<Int> = []
        for pair in pairs where matches[pair.item] == nil && taken.insert(pair.place).inserted {
            matches[pair.item] = pair.place
        }
        return matches
    }

    /// Returns the texts that occur once.
    private static func once(_ said: [Said]) -> Set<Said> {
        Set(Dictionary(grouping: said, by: \.self).filter { $0.value.count == 1 }.keys)
    }

    // MARK: Showing

    private mutating func show(_ guidance: ReceiptGuidance) -> ItemChanges {
        var items: [TrackedItem] = []
        if let surface {
            for index in indicesInView() {
                if places[index].id == nil {
                    lastID += 1
                    places[index].id = lastID
                }
                items.append(
                    TrackedItem(
                        id: places[index].id ?? 0, content: places[index].content,
                        corners: places[index].corners.map(surface.toImage.callAsFunction),
                        readings: places[index].readings))
            }
        }
        let before = Dictionary(uniqueKeysWithValues: shown.map { ($0.id, $0) })
        let now = Set(items.map(\.id))
        // An item that hardly moved keeps its reported position, so that small steps add up.
        items = items.map { item in
            before[item.id].flatMap { Self.isLike(item, $0) ? $0 : nil } ?? item
        }
        let changes = ItemChanges(
            guidance: guidance, items: items, added: items.filter { before[$0.id] == nil },
            updated: items.filter { item in before[item.id].map { $0 != item } ?? false },
            removed: shown.filter { !now.contains($0.id) })
        shown = items
        return changes
    }

    /// Returns the places to show: all that were read often enough, or only the one nearest to the middle.
    private func indicesInView() -> [Int] {
        let inView = places.indices.filter {
            places[$0].readings >= options.leastReadings(of: places[$0].content.kind) && !isGone(places[$0])
                && isInFrame(places[$0])
        }
        guard !options.followsSeveral, let surface else { return inView }
        let middle = (options.regionOfInterest ?? Box(of: frame)).center
        func distance(_ place: Int) -> Double {
            (surface.toImage(places[place].box.center - 0.5) + 0.5 - middle).length
        }
        return inView.min { (distance($0), $0) < (distance($1), $1) }.map { [$0] } ?? []
    }

    /// Whether the same content is at about the same place of the image.
    private static func isLike(_ one: TrackedItem, _ other: TrackedItem) -> Bool {
        Said(one.content) == Said(other.content)
            && zip(one.corners, other.corners).allSatisfy { ($0 - $1).length <= leastMovement }
    }
}

extension TrackedItem.Content {
    /// The weight of a reading's vote. A code that was read is right.
    fileprivate var confidence: Double {
        switch self {
        case .line(let line): line.confidence
        case .item(let item): item.confidence
        case .code, .face: 1
        case .field(_, _, let confidence): confidence
        }
    }
}

extension Box {
    /// Creates a box around the whole image.
    fileprivate init(of size: PixelSize) {
        self.init(left: 0, top: 0, right: Double(size.width), bottom: Double(size.height))
    }

    fileprivate var center: SIMD2<Double> { SIMD2(left + right, top + bottom) / 2 }

    fileprivate var shorterSide: Double { min(right - left, bottom - top) }

    /// Intersection over union, 0 to 1.
    fileprivate func overlap(with other: Box) -> Double {
        let width = min(right, other.right) - max(left, other.left)
        let height = min(bottom, other.bottom) - max(top, other.top)
        guard width > 0, height > 0 else { return 0 }
        return width * height / (area + other.area - width * height)
    }
}
