import DepthGeometry
import Foundation
import Imaging
import SyntheticCaptures
import Testing
import TextTestSupport

@testable import SheetFlattening

@Suite("Straightening a sheet by its printed lines")
struct PrintedLinesTests {
    static let page = SIMD2(800.0, 1100.0)
    static let letterHeight = 12.0

    /// A page of words of letters of two heights, and an amount at the far right of each line, bent by `bend`.
    /// - Parameter bend: how far down from its straight height print lies, in pixels.
    static func print(
        lines: Int, seed: UInt64, bend: (SIMD2<Double>) -> Double
    ) -> [PrintedPiece] {
        var generator = SeededGenerator(seed: seed)
        var pieces: [PrintedPiece] = []
        for line in 0..<lines {
            let height = 60 + 980 * (Double(line) + 0.5) / Double(lines)
            for column in Array(0..<34) + Array(58..<63) where column % 6 != 5 {
                let x = 40 + 11.5 * Double(column)
                let foot = (height + bend(SIMD2(x, height)) + 0.3 * generator.normal()).rounded()
                let isTall = column >= 58 || generator.uniform(0..<1) < 0.4
                pieces.append(
                    PrintedPiece(
                        kind: .letter,
                        box: Box(
                            left: x - 4, top: foot - (isTall ? letterHeight : 0.75 * letterHeight),
                            right: x + 4, bottom: foot)))
            }
        }
        return pieces
    }

    static func straightening(
        _ pieces: [PrintedPiece], cap: Double = .infinity
    ) throws -> PrintedLineStraightening {
        try PrintedLineStraightening(of: pieces, letterHeight: letterHeight, page: page, cap: cap)
    }

    /// A curl of 40 pixels, three letters high, that is stronger at the top.
    static func curl(_ place: SIMD2<Double>) -> Double {
        40 * (1 - place.y / 2200) * cos(place.x / page.x * .pi * 1.5)
    }

    @Test(
        "Rows turn a sheet against its sides only by a coarse angle that the letters agree on",
        arguments: [(9.0, 0.8, true), (-9, 0.8, true), (9, 0.1, false), (3, 0.9, false), (0, 1, false)])
    func againstSides(degrees: Double, agreement: Double, turns: Bool) {
        #expect(PreviewRows.isAgainstSides(degrees * .pi / 180, agreement: agreement) == turns)
    }

    @Test("Bent lines become level", arguments: [UInt64(1), 2, 3])
    func bentLines(seed: UInt64) throws {
        let found = try Self.straightening(Self.print(lines: 20, seed: seed, bend: Self.curl))
        guard case .straightened(let field) = found.outcome else {
            Issue.record("refused, seed \(seed): \(found.outcome)")
            return
        }
        #expect(found.lineCount >= 20)
        for height in stride(from: 100.0, through: 1000, by: 100) {
            // Where there is print; in the blank between label and amount nothing is known.
            let straight = stride(from: 50.0, through: 410, by: 20).map { x in
                field.straightHeight(of: SIMD2(x, height + Self.curl(SIMD2(x, height))))
            }
            let spread = (straight.max() ?? 0) - (straight.min() ?? 0)
            // It was some 70 pixels. A quarter of a letter's height is less than small letters differ from capitals, and
            // what tells rows apart begins at half of one.
            #expect(spread < Self.letterHeight / 4, "seed \(seed), height \(height)")
        }
    }

    @Test("Lines that are straight within their noise are left alone", arguments: [UInt64(11), 12, 13, 14])
    func straightLines(seed: UInt64) throws {
        let found = try Self.straightening(Self.print(lines: 20, seed: seed) { _ in 0 })
        guard case .refused = found.outcome else {
            Issue.record("straight lines were straightened, seed \(seed)")
            return
        }
        #expect(found.lineCount >= 20)
    }

    @Test(
        "Rows are found also on a page that lies sideways or in hard shadows",
        arguments: [(ImageOrientation.up, false), (.right, false), (.up, true), (.right, true)])
    func framedAnyhow(orientation: ImageOrientation, inShadow: Bool) throws {
        let text = """
            MARKET HALL BAKERY
            12 HIGH STREET
            2 ROLLS            3.20
            1 LOAF OF RYE      4.50
            6 EGGS             2.40
            BUTTER 250 G       2.15
            APPLES 1.2 KG      3.48
            TOTAL             15.73
            CASH              20.00
            CHANGE             4.27
            THANK YOU COME AGAIN
            """
        let page = try DrawnPage(text).picture
        let lit = GrayImage(width: page.width, height: page.height) { pixels in
            for y in 0..<page.height {
                for x in 0..<page.width {
                    // Bars of shadow some five letters wide, across the rows.
                    let isDark = inShadow && (x + 2 * y) / 80 % 2 == 0
                    pixels.initializeElement(
                        at: y * page.width + x, to: UInt8(Double(page[x: x, y: y]) * (isDark ? 0.35 : 1)))
                }
            }
        }
        let shown = lit.oriented(by: orientation)
        let image = RGBImage(
            width: shown.width, height: shown.height,
            elements: shown.elements.map {
                RGB(red: $0, green: $0, blue: $0)
            })
        let (right, bottom) = (Double(shown.width) - 3, Double(shown.height) - 3)
        let outline = try #require(
            SheetOutline(
                corners: [SIMD2(2, 2), SIMD2(right, 2), SIMD2(right, bottom), SIMD2(2, bottom)],
                imageSize: shown.size))
        let options = SheetFlattener.Options()
        let sheet = try FlatteningLadder(
            capture: Capture(image: image), search: .found([outline]), options: options
        ).climb().straightenedByPrint(on: image, options: options).sheet
        #expect(sheet.print?.lineCount ?? 0 >= 8)
    }

    @Test("Five lines help already, one does not judge")
    func fewLines() throws {
        let bend = { (place: SIMD2<Double>) in 15 * sin(place.x / 120) }
        guard case .straightened = try Self.straightening(Self.print(lines: 5, seed: 21, bend: bend)).outcome
        else {
            Issue.record("five bent lines were refused")
            return
        }
        let few = try Self.straightening(Self.print(lines: 1, seed: 21, bend: bend))
        guard case .refused(let reason) = few.outcome else {
            Issue.record("one line was believed")
            return
        }
        #expect(reason.contains("too few"))
    }

    @Test("What would move print farther than it can be wrong is refused")
    func cap() throws {
        let pieces = Self.print(lines: 20, seed: 1, bend: Self.curl)
        guard case .refused(let reason) = try Self.straightening(pieces, cap: 5).outcome else {
            Issue.record("a shift of 40 pixels passed a cap of 5")
            return
        }
        #expect(reason.contains("allowed"))
    }

    @Test("The straight height and the shift are each other's inverse")
    func inverse() throws {
        let found = try Self.straightening(Self.print(lines: 20, seed: 1, bend: Self.curl))
        guard case .straightened(let field) = found.outcome else {
            Issue.record("refused: \(found.outcome)")
            return
        }
        for place in [SIMD2(50.0, 80.0), SIMD2(400, 500), SIMD2(790, 1090)] {
            let straight = field.straightHeight(of: place)
            // The iteration ends at steps below a thousandth of a pixel.
            #expect(abs(straight + field.shift(at: SIMD2(place.x, straight)) - place.y) < 0.002)
        }
    }

    @Test("The tilt of lines is found with its uncertainty", arguments: [-0.05, 0, 0.02])
    func tilt(slope: Double) throws {
        let pieces = Self.print(lines: 20, seed: 41) { slope * $0.x }
        let tilt = try #require(PrintedLineTracing(pieces: pieces, letterHeight: Self.letterHeight).tilt())
        #expect(abs(tilt.angle - atan(slope)) < 4 * tilt.deviation + 1e-6)
        // A fourteenth of a letter over the 390 pixels of a label.
        #expect(tilt.deviation < 0.003)
    }

    @Test("A plane moved by nothing shows what it showed")
    func movedPlane() throws {
        let camera = CameraIntrinsics(
            fx: 3000, fy: 3000, cx: 2001, cy: 1502, imageSize: PixelSize(width: 4032, height: 3024))
        let plane = Plane(through: SIMD3(0.01, -0.005, 0.3), normal: SIMD3(0.3, -0.2, -1))
        let outline = [SIMD2(1700.0, 1050.0), SIMD2(2300, 1080), SIMD2(2250, 1900), SIMD2(1650, 1850)]
        let unrolling = try Unrolling(of: .plane(plane), intrinsics: camera, outline: outline)
        let flat = try outline.map { try #require(unrolling.flatPosition(ofPixel: $0)) }
        let frame = try #require(PageFrame(enclosing: flat, margin: 0.002))
        let moved = unrolling.moved(showing: frame) { $0 }
        let exact = unrolling.samplingMap(frame: frame, pixelsPerMeter: 5000, spacing: 8)
        let gridded = moved.samplingMap(frame: frame, pixelsPerMeter: 5000, spacing: 8)
        for (a, b) in zip(exact.nodes.elements, gridded.nodes.elements) {
            // Between vertices 7 pixels apart the perspective bends by (7 pixels)² / 8 · slope / focal length: 0.001.
            #expect(abs(a.x - b.x) < 0.02 && abs(a.y - b.y) < 0.02)
        }
    }
}
