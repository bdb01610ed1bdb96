import DepthGeometry
import Documents
import Imaging
import RobustStatistics
import SheetGuidance

/// What was read in a frame, with its places there.
struct FrameReading: Sendable {
    /// One thing, and where it stands in the frame's image: its corners, clockwise around it.
    struct Found: Sendable {
        var content: TrackedItem.Content
        var corners: [SIMD2<Double>]
    }

    /// What print was bound to in that frame.
    let surface: TrackedSurface
    /// What was looked for; a thing of another kind was not missed.
    let sought: Set<TrackedItem.Kind>
    /// Whether such readings are made several times as often as others, and find less.
    var isQuick = false
    /// What was found, in reading order.
    let found: [Found]
}

/// Binds what is read to its place, so that each thing keeps its identifier while sheet and camera move.
///
/// A reading's things are brought from the image to the sheet by the homography of its corners, and joined with what stood
/// there before; the place decides, not the text, which may be read otherwise each time. Corners that are not exact shift
/// the whole print: first the places move to where things that are read alike stand now. What is shown of a place is what
/// most of its readings say, weighed by how sure they are. A sheet of another identifier has other things, unless the same
/// stands in the same places: then the follower has only lost the track, and they have their identifiers again. Where no
/// sheet shows four corners (it is nearer than the picture, or there is none) the view stands for it, moved as the image
/// moves.
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
    /// Frames for which items stay when no sheet is visible, as long as the sheet's own identifier does; and for which a
    /// sheet without four corners is taken to lie as before.
    private static let memory = 5
    /// A step of a place in shorter sides of its box up to which it is an unsure reading, and goes half-way; farther it goes
    /// at once, as a code does that moves by itself.
    private static let unsureStep = 0.25

    /// The share of what is read on a sheet that must stand where it stood on the sheet before, for the two to be one:
    /// receipts of one shop have its address and number in common, less than half of their items.
    private static let leastShareInCommon = 0.5

    /// Places that are kept although nothing is read there any more, at most; a long receipt has some hundred items.
    static let mostGone = 500

    private let options: ItemTrackingOptions
    /// What things are bound to now; nil before the first frame.
    private(set) var surface: TrackedSurface?
    /// In reading order.
    private(set) var places: [Place] = []
    /// What stood on the sheet before, until it is clear whether it is the same one.
    private var former: (places: [Place], size: SIMD2<Double>)?
    private var shown: [TrackedItem] = []
    private var frame = PixelSize(width: 0, height: 0)
    private var framesWithoutSheet = 0
    private var framesWithoutCorners = 0
    /// The sheet that the places of the view stood on before; nil where that is long gone.
    private var sheetBefore: Int?
    /// Whether something was read in the view.
    private var isViewRead = false
    private var path = SIMD2<Double>.zero
    private var lastID = 0
    private var lastView = 0

    init(options: ItemTrackingOptions) { self.options = options }

    /// A place on the surface where something was read.
    struct Place {
        /// Nil until it is shown.
        var id: Int?
        /// Its corners on the surface.
        private(set) var corners: [SIMD2<Double>]
        /// What most of the latest readings say, weighed by confidence; of equals what was said before.
        private(set) var content: TrackedItem.Content
        /// What the latest readings say, the last one at the end.
        private var votes: [TrackedItem.Content]
        private(set) var readings = 1
        /// Readings in a row that did not find it, a quick one counted as a third.
        private(set) var thirdsMissed = 0
        /// Whether a quick reading ever found it.
        private var isFoundQuickly = false

        init(_ content: TrackedItem.Content, corners: [SIMD2<Double>], isQuick: Bool) {
            (self.content, votes, self.corners) = (content, [content], corners)
            isFoundQuickly = isQuick
        }

        /// Where it lies on the surface.
        var box: Box { Box(around: corners) }

        /// Changes its corners, as to those on another surface.
        mutating func map(_ change: (SIMD2<Double>) -> SIMD2<Double>) { corners = corners.map(change) }

        /// Takes another reading.
        /// - Parameter count: how many readings vote.
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

        /// Takes a reading that did not find it.
        mutating func miss(isQuick: Bool) {
            guard isQuick else { return thirdsMissed += 3 }
            if isFoundQuickly { thirdsMissed += 1 }
        }
    }

    /// What a reading says. All faces say the same.
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

    /// Takes the next frame: what is read in it is bound to what this returns.
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
        // Nothing of a sheet is left where neither it nor its print is seen any more.
        if held.isView, !isViewRead, framesWithoutSheet > Self.memory { (places, sheetBefore) = ([], nil) }
        return held
    }

    private mutating func view() -> TrackedSurface {
        lastView += 1
        isViewRead = false
        return TrackedSurface(view: lastView, path: path)
    }

    /// Goes on to a sheet's plane.
    private mutating func change(to next: TrackedSurface) {
        guard var held = surface, held.identity != next.identity else { return }
        held.drift(to: path)
        if held.isView { carry(from: held, to: next) }
        // What was read in the view goes on, as does what stood on this very sheet; all else is another sheet's.
        guard !held.isView || !isViewRead && sheetBefore != next.sheetID else { return }
        let size = held.isView ? next.size : held.size
        if places.contains(where: { $0.id != nil }) { former = (places, size) }
        places = []
    }

    /// Takes all places from one surface to another through the image.
    private mutating func carry(from held: TrackedSurface, to next: TrackedSurface) {
        let (toImage, fromImage) = (held.toImage, next.toImage.inverse)
        for place in places.indices { places[place].map { fromImage(toImage($0)) } }
    }

    /// Takes what was read, if anything was, and says what changed.
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
        // From the last item on, so that a new one stands before what was read after it.
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
        // One that was shown may be read again: it is out of sight, and keeps its identifier while the sheet does.
        places = order.map { places[$0] }.filter { $0.id != nil || !isGone($0) }
        forgetOldest()
    }

    /// Something read, on the surface.
    private struct Found {
        let content: TrackedItem.Content
        let said: Said
        let corners: [SIMD2<Double>]
        let box: Box

        init(_ content: TrackedItem.Content, corners: [SIMD2<Double>]) {
            (self.content, said, self.corners, box) = (content, Said(content), corners, Box(around: corners))
        }
    }

    /// Whether a place's middle lies in the image, or in the part of it that is of interest.
    private func isInFrame(_ place: Place, moved step: SIMD2<Double> = .zero) -> Bool {
        guard let surface else { return false }
        let middle = surface.toImage(place.box.center - 0.5) + step
        return (options.regionOfInterest ?? Box(of: frame)).holds(middle)
    }

    /// Of too many places that are gone, those go first that were missed longest.
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

    /// Takes what stood on the sheet before if this one is the same. It is looked for until something of this one is shown.
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

    /// Moves the places of these kinds to where the print stands in a reading.
    private mutating func move(to found: [Found], of kinds: Set<TrackedItem.Kind>) {
        let these = places.indices.filter { kinds.contains(places[$0].content.kind) }
        for (index, place) in zip(these, Self.moved(these.map { places[$0] }, to: found)) {
            places[index] = place
        }
    }

    /// Places where the print stands in a reading: each moves as the nearest items do that both hold once.
    ///
    /// Corners that were found a tenth of the sheet apart shift rows onto their neighbours. No map is fitted: of a column of
    /// prices alone it would tell nothing of the rest.
    private static func moved(_ places: [Place], to found: [Found]) -> [Place] {
        let held = Dictionary(grouping: places) { Said($0.content) }
        let read = Dictionary(grouping: found, by: \.said)
        // In reading order, so that of anchors equally near always the same count.
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

    /// The place that each item is a reading of; nil for a new one. The closest pairs first, each place once.
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
                    // A code moves by itself, and is never misread as another.
                    let isAlone = heldOnce.contains(item.said) && readOnce.contains(item.said)
                    isOfOne = isSame && (isAlone || isNear || overlap > 0)
                case .field:
                    // There is one of each, wherever it is printed.
                    isOfOne = item.said.words.first == held[place].words.first
                }
                if isOfOne { pairs.append((index, place, overlap + (isSame ? 1 : 0))) }
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

    /// What is said once.
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
        // What hardly moved is told where it was, so that small steps add up.
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

    /// The places that are shown: all that are seen well enough, or the one nearest the middle.
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

    /// Whether the same is read in about the same place of the image.
    private static func isLike(_ one: TrackedItem, _ other: TrackedItem) -> Bool {
        Said(one.content) == Said(other.content)
            && zip(one.corners, other.corners).allSatisfy { ($0 - $1).length <= leastMovement }
    }
}

extension TrackedItem.Content {
    /// How much a reading's vote counts. A code that was read is right.
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
    /// All of an image.
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
