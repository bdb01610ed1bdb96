import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import LocalFiles
import TestSupport
import Testing

@testable import Captures

private let isPopplerInstalled = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/pdftoppm") }

@Suite(.enabled(if: isPopplerInstalled)) struct PDFDocumentTests {
    private static let rows = ["Corner Bakery", "Sourdough loaf 4.20", "TOTAL 12.70"]
    private static let page = HandmadePDF.Page(HandmadePDF.Page.text(rows))

    private static func folder(_ pdf: HandmadePDF) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try Data(pdf.bytes).write(to: folder.url.appending(path: "in.pdf"))
        return folder
    }

    private static func drawn(_ page: HandmadePDF.Page) throws -> Capture {
        let folder = try folder(HandmadePDF([page]))
        return try Recording.open(folder.path("in.pdf")).frame(at: 0).capture
    }

    @Test func everyPageIsAFrameInItsOrder() throws {
        let folder = try Self.folder(
            HandmadePDF((1...3).map { HandmadePDF.Page(HandmadePDF.Page.text(["page \($0)"])) }))
        let recording = try Recording.open(folder.path("in.pdf"))
        #expect(recording.pageCount == 3 && recording.frameCount == 3 && recording.middleIndex == 0)
        for index in 0..<3 {
            let page = try #require(try recording.frame(at: index).capture.page)
            #expect(page.number == index + 1 && page.count == 3)
            #expect(page.drawn?.words.map(\.text) == ["page", "\(index + 1)"])
        }
        #expect(failure { try recording.frame(at: 3) }?.code == .badInput)
    }

    @Test func aDrawnPageHasItsWordsWhereTheyStandAndItsTrueSize() throws {
        let capture = try Self.drawn(Self.page)
        let drawn = try #require(capture.page?.drawn)
        #expect(drawn.words.map(\.text).joined(separator: " ") == Self.rows.joined(separator: " "))
        // 227 x 340 points at 300 dpi, a part of a pixel made a whole one.
        #expect(capture.image.size == PixelSize(width: 946, height: 1417))
        #expect(abs(drawn.pixelsPerMeter * 0.0254 - 300) < 0.01)
        let first = try #require(drawn.words.first)
        // 28 points from the left; the baseline 40 points from the top.
        #expect(abs(first.box.left - 28 * 300 / 72) < 1 && first.box.bottom > 40 * 300 / 72)
        #expect(first.box.top < 40 * 300 / 72)
    }

    /// A turned page is as one sees it, and so are its words; what lies beyond the crop box is not there.
    @Test(arguments: [(90, 340, 227), (180, 227, 340), (270, 340, 227)])
    func wordsOfATurnedPageLieOnItsPrint(rotation: Int, width: Int, height: Int) throws {
        var page = Self.page
        page.rotation = rotation
        let capture = try Self.drawn(page)
        #expect(
            capture.image.size == PixelSize(width: (width * 300 + 71) / 72, height: (height * 300 + 71) / 72))
        for word in try #require(capture.page?.drawn).words {
            #expect(Self.hasInk(capture.image, in: word.box), "\(word)")
        }
    }

    @Test func theCropBoxIsThePage() throws {
        var page = Self.page
        page.cropBox = [14, 200, 214, 330]
        let capture = try Self.drawn(page)
        #expect(capture.image.size == PixelSize(width: 834, height: 542))
        let word = try #require(capture.page?.drawn?.words.first)
        #expect(abs(word.box.left - 14 * 300 / 72) < 1 && Self.hasInk(capture.image, in: word.box))
    }

    private static func hasInk(_ image: RGBImage, in box: Box) -> Bool {
        for y in max(Int(box.top), 0)..<min(Int(box.bottom), image.height) {
            for x in max(Int(box.left), 0)..<min(Int(box.right), image.width)
            where image[x: x, y: y].green < 128 { return true }
        }
        return false
    }

    // MARK: - Pictures on pages

    /// 100 pixels on 100 points have 72 dpi.
    @Test func aPageThatAPictureFillsIsAPhotographAtItsOwnResolution() throws {
        var page = Self.page
        page.pictures = [[0, 0, 227, 340]]
        page.content = "3 Tr " + page.content
        page.size = (227, 340)
        let capture = try Self.drawn(page)
        #expect(capture.page?.number == 1 && capture.page?.drawn == nil)
        // Less than 72 dpi no page is drawn at.
        #expect(capture.image.size == PixelSize(width: 227, height: 340))
    }

    /// 100 x 100 pixels on 24 x 24 points: 300 dpi.
    @Test func aPictureThatFillsThePageIsShownPixelByPixel() throws {
        let page = HandmadePDF.Page("", size: (24, 24), pictures: [[0, 0, 24, 24]])
        let rising = (0..<100 * 100).map { index in
            let level = String(index % 100 + index / 100, radix: 16)
            return level.count == 1 ? "0" + level : level
        }
        let text = String(decoding: HandmadePDF([page]).bytes, as: UTF8.self)
            .replacingOccurrences(of: String(repeating: "80", count: 100 * 100), with: rising.joined())
        let folder = try ScratchFolder()
        try folder.write(text, as: "in.pdf")
        let image = try Recording.open(folder.path("in.pdf")).frame(at: 0).capture.image
        #expect(image.size == PixelSize(width: 100, height: 100))
        // A JPEG of the best quality keeps grey to a level or two.
        #expect(
            image.elements.enumerated().allSatisfy { index, pixel in
                abs(Int(pixel.green) - (index % 100 + index / 100)) <= 3
            })
    }

    @Test func aLogoDoesNotMakeAPageAPhotograph() throws {
        var page = Self.page
        page.pictures = [[150, 280, 40, 40]]
        #expect(try Self.drawn(page).page?.drawn?.words.isEmpty == false)
    }

    @Test func aPictureOnPaperWithoutWordsIsAPhotograph() throws {
        let page = HandmadePDF.Page("", pictures: [[20, 100, 120, 120]])
        #expect(try Self.drawn(page).page?.drawn == nil)
        let empty = HandmadePDF.Page("")
        #expect(try Self.drawn(empty).page?.drawn?.words.isEmpty == true)
    }

    // MARK: - Limits

    @Test func aPageOf200InchesIsDrawnWithinThePixelsAllowedAndSaysSo() throws {
        let folder = try Self.folder(
            HandmadePDF([HandmadePDF.Page(HandmadePDF.Page.text(["x"], height: 14400), size: (14400, 14400))])
        )
        var limits = FlatteningLimits()
        limits.maximumColorPixels = 1_000_000
        let capture = try Recording.open(folder.path("in.pdf"), limits: limits).frame(at: 0).capture
        #expect(capture.image.size.pixelCount <= 1_000_000 && capture.image.size.pixelCount > 950_000)
        #expect(capture.warnings.contains { $0.contains("5080 x 5080 mm") && $0.contains("1 megapixels") })
    }

    @Test func aSliverIsRefused() throws {
        let error = try #require(
            failure { try Self.drawn(HandmadePDF.Page("", size: (1, 144_000))) })
        #expect(error.code == .badInput && error.file?.hasSuffix("page 1") == true)
    }

    @Test func aFileTooLargeIsRefusedBeforeAnyProgramReadsIt() throws {
        let folder = try Self.folder(HandmadePDF([Self.page]))
        var limits = FlatteningLimits()
        limits.maximumPDFBytes = 100
        let error = try #require(failure { try Recording.open(folder.path("in.pdf"), limits: limits) })
        #expect(error.code == .limitExceeded && error.allowed?.contains("100 bytes") == true)
    }

    @Test func aBrokenFileIsRefusedInPopplersWords() throws {
        let folder = try ScratchFolder()
        try folder.write("%PDF-1.4\nnothing of the kind", as: "in.pdf")
        let error = try #require(failure { try Recording.open(folder.path("in.pdf")) })
        #expect(error.code == .badInput && error.file == folder.path("in.pdf"))
        #expect(error.detail?.isEmpty == false && error.advice?.contains("qpdf") == true)
    }

    @Test func whereNoProgramMayBeStartedTheWayOutIsSaid() throws {
        let folder = try Self.folder(HandmadePDF([Self.page]))
        var limits = FlatteningLimits()
        limits.startsPrograms = false
        let error = try #require(failure { try Recording.open(folder.path("in.pdf"), limits: limits) })
        #expect(error.code == .unsupported && error.advice?.contains("pdftoppm") == true)
    }

    @Test func aLinkIsFollowedByUsAndNotByTheProgram() throws {
        let folder = try Self.folder(HandmadePDF([Self.page]))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.pdf"), withDestinationPath: folder.path("in.pdf"))
        #expect(try Recording.open(folder.path("link.pdf")).frame(at: 0).capture.page?.drawn != nil)
    }

    @Test func aPageOnDiskIsTheSame() throws {
        let folder = try Self.folder(HandmadePDF([Self.page, Self.page]))
        let path = folder.path("in.pdf")
        let page = try PDFDocument(path: path).page(2)
        try page.write(to: folder.path)
        #expect(try DocumentPage.read(from: folder.path, of: path, limits: FlatteningLimits()) == page)
    }
}

@Suite struct PDFProgramTests {
    /// Programs of poppler's names that say what a test wants.
    private static func folder(info: String, others: String = "exit 0") throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try Data(HandmadePDF([HandmadePDF.Page("")]).bytes).write(to: folder.url.appending(path: "in.pdf"))
        try folder.writeProgram("#!/bin/sh\n\(info)\n", as: "bin/pdfinfo")
        for name in ["pdfimages", "pdftotext", "pdftoppm", "pdftocairo"] {
            try folder.writeProgram("#!/bin/sh\n\(others)\n", as: "bin/\(name)")
        }
        return folder
    }

    private static func document(
        _ folder: ScratchFolder, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> PDFDocument {
        try PDFDocument(
            path: folder.path("in.pdf"), limits: limits,
            searchPath: folder.path("bin") + ":/usr/bin:/bin")
    }

    @Test func aProgramThatNeverEndsIsEndedAtTheDeadlineOrWhenItIsGivenUp() throws {
        let folder = try Self.folder(
            info: "echo 'Pages: 1'; echo 'Page 1 size: 200 x 300 pts'", others: "while :; do :; done")
        var limits = FlatteningLimits()
        limits.deadline = .now + .seconds(2)
        #expect(failure { try Self.document(folder, limits: limits).page(1) }?.code == .timeout)
        let document = try Self.document(folder)
        #expect(failure { try document.page(1, unless: { true }) }?.code == .cancelled)
    }

    @Test func aMissingProgramIsNamedWithItsPackage() throws {
        let folder = try ScratchFolder()
        try folder.write("%PDF-1.4", as: "in.pdf")
        let error = try #require(
            failure { try PDFDocument(path: folder.path("in.pdf"), searchPath: folder.path) })
        #expect(error.code == .missingDependency && error.advice?.contains("poppler-utils") == true)
    }

    @Test func aLockedFileIsRefusedWithTheWayToUnlockIt() throws {
        let folder = try Self.folder(info: "echo 'Command Line Error: Incorrect password' >&2; exit 1")
        let error = try #require(failure { try Self.document(folder) })
        #expect(error.code == .unsupported && error.advice?.contains("qpdf --decrypt") == true)
    }

    @Test(arguments: ["echo Pages: none", "echo Pages: -3", "echo Title: x"])
    func aCountThatIsNoneIsRefused(info: String) throws {
        let folder = try Self.folder(info: info)
        #expect(failure { try Self.document(folder) }?.code == .badInput)
    }

    @Test(arguments: ["nan x nan", "1e300 x 5", "-4 x 5", "", "0 x 0"])
    func aSizeThatNoPageHasIsRefused(size: String) throws {
        let folder = try Self.folder(info: "echo 'Pages: 1'; echo 'Page 1 size: \(size) pts'")
        let error = try #require(failure { try Self.document(folder).page(1) })
        #expect(error.code == .badInput && error.message.contains("size"))
    }

    @Test func aPageThatCannotBeDrawnIsAnErrorThatNamesIt() throws {
        let folder = try Self.folder(
            info: "echo 'Pages: 1'; echo 'Page 1 size: 200 x 300 pts'", others: "echo broken >&2; exit 1")
        let error = try #require(failure { try Self.document(folder).page(1) })
        #expect(error.code == .badInput && error.file == folder.path("in.pdf") + " page 1")
        #expect(error.detail == "broken" && error.seen == "pdftoppm's exit code 1")
    }
}

@Suite struct PDFOutputTests {
    @Test func theDensestPictureGivesTheResolutionAndMasksAreNone() {
        let list = """
            page   num  type   width height color comp bpc  enc interp  object ID x-ppi y-ppi size ratio
            --------------------------------------------------------------------------------------------
               1     0 image    1654  2339  rgb     3   8  jpeg   no         7  0   200   201 1.2M  11%
               1     1 smask   9999  9999  gray    1   8  image  no         8  0   600   600 1.2M  11%
               1     2 image     100   200  gray    1   8  image  no   [inline]   100   100 1.2K  11%
               1     3 image     100   200  gray    1   8  image  no         9  0   inf   nan 1.2K  11%
            """
        let images = PDFImageList(Array(list.utf8))
        #expect(images.resolution == 201)
        // 8.27 x 11.64 inches, and 1 x 2.
        #expect(abs(images.area - (1654 / 200 * 2339 / 201 + 2)) < 0.01)
        #expect(PDFImageList([]).resolution == nil && PDFImageList([]).area == 0)
    }

    @Test func wordsAreReadWithTheirPlacesAndWithoutEntities() {
        let page = """
            <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x">
            <html xmlns="http://www.w3.org/1999/xhtml"><body><doc><page width="1" height="2"><flow><block><line>
            <word xMin="1.5" yMin="2" xMax="3" yMax="4">M&amp;S</word>
            <word xMin="5" yMin="2" xMax="4" yMax="4">turned</word>
            <word xMin="nan" yMin="2" xMax="4" yMax="4">nowhere</word>
            <word xMin="1e300" yMin="2" xMax="4e300" yMax="4">far</word>
            <word xMin="5" yMin="2" xMax="6" yMax="4"> </word>
            </line></block></flow></page></doc></body></html>
            """
        let words = PDFWords.words(in: Array(page.utf8))
        #expect(words == [.init(text: "M&S", box: Box(left: 1.5, top: 2, right: 3, bottom: 4))])
        #expect(PDFWords.words(in: Array("no page".utf8)).isEmpty)
    }
}
