import DepthGeometry
import Documents
import Foundation
import Imaging
import RobustStatistics
import SheetGuidance
import SyntheticCaptures

@testable import ReceiptCapture

/// A receipt on a dark table, seen by a hand-held camera that goes around it, and what a reader makes of each frame.
struct DrawnRecording {
    static let seed: UInt64 = 1923
    static let size = PixelSize(width: 640, height: 480)

    /// What stands on the sheet: value, kind and where, in shares of its width and height.
    static let truth: [(item: RecognizedItem, corners: [SIMD2<Double>])] = [
        (.url, "https://shop.example", 0.2, 0.06), (.phone, "+493012345678", 0.2, 0.12),
        (.date, "2025-02-13", 0.1, 0.2), (.price, "1.20", 0.7, 0.32), (.price, "1.20", 0.7, 0.38),
        (.price, "12.49", 0.7, 0.44), (.price, "14.89", 0.7, 0.56), (.email, "info@shop.example", 0.2, 0.8),
    ].map { kind, value, x, y in
        let (width, height) = (0.02 * Double(value.count), 0.025)
        return (
            .init(
                kind: kind, value: value, printed: value, confidence: 0.9,
                box: Box(left: 0, top: 0, right: 1, bottom: 1)),
            [SIMD2(x, y), SIMD2(x + width, y), SIMD2(x + width, y + height), SIMD2(x, y + height)]
        )
    }

    let frames: [CaptureFrame]
    /// For each frame the true corners of each true item.
    let corners: [[[SIMD2<Double>]]]

    /// Ten frames a second.
    static let drawn = Result { try DrawnRecording(count: 24) }

    private init(count: Int) throws {
        var frames: [CaptureFrame] = []
        var corners: [[[SIMD2<Double>]]] = []
        for index in 0..<count {
            // Once around: the camera leans to each side in turn, comes nearer, turns and trembles.
            let phase = 2 * Double.pi * Double(index) / Double(count)
            var generator = SeededGenerator(seed: Self.seed)
            let document = ReceiptDocument.generated(paper: .narrow, itemCount: 4, using: &generator)
            let scene = SyntheticScene(
                document: document, shape: .plane, table: .dark,
                camera: CameraIntrinsics(
                    fx: 530, fy: 530, cx: 319.5, cy: 239.5, imageSize: Self.size),
                pose: CameraPose(
                    distance: 0.2 - 0.02 * sin(phase), tilt: 0.15 + 0.1 * sin(2 * phase),
                    tiltDirection: phase,
                    turn: 0.2 * sin(phase), offset: SIMD2(0.04 * cos(phase), 0.02 * sin(3 * phase))),
                seed: Self.seed, quality: .draft)
            let drawn = try scene.render(sensor: .structuredLight)
            frames.append(
                CaptureFrame(
                    capture: Capture(image: drawn.image, intrinsics: drawn.intrinsics),
                    timestamp: Double(index) / 10))
            corners.append(
                Self.truth.map { item in
                    item.corners.map {
                        drawn.photographPosition(u: $0.x * document.width, v: $0.y * document.height)
                    }
                })
        }
        (self.frames, self.corners) = (frames, corners)
    }

    /// What a reader that is often wrong reads in a frame: an eighth of the items is missed, a quarter misread, and each
    /// corner lies off by up to a sixth of a row.
    func misread(_ frame: CaptureFrame) -> [FrameReading.Found] {
        let index = Int(((frame.timestamp ?? 0) * 10).rounded())
        var generator = SplitMix64(seed: Self.seed + UInt64(index))
        return zip(Self.truth, corners[index]).compactMap { truth, corners in
            guard Double.random(in: 0..<1, using: &generator) > 1 / 8.0 else { return nil }
            var item = truth.item
            if Double.random(in: 0..<1, using: &generator) < 0.25 {
                let letter = item.value.indices.randomElement(using: &generator) ?? item.value.startIndex
                item.value.replaceSubrange(letter...letter, with: "8")
                item.confidence = 0.7
            }
            let row = (corners[3] - corners[0]).length / 6
            return FrameReading.Found(
                content: .item(item),
                corners: corners.map {
                    $0
                        + SIMD2(
                            .random(in: -row...row, using: &generator),
                            .random(in: -row...row, using: &generator))
                })
        }
    }
}
