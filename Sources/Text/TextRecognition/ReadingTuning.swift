/// What the reading of receipts was tuned to: every threshold with its unit and what it tells apart.
///
/// Where a comment names no measurement, the figure was set on the drawn receipts of `make accuracy` and on photographs of
/// receipts, and separates what the comment says; those scores are what a change has to be held against. Lengths in "letter
/// heights" are relative to a row's tall letters, in "pitches" to the distance of its characters.
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
        /// In letter heights: wider stretches are several letters, whose middle is no letter's.
        static let widestSample = 1.3
        /// Letters to which the distance is taken, from each.
        static let nextLetters = 5
        /// In letter heights: farther letters feel the stretch of the sheet.
        static let farthestSample = 6.0
        /// Fewer distances than this agree by chance.
        static let leastDistances = 24
        /// More distances than this tell nothing new.
        static let mostDistances = 1500

        /// Range of the search in letter heights: condensed type to wide-set capitals.
        static let leastPitch = 0.4
        static let greatestPitch = 1.5
        /// From one candidate to the next, as a factor.
        static let searchStep = 1.004
        /// Share of the best score at which another pitch fits about as well.
        static let nearlyBest = 0.93
        /// Relative half width of a peak of the score.
        static let peakWidth = 0.03

        /// In the page's pitches: a row whose usual letter is wider than this is of double width.
        static let doubleWidth = 1.15
        /// Letters of such a row at least.
        static let leastDoubleLetters = 3
        /// Letters that know their row's pitch better than the page does, at least.
        static let leastFitted = 6
        /// How far a row's own pitch is off the page's at most, relatively: the stretch of a sheet that is flat but for errors.
        static let greatestStretch = 0.04
    }

    /// The cells of a row and what is read in them: `PrintedCells` and `CellVotes`.
    enum Cells {
        /// In pitches, root mean square: offsets of letters from their cells' middles. Evenly spread ones have 0.29; letters
        /// that stand anywhere in their cells stay below 0.2.
        static let greatestDeviation = 0.22
        /// Squared pitches: what a symbol without a cell, or a cell without a symbol, costs. As much as half a cell and a bit.
        static let costOfNone = 0.45
        /// In pitches: a symbol farther off costs no more.
        static let farthestSymbol = 1.2
        /// Weight of a symbol that was read without any confidence.
        static let leastWeight = 0.02
        /// Power of the confidence: a symbol that is surely read counts for several that are not.
        static let confidencePower = 3.0
        /// Weight of nothing read: there is print in the cell, so that is a weak statement.
        static let weightOfNothing = 0.25
        /// Share of a cell's weights that its character needs for the cell to be settled.
        static let settledShare = 0.8
        /// Sum of a settled cell's weights for each reading: a confidence of 0.83 in each.
        static let settledWeight = 0.6
        /// The same with which one reading is enough: a confidence of 0.976 in each. On 101 scans of receipts 0.814 of the words
        /// are found so, as if all rows were read twice; 0.812 with 0.85.
        static let sureWeight = 0.95
    }

    /// Cells compared with each other: `GlyphComparison`.
    enum Glyphs {
        /// Correlation: cells less alike than this are different characters.
        static let leastLikeness: Float = 0.85
        /// Fewer cells tell nothing of each other.
        static let leastGlyphs = 8
        /// Cells of one page that are compared at most; a receipt of 80 full rows has fewer.
        static let mostGlyphs = 2500
        /// A cell's picture in pitches and letter heights: the letter and a rim for the shifts.
        static let pictureWidth = 1.2
        static let pictureHeight = 1.6
        /// Cells whose boxes differ by more are not compared: width in pitches, height and middle in letter heights.
        static let widthTolerance = 0.25
        static let heightTolerance = 0.2
        static let middleTolerance = 0.35

        /// Cells that vote on another: the most alike, at most and at least.
        static let mostNeighbors = 7
        static let leastNeighbors = 2
        /// Weight of a neighbour that is only just alike.
        static let leastWeight = 0.01
        /// What the cell's own readings and what its neighbours' weigh.
        static let weightOfReading = 0.4
        static let weightOfNeighbors = 0.6
        /// Correlation by which a stranger may be less alike than a character's own cells.
        static let likenessTolerance: Float = 0.02

        /// Share of the votes above which all readings of a cell agree. To overrule them takes the following.
        static let sureShare = 0.9
        /// Share of the neighbours' votes for the other character, more than this,
        static let clearAgreement = 0.75
        /// from this many neighbours at least,
        static let leastClearNeighbors = 3
        /// and a correlation that is greater than the namesakes' by more than this,
        static let clearUnlikeness: Float = 0.06
        /// or else a share of the votes above this.
        static let fullAgreement = 0.9
    }

    /// Full stops and commas: `PeriodOrComma`.
    enum Marks {
        /// How far below the base line a mark ends to be a comma, in letter heights. Commas hang by 0.15 to 0.3.
        static let leastDescent = 0.11
        /// A stop's most; between the two the readings decide.
        static let mostDescent = 0.07
        /// In letter heights: what is taller is no mark of punctuation, and stands on the base line.
        static let tallestMark = 0.6
        /// Tall characters around a mark that tell its base line.
        static let neighbors = 5
    }

    /// How much of a page is read: `ReadingBudget`.
    enum Budget {
        /// Letter heights of rows for a page of any size: an A4 page full of 8-point type, 85 rows of 150 letters, comes to 8,300.
        /// And for each megapixel: larger pictures show the same pages larger, seldom more of them. Of 20 drawn pages of 9 and 12
        /// megapixels, full of print of 13 to 25 pixels, each takes some 6 s of a core.
        static let ofPage = 9000.0
        static let ofMegapixel = 25.0
        /// Letter heights of rows that are read before it is asked whether there is any use in it: some 25 rows of a receipt.
        /// The built-in reader takes some 0.5 ms of a core for each with AVX-512, and 1.1 with AVX2; of bare terrazzo it reads two
        /// such portions.
        static let portion = 600.0
        /// Confidence above which a character speaks for going on, and below which against it: that of crumpled pages, of which
        /// little is surely read.
        static let evenConfidence = 0.35
    }

    /// Rows drawn for an engine: `RowRendering`.
    enum Drawing {
        /// Brightness of the drawn paper.
        static let white: UInt8 = 245
        /// Blank around a row and inside it at most, in letter heights, and the mean depth of the print below the paper, in
        /// grey levels, where the reader asks for nothing else: those of a printed page.
        static let margin = 0.6
        static let longestBlank = 3.0
        static let contrast: Float = 160
        /// Blank between two rows, in drawn letter heights.
        static let blankBetweenRows = 0.5
        /// What is left between letters that are moved together at least, in letter heights.
        static let leastLetterGap = 0.1
        /// What is left of an empty cell at least, in letter heights: a clear space between words.
        static let leastWordGap = 0.45
        /// Print is made paler or darker by these factors at most: more would draw the paper's grain.
        static let leastGain: Float = 0.8
        static let greatestGain: Float = 5
        /// Lines through each mark that its depth is taken from.
        static let linesThroughMark = 6
    }

    /// The passes over a page: `ReceiptReader` and `PageRows`.
    enum Passes {
        /// Pitch of type that has none, in letter heights.
        static let usualPitch = 0.6
        /// How rows are drawn: blank around them and inside them at most, in letter heights, and the mean depth of the print
        /// below the paper, in grey levels. Neighbouring rows and specks reach into wider margins.
        static let margin = 0.3
        static let longestBlank = 20.0
        static let contrast: Float = 220
        /// Range of the factor by which letters are narrowed or widened.
        static let leastWidth = 0.5
        static let greatestWidth = 1.1

        /// The share of reading fixed-width type that is done when all rows have been read once, those again that this left in
        /// doubt, and the doubtful ones in more ways. Of the readings of rows the first pass has 0.36 to 0.57 on three scans and
        /// a page of small print, nearly all on a clear receipt. What that leaves out are steps of a tenth.
        static let shareOfFirst = 0.7
        static let shareOfSecond = 0.8
        static let shareOfAll = 0.9

        /// Confidence above which a character counts for a reading of a row, and below which against it.
        static let evenConfidence = 0.5
        /// The same where a doubtful page's rows are held against the page as a whole. Both have few sure characters there: with
        /// 0.5 the words of five documents photographed hard crumpled were found to 0.549, with 0.35 to 0.560, with 0.2 to
        /// 0.568, and a quarter more that are none.
        static let evenConfidenceOnDoubtfulPage = 0.35
        /// Share of doubtful rows from which on the page is also read as a whole: words found rise from 0.465 to 0.560 on those
        /// documents, from 0.881 to 0.896 on curled ones. From 0.3 on scans gain 0.005, and a third of the pages cost more.
        static let doubtfulPage = 0.5
        /// The share of reading proportional type that the pass over all rows takes: 0.9 of the readings of rows on a clear scan,
        /// 0.75 and 0.68 on two others. Where most rows are doubtful the next, with the page beside them, takes as long.
        static let shareOfProportional = 0.85
        /// How far apart amounts of one column end, in pitches.
        static let columnTolerance = 0.6
        /// Mean confidence of a row's characters above which it is not read again.
        static let sureRow = 0.85
        /// Mean confidence of a row's characters below which it is left out: on 26 scans fewer than half of them were right.
        static let leastRow = 0.2
        /// In the row's letter heights: higher marks are letters.
        static let tallMark = 0.5
        /// A row of one letter and so many marks at most is a speck, unless it is read with more than the confidence.
        static let marksOfSpeck = 3
        static let sureSpeck = 0.9
        /// In the page's letter heights: rows of smaller ones are halves of rules, unless they are read with the confidence.
        static let smallRow = 0.45
        static let sureSmallRow = 0.6
        /// Confidence of a word of signs alone that is one.
        static let sureSign = 0.5

        /// Marks of a rule at least, in letter heights how high each is at most and how far off the rule's line, and the share
        /// of its marks that keep to that.
        static let marksOfRule = 10
        static let heightOfRule = 0.5
        static let levelOfRule = 0.12
        static let shareOfRule = 0.7

        /// Marks that a row needs to have a say in the page's letter height.
        static let leastMarks = 6
        /// Letter heights of rows in the page's usual type, relative to it: rows without capitals to rows of capitals.
        static let usualType = 0.6...1.35
    }

    /// Rows read by a recogniser of lines, and the words of what it reads: `LineEngine` and `RowWords`.
    enum Signs {
        /// How rows are drawn for it. Of 26 scans of receipts it found 0.873 of the words with letters of 30 pixels as printed,
        /// 0.881 at 0.85 of their width, with 28 and with 30 pixels, and 0.859 with 34, or with 26 at 0.75.
        static let style = RowRendering.Style(letterHeight: 28, widthFactor: 0.85)
        /// What tells a blank between two signs (`SignGap`): a regression whose sum is above 0 where there is one. Fitted by
        /// `Training/Blanks` to 115,421 pairs of signs of drawn receipts. On 55,797 pairs of signs on 101 scans of receipts it
        /// misses 248 of 9,031 blanks and gives 78 that are none; taking the recogniser at its word, and the print where signs are
        /// 1.5 steps apart and the paper is 0.25 letter heights wider than usual, 308 and 124.
        static let blankWeights = (bias: -3.02, blank: 1.36, step: 3.34, paper: 2.66)
        /// The recogniser's probability is taken as if it were never nearer than this to 0 or 1.
        static let leastBlank = 1e-3
        /// In usual steps, and in letter heights: what is beyond says no more. Twice as much room on either side changes the
        /// figures by less than five.
        static let widestStep = 3.0
        static let leastPaper = -1.0
        static let mostPaper = 1.5
        /// How many times likelier a sign is of the kind of all others in its word than of the other kind: on 26 scans 30 find
        /// most of the words (0.8813; 1: 0.8809, 1000: 0.8799), and on the samples all of them read "TOTAL".
        static let oddsOfKind = 30.0
        /// and how many letters it takes to say so: "P1" is as good a word as "PI".
        static let leastLetters = 2
    }

    /// Small print, which is read on an enlarged picture: `TextPage`.
    ///
    /// Of 17 scans of receipts, scaled until the boxes of their rows were 6, 8, 10, 14 and 18 pixels high (letters have two
    /// thirds), 75.6, 28.6, 8.9, 4.9 and 3.8 % of the characters were wrong as they were, and 29.8, 8.2, 5.3, 3.4 and 3.3 % enlarged
    /// twice; at three times 26.2, 7.6, 5.3 and 3.4 % of the first four. From 22 on it made no difference. Factors of 1.2 and 1.3 did
    /// harm. With a limit of 12 pixels instead of 14, 10.5 % were wrong of rows of 8 pixels instead of 7.9, whose letters run together
    /// and look higher; with 16 tesseract lost four of 147 rows of a long receipt.
    enum SmallPrint {
        /// Pixels of a letter's height below which print is small.
        static let letterHeight = 14.0
        /// Pixels of a letter's height from which on twice is enough.
        static let heightOfTwice = 9.0
        /// By how much it is enlarged.
        static let factors = 2.0...3.0
        /// Pixels that the enlarged page has at most; a page that they do not let grow by the least factor stays as it is.
        static let mostPixels = 8.0e6
        static let leastFactor = 1.5
    }

    /// Rows of what a network finds of print: `SegmentRows`, `PageRows`.
    enum Segments {
        /// How far two segments of a row may overlap, as a share of the shorter; how far the second may lie off the way in which
        /// the first goes on, in heights of the lower one.
        static let mostOverlap = 0.5
        static let greatestStep = 0.5
        /// What a pixel of blank between two segments counts, in pixels of such a step.
        static let costOfGap = 0.02
        /// How many long segments tell how rows fall at a place, and what a pixel across counts when the nearest are looked for.
        static let neighbors = 3
        static let shareAcross = 0.3
        /// Print is faint below this share of the depth of what stands beside it, or of the page's usual one: print that shows
        /// through from the other side has a fifth to a third. A faint row counts if it is read more surely than this: what shows
        /// through is mirrored.
        static let shareOfFaint = 0.4
        static let sureFaint = 0.85
        /// A letter that stands alone belongs to a row if it is as high as these shares of the row's letters and not wider than
        /// that, no farther off the row's middle than this, and no farther beside it; in heights of these letters.
        static let heightOfLetter = 0.7...1.3
        static let widestLetter = 1.2
        static let farthestOff = 0.3
        static let farthestLetter = 3.0
        /// Print is large from this share of the usual height of segments on, and looked at closely if it is heavy from the second
        /// on; so many segments of a page are, the largest first: each takes 20 to 40 ms of one core.
        static let largePrint = 1.4
        static let leastHeavyPrint = 0.6
        static let mostClose = 4
        /// The head of a page is looked at by itself where so much stands above its first row, in usual heights of segments; a row is
        /// as high as the second share at least, as pieces of a logo are not; so much more of the page is seen then.
        static let leastHead = 1.4
        static let leastRowOfHead = 0.6
        static let besideHead = 3.0
        /// Pixels of a segment's height from which on it is: smaller letters are read as well as they can be.
        static let leastHeight = 48.0
        /// The same of heavy print: on a panel the network loses letters of any size.
        static let leastHeavyHeight = 20.0
        /// Mean confidence from which on heavy print is not read once more as print on a panel.
        static let sureHeavy = 0.95
        /// What is seen from near has one segment of at least this share of the first one's height and width.
        static let leastOfClose = 0.7
        /// The same of the width, of print below `leastHeight`: letters that the first look lost.
        static let leastGrowth = 1.3
        /// The height of a row's letters by its marks against that by its segments: beyond, the marks are no whole letters. Of 14
        /// to 40 rows a page in 31 photographs of receipts all but a few lie in 0.75 to 1.3.
        static let heightOfMarks = 0.6...1.5
        /// A row is large whose segments are higher than the usual ones by this factor. Its letters, in whose heights its print
        /// reaches so far from top to foot at most, tails and all, are read whole then.
        static let largeRow = 1.2
        static let extentOfLetters = 1.45
    }

    /// Words to rows, and rows to blocks: `RowLayout`.
    enum Layout {
        /// Boxes of one row have more than this share of the lower one's height in common.
        static let leastSharedHeight = 0.5
        /// Boxes that run into each other sideways by this many pixels still stand beside each other.
        static let greatestOverlap = 1.0
        /// Words of two readings of a page are of the same print if they have more than this share of the smaller one's area in
        /// common.
        static let leastCommonArea = 0.3
        /// In usual distances: an empty line doubles the distance; letters of other sizes change it by less than half.
        static let blockDistance = 1.6
        /// Confidence of a word with which a page is readable: specks and folds give a few characters with less.
        static let sureConfidence = 0.5
        /// Surely read characters below which it is asked whether the page has many more letters, and the share of these that is
        /// next to nothing. A receipt's foot or a ticket of ten letters is read in half and more.
        static let fewCharacters = 12.0
        static let leastShareRead = 0.1
        /// Share of the print below which most of it was not read. Of 358 photographs and scans 33 are in letters of other scripts, whose
        /// shares are 0 to 0.55, 22 of them less than this, beside 7 that nobody could read; all others have 0.37 and more.
        static let mostlyUnread = 0.36
        /// Share of the page that a row of a few letters covers at least; grain and single specks cover less.
        static let leastInk = 0.0005
        /// A row is a rule from this share of the signs that rules are read as.
        static let shareOfRuleSigns = 0.8
        /// Signs in a rule that was read as letters, at least, and different ones at most.
        static let leastRule = 10
        static let mostSigns = 2
        /// In a rule of stars readers see a few letters. With less confidence than this a row of letters is none if so many signs
        /// make up this share of it: on 47 scans of receipts tesseract read two rules so (0.77 and 0.84), and no print.
        static let surelyLetters = 0.6
        static let mostLettersOfRule = 3
        static let shareOfLetters = 0.75
        /// A row is print whose characters are read with more than this mean confidence, or that has more than so many surely
        /// read ones: the sum of their confidences. On 51 scans of receipts the learned reader had 4.35 % of the characters
        /// wrong without this and has 3.74 % with it, tesseract 7.52 and 7.18 %; both find as many words. With 1.5 characters
        /// they are 3.78 %, with 2.5 3.77; with 0.95 3.71, and a word in 10,000 is lost.
        static let surePrint = 0.8
        static let leastSureCharacters = 2.0
        /// Amounts of a column at least, and how many times as many have the one mark as the other.
        static let leastColumn = 4
        static let clearMajority = 3
    }

    /// Pages in other letters than Latin ones: `OtherScripts`.
    enum OtherScripts {
        /// Share of the print that was read, from which a page needs no other reader. See `Layout.mostlyUnread`: pages in other
        /// letters have up to 0.55, others 0.37 and more.
        static let mostShare = 0.6
        /// How many rows tell which language reads a page best.
        static let sampleRows = 4
        /// How many languages of one script are tried besides the first.
        static let mostLanguages = 4
        /// How many times as much of the print must be surely read in another script.
        static let leastGain = 1.25
        /// The mean confidence of a page, and of a row, that is in the script. Of 15 photographs in Cyrillic, Armenian, Korean and Japanese letters those
        /// in their own script have 0.75 and more, those in Thai letters 0.63 and 0.66.
        static let leastConfidence = 0.7
        /// From which confidence a number of the built-in reader counts, and how many times as wide as it a doubtful word may be that it
        /// takes the place of.
        static let sureNumber = 0.8
        static let longestDoubt = 1.5
    }

    /// Which way is up: `TextOrientation`.
    enum Upright {
        /// With fewer letters there is no text.
        static let leastLetters = 4
        /// With less agreement among letters on the direction of their rows, both directions are read.
        static let leastAgreement = 0.75
        /// With so much agreement among so many letters there is no doubt about the direction of the rows. Of 25 scans of
        /// receipts 21 have it as they lie (0.82 to 0.98 among 360 and more); of 80 pictures and textures without print none
        /// does (0.74 at most among 80 and more; 0.98 among 40 dots and bars).
        static let sureAgreement = 0.8
        static let sureLetters = 80
        /// By how many surely read letters the best turn leads the next one at least where anything is decided by reading.
        /// Five rows of a receipt come to 13 to 110, a table's grain to 1 to 5 in each turn, seldom to 13, once to 25.
        static let leastLead = 4.0
        /// By how many more the best turn leads the photograph's to turn the page upside down against it; by half of it to
        /// turn the page on its side,
        static let leadAgainstPhotograph = 8.0
        /// how many times as many if the camera said how it was held,
        static let statedWeight = 1.5
        /// and by how many more where the letters do not agree on the direction of their rows, as those of grain never do.
        static let leadWithoutDirection = 4.0
        /// How many times as many letters as in the next best turn are read in the best one: if it is the photograph's,
        static let leastRatio = 1.3
        /// and if it is not. Upside down, receipts give 0.1 to 0.5 of the letters that they give upright.
        static let leastRatioAgainstPhotograph = 1.6
        /// The most that a guess from the shape of print that is not sure may claim.
        static let greatestGuess = 0.9
        /// Marks of a row that is worth reading, at least.
        static let leastMarks = 3
        /// Rows that are read: those with most letters tell most, and five are plenty,
        static let firstRows = 0..<5
        /// but where letters are small only some of them are read, and these are read too: of 98 sheets in photographs of
        /// 1600 pixels, one to four in each and turned at random, 78 are then set upright, 71 without. Of
        /// 111 pictures without a sheet none was turned.
        static let furtherRows = 5..<17
        /// How many surely read letters that takes, in the best turn.
        static let leastPromise = 2.0
        /// Marks of each of them, and letter heights that they are drawn in. The rows of a photograph's grain are long, and
        /// readers brood over them; 32 letters of print take 30.
        static let marksOfRow = 32
        static let longestRow = 40.0
        /// How they are drawn: tesseract reads book type of this height and width.
        static let style = RowRendering.Style(letterHeight: 24, widthFactor: 0.8)
        /// Powers of a character's and its word's confidence: upside-down print gives letters too, with little of it.
        static let symbolPower = 4.0
        static let wordPower = 2.0
    }
}
