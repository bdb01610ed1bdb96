public import Imaging

extension Capture {
    /// The page of a document that a capture shows.
    public struct Page: Codable, Equatable, Sendable {
        /// Counted from 1.
        public var number: Int
        /// How many pages the document has.
        public var count: Int
        /// What the document states about a page that is drawn; nil for one that is photographed or scanned.
        public var drawn: Drawn?
        /// The page's width and height in millimetres, as displayed; nil if the document does not say.
        public var millimeters: SIMD2<Double>?

        /// A page by its number.
        public init(number: Int, count: Int, drawn: Drawn? = nil, millimeters: SIMD2<Double>? = nil) {
            self.number = number
            self.count = count
            self.drawn = drawn
            self.millimeters = millimeters
        }

        /// "page 2 of 3"
        package var name: String { "page \(number) of \(count)" }
    }

    /// What a document states about a page that it draws. Such a page is itself the sheet: flat, upright and of known size.
    public struct Drawn: Codable, Equatable, Sendable {
        /// Pixels of the image per metre of the page.
        public var pixelsPerMeter: Double
        /// The words of the page's text layer, in the document's order, in pixels of the image; empty without a text layer.
        public var words: [Word]

        /// Creates the description of a drawn page.
        /// - Precondition: `pixelsPerMeter` is greater than 0.
        public init(pixelsPerMeter: Double, words: [Word]) {
            precondition(pixelsPerMeter > 0, "a page has a size")
            self.pixelsPerMeter = pixelsPerMeter
            self.words = words
        }
    }

    /// A word of a page's text layer.
    public struct Word: Codable, Equatable, Sendable {
        /// The characters, without white space.
        public var text: String
        /// Where it stands in the image.
        public var box: Box

        /// A word and its place.
        public init(text: String, box: Box) {
            self.text = text
            self.box = box
        }
    }
}
