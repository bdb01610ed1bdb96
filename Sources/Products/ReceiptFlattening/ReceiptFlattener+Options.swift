import Diagnostics
public import Documents
public import Platform
public import SheetFlattening
public import TextRecognition

extension ReceiptFlattener {
    /// What a caller may choose. Every field has a default that suits a receipt.
    ///
    /// The options of `SheetFlattener` are members of these too: `options.dotsPerInch = 300`.
    @dynamicMemberLookup
    public struct Options: Sendable {
        /// How the sheet is found, flattened and shown.
        public var sheet = SheetFlattener.Options()
        /// Tesseract's names of the languages to read, joined by "+", or "auto" for any of Latin letters; nil reads no text.
        public var language: String?
        /// Which of the package's readers reads the text.
        public var reader = TextReader.automatic
        /// The file of the learned recogniser; nil (the default) for the one among the user's data.
        public var readerModel: String?
        /// What reads the text; nil (the default) for `reader`, if `language` is given. With an engine of your own, text is
        /// read whatever `language` says, and tesseract is not needed.
        public var textEngine: (any TextEngine)?
        /// What else is looked for on the sheet; nothing by default. Some of it is found in text, which is then read if
        /// `language` or `textEngine` is given.
        public var finds: Set<SheetContent> = []
        /// The day that decides the century of a zone's dates, and after which no receipt is dated where its date may mean several
        /// days; the day of making these options by default.
        public var today = Date()
        /// The country of receipts whose print leaves it open, ISO 3166-1 of two letters ("US"): decides how their dates are meant,
        /// what "$" stands for, and how telephone numbers are dialled. A country that the print shows comes first. Nil by default.
        public var country: String?
        /// What `country` may be.
        public static var countries: [String] { ReceiptContext.countries }
        /// The currency of amounts whose print leaves it open, ISO 4217 ("CAD"); nil (the default) for that of `country`.
        public var currency: String?
        /// The time allowed for one capture; nil for no limit. Asked between steps, so that one that began before the end
        /// still ends by itself.
        public var timeLimit: Duration? = usualTimeLimit

        /// Whether warnings are logged besides standing in the report: not those of each frame of a camera.
        package var logsWarnings = true

        /// The default of `timeLimit`: five minutes. The slowest page known, one with 3,600 codes on it, takes 25 s of a
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

        /// What is known of receipts besides their print.
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
