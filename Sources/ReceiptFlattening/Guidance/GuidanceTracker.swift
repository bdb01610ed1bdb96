public import Captures
internal import DepthGeometry
internal import SheetFlattening

/// Guides a person frame by frame: follows the sheet, measures how well it is seen, and says what to do next.
///
/// ```swift
/// var tracker = GuidanceTracker()
/// for index in 0..<recording.frameCount {
///     let guidance = tracker.guide(try recording.frame(at: index))
///     print(guidance.sheet?.id ?? 0, guidance.advice)
/// }
/// ```
///
/// Frames come in the order of time, all of one size; another size begins anew. The same frames give the same guidance.
/// For a stream of frames see `receiptGuidance(options:)`.
public struct GuidanceTracker: Sendable {
    /// From where on a frame will do.
    public var options: GuidanceOptions

    private var follower = SheetFollower()
    private var lastTime: Double?
    private var lastAdvice: ReceiptGuidance.Advice?
    private var calmCount = 0

    /// A tracker that has seen nothing yet.
    public init(options: GuidanceOptions = GuidanceOptions()) {
        self.options = options
    }

    /// What the next frame shows.
    /// - Parameter frame: its picture upright; depth and intrinsics, where there are any, belong to that picture. Poses are not used.
    /// - Complexity: O(pixels) for the reduction; the rest does not depend on the frame's size. Every so often, and while
    ///   no sheet is seen, the sheet is searched for, which takes several times as long as following it.
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
            quality: quality, advice: advice, timestamp: frame.timestamp)
    }

    /// Seconds since the frame before.
    private func interval(until time: Double?) -> Double {
        guard let time, let lastTime, time > lastTime else { return options.assumedInterval }
        return max(time - lastTime, 1e-3)
    }

    // MARK: Advice

    /// What keeps an advice from flickering: once given, it takes this factor more to be withdrawn.
    private static let hysteresis = 1.08

    /// The gravest objection, or `ready` after enough frames without any.
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
            // What is seen without a sheet may be a dark table in good light.
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
        // A frame that has none before it may be any moment of a motion; it cannot count as calm.
        guard let motion = quality.motion else { return .holdStill }
        if isAbove(motion, options.greatestMotion, .holdStill) { return .holdStill }
        if isBelow(quality.sharpness, options.leastSharpness, .blurred) { return .blurred }
        if isAbove(quality.glare, options.greatestGlare, .tooBright) { return .tooBright }
        return nil
    }
}

extension SheetOutline {
    /// Whether the sheet runs off the picture on two opposite sides.
    fileprivate var spansPicture: Bool {
        func reachesBoth(_ places: [Double], _ count: Int) -> Bool {
            guard let least = places.min(), let greatest = places.max() else { return false }
            let margin = max(2, 0.004 * Double(count))
            return least < margin && greatest > Double(count - 1) - margin
        }
        return reachesBoth(polygon.map(\.x), imageSize.width)
            || reachesBoth(polygon.map(\.y), imageSize.height)
    }
}
