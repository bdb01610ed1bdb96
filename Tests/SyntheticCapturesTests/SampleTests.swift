import Foundation
import ImageFiles
import Imaging
import LocalFiles
import SyntheticCaptures
import TestSupport
import Testing

@Suite("SampleData")
struct SampleTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("SampleData")

    static func path(_ sample: Sample, _ file: String) -> String {
        folder.appendingPathComponent(sample.name).appendingPathComponent(file).path
    }

    @Test("Every kind of surface and both kinds of sensors are there, in less than 6 MB")
    func samplesCoverEverything() throws {
        #expect(Set(Sample.all.map(\.kind)) == Set(SheetShape.Kind.allCases))
        #expect(Set(Sample.all.map(\.sensor.kind)) == [.lidar, .structuredLight])
        // Checked cloth is drawn where it is asked for.
        #expect(Set(Sample.all.map(\.table)) == Set(TableMaterial.allCases).subtracting([.checked]))
        var bytes = 0
        for sample in Sample.all {
            for file in ["capture.json", "image.jpg", "depth.png", "text.txt"] {
                bytes += try InputFile.read(path: Self.path(sample, file), kind: .image).bytes.count
            }
        }
        #expect(bytes < 6_000_000)
    }

    @Test("Texts are those of the scenes", arguments: Sample.all.indices)
    func textsAreCurrent(index: Int) throws {
        let sample = Sample.all[index]
        let text = try String(contentsOfFile: Self.path(sample, "text.txt"), encoding: .utf8)
        #expect(text == sample.scene.document.text)
    }

    @Test("The recording's shots and text are those of its scene, in less than 3 MB")
    func recordingIsCurrent() throws {
        let folder = Self.folder.appendingPathComponent(Sample.Recording.name)
        let sequence = Sample.Recording.sequence
        let text = try String(contentsOf: folder.appendingPathComponent("text.txt"), encoding: .utf8)
        #expect(text == sequence.shots.first?.scene.document.text)
        var bytes = 0
        for kind in ["rgb", "depth"] {
            let files = try FileManager.default.contentsOfDirectory(
                at: folder.appendingPathComponent(kind), includingPropertiesForKeys: [.fileSizeKey])
            #expect(files.count == Sample.Recording.shotCount)
            bytes += try files.reduce(0) {
                $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
            }
        }
        #expect(bytes < 3_000_000)
        // One shot's depth, as of the sample below.
        guard
            case .uint16(let stored) = try SampleMap.decode(
                InputFile.read(path: folder.appendingPathComponent("depth/000003.png").path))
        else {
            Issue.record("the depth is not of 16 bits")
            return
        }
        var sensor = sequence.sensor
        sensor.encoding = .png16(metersPerUnit: 0.001)
        let drawn = sequence.shots[3].scene.renderDepth(sensor: sensor).values.elements
        let differences = zip(stored.elements, drawn).map { stored, drawn in
            abs(Int(stored) - (drawn.isNaN ? 0 : Int((drawn * 1000).rounded())))
        }
        #expect(differences.count == stored.elements.count)
        // Sine and cosine may differ in their last bit, which can turn a rounded reading by one.
        #expect(differences.allSatisfy { $0 <= 1 })
    }

    @Test("The committed sample is what the renderer draws")
    func committedSampleIsCurrent() throws {
        let sample = try #require(Sample.all.first { $0.name == "plane-lidar" })
        let scene = sample.scene

        // Depth is exact where the mathematical library is the one that drew the samples; elsewhere sine and cosine
        // may differ in their last bit, which can turn a rounded reading by one unit of 0.1 mm.
        let file = try InputFile.read(path: Self.path(sample, "depth.png"))
        guard case .uint16(let stored) = try SampleMap.decode(file) else {
            Issue.record("depth.png is not of 16 bits")
            return
        }
        let depth = scene.renderDepth(sensor: sample.sensor)
        #expect(stored.size == depth.size)
        let drawn = depth.values.elements.map { $0.isNaN ? 0 : UInt16(($0 * 10_000).rounded()) }
        #if os(Linux) && arch(x86_64)
            #expect(stored.elements == drawn)
        #else
            #expect(zip(stored.elements, drawn).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        #endif

        // Some rows of the picture: JPEG at quality 92 loses less than two levels on average.
        let picture = try ColorPicture.decode(InputFile.read(path: Self.path(sample, "image.jpg"))).image
        #expect(picture.size == scene.camera.imageSize)
        let rows = 992..<1000
        let strip = try scene.renderRows(rows)
        var difference = 0
        for y in rows {
            for x in 0..<picture.width {
                difference += abs(
                    Int(picture[x: x, y: y].luma) - Int(strip[x: x, y: y - rows.lowerBound].luma))
            }
        }
        #expect(Double(difference) / Double(rows.count * picture.width) < 2)
    }

    @Test("A written capture reads back as it was, also when it is stored turned")
    func writtenCapturesReadBack() throws {
        let folder = try ScratchFolder()
        let scene = RenderingTests.scene(.plane)
        for encoding in [DepthSensor.Encoding.tiff32, .png16(metersPerUnit: 0.001)] {
            let sensor = DepthSensor(kind: .structuredLight, longSide: 64, shortSide: 48, encoding: encoding)
            let capture = try scene.render(sensor: sensor)
            try capture.write(to: folder.url, orientation: .right)
            let picture = try ColorPicture.decode(
                InputFile.read(path: folder.path("image.jpg")))
            #expect(picture.orientation == .right)
            #expect(picture.image.size == PixelSize(width: 400, height: 300))
            let upright = picture.image.oriented(by: .right)
            let difference = zip(upright.elements, capture.image.elements).reduce(0) {
                $0 + abs(Int($1.0.luma) - Int($1.1.luma))
            }
            #expect(Double(difference) / Double(upright.elements.count) < 3)

            let name = encoding == .tiff32 ? "depth.tiff" : "depth.png"
            let depth = try SampleMap.decode(
                InputFile.read(path: folder.path(name)))
            switch depth {
            case .float32(let values):
                #expect(DepthMap(readings: values).oriented(by: .right).isIdentical(to: capture.depth))
            case .uint16(let raw):
                #expect(raw.oriented(by: .right) == capture.rawDepth)
                #expect(
                    DepthMap(raw: raw, metersPerUnit: 0.001).oriented(by: .right).isIdentical(
                        to: capture.depth))
            case .uint8:
                Issue.record("depth of 8 bits")
            }
        }
        try scene.render(sensor: .lidar).writeTruth(to: folder.url, name: "test")
        // ZIP's local header and end record; NumPy itself reads the file when captures are scored.
        let archive = try InputFile.read(path: folder.path("grid.npz")).bytes
        #expect(archive.starts(with: [0x50, 0x4B, 3, 4]))
        #expect(archive.suffix(22).starts(with: [0x50, 0x4B, 5, 6]))
    }
}

extension DepthMap {
    /// Equality that takes NaN for equal to NaN.
    fileprivate func isIdentical(to other: DepthMap) -> Bool {
        size == other.size
            && zip(values.elements, other.values.elements).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
    }
}
