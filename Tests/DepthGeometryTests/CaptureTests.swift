import DepthGeometry
import Foundation
import Imaging
import Testing

@Suite struct CaptureTests {
    private static let origins: [Capture.IntrinsicsOrigin] = [
        .none, .file(name: "camera.yaml", form: "3 x 3 matrix by rows"), .given,
        .exifFocalLength(millimeters: 26),
    ]

    @Test("Where intrinsics come from is stored and comes back as it was", arguments: origins)
    func storingAnOrigin(origin: Capture.IntrinsicsOrigin) throws {
        let stored = try JSONEncoder().encode(origin)
        #expect(try JSONDecoder().decode(Capture.IntrinsicsOrigin.self, from: stored) == origin)
    }

    @Test("What was understood of files is stored and comes back as it was, known or not")
    func storingMetadata() throws {
        let size = PixelSize(width: 40, height: 30)
        let bare = Capture.Metadata(imageName: "memory", storedSize: size, orientation: .up)
        var full = Capture.Metadata(
            source: "TUM RGB-D, frame 3", imageName: "a.jpg", storedSize: size, orientation: .right,
            focalLengthIn35mmFilm: 26)
        full.depthName = "depth.png"
        full.depthForm = "16-bit whole numbers, 0.0001 m a unit, along the axis"
        full.assumedDepthUnit = 0.001
        full.depthOrientation = .up
        full.confidenceName = "confidence.png"
        full.shareDroppedByConfidence = 0.25
        full.intrinsicsOrigin = .file(name: "capture.json", form: "capture.json")
        full.intrinsicsStatedSize = PixelSize(width: 4032, height: 3024)
        for metadata in [bare, full] {
            let stored = try JSONEncoder().encode(metadata)
            #expect(try JSONDecoder().decode(Capture.Metadata.self, from: stored) == metadata)
        }
    }
}
