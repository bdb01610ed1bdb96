import Testing

@testable import Imaging

@Suite struct CameraBuffersTests {
    /// A frame of 3 x 2 pixels whose rows are padded by a byte of brightness and two of colour.
    private func picture(
        luma: [UInt8], chroma: [UInt8], levels: BiPlanarFrame.Levels, matrix: BiPlanarFrame.Matrix,
        width: Int = 3
    ) -> RGBImage? {
        luma.withUnsafeBytes { luma in
            chroma.withUnsafeBytes { chroma in
                RGBImage(
                    BiPlanarFrame(
                        luma: luma, lumaBytesPerRow: 4, chroma: chroma, chromaBytesPerRow: 6,
                        size: PixelSize(width: width, height: 2), levels: levels, matrix: matrix))
            }
        }
    }

    @Test func greysAreGreyAtBothLevels() throws {
        let colours = [UInt8](repeating: 128, count: 6)
        let full = try #require(
            picture(luma: [0, 1, 255, 99, 128, 200, 7], chroma: colours, levels: .full, matrix: .bt709))
        #expect(full.elements.map(\.red) == [0, 1, 255, 128, 200, 7])
        #expect(full.elements.allSatisfy { $0.red == $0.green && $0.green == $0.blue })
        let video = try #require(
            picture(luma: [16, 235, 126, 99, 0, 255, 17], chroma: colours, levels: .video, matrix: .bt601))
        // (126 - 16) 255 / 219 is 128.08; what lies beyond black and white is cut.
        #expect(video.elements.map(\.green) == [0, 255, 128, 0, 255, 1])
    }

    /// Colours to numbers by the definition in ITU-R BT.601 and BT.709, and back: within what rounding both ways costs.
    @Test(arguments: [BiPlanarFrame.Matrix.bt601, .bt709], [BiPlanarFrame.Levels.full, .video])
    func coloursComeBack(matrix: BiPlanarFrame.Matrix, levels: BiPlanarFrame.Levels) throws {
        let (kr, kb) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
        for colour in [RGB(red: 200, green: 30, blue: 60), RGB(red: 10, green: 120, blue: 240), .white] {
            let (r, g, b) = (Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255)
            let y = kr * r + (1 - kr - kb) * g + kb * b
            let (cb, cr) = ((b - y) / (2 * (1 - kb)), (r - y) / (2 * (1 - kr)))
            let isFull = levels == .full
            func byte(_ value: Double) -> UInt8 { UInt8(clamping: Int(value.rounded())) }
            let luma = byte(isFull ? 255 * y : 16 + 219 * y)
            let pair = [byte(128 + (isFull ? 255 : 224) * cb), byte(128 + (isFull ? 255 : 224) * cr)]
            let image = try #require(
                picture(
                    luma: [UInt8](repeating: luma, count: 7), chroma: pair + pair + [0, 0], levels: levels,
                    matrix: matrix))
            for pixel in image.elements {
                // Half a step of brightness and of colour, the latter times 1.86 at most.
                #expect(abs(Int(pixel.red) - Int(colour.red)) <= 2)
                #expect(abs(Int(pixel.green) - Int(colour.green)) <= 2)
                #expect(abs(Int(pixel.blue) - Int(colour.blue)) <= 2)
            }
        }
    }

    @Test func twoColumnsShareTheirColourAndTooFewBytesAreNone() throws {
        let luma = [UInt8](repeating: 128, count: 7)
        let image = try #require(
            picture(luma: luma, chroma: [128, 255, 128, 0], levels: .full, matrix: .bt601))
        #expect(image[x: 0, y: 0] == image[x: 1, y: 1] && image[x: 0, y: 0].red == 255)
        #expect(image[x: 2, y: 0].red == 0)
        #expect(picture(luma: luma, chroma: [128, 255, 128], levels: .full, matrix: .bt601) == nil)
        #expect(picture(luma: [1, 2, 3], chroma: [128, 255, 128, 0], levels: .full, matrix: .bt601) == nil)
        #expect(
            picture(luma: luma, chroma: [128, 255, 128, 0], levels: .full, matrix: .bt601, width: 0) == nil)
    }

    @Test func halfFloatsAreDepthAndDisparity() throws {
        // 1, 0.5, padding; 2, not a number, padding.
        let bits: [UInt16] = [0x3C00, 0x3800, 7, 0x4000, 0x7E00, 7]
        let raster = try #require(
            bits.withUnsafeBytes { Raster<Float>(halfFloatRows: $0, width: 2, height: 2, bytesPerRow: 6) })
        #expect(raster.elements.prefix(3) == [1, 0.5, 2] && raster.elements[3].isNaN)
        let depth = DepthMap(disparity: raster)
        #expect(depth.values.elements.prefix(3) == [1, 2, 0.5] && depth.values.elements[3].isNaN)
        #expect(depth.scale == .metric)
        #expect(
            bits.withUnsafeBytes { Raster<Float>(halfFloatRows: $0, width: 4, height: 2, bytesPerRow: 6) }
                == nil)
    }
}
