import Captures
import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import TestSupport
import Testing

/// Captures by their addresses, and by their bytes.
@Suite struct CaptureContentsOfTests {
    private struct Description: Decodable {
        struct Depth: Decodable {
            enum CodingKeys: String, CodingKey { case file, metersPerUnit = "unit_metres" }
            var file: String
            var metersPerUnit: Double
        }
        var image: String
        var depth: Depth
        var intrinsics: CameraIntrinsics
    }

    @Test func theBytesOfAFoldersFilesAreTheFolder() throws {
        let folder = Repository.samples.appending(path: "plane-lidar")
        func data(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }
        let whole = try Capture(contentsOf: folder)
        let description = try JSONDecoder().decode(Description.self, from: data("capture.json"))
        let parts = try Capture(
            imageData: data(description.image), depthData: data(description.depth.file),
            metersPerUnit: description.depth.metersPerUnit, intrinsics: description.intrinsics)
        #expect(parts.image == whole.image)
        #expect(try #require(parts.intrinsics) == whole.intrinsics)
        // Bits, for NaN equals nothing.
        let depth = try #require(parts.depth)
        #expect(depth.values.map(\.bitPattern) == whole.depth?.values.map(\.bitPattern))
        #expect(depth.scale == .metric && depth.scale == whole.depth?.scale)
    }

    @Test func bytesThatAreNoPictureAreBlamedOnWhatTheyWereGivenAs() throws {
        let nothing = Data("no picture".utf8)
        #expect(failure { try Capture(imageData: nothing) }?.file == "image")
        let picture = Data(try Fixture.imageFile("rgb8.png"))
        #expect(failure { try Capture(imageData: picture, depthData: nothing) }?.file == "depth")
        let alone = try Capture(imageData: picture)
        #expect(alone.depth == nil && alone.intrinsics == nil)
    }

    @Test func anAddressThatIsNoFilesIsRefused() throws {
        let web = try #require(URL(string: "https://example.org/x"))
        let error = try #require(failure { try Capture(contentsOf: web) })
        #expect(error.code == .badInput && error.seen == "https://example.org/x")
    }
}
