import Diagnostics
import CTIFF
import Imaging

/// Converts a TIFF's samples to RGB: TIFF 6.0, sections 3 to 6, 16 (CMYK) and 18 (transparency).
struct TIFFColorConversion {
    private enum Colors {
        case gray(isInverted: Bool)
        case palette([RGB])
        case rgb
        case cmyk
    }
    private enum Alpha {
        case none
        /// The colours are already multiplied by the alpha.
        case associated
        case unassociated
    }

    private let colors: Colors
    private let alpha: Alpha
    private let bits: Int
    private let samples: Int
    private let isPlanar: Bool

    /// - Throws: `.unsupported` for samples that are neither 1 to 8 nor 16 bits wide, and for other colour models.
    init(_ tiff: TIFFReader) throws(FlatteningError) {
        func unsupported(_ what: String, seen: String) -> FlatteningError {
            FlatteningError(
                .unsupported, "TIFF pictures with \(what) are not read", stage: TIFFReader.stage, seen: seen,
                allowed: "grey, palette, RGB or CMYK of 8 or 16 bits",
                advice: "Convert it: magick in.tif -colorspace sRGB -depth 8 out.png")
        }
        bits = tiff.bitsPerSample
        samples = tiff.samplesPerPixel
        isPlanar = tiff.isPlanar
        guard [SAMPLEFORMAT_UINT, SAMPLEFORMAT_VOID].contains(tiff.sampleFormat) else {
            throw FlatteningError(
                .unsupported, "this TIFF is no picture but looks like a depth map", stage: TIFFReader.stage,
                seen: "\(bits)-bit \(TIFFDecoding.name(ofFormat: tiff.sampleFormat))",
                allowed: "unsigned values of 8 or 16 bits")
        }

        let needed: Int
        switch tiff.photometric {
        case PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE:
            colors = .gray(isInverted: tiff.photometric == PHOTOMETRIC_MINISWHITE)
            needed = 1
        case PHOTOMETRIC_PALETTE:
            guard let palette = tiff.palette() else { throw unsupported("a broken palette", seen: "none") }
            colors = .palette(palette)
            needed = 1
        case PHOTOMETRIC_RGB:
            colors = .rgb
            needed = 3
        case PHOTOMETRIC_YCBCR where tiff.decodesYCbCrAsRGB():
            colors = .rgb
            needed = 3
        case PHOTOMETRIC_SEPARATED:
            colors = .cmyk
            needed = 4
        default:
            throw unsupported("such colours", seen: "photometric \(tiff.photometric)")
        }
        let isPacked = [1, 2, 4].contains(bits) && needed == 1 && samples == 1
        guard bits == 8 || bits == 16 || isPacked else {
            throw unsupported("such values", seen: "\(samples) samples of \(bits) bits")
        }
        guard samples >= needed else {
            throw unsupported("missing colours", seen: "\(samples) of \(needed) samples")
        }

        switch tiff.extraSamples.first {
        case EXTRASAMPLE_ASSOCALPHA? where samples > needed: alpha = .associated
        case EXTRASAMPLE_UNASSALPHA? where samples > needed: alpha = .unassociated
        default: alpha = .none
        }
        if isPlanar {
            guard case .none = alpha, needed != 4 else {
                throw unsupported("transparency or CMYK in separate planes", seen: "\(samples) planes")
            }
        }
    }

    /// Writes one run of pixels into the image's bytes.
    func convert(
        _ run: TIFFReader.Run, _ stored: UnsafeRawPointer, into target: UnsafeMutableRawBufferPointer,
        width: Int
    ) {
        let start = (run.y * width + run.x) * 3
        if case .rgb = colors, isPlanar {
            guard run.plane < 3 else { return }
            for index in 0..<run.count {
                target[start + index * 3 + run.plane] = byte(sample(stored, index))
            }
            return
        }
        // With separate planes, only the first plane holds grey values or palette indices.
        guard run.plane == 0 else { return }
        if case .rgb = colors, bits == 8, samples == 3 {
            target.baseAddress?.advanced(by: start).copyMemory(from: stored, byteCount: run.count * 3)
            return
        }
        let step = isPlanar ? 1 : samples
        for index in 0..<run.count {
            let color = self.color(stored, at: index * step)
            target[start + index * 3] = color.red
            target[start + index * 3 + 1] = color.green
            target[start + index * 3 + 2] = color.blue
        }
    }

    private var maximum: UInt32 { (1 << UInt32(bits)) - 1 }

    /// The colour of the pixel whose first sample has this index.
    private func color(_ stored: UnsafeRawPointer, at first: Int) -> RGB {
        switch colors {
        case .gray(let isInverted):
            let value = sample(stored, first)
            let gray = over(isInverted ? maximum - value : value, stored, alphaAt: first + 1)
            return RGB(red: gray, green: gray, blue: gray)
        case .palette(let entries):
            // Only samples of 1 to 8 bits have a palette, which has an entry for each of their values.
            return entries[Int(sample(stored, first)) & (entries.count - 1)]
        case .rgb:
            return RGB(
                red: over(sample(stored, first), stored, alphaAt: first + 3),
                green: over(sample(stored, first + 1), stored, alphaAt: first + 3),
                blue: over(sample(stored, first + 2), stored, alphaAt: first + 3))
        case .cmyk:
            let paper = UInt64(maximum - sample(stored, first + 3))
            func light(_ index: Int) -> UInt8 {
                let open = UInt64(maximum - sample(stored, first + index)) * paper
                return byte(UInt32((open + UInt64(maximum) / 2) / UInt64(maximum)))
            }
            return RGB(red: light(0), green: light(1), blue: light(2))
        }
    }

    /// A value laid over white paper.
    private func over(_ value: UInt32, _ stored: UnsafeRawPointer, alphaAt index: Int) -> UInt8 {
        switch alpha {
        case .none: return byte(value)
        case .associated: return byte(min(value + (maximum - sample(stored, index)), maximum))
        case .unassociated:
            let opacity = UInt64(sample(stored, index))
            let full = UInt64(maximum)
            return byte(UInt32((UInt64(value) * opacity + full * (full - opacity) + full / 2) / full))
        }
    }

    private func sample(_ stored: UnsafeRawPointer, _ index: Int) -> UInt32 {
        switch bits {
        case 8: return UInt32(stored.load(fromByteOffset: index, as: UInt8.self))
        case 16: return UInt32(stored.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
        default:
            let bit = index * bits
            let byte = UInt32(stored.load(fromByteOffset: bit / 8, as: UInt8.self))
            return byte >> UInt32(8 - bits - bit % 8) & maximum
        }
    }

    /// Rounds a value of `bits` bits to 8.
    private func byte(_ value: UInt32) -> UInt8 {
        switch bits {
        case 8: UInt8(truncatingIfNeeded: value)
        case 16: TIFFDecoding.byte(UInt16(truncatingIfNeeded: value))
        default: UInt8(value * 255 / maximum)
        }
    }
}
