import Foundation
import ReceiptCapture
import ReceiptFlattening
import SheetGuidance

/// Follows the sheet, and what is asked for besides, in the frames of one camera, in a process of its own: frames are strangers'
/// bytes.
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
        /// What is followed besides; nil where nothing is.
        var items: [Item]?
        /// Why nothing is followed although it was asked for.
        var notFollowed: String?

        private enum CodingKeys: String, CodingKey {
            case advice, sheet, confidence, outline, corners, width, height, sharpness, brightness, glare,
                items
            case notFollowed = "not_followed"
        }
    }

    /// Something in view.
    struct Item: Codable, Equatable {
        /// Its number, which stays while it is in view.
        var id: Int
        /// `line`, `item`, `code`, `face` or `field`.
        var kind: String
        /// Which item, symbology or field it is: `url`, `qr`, `total`.
        var what: String?
        /// What it says.
        var text: String?
        /// Its corners in the frame's pixels.
        var corners: [[Double]]
    }

    /// The largest frame, in bytes and megapixels.
    static let (greatestFrame, greatestPixels) = (4 << 20, 3_000_000)

    /// Reads frames from standard input until it ends.
    /// - Parameter kinds: what is followed besides the sheet.
    public static func run(following kinds: Set<TrackedItem.Kind>) async {
        let output = FileHandle.standardOutput
        var limits = FlatteningLimits()
        limits.maximumColorPixels = greatestPixels
        limits.maximumFileBytes = greatestFrame
        var follower = Follower(kinds)
        while let (bytes, time) = await nextFrame() {
            var line: Data
            do {
                let frame = CaptureFrame(
                    capture: try Capture(imageData: bytes, limits: limits), timestamp: time)
                line = try JSONEncoder().encode(await follower.answer(to: frame))
            } catch {
                line = Data(#"{"error":"the frame is no picture that is read"}"#.utf8)
            }
            line.append(UInt8(ascii: "\n"))
            guard (try? output.write(contentsOf: line)) != nil else { return }
        }
    }

    /// What follows.
    private struct Follower {
        private var tracker = GuidanceTracker()
        private var items: RecognizedItemSequence<AsyncStream<CaptureFrame>>.AsyncIterator?
        private let frames: AsyncStream<CaptureFrame>.Continuation
        private var notFollowed: String?

        init(_ kinds: Set<TrackedItem.Kind>) {
            let (stream, frames) = AsyncStream.makeStream(of: CaptureFrame.self)
            self.frames = frames
            guard !kinds.isEmpty else { return }
            var options = ItemTrackingOptions()
            options.follows = kinds
            var flattening = ReceiptFlattener.Options()
            flattening.language = "auto"
            items = stream.recognizedItems(flattening: flattening, options: options).makeAsyncIterator()
        }

        /// Where what was asked for cannot be followed, the sheet still is.
        mutating func answer(to frame: CaptureFrame) async -> Answer {
            let size = frame.capture.image.size
            if var items {
                frames.yield(frame)
                do {
                    if let changes = try await items.next(isolation: nil) {
                        self.items = items
                        var answer = Answer(changes.guidance, size: size)
                        answer.items = changes.items.map(Item.init)
                        return answer
                    }
                } catch {
                    notFollowed = (error as? FlatteningError)?.description ?? error.localizedDescription
                }
                self.items = nil
            }
            var answer = Answer(tracker.guide(frame), size: size)
            answer.notFollowed = notFollowed
            return answer
        }
    }

    /// Reading waits, which no thread of the readers may do.
    private static let input = DispatchQueue(label: "frames")

    /// The next frame's bytes and its time in seconds; nil at the end, and for one that is too large.
    private static func nextFrame() async -> (bytes: Data, time: Double)? {
        await withCheckedContinuation { continuation in
            input.async {
                let handle = FileHandle.standardInput
                guard let head = read(12, from: handle) else { return continuation.resume(returning: nil) }
                let numbers = head.map(UInt64.init)
                let length = Int(numbers[0..<4].reduce(0) { $0 << 8 | $1 })
                let time = Double(numbers[4..<12].reduce(0) { $0 << 8 | $1 }) / 1000
                guard length <= greatestFrame, let bytes = read(length, from: handle) else {
                    return continuation.resume(returning: nil)
                }
                continuation.resume(returning: (bytes, time))
            }
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

extension LiveWorker.Item {
    init(_ item: TrackedItem) {
        let what: String? =
            switch item.content {
            case .item(let item): item.kind.rawValue
            case .code(let code): code.symbology.rawValue
            case .field(let field, _, _): field.rawValue
            case .line, .face: nil
            }
        self.init(
            id: item.id, kind: item.content.kind.rawValue, what: what, text: item.content.text,
            corners: item.corners.map { [($0.x * 10).rounded() / 10, ($0.y * 10).rounded() / 10] })
    }
}
