import Foundation
import ReceiptFlattening
import SheetGuidance

/// Follows the sheet in the frames of one camera, in a process of its own: frames are strangers' bytes.
///
/// A frame comes as its length (four bytes, the greatest first), its time in milliseconds (eight bytes) and a JPEG; a line of JSON
/// answers it.
public enum LiveWorker {
    /// What is answered to a frame.
    struct Answer: Codable, Equatable {
        /// What to do next, as `ReceiptGuidance.Advice` calls it.
        var advice: String
        /// The sheet's number, which stays while it is followed.
        var sheet: Int?
        /// How sure the outline is, 0 to 1.
        var confidence: Double?
        /// The outline in the frame's pixels, the first point not repeated.
        var outline: [[Double]]?
        /// The four corners, as far as all are seen.
        var corners: [[Double]]?
        /// The frame's size in pixels.
        var width: Int
        var height: Int
        /// How well the sheet is seen: sharpness, brightness and glare, 0 to 1.
        var sharpness: Double
        var brightness: Double
        var glare: Double
    }

    /// The largest frame, in bytes and megapixels.
    static let (greatestFrame, greatestPixels) = (4 << 20, 3_000_000)

    /// Reads frames from standard input until it ends.
    public static func run() {
        let (input, output) = (FileHandle.standardInput, FileHandle.standardOutput)
        var limits = FlatteningLimits()
        limits.maximumColorPixels = greatestPixels
        limits.maximumFileBytes = greatestFrame
        var tracker = GuidanceTracker()
        while let head = read(12, from: input) {
            let numbers = head.map(UInt64.init)
            let length = Int(numbers[0..<4].reduce(0) { $0 << 8 | $1 })
            let time = Double(numbers[4..<12].reduce(0) { $0 << 8 | $1 }) / 1000
            guard length <= greatestFrame, let bytes = read(length, from: input) else { return }
            var line: Data
            do {
                let capture = try Capture(imageData: bytes, limits: limits)
                let guidance = tracker.guide(CaptureFrame(capture: capture, timestamp: time))
                line = try JSONEncoder().encode(Answer(guidance, size: capture.image.size))
            } catch {
                line = Data(#"{"error":"the frame is no picture that is read"}"#.utf8)
            }
            line.append(UInt8(ascii: "\n"))
            guard (try? output.write(contentsOf: line)) != nil else { return }
        }
    }

    private static func read(_ count: Int, from handle: FileHandle) -> Data? {
        var data = Data()
        while data.count < count {
            guard let more = try? handle.read(upToCount: count - data.count), !more.isEmpty else {
                return nil
            }
            data.append(more)
        }
        return data
    }
}

extension LiveWorker.Answer {
    init(_ guidance: ReceiptGuidance, size: PixelSize) {
        func tenth(_ value: Double) -> Double { (value * 10).rounded() / 10 }
        func thousandth(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
        func points(_ places: [SIMD2<Double>]) -> [[Double]] { places.map { [tenth($0.x), tenth($0.y)] } }
        self.init(
            advice: guidance.advice.rawValue, sheet: guidance.sheet?.id,
            confidence: (guidance.sheet?.outline.confidence).map(thousandth),
            outline: guidance.sheet.map { points($0.outline.polygon) },
            corners: guidance.sheet?.corners.map(points),
            width: size.width, height: size.height, sharpness: thousandth(guidance.quality.sharpness),
            brightness: thousandth(guidance.quality.brightness), glare: thousandth(guidance.quality.glare))
    }
}
