/// The thresholds that were tuned for reading receipts, each with its unit and what it separates.
///
/// Where a comment names no measurement, the figure was set on the drawn receipts of `make accuracy` and on photographs
/// of receipts, and separates what the comment says; check a change against those scores. Lengths in "letter heights"
/// are relative to a row's tall letters, those in "pitches" to the distance between its characters.
enum ReadingTuning {
    /// Fixed-width type: `PitchFinder` and `CharacterPitch`.
    enum Pitch {
        /// The least coherence of fixed-width type. Proportional type, with as many letters as a page has, stays below 0.3.
        static let leastCoherence = 0.45
        /// In pitches: wider stretches are several letters that touch.
        static let widestLetter = 1.3
        /// In pitches: how near to a stretch's end the middle of its outermost letter may be.
        static let nearestMiddle = 0.4
        /// In pitches: where in a wide stretch the middle of its outermost letter usually is.
        static let usualMiddle = 0.45

        /// In the page's letter heights: rows of taller letters are titles in type of their own.
        static let tallestRow = 1.6
        /// In letter heights: wider stretches are several letters, so their middle is not the middle of a letter.
        static let widestSample = 1.3
        /// How many following letters a distance is measured to, from each letter.
        static let nextLetters = 5
        /// In letter heights: distances to farther letters suffer from the stretch of the sheet.
        static let farthestSample = 6.0
        /// Fewer distances than this agree by chance.
        static let leastDistances = 24
        /// More distances than this tell nothing new.
        static let mostDistances = 1500

        /// Range of the search in letter heights: condensed type to wide-set capitals.
        static let leastPitch = 0.4
        static let greatestPitch = 1.5
        /// Factor from one candidate to the next.
        static let searchStep = 1.004
        /// Share of the best score at which another pitch fits about as well.
        static let nearlyBest = 0.93
        /// Relative half width of a peak of the score.
        static let peakWidth = 0.03

        /// In the page's pitches: a row whose usual letter is wider than this is of double width.
        static let doubleWidth = 1.15
        /// Fewest letters of such a row.
        static let leastDoubleLetters = 3
        /// Fewest letters that determine their row's pitch better than the page does.
        static let leastFitted = 6
        /// Greatest relative difference of a row's own pitch from the page's: the stretch of a sheet that is flat
        /// except for errors.
        static let greatestStretch = 0.04
    }

    /// The cells of a row and what is read in them: `PrintedCells` and `CellVotes`.
    enum Cells {
        /// In pitches: root mean square of the offsets of letters from the middles of their cells. Evenly distributed
        /// offsets have 0.29; letters that stand anywhere in their cells stay below 0.2.
        static let greatestDeviation = 0.22
        /// Squared pitches: cost of a symbol without a cell, or a cell without a symbol. Equals an offset of a little
        /// over half a cell.
        static let costOfNone = 0.45
        /// In pitches: a symbol farther off costs no more.
        static let farthestSymbol = 1.2
        /// Weight of a symbol that was read without any confidence.
        static let leastWeight = 0.02
        /// Power of the confidence: one surely read symbol counts for several doubtful ones.
        static let confidencePower = 3.0
        /// Weight of an empty reading: there is print in the cell, so it is weak evidence.
        static let weightOfNothing = 0.25
        /// Share of a cell's weights that one character needs for the cell to be settled.
        static let settledShare = 0.8
        /// Least sum of a settled cell's weights, per reading: a confidence of 0.83 in each.
        static let settledWeight = 0.6
        /// The same sum above which one reading is enough: a confidence of 0.976 in each. On 101 scans of receipts
        /// 0.814 of the words are found with it, as many as if all rows were read twice; 0.812 with 0.85.
        static let sureWeight = 0.95
    }

    /// Cells compared with each other: `GlyphComparison`.
    enum Glyphs {
        /// Correlation: cells less alike than this are different characters.
        static let leastLikeness: Float = 0.85
        /// Fewer cells tell nothing about each other.
        static let leastGlyphs = 8
        /// Most cells of one page that are compared; a receipt of 80 full rows has fewer.
        static let mostGlyphs = 2500
        /// Size of a cell's image, in pitches and in letter heights: the letter and a rim for the shifts.
        static let pictureWidth = 1.2
        static let pictureHeight = 1.6
        /// Cells are compared only if their boxes differ by less than this: width in pitches, height and middle in
        /// letter heights.
        static let widthTolerance = 0.25
        static let heightTolerance = 0.2
        static let middleTolerance = 0.35

        /// Most and fewest neighbours, the most similar cells, that vote on a cell.
        static let mostNeighbors = 7
        static let leastNeighbors = 2
        /// Weight of a neighbour that is only just alike.
        static let leastWeight = 0.01
        /// Weights of the cell's own readings and of its neighbours' readings.
        static let weightOfReading = 0.4
        static let weightOfNeighbors = 0.6
        /// How far a cell's correlation with another character may lie below the usual correlation among that
        /// character's own cells.
        static let likenessTolerance: Float = 0.02

        /// Share of the votes above which the readings of a cell agree. To overrule them takes all of the following:
        static let sureShare = 0.9
        /// a share of the neighbours' votes for the other character above this,
        static let clearAgreement = 0.75
        /// at least this many neighbours,
        static let leastClearNeighbors = 3
        /// and a correlation with the other character that exceeds that with the namesakes by more than this,
        static let clearUnlikeness: Float = 0.06
        /// or, instead of the last, a share of the neighbours' votes above this.
        static let fullAgreement = 0.9
    }

    /// Full stops and commas: `PeriodOrComma`.
    enum Marks {
        /// How far below the base line a mark must end to be a comma, in letter heights. Commas reach 0.15 to 0.3 below
        /// it.
        static let leastDescent = 0.11
        /// How far below it a stop may end; between the two values the readings decide.
        static let mostDescent = 0.07
        /// In letter heights: anything taller is no punctuation mark, and stands on the base line.
        static let tallestMark = 0.6
        /// How many tall characters around a mark determine its base line.
        static let neighbors = 5
    }

    /// How much of a page is read: `ReadingBudget`.
    enum Budget {
        /// Letter heights of rows that are read of a page of any size, and in addition for each megapixel. An A4 page
        /// full of 8-point type, 85 rows of 150 letters, has 8,300. Larger images show the same pages larger, seldom
        /// more of them. Of 20 drawn pages of 9 and 12 megapixels, full of print of 13 to 25 pixels, each takes some 6
        /// s of a core.
        static let ofPage = 9000.0
        static let ofMegapixel = 25.0
        /// Letter heights of rows that are read before checking whether it is of any use: some 25 rows of a receipt.
        /// The built-in reader takes some 0.5 ms of a core for each with AVX-512, and 1.1 with AVX2; of bare terrazzo
        /// it reads two such portions.
        static let portion = 600.0
        /// Confidence above which a character counts for going on, and below which it counts against it: the confidence
        /// on crumpled pages, of which little is surely read.
        static let evenConfidence = 0.35
    }

    /// Rows drawn for an engine: `RowRendering`.
    enum Drawing {
        /// Brightness of the drawn paper.
        static let white: UInt8 = 245
        /// Blank around a row and longest blank inside it, both in letter heights, and mean depth of the print below
        /// the paper, in grey levels, unless the reader asks for other values. These are the values of a printed page.
        static let margin = 0.6
        static let longestBlank = 3.0
        static let contrast: Float = 160
        /// Blank between two rows, in drawn letter heights.
        static let blankBetweenRows = 0.5
        /// Least gap that remains between letters that are moved together, in letter heights.
        static let leastLetterGap = 0.1
        /// Least width that remains of an empty cell, in letter heights: a clear space between words.
        static let leastWordGap = 0.45
        /// Limits of the factor by which print is made paler or darker: more would draw the paper's grain.
        static let leastGain: Float = 0.8
        static let greatestGain: Float = 5
        /// How many lines through each mark its depth is measured on.
        static let linesThroughMark = 6
    }

    /// The passes over a page: `ReceiptReader` and `PageRows`.
    enum Passes {
        /// Pitch assumed for type that has none, in letter heights.
        static let usualPitch = 0.6
        /// How rows are drawn: blank around them and longest blank inside them, both in letter heights, and mean depth
        /// of the print below the paper, in grey levels. With wider margins neighbouring rows and specks would reach
        /// in.
        static let margin = 0.3
        static let longestBlank = 20.0
        static let contrast: Float = 220
        /// Range of the factor by which letters are narrowed or widened.
        static let leastWidth = 0.5
        static let greatestWidth = 1.1

        /// Share of the work on fixed-width type that is done after reading all rows once, after reading again those
        /// left in doubt, and after reading the doubtful ones in more ways. Of the readings of rows the first pass has
        /// 0.36 to 0.57 on three scans and a page of small print, nearly all on a clear receipt. A pass that is left
        /// out makes a step of a tenth.
        static let shareOfFirst = 0.7
        static let shareOfSecond = 0.8
        static let shareOfAll = 0.9

        /// Confidence above which a character counts for a reading of a row, and below which it counts against it.
        static let evenConfidence = 0.5
        /// The same where the rows of a doubtful page are compared with the page read as a whole. Both have few sure
        /// characters there. Of the words of five documents photographed crumpled hard, a share of 0.549 was found with
        /// 0.5, 0.560 with 0.35, and 0.568 with 0.2, but with a quarter more false words.
        static let evenConfidenceOnDoubtfulPage = 0.35
        /// Share of doubtful rows from which on the page is also read as a whole. The share of words found rises from
        /// 0.465 to 0.560 on those documents, and from 0.881 to 0.896 on curled ones. From 0.3 on, scans gain 0.005,
        /// but a third of the pages cost more.
        static let doubtfulPage = 0.5
        /// Share of the work on proportional type that the pass over all rows takes: 0.9 of the readings of rows on a
        /// clear scan, 0.75 and 0.68 on two others. Where most rows are doubtful, the next pass, which includes the
        /// page as a whole, takes as long.
        static let shareOfProportional = 0.85
        /// How far apart the ends of one column's amounts may lie, in pitches.
        static let columnTolerance = 0.6
        /// Mean confidence of a row's characters above which it is not read again.
        static let sureRow = 0.85
        /// Mean confidence of a row's characters below which it is left out: on 26 scans fewer than half of them were right.
        static let leastRow = 0.2
        /// In the row's letter heights: higher marks are letters.
        static let tallMark = 0.5
        /// A row of one letter and at most this many marks is a speck, unless its confidence is above the second value.
        static let marksOfSpeck = 3
        static let sureSpeck = 0.9
        /// In the page's letter heights: rows of smaller letters are halves of rules, unless their confidence is above
        /// the second value.
        static let smallRow = 0.45
        static let sureSmallRow = 0.6
        /// Confidence above which signs without letters or digits count as a word.
        static let sureSign = 0.5

        /// Fewest marks of a rule; greatest height of a mark and greatest distance from the rule's line, both in letter
        /// heights; and the share of the marks that satisfies both.
        static let marksOfRule = 10
        static let heightOfRule = 0.5
        static let levelOfRule = 0.12
        static let shareOfRule = 0.7

        /// Fewest marks of a row that counts for the page's letter height.
        static let leastMarks = 6
        /// Letter heights of rows in the page's usual type, relative to that type: from rows without capitals to rows
        /// of capitals.
        static let usualType = 0.6...1.35
    }

    /// Rows read by a recogniser of lines, and the words of what it reads: `LineEngine` and `RowWords`.
    enum Signs {
        /// How rows are drawn for the line recogniser. Of 26 scans of receipts it found 0.873 of the words with letters
        /// of 30 pixels as printed, 0.881 at 0.85 of their width, with 28 and with 30 pixels, and 0.859 with 34, or
        /// with 26 at 0.75.
        static let style = RowRendering.Style(letterHeight: 28, widthFactor: 0.85)
        /// Weights of the regression that detects a blank between two signs (`SignGap`): the sum is above 0 where there
        /// is one. Fitted by `Training/Blanks` to 115,421 pairs of signs of drawn receipts. On 55,797 pairs of signs on
        /// 101 scans of receipts it misses 248 of 9,031 blanks and reports 78 false ones. The simple rule misses 308
        /// and reports 124: it trusts the recogniser, and the print where signs are 1.5 steps apart and the paper is
        /// 0.25 letter heights wider than usual.
        static let blankWeights = (bias: -3.02, blank: 1.36, step: 3.34, paper: 2.66)
        /// The recogniser's probability counts as if it were never nearer than this to 0 or 1.
        static let leastBlank = 1e-3
        /// Limits, the first in usual steps and the others in letter heights: values beyond them tell no more. Twice as
        /// much room on either side changes the figures by less than five.
        static let widestStep = 3.0
        static let leastPaper = -1.0
        static let mostPaper = 1.5
        /// How many times likelier a sign is assumed to be of the kind of all others in its word than of the other
        /// kind. On 26 scans 30 finds most of the words (0.8813; 1: 0.8809, 1000: 0.8799), and on the samples each of
        /// these values reads "TOTAL".
        static let oddsOfKind = 30.0
        /// Fewest letters that show the kind of a word: "P1" is as good a word as "PI".
        static let leastLetters = 2
    }

    /// Small print, which is read on an enlarged image: `TextPage`.
    ///
    /// 17 scans of receipts were scaled until the boxes of their rows were 6, 8, 10, 14 and 18 pixels high (letters
    /// have two thirds of that). As they were, 75.6, 28.6, 8.9, 4.9 and 3.8 % of the characters were wrong; enlarged
    /// twice, 29.8, 8.2, 5.3, 3.4 and 3.3 %; enlarged three times, 26.2, 7.6, 5.3 and 3.4 % of the first four. From 22
    /// on it made no difference. Factors of 1.2 and 1.3 did harm. With a limit of 12 pixels instead of 14, rows of 8
    /// pixels had 10.5 % wrong characters instead of 7.9, because their letters run together and look higher. With 16
    /// tesseract lost four of 147 rows of a long receipt.
    enum SmallPrint {
        /// Letter height below which print is small, in pixels.
        static let letterHeight = 14.0
        /// Letter height from which on it is enough to enlarge twice, in pixels.
        static let heightOfTwice = 9.0
        /// Range of the factor by which the page is enlarged.
        static let factors = 2.0...3.0
        /// Most pixels of the enlarged page; a page that could then not grow by the least factor stays as it is.
        static let mostPixels = 8.0e6
        static let leastFactor = 1.5
    }

    /// Rows of the print that a network finds: `SegmentRows`, `PageRows`.
    enum Segments {
        /// Greatest overlap of two segments of a row, as a share of the shorter one; and greatest distance of the
        /// second from the line on which the first goes on, in the smaller of their heights.
        static let mostOverlap = 0.5
        static let greatestStep = 0.5
        /// Cost of a pixel of blank between two segments, in pixels of such a distance.
        static let costOfGap = 0.02
        /// How many long segments nearby give the slope of rows at a place, and what a pixel across counts in the
        /// search for the nearest.
        static let neighbors = 3
        static let shareAcross = 0.3
        /// Print is faint below this share of the depth of the print beside it, or of the page's usual depth; print
        /// that shows through from the other side has a fifth to a third. A faint row counts only if its confidence is
        /// above the second value, because print that shows through is mirrored.
        static let shareOfFaint = 0.4
        static let sureFaint = 0.85
        /// A letter that stands alone belongs to a row if its height is in this range, it is not wider than the second
        /// value, not farther off the row's middle than the third, and not farther beside the row than the fourth; all
        /// in heights of the row's letters.
        static let heightOfLetter = 0.7...1.3
        static let widestLetter = 1.2
        static let farthestOff = 0.3
        static let farthestLetter = 3.0
        /// Print is large from this share of the usual height of segments on. From the second share on it is looked at
        /// closely if it is heavy. At most the third number of segments of a page, the largest first, are looked at
        /// closely: each takes 20 to 40 ms of one core.
        static let largePrint = 1.4
        static let leastHeavyPrint = 0.6
        static let mostClose = 4
        /// The head of a page is looked at by itself where at least this much stands above its first row, in usual
        /// heights of segments. A row is higher than the second share of that height, which pieces of a logo are not.
        /// The part looked at reaches below the top of the first row by the third value.
        static let leastHead = 1.4
        static let leastRowOfHead = 0.6
        static let besideHead = 3.0
        /// Least height of large print that is looked at closely, in pixels: smaller letters are read as well as they
        /// can be.
        static let leastHeight = 48.0
        /// The same for heavy print: on a panel the network loses letters of any size.
        static let leastHeavyHeight = 20.0
        /// Mean confidence above which heavy print is not read once more as print on a panel.
        static let sureHeavy = 0.95
        /// A closer look counts if it finds a segment of at least this share of the height and width of the one looked
        /// at.
        static let leastOfClose = 0.7
        /// The same share of the width for print below `leastHeight`: the closer look must find letters that the first
        /// one lost.
        static let leastGrowth = 1.3
        /// Range of a row's letter height by its marks, relative to that by its segments: outside it the marks are no
        /// whole letters. Of 14 to 40 rows a page in 31 photographs of receipts all but a few lie in 0.75 to 1.3.
        static let heightOfMarks = 0.6...1.5
        /// A row is large if its segments are higher than the usual ones by this factor. Its letters are then taken to
        /// be so high that its print, tails included, reaches at most the second value from top to foot, in their
        /// heights; so they are read whole.
        static let largeRow = 1.2
        static let extentOfLetters = 1.45
    }

    /// Words to rows, and rows to blocks: `RowLayout`.
    enum Layout {
        /// Boxes of one row have more than this share of the smaller height in common.
        static let leastSharedHeight = 0.5
        /// Boxes that run into each other sideways by this many pixels still stand beside each other.
        static let greatestOverlap = 1.0
        /// Words of two readings of a page are of the same print if they have more than this share of the smaller one's area in
        /// common.
        static let leastCommonArea = 0.3
        /// In usual distances: an empty line doubles the distance; letters of other sizes change it by less than half.
        static let blockDistance = 1.6
        /// Confidence of one word that makes a page readable: specks and folds give a few characters with less.
        static let sureConfidence = 0.5
        /// Below this number of surely read characters it is checked whether the page has many more letters; a share of
        /// them below the second value is next to nothing. Of a receipt's foot or a ticket of ten letters half and more
        /// is read.
        static let fewCharacters = 12.0
        static let leastShareRead = 0.1
        /// Share of the print read, below which most of it counts as unread. Of 358 photographs and scans 33 are in
        /// letters of other scripts, with shares of 0 to 0.55; 22 of them are below this value, and so are 7 that
        /// nobody could read. All others have 0.37 and more.
        static let mostlyUnread = 0.36
        /// Least share of the page that a row of a few letters covers; grain and single specks cover less.
        static let leastInk = 0.0005
        /// Share of the signs that rules are read as, from which on a row is a rule.
        static let shareOfRuleSigns = 0.8
        /// Fewest signs in a rule that was read as letters, and most different ones.
        static let leastRule = 10
        static let mostSigns = 2
        /// Readers see a few letters in a rule of stars. A row of letters below this confidence is a rule if its most
        /// frequent signs, as many as the second value, make up this share of it. On 47 scans of receipts tesseract
        /// read two rules so (0.77 and 0.84), and no print.
        static let surelyLetters = 0.6
        static let mostLettersOfRule = 3
        static let shareOfLetters = 0.75
        /// A row is print if the mean confidence of its characters is above the first value, or if it has more surely
        /// read characters than the second, counted as the sum of their confidences. On 51 scans of receipts the
        /// learned reader had 4.35 % of the characters wrong without this and has 3.74 % with it, tesseract 7.52 and
        /// 7.18 %; both find as many words. With 1.5 characters it is 3.78 %, with 2.5 3.77; with a confidence of 0.95
        /// it is 3.71, and a word in 10,000 is lost.
        static let surePrint = 0.8
        static let leastSureCharacters = 2.0
        /// Fewest amounts of a column, and how many times as many must have the one mark as the other.
        static let leastColumn = 4
        static let clearMajority = 3
    }

    /// Pages in other letters than Latin ones: `OtherScripts`.
    enum OtherScripts {
        /// Share of the print that was read, from which on a page needs no other reader. See `Layout.mostlyUnread`:
        /// pages in other letters have up to 0.55, others 0.37 and more.
        static let mostShare = 0.6
        /// Number of rows on which the language that reads a page best is chosen. For 8 of 12 photographs that are hard to
        /// tell it is the right one.
        static let sampleRows = 8
        /// Least width that is surely read of these rows, relative to the widest, and least mean confidence of Thai, for the
        /// whole page to be read in the language. 48 photographs whose reading in another script is used have 0.41 and more.
        /// Read as Thai, Thai receipts have a confidence of 0.72 and more, and 41 others, most of them in Latin letters, 0.65
        /// at most.
        static let leastSample = 0.35
        static let leastThai = 0.68
        /// How many languages of one script are tried besides the first.
        static let mostLanguages = 4
        /// Least width of print that is surely read in another script, relative to what the built-in reader surely reads,
        /// and least mean confidence of its words. Of 66 photographs in Korean, Thai, Japanese, Chinese, Cyrillic, Arabic
        /// and Hebrew letters, read in their language, 60 have 0.28 and more, and 53 of these more than 0.71; read in a
        /// wrong language, Thai mostly, four of them and two hardly legible pages in Latin letters have up to 1.01, but a
        /// confidence of 0.70 at most.
        static let leastShare = 0.25
        static let leastConfidence = 0.71
        /// Least confidence of a word of the built-in reader that replaces less sure ones, and of one that stands where
        /// tesseract found nothing. Where tesseract reads letters of another script, the built-in reader's words have 0.67
        /// (median); where it reads a number, 1.
        static let sureWord = 0.9
        static let sureAlone = 0.8
        /// How much wider than a word another one is that says more.
        static let longer = 1.3
        /// Widest gap between pieces of one word, in heights of the taller one. Blanks between words take half a height and more.
        static let widestJoint = 0.35
    }

    /// Which way is up: `TextOrientation`.
    enum Upright {
        /// Fewer letters than this are no text.
        static let leastLetters = 4
        /// With less agreement among letters on the direction of their rows, both directions are read.
        static let leastAgreement = 0.75
        /// With this agreement among this many letters there is no doubt about the direction of the rows. Of 25 scans
        /// of receipts 21 have it as they lie (0.82 to 0.98 among 360 and more); of 80 images and textures without
        /// print none does (0.74 at most among 80 and more; 0.98 among 40 dots and bars).
        static let sureAgreement = 0.8
        static let sureLetters = 80
        /// Surely read letters by which the best turn must lead the next one for reading to decide anything. Five rows
        /// of a receipt give 13 to 110, a table's grain 1 to 5 in each turn, seldom 13, once 25.
        static let leastLead = 4.0
        /// How many more are needed to turn the page upside down against the photograph; half of it to turn the page on
        /// its side,
        static let leadAgainstPhotograph = 8.0
        /// multiplied by this if the camera recorded how it was held,
        static let statedWeight = 1.5
        /// and increased by this where the letters do not agree on the direction of their rows, as those of grain never
        /// do.
        static let leadWithoutDirection = 4.0
        /// How many times as many letters the best turn must read as the next best one: if the best is the
        /// photograph's,
        static let leastRatio = 1.3
        /// and if it is not. Upside down, receipts give 0.1 to 0.5 of the letters that they give upright.
        static let leastRatioAgainstPhotograph = 1.6
        /// Greatest confidence of an unsure guess from the shape of the print.
        static let greatestGuess = 0.9
        /// Fewest marks of a row that is worth reading.
        static let leastMarks = 3
        /// Rows that are read first: those with most letters tell most, and five are plenty,
        static let firstRows = 0..<5
        /// but of small letters only some are read, so these rows are read too. Of 98 sheets in photographs of 1600
        /// pixels, one to four in each and turned at random, 78 are set upright with them, 71 without. Of 111 images
        /// without a sheet none was turned.
        static let furtherRows = 5..<17
        /// Surely read letters that the best turn needs for that.
        static let leastPromise = 2.0
        /// Most marks of each of these rows, and the greatest length at which they are drawn, in letter heights. The
        /// rows of a photograph's grain are long, and readers take long over them; 32 letters of print take 30.
        static let marksOfRow = 32
        static let longestRow = 40.0
        /// How they are drawn: tesseract reads book type of this height and width.
        static let style = RowRendering.Style(letterHeight: 24, widthFactor: 0.8)
        /// Powers of a character's and its word's confidence: upside-down print gives letters too, but with little
        /// confidence.
        static let symbolPower = 4.0
        static let wordPower = 2.0
    }
}
