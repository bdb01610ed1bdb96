import Foundation
import Imaging
import Testing

@testable import ImageFiles

/// Depth inside pictures, on miniatures made from the published descriptions (Fixtures/make-embedded-depth.py).
@Suite struct EmbeddedCaptureTests {
    private func read(_ name: String) throws -> EmbeddedCapture {
        try #require(try EmbeddedCapture.read(InputFile(name: name, bytes: Fixture.bytes(name))))
    }

    @Test("Apple's disparity is found behind the gain map, in 1/metres", arguments: ["apple-disparity.jpg"])
    func appleInJPEG(name: String) throws {
        let found = try read(name)
        let depth = try #require(found.depth)
        #expect(depth.readings.size == PixelSize(width: 32, height: 24))
        #expect(depth.isDisparity && !depth.isAbsolute && !depth.isRadial)
        for (x, y) in [(0, 0), (31, 0), (12, 20)] {
            // 255 steps make 2.55 /m; JPEG at quality 100 is off by a step at most.
            #expect(abs(depth.readings[x: x, y: y] - (1 + Float(40 + 4 * x + 2 * y) / 100)) < 0.011)
        }
        let camera = try #require(found.camera)
        #expect(camera.focalLength == SIMD2(70, 70))
        #expect(camera.principalPoint == SIMD2(33, 22))
        #expect(camera.size == PixelSize(width: 128, height: 96))
    }

    @Test("GDepth's inverse range is disparity, of no unit unless one is stated")
    func inverseRange() throws {
        let depth = try #require(try read("gdepth-inverse.jpg").depth)
        #expect(depth.isDisparity && !depth.isAbsolute)
        for (x, y) in [(0, 0), (31, 23), (7, 4)] {
            // The specification's own formula, solved for distance.
            let (near, far) = (0.25, 2.0)
            let value = Double(40 + 4 * x + 2 * y) / 255
            let distance = far * near / (far - value * (far - near))
            #expect(abs(1 / Double(depth.readings[x: x, y: y]) / distance - 1) < 1e-5)
        }
    }

    @Test("GDepth's linear range is distance, metres where it says so")
    func linearRange() throws {
        let depth = try #require(try read("gdepth-linear.jpg").depth)
        #expect(!depth.isDisparity && depth.isAbsolute)
        let expected = 0.25 + Float(40 + 4 * 9 + 2 * 5) / 255 * 1.75
        #expect(abs(depth.readings[x: 9, y: 5] - expected) < 0.008, "one step of 255 in JPEG")
    }

    @Test(
        "A picture without such metadata holds nothing beside itself",
        arguments: ["full-color.jpg", "rgb8.png"])
    func nothing(name: String) throws {
        #expect(try EmbeddedCapture.read(InputFile(name: name, bytes: Fixture.bytes(name))) == nil)
    }

    @Test(
        "Cut or damaged anywhere, a file gives an error or nothing, never a crash",
        arguments: ["apple-disparity.jpg", "gdepth-inverse.jpg", "apple-disparity.heic"])
    func damaged(name: String) throws {
        let bytes = try Fixture.bytes(name)
        for length in stride(from: 4, to: bytes.count, by: 97) {
            _ = try? EmbeddedCapture.read(InputFile(name: name, bytes: Array(bytes[..<length])))
        }
        // The metadata lies at the front: each of its bytes changed.
        for position in stride(from: 20, to: min(bytes.count, 1400), by: 11) {
            var spoiled = bytes
            spoiled[position] ^= 0xFF
            _ = try? EmbeddedCapture.read(InputFile(name: name, bytes: spoiled))
        }
    }

    @Test func aDepthPictureLargerThanAllowedIsRefused() throws {
        var limits = FlatteningLimits()
        limits.maximumDepthPixels = 500
        for name in ["apple-disparity.jpg", "gdepth-linear.jpg", "gdepth-inverse.jpg"] {
            let file = InputFile(name: name, bytes: try Fixture.bytes(name))
            #expect {
                try EmbeddedCapture.read(file, limits: limits)
            } throws: {
                ($0 as? FlatteningError)?.code == .limitExceeded
            }
        }
    }

    @Test("XMP is read as attributes, elements and lists, under any prefix")
    func packet() {
        let text = """
            <?xpacket begin="" id="x"?><!-- <a:no>1</a:no> --><x:xmpmeta xmlns:x="adobe:ns:meta/">
            <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description q:A='1 &lt; 2 &#x41;' xmlns:q="u/">
            <q:B> 3.5 </q:B><q:C><r:Seq><r:li>1</r:li><r:li>2e0</r:li></r:Seq></q:C></r:Description></r:RDF></x:xmpmeta>
            """
        let packet = XMPPacket(Array(text.utf8))
        #expect(packet.value("u/", "A") == "1 < 2 A")
        #expect(packet.number("u/", "B") == 3.5)
        #expect(packet.numbers("u/", "C") == [1, 2])
        #expect(packet.value("u/", "no") == nil)
        // A document type could define entities that grow without end.
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]>" + text
        #expect(XMPPacket(Array(bomb.utf8)).value("u/", "A") == nil)
        for length in 0..<text.utf8.count { _ = XMPPacket(Array(text.utf8.prefix(length))) }
    }

    // MARK: HEIC

    @Test("Without libheif the message says how to install it and how to convert")
    func missingLibrary() {
        #expect {
            try HEIFLibrary.open(anyOf: ["libheif-that-is-not-there.so"])
        } throws: {
            let error = $0 as? FlatteningError
            return error?.code == .missingDependency
                && error?.advice?.contains("apt-get install libheif1") == true
                && error?.advice?.contains("heif-convert") == true
        }
    }

    private static let hasLibrary = (try? HEIFLibrary.load()) != nil

    @Test("A HEIC's picture is read as stored, with the turn of its own property", .enabled(if: hasLibrary))
    func picture() throws {
        let name = "apple-disparity.heic"
        let picture = try ColorPicture.decode(InputFile(name: name, bytes: Fixture.bytes(name)))
        #expect(picture.image.size == PixelSize(width: 192, height: 144))
        // Three quarter turns against the clock are one with it.
        #expect(picture.orientation == .right)
        for (x, y) in [(10, 10), (150, 20), (90, 110)] {
            let color = picture.image[x: x, y: y]
            // YCbCr in 8 bits and back.
            #expect(
                abs(Int(color.red) - x) <= 3 && abs(Int(color.green) - y) <= 3
                    && abs(Int(color.blue) - 128) <= 3)
        }
    }

    @Test("A HEIC's disparity is read as stored", .enabled(if: hasLibrary))
    func appleInHEIC() throws {
        let found = try read("apple-disparity.heic")
        let depth = try #require(found.depth)
        #expect(depth.readings.size == PixelSize(width: 96, height: 72))
        #expect(depth.isDisparity && !depth.isAbsolute)
        for (x, y) in [(0, 0), (95, 0), (40, 71)] {
            #expect(abs(depth.readings[x: x, y: y] - (1 + Float(40 + x + y) / 100)) < 0.011)
        }
        #expect(found.camera?.focalLength == SIMD2(70, 70))
    }

    @Test(
        "Turns one after the other are one turn", arguments: ImageOrientation.allCases,
        ImageOrientation.allCases)
    func turns(first: ImageOrientation, second: ImageOrientation) {
        let picture = Raster<UInt8>(width: 3, height: 2, elements: Array(0..<6))
        #expect(
            picture.oriented(by: first).oriented(by: second)
                == picture.oriented(by: first.followed(by: second)))
    }
}
