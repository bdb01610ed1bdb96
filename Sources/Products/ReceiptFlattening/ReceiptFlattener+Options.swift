import Diagnostics
public import Documents
public import Platform
public import SheetFlattening
public import TextRecognition

extension ReceiptFlattener {
    /// The caller's options. Every field has a default that suits a receipt.
    ///
    /// The options of `SheetFlattener` are also members of this type: `options.dotsPerInch = 300`.
    @dynamicMemberLookup
    public struct Options: Sendable {
        /// How the sheet is found, flattened and shown.
        public var sheet = SheetFlattener.Options()
        /// Tesseract's names of the languages to read, joined by "+", or "auto" for any language in Latin letters; nil reads
        /// no text.
        public var language: String?
        /// Which of the package's readers reads the text.
        public var reader = TextReader.automatic
        /// The model file of the learned reader; nil (the default) uses the one among the user's data.
        public var readerModel: String?
        /// The engine that reads the text; nil (the default) uses `reader` if `language` is given. With an engine of your
        /// own, text is read whatever `language` says, and tesseract is not needed.
        public var textEngine: (any TextEngine)?
        /// What else to look for on the sheet; nothing by default. Contents found in the text need
        /// `language` or `textEngine` too: without them, no text is read.
        public var finds: Set<SheetContent> = []
        /// The reference day: it decides the century of dates in a machine-readable zone, and a receipt's ambiguous date is
        /// never read as a later day. By default, the day on which these options are created.
        public var today = Date()
        /// The country of receipts whose print does not show one, as a two-letter ISO 3166-1 code ("US"). It decides how
        /// dates are read, what "$" means and how telephone numbers are dialled. A country shown in the print takes
        /// precedence. Nil by default.
        public var country: String?
        /// The values allowed for `country`.
        public static var countries: [String] { ReceiptContext.countries }
        /// The currency (ISO 4217, "CAD") of amounts whose print does not show one; nil (the default) uses the currency of
        /// `country`.
        public var currency: String?
        /// The time allowed for one capture; nil for no limit. It is checked between steps, so a step that began before the
        /// limit still runs to its end.
        public var timeLimit: Duration? = usualTimeLimit

        /// Whether warnings are logged as well as written to the report; off for each frame of a live camera.
        package var logsWarnings = true

        /// The default of `timeLimit`: five minutes. The slowest page known, one with 3,600 codes on it, takes 25 s on a
        /// processor of 2022.
        public static let usualTimeLimit = Duration.seconds(300)

        /// The defaults.
        public init() {}

        /// An option of `SheetFlattener`.
        public subscript<Value>(
            dynamicMember member: WritableKeyPath<SheetFlattener.Options, Value>
        ) -> Value {
            get { sheet[keyPath: member] }
            set { sheet[keyPath: member] = newValue }
        }

        /// What is known about receipts besides their print.
        package var context: ReceiptContext {
            ReceiptContext(today: today, country: country, currency: currency)
        }

        /// Throws if a field lies outside its range.
        package func validate() throws(FlatteningError) {
            try sheet.validate()
            for (name, value, known) in [
                ("country", country, ReceiptContext.countries),
                ("currency", currency, ReceiptContext.currencies),
            ] {
                guard let value else { continue }
                try SheetFlattener.Options.check(
                    known.contains(value), name, seen: value, allowed: known.joined(separator: " "))
            }
            if let timeLimit {
                try SheetFlattener.Options.check(
                    timeLimit > .zero, "time limit", seen: "\(timeLimit)", allowed: "more than 0 seconds")
            }
        }
    }
}
