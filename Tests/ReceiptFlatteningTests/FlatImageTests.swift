import Diagnostics
import DrawnReceipts
import ImageFiles
import Imaging
import LocalFiles
import ReceiptFlattening
import SheetFlattening
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
        options.light = .even
        let picture = try ReceiptFlattener(options: options).flatten(DrawnReceipt.capture()).picture
        let folder = try ScratchFolder()
        let path = folder.path("flat.png")
        try picture.write(toPath: path)
        let written = try ColorPicture.decode(InputFile.read(path: path)).image
        #expect(written == picture.render())
    }

    @Test func whatIsMadeToBeReadIsADocumentUnlessSomethingElseIsAskedFor() throws {
        var options = ReceiptFlattener.Options()
        let picture = try ReceiptFlattener(options: options).flatten(DrawnReceipt.capture()).picture
        #expect(picture.forReading.render() == picture.render().asDocument())
        #expect(picture.forReading.render() != picture.render())
        options.light = .none
        let photograph = try ReceiptFlattener(options: options).flatten(DrawnReceipt.capture()).picture
        #expect(photograph.forReading.render() == picture.render())
    }

    @Test func inBlackAndWhiteOneBitAPixelIsWritten() throws {
        var options = ReceiptFlattener.Options()
        options.light = .blackAndWhite
        let picture = try ReceiptFlattener(options: options).flatten(DrawnReceipt.capture()).picture
        let folder = try ScratchFolder()
        try picture.write(toPath: folder.path("flat.png"))
        let file = try InputFile.read(path: folder.path("flat.png"))
        let written = try ColorPicture.decode(file).image.gray()
        #expect(BilevelImage(written) == picture.bilevel())
        #expect(written.elements.allSatisfy { $0 == 0 || $0 == 255 })
        // Print and paper: the receipt's letters cover some hundredths of it.
        let black = written.elements.count { $0 == 0 }
        #expect(black > written.elements.count / 100 && black < written.elements.count / 2)
        #expect(file.bytes.count < written.elements.count / 8, "smaller than the bits themselves")
    }

    @Test func anUnknownExtensionIsRefusedBeforeAnythingIsWritten() throws {
        let picture = try ReceiptFlattener().flatten(DrawnReceipt.capture()).picture
        let folder = try ScratchFolder()
        #expect(throws: FlatteningError.self) { try picture.write(toPath: folder.path("flat.gif")) }
        #expect(try folder.contents.isEmpty)
    }
}
