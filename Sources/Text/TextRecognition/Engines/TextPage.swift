public import Imaging
import PrintDetection
import Synchronization

/// A page to be read: flat and upright, dark print on light paper or the reverse.
public struct TextPage: Sendable {
    /// The page's brightness.
    public let picture: GrayImage
    /// True scale, if it is known.
    public let pixelsPerMillimeter: Double?
    /// Whether a place of the page (pixel-centre coordinates) lies on the sheet, for pages that also show what lies around
    /// it; nil where all of the page is sheet. What is not on it is not to be taken for print.
    public let isOnSheet: (@Sendable (SIMD2<Double>) -> Bool)?

    /// How many times as large as it was photographed the page is shown, for it to be read.
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

    /// The page's ink and marks, found when they are first asked for.
    var marks: PageMarks { found.marks(of: picture) }
    /// What tells print from the sheet's surroundings; nil where there are none.
    var rim: SheetRim? { isOnSheet.map(SheetRim.init) }

    /// By how much the page is enlarged to be read: 1 for print that is large enough. The first call finds the page's marks.
    var enlargementToRead: Double {
        typealias Tuning = ReadingTuning.SmallPrint
        let height = PrintedRowFinder(marks: marks.marks).letterHeight
        guard height > 0, height < Tuning.letterHeight else { return 1 }
        let factors = Tuning.factors
        let wanted = min(factors.upperBound, factors.lowerBound * max(1, Tuning.heightOfTwice / height))
        let factor = min(wanted, (Tuning.mostPixels / Double(picture.size.pixelCount)).squareRoot())
        return factor < Tuning.leastFactor ? 1 : factor
    }

    /// The same page in a larger picture.
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
                // Smoothed: dots of print join to letters, grain does not.
                let marks = known ?? PageMarks(of: picture.smoothed())
                known = marks
                return marks
            }
        }
    }
}
