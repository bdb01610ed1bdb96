import ArgumentParser
import Captures
import Diagnostics
import DocumentArchive
import Documents
import LocalFiles
import Platform
import ReceiptFlattening
import ReceiptOutputs
import ScalarText
import TextRecognition

/// `--language` and `--reader`: the languages and the reader for captures that are kept.
struct ReadingArguments: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help:
            "Languages to read, by tesseract's codes (eng), two letters (en) or English names, joined by \"+\"; flatten --list-languages shows those that are there.",
        transform: LanguageName.codes(in:))
    var language = "auto"

    @Option(help: "What reads; see flatten --help-all.")
    var reader: TextReader = .automatic
}

/// Flattens and reads captures for an archive.
struct CaptureReading {
    /// Names captures and says how to read them.
    let input: CaptureRequest
    let reading: ReadingArguments
    var readerModel: String?
    let joining: PagedReceipt.Joining
    let limit: TimeLimit

    /// Adds a capture to an archive, unless it is there already.
    /// - Parameters:
    ///   - prepare: changes a document before it is added; returns false to leave it out.
    /// - Returns: the documents added; nil if the capture is in the archive already.
    func add(
        _ path: String, to archive: DocumentArchive, console: Console,
        _ prepare: (inout NewDocument) -> Bool
    ) throws(FlatteningError) -> [ArchivedDocument]? {
        console.progress("reading \(path)")
        let originals = try originals(of: path)
        let known = "\(path) is in the archive already"
        if let first = originals.first {
            guard try archive.documents(with: first.content).isEmpty else {
                console.warn(known)
                return nil
            }
        } else {
            console.warn(
                "\(path): no file lies in the folder itself, so its documents are kept without originals")
        }
        let documents = try documents(of: path, name: Self.name(of: path)).compactMap { document in
            var document = document
            return prepare(&document) ? document : nil
        }
        guard !documents.isEmpty else { return [] }
        let added = try archive.add(
            documents, originals: originals, date: SourceDate.current ?? Date())
        // Another program may have added the capture meanwhile.
        if added == nil { console.warn(known) }
        return added
    }

    /// Reads a capture: returns a document for each sheet and page, and one for the pages that a receipt extends over.
    /// - Parameter name: the capture's name.
    func documents(of path: String, name: String) throws(FlatteningError) -> [NewDocument] {
        let arguments = input.naming(path)
        let pages = try arguments.chosenPages(until: limit.end)
        var kept: [(document: NewDocument, page: SheetPage?, flattened: FlattenedPage)] = []
        for page in pages?.map(Optional.some) ?? [nil] {
            let capture = try limit.spend { end throws(FlatteningError) in
                try arguments.read(page: page, until: end)
            }.capture
            let receipts = try limit.spend { _ throws(FlatteningError) in
                try ReceiptFlattener(options: options).flattenAll(capture)
            }
            // A sheet that is not made flat shows the whole photograph, and with it the receipts of the other sheets once more.
            let flat = receipts.filter(\.report.foundSheet)
            for receipt in flat.isEmpty ? Array(receipts.prefix(1)) : flat {
                let number = kept.isEmpty ? "" : "-\(kept.count + 1)"
                kept.append(
                    (
                        try NewDocument(receipt, name: Self.stem(of: name) + number),
                        pages == nil ? nil : try SheetPage(receipt), FlattenedPage(receipt)
                    ))
            }
        }
        let joined = FlattenedPage.joined(kept.map(\.flattened), joining)
        var documents: [NewDocument] = []
        for (place, page) in joined.enumerated() where !page.isContinuation {
            // The pages of a receipt are consecutive.
            let others = joined[(place + 1)...].prefix(while: \.isContinuation)
            var document = kept[place].document
            if !others.isEmpty {
                let own = kept[place..<others.endIndex]
                document = try NewDocument(
                    report: try page.report.json(), pages: own.map(\.document),
                    pdf: try MergedPDF.data(of: own.compactMap(\.page)), name: Self.stem(of: name))
            }
            documents.append(document)
        }
        return documents
    }

    /// The files of a capture, photographs first.
    func originals(of path: String) throws(FlatteningError) -> [NewDocument.File] {
        func file(_ path: String) throws(FlatteningError) -> NewDocument.File {
            let bytes = try InputFile.read(path: path, limits: input.limits, kind: .sequence).bytes
            return NewDocument.File(
                .original, name: String(path.split(atScalar: "/").last ?? "file"), content: Data(bytes))
        }
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            return try [path].map(file)
                + input.files.map { named throws(FlatteningError) in try file(named.path) }
        }
        let entries = try OpenFolder(path: path, follows: true, stage: .capture).entries(
            most: Self.mostFiles
        )
        .filter { $0.kind == .file && $0.stamp.size > 0 }
        let photographsFirst = entries.filter(\.isImage) + entries.filter { !$0.isImage }
        return try photographsFirst.map { entry throws(FlatteningError) in
            try file(FilePath.join(path, String(decoding: entry.bytes, as: UTF8.self)))
        }
    }

    /// Most files of a capture in a folder: image, depth, confidence, camera and descriptions. A recording has thousands;
    /// one frame of it is named by its image.
    private static let mostFiles = 64

    private static func name(of path: String) -> String {
        String(path.split(atScalar: "/").last ?? "document")
    }

    private static func stem(of name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    private var options: ReceiptFlattener.Options {
        var options = ReceiptFlattener.Options()
        options.finds = CodeReader.isThere ? [.codes, .contact, .kind] : [.contact, .kind]
        options.language = reading.language
        options.reader = reading.reader
        options.readerModel = readerModel
        options.timeLimit = limit.remaining
        return options
    }
}

extension FolderEntry {
    /// Whether its name has an image's extension.
    fileprivate var isImage: Bool {
        let name = shownName.lowercased()
        return [".jpg", ".jpeg", ".png", ".heic", ".tif", ".tiff"].contains { name.hasSuffix($0) }
    }
}
