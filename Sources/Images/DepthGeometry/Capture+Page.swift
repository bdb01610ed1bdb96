public import Imaging

extension Capture {
    /// The page of a document that a capture shows.
    public struct Page: Codable, Equatable, Sendable {
        /// Counted from 1.
        public var number: Int
        /// How many pages the document has.
        public var count: Int
        /// Where the page is drawn, not photographed or scanned: what the document says of it.
        public var drawn: Drawn?
        /// Its width and height in millimetres, as it is seen; nil where the document does not say.
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

    /// What a document says of a page that it draws: such a page is itself the sheet, flat, upright and of known size.
    public struct Drawn: Codable, Equatable, Sendable {
        /// Pixels of the picture per metre of the page.
        public var pixelsPerMeter: Double
        /// The words of the page's text layer, in the document's order, in pixels of the picture; empty where it has none.
        public var words: [Word]

        /// What is known of a drawn page.
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
        /// Where it stands in the picture.
        public var box: Box

        /// A word and its place.
        public init(text: String, box: Box) {
            self.text = text
            self.box = box
        }
    }
}
