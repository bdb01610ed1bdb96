import Foundation

/// What a caller wants of one capture: the JSON of the part `request`. Every key may be left out; one that is not known is refused.
struct FlatteningRequest: Equatable {
    /// What is written of each sheet, by the name of its file.
    enum Output: String, CaseIterable {
        case jpeg = "image.jpg"
        case png = "image.png"
        case text = "text.txt"
        case words = "text.json"
        case fields = "fields.json"
        case report = "report.json"
        case pdf = "receipt.pdf"
        case page = "page.html"
        case table = "table.csv"
        case contact = "contact.vcf"
        /// The sheet as depth shows it, with its print; written only where there is depth.
        case mesh = "mesh.glb"
        /// All pages in one.
        case document = "document.pdf"

        /// The option of `flatten` that asks for it.
        var option: String {
            switch self {
            case .jpeg, .png: "--output"
            case .text, .words, .pdf: "--text"
            case .fields: "--fields"
            case .report: "--report"
            case .page: "--page"
            case .table: "--table"
            case .contact: "--contact"
            case .mesh: "--mesh"
            case .document: "--merge"
            }
        }

        /// The media type of the file.
        static func mediaType(ofFile name: String) -> String {
            switch name.split(separator: ".").last {
            case "jpg": "image/jpeg"
            case "png": "image/png"
            case "txt": "text/plain; charset=utf-8"
            case "json": "application/json"
            case "pdf": "application/pdf"
            case "html": "text/html; charset=utf-8"
            case "csv": "text/csv; charset=utf-8"
            case "vcf": "text/vcard; charset=utf-8"
            case "glb": "model/gltf-binary"
            default: "application/octet-stream"
            }
        }
    }

    /// What is written; the report always is.
    var outputs: [Output] = [.jpeg, .text, .words, .fields, .pdf]
    /// Options of `flatten` with their values.
    private(set) var options: [String] = []

    /// The defaults.
    init() {}

    /// A request of JSON.
    /// - Throws: 422 for what is no request.
    init(json: Data) throws(Problem) {
        guard let object = try? JSONDecoder().decode([String: JSONValue].self, from: json) else {
            throw Problem(.unprocessableContent, "the request is no JSON object")
        }
        for (key, value) in object.sorted(by: { $0.key < $1.key }) where value != .null {
            try take(key, value)
        }
    }

    /// How a value has to look, by the key.
    private static let words: [String: (option: String, pattern: String)] = [
        "language": ("--language", "[A-Za-z_+]{2,64}"),
        "look": ("--look", "photo|document|bw"),
        "sheets": ("--sheets", "best|all"),
        "join_pages": ("--join-pages", "auto|all|none"),
        "pages": ("--pages", "[1-9][0-9]{0,3}(-([1-9][0-9]{0,3})?)?"),
        "country": ("--country", "[A-Za-z]{2}"),
        "currency": ("--currency", "[A-Za-z]{3}"),
        "today": ("--today", "[0-9]{4}-[0-9]{2}-[0-9]{2}"),
        "frame": ("--frame", "[0-9]{1,6}"),
    ]
    private static let numbers: [String: (option: String, range: ClosedRange<Double>)] = [
        "dpi": ("--dpi", 20...1200), "depth_unit": ("--depth-unit", 1e-7...10),
    ]
    private static let flags = ["no_depth": "--no-depth", "best": "--best", "fuse": "--fuse"]
    private static let lists: [String: (option: String, words: Set<String>)] = [
        "redact": ("--redact", ["cards", "names", "phones", "emails", "faces", "mrz", "codes"]),
        "find": ("--find", ["codes", "mrz", "items", "contact", "faces", "kind", "all"]),
    ]

    private mutating func take(_ key: String, _ value: JSONValue) throws(Problem) {
        if let (option, pattern) = Self.words[key] {
            guard case .text(let word) = value,
                word.range(of: "^(?:\(pattern))\\z", options: .regularExpression) != nil
            else { throw Self.refusal(of: key, allowed: "a text like \(pattern)") }
            options.append(option + "=" + word)
        } else if let (option, range) = Self.numbers[key] {
            guard case .number(let number) = value, range.contains(number) else {
                throw Self.refusal(
                    of: key, allowed: "a number from \(range.lowerBound) to \(range.upperBound)")
            }
            options.append(option + "=\(number)")
        } else if let option = Self.flags[key] {
            guard case .truth(let isOn) = value else { throw Self.refusal(of: key, allowed: "true or false") }
            if isOn { options.append(option) }
        } else if let (option, words) = Self.lists[key] {
            guard let list = value.texts, words.isSuperset(of: list) else {
                throw Self.refusal(of: key, allowed: "a list of " + words.sorted().joined(separator: ", "))
            }
            if !list.isEmpty { options.append(option + "=" + list.joined(separator: ",")) }
        } else if key == "corners" {
            guard let points = value.list?.compactMap(\.numbers), points.count == 4,
                value.list?.count == 4, points.allSatisfy({ $0.count == 2 && $0.allSatisfy { $0 >= 0 } })
            else {
                throw Self.refusal(
                    of: key, allowed: "four points, each [x, y] in pixels of the upright photograph")
            }
            options += ["--corners"] + points.map { $0.map { "\($0)" }.joined(separator: ",") }
        } else if key == "redact_areas" {
            guard let areas = value.list?.compactMap(\.numbers), areas.count == value.list?.count,
                areas.count <= Self.mostAreas,
                areas.allSatisfy({ $0.count == 4 && $0[0] >= 0 && $0[1] >= 0 && $0[2] > 0 && $0[3] > 0 })
            else {
                throw Self.refusal(
                    of: key,
                    allowed:
                        "a list of at most \(Self.mostAreas), each [left, top, width, height] in pixels of the flat image"
                )
            }
            options += areas.map { "--redact-area=" + $0.map { "\($0)" }.joined(separator: ",") }
        } else if key == "outputs" {
            let known = Output.allCases.map(\.rawValue)
            guard let names = value.texts, Set(known).isSuperset(of: names) else {
                throw Self.refusal(of: key, allowed: "a list of " + known.joined(separator: ", "))
            }
            outputs = names.compactMap(Output.init)
        } else {
            throw Problem(.unprocessableContent, "the request has a key that is not known: \(key.prefix(64))")
        }
    }

    private static func refusal(of key: String, allowed: String) -> Problem {
        Problem(.unprocessableContent, "\(key) in the request is not allowed so (allowed: \(allowed))")
    }

    /// Whether something is blacked out, so that the photograph is nobody's to keep.
    var isRedacted: Bool { options.contains { $0.hasPrefix("--redact=") || $0.hasPrefix("--redact-area=") } }

    /// How many areas are blacked out at most: what a person marks by hand.
    private static let mostAreas = 100

    /// The words of the command line.
    /// - Parameters:
    ///   - upload: what was sent.
    ///   - folder: where the outputs go.
    ///   - timeout: in seconds.
    func arguments(for upload: Upload, in folder: URL, timeout: Int) -> [String] {
        var words = upload.images.map(\.path) + ["--quiet", "--progress", "--timeout=\(timeout)"]
        for (option, file) in [
            ("--depth", upload.depth), ("--intrinsics", upload.intrinsics),
            ("--confidence", upload.confidence),
        ] {
            if let file { words += [option, file.path] }
        }
        words += options
        for output in Set(outputs + [.report]).sorted(by: { $0.rawValue < $1.rawValue }) {
            words += [output.option, folder.appending(path: output.rawValue).path]
        }
        return words
    }
}

/// A value of JSON as it was written: true is no number.
private enum JSONValue: Decodable, Equatable {
    case null
    case truth(Bool)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let truth = try? container.decode(Bool.self) {
            self = .truth(truth)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let values = try? container.decode([JSONValue].self) {
            self = .array(values)
        } else {
            self = .object
        }
    }

    var list: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    /// The texts of a list of nothing else.
    var texts: [String]? {
        guard let list else { return nil }
        let texts = list.compactMap { value -> String? in
            guard case .text(let text) = value else { return nil }
            return text
        }
        return texts.count == list.count ? texts : nil
    }

    /// The numbers of a list of nothing else.
    var numbers: [Double]? {
        guard let list else { return nil }
        let numbers = list.compactMap { value -> Double? in
            guard case .number(let number) = value else { return nil }
            return number
        }
        return numbers.count == list.count ? numbers : nil
    }
}
