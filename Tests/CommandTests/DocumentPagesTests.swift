import Foundation
import TestSupport
import Testing

@testable import flatten

private let isPopplerInstalled = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/pdftoppm") }

/// PDFs: each page is a capture of its own.
@Suite(.enabled(if: isPopplerInstalled)) struct DocumentPagesTests {
    private static let rows = ["Corner Bakery", "12 High Street", "Sourdough loaf 4.20", "TOTAL 12.70"]

    private static func write(_ pages: Int, as name: String, in folder: ScratchFolder) throws -> String {
        let pdf = HandmadePDF(
            (1...pages).map { HandmadePDF.Page(HandmadePDF.Page.text(rows + ["Page \($0)"])) })
        try Data(pdf.bytes).write(to: folder.url.appending(path: name))
        return folder.path(name)
    }

    private static func json(_ path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(filePath: path))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func aDrawnPageIsTheSheetOfTrueSizeAndKeepsItsWords() throws {
        let folder = try ScratchFolder()
        let pdf = try Self.write(1, as: "in.pdf", in: folder)
        let outcome = try FlattenProcess.run([
            pdf, "-o", folder.path("flat.png"), "-r", folder.path("r.json"), "--text", folder.path("t.txt"),
            "--text", folder.path("t.json"),
        ])
        #expect(outcome.exitCode == 0 && !outcome.errors.contains("own text"), "\(outcome.errors)")
        #expect(try folder.contents == ["flat.png", "in.pdf", "r.json", "t.json", "t.txt"])
        let report = try Self.json(folder.path("r.json"))
        #expect(
            report["method"] as? String == "scan"
                && report["page"] as? [String: Int] == ["index": 1, "count": 1])
        let size = try #require(report["sheet_mm"] as? [String: Double])
        // 227 x 340 points.
        #expect(abs(size["width"]! - 80.1) < 0.1 && abs(size["height"]! - 120) < 0.1)
        #expect((report["upright"] as? [String: Any])?["decided_by"] as? String == "page")
        let text = try String(contentsOfFile: folder.path("t.txt"), encoding: .utf8)
        #expect(text.split(separator: "\n").map(String.init) == Self.rows + ["Page 1"])
        let words = try String(contentsOfFile: folder.path("t.json"), encoding: .utf8)
        #expect(words.contains("\"source\" : \"pdf\""))
    }

    /// Turned by the document, as if it were to stand so.
    @Test(arguments: [90, 180, 270])
    func aPageOnItsSideOrHeadIsTurnedByItsPrintAndKeepsItsWords(rotation: Int) throws {
        let folder = try ScratchFolder()
        let page = HandmadePDF.Page(HandmadePDF.Page.text(Self.rows), rotation: rotation)
        try Data(HandmadePDF([page]).bytes).write(to: folder.url.appending(path: "in.pdf"))
        let outcome = try FlattenProcess.run([
            folder.path("in.pdf"), "-r", folder.path("r.json"), "--text", folder.path("t.txt"),
        ])
        #expect(outcome.exitCode == 0 && !outcome.errors.contains("own text"), "\(outcome.errors)")
        let text = try String(contentsOfFile: folder.path("t.txt"), encoding: .utf8)
        #expect(text.split(separator: "\n").map(String.init) == Self.rows)
        let size = try #require(try Self.json(folder.path("r.json"))["sheet_mm"] as? [String: Double])
        #expect(abs(size["width"]! - 80.1) < 0.1 && abs(size["height"]! - 120) < 0.1)
    }

    @Test func severalPagesHaveNumbersAndOneFileJoinsThem() throws {
        let folder = try ScratchFolder()
        let pdf = try Self.write(3, as: "in.pdf", in: folder)
        let outcome = try FlattenProcess.run([
            pdf, "--pages", "2-", "--text", folder.path("t.txt"), "--table", folder.path("all.csv"),
            "-r", folder.path("r.json"),
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(
            try folder.contents == [
                "all-items.csv", "all-tax.csv", "all.csv", "in.pdf", "r-1.json", "r-2.json", "t-1.txt",
                "t-2.txt",
            ])
        #expect(try String(contentsOfFile: folder.path("t-2.txt"), encoding: .utf8).contains("Page 3"))
        #expect(try Self.json(folder.path("r-1.json"))["page"] as? [String: Int] == ["index": 2, "count": 3])
        let rows = try String(contentsOfFile: folder.path("all.csv"), encoding: .utf8)
            .split(whereSeparator: \.isNewline)
        #expect(
            rows.count == 3 && rows[0].hasSuffix(",page,last_page") && rows[1].hasSuffix(",2,")
                && rows[2].hasSuffix(",3,"))
    }

    @Test(
        arguments: [
            (["--pages", "4", "-o", "flat.png"], 65, "1 to 3"),
            (["--text", "-", "--format", "json"], 64, "--pages 1"),
            (["--frame", "1", "-o", "flat.png"], 65, "--pages"),
            (["--no-programs", "-o", "flat.png"], 65, "pdftoppm"),
        ] as [([String], Int32, String)])
    func whatCannotBeIsRefusedBeforeAnythingIsWritten(options: [String], code: Int32, words: String) throws {
        let folder = try ScratchFolder()
        let pdf = try Self.write(3, as: "in.pdf", in: folder)
        let outcome = try FlattenProcess.run([pdf] + options.map { $0 == "flat.png" ? folder.path($0) : $0 })
        #expect(outcome.exitCode == code && outcome.errors.contains(words), "\(outcome.errors)")
        #expect(try folder.contents == ["in.pdf"])
    }

    @Test(arguments: [["--pages", "1-2"], ["--pages", "1-2", "--format", "markdown"]])
    func textOfSeveralPagesIsPrintedWithFormFeedsBetween(options: [String]) throws {
        let folder = try ScratchFolder()
        let pdf = try Self.write(3, as: "in.pdf", in: folder)
        let outcome = try FlattenProcess.run([pdf, "--text", "-"] + options)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let pages = outcome.text.split(separator: "\u{C}", omittingEmptySubsequences: false)
        try #require(pages.count == 2)
        #expect(pages[0].contains("Page 1") && pages[1].contains("Page 2"))
        #expect(try folder.contents == ["in.pdf"])
    }

    @Test func anOutputWithANumberIsNotPutInThePlaceOfTheDocument() throws {
        let folder = try ScratchFolder()
        let pdf = try Self.write(2, as: "in-1.pdf", in: folder)
        let outcome = try FlattenProcess.run([pdf, "--text", folder.path("in.pdf")])
        #expect(outcome.exitCode == 64 && outcome.errors.contains("would replace"), "\(outcome.errors)")
    }

    @Test func pagesAreJobsOfABatchAndWhatCannotBeOpenedFails() throws {
        let (input, output) = (try ScratchFolder(), try ScratchFolder())
        _ = try Self.write(2, as: "two.pdf", in: input)
        _ = try Self.write(1, as: "one.pdf", in: input)
        try input.write("%PDF-1.4\nbroken", as: "broken.pdf")
        try input.write("x", as: "notes.txt")
        let arguments = ["batch", input.path, "-o", output.path, "--text", "--report", "--pages", "1-2"]
        let outcome = try FlattenProcess.run(arguments)
        #expect(outcome.exitCode == 1, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("the PDF is broken")
                && outcome.errors.contains("1 other file passed over"))
        #expect(
            try output.contents == [
                ".flatten-parts", "jobs.jsonl", "one.json", "one.png", "one.txt", "two-1.json", "two-1.png",
                "two-1.txt",
                "two-2.json", "two-2.png", "two-2.txt",
            ])
        #expect(try String(contentsOfFile: output.path("two-2.txt"), encoding: .utf8).contains("Page 2"))
        let log = try String(contentsOfFile: output.path("jobs.jsonl"), encoding: .utf8)
        for name in ["two.pdf#page=1", "two.pdf#page=2", "one.pdf\"", "broken.pdf\""] {
            #expect(log.contains(name))
        }
        let before = try FileManager.default.attributesOfItem(atPath: output.path("two-2.txt"))
        let again = try FlattenProcess.run(arguments + ["--resume"])
        #expect(again.exitCode == 1 && log.split(separator: "\n").count == 4, "\(again.errors)")
        let after = try FileManager.default.attributesOfItem(atPath: output.path("two-2.txt"))
        #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
    }

    // MARK: - Receipts that go on over pages

    private static let invoice = [
        [
            "Northwind Supplies Ltd", "12 High Street", "Leeds LS1 4AB", "Invoice No 2024-0815",
            "Date: 14.03.2024", "Blue widget 4.10", "Red widget 5.20", "Carried forward 9.30", "Page 1 of 2",
        ],
        [
            "Northwind Supplies Ltd", "Invoice No 2024-0815", "Brought forward 9.30", "Green widget 6.40",
            "Total GBP 15.70", "Page 2 of 2",
        ],
    ]

    /// A folder with an invoice of two pages and a receipt of one behind it.
    private static func pile() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let pages =
            invoice + [["Corner Bakery", "12 Main Street", "03/22/2025", "Sourdough 4.20", "TOTAL 4.20"]]
        let pdf = HandmadePDF(pages.map { HandmadePDF.Page(HandmadePDF.Page.text($0)) })
        try Data(pdf.bytes).write(to: folder.url.appending(path: "in.pdf"))
        return folder
    }

    /// Each row's values of some columns, "" for none.
    private static func cells(_ columns: [String], of path: String) throws -> [[String]] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return columns.map { column in
                row?[column].flatMap { $0 is NSNull ? nil : "\($0)" } ?? ""
            }
        }
    }

    private static let table = ["merchant", "total", "page", "last_page"]
    private static let rowsOfPile = [
        ["Northwind Supplies Ltd", "15.70", "1", "2"], ["Corner Bakery", "4.20", "3", ""],
    ]

    /// A page of 227 x 340 points is a picture of 946 x 1417 pixels, which are 227.04 x 340.08 points.
    @Test(arguments: [("sheet", "227.040 340.080"), ("original", "227.000 340.000")])
    func mergedPagesAreAsLargeAsTheSheetsOrAsThePagesWere(size: String, box: String) throws {
        let folder = try ScratchFolder()
        let pdf = try Self.write(2, as: "in.pdf", in: folder)
        for batch in [false, true] {
            let outcome = try FlattenProcess.run(
                (batch ? ["batch", pdf, "-o", folder.path("out"), "--no-picture"] : [pdf])
                    + ["--merge", folder.path("all.pdf"), "--merge-size", size])
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            let merged = String(
                decoding: try Data(contentsOf: URL(filePath: folder.path("all.pdf"))), as: UTF8.self)
            #expect(merged.components(separatedBy: "/MediaBox [0 0 \(box)]").count == 3, "batch: \(batch)")
        }
    }

    @Test func aSizeOfPagesIsThatOfAMergedFile() throws {
        let outcome = try FlattenProcess.run(["in.pdf", "--text", "-", "--merge-size", "original"])
        #expect(outcome.exitCode == 64 && outcome.errors.contains("--merge-size goes with --merge"))
    }

    @Test func aReceiptOnTwoPagesIsToldOfOnItsFirst() throws {
        let folder = try Self.pile()
        let outcome = try FlattenProcess.run([
            folder.path("in.pdf"), "--fields", folder.path("f.json"), "-r", folder.path("r.json"), "--table",
            folder.path("t.jsonl"), "--merge", folder.path("all.pdf"),
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let first = try Self.json(folder.path("f-1.json"))
        #expect(first["total"] as? String == "15.70" && first["pages"] as? [Int] == [1, 2])
        #expect((first["items"] as? [Any])?.count == 3 && first["contradictions"] as? [String] == [])
        let second = try Self.json(folder.path("f-2.json"))
        #expect(second["total"] is NSNull && second["pages"] as? [Int] == [1, 2])
        let reason = (second["missing"] as? [String: String])?["total"]
        #expect(reason?.hasPrefix("the receipt of page 1 goes on here") == true)
        #expect(try Self.json(folder.path("f-3.json"))["pages"] is NSNull)
        let report = try Self.json(folder.path("r-1.json"))
        #expect(report["receipt_pages"] as? [Int] == [1, 2])
        let total = (report["fields"] as? [String: Any])?["total"] as? [String: Any]
        let polygon = try #require(total?["polygon"] as? [String: Any])
        #expect(polygon["page"] as? Int == 2)
        // The total stands above the second page's middle, four rows from its top.
        let corner = try #require((polygon["mm"] as? [[Double]])?.first)
        let rest = try Self.json(folder.path("r-2.json"))
        let height = try #require(rest["size_mm"] as? [String: Double])["height"] ?? 0
        #expect(corner[1] > 0 && corner[1] < height / 2)
        #expect(rest["fields"] is NSNull && rest["fields_missing"] as? String == reason)
        #expect(try Self.cells(Self.table, of: folder.path("t.jsonl")) == Self.rowsOfPile)
        let merged = try Data(contentsOf: URL(filePath: folder.path("all.pdf")))
        #expect(String(decoding: merged, as: UTF8.self).components(separatedBy: "/Dest [").count == 3)
    }

    @Test(arguments: [("none", [1, 2, 3]), ("all", [1])])
    func whichPagesAreOneReceiptCanBeSaid(joining: String, pages: [Int]) throws {
        let folder = try Self.pile()
        let outcome = try FlattenProcess.run([
            folder.path("in.pdf"), "--table", folder.path("t.jsonl"), "--join-pages", joining,
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try Self.cells(["page"], of: folder.path("t.jsonl")) == pages.map { ["\($0)"] })
    }

    /// A file for each of the pile's pages.
    private static func files(in folder: ScratchFolder) throws -> [String] {
        let pages =
            invoice + [["Corner Bakery", "12 Main Street", "03/22/2025", "Sourdough 4.20", "TOTAL 4.20"]]
        return try pages.enumerated().map { index, rows in
            let path = folder.path("page-\(index + 1).pdf")
            let pdf = HandmadePDF([HandmadePDF.Page(HandmadePDF.Page.text(rows))])
            try Data(pdf.bytes).write(to: URL(filePath: path))
            return path
        }
    }

    @Test func severalCapturesAreThePagesOfOneDocument() throws {
        let folder = try ScratchFolder()
        let outcome = try FlattenProcess.run(
            try Self.files(in: folder) + [
                "-r", folder.path("r.json"), "--fields", folder.path("f.json"), "--table",
                folder.path("t.jsonl"), "--merge", folder.path("all.pdf"),
            ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try Self.cells(Self.table, of: folder.path("t.jsonl")) == Self.rowsOfPile)
        for page in 1...3 {
            let report = try Self.json(folder.path("r-\(page).json"))
            #expect(report["page"] as? [String: Int] == ["index": page, "count": 3])
        }
        let first = try Self.json(folder.path("f-1.json"))
        #expect(first["total"] as? String == "15.70" && first["pages"] as? [Int] == [1, 2])
    }

    @Test(arguments: [
        (["--corners", "1,1", "9,1", "9,9", "1,9"], 64, "--corners is of one photograph"),
        (["--depth", "d.png"], 64, "--depth is of one capture"),
        (["--pages", "1"], 64, "--pages is of one capture"),
        (["--frame", "2"], 64, "--frame is of one capture"),
    ])
    func whatIsOfOneCaptureIsRefusedForSeveral(options: [String], code: Int32, message: String) throws {
        let folder = try ScratchFolder()
        let files = try Self.files(in: folder)
        let outcome = try FlattenProcess.run(files + ["-r", folder.path("r.json")] + options)
        #expect(outcome.exitCode == code && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(try folder.contents == ["page-1.pdf", "page-2.pdf", "page-3.pdf"])
    }

    @Test func ofSeveralCapturesNoneIsReplacedAndNoneIsMadeFlatWhereOneIsMissing() throws {
        let folder = try ScratchFolder()
        let files = try Self.files(in: folder)
        // The second would be replaced by an output with its number.
        let replaced = try FlattenProcess.run(files + ["--text", folder.path("page.pdf")])
        #expect(replaced.exitCode == 64 && replaced.errors.contains("would replace"), "\(replaced.errors)")
        let missing = try FlattenProcess.run(files + [folder.path("page-4"), "-r", folder.path("r.json")])
        #expect(missing.exitCode == 74 && missing.errors.contains("page-4"), "\(missing.errors)")
        #expect(try folder.contents == ["page-1.pdf", "page-2.pdf", "page-3.pdf"])
    }

    @Test func whatPagesSayStaysWhereOneBehindThemCannotBeRead() throws {
        let folder = try ScratchFolder()
        var pdf = HandmadePDF(Self.invoice.map { HandmadePDF.Page(HandmadePDF.Page.text($0)) })
        // A page that is not there.
        pdf.statedCount = 3
        try Data(pdf.bytes).write(to: folder.url.appending(path: "in.pdf"))
        let outcome = try FlattenProcess.run([folder.path("in.pdf"), "--fields", folder.path("f.json")])
        #expect(outcome.exitCode == 65, "\(outcome.errors)")
        #expect(try folder.contents == ["f-1.json", "f-2.json", "in.pdf"])
        #expect(try Self.json(folder.path("f-1.json"))["total"] as? String == "15.70")
    }

    @Test func aBatchGivesAReceiptOnTwoPagesOneRow() throws {
        let folder = try Self.pile()
        let outcome = try FlattenProcess.run([
            "batch", folder.path("in.pdf"), "-o", folder.path("out"), "--table", folder.path("t.jsonl"),
            "--merge",
            folder.path("all.pdf"), "-j", "1",
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try Self.cells(Self.table, of: folder.path("t.jsonl")) == Self.rowsOfPile)
        let merged = try Data(contentsOf: URL(filePath: folder.path("all.pdf")))
        #expect(String(decoding: merged, as: UTF8.self).components(separatedBy: "/Dest [").count == 3)
    }

    /// Also in shards, which know but some of the pages.
    @Test(arguments: [[[]], [["--shard", "1/2"], ["--shard", "2/2"], ["--resume"]]])
    func aBatchWritesWhatFlattenAloneWritesOfAReceiptOnTwoPages(runs: [[String]]) throws {
        let folder = try Self.pile()
        let alone = try FlattenProcess.run([
            folder.path("in.pdf"), "--fields", folder.path("in.fields.json"), "-r", folder.path("in.json"),
            "--reproducible",
        ])
        #expect(alone.exitCode == 0, "\(alone.errors)")
        let batch = [
            "batch", folder.path("in.pdf"), "-o", folder.path("out"), "--fields", "--report", "--no-picture",
            "--page",
        ]
        for run in runs {
            let outcome = try FlattenProcess.run(batch + run)
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
        }
        func modified(_ name: String) throws -> Date? {
            try FileManager.default.attributesOfItem(atPath: folder.path("out/" + name))[.modificationDate]
                as? Date
        }
        let names = (1...3).flatMap { ["in-\($0).fields.json", "in-\($0).json"] }
        for name in names {
            #expect(
                try Data(contentsOf: URL(filePath: folder.path("out/" + name)))
                    == Data(contentsOf: URL(filePath: folder.path(name))), "\(name)")
        }
        let index = try String(contentsOfFile: folder.path("out/index.html"), encoding: .utf8)
        #expect(index.contains("15.70") && index.contains("the receipt of page 1 goes on here"))
        // What was written anew stands as the log says.
        let before = try names.map(modified)
        let again = try FlattenProcess.run(batch + ["--resume"])
        #expect(again.errors.components(separatedBy: "done earlier").count == 4, "\(again.errors)")
        #expect(try names.map(modified) == before)
    }

    @Test(arguments: [("auto", [1, 2]), ("none", nil), ("all", [1, 2, 3])])
    func aBatchJoinsPagesAsItIsToldAlsoWhereSheetsHaveNumbers(joining: String, pages: [Int]?) throws {
        let folder = try Self.pile()
        let outcome = try FlattenProcess.run([
            "batch", folder.path("in.pdf"), "-o", folder.path("out"), "--fields", "--no-picture", "--sheets",
            "all", "--join-pages", joining,
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let first = try Self.json(folder.path("out/in-1-1.fields.json"))
        #expect(first["pages"] as? [Int] == pages)
    }

    @Test func aBatchWithoutPartsLeavesThoseOfAnother() throws {
        let folder = try Self.pile()
        let parts = folder.url.appending(path: "out/.flatten-parts")
        for options in [["--fields"], ["--text"]] {
            let outcome = try FlattenProcess.run(
                ["batch", folder.path("in.pdf"), "-o", folder.path("out"), "--no-picture"] + options)
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: parts.path()).count == 3)
        }
    }

    @Test func anArchiveTakesPagesOfABatchInTheirOrder() throws {
        let folder = try ScratchFolder()
        // Ten pages: by their names the tenth would be the second.
        let pages = (1...10).map { page in
            Self.invoice[0].dropLast(2) + ["Widget \(page) 4.10", "Page \(page) of 10"]
                + (page == 10 ? ["Total GBP 41.00"] : [])
        }
        let pdf = HandmadePDF(pages.map { HandmadePDF.Page(HandmadePDF.Page.text(Array($0))) })
        try Data(pdf.bytes).write(to: folder.url.appending(path: "in.pdf"))
        let batch = try FlattenProcess.run([
            "batch", folder.path("in.pdf"), "-o", folder.path("out"), "--report", "--text",
        ])
        #expect(batch.exitCode == 0, "\(batch.errors)")
        let added = try FlattenProcess.run([
            "archive", "add", "--batch", folder.path("out"), "--archive", folder.path("archive"), "--json",
        ])
        #expect(added.exitCode == 0, "\(added.errors)")
        let documents = try #require(
            try JSONSerialization.jsonObject(with: Data(added.output)) as? [[String: Any]])
        try #require(documents.count == 1)
        let id = try #require(documents[0]["id"])
        let shown = try FlattenProcess.run([
            "archive", "show", "\(id)", "--archive", folder.path("archive"), "--json",
        ])
        let places = (1...10).map { shown.text.firstRange(of: "Page \($0) of 10")?.lowerBound }
        #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted())
    }

    @Test func anArchiveKeepsAReceiptOnTwoPagesAsOneDocument() throws {
        let folder = try Self.pile()
        let added = try FlattenProcess.run([
            "archive", "add", folder.path("in.pdf"), "--archive", folder.path("archive"), "--json",
        ])
        #expect(added.exitCode == 0, "\(added.errors)")
        let documents = try #require(
            try JSONSerialization.jsonObject(with: Data(added.output)) as? [[String: Any]])
        #expect(documents.count == 2)
    }
}
