import DepthGeometry
import Diagnostics
import DrawnReceipts
import Foundation
import Imaging
import ReceiptFlattening
import SheetFlattening
import SyntheticCaptures
import Testing

/// The steps of the ladder, each on a capture that allows no higher one.
@Suite struct ReceiptFlattenerTests {
    @Test func aFlatSheetComesOutFlatAndInItsTrueSize() throws {
        let drawn = try DrawnReceipt.flat.get()
        let receipt = try ReceiptFlattener().flatten(try DrawnReceipt.capture())
        #expect(receipt.report.method == .plane)
        let density = try #require(receipt.pixelsPerMeter)

        // Independent of any fit: distances on the picture against distances on the sheet, from the renderer's truth.
        let truth = drawn.flatMillimeters()
        var generator = SeededGenerator(seed: 7)
        var errors: [Double] = []
        while errors.count < 200 {
            let ends = (0..<2).map { _ in
                SIMD2(
                    Double.random(in: 0..<Double(receipt.picture.size.width - 1), using: &generator),
                    Double.random(in: 0..<Double(receipt.picture.size.height - 1), using: &generator))
            }
            let places = ends.compactMap { end -> SIMD2<Double>? in
                let source = receipt.map.source(of: end)
                guard source.x >= 1, source.y >= 1, source.x < Double(truth.width - 2),
                    source.y < Double(truth.height - 2)
                else { return nil }
                let flat = Self.interpolate(truth, at: source)
                return flat.x.isNaN || flat.y.isNaN ? nil : flat
            }
            guard places.count == 2 else { continue }
            let claimed = Self.length(ends[0] - ends[1]) / density * 1000
            let actual = Self.length(places[0] - places[1])
            if actual > 20 { errors.append(claimed / actual - 1) }
        }
        let rms = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
        // 0.5 mm of noise at 0.3 m over some 10^4 readings leaves far less than this; it is the promise of the project.
        #expect(rms < 0.005, "seed \(DrawnReceipt.seed)")
        #expect(receipt.report.coverage == 1)
    }

    @Test func geometryAloneFindsTheSameOutlineAndPlane() throws {
        let capture = try DrawnReceipt.capture()
        let sheet = try SheetFlattener().flatten(capture)
        let receipt = try ReceiptFlattener().flatten(capture)
        #expect(try #require(sheet.outline) == receipt.outline)
        #expect(try #require(sheet.plane) == receipt.plane)
        #expect(sheet.method == receipt.report.method)
    }

    @Test("Relative depth gives shape but no size, whatever its unit", arguments: [Float(1e-3), 3.7, 1e3])
    func relativeDepth(unit: Float) throws {
        var capture = try DrawnReceipt.capture()
        let depth = try #require(capture.depth)
        capture.depth = DepthMap(readings: depth.values.map { $0 * unit }, scale: .relative)
        let receipt = try ReceiptFlattener().flatten(capture)
        #expect(receipt.report.method == .plane)
        #expect(receipt.pixelsPerMeter == nil)
        #expect(receipt.report.dpi == nil)
        #expect(receipt.report.sizeMm == nil)
        #expect(receipt.report.plane == nil, "millimetres of an unknown unit are none")
        #expect(receipt.report.surface == nil)
    }

    enum Spoiling: String, CaseIterable {
        case allMissing, oneReading, noise, notWanted, absent

        /// What the report's reason speaks of.
        var reason: String {
            switch self {
            case .allMissing: "no valid reading"
            case .oneReading: "readings lie on the sheet"
            case .noise: "scatter"
            case .notWanted: "not to be used"
            case .absent: "no depth map"
            }
        }
    }

    @Test(
        "Without usable depth the corners give the shape, and the report says why",
        arguments: Spoiling.allCases)
    func withoutUsableDepth(spoiling: Spoiling) throws {
        var capture = try DrawnReceipt.capture()
        let depth = try #require(capture.depth)
        var options = ReceiptFlattener.Options()
        var generator = SeededGenerator(seed: 11)
        switch spoiling {
        case .allMissing: capture.depth = depth.mapReadings { _, _, _ in .nan }
        case .oneReading: capture.depth = depth.mapReadings { x, y, z in x == 320 && y == 240 ? z : .nan }
        case .noise:
            capture.depth = depth.mapReadings { _, _, _ in Float.random(in: 0.1..<5, using: &generator) }
        case .notWanted: options.usesDepth = false
        case .absent: capture.depth = nil
        }
        let receipt = try ReceiptFlattener(options: options).flatten(capture)
        #expect(receipt.report.method == .corners)
        #expect(receipt.report.dpi == nil)
        let refusal = try #require(receipt.report.refused.first { $0.step == "depth" })
        #expect(refusal.reason.contains(spoiling.reason), "\(refusal.reason)")
        // The sheet's true proportions, which the focal length gives.
        let size = receipt.report.sizePx
        let drawn = try DrawnReceipt.flat.get()
        let truth = drawn.scene.document.height / drawn.scene.document.width
        let proportion = max(size.width, size.height) / min(size.width, size.height)
        #expect(abs(proportion / truth - 1) < 0.04)
    }

    @Test func depthWithoutIntrinsicsGivesTheProportionsNearly() throws {
        var capture = try DrawnReceipt.capture()
        capture.intrinsics = nil
        let report = try ReceiptFlattener().flatten(capture).report
        #expect(report.method == .plane && report.dpi == nil)
        let drawn = try DrawnReceipt.flat.get()
        let truth = drawn.scene.document.height / drawn.scene.document.width
        let size = report.sizePx
        // An angle of view that is only assumed changes the slant of the sheet, and with it the proportions: by 2.6 % here.
        // The rest is what corners alone are allowed above.
        #expect(abs(max(size.width, size.height) / min(size.width, size.height) / truth - 1) < 0.04)
    }

    @Test func aPictureWithoutASheetComesBackAsItWas() throws {
        let capture = Capture(image: DrawnReceipt.grayPicture)
        let receipt = try ReceiptFlattener().flatten(capture)
        #expect(receipt.report.method == .unchanged)
        #expect(receipt.report.refused.map(\.step) == ["depth", "corners"])
        #expect(receipt.picture.render() == capture.image)
        #expect(receipt.map.outputSize == capture.image.size)
        let corner = receipt.map.source(of: SIMD2(319, 239))
        #expect(Self.length(corner - SIMD2(319, 239)) < 1e-3)
        #expect(receipt.report.coverage == 1)
    }

    @Test("A line of pixels comes back whole", arguments: [(1, 1), (16, 1), (1, 56), (3000, 1), (2, 3000)])
    func aLineOfPixels(width: Int, height: Int) throws {
        let line = RGBImage(width: width, height: height, filledWith: RGB(red: 90, green: 90, blue: 90))
        let receipt = try ReceiptFlattener().flatten(Capture(image: line))
        #expect(receipt.report.method == .unchanged)
        #expect(receipt.report.coverage == 1)
        #expect(receipt.picture.render() == line)
    }

    @Test func theSameCaptureGivesTheSamePicture() throws {
        let capture = try DrawnReceipt.capture()
        let flattener = ReceiptFlattener()
        #expect(
            try flattener.flatten(capture).picture.render() == flattener.flatten(capture).picture.render())
    }

    @Test func theAskedResolutionIsTheOneThatIsClaimed() throws {
        var options = ReceiptFlattener.Options()
        options.dotsPerInch = 100
        let receipt = try ReceiptFlattener(options: options).flatten(try DrawnReceipt.capture())
        #expect(abs((receipt.report.dpi ?? 0) - 100) < 1e-9)
        let width = try #require(receipt.report.sizeMm?.width)
        #expect(abs(width / 25.4 * 100 - Double(receipt.picture.size.width)) < 1e-6)
    }

    @Test func theWordsAreTheSameAtEveryResolution() throws {
        var generator = SeededGenerator(seed: DrawnReceipt.seed)
        var scene = SyntheticScene.random(
            .plane, paper: .narrow, itemCount: 4, imageSize: PixelSize(width: 1440, height: 1920),
            table: .dark,
            using: &generator)
        scene.quality = .draft
        let drawn = try scene.render(sensor: .structuredLight)
        let capture = Capture(image: drawn.image, depth: drawn.depth, intrinsics: drawn.intrinsics)
        let receipts = try [nil, 150, 300, 600, 1000].map { dotsPerInch in
            var options = ReceiptFlattener.Options()
            options.dotsPerInch = dotsPerInch
            options.language = "eng"
            return try ReceiptFlattener(options: options).flatten(capture)
        }
        let texts = try receipts.map { try #require($0.text) }
        #expect(!texts[0].words.isEmpty)
        #expect(texts.allSatisfy { $0.string == texts[0].string })
        // Each stands in the picture that was asked for.
        for (receipt, text) in zip(receipts, texts) {
            #expect(text.pageWidth == receipt.picture.size.width)
            let scale = try #require(receipt.report.dpi) / #require(receipts[0].report.dpi)
            for (word, first) in zip(text.words, texts[0].words) {
                #expect(abs(word.box.left - first.box.left * scale) < 1e-6 * Double(text.pageWidth))
                #expect(abs(word.box.bottom - first.box.bottom * scale) < 1e-6 * Double(text.pageHeight))
            }
        }
    }

    @Test(arguments: [5.0, 5000, .nan, -1])
    func aResolutionOutOfRangeIsRefused(dotsPerInch: Double) throws {
        var options = ReceiptFlattener.Options()
        options.dotsPerInch = dotsPerInch
        #expect {
            try ReceiptFlattener(options: options).flatten(Capture(image: DrawnReceipt.grayPicture))
        } throws: {
            ($0 as? FlatteningError)?.code == .badInput
        }
    }

    @Test func aPictureLargerThanAllowedIsRefusedBeforeItIsMade() throws {
        var options = ReceiptFlattener.Options()
        options.dotsPerInch = 2400
        options.maximumOutputPixels = 1_000_000
        #expect {
            try ReceiptFlattener(options: options).flatten(try DrawnReceipt.capture())
        } throws: {
            ($0 as? FlatteningError)?.code == .limitExceeded
        }
    }

    @Test func tooLittleTimeIsATimeout() throws {
        var options = ReceiptFlattener.Options()
        options.timeLimit = .nanoseconds(1)
        #expect {
            try ReceiptFlattener(options: options).flatten(Capture(image: DrawnReceipt.grayPicture))
        } throws: {
            ($0 as? FlatteningError)?.code == .timeout
        }
    }

    @Test func aCancelledTaskStopsTheWork() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await ReceiptFlattener().flatten(Capture(image: DrawnReceipt.grayPicture)).picture
                .render()
        }
        let error = try await #require(throws: FlatteningError.self) { try await task.value }
        #expect(error.code == .cancelled)
    }

    @Test func stagesComeInOrder() throws {
        var stages: [ReceiptFlattener.Stage] = []
        _ = try ReceiptFlattener().flatten(Capture(image: DrawnReceipt.grayPicture)) { stages.append($0) }
        #expect(stages == [.outline, .surface, .print, .upright, .resampling])
    }

    @Test func awaitingGivesWhatWaitingGives() async throws {
        let capture = Capture(image: DrawnReceipt.grayPicture)
        let awaited = try await ReceiptFlattener().flatten(capture)
        #expect(awaited.picture.render() == DrawnReceipt.grayPicture)
        #expect(awaited.report.method == .unchanged)
    }

    @Test func aCancelledTaskEndsItsFlattening() async throws {
        let task = Task { () throws in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await ReceiptFlattener().flatten(Capture(image: DrawnReceipt.grayPicture))
        }
        await #expect {
            _ = try await task.value
        } throws: {
            ($0 as? FlatteningError)?.code == .cancelled
        }
    }

    private static func length(_ vector: SIMD2<Double>) -> Double { (vector * vector).sum().squareRoot() }

    private static func interpolate(_ map: Raster<SIMD2<Float>>, at point: SIMD2<Double>) -> SIMD2<Double> {
        let x = Int(point.x)
        let y = Int(point.y)
        let (s, t) = (point.x - Double(x), point.y - Double(y))
        func value(_ x: Int, _ y: Int) -> SIMD2<Double> { SIMD2<Double>(map[x: x, y: y]) }
        let top = value(x, y) * (1 - s) + value(x + 1, y) * s
        let bottom = value(x, y + 1) * (1 - s) + value(x + 1, y + 1) * s
        return top * (1 - t) + bottom * t
    }
}
