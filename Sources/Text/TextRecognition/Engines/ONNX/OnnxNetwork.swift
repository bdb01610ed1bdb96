import COnnxRuntime
import Diagnostics
import Platform
import LocalFiles
import RuntimeLibraries

/// A network that reads one line, loaded from a file: PP-OCR's recognisers, and others trained and stored in the same
/// way.
///
/// The input image has three equal planes of a fixed height, from -1 for black to 1 for white. The output holds the
/// probability of each class at each step along the image. The model's file lists the characters under "character", one
/// a line.
final class OnnxNetwork: LineRecognizer {
    let version: String
    let alphabet: LineAlphabet

    /// Address space in bytes that the network takes in addition to its file's size. Measured with ONNX Runtime 1.32
    /// and PP-OCRv6 small of 21 MB: 60 MiB for the library, 70 to load the network, 40 to run it on a row of 1,500
    /// pixels.
    private static let bytesOfSession = 256 << 20

    private let session: Session

    /// ONNX Runtime allows runs of one session from several threads.
    private struct Session: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// - Parameters:
    ///   - path: the model's file.
    ///   - languages: decide which of the model's characters may be read.
    /// - Throws: `.missingDependency` without ONNX Runtime, or where ONNX Runtime would report its use; `.fileAccess`
    ///   and `.limitExceeded` for the file; `.badInput` for a file that holds no such network; `.shortage` where memory
    ///   is short.
    init(path: String, languages: [String]) throws(FlatteningError) {
        let runtime = try OnnxLibrary.shared.load()
        guard let base = runtime.OrtGetApiBase() else {
            throw FlatteningError(.internalInconsistency, "ONNX Runtime has no functions", stage: .text)
        }
        let file = try InputFile.read(path: path)
        guard Resources.canReserve(Self.bytesOfSession + 2 * file.bytes.count) else { throw Self.outOfMemory }
        var opened: OpaquePointer?
        try Self.check(file: path) { message in
            file.bytes.withUnsafeBytes { bytes in
                bytes.baseAddress.map { conn_open(base, $0, bytes.count, &opened, message) }
                    ?? CONN_UNSUITABLE
            }
        }
        guard let opened else {
            throw FlatteningError(.internalInconsistency, "ONNX Runtime gives no session", stage: .text)
        }
        do throws(FlatteningError) {
            alphabet = try Self.alphabet(of: opened, file: path, languages: languages)
        } catch {
            conn_close(opened)
            throw error
        }
        session = Session(pointer: opened)
        version = OnnxLibrary.version(runtime)
    }

    deinit { conn_close(session.pointer) }

    func signs(in picture: LinePicture) throws(FlatteningError) -> [DecodedSign] {
        try Self.run(session.pointer, picture) { numbers, classes in
            LineDecoding.signs(in: numbers, classes: classes, alphabet: alphabet)
        }
    }

    /// Returns the alphabet of a network. Runs it on an empty image to learn how many classes it has.
    private static func alphabet(
        of session: OpaquePointer, file: String, languages: [String]
    ) throws(FlatteningError) -> LineAlphabet {
        var words: UnsafeMutablePointer<CChar>?
        try check(file: file) { conn_metadata(session, "character", &words, $0) }
        defer { free(words) }
        let characters = words.map { String(cString: $0) }?.split(whereSeparator: \.isNewline) ?? []
        try check(characters: characters, file: file)
        let classes = try run(session, LinePicture(columns: LinePicture.height), file: file) { $1 }
        guard
            let alphabet = LineAlphabet(
                characters: characters.map(String.init), classes: classes, languages: languages)
        else {
            throw FlatteningError(
                .badInput, "the model does not say which characters it reads", file: file, stage: .text,
                seen: "\(characters.count) characters, \(classes) classes",
                allowed: "a recogniser of lines with its characters under \"character\"", advice: advice)
        }
        return alphabet
    }

    /// - Throws: `.limitExceeded` for a string too long to be one character: it could be repeated at each step of a
    ///   row.
    static func check(characters: [Substring], file: String) throws(FlatteningError) {
        guard let longest = characters.lazy.map(\.utf8.count).max(), longest > LineAlphabet.longestCharacter
        else {
            return
        }
        throw FlatteningError(
            .limitExceeded, "a character of the model is too long", file: file, stage: .text,
            seen: "\(longest) bytes", allowed: "\(LineAlphabet.longestCharacter) bytes", advice: advice)
    }

    private static func run<Result>(
        _ session: OpaquePointer, _ picture: LinePicture, file: String? = nil,
        _ body: (_ numbers: UnsafeBufferPointer<Float>, _ classes: Int) -> Result
    ) throws(FlatteningError) -> Result {
        var output = COnnxOutput()
        try check(file: file) { message in
            // The same brightness as red, green and blue.
            (picture.pixels + picture.pixels + picture.pixels).withUnsafeBufferPointer { planes in
                planes.baseAddress.map {
                    conn_run(
                        session, $0, Int64(LinePicture.height), Int64(picture.columns), &output, message)
                } ?? CONN_UNSUITABLE
            }
        }
        defer { conn_release(session, output) }
        let count = Int(output.steps * output.classes)
        return body(UnsafeBufferPointer(start: output.values, count: count), Int(output.classes))
    }

    private static let advice = "Get the model by make reader, or read with tesseract: --reader tesseract"

    private static var outOfMemory: FlatteningError {
        .shortage(of: "ONNX Runtime", stage: .text, detail: nil)
    }

    /// Calls one of COnnxRuntime's functions and throws what its status means.
    private static func check(
        file: String?, _ body: (UnsafeMutablePointer<CChar>) -> COnnxStatus
    ) throws(FlatteningError) {
        let (status, words) = withUnsafeTemporaryAllocation(
            of: CChar.self, capacity: Int(CONN_MESSAGE_LENGTH)
        ) { message -> (COnnxStatus, String) in
            message.initialize(repeating: 0)
            guard let start = message.baseAddress else { return (CONN_OUT_OF_MEMORY, "") }
            let status = body(start)
            return (status, String(cString: start))
        }
        switch status {
        case CONN_DONE: return
        case CONN_OUT_OF_MEMORY: throw outOfMemory
        case CONN_WOULD_REPORT:
            throw FlatteningError(
                .missingDependency, "ONNX Runtime would send its maker what it is used for", stage: .text,
                seen: "an environment without ORT_DISABLE_TELEMETRY=1, which was there at the start",
                advice: "Leave that variable in the environment, or read with tesseract: --reader tesseract")
        case CONN_UNSUITABLE:
            throw FlatteningError(
                .badInput, "the model is no recogniser of lines", file: file, stage: .text,
                allowed: "one input of 3 x \(LinePicture.height) pixels, one output of probabilities",
                advice: advice)
        default:
            throw FlatteningError(
                .badInput, "the model cannot be run", file: file, stage: .text, detail: words, advice: advice)
        }
    }
}
