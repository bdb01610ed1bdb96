import Diagnostics
import Imaging
import LocalFiles
import Testing

@testable import ImageFiles

@Suite("WebP, GIF, BMP and JPEG 2000")
struct LeptonicaTests {
    private static let names = ["rgb8.webp", "rgba8.webp", "palette4.gif", "rgb8.bmp", "rgb8.jp2"]

    @Test("Without Leptonica the message says how to install it and how to convert")
    func missingLibrary() {
        #expect {
            try LeptonicaLibrary.shared.open(anyOf: ["leptonica-that-is-not-there.so"])
        } throws: {
            let error = $0 as? FlatteningError
            return error?.code == .missingDependency
                && error?.advice?.contains("apt-get install") == true
                && error?.advice?.contains("out.png") == true
        }
    }

    @Test("A file cut short anywhere is refused or shown in its declared size", arguments: names)
    func cutShort(name: String) throws {
        let bytes = try Fixture.bytes(name)
        for length in stride(from: 16, to: bytes.count, by: 7) {
            let file = InputFile(name: name, bytes: Array(bytes[..<length]))
            let outcome = Result { try ColorPicture.decode(file) }
            switch outcome {
            case .success(let picture): #expect(picture.image.size == PixelSize(width: 37, height: 21))
            case .failure(let error):
                let code = (error as? FlatteningError)?.code
                #expect(code == .badInput || code == .limitExceeded, "\(length): \(error)")
            }
        }
    }

    @Test("Frames of a GIF count together, and all but the first are told of")
    func frames() throws {
        let one = try Fixture.bytes("palette4.gif")
        #expect(try DeclaredSize.framesOfGIF(one) == [PixelSize(width: 37, height: 21)])
        // The first frame once more before the end.
        let start = try #require(one.firstIndex(of: 0x2C))
        let two = Array(one.dropLast()) + one[start...]
        #expect(try DeclaredSize.framesOfGIF(two).count == 2)
        let picture = try ColorPicture.decode(InputFile(name: "two.gif", bytes: two))
        #expect(picture.image.size == PixelSize(width: 37, height: 21))
        #expect(picture.warnings.count == 1)
    }

    @Test("What a file declares is held against the limits before it is decoded")
    func bombs() throws {
        var gif = try Fixture.bytes("palette4.gif")
        let frame = try #require(gif.firstIndex(of: 0x2C))
        gif.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
        var stream = try Fixture.bytes("rgb8.jp2")
        let marker = try #require(
            stream.indices.first { stream[$0...].starts(with: [0xFF, 0x4F, 0xFF, 0x51]) })
        stream.replaceSubrange(marker + 8..<marker + 16, with: [0, 1, 0, 0, 0, 1, 0, 0])
        var bmp = try Fixture.bytes("rgb8.bmp")
        bmp.replaceSubrange(18..<26, with: [0, 0, 1, 0, 0, 0, 1, 0])
        for bytes in [gif, stream, bmp] {
            #expect {
                try ColorPicture.decode(InputFile(name: "bomb", bytes: bytes))
            } throws: {
                [.limitExceeded, .badInput].contains(($0 as? FlatteningError)?.code)
            }
        }
        #expect(try DeclaredSize.ofJPEG2000(stream) == PixelSize(width: 65536, height: 65536))
    }

    @Test("Of a moving WebP the first picture is shown, with a word of the others")
    func movingWebP() throws {
        let picture = try ColorPicture.decode(
            InputFile(name: "moving.webp", bytes: try Fixture.bytes("moving.webp")))
        #expect(picture.image.size == PixelSize(width: 64, height: 48))
        // Lossless, of one colour.
        #expect(picture.image[x: 30, y: 20] == RGB(red: 200, green: 30, blue: 30))
        #expect(picture.warnings == ["only the first of 3 pictures in the WebP is shown"])
    }

    @Test("A moving WebP without a whole picture is refused with the way out")
    func brokenWebP() throws {
        let whole = try Fixture.bytes("moving.webp")
        let start = try #require(whole.firstRange(of: Array("ANMF".utf8))).lowerBound
        var bytes = Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0]
        // Flags with animation alone; one pixel less than the width and the height.
        bytes += [2, 0, 0, 0, 9, 0, 0, 9, 0, 0]
        for broken in [bytes, Array(whole[..<(start + 20)]), Array(whole[..<(start + 30)])] {
            #expect {
                try ColorPicture.decode(InputFile(name: "moving.webp", bytes: broken))
            } throws: {
                let error = $0 as? FlatteningError
                return error?.code == .badInput && error?.advice?.contains("magick") == true
            }
        }
    }
}
