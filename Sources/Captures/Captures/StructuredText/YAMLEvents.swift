import CYAML
import Diagnostics
package import RuntimeLibraries
import ScalarText

/// libyaml, loaded at run time.
enum YAMLLibrary {
    static let shared = unsafe RuntimeLibrary<CYAMLFunctions, FlatteningError>(
        anyOf: LibraryFiles.named(linux: ["libyaml-0.so.2"], darwin: ["libyaml-0.2.dylib"]),
        functions: FunctionNames(cyaml_function_names()),
        purpose: "libyaml, which reads YAML,", stage: .yaml,
        advice:
            "Write the camera as JSON, or install libyaml: apt-get install libyaml-0-2, or brew install libyaml",
        unsuitable: { yaml in
            let version = version(yaml)
            // The C structures used here are those of this series.
            return version.hasScalarPrefix("0.2.") ? nil : "is version \(version)"
        })

    fileprivate static func version(_ yaml: CYAMLFunctions) -> String {
        unsafe yaml.yaml_get_version_string().map { unsafe String(cString: $0) } ?? ""
    }
}

/// The C libraries of this module.
package enum CaptureLibraries {
    /// The versions of those that are loaded, or why one is not.
    package static var versions: [LibraryVersion] {
        [YAMLLibrary.shared.version(of: "libyaml", YAMLLibrary.version)]
    }
}

/// The events of a YAML text in order, as libyaml reads it.
@safe struct YAMLEvents: ~Copyable {
    /// One event.
    enum Event {
        /// A text, and whether it is written without quotation marks.
        case scalar(String, isPlain: Bool)
        case sequenceStart, sequenceEnd, mappingStart, mappingEnd
        case documentStart, documentEnd, streamEnd
        /// A reference to a named value.
        case alias
        /// An event without content.
        case other
    }

    private let yaml: CYAMLFunctions
    /// The parser keeps its position and a pointer to the text.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeMutableBufferPointer<UInt8>
    private let name: String

    /// - Parameters:
    ///   - text: in UTF-8.
    ///   - name: the file's name, for errors.
    init(_ text: String, name: String) throws(FlatteningError) {
        let yaml = try YAMLLibrary.shared.load()
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard unsafe yaml.yaml_parser_initialize(parser) != 0 else {
            unsafe parser.deallocate()
            throw .shortage(of: "a file of YAML", stage: .yaml, detail: nil)
        }
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = unsafe bytes.initialize(from: text.utf8)
        unsafe yaml.yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml.yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
        self.yaml = yaml
        unsafe self.parser = unsafe parser
        unsafe self.text = unsafe bytes
        self.name = name
    }

    deinit {
        unsafe yaml.yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe text.deallocate()
    }

    /// Returns the next event.
    /// - Throws: `.badInput` with libyaml's message, if the text is not YAML.
    mutating func next() throws(FlatteningError) -> Event {
        var event = unsafe yaml_event_t()
        guard unsafe yaml.yaml_parser_parse(parser, &event) != 0 else {
            throw FlatteningError(
                .badInput, "the file is not YAML", file: name, stage: .yaml, detail: problem)
        }
        defer { unsafe yaml.yaml_event_delete(&event) }
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return unsafe .scalar(
                String(decoding: bytes, as: UTF8.self),
                isPlain: [YAML_PLAIN_SCALAR_STYLE, YAML_ANY_SCALAR_STYLE].contains(scalar.style))
        case YAML_SEQUENCE_START_EVENT: return .sequenceStart
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_START_EVENT: return .mappingStart
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_STREAM_END_EVENT: return .streamEnd
        case YAML_ALIAS_EVENT: return .alias
        default: return .other
        }
    }

    /// libyaml's error message, with its place.
    private var problem: String? {
        guard let problem = unsafe parser.pointee.problem else { return nil }
        let mark = unsafe parser.pointee.problem_mark
        let context = unsafe parser.pointee.context.map { unsafe " \(String(cString: $0))" } ?? ""
        return
            unsafe "line \(mark.line + 1), column \(mark.column + 1):\(context) \(String(cString: problem))"
    }
}
