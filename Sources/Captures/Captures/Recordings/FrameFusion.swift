public import Diagnostics
public import DepthGeometry
import ImageFiles
package import Imaging

/// Fuses the depth of frames of one still scene, one frame after another.
///
/// The image stays the reference's (`FusedCapture.withPicture` repairs it); its depth becomes the mean of the frames that
/// agree. Independent noise of n frames shrinks by the square root of n; an error that all frames share stays.
package struct FrameFusion: Sendable {
    /// The frame whose image and camera are kept.
    package let reference: Capture
    /// The deadline for fusing; nil (the default) for no limit.
    package var deadline: ContinuousClock.Instant?
    private let pose: RigidTransform?
    private let view: RegistrationView
    private var frames: [FusedDepth.Frame] = []
    private var indices: [Int] = []
    /// The cameras of the images, frame by frame.
    private var cameras: [Camera] = []
    /// Why frames were left out, by the numbers with which they were added.
    package private(set) var refusals: [(frame: Int, reason: String)] = []

    /// The least correlation of two images of one scene, in which contradicting places have little weight. Frames of eight
    /// drawn recordings with a moving reflection and a finger have 0.954 or more if their depth agrees. Frames of another
    /// recording put among them have 0.943 or less in four of five cases; the rest must be found by their depth.
    static let leastCorrelation = 0.945
    /// The least share of the scene that both frames must show: with less, most of the fused depth would come from one frame
    /// alone.
    static let leastOverlap = 0.5
    /// The largest allowed registration error, as a share of the distance: half a millimetre at 25 cm, which is within the
    /// error of depth sensors.
    static let greatestDepthError = 0.002
    /// The largest allowed difference of a frame's depths from the others', as a share of the distance. Slow errors of
    /// phones' sensors stay below it; a hand in the image or another unit does not.
    static let greatestDeparture = 0.02

    /// Starts with the frame whose image is kept.
    /// - Throws: `.badInput` if it has no metric depth or no camera: there is then nothing to fuse.
    package init(reference frame: CaptureFrame) throws(FlatteningError) {
        reference = frame.capture
        pose = frame.uprightPose
        switch Self.view(of: frame.capture) {
        case .success(let view): self.view = view
        case .failure(let refusal):
            throw FlatteningError(
                .badInput, "the reference frame cannot be fused with others: \(refusal.reason)",
                stage: .fusing, advice: "Choose another frame, or flatten one alone")
        }
    }

    /// Adds a frame, or notes why it is left out.
    /// - Parameters:
    ///   - frame: the frame to add.
    ///   - number: the frame's number in ``refusals``.
    /// - Complexity: O(pixels); the image is not kept.
    package mutating func add(_ frame: CaptureFrame, number: Int) {
        switch registered(frame) {
        case .success(let registered):
            frames.append(registered.frame)
            cameras.append(registered.camera)
            indices.append(number)
        case .failure(let refusal): refusals.append((number, refusal.reason))
        }
    }

    /// Notes why a frame that could not be read is left out.
    mutating func leaveOut(_ number: Int, because reason: String) {
        refusals.append((number, reason))
    }

    /// Returns the fused capture of the frames that agree.
    /// - Throws: `.badInput` with the reasons if no frame agrees with the reference; `.timeout`.
    package func fused() throws(FlatteningError) -> FusedCapture {
        var frames = frames
        var indices = indices
        var cameras = cameras
        var refusals = refusals
        // Removes the frame that differs most first, because it biases the mean; then compares the others again.
        while !frames.isEmpty {
            try deadline.check(before: .fusing)
            let fused = FusedDepth(reference: view.depth, camera: view.depthCamera, frames: frames)
            let departures = fused.departures.map { $0 ?? .infinity }
            if let worst = departures.indices.max(by: { departures[$0] < departures[$1] }),
                departures[worst] > Self.greatestDeparture
            {
                refusals.append(
                    (
                        indices[worst],
                        departures[worst].isFinite
                            ? "its depth lies \((departures[worst] * 1000).rounded() / 10) % of the distance from the others'"
                            : "its depth map shows nothing of what the reference shows"
                    ))
                frames.remove(at: worst)
                indices.remove(at: worst)
                cameras.remove(at: worst)
                continue
            }
            var capture = reference
            capture.depth = fused.depth
            capture.metadata.depthForm =
                (capture.metadata.depthForm.map { $0 + ", " } ?? "") + "mean of \(frames.count + 1) frames"
            for refusal in refusals {
                capture.warnings.append("frame \(refusal.frame) is not fused: \(refusal.reason)")
            }
            var record = FusionRecord(depthFrames: frames.count + 1)
            record.refusals = refusals.map {
                .init(frame: $0.frame, reason: $0.reason, isOfPictureAlone: false)
            }
            capture.fusion = record
            return FusedCapture(
                capture: capture, frameCount: frames.count + 1, counts: fused.counts, spread: fused.spread,
                others: indices.indices.map {
                    .init(number: indices[$0], camera: cameras[$0], transform: frames[$0].transform)
                })
        }
        if frames.isEmpty, refusals.isEmpty {
            throw FlatteningError(
                .badInput, "one frame cannot be fused", stage: .fusing, seen: "one frame",
                allowed: "a recording of two frames and more", advice: "Leave --fuse out")
        }
        let reasons = refusals.map { "frame \($0.frame): \($0.reason)" }
        throw FlatteningError(
            .badInput, "no frame agrees with the reference", stage: .fusing,
            seen: reasons.joined(separator: "; "),
            allowed: "frames of a still scene with depth and camera")
    }

    private struct Refusal: Error { var reason: String }

    private static func view(of capture: Capture) -> Result<RegistrationView, Refusal> {
        guard let depth = capture.depth else {
            return .failure(Refusal(reason: capture.depthRefusal ?? "it has no depth"))
        }
        guard depth.scale == .metric else {
            return .failure(Refusal(reason: "its depth is relative, so that no two frames share a scale"))
        }
        guard let intrinsics = capture.intrinsics else {
            return .failure(Refusal(reason: "its camera is unknown"))
        }
        guard min(capture.image.width, capture.image.height) >= 32 else {
            return .failure(
                Refusal(reason: "its picture (\(capture.image.size)) is too small to be laid over another"))
        }
        return .success(
            RegistrationView(
                image: capture.image, depth: depth,
                camera: Camera(intrinsics: intrinsics, distortion: capture.distortion)))
    }

    private func registered(
        _ frame: CaptureFrame
    ) -> Result<(frame: FusedDepth.Frame, camera: Camera), Refusal> {
        let other: RegistrationView
        switch Self.view(of: frame.capture) {
        case .success(let view): other = view
        case .failure(let refusal): return .failure(refusal)
        }
        // A pose from the file only starts the search: tracking drifts, images do not.
        var start = RigidTransform.identity
        if let pose, let own = frame.uprightPose { start = own.inverse.after(pose) }
        guard let found = FrameRegistration(of: other, to: view, startingAt: start) else {
            return .failure(
                Refusal(reason: "its picture shows no pattern by which to lay it over the reference's"))
        }
        guard found.overlap >= Self.leastOverlap, found.correlation >= Self.leastCorrelation else {
            return .failure(
                Refusal(
                    reason:
                        "its picture is another: correlation \((found.correlation * 100).rounded() / 100), "
                        + "overlap \((found.overlap * 100).rounded() / 100)"))
        }
        guard found.relativeDepthError <= Self.greatestDepthError else {
            return .failure(
                Refusal(
                    reason: "its place is known no better than to "
                        + "\((found.relativeDepthError * 10000).rounded() / 100) % of the distance"))
        }
        return .success(
            (
                FusedDepth.Frame(depth: other.depth, camera: other.depthCamera, transform: found.transform),
                other.camera
            ))
    }
}

/// A capture whose depth comes from several frames, and so do the parts of its image that were hidden or blurred.
public struct FusedCapture: Sendable {
    /// The reference's image and the depth of all frames; its warnings say which frames were left out, and why. Places of the
    /// image that most frames contradict (a reflection, a finger), or that another frame shows much sharper, are taken from
    /// another frame. If six or more frames together show print better than one does, the image has twice as many pixels a
    /// side, and the camera is that image's.
    public internal(set) var capture: Capture
    /// Number of frames used, including the reference.
    public let frameCount: Int
    /// See `FusedDepth.counts`.
    package let counts: Raster<Int32>
    /// See `FusedDepth.spread`.
    package let spread: Raster<Float>
    /// The frames used besides the reference.
    let others: [Other]

    /// A frame registered to the reference.
    struct Other: Sendable {
        let number: Int
        /// For the size of its image.
        let camera: Camera
        /// The transform from the reference camera's frame to this one's.
        let transform: RigidTransform
    }
}

extension FusedCapture {
    /// Returns the same capture with its image fused too.
    /// - Parameter image: reads a frame's image again.
    /// - Complexity: O(frames · pixels); at most four images are in memory at a time, plus the brightness of all frames at up
    ///   to four megapixels.
    func withPicture(
        image: (_ number: Int) throws(FlatteningError) -> RGBImage
    ) throws(FlatteningError) -> FusedCapture {
        guard others.count >= 2, let depth = capture.depth, let intrinsics = capture.intrinsics,
            var record = capture.fusion
        else { return self }
        var fusion = PictureFusion(
            reference: capture.image, depth: depth,
            camera: Camera(intrinsics: intrinsics, distortion: capture.distortion))
        var result = self
        for other in others {
            let picture: RGBImage
            do throws(FlatteningError) {
                picture = try image(other.number)
            } catch {
                guard ![.timeout, .cancelled].contains(error.code) else { throw error }
                record.refusals.append(
                    .init(frame: other.number, reason: "\(error)", isOfPictureAlone: true))
                continue
            }
            let refusal = fusion.add(
                picture, camera: other.camera, transform: other.transform, number: other.number)
            if let refusal {
                record.refusals.append(
                    .init(frame: other.number, reason: refusal, isOfPictureAlone: true))
            } else {
                record.comparedFrames.append(other.number)
            }
        }
        if let fused = try fusion.fused(image: image) {
            result.capture.show(fused.image)
            record.pictureFrames = fused.frames
            record.finer = fused.finer
            record.taken = fused.taken
            record.step = fused.step
        }
        result.capture.fusion = record
        return result
    }
}

extension CaptureSource {
    /// Fuses a frame's depth with that of the frames around it, and its image too; see `FrameFusion` and
    /// ``FusedCapture/capture``.
    /// - Parameters:
    ///   - index: the frame whose image is kept, 0 to `frameCount` - 1.
    ///   - count: the most frames to use, the nearest in time; at least 2. Ten remove two thirds of independent noise, and
    ///     the next ten less than another tenth.
    /// - Throws: errors of reading the frame itself, `.timeout`, and `.badInput` if no other frame agrees with it. Other
    ///   frames that cannot be read are left out, as the capture's warnings say.
    /// - Complexity: O(frames · pixels); each frame is read two or three times, and at most four images are in memory at a
    ///   time.
    public func fused(around index: Int, count: Int = 10) throws(FlatteningError) -> FusedCapture {
        precondition(count >= 2, "one frame is not fused")
        var fusion = try FrameFusion(reference: try frame(at: index))
        fusion.deadline = deadline
        let nearest = (0..<frameCount).sorted { abs($0 - index) < abs($1 - index) }
        for other in nearest.dropFirst().prefix(count - 1) {
            try deadline.check(before: .init(rawValue: "fusing frame \(other)"))
            do throws(FlatteningError) {
                fusion.add(try frame(at: other), number: other)
            } catch {
                guard error.code != .cancelled, error.code != .timeout else { throw error }
                fusion.leaveOut(other, because: "\(error)")
            }
        }
        return try fusion.fused().withPicture { number throws(FlatteningError) in
            try deadline.check(before: .init(rawValue: "fusing the picture of frame \(number)"))
            return try frame(at: number).capture.image
        }
    }
}

extension Capture {
    /// Replaces the image with another of the same view, possibly with another number of pixels.
    fileprivate mutating func show(_ picture: RGBImage) {
        let size = image.size
        image = picture
        guard picture.size != size else { return }
        intrinsics = intrinsics?.scaled(to: picture.size)
        distortion = distortion?.scaled(from: size, to: picture.size)
    }
}

extension CaptureFrame {
    /// The pose of the upright image's camera; nil if it is unknown or the image is stored mirrored.
    fileprivate var uprightPose: RigidTransform? {
        guard let pose else { return nil }
        let orientation = capture.metadata.orientation
        let size = PixelSize(width: 1, height: 1)
        let x = orientation.turn(SIMD2(1, 0), in: size) - orientation.turn(.zero, in: size)
        let y = orientation.turn(SIMD2(0, 1), in: size) - orientation.turn(.zero, in: size)
        guard
            let turned = RigidTransform(
                rotation: [x.x, y.x, 0, x.y, y.y, 0, 0, 0, 1], translation: .zero)
        else { return nil }
        return pose.after(turned.inverse)
    }
}
