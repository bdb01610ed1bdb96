/// Why a file, a capture or a step was refused: what happened, where, what was seen and what is allowed.
///
/// Every error that this package throws for input it cannot use is one of these. Missing *information* (no depth, no intrinsics)
/// is not an error: flattening continues without it and the report says so.
public struct FlatteningError: Error, Equatable, Sendable {
    /// The kind of an error; new kinds may come with any minor version, so switch with a default.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// A short stable name in lower camel case.
        public let rawValue: String

        /// A code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name alone.
        public var description: String { rawValue }

        /// The content is broken or contradicts itself.
        public static let badInput = Code(rawValue: "badInput")
        /// The content is valid but of a kind that is not supported (yet).
        public static let unsupported = Code(rawValue: "unsupported")
        /// A size limit would be exceeded; see `FlatteningLimits`.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// A file cannot be opened, read, written or replaced.
        public static let fileAccess = Code(rawValue: "fileAccess")
        /// Memory, threads or open files ran short: the same may succeed elsewhere, or at another time.
        public static let shortage = Code(rawValue: "shortage")
        /// The disk or the quota is full, or the file system is read-only: nothing can be written there.
        public static let storageFull = Code(rawValue: "storageFull")
        /// A library that this step needs is not installed.
        public static let missingDependency = Code(rawValue: "missingDependency")
        /// The text recogniser has no data for a language.
        public static let missingLanguageData = Code(rawValue: "missingLanguageData")
        /// The time allowed is used up.
        public static let timeout = Code(rawValue: "timeout")
        /// The caller cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// A defect of this package.
        public static let internalInconsistency = Code(rawValue: "internalInconsistency")
    }

    /// The kind of error.
    public var code: Code
    /// What happened, in one sentence without a full stop.
    public var message: String
    /// The file it happened with, as the caller named it.
    public var file: String?
    /// The step it happened in: "png", "intrinsics", "text" ...
    public var stage: Stage?
    /// What was found.
    public var seen: String?
    /// What would have been accepted.
    public var allowed: String?
    /// The message of the underlying C library, if it gave one.
    public var detail: String?
    /// What the user can do.
    public var advice: String?

    /// Creates an error; everything but the message may be left out, or filled in further up.
    public init(
        _ code: Code, _ message: String, file: String? = nil, stage: Stage? = nil, seen: String? = nil,
        allowed: String? = nil, detail: String? = nil, advice: String? = nil
    ) {
        self.code = code
        self.message = message
        self.file = file
        self.stage = stage
        self.seen = seen
        self.allowed = allowed
        self.detail = detail
        self.advice = advice
    }

    /// Returns the same error with the file named, unless it already names one.
    public func naming(file: String) -> FlatteningError {
        var named = self
        named.file = self.file ?? file
        return named
    }
}

extension FlatteningError {
    /// The error for a step that needs a thread when the system cannot start one.
    package static func shortageOfThreads(stage: Stage) -> FlatteningError {
        FlatteningError(
            .shortage, "no thread can be started", stage: stage,
            advice: "Allow more (ulimit -u, a container's limit of processes), or run fewer programs at once")
    }
}

extension FlatteningError: CustomStringConvertible {
    /// "capture/depth.png: png: the picture is too large (seen: 40000 x 40000; allowed: 64 MP). Raise ..."
    public var description: String {
        let place = [file, stage?.rawValue].compactMap { $0 }.map { $0 + ": " }.joined()
        let facts = [seen.map { "seen: " + $0 }, allowed.map { "allowed: " + $0 }, detail]
            .compactMap { $0 }.joined(separator: "; ")
        return place + message + (facts.isEmpty ? "" : " (\(facts))") + (advice.map { ". " + $0 } ?? "")
    }
}
