import CTesseract
import Diagnostics
import RuntimeLibraries
import Synchronization

/// One tesseract handle: raw grey pixels in, symbols with places and confidences out.
///
/// Not thread-safe; whoever holds it calls it from one thread at a time. Freed with the object, before the process ends.
final class TesseractHandle {
    let functions: CTesseractFunctions
    let handle: OpaquePointer
    /// Whether tesseract threw an exception, which left the handle in the middle of a change. A broken handle is
    /// neither used again nor freed, because freeing follows pointers that may be half set. Its memory is lost to the
    /// process, which is then short of memory and near its end.
    private(set) var isBroken = false

    /// tesseract's first use sets up static state without a lock of its own.
    private static let startup = Mutex(())

    /// Address space in bytes that a handle takes, in addition to twice the size of its language data. Measured with
    /// tesseract 5.3 and eng of 4.1 MB: 18 MiB in all.
    static let bytesOfHandle = 16 << 20

    /// Address space in bytes that recognising a page takes. Measured in the same way: 4 MiB for 0.06 megapixels, 14
    /// for 2, 67 for 8.
    static func bytesOfRecognition(pixels: Int) -> Int { (8 << 20) + 10 * pixels }

    /// Size of the page for which memory must remain, in pixels; otherwise a handle is of no use. A receipt of 80 x 600
    /// mm at 10 pixels a millimetre has 4.8 million.
    private static let pixelsOfPage = 4_800_000

    /// A handle with its language data loaded (about 60 ms).
    /// - Parameter reads: whether it is to read; otherwise it only knows where the data lie (8 ms).
    /// - Throws: `.missingDependency` without the library, `.missingLanguageData` without the data, `.badInput` for a
    ///   string that names no language, `.shortage` where memory or descriptors are short.
    init(language: String, dataPath: String?, reads: Bool = true) throws(FlatteningError) {
        let functions = try TesseractLibrary.shared.load()
        let wanted = try Self.languages(in: language)
        let data = LanguageData(dataPath: dataPath)
        // Without a free descriptor tesseract takes the data for missing, and says so on standard error.
        let bytes = Self.bytesOfHandle + 2 * wanted.reduce(0) { $0 + (data.file(of: $1)?.size ?? 0) }
        guard Resources.canOpen(Resources.neededDescriptors), Resources.canReserve(bytes) else {
            throw .shortage(of: Self.subject(wanted), stage: .text, detail: nil)
        }
        self.functions = functions
        // tesseract's messages go to a file of our choice, not to the standard error of a program that did not ask for
        // them.
        let made = try Self.guarded(functions) { tesseract, message in
            var handle: OpaquePointer?
            return (ctesseract_create(tesseract, "/dev/null", &handle, message), handle)
        }
        guard let handle = made else {
            throw FlatteningError(.internalInconsistency, "tesseract gives no handle", stage: .text)
        }
        self.handle = handle
        let status = try call { tesseract, message in
            Self.startup.withLock { _ in
                var result: Int32 = -1
                let status = ctesseract_init(tesseract, handle, dataPath, language, reads, &result, message)
                return (status, result)
            }
        }
        // tesseract starts with part of the languages if it finds only part of them.
        let missing = status == 0 ? wanted.subtracting(try loadedLanguages()) : wanted
        guard missing.isEmpty else {
            throw data.error(of: missing.sorted(), wanted: language, needing: bytes)
        }
        guard !reads || Resources.canReserve(Self.bytesOfRecognition(pixels: Self.pixelsOfPage)) else {
            throw Self.outOfMemory
        }
    }

    deinit {
        guard !isBroken else { return }
        _ = try? call { (ctesseract_delete($0, handle, $1), ()) }
    }

    /// The folder in which tesseract found its data.
    var dataFolder: String? {
        functions.TessBaseAPIGetDatapath(handle).map(String.init(cString:))
    }

    static func subject(_ languages: some Sequence<String>) -> String {
        "tesseract's data for \(languages.sorted().joined(separator: ", "))"
    }

    /// Calls one of CTesseract's functions, which catch what tesseract throws.
    private static func guarded<Value>(
        _ functions: CTesseractFunctions,
        _ body: (UnsafePointer<CTesseractFunctions>, UnsafeMutablePointer<CChar>) -> (CTesseractStatus, Value)
    ) throws(FlatteningError) -> Value {
        let length = Int(CTESSERACT_MESSAGE_LENGTH)
        let message = UnsafeMutablePointer<CChar>.allocate(capacity: length)
        message.initialize(repeating: 0, count: length)
        defer { message.deallocate() }
        let (status, value) = withUnsafePointer(to: functions) { body($0, message) }
        if let error = error(of: status, words: String(cString: message)) { throw error }
        return value
    }

    /// Returns the error that a status of CTesseract means, nil for success.
    static func error(of status: CTesseractStatus, words: String) -> FlatteningError? {
        switch status {
        case CTESSERACT_DONE: nil
        case CTESSERACT_OUT_OF_MEMORY: outOfMemory
        default:
            FlatteningError(
                .internalInconsistency, "tesseract failed in a way that it should not", stage: .text,
                detail: words)
        }
    }

    static var outOfMemory: FlatteningError {
        FlatteningError(
            .shortage, "memory is short for reading the text", stage: .text,
            advice: "Allow more (ulimit -v, --memory-mib), or run fewer at once")
    }

    /// Like `guarded`, with this handle: after an exception the handle is not used again.
    func call<Value>(
        _ body: (UnsafePointer<CTesseractFunctions>, UnsafeMutablePointer<CChar>) -> (CTesseractStatus, Value)
    ) throws(FlatteningError) -> Value {
        guard !isBroken else { throw Self.outOfMemory }
        do {
            return try Self.guarded(functions, body)
        } catch {
            isBroken = true
            throw error
        }
    }

    /// Returns the languages of a string in tesseract's notation, such as "eng+deu".
    ///
    /// The names become parts of file names inside tesseract, so only strings that can name a language are allowed.
    static func languages(in notation: String) throws(FlatteningError) -> Set<String> {
        let names = notation.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        let isName: (String) -> Bool = { name in
            let plain = name.hasPrefix("script/") ? name.dropFirst("script/".count) : name[...]
            return !plain.isEmpty && plain.count <= 40
                && plain.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        }
        guard names.allSatisfy(isName) else {
            throw FlatteningError(
                .badInput, "this is not a language", stage: .text, seen: "\"\(notation)\"",
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
        defer { functions.TessDeleteTextArray(names) }
        var loaded: Set<String> = []
        var next = names
        while let name = next.pointee {
            loaded.insert(String(cString: name))
            next += 1
        }
        return loaded
    }
}
