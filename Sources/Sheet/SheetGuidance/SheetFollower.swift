import Imaging
import SheetFlattening

/// Tracks one sheet through a sequence of images and gives it a stable identifier.
///
/// Usually the sheet is tracked by its edge, starting from its last position and the motion of the image. A new search runs
/// when the track is lost, while there is no sheet, and at intervals to verify the track. If there are several sheets, the one
/// nearest the middle of the image is taken, unless another one is tracked and about as near. A sheet that is found where the
/// last one was expected, and looks like it, is the same one.
struct SheetFollower: Sendable {
    /// A tracked sheet. Positions are in working pixels.
    struct Sheet: Sendable {
        var id: Int
        var outline: SheetOutline
        /// The corners, starting with the same one in every frame; nil while fewer than four are visible.
        var corners: [SIMD2<Double>]?
        /// The median step of colour across the outline, in levels.
        var clarity: Double
        /// Its pattern; nil while fewer than four corners are visible.
        var pattern: SheetPattern?
        /// The number of consecutive frames in which its pattern did not match.
        var strangeCount = 0
    }

    /// The result for one frame.
    struct Step {
        /// The sheet; nil if none is visible.
        let sheet: Sheet?
        /// The motion of the sheet (or of the whole image, without a sheet) in working pixels; nil for the first frame.
        let motion: Double?
        /// How far the image moved since the previous frame, in working pixels; while a sheet is tracked, the motion of its
        /// part of the image.
        var shift = SIMD2<Double>.zero
    }

    /// Frames between searches: while a whole sheet is tracked (once a second), while it runs off the image (it may have
    /// come into view), and while there is no sheet.
    private static let intervals = (whole: 15, cut: 5, none: 3)
    /// Frames for which a lost sheet is remembered: a third of a second, too short to change sheets.
    private static let memory = 5
    /// The share of its clarity that a sheet must keep from frame to frame, and the least colour step, in levels, of an edge.
    private static let leastClarity = (share: 0.35, levels: 6.0)
    /// Intersection over union above which two outlines show one sheet, and above which they are the same outline.
    static let overlaps = (sheet: 0.5, outline: 0.8)
    /// The correlation of patterns below which two sheets differ: one sheet reaches 0.85 and more, two receipts with the
    /// same layout 0.4.
    private static let leastLikeness = 0.6

    private var before: GuidanceView.Luma?
    private var sheet: Sheet?
    /// The lost sheet at its expected position, and the number of frames since it was last seen.
    private var lost: (sheet: Sheet, frames: Int)?
    private var framesToSearch = 0
    private var doubts = 0
    /// The number of consecutive searches that found nothing.
    private var failures = 0
    private var lastID = 0

    /// Processes the next frame.
    mutating func advance(to view: GuidanceView) -> Step {
        defer { before = view.luma }
        guard let before, before.size == view.luma.size else {
            (sheet, lost) = (nil, nil)
            adopt(search(view), expecting: nil, in: view)
            return Step(sheet: sheet, motion: nil)
        }
        framesToSearch -= 1
        let expected = sheet ?? lost?.sheet
        let box = (expected?.outline ?? .wholePicture(view.size)).pixelBox
        let shift = PictureShift.estimate(from: before, to: view.luma, columns: box.columns, rows: box.rows)
        guard let held = sheet else {
            lost = lost.flatMap { $0.frames < Self.memory ? ($0.sheet.moved(by: shift), $0.frames + 1) : nil }
            if framesToSearch <= 0 {
                adopt(search(view, holding: lost?.sheet.outline), expecting: lost?.sheet, in: view)
            }
            return Step(sheet: sheet, motion: shift.length, shift: shift)
        }
        if let next = followed(held, by: shift, in: view) {
            sheet = next
            if framesToSearch <= 0 { confirm(next, in: view) }
        } else {
            let moved = held.moved(by: shift)
            (sheet, failures) = (nil, 0)
            adopt(search(view, holding: moved.outline), expecting: moved, in: view)
            if sheet == nil { lost = (moved, 0) }
        }
        let motion = sheet.map {
            $0.id == held.id ? $0.displacement(from: held) ?? shift.length : shift.length
        }
        return Step(sheet: sheet, motion: motion ?? shift.length, shift: shift)
    }

    // MARK: Following

    /// Tracks the sheet's edge in the next image; nil if the track is lost.
    private mutating func followed(
        _ held: Sheet, by shift: SIMD2<Double>, in view: GuidanceView
    ) -> Sheet? {
        guard let found = held.outline.followed(in: view.image, movedBy: shift),
            found.clarity > max(Self.leastClarity.levels, Self.leastClarity.share * held.clarity)
        else { return nil }
        var next = Sheet(
            id: held.id, outline: found.outline,
            corners: Self.corners(of: found.outline, near: held.corners?.map { $0 + shift }),
            clarity: found.clarity)
        next.pattern = view.pattern(next.corners)
        if let was = held.pattern, let likeness = next.pattern?.likeness(to: was),
            likeness < Self.leastLikeness,
            // Perhaps a corner jumped and the sheet is the same.
            view.pattern(held.corners?.map { $0 + shift })?.likeness(to: was) ?? 1 < Self.leastLikeness
        {
            // One mismatch is a hand or a reflected lamp; two in a row are another sheet.
            guard held.strangeCount == 0 else {
                next.id = newID()
                return next
            }
            next.pattern = was
            next.strangeCount = 1
        }
        next.pattern = next.pattern ?? held.pattern
        return next
    }

    /// Verifies the track with a fresh search; adopts the result if it overlaps, or after two failed verifications.
    private mutating func confirm(_ held: Sheet, in view: GuidanceView) {
        framesToSearch = Self.interval(of: held.outline)
        let found = search(view, holding: held.outline)
        let overlap = found.map { $0.outline.overlap(with: held.outline) } ?? 0
        // A track at the image's border stays there when the sheet comes into view; a search result does not.
        if overlap >= Self.overlaps.outline, !held.outline.touchesBorder {
            doubts = 0
        } else if overlap >= Self.overlaps.sheet || doubts > 0 {
            adopt(found, expecting: held, in: view)
            doubts = 0
        } else {
            doubts += 1
        }
    }

    // MARK: Searching

    /// Searches the whole image for the sheet nearest its middle and moves the result onto its edge. After a failure the next
    /// search magnifies the middle.
    private mutating func search(
        _ view: GuidanceView, holding held: SheetOutline? = nil
    ) -> (outline: SheetOutline, clarity: Double)? {
        guard let found = view.search(inMiddle: failures % 2 == 1, holding: held) else {
            failures += 1
            return nil
        }
        failures = 0
        return found.followed(in: view.image, movedBy: .zero) ?? (found, 0)
    }

    /// Adopts the result of a search, with the identifier of the expected sheet if it matches.
    private mutating func adopt(
        _ found: (outline: SheetOutline, clarity: Double)?, expecting expected: Sheet?, in view: GuidanceView
    ) {
        guard let found else {
            sheet = nil
            framesToSearch = Self.intervals.none
            return
        }
        let corners = Self.corners(of: found.outline, near: expected?.corners)
        let pattern = view.pattern(corners)
        let isExpected =
            expected.map { expected in
                found.outline.overlap(with: expected.outline) >= Self.overlaps.sheet
                    && (expected.pattern.flatMap { was in pattern?.likeness(to: was) } ?? 1)
                        >= Self.leastLikeness
            } ?? false
        sheet = Sheet(
            id: isExpected ? expected?.id ?? newID() : newID(), outline: found.outline,
            corners: isExpected ? corners : Self.corners(of: found.outline, near: nil),
            clarity: found.clarity, pattern: isExpected ? pattern ?? expected?.pattern : pattern)
        lost = nil
        framesToSearch = Self.interval(of: found.outline)
    }

    private static func interval(of outline: SheetOutline) -> Int {
        outline.touchesBorder ? intervals.cut : intervals.whole
    }

    private mutating func newID() -> Int {
        lastID += 1
        return lastID
    }

    /// The corners of an outline in the previous order; without a previous order, starting at the top left.
    private static func corners(
        of outline: SheetOutline, near before: [SIMD2<Double>]?
    ) -> [SIMD2<Double>]? {
        guard let corners = outline.corners else { return nil }
        func turned(_ first: Int) -> [SIMD2<Double>] { (0..<4).map { corners[(first + $0) % 4] } }
        func cost(_ first: Int) -> Double {
            guard let before else { return corners[first].x + corners[first].y }
            return zip(turned(first), before).reduce(0) { $0 + ($1.0 - $1.1).length }
        }
        return (0..<4).min { cost($0) < cost($1) }.map(turned)
    }
}

extension SheetFollower.Sheet {
    /// The same sheet, shifted.
    fileprivate func moved(by shift: SIMD2<Double>) -> Self {
        var moved = self
        moved.outline = outline.moved(by: shift)
        moved.corners = corners?.map { $0 + shift }
        return moved
    }

    /// The mean distance of the corners from the previous ones; nil unless both are known.
    fileprivate func displacement(from before: Self) -> Double? {
        guard let corners, let old = before.corners else { return nil }
        return zip(corners, old).reduce(0) { $0 + ($1.0 - $1.1).length } / 4
    }
}

extension SheetOutline {
    /// The columns and rows that the outline spans, within the image.
    var pixelBox: (columns: Range<Int>, rows: Range<Int>) {
        func range(_ places: [Double], _ count: Int) -> Range<Int> {
            let low = min(max(Int((places.min() ?? 0).rounded()), 0), count)
            return low..<min(max(Int((places.max() ?? 0).rounded()) + 1, low), count)
        }
        return (range(polygon.map(\.x), imageSize.width), range(polygon.map(\.y), imageSize.height))
    }

    /// Intersection over union of two outlines in images of one size, 0 to 1, on a grid of a quarter of the resolution.
    func overlap(with other: SheetOutline) -> Double {
        let size = PixelSize(width: max(imageSize.width / 4, 1), height: max(imageSize.height / 4, 1))
        var both = 0
        var either = 0
        for (one, two) in zip(mask(size: size).elements, other.mask(size: size).elements) {
            if one && two { both += 1 }
            if one || two { either += 1 }
        }
        return either > 0 ? Double(both) / Double(either) : 0
    }
}
