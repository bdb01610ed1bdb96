import DepthGeometry
import Imaging
import TestSupport
import Testing

@testable import Captures

/// What is taken for the unit of a depth map that nothing states, and what is said of it.
@Suite struct DepthUnitTests {
    @Test(arguments: [
        // Millimetres of a desk, in a layout that counts 1/5000 m and in one that counts millimetres.
        (0.0002, 705.0, 0.001, "as the middle of the map would else lie 0.141 m away"),
        (0.001, 705.0, 0.001, "assumed. If"),
        // The benchmark's own units, likewise.
        (0.0002, 13400.0, 0.0002, "assumed. If"),
        (0.001, 13400.0, 0.0002, "as the middle of the map would else lie 13.4 m away"),
        // Both put the scene where sheets are: what is usual stays.
        (0.0002, 1500.0, 0.0002, "assumed. If"), (0.001, 1500.0, 0.001, "assumed. If"),
        // Neither does.
        (0.001, 60000.0, 0.001, "then lies 60 m away, which looks wrong"),
        (0.0002, 20.0, 0.0002, "then lies 0.004 m away, which looks wrong"),
        (0.001, Double.nan, 0.001, "assumed. If"),
    ])
    func theUsualUnitGivesWayToOneThatTheDistancesAllow(
        usual: Double, median: Double, expected: Double, words: String
    ) {
        let unit = DepthUnit.ofWholeNumbers(usually: usual, median: median, name: "d.png")
        #expect(unit.meters == expected)
        #expect(unit.warning.contains(words), "\(unit.warning)")
        #expect(unit.warning.hasPrefix("d.png: ") && unit.warning.contains("--depth-unit"))
    }

    @Test func floatingPointIsMetresUnlessOnlyMillimetresFit() {
        #expect(DepthUnit.ofFloatingPoint(median: 0.4, name: "d").meters == 1)
        #expect(DepthUnit.ofFloatingPoint(median: 400, name: "d").meters == 0.001)
        #expect(DepthUnit.ofFloatingPoint(median: 12, name: "d").meters == 1)
        #expect(DepthUnit.ofFloatingPoint(median: 12, name: "d").warning.contains("looks wrong"))
    }

    @Test func aUnitIsAssumedWithAWordAndStatedWithoutOne() throws {
        for (file, unit) in [("depth-mm.png", 0.001), ("depth-m.tif", 1)] {
            var description = CaptureDescription(imagePath: try Fixture.path("picture.png"))
            description.depth = .init(path: try Fixture.path(file))
            let assumed = try Capture.read(description)
            #expect(assumed.metadata.assumedDepthUnit == unit)
            #expect(assumed.warnings.count { $0.contains("no unit of depth is stated") } == 1)
            description.depth?.unit = unit
            let stated = try Capture.read(description)
            #expect(stated.metadata.assumedDepthUnit == nil)
            #expect(!stated.warnings.contains { $0.contains("unit of depth") })
            #expect(
                stated.depth?.values.elements.map(\.bitPattern)
                    == assumed.depth?.values.elements.map(\.bitPattern))
        }
    }

    /// Depth maps of the TUM benchmark's layout, by another camera: the fixture's 300 to 459 are millimetres.
    @Test func millimetresInTheBenchmarksLayoutAreToldByTheirDistances() throws {
        let tiny = try #require(TinyRecording.all.first { $0.format == "TUM RGB-D" })
        let folder = try ScratchFolder()
        for file in try tiny.files { try folder.write(file.bytes, as: file.name) }
        let capture = try Capture.read(folder.path)
        #expect(capture.metadata.assumedDepthUnit == 0.001)
        #expect(capture.warnings.contains { $0.contains("millimetres are assumed, as the middle") })
        try folder.write(#"{"depth_scale": 5000}"#, as: "scale.json")
        let stated = try Capture.read(folder.path)
        #expect(stated.metadata.assumedDepthUnit == nil)
        try expectMiniature(stated, unit: 1 / 5000)
    }
}
