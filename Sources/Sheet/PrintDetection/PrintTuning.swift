/// The thresholds that were tuned for finding print, each with its unit and what it separates.
///
/// Where a comment names no measurement, the figure was set on the drawn receipts of `make accuracy` and on photographs of
/// receipts, and separates what the comment says. "Letter heights" are the page's usual ones.
enum PrintTuning {
    /// The relief of a page: `Ink`.
    enum Relief {
        /// Side of the cells in which the paper's brightness is measured, in pixels: some letters wide.
        static let cell = 48
        /// Greatest factor by which pale print is raised: more would make print of creases and stains.
        static let greatestGain: Float = 2
        /// A cell with fewer inked pixels, less than a small letter has, tells nothing.
        static let leastInk: Int32 = 20
        /// Print is what differs from the paper by at least this share of its strokes' depth. Otsu's threshold is 0.35
        /// to 0.5 of the letters' depth on 40 of 51 scans of receipts, and up to 0.95 on the others, where it breaks
        /// some letters into pieces.
        static let shareOfStroke: Float = 0.35
        /// Letters cover at most one part in this many of a cell.
        static let shareOfLetters = 5
        /// A panel is higher and wider than this, in letter heights: more than one row or word in bold.
        static let panelHeight = 1.3
        static let panelWidth = 3.0
        /// The inked share of a panel's box, in tenths, is greater than this: frames and pictures have less.
        static let panelTenths = 6
    }

    /// Letters among the marks: `PrintedRowFinder`.
    enum Letters {
        /// Marks that count for the letter height: least height and least width in pixels, and greatest width in
        /// heights.
        static let leastHeight = 5
        static let leastWidth = 2
        static let longest = 12
        /// Greatest weight of a mark, in pixels of its shorter side: a logo must not outweigh ten letters.
        static let greatestSay = 60
        /// Range of the heights of letters, in letter heights: small letters to titles.
        static let heights = 0.5...3.5
        /// Wider marks, in letter heights, are rules.
        static let widest = 14.0
        /// Marks higher than this many of their widths are the edges of something.
        static let tallest = 8
        /// Small marks wider than this, in letter heights, are rules.
        static let widestSmall = 2.5
        /// Marks of fewer pixels are specks.
        static let leastArea = 4
    }

    /// Letters to rows: `PrintedRowFinder`.
    enum Rows {
        /// Least share of the smaller height that a letter has in common with the band of its row.
        static let leastOverlap = 0.5
        /// The least weight of a further letter in its row's band. The band follows slowly, because capitals, small
        /// letters and tails differ in height.
        static let leastWeight = 0.15
        /// Fewest letters of a row whose slope is certain, and its least width in letter heights.
        static let sloping = 8
        static let slopingWidth = 8.0
        /// Number of neighbouring rows from which a row of uncertain slope takes its slope.
        static let neighbors = 3
        /// Number of rows before a row that may be its other half.
        static let rowsBefore = 4
        /// In letter heights, at least the page's: the middles of two parts of one row are nearer than this, whether
        /// the parts stand beside each other or, where letters are broken, one above the other. Rows are at least a
        /// letter height apart.
        static let mergingDistance = 0.55
        /// In its row's letter heights: a higher mark may be letters of two rows that touch. Brackets have 1.3.
        static let tallestInRow = 1.6
        /// Most such marks of a row, as a number or as a share: more are a word in taller type.
        static let tallMarks = 2
        static let shareOfTall = 0.15
        /// Least share of a row's letter height that a mark covers to lie in its band, and greatest distance beside the
        /// row, in letter heights.
        static let coveredBand = 0.7
        static let besideRow = 2.0
        /// In letter heights: greatest distance of a small mark from its row's middle, up or down, and from its row's
        /// end.
        static let farthestSmall = 0.95
        static let farthestBeside = 4.0
    }

    /// Print along the sheet's sides: `RimPrint`. Set by the geometry that separates a slogan from columns of one to
    /// four digits, and tried on drawn receipts with a slogan along both sides and on 101 scans of receipts, none of
    /// which has one.
    enum RimPrint {
        /// Range of the longer sides of letters, in letter heights.
        static let letters = 0.3...2.5
        /// Fewest letters of a slogan.
        static let leastLetters = 8
        /// Columns covered by at most this share of the letters count as blank: a rule or a long row may reach across.
        static let shareOfBlank = 0.02
        /// Narrowest blank beside a band, in letter heights.
        static let leastGap = 0.4
        /// Least share of letters that stand alone in their pixel rows: the dot of an "i" stands beside its stem.
        static let shareAlone = 0.6
        /// In widths of the band: greatest median length of letters along it. A slogan has 0.4 to 0.7, a column of
        /// single digits 1.5 and more.
        static let greatestStep = 0.9
        /// In widths of the band: greatest median gap to the next letter. A slogan has 0.1 to 0.2.
        static let greatestGap = 0.35
    }

    /// The direction of the rows: `RowDirection`.
    enum Direction {
        /// In shorter sides of the letter: a mark nearer than this is a part of the same letter.
        static let nearest = 0.4
        /// Greatest allowance for wide marks, which reach further than their left edge says, in pixels.
        static let widestMark = 200.0
        /// The confidence where there are no letters.
        static let none = 0.5
    }

    /// The shape of upright rows: `UprightGuess`.
    enum Upright {
        /// Evidence, in standard deviations of chance, from which on the shape alone decides. Print in capitals alone,
        /// with few stops, stays far below.
        static let certainty = 6.0
        /// In the row's letter heights: higher marks are letters.
        static let leastLetter = 0.6
        /// Fewest letters of a row that counts, and fewest such rows.
        static let lettersOfRow = 4
        static let rows = 2
        /// How near feet, or tops, must be to each other to count as level: letter heights, plus the rounding of boxes
        /// in pixels.
        static let tolerance = 0.06
        static let rounding = 0.5
        /// Added to the variance of the votes' mean, so that rows that agree fully are not proof without end.
        static let leastVariance = 1e-4
        /// In the row's letter heights: height and width below which a mark is a dot, and range of its distance from
        /// the middle.
        static let dotHeight = 0.4
        static let dotWidth = 0.5
        static let dotOffset = 0.2...0.75
    }

    /// Rows set on a line: `PrintedRow.levelness`.
    enum Levelness {
        /// Deviations of the interval's bound: three level letters reach 0.56, one reaches 0.3, and thirty of which
        /// half are level reach 0.36.
        static let deviations = 1.5
    }

    /// Print and what shows around the sheet: `SheetRim` and `PagePrint`.
    enum Rim {
        /// Distance from the edge that counts as "at the edge", in letter heights: more than the outline's usual error,
        /// less than the blank that printers leave.
        static let reach = 0.25
        /// Greatest distance to a word's next letter, in letter heights: receipt type is up to 0.9 of its height apart.
        static let widestGap = 1.2
        /// In letter heights: the heights of marks inside the sheet that count as letters.
        static let letters = 0.5...1.6
        /// Least share of a mark that lies on the sheet.
        static let leastShare = 0.5
        /// Least share of the smaller height that two letters of a word have in common.
        static let leastOverlap = 0.5
    }

    /// The print that straightening uses: `PagePrint`.
    enum Pieces {
        /// Marks wider than this, in letter heights, are words whose letters run together, too long for one box to show
        /// how they bend.
        static let widestLetter = 4.0
        /// Ink that is smaller than this, in letter heights, both ways, may be a speck; ink that is higher than this share of
        /// the page is a shadow or a fold, as on 45 photographs of pages.
        static let leastInked = 0.5
        static let highestInked = 0.2
        /// In letter heights, both ways: large print. What is larger may be a shadow or the table: without that bound the pages
        /// of those photographs reach beyond the paper, which costs up to .04 of MS-SSIM.
        static let large = 1.5...8
        /// A rule shorter than this, in letter heights, may be a letter.
        static let shortestRule = 4.0
        /// A rule thicker than this, in letter heights, is a picture.
        static let thickestRule = 3.0
        /// Greatest change of a rule's thickness from one column to the next, in pixels or as a share of it.
        static let greatestStep = 1.5
        static let greatestRelativeStep = 0.25
    }

    /// The print that a network finds: `PrintSegment`.
    enum Segments {
        /// Height of a capital in the image that the network sees, in pixels.
        static let letterHeight = 9.0
        /// The same where large or heavy print is looked at closely, and how much of the page above and below it is
        /// seen then, in heights of the segment. Of five logos of which the network had lost letters, it finds all
        /// letters of three at 18 pixels and of five at 28.
        static let letterHeightOfClose = 28.0
        static let surroundingsOfClose = 0.75
        /// The same for what stands above the first rows of a page: from 9 to 28 the network finds four of five logos
        /// there that it overlooks on the whole page.
        static let letterHeightOfHead = 12.0
        /// Print beside a segment is pale below this share of the segment's depth: print that shows through has a fifth
        /// to a half.
        static let shareOfPale = 0.6
        /// Greatest factor by which a page is enlarged.
        static let mostEnlarged = 2.0
        /// Least length of the enlarged image's longer side, in pixels, so that one large heading does not hide small
        /// print.
        static let leastSide = 480.0
        /// Most pixels of the enlarged image: it takes a third of a second of one core.
        static let mostPixels = 1.0e6
        /// The network loses rows of letters smaller than this: of 10 drawn pages of 9 and 12 megapixels, with 110 to
        /// 160 rows, it finds all at 6, breaks some into pieces at 5, and found a third of them at 3.8. A page that
        /// would need more than `mostPixels` for this height is looked at in bands of that many pixels, which have at
        /// most `mostPixelsInBands` together. Beside a band the network sees some rows more, a multiple of its step.
        static let leastLetterHeight = 6.0
        static let mostPixelsInBands = 4.0e6
        static let besideBand = 64
        /// Logarithm of the odds from which a pixel is print, as set by the network's makers: odds of 3 to 7.
        static let leastOdds: Float = -0.847
        /// Least mean confidence of a piece, as set by the makers.
        static let leastConfidence = 0.5
        /// Least thickness of a piece, in pixels: less is a speck.
        static let leastThickness = 1.5
        /// How far a piece is grown, in its area divided by its circumference, as set by the makers.
        static let growth = 1.6
        /// Length from which on a piece's slope is certain, in thicknesses.
        static let slopingLength = 6.0
        /// Share of a segment's height, around its middle, whose marks belong to it: neighbouring segments overlap a
        /// little.
        static let band = 0.75
        /// Share of a segment's pixels that are deeper than the depth its print is taken to have.
        static let deepest = 0.03
        /// Least difference of print in a segment, as a share of that depth, and in grey levels.
        static let shareOfDepth = 0.35
        static let leastContrast = 10
        /// Height above and below a segment in which its paper is measured, as a share of the segment's height.
        static let surroundings = 0.25
        /// Width of a panel's blurred edges, in pixels.
        static let rimOfPanel = 2
    }
}
