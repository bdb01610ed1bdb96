import CTesseract
import Imaging
import Synchronization

/// One tesseract handle: raw grey pixels in, symbols with places and confidences out.
///
/// Not thread-safe; whoever holds it calls it from one thread at a time. Freed with the object, before the process ends.
final class TesseractEngine {
    /// How the pixels are to be understood (tesseract's page segmentation modes).
    enum Segmentation {
        /// Find blocks and columns (mode 3).
        case automatic
        /// One block of rows (mode 6).
        case block
        /// One row (mode 7).
        case line
        /// Text in any places (mode 11).
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

    /// One character (or ligature) as read.
    struct Symbol {
        var text: String
        var confidence: Double
        var box: TextBox
    }

    /// Characters that tesseract sets together.
    struct Word {
        var symbols: [Symbol]
        var confidence: Double
        var box: TextBox
        /// The first word of a row.
        var startsLine: Bool

        var text: String { symbols.map(\.text).joined() }
    }

    let library: TesseractLibrary
    private let handle: OpaquePointer

    /// tesseract's first use sets up static state without a lock of its own.
    private static let startup = Mutex(())

    /// A handle with its language data loaded (about 60 ms).
    /// - Throws: `.missingDependency` without the library, `.missingLanguageData` without the data, `.badInput` for a
    ///   string that names no language.
    init(language: String, dataPath: String?) throws(FlatteningError) {
        let library = try TesseractLibrary.load()
        let wanted = try Self.languages(in: language)
        let functions = library.functions
        guard let handle = functions.TessBaseAPICreate() else {
            throw FlatteningError(.internalInconsistency, "tesseract gives no handle", stage: "text")
        }
        self.library = library
        self.handle = handle
        let status = Self.startup.withLock { _ in
            // Its messages go to a file of our choice, not to the standard error of a program that asked for none.
            _ = functions.TessBaseAPISetVariable(handle, "debug_file", "/dev/null")
            return functions.TessBaseAPIInit4(
                handle, dataPath, language, OEM_LSTM_ONLY, nil, 0, nil, nil, 0, 0)
        }
        // It starts with part of the languages if it finds only part of them.
        let missing = status == 0 ? wanted.subtracting(loadedLanguages()) : wanted
        guard missing.isEmpty else {
            let names = missing.sorted()
            throw FlatteningError(
                .missingLanguageData, "tesseract has no data for \(names.joined(separator: ", "))",
                stage: "text",
                seen: language, detail: dataPath.map { "data folder \($0)" },
                advice: "Install it: apt-get install "
                    + names.map { "tesseract-ocr-" + $0.lowercased().replacing("_", with: "-") }
                    .joined(separator: " ") + ", or brew install tesseract-lang")
        }
    }

    deinit {
        library.functions.TessBaseAPIDelete(handle)
    }

    /// The languages of tesseract's notation "eng+deu".
    ///
    /// The names become parts of file names inside tesseract, so only what can name a language is let through.
    static func languages(in notation: String) throws(FlatteningError) -> Set<String> {
        let names = notation.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        let isName: (String) -> Bool = { name in
            let plain = name.hasPrefix("script/") ? name.dropFirst("script/".count) : name[...]
            return !plain.isEmpty && plain.count <= 40
                && plain.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        }
        guard names.allSatisfy(isName) else {
            throw FlatteningError(
                .badInput, "this is not a language", stage: "text", seen: "\"\(notation)\"",
                allowed: "tesseract's names joined by +, such as eng or eng+deu")
        }
        return Set(names)
    }

    private func loadedLanguages() -> Set<String> {
        guard let names = library.functions.TessBaseAPIGetLoadedLanguagesAsVector(handle) else { return [] }
        defer { library.functions.TessDeleteTextArray(names) }
        var loaded: Set<String> = []
        var next = names
        while let name = next.pointee {
            loaded.insert(String(cString: name))
            next += 1
        }
        return loaded
    }

    /// Sets one of tesseract's own parameters.
    func setVariable(_ name: String, _ value: String) {
        _ = library.functions.TessBaseAPISetVariable(handle, name, value)
    }

    /// Reads a picture.
    /// - Parameters:
    ///   - page: dark on light or light on dark, at most 32767 pixels a side.
    ///   - dotsPerInch: what tesseract is told about the size of a pixel; it matters little beside the type's height.
    ///   - onProgress: told the share of the page that has been read, 0 to 1, after each of tesseract's words.
    /// - Returns: the words in tesseract's order, with boxes in the page's pixels. Empty if there is no text.
    /// - Throws: `.cancelled`, `.timeout`, or `.badInput` for a picture that tesseract refuses.
    func read(
        _ page: GrayImage, segmentation: Segmentation, dotsPerInch: Int, allowance: ReadingAllowance,
        onProgress: (@Sendable (Double) -> Void)? = nil
    ) throws(FlatteningError) -> [Word] {
        try allowance.check()
        // tesseract calls a picture of a few pixels too small and says so on standard error.
        guard page.width >= 8, page.height >= 8 else { return [] }
        guard page.width <= 32767, page.height <= 32767 else {
            throw FlatteningError(
                .limitExceeded, "the page has too many pixels for tesseract", stage: "text",
                seen: "\(page.size)",
                allowed: "32767 a side")
        }
        let functions = library.functions
        // The setting is one of the thread that recognises. Without it tesseract spreads each small matrix over all
        // cores and takes several times as long; environment variables are read before main and come too late.
        let levels = functions.omp_get_max_active_levels?()
        functions.omp_set_max_active_levels?(0)
        defer { if let levels { functions.omp_set_max_active_levels?(Int32(levels)) } }

        functions.TessBaseAPISetPageSegMode(handle, segmentation.mode)
        page.elements.withUnsafeBufferPointer { pixels in
            functions.TessBaseAPISetImage(
                handle, pixels.baseAddress, Int32(page.width), Int32(page.height), 1, Int32(page.width))
        }
        defer { functions.TessBaseAPIClear(handle) }
        functions.TessBaseAPISetSourceResolution(handle, Int32(min(max(dotsPerInch, 70), 2400)))

        let monitor = functions.TessMonitorCreate()
        defer { functions.TessMonitorDelete(monitor) }
        let observer = ReadingObserver(allowance: allowance, onProgress: onProgress)
        let status = withExtendedLifetime(observer) {
            functions.TessMonitorSetCancelThis(monitor, Unmanaged.passUnretained(observer).toOpaque())
            functions.TessMonitorSetCancelFunc(monitor) { context, wordCount in
                guard let context else { return false }
                return Unmanaged<ReadingObserver>.fromOpaque(context).takeUnretainedValue()
                    .stops(beforeNextOf: Int(wordCount))
            }
            return functions.TessBaseAPIRecognize(handle, monitor)
        }
        try allowance.check()
        onProgress?(1)
        guard status == 0 else {
            throw FlatteningError(
                .badInput, "tesseract refuses the page", stage: "text", seen: "\(page.size)")
        }
        return words()
    }

    private func words() -> [Word] {
        let functions = library.functions
        guard let iterator = functions.TessBaseAPIGetIterator(handle) else { return [] }
        defer { functions.TessResultIteratorDelete(iterator) }
        let place = functions.TessResultIteratorGetPageIteratorConst(iterator)

        func box(_ level: TessPageIteratorLevel) -> TextBox? {
            var (left, top, right, bottom) = (Int32(0), Int32(0), Int32(0), Int32(0))
            guard functions.TessPageIteratorBoundingBox(place, level, &left, &top, &right, &bottom) != 0
            else {
                return nil
            }
            return TextBox(
                left: Double(left), top: Double(top), right: Double(right), bottom: Double(bottom))
        }
        func confidence(_ level: TessPageIteratorLevel) -> Double {
            min(max(Double(functions.TessResultIteratorConfidence(iterator, level)) / 100, 0), 1)
        }

        var words: [Word] = []
        repeat {
            if functions.TessPageIteratorIsAtBeginningOf(place, RIL_WORD) != 0, let wordBox = box(RIL_WORD) {
                let startsLine = functions.TessPageIteratorIsAtBeginningOf(place, RIL_TEXTLINE) != 0
                words.append(
                    Word(symbols: [], confidence: confidence(RIL_WORD), box: wordBox, startsLine: startsLine))
            }
            guard !words.isEmpty, let text = functions.TessResultIteratorGetUTF8Text(iterator, RIL_SYMBOL)
            else { continue }
            defer { functions.TessDeleteText(text) }
            let string = String(cString: text)
            guard let symbolBox = box(RIL_SYMBOL), !string.allSatisfy(\.isWhitespace) else { continue }
            words[words.count - 1].symbols.append(
                Symbol(text: string, confidence: confidence(RIL_SYMBOL), box: symbolBox))
        } while functions.TessResultIteratorNext(iterator, RIL_SYMBOL) != 0
        return words.filter { !$0.symbols.isEmpty }
    }
}

/// How long reading may go on: until a point in time, and while the caller still wants it.
struct ReadingAllowance: Sendable {
    var deadline: ContinuousClock.Instant?
    var isCancelled: @Sendable () -> Bool = { Task.isCancelled }

    var isUsedUp: Bool {
        if isCancelled() { return true }
        guard let deadline else { return false }
        return ContinuousClock.now >= deadline
    }

    /// - Throws: `.cancelled` or `.timeout`.
    func check() throws(FlatteningError) {
        if isCancelled() {
            throw FlatteningError(.cancelled, "reading was cancelled", stage: "text")
        }
        if let deadline, ContinuousClock.now >= deadline {
            throw FlatteningError(.timeout, "the time allowed for reading is used up", stage: "text")
        }
    }
}

/// What tesseract calls back before each word, as a reference that C can carry.
private final class ReadingObserver {
    private let allowance: ReadingAllowance
    private let onProgress: (@Sendable (Double) -> Void)?
    private var wordsRead = 0

    init(allowance: ReadingAllowance, onProgress: (@Sendable (Double) -> Void)?) {
        self.allowance = allowance
        self.onProgress = onProgress
    }

    /// Whether tesseract shall stop; asked once before each of its words, of which there are `count`.
    func stops(beforeNextOf count: Int) -> Bool {
        if count > 0 { onProgress?(min(Double(wordsRead) / Double(count), 1)) }
        wordsRead += 1
        return allowance.isUsedUp
    }
}
