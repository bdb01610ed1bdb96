import Diagnostics
import Imaging
import RobustStatistics
import Testing

@testable import Documents

@Suite struct HaarCascadeTests {
    /// A cascade of one stage: bright above dark.
    private func xml(
        nodes: String = "0 -1 0 0.01", leaves: String = "0 1", rectangle: String = "0 0 8 8 -1.",
        threshold: String = "0.5"
    ) -> [UInt8] {
        Array(
            """
            <?xml version="1.0"?><!-- by hand --><opencv_storage><cascade type_id="opencv-cascade-classifier">
            <stageType>BOOST</stageType><featureType>HAAR</featureType><height>8</height><width>8</width>
            <stages><_><maxWeakCount>1</maxWeakCount><stageThreshold>\(threshold)</stageThreshold><weakClassifiers>
            <_><internalNodes>\(nodes)</internalNodes><leafValues>\(leaves)</leafValues></_></weakClassifiers></_></stages>
            <features><_><rects><_>\(rectangle)</_><_>0 0 8 4 2.</_></rects></_></features></cascade></opencv_storage>
            """.utf8)
    }

    @Test func aCascadeIsReadAndFindsWhatItDescribes() throws {
        let cascade = try #require(HaarCascade(xml: xml()))
        #expect(cascade.stages.count == 1 && cascade.leaves == [0, 1])
        // Bright above, dark below: the feature is the upper half's sum less the lower's.
        var page = GrayImage(width: 64, height: 64, filledWith: 128)
        for y in 24..<40 { for x in 24..<40 { page[x: x, y: y] = y < 32 ? 250 : 5 } }
        let found = cascade.detections(in: page, agreeing: 0)
        #expect(
            found.contains {
                $0.left < 32 && $0.left + $0.width > 32 && $0.top < 32 && $0.top + $0.height > 32
            })
        #expect(cascade.detections(in: GrayImage(width: 64, height: 64, filledWith: 128)).isEmpty)
        #expect(cascade.detections(in: GrayImage(width: 7, height: 64, filledWith: 128)).isEmpty)
    }

    @Test(arguments: [
        ("0 -1 1 0.01", "0 1", "0 0 8 8 -1."), ("0 -1 -1 0.01", "0 1", "0 0 8 8 -1."),
        ("0 -2 0 0.01", "0 1", "0 0 8 8 -1."), ("1 -1 0 0.01", "0 1", "0 0 8 8 -1."),
        ("0 -1 0", "0 1", "0 0 8 8 -1."), ("0 -1 0 nan", "0 1", "0 0 8 8 -1."),
        ("0 -1 0 0.01", "0", "0 0 8 8 -1."),
        ("0 -1 0 0.01", "0 1", "0 0 9 8 -1."), ("0 -1 0 0.01", "0 1", "4 0 5 8 -1."),
        ("0 -1 0 0.01", "0 1", "0 0 1e99 8 -1."), ("0 -1 0 0.01", "0 1", "0 -1 8 8 -1."),
    ])
    func whatPointsBeyondTheFileIsRefused(nodes: String, leaves: String, rectangle: String) {
        #expect(HaarCascade(xml: xml(nodes: nodes, leaves: leaves, rectangle: rectangle)) == nil)
    }

    @Test func noCutAndNoFlippedBitEndsTheProcess() {
        let seed: UInt64 = 7
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        let whole = xml()
        var read = 0
        for _ in 0..<2000 {
            var bytes = whole
            let index = Int.random(in: bytes.indices, using: &generator)
            bytes[index] ^= UInt8(1 << Int.random(in: 0..<8, using: &generator))
            if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 0..<40, using: &generator)) }
            guard let cascade = HaarCascade(xml: bytes) else { continue }
            read += 1
            _ = cascade.detections(in: GrayImage(width: 70, height: 70, filledWith: 9), step: 1.5)
        }
        #expect(read > 10, "some of them are still cascades")
    }

    @Test func theDataOfDebianIsRead() throws {
        let cascade = try FaceDetector.cascade(at: FaceDetector.paths)
        #expect(cascade.window == PixelSize(width: 20, height: 20))
        #expect(cascade.stages.count == 20)
    }

    @Test func withoutTheDataTheErrorNamesThePackage() {
        #expect {
            try FaceDetector.cascade(at: ["/nowhere/a.xml"])
        } throws: { error in
            let error = error as? FlatteningError
            return error?.code == .missingDependency && error?.advice?.contains("opencv-data") == true
        }
    }

    @Test func groupsAreMeansOfRectanglesThatAgree() {
        func one(_ left: Int, _ side: Int = 40) -> HaarCascade.Detection {
            .init(left: left, top: 10, width: side, height: side, support: 1)
        }
        let groups = HaarCascade.groups(
            [one(10), one(11), one(12), one(13), one(200), one(201)], agreeing: 3)
        // The mean of 10 to 13 is 11.5, a half, which goes to the even number.
        #expect(groups == [.init(left: 12, top: 10, width: 40, height: 40, support: 4)])
    }

    @Test func ofTooManyWindowsSomeOfEachSizeStay() {
        let windows = (0..<3 * HaarCascade.mostWindows).map {
            HaarCascade.Detection(left: $0, top: 0, width: 20, height: 20, support: 1)
        }
        let thinned = HaarCascade.thinned(windows)
        #expect(thinned.count == HaarCascade.mostWindows)
        #expect(thinned.map(\.left) == Array(stride(from: 0, to: windows.count, by: 3)))
        #expect(HaarCascade.thinned(Array(windows.prefix(7))).count == 7)
    }

    @Test func aPlaceTurnsWithThePicture() {
        let size = PixelSize(width: 100, height: 60)
        let place = HaarCascade.Detection(left: 5, top: 7, width: 20, height: 20, support: 9)
        #expect(place.turnedClockwise(0, in: size) == place)
        #expect(place.turnedClockwise(1, in: size).left == 60 - 7 - 20)
        #expect(place.turnedClockwise(4, in: size) == place)
    }
}
