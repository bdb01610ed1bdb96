import ReceiptFlattening
import SheetGuidance
import SyntheticCaptures

extension StageCase {
    /// Three seconds of video in which a hand points the camera at a receipt, and three of an empty table.
    static let guidance: [StageCase] = [
        StageCase(.guidance, "follow a sheet", GuidanceVideo.label) { _ in
            let frames = try GuidanceVideo.frames(showSheet: true)
            return work(frames) { guidance in
                try require(
                    guidance.allSatisfy { $0.sheet?.id == 1 }, "the sheet was lost or taken for another")
            }
        },
        StageCase(.guidance, "look for a sheet", GuidanceVideo.label) { _ in
            let frames = try GuidanceVideo.frames(showSheet: false)
            return work(frames) { guidance in
                try require(guidance.allSatisfy { $0.sheet == nil }, "an empty table was taken for a sheet")
            }
        },
    ]

    private static func work(
        _ frames: [CaptureFrame], require: @escaping ([ReceiptGuidance]) throws -> Void
    ) -> Work {
        func guide() -> (guidance: [ReceiptGuidance], slowest: Duration, all: Duration) {
            var tracker = GuidanceTracker()
            var guidance: [ReceiptGuidance] = []
            var slowest = Duration.zero
            let start = ContinuousClock.now
            for frame in frames {
                let begun = ContinuousClock.now
                guidance.append(tracker.guide(frame))
                slowest = max(slowest, ContinuousClock.now - begun)
            }
            return (guidance, slowest, ContinuousClock.now - start)
        }
        return Work(guide) { result in
            try require(result.guidance)
            return [
                "frames a second": Double(frames.count) / (result.all / .seconds(1)),
                "slowest frame ms": result.slowest / .milliseconds(1),
            ]
        }
    }
}

/// Frames cut out of one drawn picture along the path of a hand.
public enum GuidanceVideo {
    /// How long it is, and how large.
    public static let label = "45 frames of 640x480"
    private static let size = PixelSize(width: 640, height: 480)

    static func frames(showSheet: Bool) throws -> [CaptureFrame] {
        var generator = SeededGenerator(seed: 4_817)
        let document = ReceiptDocument.generated(paper: .narrow, itemCount: 6, using: &generator)
        let margin = 80
        let drawn = PixelSize(width: size.width + 2 * margin, height: size.height + 2 * margin)
        let focal = 0.83 * Double(size.width)
        let scene = SyntheticScene(
            document: document, shape: .curl(curvature: 4, direction: .pi / 2), table: .wood,
            camera: CameraIntrinsics(
                fx: focal, fy: focal, cx: Double(drawn.width - 1) / 2, cy: Double(drawn.height - 1) / 2,
                imageSize: drawn),
            pose: CameraPose(
                distance: 0.22, tilt: 0.15, tiltDirection: 0.8, turn: 0.2,
                offset: SIMD2(showSheet ? 0 : 4, 0)),
            seed: 4_817)
        let image = try scene.render(sensor: .lidar).image
        var place = SIMD2(Double(margin), Double(margin))
        return (0..<45).map { index in
            // A hand wanders by some pixels a frame and comes back.
            place += SIMD2(3 * generator.normal(), 3 * generator.normal())
            place += (SIMD2(repeating: Double(margin)) - place) * 0.05
            let left = min(max(Int(place.x.rounded()), 0), 2 * margin)
            let top = min(max(Int(place.y.rounded()), 0), 2 * margin)
            let frame = RGBImage(
                width: size.width, height: size.height,
                elements: (0..<size.pixelCount).map {
                    image[x: left + $0 % size.width, y: top + $0 / size.width]
                })
            return CaptureFrame(
                capture: Capture(image: frame, intrinsics: scene.camera.cropped(x: left, y: top, size: size)),
                timestamp: Double(index) / 15)
        }
    }
}
