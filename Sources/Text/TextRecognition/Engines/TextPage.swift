public import Imaging
import PrintDetection
import Synchronization

/// A page to be read: flat and upright, dark print on light paper or the reverse.
public struct TextPage: Sendable {
    /// The page's brightness.
    public let picture: GrayImage
    /// True scale, if it is known.
    public let pixelsPerMillimeter: Double?
    /// Whether a point of the page (pixel-centre coordinates) lies on the sheet, for pages that also show the sheet's
    /// surroundings; nil where all of the page is sheet. What lies beside the sheet must not be taken for print.
    public let isOnSheet: (@Sendable (SIMD2<Double>) -> Bool)?

    /// How many times larger than it was photographed the page is shown, so that it can be read.
    private(set) var enlargement = 1.0

    private let found = FoundMarks()

    /// A page.
    public init(
        _ picture: GrayImage, pixelsPerMillimeter: Double? = nil,
        isOnSheet: (@Sendable (SIMD2<Double>) -> Bool)? = nil
    ) {
        self.picture = picture
        self.pixelsPerMillimeter = pixelsPerMillimeter
        self.isOnSheet = isOnSheet
    }

    /// The page's ink and marks, found on first use.
    var marks: PageMarks { found.marks(of: picture) }
    /// Tells print from the sheet's surroundings; nil where the page shows none.
    var rim: SheetRim? { isOnSheet.map(SheetRim.init) }

    /// The factor by which to enlarge the page before reading: 1 for print that is large enough. The first call finds
    /// the page's marks.
    var enlargementToRead: Double {
        typealias Tuning = ReadingTuning.SmallPrint
        let height = PrintedRowFinder(marks: marks.marks).letterHeight
        guard height > 0, height < Tuning.letterHeight else { return 1 }
        let factors = Tuning.factors
        let wanted = min(factors.upperBound, factors.lowerBound * max(1, Tuning.heightOfTwice / height))
        let factor = min(wanted, (Tuning.mostPixels / Double(picture.size.pixelCount)).squareRoot())
        return factor < Tuning.leastFactor ? 1 : factor
    }

    /// Returns the same page as a larger image.
    func enlarged(by factor: Double) -> TextPage {
        guard factor > 1 else { return self }
        var isOnEnlarged: (@Sendable (SIMD2<Double>) -> Bool)?
        if let isOnSheet {
            isOnEnlarged = { place in isOnSheet((place + 0.5) / factor - 0.5) }
        }
        var page = TextPage(
            picture.enlarged(by: factor), pixelsPerMillimeter: pixelsPerMillimeter.map { $0 * factor },
            isOnSheet: isOnEnlarged)
        page.enlargement = enlargement * factor
        return page
    }

    private final class FoundMarks: Sendable {
        private let known = Mutex<PageMarks?>(nil)

        func marks(of picture: GrayImage) -> PageMarks {
            known.withLock { known in
                // Smoothing joins printed dots to letters, but does not join grain.
                let marks = known ?? PageMarks(of: picture.smoothed())
                known = marks
                return marks
            }
        }
    }
}
