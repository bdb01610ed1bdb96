import DepthGeometry
import Foundation
import Imaging
import SyntheticCaptures

/// Recordings of a still receipt, drawn once for all tests, and small. The layouts are those of the formats' descriptions.
enum DrawnRecordings {
    /// TUM RGB-D, four shots, of which number 3 alone is in focus.
    static let tum = draw(.lidar, .tum, shots: 4, sharpest: 3)
    /// Stray Scanner, three shots.
    static let strayScanner = draw(.lidar, .strayScanner, shots: 3)
    /// TUM RGB-D, three shots from places centimetres apart.
    static let shaken = draw(.lidar, .tum, shots: 3, shake: 0.05)
    /// TUM RGB-D, five shots whose depth has noise of its own in each reading.
    static let noisy = draw(.structuredLight, .tum, shots: 5)

    /// Gone with the process, as what is drawn once for all tests belongs to none of them.
    private static let place: URL = {
        atexit { try? FileManager.default.removeItem(at: DrawnRecordings.place) }
        return FileManager.default.temporaryDirectory.appending(path: "drawn-recordings-\(UUID().uuidString)")
    }()

    /// - Parameter shake: how far the hand moves the camera, deviation along each axis in metres.
    /// - Returns: the recording's folder.
    private static func draw(
        _ sensor: DepthSensor, _ layout: SyntheticSequence.Layout, shots: Int, sharpest: Int? = nil,
        shake: Double = 0.003
    ) -> Result<String, any Error> {
        Result {
            var generator = SeededGenerator(seed: 12)
            let paper = Bool.random(using: &generator) ? ReceiptDocument.Paper.wide : .narrow
            let isLandscape = generator.uniform(0..<1) < 0.25
            var scene = SyntheticScene.random(
                .plane, paper: paper, itemCount: 4,
                imageSize: PixelSize(width: isLandscape ? 400 : 300, height: isLandscape ? 300 : 400),
                using: &generator)
            var sensor = sensor
            if sensor.kind == .lidar, Bool.random(using: &generator) { sensor.encoding = .tiff32 }
            scene.quality = .draft
            var sequence = SyntheticSequence(
                shots: scene.handHeldShots(shots, shift: shake, using: &generator), sensor: sensor)
            for index in sequence.shots.indices where sharpest.map({ $0 != index }) ?? false {
                sequence.shots[index].scene.look.blur = 1
            }
            let folder = place.appending(path: "\(layout)-\(shots)-\(shake)")
            try sequence.write(to: folder, layout: layout)
            return folder.path()
        }
    }
}
