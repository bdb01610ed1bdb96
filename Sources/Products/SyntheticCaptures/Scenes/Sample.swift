public import Foundation
public import Imaging
import RobustStatistics

/// A capture of the package's SampleData. Its name, kind and seed determine everything.
public struct Sample: Sendable {
    /// The folder's name.
    public let name: String
    /// The sheet's shape.
    public let kind: SheetShape.Kind
    /// The depth camera.
    public let sensor: DepthSensor
    /// The paper's width.
    public let paper: ReceiptDocument.Paper
    /// The number of items on the receipt.
    public let itemCount: Int
    /// The table that the receipt lies on.
    public let table: TableMaterial
    /// The photograph's size.
    public let imageSize: PixelSize
    /// The seed of everything else.
    public let seed: UInt64
    /// The EXIF orientation of the stored photograph.
    public let orientation: ImageOrientation

    /// The scene to draw.
    public var scene: SyntheticScene {
        var generator = SplitMix64(seed: seed)
        return SyntheticScene.random(
            kind, paper: paper, itemCount: itemCount, imageSize: imageSize, table: table, using: &generator)
    }

    /// Draws the sample into `folder`/`name`.
    /// - Parameters:
    ///   - folder: the folder of the samples.
    ///   - writesTruth: whether to write the ground truth for scoring programs into the sample's folder `truth`.
    public func write(into folder: URL, writesTruth: Bool = false) throws {
        let capture = try scene.render(sensor: sensor)
        let place = folder.appendingPathComponent(name)
        try capture.write(to: place, orientation: orientation)
        if writesTruth { try capture.writeTruth(to: place.appendingPathComponent("truth"), name: name) }
    }

    /// The samples of SampleData: every kind of surface, both kinds of sensors, all tables.
    public static let all: [Sample] = [
        Sample("plane-lidar", .plane, .lidar, .wide, items: 6, .wood, seed: 101),
        Sample("plane-structured", .plane, .structuredLight, .narrow, items: 5, .dark, seed: 102),
        Sample("curl-lidar", .curl, .lidar, .wide, items: 8, .dark, seed: 103),
        Sample("curl-structured", .curl, .structuredLight, .narrow, items: 7, .stone, seed: 104),
        Sample("fold-lidar", .fold, .lidar, .narrow, items: 8, .bright, seed: 105),
        Sample("fold-structured", .fold, .structuredLight, .wide, items: 9, .wood, seed: 106),
        Sample(
            "wave-structured", .wave, .structuredLight, .wide, items: 6, .cloth, seed: 107, isLandscape: true),
        Sample("oblique-lidar", .oblique, .lidar, .wide, items: 7, .stone, seed: 108),
        Sample("roll-structured", .roll, .structuredLight, .narrow, items: 8, .bright, seed: 109),
        Sample("cone-lidar", .cone, .lidar, .wide, items: 5, .cloth, seed: 110, orientation: .right),
        Sample("crumple-structured", .crumple, .structuredLight, .narrow, items: 6, .white, seed: 111),
    ]

    /// A recording of SampleData, in the layout of Stray Scanner: eight hand-held shots of a receipt with depth. The lamp's
    /// reflection moves over them, and in some of them a finger covers the receipt.
    public enum Recording {
        /// The folder's name.
        public static let name = "recording-lidar"
        /// The number of shots.
        public static let shotCount = 8

        /// The shots to draw.
        public static var sequence: SyntheticSequence {
            var generator = SeededGenerator(seed: 112)
            let scene = SyntheticScene.random(
                .curl, paper: .wide, itemCount: 6, imageSize: PixelSize(width: 960, height: 1280),
                table: .wood, using: &generator)
            var sequence = SyntheticSequence(
                shots: scene.handHeldShots(shotCount, shift: 0.003, using: &generator), sensor: .lidar)
            sequence.spoil(using: &generator)
            return sequence
        }

        /// Draws the recording into `folder`/`name`.
        public static func write(into folder: URL) throws {
            try sequence.write(to: folder.appendingPathComponent(name), layout: .strayScanner)
        }
    }

    private init(
        _ name: String, _ kind: SheetShape.Kind, _ sensor: DepthSensor, _ paper: ReceiptDocument.Paper,
        items: Int, _ table: TableMaterial, seed: UInt64, isLandscape: Bool = false,
        orientation: ImageOrientation = .up
    ) {
        self.name = name
        self.kind = kind
        self.sensor = sensor
        self.paper = paper
        itemCount = items
        self.table = table
        self.seed = seed
        self.orientation = orientation
        imageSize = isLandscape ? PixelSize(width: 2000, height: 1500) : PixelSize(width: 1500, height: 2000)
    }
}
