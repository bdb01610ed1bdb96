import CTesseract
import Diagnostics
import Imaging
import RuntimeLibraries

extension TesseractHandle {
    /// How tesseract divides the page (its page segmentation modes).
    enum Segmentation {
        /// Find blocks and columns (mode 3).
        case automatic
        /// One block of rows (mode 6).
        case block
        /// One row (mode 7).
        case line
        /// Text in any place (mode 11).
        case sparse

        var mode: TessPageSegMode {
            switch self {
            case .automatic: PSM_AUTO
            case .block: PSM_SINGLE_BLOCK
            case .line: PSM_SINGLE_LINE
            case .sparse: PSM_SPARSE_TEXT
            }
        }
    }

    /// Pixels per inch reported to tesseract, whatever the page's scale. Its models know book type scanned at this
    /// resolution; a receipt's true scale only misleads its search for rows.
    private static let bookResolution: Int32 = 300

    /// Reads an image.
    /// - Parameters:
    ///   - page: dark on light, at most 32767 pixels a side.
    ///   - triesInverted: whether to read poorly read rows again as light on dark, which takes as long again.
    ///   - context: receives the share of the page that has been read, after each of tesseract's words.
    /// - Returns: the words in tesseract's order, with boxes in the page's pixels. Empty if there is no text.
    /// - Throws: `.cancelled`, `.timeout`, `.badInput` for an image that tesseract refuses, or `.shortage` where memory
    ///   is short.
    func read(
        _ page: GrayImage, segmentation: Segmentation, triesInverted: Bool, context: ReadingContext
    ) throws(FlatteningError) -> [ReadWord] {
        try context.check()
        // tesseract calls an image of a few pixels too small and reports so on standard error.
        guard page.width >= 8, page.height >= 8 else { return [] }
        guard page.width <= 32767, page.height <= 32767 else {
            throw FlatteningError(
                .limitExceeded, "the page has too many pixels for tesseract", stage: .text,
                seen: "\(page.size)",
                allowed: "32767 a side")
        }
        guard Resources.canReserve(Self.bytesOfRecognition(pixels: page.size.pixelCount)) else {
            throw Self.outOfMemory
        }

        // The setting belongs to the thread that recognises. Without it tesseract spreads each small matrix over all
        // cores and takes several times as long. An environment variable does not help: it is read before main, so
        // setting it here is too late.
        let levels = functions.omp_get_max_active_levels?()
        functions.omp_set_max_active_levels?(0)
        defer { if let levels { functions.omp_set_max_active_levels?(Int32(levels)) } }

        let observer = ReadingObserver(context)
        let result = try withExtendedLifetime(observer) { () throws(FlatteningError) in
            try recognize(page, segmentation: segmentation, triesInverted: triesInverted, observer: observer)
        }
        try context.check()
        context.onProgress?(1)
        guard result == 0 else {
            throw FlatteningError(
                .badInput, "tesseract refuses the page", stage: .text, seen: "\(page.size)")
        }
        let words = try words()
        try call { (ctesseract_clear($0, handle, $1), ()) }
        return words
    }

    private func recognize(
        _ page: GrayImage, segmentation: Segmentation, triesInverted: Bool, observer: ReadingObserver
    ) throws(FlatteningError) -> Int32 {
        try call { tesseract, message in
            page.elements.withUnsafeBufferPointer { pixels in
                // A page without pixels has already returned above.
                guard let start = pixels.baseAddress else { return (CTESSERACT_DONE, 1) }
                var page = CTesseractPage(
                    pixels: start, width: Int32(page.width), height: Int32(page.height),
                    dots_per_inch: Self.bookResolution,
                    segmentation: segmentation.mode, tries_inverted: triesInverted,
                    cancel: { context, wordCount in
                        guard let context else { return false }
                        return Unmanaged<ReadingObserver>.fromOpaque(context).takeUnretainedValue()
                            .stops(beforeNextOf: Int(wordCount))
                    },
                    context: Unmanaged.passUnretained(observer).toOpaque())
                var result: Int32 = -1
                let status = ctesseract_recognize(tesseract, handle, &page, &result, message)
                return (status, result)
            }
        }
    }

    private func words() throws(FlatteningError) -> [ReadWord] {
        let symbols = try call { tesseract, message in
            var symbols: OpaquePointer?
            return (ctesseract_begin_symbols(tesseract, handle, &symbols, message), symbols)
        }
        guard let symbols else { return [] }
        var words: [ReadWord] = []
        var hasNext = true
        while hasNext {
            var symbol = CTesseractSymbol()
            hasNext = try call { tesseract, message in
                var hasNext = false
                let status = ctesseract_take_symbol(tesseract, symbols, &symbol, &hasNext, message)
                return (status, hasNext)
            }
            if symbol.begins_word, let box = Box(symbol.word_box) {
                words.append(
                    ReadWord(symbols: [], confidence: Self.share(symbol.word_confidence), box: box))
            }
            guard let text = symbol.text else { continue }
            defer { functions.TessDeleteText(text) }
            let string = String(cString: text)
            guard !words.isEmpty, let box = Box(symbol.box), !string.allSatisfy(\.isWhitespace) else {
                continue
            }
            words[words.count - 1].symbols.append(
                ReadSymbol(text: string, confidence: Self.share(symbol.confidence), box: box))
        }
        try call { (ctesseract_end_symbols($0, symbols, $1), ()) }
        return words.filter { !$0.symbols.isEmpty }
    }

    /// tesseract's confidences are percentages.
    private static func share(_ percentage: Float) -> Double {
        min(max(Double(percentage) / 100, 0), 1)
    }
}

extension Box {
    /// Converts a box of tesseract; nil if there is none.
    fileprivate init?(_ box: CTesseractBox) {
        guard box.is_there else { return nil }
        self.init(
            left: Double(box.left), top: Double(box.top), right: Double(box.right),
            bottom: Double(box.bottom))
    }
}

/// What tesseract calls before each word, as a reference that C can carry.
private final class ReadingObserver {
    private let context: ReadingContext
    private var wordsRead = 0

    init(_ context: ReadingContext) { self.context = context }

    /// Whether tesseract shall stop; asked once before each of its words, of which there are `count`.
    func stops(beforeNextOf count: Int) -> Bool {
        if count > 0 { context.onProgress?(min(Double(wordsRead) / Double(count), 1)) }
        wordsRead += 1
        return context.isUsedUp
    }
}
