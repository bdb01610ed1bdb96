import Diagnostics
import LocalFiles
import TestSupport
import Testing

@testable import Captures

@Suite struct EmbeddedCaptureTests {
    @Test(
        "A picture without such metadata holds nothing beside itself",
        arguments: ["full-color.jpg", "rgb8.png"])
    func nothing(name: String) throws {
        #expect(try EmbeddedCapture.read(InputFile(name: name, bytes: Fixture.imageFile(name))) == nil)
    }

    @Test(
        "Cut or damaged anywhere, a file gives what is in it, nothing, or an error that says what is wrong with it",
        arguments: ["apple-disparity.jpg", "gdepth-inverse.jpg", "apple-disparity.heic"])
    func damaged(name: String) throws {
        let bytes = try Fixture.imageFile(name)
        for length in stride(from: 4, to: bytes.count, by: 97) {
            expectValueOrRefusal("\(length) bytes of \(name)") {
                try EmbeddedCapture.read(InputFile(name: name, bytes: Array(bytes[..<length])))
            }
        }
        // The metadata lies at the front: each of its bytes changed.
        for position in stride(from: 20, to: min(bytes.count, 1400), by: 11) {
            var spoiled = bytes
            spoiled[position] ^= 0xFF
            expectValueOrRefusal("\(name), byte \(position)") {
                try EmbeddedCapture.read(InputFile(name: name, bytes: spoiled))
            }
        }
    }

    @Test func aDepthPictureLargerThanAllowedIsRefused() throws {
        var limits = FlatteningLimits()
        limits.maximumDepthPixels = 500
        for name in ["apple-disparity.jpg", "gdepth-linear.jpg", "gdepth-inverse.jpg"] {
            let file = InputFile(name: name, bytes: try Fixture.imageFile(name))
            #expect {
                try EmbeddedCapture.read(file, limits: limits)
            } throws: {
                ($0 as? FlatteningError)?.code == .limitExceeded
            }
        }
    }
}
