public import DepthGeometry
import SheetFlattening

/// Guides a person frame by frame: tracks the sheet, measures how well it is seen, and says what to do next.
///
/// ```swift
/// var tracker = GuidanceTracker()
/// for index in 0..<recording.frameCount {
///     let guidance = tracker.guide(try recording.frame(at: index))
///     print(guidance.sheet?.id ?? 0, guidance.advice)
/// }
/// ```
///
/// How the parts fit together:
/// - ``GuidanceTracker`` guides frame by frame; `receiptGuidance(options:)` does so for a stream of frames.
/// - ``ReceiptGuidance`` is the result: the sheet, how well it is seen, and one piece of advice.
/// - ``GuidanceOptions`` holds the thresholds for a good frame.
/// - Inside, a follower tracks the sheet's outline from frame to frame and searches for it anew at intervals.
///
/// Frames must come in order of time and have the same size; a new size starts over. The same frames give the same guidance.
/// For a stream of frames see `receiptGuidance(options:)`.
public struct GuidanceTracker: Sendable {
    /// The thresholds for a good frame.
    public var options: GuidanceOptions

    private var follower = SheetFollower()
    private var lastTime: Double?
    private var lastAdvice: ReceiptGuidance.Advice?
    private var calmCount = 0

    /// Creates a tracker that has seen no frame yet.
    public init(options: GuidanceOptions = GuidanceOptions()) {
        self.options = options
    }

    /// Processes the next frame.
    /// - Parameter frame: an upright image; depth and intrinsics, if any, belong to that image. The pose is not used.
    /// - Complexity: O(pixels) for the reduction; the rest does not depend on the frame's size. At intervals, and while no
    ///   sheet is visible, a search runs, which takes several times as long as tracking.
    public mutating func guide(_ frame: CaptureFrame) -> ReceiptGuidance {
        let capture = frame.capture
        let view = GuidanceView(capture, longestSide: min(max(options.workingSide, 160), 2048))
        let step = follower.advance(to: view)
        let motion = step.motion.map { $0 / view.longerSide / interval(until: frame.timestamp) }
        lastTime = frame.timestamp
        let quality = view.quality(of: step.sheet?.outline, motion: motion)
        let advice = advice(on: quality, outline: step.sheet?.outline)
        lastAdvice = advice
        return ReceiptGuidance(
            sheet: step.sheet.map { sheet in
                .init(
                    id: sheet.id, outline: view.inFrame(sheet.outline),
                    corners: sheet.corners?.map(view.inFrame))
            },
            quality: quality, advice: advice, timestamp: frame.timestamp, shift: view.stepInFrame(step.shift))
    }

    /// Seconds since the previous frame.
    private func interval(until time: Double?) -> Double {
        guard let time, let lastTime, time > lastTime else { return options.assumedInterval }
        return max(time - lastTime, 1e-3)
    }

    // MARK: Advice

    /// Keeps advice from flickering: to withdraw it, a measure must pass its threshold by this factor.
    private static let hysteresis = 1.08

    /// The most serious objection, or `ready` after enough frames without one.
    private mutating func advice(
        on quality: ReceiptGuidance.Quality, outline: SheetOutline?
    ) -> ReceiptGuidance.Advice {
        guard let objection = objection(to: quality, outline: outline) else {
            calmCount += 1
            return calmCount >= max(options.calmFrames, 1) ? .ready : .holdStill
        }
        calmCount = 0
        return objection
    }

    private func objection(
        to quality: ReceiptGuidance.Quality, outline: SheetOutline?
    ) -> ReceiptGuidance.Advice? {
        func isBelow(_ value: Double, _ limit: Double, _ advice: ReceiptGuidance.Advice) -> Bool {
            value < limit * (lastAdvice == advice ? Self.hysteresis : 1)
        }
        func isAbove(_ value: Double?, _ limit: Double, _ advice: ReceiptGuidance.Advice) -> Bool {
            value.map { $0 > limit / (lastAdvice == advice ? Self.hysteresis : 1) } ?? false
        }
        guard let outline else {
            // Without a sheet, a dark view may be a dark table in good light.
            return isBelow(quality.brightness, options.leastBrightness / 3, .tooDark) ? .tooDark : .noSheet
        }
        if isBelow(quality.brightness, options.leastBrightness, .tooDark) { return .tooDark }
        let borderShare = 1 - quality.wholeness
        if isAbove(borderShare, options.greatestBorderShare, .cutOff)
            || isAbove(borderShare, options.greatestBorderShare, .tooClose)
        {
            return outline.spansPicture ? .tooClose : .cutOff
        }
        if isBelow(quality.extent, options.leastExtent, .tooFar) { return .tooFar }
        if isAbove(quality.tilt, options.greatestTilt, .tooTilted) { return .tooTilted }
        // Without a previous frame the motion is unknown, so the frame cannot count as calm.
        guard let motion = quality.motion else { return .holdStill }
        if isAbove(motion, options.greatestMotion, .holdStill) { return .holdStill }
        if isBelow(quality.sharpness, options.leastSharpness, .blurred) { return .blurred }
        if isAbove(quality.glare, options.greatestGlare, .tooBright) { return .tooBright }
        return nil
    }
}

extension SheetOutline {
    /// Width of the image's border, as a share of its side, and at least two pixels: an outline is no more exact than that.
    private static let marginShare = 0.004

    /// Whether the sheet runs off the image on two opposite sides.
    fileprivate var spansPicture: Bool {
        func reachesBoth(_ places: [Double], _ count: Int) -> Bool {
            guard let least = places.min(), let greatest = places.max() else { return false }
            let margin = max(2, Self.marginShare * Double(count))
            return least < margin && greatest > Double(count - 1) - margin
        }
        return reachesBoth(polygon.map(\.x), imageSize.width)
            || reachesBoth(polygon.map(\.y), imageSize.height)
    }
}
