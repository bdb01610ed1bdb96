/// What the finding of print was tuned to: every threshold with its unit and what it tells apart.
///
/// Where a comment names no measurement, the figure was set on the drawn receipts of `make accuracy` and on photographs of
/// receipts, and separates what the comment says. "Letter heights" are the page's usual ones.
enum PrintTuning {
    /// The relief of a page: `Ink`.
    enum Relief {
        /// Side of the cells that the paper's brightness is taken from, in pixels: some letters wide.
        static let cell = 48
        /// Pale print is raised by this factor at most: more would make print of creases and stains.
        static let greatestGain: Float = 2
        /// Fewer inked pixels than a small letter has say nothing of a cell.
        static let leastInk: Int32 = 20
        /// Print is what is at least this share of its strokes' depth away from the paper. Otsu's threshold is 0.35 to 0.5 of
        /// the letters' depth on 40 of 51 scans of receipts, and up to 0.95 on the others, some with letters in pieces.
        static let shareOfStroke: Float = 0.35
        /// One part in so many of a cell is covered by letters at most.
        static let shareOfLetters = 5
        /// A panel is higher and wider than this, in letter heights: more than one row or word in bold.
        static let panelHeight = 1.3
        static let panelWidth = 3.0
        /// The inked share of a panel's box, in tenths, is greater than this: frames and pictures have less.
        static let panelTenths = 6
    }

    /// Letters among the marks: `PrintedRowFinder`.
    enum Letters {
        /// Marks that have a say in the letter height: pixels high and wide at least, and how many heights wide at most.
        static let leastHeight = 5
        static let leastWidth = 2
        static let longest = 12
        /// The greatest say of a mark, in pixels of its lesser side: a logo does not outvote ten letters.
        static let greatestSay = 60
        /// Letters are this high, in letter heights: small letters to titles.
        static let heights = 0.5...3.5
        /// Wider marks, in letter heights, are rules.
        static let widest = 14.0
        /// Higher marks, in their widths, are the edges of something.
        static let tallest = 8
        /// Wider small marks, in letter heights, are rules.
        static let widestSmall = 2.5
        /// Fewer pixels are a speck.
        static let leastArea = 4
    }

    /// Letters to rows: `PrintedRowFinder`.
    enum Rows {
        /// The share of the lower one's height that a letter has in common with the band of its row at least.
        static let leastOverlap = 0.5
        /// The least weight of a further letter in its row's band, which follows slowly: capitals, small letters and tails
        /// differ in height.
        static let leastWeight = 0.15
        /// Letters, and letter heights of width, of a row that knows how it falls.
        static let sloping = 8
        static let slopingWidth = 8.0
        /// Neighbouring rows that one which does not know takes its slope from.
        static let neighbors = 3
        /// Rows before one that it may be the other half of.
        static let rowsBefore = 4
        /// In letter heights, the page's at least: the middles of two parts of one row are nearer than this, beside each other
        /// or, where letters are broken, one above the other. Rows are a letter height apart at least.
        static let mergingDistance = 0.55
        /// In its row's letter heights: a higher mark may be letters of two rows that touch. Brackets have 1.3.
        static let tallestInRow = 1.6
        /// Such marks of a row at most, or their share: more are a word in taller type.
        static let tallMarks = 2
        static let shareOfTall = 0.15
        /// The share of a row's letter height that a mark covers to lie in its band, and how far beside the row, in letter heights.
        static let coveredBand = 0.7
        static let besideRow = 2.0
        /// In letter heights: how far from its row's middle, up or down, and from its end a small mark lies at most.
        static let farthestSmall = 0.95
        static let farthestBeside = 4.0
    }

    /// Print along the sheet's sides: `RimPrint`. Set by what parts a slogan from columns of one to four digits in geometry, and
    /// tried on drawn receipts with a slogan along both sides and on 101 scans of receipts, of which none has one.
    enum RimPrint {
        /// The longer sides of letters, in letter heights.
        static let letters = 0.3...2.5
        /// Letters of a slogan at least.
        static let leastLetters = 8
        /// Columns that this share of the letters covers at most are blank: a rule or a long row reaches across.
        static let shareOfBlank = 0.02
        /// Blank columns beside a band at least, in letter heights.
        static let leastGap = 0.4
        /// The share of letters that stand alone in their pixel rows at least: the dot of an "i" stands beside its stem.
        static let shareAlone = 0.6
        /// In widths of the band: how far letters reach along it, half of them at most, 0.4 to 0.7; a column of single digits
        /// has 1.5 and more.
        static let greatestStep = 0.9
        /// In widths of the band: the gap to the next letter, half of them at most, 0.1 to 0.2.
        static let greatestGap = 0.35
    }

    /// The direction of the rows: `RowDirection`.
    enum Direction {
        /// In the letter's lesser side: what is nearer is a part of the same letter.
        static let nearest = 0.4
        /// Pixels that wide marks reach further than their left edge says.
        static let widestMark = 200.0
        /// The confidence of no letters at all.
        static let none = 0.5
    }

    /// The shape of upright rows: `UprightGuess`.
    enum Upright {
        /// Evidence, in deviations of chance, with which the shape alone tells. Print in capitals alone, with few stops, stays
        /// far below.
        static let certainty = 6.0
        /// In the row's letter heights: higher marks are letters.
        static let leastLetter = 0.6
        /// Letters of a row that has a say, and rows.
        static let lettersOfRow = 4
        static let rows = 2
        /// How near feet, or tops, are to each other to count as level: letter heights, and the rounding of boxes in pixels.
        static let tolerance = 0.06
        static let rounding = 0.5
        /// Added to the variance of the votes' mean: rows that agree fully are not proof without end.
        static let leastVariance = 1e-4
        /// In the row's letter heights: the height and width below which a mark is a dot, and how far it lies off the middle.
        static let dotHeight = 0.4
        static let dotWidth = 0.5
        static let dotOffset = 0.2...0.75
    }

    /// Rows set on a line: `PrintedRow.levelness`.
    enum Levelness {
        /// Deviations of the interval's bound: three letters that are level come to 0.56, one to 0.3, thirty of which half are
        /// to 0.36.
        static let deviations = 1.5
    }

    /// Print and what shows around the sheet: `SheetRim` and `PagePrint`.
    enum Rim {
        /// How near the edge is "at the edge", in letter heights: more than the outline's usual error, less than the blank
        /// that printers leave.
        static let reach = 0.25
        /// How far a word's next letter is at most, in letter heights: receipt type is up to 0.9 of its height apart.
        static let widestGap = 1.2
        /// In letter heights: what goes on inside the sheet as letters.
        static let letters = 0.5...1.6
        /// The share of a mark that lies on the sheet at least.
        static let leastShare = 0.5
        /// The share of the lower one's height that two letters of a word have in common at least.
        static let leastOverlap = 0.5
    }

    /// What straightening goes by: `PagePrint`.
    enum Pieces {
        /// Wider marks, in letter heights, are words whose letters run together, too long for one box to tell how they bend.
        static let widestLetter = 4.0
        /// Shorter than this, in letter heights, a rule may be a letter.
        static let shortestRule = 4.0
        /// Thicker than this, in letter heights, it is a picture.
        static let thickestRule = 3.0
        /// From one column to the next a rule's thickness changes by this many pixels at most, or by this share.
        static let greatestStep = 1.5
        static let greatestRelativeStep = 0.25
    }

    /// What a network finds of print: `PrintSegment`.
    enum Segments {
        /// Pixels of a capital's height in the picture that the network sees.
        static let letterHeight = 9.0
        /// The same where large or heavy print is looked at closely, and what of the page is seen above and below it then, in
        /// heights of the segment. Of five logos the network had lost letters of, it finds all of three at 18 pixels and of five
        /// at 28.
        static let letterHeightOfClose = 28.0
        static let surroundingsOfClose = 0.75
        /// The same of what stands above the first rows of a page: from 9 to 28 the network finds four of five logos there that it
        /// overlooks on the whole page.
        static let letterHeightOfHead = 12.0
        /// Print beside it is pale below this share of its depth: what shows through has a fifth to a half.
        static let shareOfPale = 0.6
        /// How much a page is enlarged at most.
        static let mostEnlarged = 2.0
        /// Pixels of that picture's longer side at least, so that one large heading does not hide small print.
        static let leastSide = 480.0
        /// Pixels of that picture at most: it takes a third of a second of one core.
        static let mostPixels = 1.0e6
        /// Of letters smaller than this the network loses rows: of 10 drawn pages of 9 and 12 megapixels, with 110 to 160 rows, it
        /// finds all with 6, breaks some into pieces with 5, and found a third of them with 3.8. A page that does not show them as high within `mostPixels` is
        /// looked at in bands of as many, which have at most `mostPixelsInBands` together; beside a band the network sees so many
        /// rows more, a multiple of its step.
        static let leastLetterHeight = 6.0
        static let mostPixelsInBands = 4.0e6
        static let besideBand = 64
        /// The logarithm of the odds from which a pixel is print, as the network's makers have it: 3 to 7.
        static let leastOdds: Float = -0.847
        /// Mean confidence of a piece, as they have it.
        static let leastConfidence = 0.5
        /// Pixels of a piece's thickness: less is a speck.
        static let leastThickness = 1.5
        /// By how much of its area for its circumference a piece is grown, as they have it.
        static let growth = 1.6
        /// A piece knows how it falls from this length on, in thicknesses.
        static let slopingLength = 6.0
        /// The share of a segment's height, around its middle, whose marks are its own: neighbouring segments overlap a little.
        static let band = 0.75
        /// The share of a segment's pixels that are deeper than its print is taken to be.
        static let deepest = 0.03
        /// What is print in a segment, as a share of that depth, and in grey levels at least.
        static let shareOfDepth = 0.35
        static let leastContrast = 10
        /// What is looked at above and below a segment for its paper, as a share of its height.
        static let surroundings = 0.25
        /// Pixels of a panel's blurred edges.
        static let rimOfPanel = 2
    }
}
