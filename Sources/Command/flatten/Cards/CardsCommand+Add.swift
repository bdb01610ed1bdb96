import Checksums
import ArgumentParser
import BatchProcessing
import Captures
import ContactStore
import DepthGeometry
import Diagnostics
import DocumentArchive
import Documents
import Platform
import Imaging
import LocalFiles
import ReceiptFlattening
import ScalarText
import TextRecognition

extension CardsCommand {
    /// `flatten cards add CAPTURE ...`.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add the contacts of all cards in photographs.",
            discussion: """
                Each capture is flattened as flatten does, with depth if there is any; a photograph may show several cards. \
                One that is in the store already is left out. The contacts that were added are shown, and duplicates stay \
                until they are merged.
                """)

        @OptionGroup var input: CaptureArguments
        @OptionGroup var store: StoreArguments
        @OptionGroup var listing: ListingArguments

        @OptionGroup var reading: ReadingArguments

        @Option(help: ArgumentHelp("Model of the learned recogniser.", valueName: "file"))
        var readerModel: String?

        @OptionGroup var time: TimeArguments

        mutating func validate() throws {
            guard !input.captures.isEmpty else {
                throw ValidationError("there is no capture: name folders, archives or pictures of cards")
            }
            guard input.captures.count == 1 || input.request.files.isEmpty && input.options.fx == nil else {
                throw ValidationError("options that name files or a camera go with one capture")
            }
        }

        func run() throws {
            var failed = 0
            try store.use(.creating) { book, console throws(FlatteningError) in
                try listing.show(
                    forEachCapture(console, &failed) { path throws(FlatteningError) in
                        try add(path, to: book, console: console)
                    })
            } onArchive: { archive, console throws(FlatteningError) in
                let captureReading = CaptureReading(
                    input: input.request, reading: reading, readerModel: readerModel,
                    joining: .none, limit: limit)
                try listing.show(
                    forEachCapture(console, &failed) { path throws(FlatteningError) in
                        try captureReading.add(path, to: archive, console: console) { $0.becomeCard() }
                    })
            }
            if failed > 0 { throw ExitCode(ExitReason.someFailed.rawValue) }
        }

        /// Adds the contacts of each capture.
        /// - Parameters:
        ///   - failed: counts captures without a contact, and captures that failed.
        ///   - add: adds the contacts of one capture; nil if it is in the store already.
        private func forEachCapture<Found>(
            _ console: Console, _ failed: inout Int, _ add: (String) throws(FlatteningError) -> [Found]?
        ) throws(FlatteningError) -> [Found] {
            let activity = try limit.startWatchdog()
            var added: [Found] = []
            for path in input.captures {
                activity.begin("read")
                do throws(FlatteningError) {
                    let found = try add(path)
                    added += found ?? []
                    if found?.isEmpty == true {
                        console.fail("\(path): no contact was found")
                        failed += 1
                    }
                } catch {
                    // If there is only one capture, its error is the command's; with several, the others go on.
                    guard input.captures.count > 1, !error.concernsAllCaptures(of: .contacts) else {
                        throw error
                    }
                    console.fail(error.naming(file: path))
                    failed += 1
                }
            }
            console.clearProgress()
            return added
        }

        /// - Returns: the contacts added; nil if the photograph is in the store already.
        private func add(
            _ path: String, to book: ContactBook, console: Console
        ) throws(FlatteningError) -> [StoredContact]? {
            console.progress("reading \(path)")
            let capture = try limit.spend { end throws(FlatteningError) in
                try input.request.naming(path).read(until: end)
            }.capture
            let picture = StoredContact.Picture(
                hash: try Self.hash(of: capture.image),
                name: path.split(atScalar: "/").last.map(String.init) ?? path)
            let known = "\(path) is in the store already"
            // Checked before the work; `book.add` checks again, as another program may add it meanwhile.
            guard try !book.hasPicture(picture.hash) else {
                console.warn(known)
                return nil
            }
            let receipts = try limit.spend { _ throws(FlatteningError) in
                try ReceiptFlattener(options: options).flattenAll(capture)
            }
            let added = try book.add(
                receipts.compactMap(\.findings.contact).filter { !$0.isEmpty }, of: picture,
                date: SourceDate.current ?? Date())
            if added == nil { console.warn(known) }
            return added
        }

        private var limit: TimeLimit { time.limit(captures: input.captures.count) }

        private var options: ReceiptFlattener.Options {
            var options = ReceiptFlattener.Options()
            options.finds = CodeReader.isThere ? [.codes, .contact] : [.contact]
            options.language = reading.language
            options.reader = reading.reader
            options.readerModel = readerModel
            options.timeLimit = limit.remaining
            return options
        }

        /// Identifies a photograph: SHA-256 of its size and its pixels.
        private static func hash(of image: RGBImage) throws(FlatteningError) -> String {
            var hash = try SHA256()
            hash.update("\(image.width) x \(image.height)")
            unsafe image.elements.withUnsafeBytes { unsafe hash.update($0) }
            return hash.digest()
        }
    }
}
