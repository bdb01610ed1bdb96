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
