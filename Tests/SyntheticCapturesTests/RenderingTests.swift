import DepthGeometry
import Foundation
import Imaging
import SyntheticCaptures
import Testing

@Suite("Rendered captures")
struct RenderingTests {
    /// A small scene that draws in a second or so without optimisation.
    static func scene(_ shape: SheetShape, seed: UInt64 = 3, tilt: Double = 0.2) -> SyntheticScene {
        var generator = SeededGenerator(seed: seed)
        let document = ReceiptDocument.generated(paper: .narrow, itemCount: 3, using: &generator)
        let size = PixelSize(width: 300, height: 400)
        let camera = CameraIntrinsics(fx: 330, fy: 330, cx: 151.3, cy: 198.2, imageSize: size)
        let pose = CameraPose(distance: 0.16, tilt: tilt, tiltDirection: 0.7, turn: 0.4)
        return SyntheticScene(
            document: document, shape: shape, table: .dark, camera: camera, pose: pose, seed: seed,
            quality: .draft)
    }

    static let shapes: [SheetShape] = [
        .plane, .curl(curvature: 6, direction: 1.5),
        .fold(creases: [.init(position: 0.01, angle: 0.6)], creaseWidth: 0.003, direction: .pi / 2),
        .cone(apexDistance: 0.15, curvature: 7, direction: 0.1),
    ]

    @Test("A pixel's flat coordinates project back to the pixel", arguments: shapes)
    func flatCoordinatesProjectBack(shape: SheetShape) throws {
        let capture = try Self.scene(shape).render(sensor: .perfect)
        let step = 3
        let flat = capture.flatMillimeters(step: step)
        var count = 0
        for y in 0..<flat.height {
            for x in 0..<flat.width where !flat[x: x, y: y].x.isNaN {
                let place = flat[x: x, y: y]
                let position = capture.photographPosition(
                    u: Double(place.x) / 1000, v: Double(place.y) / 1000)
                let error = position - SIMD2(Double(step * x), Double(step * y))
                // The mesh's chords of 1 mm lie up to c²/8r = 47 micrometres off the sharpest bend (r = 2.7 mm): 0.1 pixels
                // if seen from the side, and the camera is tilted by 0.2.
                #expect((error * error).sum().squareRoot() < 0.08)
                count += 1
            }
        }
        #expect(count > 1000)
    }

    @Test("A scan is printed as wide as the paper, its black edges too")
    func scan() throws {
        // Chequered, 6 x 9, so that black and white meet at every edge: there a value past the outermost texel would be less
        // than black.
        let scan = GrayImage(width: 60, height: 90) { texels in
            for index in texels.indices { texels[index] = (index % 60 / 10 + index / 600) % 2 == 0 ? 255 : 0 }
        }
        var generator = SeededGenerator(seed: 5)
        var scene = SyntheticScene.random(
            .plane, paper: .narrow, scan: scan, imageSize: PixelSize(width: 300, height: 400), table: .dark,
            using: &generator)
        scene.quality = .draft
        scene.endCut = .straight
        #expect(scene.document.text.isEmpty)
        // 58 mm wide paper; the height follows the scan's aspect.
        #expect(abs(scene.document.height - 0.087) < 1e-9)
        let capture = try scene.render(sensor: .perfect)
        for row in 0..<9 {
            for column in 0..<6 {
                let place = capture.photographPosition(
                    u: (Double(column) + 0.5) / 6 * 0.058, v: (Double(row) + 0.5) / 9 * 0.087)
                let pixel = capture.image[x: Int(place.x.rounded()), y: Int(place.y.rounded())]
                // Paper reflects 0.8, black print next to nothing; shades and noise change both by less than a quarter.
                #expect((pixel.luma > 128) == ((row + column) % 2 == 0), "\(row) \(column): \(pixel)")
            }
        }
    }

    @Test("Perfect depth is the surface along the ray, and the table elsewhere", arguments: shapes)
    func perfectDepthIsTheSurface(shape: SheetShape) {
        let scene = Self.scene(shape)
        let sensor = DepthSensor(kind: .perfect, longSide: 200, shortSide: 150, encoding: .tiff32)
        let depth = scene.renderDepth(sensor: sensor)
        let camera = scene.camera.scaled(to: depth.size)
        let surface = scene.surface
        let eye = scene.pose.position
        var sheet = 0
        for y in stride(from: 0, to: depth.height, by: 3) {
            for x in stride(from: 0, to: depth.width, by: 3) {
                let z = Double(depth[x: x, y: y])
                let ray = camera.ray(through: SIMD2(Double(x), Double(y)))
                let point = eye + scene.pose.directionInTable(ray) * z
                if abs(point.z) < 1e-6 { continue }  // On the table; a Float holds 0.16 m to 8e-9.
                // On the sheet: the nearest place of the flat sheet, by Gauss-Newton from where a flat one would lie.
                var place = SIMD2(point.x + surface.width / 2, point.y + surface.height / 2)
                for _ in 0..<12 {
                    let h = 1e-5
                    let here = surface.point(u: place.x, v: place.y)
                    let alongU = (surface.point(u: place.x + h, v: place.y) - here) / h
                    let alongV = (surface.point(u: place.x, v: place.y + h) - here) / h
                    // The columns are orthonormal, as the sheet does not stretch.
                    let rest = point - here
                    place += SIMD2((rest * alongU).sum(), (rest * alongV).sum())
                }
                let rest = point - surface.point(u: place.x, v: place.y)
                // Chords of 1 mm lie c²/8r = 47 micrometres off the sharpest bend, r = 2.7 mm.
                #expect((rest * rest).sum().squareRoot() < 5e-5)
                sheet += 1
            }
        }
        #expect(sheet > 300 || shape == .plane)
    }

    @Test("Structured light is as noisy as its law says, at every distance", arguments: [0.2, 0.4])
    func structuredLightNoise(distance: Double) {
        var scene = Self.scene(.plane)
        // White does not make holes; the sheet lies flat, so every reading is of one plane.
        scene.table = .white
        scene.pose = CameraPose(distance: distance)
        let sensor = DepthSensor(kind: .structuredLight, longSide: 200, shortSide: 150, encoding: .tiff32)
        let depth = scene.renderDepth(sensor: sensor)
        #expect(depth.validFraction > 0.99)
        var sum = 0.0
        var squares = 0.0
        var neighbours = 0.0
        for y in 0..<depth.height {
            for x in 1..<depth.width {
                let error = Double(depth[x: x, y: y]) - distance
                sum += error
                squares += error * error
                neighbours += error * (Double(depth[x: x - 1, y: y]) - distance)
            }
        }
        let count = Double(depth.height * (depth.width - 1))
        let law = 0.0005 * (distance / 0.3) * (distance / 0.3)
        // About 30,000 readings, 8 to a correlated patch: the deviation is known to 1.2 %, the mean to 1.6 % of it.
        #expect(abs((squares / count).squareRoot() / law - 1) < 0.05)
        #expect(abs(sum / count) < 0.07 * law)
        // A Gaussian of 0.8 pixels correlates neighbours by exp(-1/(4 · 0.64)) = 0.68.
        #expect(abs(neighbours / squares - 0.68) < 0.05)
    }

    @Test("LiDAR errs slowly by millimetres, and little from pixel to pixel")
    func lidarBias() {
        var squares = 0.0
        var steps = 0.0
        var count = 0.0
        for seed in 1...6 as ClosedRange<UInt64> {
            var scene = Self.scene(.plane, seed: seed)
            scene.pose = CameraPose(distance: 0.3)
            var sensor = DepthSensor.lidar
            sensor.encoding = .tiff32
            let depth = scene.renderDepth(sensor: sensor)
            for y in 0..<depth.height {
                for x in 1..<depth.width {
                    let error = Double(depth[x: x, y: y]) - 0.3
                    let step = Double(depth[x: x, y: y] - depth[x: x - 1, y: y])
                    squares += error * error
                    steps += step * step
                    count += 1
                }
            }
        }
        let deviation = (squares / count).squareRoot()
        // A map holds only a few of the slow waves: six maps know their deviation to about a fifth.
        #expect(deviation > 0.0014 && deviation < 0.0026)
        // White noise of 0.3 mm twice, and a slope of at most 2 mm · 2 pi / 80 pixels.
        let step = (steps / count).squareRoot()
        #expect(step > 0.0003 * 1.3 && step < 0.0003 * 1.6)
    }

    @Test("Stored depth is rounded to the file's unit")
    func storedDepthIsRounded() throws {
        let capture = try Self.scene(.plane).render(sensor: .lidar)
        let raw = try #require(capture.rawDepth)
        #expect(raw.size == PixelSize(width: 192, height: 256))
        for index in stride(from: 0, to: raw.elements.count, by: 97) {
            #expect(capture.depth.values.elements[index] == Float(raw.elements[index]) * 0.0001)
        }
    }

    @Test("A scene is drawn the same each time, by one thread or many")
    func drawingIsRepeatable() throws {
        var scene = Self.scene(.curl(curvature: 6, direction: 1.5))
        scene.camera = scene.camera.scaled(to: PixelSize(width: 120, height: 160))
        let first = try scene.render(sensor: .structuredLight, threading: .allCores)
        let second = try scene.render(sensor: .structuredLight, threading: .single)
        #expect(first.image == second.image)
        #expect(first.rawDepth == second.rawDepth)
        #expect(try scene.renderRows(70..<90) == first.image.rows(70..<90))
        scene.seed += 1
        #expect(try scene.renderRows(70..<90) != first.image.rows(70..<90))
    }

    @Test("Paper is bright, print is dark, and the sheet shades the table")
    func lightIsPlausible() throws {
        let capture = try Self.scene(.curl(curvature: 6, direction: 1.5)).render(sensor: .perfect)
        let flat = capture.flatMillimeters()
        var paper: [UInt8] = []
        var table: [UInt8] = []
        for index in flat.elements.indices {
            let luma = capture.image.elements[index].luma
            if flat.elements[index].x.isNaN { table.append(luma) } else { paper.append(luma) }
        }
        paper.sort()
        table.sort()
        // Most of a receipt is bare paper; at half a millimetre a pixel, strokes of 0.25 mm are smeared to grey.
        #expect(paper[paper.count / 2] > 180)
        #expect(paper[paper.count / 200] < paper[paper.count / 2] - 25)
        #expect(table[table.count / 2] < 90)
        #expect(table[table.count / 50] < table[table.count / 2])
    }
}

extension RGBImage {
    fileprivate func rows(_ rows: Range<Int>) -> RGBImage {
        RGBImage(
            width: width, height: rows.count,
            elements: Array(elements[rows.lowerBound * width..<rows.upperBound * width]))
    }
}
