import Diagnostics
import DrawnReceipts
import ImageFiles
import LocalFiles
import ReceiptFlattening
import TestSupport
import Testing

/// A picture that is made while it is written.
@Suite struct FlatImageTests {
    /// Both ways to a file, and the picture as a value, must agree pixel for pixel: PNG is lossless. 100 dpi gives two
    /// bands of rows.
    @Test func whatIsWrittenInBandsIsThePicture() throws {
        var options = ReceiptFlattener.Options()
        options.dotsPerInch = 100
        let picture = try ReceiptFlattener(options: options).flatten(DrawnReceipt.capture()).picture
        #expect(picture.size.height > 128, "else there is but one band")
        let folder = try ScratchFolder()
        let path = folder.path("flat.png")
        try picture.write(toPath: path)
        let written = try ColorPicture.decode(InputFile.read(path: path))
        #expect(written.image == picture.render())
        let density = try #require(written.pixelsPerMeter)
        // pHYs holds whole pixels per metre.
        #expect(abs(density - 100 / 0.0254) <= 0.5)
    }

    @Test func lightIsEvenedInWhatIsWrittenToo() throws {
        var options = ReceiptFlattener.Options()
        options.light = .blackAndWhite
        let picture = try ReceiptFlattener(options: options).flatten(DrawnReceipt.capture()).picture
        let folder = try ScratchFolder()
        let path = folder.path("flat.png")
        try picture.write(toPath: path)
        let written = try ColorPicture.decode(InputFile.read(path: path)).image
        #expect(written == picture.render())
        #expect(written.elements.allSatisfy { $0.red == $0.green && $0.green == $0.blue })
    }

    @Test func anUnknownExtensionIsRefusedBeforeAnythingIsWritten() throws {
        let picture = try ReceiptFlattener().flatten(DrawnReceipt.capture()).picture
        let folder = try ScratchFolder()
        #expect(throws: FlatteningError.self) { try picture.write(toPath: folder.path("flat.gif")) }
        #expect(try folder.contents.isEmpty)
    }
}
