import CTesseract
import Imaging
import RuntimeLibraries
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
    /// Whether tesseract threw an exception, which left the handle in the middle of a change. It is not used again, nor
    /// freed: freeing follows pointers that may be half set. What it holds is lost to the process, which is short of memory
    /// then and near its end.
    private(set) var isBroken = false

    /// tesseract's first use sets up static state without a lock of its own.
    private static let startup = Mutex(())

    /// Address space that a handle takes, beside twice the size of its language data. Measured with tesseract 5.3 and eng of
    /// 4.1 MB: 18 MiB in all.
    static let bytesOfHandle = 16 << 20

    /// Address space that recognising a page takes. Measured likewise: 4 MiB for 0.06 megapixels, 14 for 2, 67 for 8.
    static func bytesOfRecognition(pixels: Int) -> Int { (8 << 20) + 10 * pixels }

    /// Pixels of a page for which memory must be left, or a handle is of no use: a receipt of 80 x 600 mm at 10 pixels a
    /// millimetre has 4.8 million.
    private static let pixelsOfPage = 4_800_000

    /// A handle with its language data loaded (about 60 ms).
    /// - Throws: `.missingDependency` without the library, `.missingLanguageData` without the data, `.badInput` for a
    ///   string that names no language, `.shortage` where memory or descriptors are short.
    init(language: String, dataPath: String?) throws(FlatteningError) {
        let library = try TesseractLibrary.load()
        let wanted = try Self.languages(in: language)
        let data = LanguageData(dataPath: dataPath)
        // tesseract takes a descriptor that it cannot have for data that are not there, and says so on standard error.
        let bytes = Self.bytesOfHandle + 2 * wanted.reduce(0) { $0 + (data.file(of: $1)?.size ?? 0) }
        guard Resources.canOpen(Resources.neededDescriptors), Resources.canReserve(bytes) else {
            throw .shortage(of: Self.subject(wanted), stage: "text", detail: nil)
        }
        self.library = library
        // Its messages go to a file of our choice, not to the standard error of a program that asked for none.
        let made = try Self.guarded(library) { tesseract, message in
            var handle: OpaquePointer?
            return (ctesseract_create(tesseract, "/dev/null", &handle, message), handle)
        }
        guard let handle = made else {
            throw FlatteningError(.internalInconsistency, "tesseract gives no handle", stage: "text")
        }
        self.handle = handle
        let status = try call { tesseract, message in
            Self.startup.withLock { _ in
                var result: Int32 = -1
                let status = ctesseract_init(tesseract, handle, dataPath, language, &result, message)
                return (status, result)
            }
        }
        // It starts with part of the languages if it finds only part of them.
        let missing = status == 0 ? wanted.subtracting(try loadedLanguages()) : wanted
        guard missing.isEmpty else {
            throw data.error(of: missing.sorted(), wanted: language, needing: bytes)
        }
        guard Resources.canReserve(Self.bytesOfRecognition(pixels: Self.pixelsOfPage)) else {
            throw Self.outOfMemory
        }
    }

    deinit {
        guard !isBroken else { return }
        _ = try? call { (ctesseract_delete($0, handle, $1), ()) }
    }

    /// The folder in which tesseract found its data.
    var dataFolder: String? {
        library.functions.TessBaseAPIGetDatapath(handle).map(String.init(cString:))
    }

    static func subject(_ languages: some Sequence<String>) -> String {
        "tesseract's data for \(languages.sorted().joined(separator: ", "))"
    }

    /// Calls one of CTesseract's functions, which catch what tesseract throws.
    private static func guarded<Value>(
        _ library: TesseractLibrary,
        _ body: (UnsafePointer<CTesseractFunctions>, UnsafeMutablePointer<CChar>) -> (CTesseractStatus, Value)
    ) throws(FlatteningError) -> Value {
        let length = Int(CTESSERACT_MESSAGE_LENGTH)
        let message = UnsafeMutablePointer<CChar>.allocate(capacity: length)
        message.initialize(repeating: 0, count: length)
        defer { message.deallocate() }
        let (status, value) = withUnsafePointer(to: library.functions) { body($0, message) }
        if let error = error(of: status, words: String(cString: message)) { throw error }
        return value
    }

    /// What a status of CTesseract means, nil for success.
    static func error(of status: CTesseractStatus, words: String) -> FlatteningError? {
        switch status {
        case CTESSERACT_DONE: nil
        case CTESSERACT_OUT_OF_MEMORY: outOfMemory
        default:
            FlatteningError(
                .internalInconsistency, "tesseract failed in a way that it should not", stage: "text",
                detail: words)
        }
    }

    private static var outOfMemory: FlatteningError {
        FlatteningError(
            .shortage, "memory is short for reading the text", stage: "text",
            advice: "Allow more (ulimit -v, --memory-mib), or run fewer at once")
    }

    /// As `guarded`, with this handle: after an exception it is not used again.
    private func call<Value>(
        _ body: (UnsafePointer<CTesseractFunctions>, UnsafeMutablePointer<CChar>) -> (CTesseractStatus, Value)
    ) throws(FlatteningError) -> Value {
        guard !isBroken else { throw Self.outOfMemory }
        do {
            return try Self.guarded(library, body)
        } catch {
            isBroken = true
            throw error
        }
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

    private func loadedLanguages() throws(FlatteningError) -> Set<String> {
        let names = try call { tesseract, message in
            var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
            return (ctesseract_loaded_languages(tesseract, handle, &names, message), names)
        }
        guard let names else { return [] }
        defer { library.functions.TessDeleteTextArray(names) }
        var loaded: Set<String> = []
        var next = names
        while let name = next.pointee {
            loaded.insert(String(cString: name))
            next += 1
        }
        return loaded
    }

    /// Reads a picture.
    /// - Parameters:
    ///   - page: dark on light or light on dark, at most 32767 pixels a side.
    ///   - dotsPerInch: what tesseract is told about the size of a pixel; it matters little beside the type's height.
    ///   - onProgress: told the share of the page that has been read, 0 to 1, after each of tesseract's words.
    /// - Returns: the words in tesseract's order, with boxes in the page's pixels. Empty if there is no text.
    /// - Throws: `.cancelled`, `.timeout`, `.badInput` for a picture that tesseract refuses, or `.shortage` where
    ///   memory is short.
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
        guard Resources.canReserve(Self.bytesOfRecognition(pixels: page.size.pixelCount)) else {
            throw Self.outOfMemory
        }
        let functions = library.functions
        // The setting is one of the thread that recognises. Without it tesseract spreads each small matrix over all
        // cores and takes several times as long; environment variables are read before main and come too late.
        let levels = functions.omp_get_max_active_levels?()
        functions.omp_set_max_active_levels?(0)
        defer { if let levels { functions.omp_set_max_active_levels?(Int32(levels)) } }

        let observer = ReadingObserver(allowance: allowance, onProgress: onProgress)
        let result = try withExtendedLifetime(observer) { () throws(FlatteningError) in
            try recognize(page, segmentation: segmentation, dotsPerInch: dotsPerInch, observer: observer)
        }
        try allowance.check()
        onProgress?(1)
        guard result == 0 else {
            throw FlatteningError(
                .badInput, "tesseract refuses the page", stage: "text", seen: "\(page.size)")
        }
        let words = try words()
        try call { (ctesseract_clear($0, handle, $1), ()) }
        return words
    }

    private func recognize(
        _ page: GrayImage, segmentation: Segmentation, dotsPerInch: Int, observer: ReadingObserver
    ) throws(FlatteningError) -> Int32 {
        try call { tesseract, message in
            page.elements.withUnsafeBufferPointer { pixels in
                // A page of no pixels has been returned before.
                guard let start = pixels.baseAddress else { return (CTESSERACT_DONE, 1) }
                var page = CTesseractPage(
                    pixels: start, width: Int32(page.width), height: Int32(page.height),
                    dots_per_inch: Int32(min(max(dotsPerInch, 70), 2400)),
                    segmentation: segmentation.mode,
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

    private func words() throws(FlatteningError) -> [Word] {
        let symbols = try call { tesseract, message in
            var symbols: OpaquePointer?
            return (ctesseract_begin_symbols(tesseract, handle, &symbols, message), symbols)
        }
        guard let symbols else { return [] }
        var words: [Word] = []
        var hasNext = true
        while hasNext {
            var symbol = CTesseractSymbol()
            hasNext = try call { tesseract, message in
                var hasNext = false
                let status = ctesseract_take_symbol(tesseract, symbols, &symbol, &hasNext, message)
                return (status, hasNext)
            }
            if symbol.begins_word, let box = TextBox(symbol.word_box) {
                words.append(
                    Word(
                        symbols: [], confidence: Self.share(symbol.word_confidence), box: box,
                        startsLine: symbol.begins_line))
            }
            guard let text = symbol.text else { continue }
            defer { library.functions.TessDeleteText(text) }
            let string = String(cString: text)
            guard !words.isEmpty, let box = TextBox(symbol.box), !string.allSatisfy(\.isWhitespace) else {
                continue
            }
            words[words.count - 1].symbols.append(
                Symbol(text: string, confidence: Self.share(symbol.confidence), box: box))
        }
        try call { (ctesseract_end_symbols($0, symbols, $1), ()) }
        return words.filter { !$0.symbols.isEmpty }
    }

    /// tesseract's confidences are percentages.
    private static func share(_ percentage: Float) -> Double {
        min(max(Double(percentage) / 100, 0), 1)
    }
}

extension TextBox {
    /// A box as tesseract gives it, nil for none.
    fileprivate init?(_ box: CTesseractBox) {
        guard box.is_there else { return nil }
        self.init(
            left: Double(box.left), top: Double(box.top), right: Double(box.right),
            bottom: Double(box.bottom))
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
