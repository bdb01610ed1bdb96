internal import Platform

/// Reads lines of a job log: lines in our own format directly, any others with Foundation's decoder, which takes about
/// forty times as long (100,000 records: 0.1 s against 4 s).
struct JobRecordReader {
    private let decoder = JSONDecoder()

    /// The record in a line without its line feed; nil if there is none.
    func record(_ line: UnsafeBufferPointer<UInt8>) -> JobRecord? {
        var scanner = unsafe Scanner(bytes: line)
        return unsafe scanner.record() ?? (try? decoder.decode(JobRecord.self, from: Data(line)))
    }

    /// A capture's path, its name, and when it ended ("" if unknown); the record's other values are skipped.
    func capture(_ line: UnsafeBufferPointer<UInt8>) -> (input: String, name: String, ended: String)? {
        var scanner = unsafe Scanner(bytes: line)
        if let capture = scanner.capture() { return capture }
        return unsafe (try? decoder.decode(JobRecord.self, from: Data(line))).map {
            ($0.input, $0.name, $0.ended ?? "")
        }
    }

    /// Scans one object. The result is nil for anything unusual (a backslash, a blank, an unknown key).
    @safe private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        private var place = 0

        init(bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes = unsafe bytes }

        mutating func record() -> JobRecord? {
            var (key, name, input): (String?, String?, String?) = (nil, nil, nil)
            var state: JobRecord.State?
            var outputs: [JobRecord.Output]?
            var (exitCode, seconds): (Int32?, Double?) = (nil, nil)
            var (error, ended, sameAs): (String?, String?, String?) = (nil, nil, nil)
            var (retry, limits, captures): (Bool?, JobRecord.Limits?, Int?) = (nil, nil, nil)
            let isWhole = object { (scanner, field) in
                switch field {
                case "key": key = scanner.string(); return key != nil
                case "name": name = scanner.string(); return name != nil
                case "input": input = scanner.string(); return input != nil
                case "state": state = scanner.string().flatMap(JobRecord.State.init); return state != nil
                case "outputs": outputs = scanner.outputs(); return outputs != nil
                case "exit_code": exitCode = scanner.number().flatMap(Int32.init); return exitCode != nil
                case "seconds":
                    seconds = scanner.number().flatMap(Double.init); return seconds?.isFinite == true
                case "error": error = scanner.string(); return error != nil
                case "ended": ended = scanner.string(); return ended != nil
                case "same_as": sameAs = scanner.string(); return sameAs != nil
                case "retry": retry = scanner.takes("true") ? true : nil; return retry != nil
                case "limits": limits = scanner.limits(); return limits != nil
                case "captures": captures = scanner.number().flatMap(Int.init); return captures != nil
                default: return false
                }
            }
            guard isWhole, unsafe place == bytes.count, let key, let name, let input, let state, let outputs,
                let exitCode, let seconds
            else { return nil }
            return JobRecord(
                key: key, name: name, input: input, state: state, outputs: outputs, exitCode: exitCode,
                error: error, seconds: seconds, retry: retry, limits: limits, ended: ended,
                captures: captures, sameAs: sameAs)
        }

        mutating func capture() -> (input: String, name: String, ended: String)? {
            var (input, name, ended): (String?, String?, String?) = (nil, nil, nil)
            let isWhole = object { (scanner, field) in
                switch field {
                case "input": input = scanner.string(); return input != nil
                case "name": name = scanner.string(); return name != nil
                case "ended": ended = scanner.string(); return ended != nil
                default: return scanner.passes()
                }
            }
            guard isWhole, unsafe place == bytes.count, let input, let name else { return nil }
            return (input, name, ended ?? "")
        }

        /// Skips a value: a string without escapes, a number or a word, or an array or object of these.
        private mutating func passes() -> Bool {
            var depth = 0
            repeat {
                guard unsafe place < bytes.count else { return false }
                switch unsafe bytes[place] {
                case UInt8(ascii: "\""):
                    guard passesString() else { return false }
                    continue
                case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
                case UInt8(ascii: ","), UInt8(ascii: ":"): guard depth > 0 else { return false }
                default:
                    guard takes("true") || takes("false") || takes("null") || number() != nil else {
                        return false
                    }
                    continue
                }
                place += 1
            } while depth > 0
            return depth == 0
        }

        private mutating func outputs() -> [JobRecord.Output]? {
            var outputs: [JobRecord.Output] = []
            guard takes("[") else { return nil }
            if takes("]") { return [] }
            repeat {
                var (name, hash): (String?, String?) = (nil, nil)
                let isWhole = object { (scanner, field) in
                    switch field {
                    case "name": name = scanner.string(); return name != nil
                    case "sha256": hash = scanner.string(); return hash != nil
                    default: return false
                    }
                }
                guard isWhole, let name, let hash else { return nil }
                outputs.append(.init(name: name, sha256: hash))
            } while takes(",")
            return takes("]") ? outputs : nil
        }

        private mutating func limits() -> JobRecord.Limits? {
            var (memory, seconds): (Int?, Int?) = (nil, nil)
            let isWhole = object { (scanner, field) in
                switch field {
                case "memory_mib": memory = scanner.number().flatMap(Int.init); return memory != nil
                case "processor_seconds": seconds = scanner.number().flatMap(Int.init); return seconds != nil
                default: return false
                }
            }
            guard isWhole, let memory, let seconds else { return nil }
            return JobRecord.Limits(memoryMebibytes: memory, processorSeconds: seconds)
        }

        /// Calls `field` with each key, with the scanner positioned before its value.
        private mutating func object(_ field: (inout Scanner, String) -> Bool) -> Bool {
            guard takes("{") else { return false }
            repeat {
                guard let key = string(), takes(":"), field(&self, key) else { return false }
            } while takes(",")
            return takes("}")
        }

        private mutating func takes(_ word: StaticString) -> Bool {
            let end = place + word.utf8CodeUnitCount
            guard unsafe end <= bytes.count, let base = unsafe bytes.baseAddress,
                unsafe memcmp(base + place, word.utf8Start, word.utf8CodeUnitCount) == 0
            else { return false }
            place = end
            return true
        }

        /// A string without escapes.
        private mutating func string() -> String? {
            let start = place + 1
            guard passesString() else { return nil }
            return unsafe String(validating: bytes[start..<place - 1], as: UTF8.self)
        }

        private mutating func passesString() -> Bool {
            guard takes("\"") else { return false }
            while unsafe place < bytes.count, unsafe bytes[place] != UInt8(ascii: "\"") {
                guard unsafe bytes[place] >= 0x20, unsafe bytes[place] != UInt8(ascii: "\\") else {
                    return false
                }
                place += 1
            }
            guard unsafe place < bytes.count else { return false }
            place += 1
            return true
        }

        /// A number as defined by JSON (RFC 8259, 6): Swift would also accept nan, inf and 0x1p3.
        private mutating func number() -> String? {
            let start = place
            _ = takes("-")
            guard takes("0") || passesDigits() else { return nil }
            if takes("."), !passesDigits() { return nil }
            if takes("e") || takes("E") {
                _ = takes("+") || takes("-")
                guard passesDigits() else { return nil }
            }
            return unsafe String(decoding: bytes[start..<place], as: UTF8.self)
        }

        private mutating func passesDigits() -> Bool {
            let start = place
            while unsafe place < bytes.count,
                unsafe (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
            {
                place += 1
            }
            return place > start
        }
    }
}
