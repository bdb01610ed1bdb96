package import Imaging

/// The ink of a page and the marks that it forms, found once. Straightening, upright turn and reader all start from
/// them.
package struct PageMarks: Sendable {
    /// The page.
    package let page: GrayImage
    /// What is printed on it.
    package let ink: Ink
    /// The pieces of that ink, unsorted.
    package let marks: [PrintedMark]

    /// Finds the marks of a page. O(pixels).
    package init(of page: GrayImage) {
        self.page = page
        ink = Ink(of: page)
        marks = PrintedMark.marks(in: ink)
    }
}
