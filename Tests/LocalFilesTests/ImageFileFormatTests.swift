import LocalFiles
import Testing

@Suite struct ImageFileFormatTests {
    @Test("Every format is known by its first bytes")
    func signatures() {
        let zeros = [UInt8](repeating: 0, count: 8)
        for (start, format) in [
            ([0, 0, 0, 24] + Array("ftypheic".utf8), ImageFileFormat.heic),
            ([0, 0, 0, 24] + Array("ftypavif".utf8), .heic), (Array("GIF87a".utf8), .gif),
            (Array("BM".utf8), .bmp), ([0xFF, 0x0A], .jpegXL),
            ([0, 0, 0, 12] + Array("JXL ".utf8), .jpegXL), ([0, 0, 0, 12] + Array("jP  ".utf8), .jpeg2000),
            ([0xFF, 0x4F, 0xFF, 0x51], .jpeg2000), (Array("Pf\n".utf8), .pfm),
            (Array("P7 WIDTH 4".utf8), .pnm),
            ([0x76, 0x2F, 0x31, 0x01], .exr), ([0xFF, 0xD8, 0xFF], .jpeg),
        ] {
            #expect(ImageFileFormat.sniff(start + zeros) == format, "\(format)")
        }
        #expect(ImageFileFormat.sniff([0, 0, 0, 24] + Array("ftypmp42".utf8) + zeros) == nil)
    }

    @Test func whatIsNoPictureHasNoFormat() {
        #expect(ImageFileFormat.sniff([]) == nil)
        #expect(ImageFileFormat.sniff(Array("<html>".utf8)) == nil)
    }
}
