import DepthGeometry
import Diagnostics
import Documents
import Imaging
import ReceiptFlattening
import SheetFlattening
import Synchronization
import TextRecognition

/// Reads the followed items of a frame: print, faces and fields in one way; codes in two ways, quickly and thoroughly.
struct FrameReader: Sendable {
    /// Reads the items of a frame and binds them to a surface.
    typealias Read =
        @Sendable (CaptureFrame, TrackedSurface) async throws(FlatteningError) -> [FrameReading.Found]

    /// A way of reading, and the kinds it looks for.
    struct Way: Sendable {
        var sought: Set<TrackedItem.Kind>
        /// Whether it needs either a sheet whose corners are seen in the frame, or no sheet at all: not one that is lost for
        /// a moment.
        var needsCorners: Bool
        /// Whether it ends within a frame or two.
        var isQuick = false
        var read: Read
    }

    /// The ways of reading that look for at least one kind.
    let ways: [Way]

    init(ways: [Way]) { self.ways = ways.filter { !$0.sought.isEmpty } }

    /// Creates a reader that flattens frames.
    init(flattening: ReceiptFlattener.Options, options: ItemTrackingOptions) {
        let kinds = Self.kinds(flattening: flattening, options: options)
        let print = PrintReader(flattening: flattening, kinds: kinds.subtracting([.code]), options: options)
        self.init(ways: [
            Way(sought: print.kinds, needsCorners: true) { frame, surface async throws(FlatteningError) in
                try await print.found(in: frame, on: surface)
            },
            Self.codes(kinds, isQuick: true, options) { reader, picture throws(FlatteningError) in
                try reader.codesAtOneLook(in: picture)
            },
            Self.codes(kinds, isQuick: false, options) { reader, picture throws(FlatteningError) in
                try reader.codes(in: picture)
            },
        ])
    }

    /// Returns a way of reading codes.
    private static func codes(
        _ kinds: Set<TrackedItem.Kind>, isQuick: Bool, _ options: ItemTrackingOptions,
        read: @escaping @Sendable (CodeReader, GrayImage) throws(FlatteningError) -> [SheetCode]
    ) -> Way {
        Way(sought: kinds.intersection([.code]), needsCorners: false, isQuick: isQuick) {
            frame, _ async throws(FlatteningError) in
            try read(CodeReader(), frame.capture.image.gray()).compactMap { code in
                code.corners.map { FrameReading.Found(content: .code(code), corners: $0) }
            }.filter(options.accepts)
        }
    }

    /// Returns the kinds that are followed.
    private static func kinds(
        flattening: ReceiptFlattener.Options, options: ItemTrackingOptions
    ) -> Set<TrackedItem.Kind> {
        var kinds = options.follows
        if flattening.finds.contains(.items) { kinds.insert(.item) }
        if flattening.finds.contains(.codes) { kinds.insert(.code) }
        if flattening.finds.contains(.faces) { kinds.insert(.face) }
        return kinds.isEmpty ? [.item] : kinds
    }
}

/// Reads print, faces and fields: of a sheet flattened by its corners, or else of the unflattened frame.
private struct PrintReader: Sendable {
    let kinds: Set<TrackedItem.Kind>
    private let flattening: ReceiptFlattener.Options
    private let options: ItemTrackingOptions
    private let engine = SharedEngine()

    init(
        flattening: ReceiptFlattener.Options, kinds: Set<TrackedItem.Kind>, options: ItemTrackingOptions
    ) {
        self.kinds = kinds
        self.options = options
        var flattening = flattening
        flattening.usesDepth = false
        flattening.logsWarnings = false
        flattening.finds = []
        if kinds.contains(.item) { flattening.finds.insert(.items) }
        if kinds.contains(.face) { flattening.finds.insert(.faces) }
        self.flattening = flattening
    }

    func found(
        in frame: CaptureFrame, on surface: TrackedSurface
    ) async throws(FlatteningError) -> [FrameReading.Found] {
        let original = ReducedPicture(frame.capture.image)
        let reduced =
            options.quality.longestSide.map { ReducedPicture(reducing: original, toLongestSide: $0) }
            ?? original
        let corners = surface.corners ?? region(of: original.image.size).corners
        var flattening = flattening
        flattening.corners = corners.map(reduced.reducedPoint)
        if kinds == [.face] {
            (flattening.language, flattening.textEngine) = (nil, nil)
        } else if flattening.textEngine == nil {
            flattening.textEngine = try engine.opened(for: flattening)
        }
        let receipt = try await ReceiptFlattener(options: flattening).flatten(Capture(image: reduced.image))
        return contents(of: receipt).map { content, corners in
            FrameReading.Found(content: content, corners: corners.map(reduced.photographPoint))
        }.filter(options.accepts)
    }

    /// Returns the part of the image that is read if no sheet shows its corners.
    private func region(of size: PixelSize) -> Box {
        let (width, height) = (Double(size.width), Double(size.height))
        guard let region = options.regionOfInterest else {
            return Box(left: 0, top: 0, right: width, bottom: height)
        }
        return Box(
            left: max(region.left, 0), top: max(region.top, 0), right: min(region.right, width),
            bottom: min(region.bottom, height))
    }

    /// The least confidence of a field that is followed; confidence is the share of such values that are right. Two readings
    /// must also agree on the value.
    private static let sureField = 0.8

    /// Returns a receipt's contents of the followed kinds, with corners in the image that was read.
    private func contents(
        of receipt: FlattenedReceipt
    ) -> [(content: TrackedItem.Content, corners: [SIMD2<Double>])] {
        var contents: [(content: TrackedItem.Content, corners: [SIMD2<Double>])] = []
        func add(_ content: TrackedItem.Content, at box: Box) {
            let corners = box.corners(through: receipt.map)
            if corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) { contents.append((content, corners)) }
        }
        if kinds.contains(.line) { for line in receipt.text?.lines ?? [] { add(.line(line), at: line.box) } }
        for item in receipt.findings.items ?? [] { add(.item(item), at: item.box) }
        if kinds.contains(.field), let fields = receipt.fields {
            func addField<Value>(_ name: TrackedItem.Field, _ field: ReceiptFields.Field<Value>?) {
                guard let field, field.confidence >= Self.sureField else { return }
                add(
                    .field(name, value: "\(field.value)", confidence: field.confidence), at: field.box)
            }
            addField(.merchant, fields.merchant)
            addField(.date, fields.date)
            addField(.total, fields.total)
        }
        for face in receipt.findings.faces ?? [] {
            if let corners = face.photographCorners { contents.append((.face(face), corners)) }
        }
        return contents
    }
}

/// A text engine that is opened for the first reading and shared by all.
private final class SharedEngine: Sendable {
    private let engine = Mutex<(any TextEngine)?>(nil)

    func opened(for options: ReceiptFlattener.Options) throws(FlatteningError) -> any TextEngine {
        try engine.withLock { engine throws(FlatteningError) in
            if let engine { return engine }
            // Latin letters only: frames are often blurred, and other scripts are read from the photograph.
            let opened = try options.reader.engine(
                language: options.language ?? TextReader.anyLanguage, model: options.readerModel
            ).ofLatinLetters
            engine = opened
            return opened
        }
    }
}

extension ItemTrackingOptions {
    /// Whether something found is of a followed kind and inside the followed region.
    fileprivate func accepts(_ found: FrameReading.Found) -> Bool {
        guard accepts(found.content) else { return false }
        guard let region = regionOfInterest else { return true }
        let box = Box(around: found.corners)
        return region.holds(SIMD2(box.centerX, box.centerY) - 0.5)
    }
}
