import DocumentArchive
import DrawnReceipts
import Foundation
import Imaging
import ReceiptFlattening
import TestSupport
import Testing

@testable import flatten

/// `flatten archive`: what its commands show and leave, and how each ends. What an archive does is tested with the library.
@Suite struct ArchiveCommandTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.path("papers")
    }

    private func run(_ words: String...) throws -> FlattenProcess.Outcome {
        try FlattenProcess.run(["archive"] + words + ["--archive", path])
    }

    /// A small photograph of the drawn receipt.
    private func photograph(as name: String) throws -> String {
        try FileManager.default.createDirectory(
            at: URL(filePath: folder.path(name)).deletingLastPathComponent(),
            withIntermediateDirectories: true)
        try DrawnReceipt.capture().image.write(to: URL(filePath: folder.path(name)))
        return folder.path(name)
    }

    @Test func aSecondSheetThatIsNotMadeFlatIsNoSecondDocument() throws {
        // Its flat image would be the whole photograph, which shows the receipt once more.
        let added = try run("add", "Photographs/norway.jpg")
        #expect(added.exitCode == 0, "\(added.errors)")
        #expect(added.text.split(separator: "\n").count == 1, "\(added.text)")
    }

    @Test func whatIsAddedIsListedShownChangedAndExported() throws {
        let photograph = try photograph(as: "IMG.png")
        let added = try run("add", photograph, "--tag", "office", "--quiet")
        #expect(added.exitCode == 0 && added.text.split(separator: "\n").count == 1, "\(added.errors)")
        let id = String(added.text.prefix(8))
        let again = try run("add", photograph)
        #expect(
            again.exitCode == 0 && again.text.isEmpty && again.errors.contains("is in the archive already"))

        #expect(try run("list", "--tag", "office").text == added.text)
        #expect(try run("list", "nothing-like-it").text.isEmpty)
        let shown = try run("show", id).text
        #expect(shown.contains("original\tIMG.png") && shown.contains("tags\toffice"))
        #expect(try run("show", id, "--file", "original", "-o", folder.path("back.png")).exitCode == 0)
        #expect(
            try Data(contentsOf: URL(filePath: folder.path("back.png")))
                == Data(contentsOf: URL(filePath: photograph)))

        #expect(try run("set", id, "merchant=Groß; GmbH", "total=12.50", "date=2026-03-02").exitCode == 0)
        #expect(try run("list", "gross").text.contains("2026-03-02\t"))
        #expect(try run("set", id, "total=12,50").exitCode == 65)
        let sum = try run("totals", "--by", "merchant", "--since", "2026-03-01").text
        #expect(sum.hasPrefix("Groß; GmbH\t12.50\t") && sum.hasSuffix("\t1\t0\n"), "\(sum)")
        #expect(try run("totals", "--until", "2026-03-01").text.isEmpty)
        for name in ["all.csv", "all.jsonl"] {
            #expect(try run("export", folder.path(name)).exitCode == 0)
            #expect(try String(contentsOfFile: folder.path(name), encoding: .utf8).contains("Groß; GmbH"))
        }
        try folder.write("merchant groß = expenses:food\n", as: "rules")
        #expect(
            try run("set", id, "currency=EUR").exitCode == 0
                && run("export", folder.path("x.journal"), "--rules", folder.path("rules")).exitCode == 0)
        #expect(
            try String(contentsOfFile: folder.path("x.journal"), encoding: .utf8)
                .contains("expenses:food  12.50 EUR"))
        for name in ["new.csv", "new.pdf", "new.jsonl", "new"] {
            // What has no contact is not written, so it stays new.
            #expect(try run("export", folder.path("\(name).vcf"), "--new-for", name).exitCode == 0)
            #expect(!FileManager.default.fileExists(atPath: folder.path("\(name).vcf")))
            #expect(try run("list", "--new-for", name).text.hasPrefix(id))
            #expect(try run("export", folder.path(name), "--new-for", name).exitCode == 0)
            #expect(FileManager.default.fileExists(atPath: folder.path(name)))
            #expect(try run("list", "--new-for", name).text.isEmpty)
        }
        let lines = try String(contentsOfFile: folder.path("new.jsonl"), encoding: .utf8)
        #expect(lines.contains(#""exported":{}"#) && !lines.contains("new.csv"))
        // A transaction without a rule is in the journal, a card is in none.
        try folder.write("merchant nobody = expenses:food\n", as: "no-rules")
        let journal = try run(
            "export", folder.path("new.journal"), "--new-for", "books", "--rules", folder.path("no-rules"))
        #expect(journal.exitCode == 0 && journal.errors.contains("no rule says"), "\(journal.errors)")
        #expect(try run("list", "--new-for", "books").text.isEmpty)
        let refused = try run("export", folder.path("new.csv"), "--new-for", "x")
        #expect(refused.exitCode == 74 && refused.errors.contains("something of this name"))
        let nothing = try run("export", folder.path("other.csv"), "--new-for", "new.csv")
        #expect(nothing.exitCode == 0 && nothing.errors.contains("nothing is new for new.csv"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("other.csv")))
        #expect(try run("show", id).text.contains("exported\tnew.pdf\t"))
        #expect(try run("check").exitCode == 0 && run("undo", id).exitCode == 0)

        #expect(try run("export", folder.path("plain")).exitCode == 0)
        #expect(try run("backup", folder.path("copy")).exitCode == 0)
        #expect(try run("remove", id).exitCode == 0 && run("list").text.isEmpty)
        #expect(try run("import", folder.path("plain")).exitCode == 0)
        #expect(try run("list").text.hasPrefix(id))
        #expect(try run("restore", folder.path("copy")).exitCode == 74)
    }

    @Test func whatABatchWroteIsTakenWithoutFlatteningItAgain() throws {
        _ = try photograph(as: "inbox/IMG.png")
        let words = [
            "batch", folder.path("inbox"), "-o", folder.path("out"), "--report", "--text", "--quiet",
        ]
        #expect(try FlattenProcess.run(words).exitCode == 0)
        let added = try run("add", "--batch", folder.path("out"), "--tag", "batch")
        #expect(added.exitCode == 0 && added.text.split(separator: "\n").count == 1, "\(added.errors)")
        let document = try #require(
            try DocumentArchive(path: path, access: .existing).documents().first)
        #expect(document.files.map(\.role) == [.original, .flat, .thumbnail] && document.tags == ["batch"])
        #expect(
            try document.text == String(contentsOfFile: folder.path("out/IMG.txt"), encoding: .utf8)
                && !document.text.isEmpty)
        let again = try run("add", "--batch", folder.path("out"))
        #expect(again.text.isEmpty && again.errors.contains("is in the archive already"))

        // Of what was blacked out no photograph is kept.
        let hidden = [
            "batch", folder.path("inbox"), "-o", folder.path("hidden"), "--report", "--text",
            "--redact=phones",
        ]
        #expect(try FlattenProcess.run(hidden).exitCode == 0)
        #expect(try run("add", "--batch", folder.path("hidden"), "--tag", "hidden").exitCode == 0)
        #expect(try run("add", "--batch", folder.path("hidden"), "--tag", "hidden").text.isEmpty)
        var query = ArchiveQuery()
        query.tag = "hidden"
        #expect(
            try DocumentArchive(path: path, access: .existing).documents(query).map { $0.files.map(\.role) }
                == [
                    [.flat, .thumbnail]
                ])
        #expect(try run("add", "--batch", folder.path("inbox")).exitCode != 0)
    }

    @Test func aWatchedFolderIsTakenOnceAndFailuresAreSetAside() throws {
        try folder.write("no picture", as: "inbox/broken.jpg")
        try folder.write("", as: "inbox/empty.jpg")
        try folder.write("x", as: "inbox/.hidden.jpg")
        _ = try photograph(as: "inbox/IMG.png")
        let first = try run("watch", folder.path("inbox"), "--once", "--every", "0.05")
        #expect(first.exitCode == 1, "\(first.errors)")
        #expect(first.errors.contains("IMG.png was added") && first.errors.contains("broken.jpg: "))
        let second = try run("watch", folder.path("inbox"), "--once", "--every", "0.05")
        #expect(second.exitCode == 0 && second.errors.isEmpty)
        #expect(try run("list").text.split(separator: "\n").count == 1)
        #expect(
            try run("watch", folder.path("inbox"), "--failures").text.hasPrefix(
                folder.path("inbox/broken.jpg")))
        try folder.write("still none", as: "inbox/broken.jpg")
        #expect(
            try run("watch", folder.path("inbox"), "--once", "--every", "0.05").errors.contains(
                "broken.jpg: "))
    }

    @Test func aFileIsTakenOnlyWhenItHasNotChangedBetweenTwoLooks() throws {
        try folder.write("a", as: "inbox/slow.jpg")
        var watch = FolderWatch(folder: folder.path("inbox"))
        #expect(try watch.look().isEmpty && !watch.isQuiet)
        try folder.write("a longer one", as: "inbox/slow.jpg")
        #expect(try watch.look().isEmpty && !watch.isQuiet)
        #expect(try watch.look() == [folder.path("inbox/slow.jpg")] && watch.isQuiet)
        #expect(try watch.look().isEmpty && watch.isQuiet)
        watch.giveAgain(folder.path("inbox/slow.jpg"))
        #expect(try !watch.isQuiet && watch.look() == [folder.path("inbox/slow.jpg")])
        try FileManager.default.removeItem(atPath: folder.path("inbox/slow.jpg"))
        #expect(try watch.look().isEmpty && watch.isQuiet)
    }

    @Test(
        arguments: [
            ["add"], ["add", "-"], ["set", "abcd"], ["set", "abcd", "total"],
            ["list", "--since", "yesterday"],
            ["list", "--least", "much"], ["show", "a", "b", "-o", "x"], ["export", "x.journal"],
            ["watch", "x", "--every", "0"], ["reread", "--reader", "nobody"],
            ["watch", "x", "--jobs", "0"],
        ])
    func wrongUsageIsRefusedBeforeAnythingIsMade(_ words: [String]) throws {
        let outcome = try FlattenProcess.run(["archive"] + words + ["--archive", path])
        #expect(outcome.exitCode == 64, "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func anArchiveWithAPassphraseIsReadWithThatOnly() throws {
        try folder.write("geheim\nsecond line", as: "key")
        try folder.write("", as: "none")
        chmod(folder.path("key"), 0o600)
        let key = ["--passphrase-file", folder.path("key")]
        func run(_ words: [String]) throws -> FlattenProcess.Outcome {
            try FlattenProcess.run(["archive"] + words + ["--archive", path])
        }
        let photograph = try photograph(as: "inbox/IMG.png")
        let added = try run(["watch", folder.path("inbox"), "--once", "--every", "0.05"] + key)
        #expect(added.exitCode == 0 && added.errors.contains("IMG.png was added"), "\(added.errors)")
        let again = try run(["add", photograph] + key)
        #expect(again.exitCode == 0 && again.errors.contains("is in the archive already"))
        #expect(!again.errors.contains("chmod"))
        let list = try run(["list"] + key)
        #expect(list.exitCode == 0 && list.text.split(separator: "\n").count == 1)
        let plain = try run(["list"])
        #expect(plain.exitCode == 65 && plain.errors.contains("--passphrase-file"), "\(plain.errors)")
        #expect(try run(["list", "--passphrase-file", folder.path("none")]).exitCode == 65)
        chmod(folder.path("key"), 0o644)
        #expect(try run(["check"] + key).errors.contains("chmod 600"))
        let opened = try FlattenProcess.run([
            "archive", "restore", path, "--backup-passphrase-file", folder.path("key"), "--archive",
            folder.path("open"),
        ])
        #expect(opened.exitCode == 0, "\(opened.errors)")
        #expect(
            try FlattenProcess.run(["archive", "list", "--archive", folder.path("open")]).text == list.text)
    }

    @Test func aDocumentIsReadAgainAndTakenOnlyWhereThatIsSaid() throws {
        let photograph = try photograph(as: "IMG.png")
        let id = String(try run("add", photograph, "--quiet").text.prefix(8))
        let none = try run("reread")
        #expect(none.exitCode == 0 && none.errors.contains("0 documents were read"))
        // As a former version might have read it.
        let archive = try DocumentArchive(path: path)
        let document = try #require(try archive.documents().first)
        var former = NewDocument()
        former.read = document.read
        former.read["total"] = .init("1.00", confidence: 0.9)
        former.program = "receipt-flattening 0.0"
        former.files = [.init(.flat, name: "flat.png", content: Data("flat".utf8))]
        try archive.reread(document.id, as: former)
        let total = try #require(document.read["total"]?.text)
        #expect(try run("list", "--outdated").text.hasPrefix(id))
        let shown = try run("reread")
        #expect(
            shown.text.hasPrefix(id) && shown.text.hasSuffix("\n\ttotal\t1.00\t\(total)\n"), "\(shown.text)")
        #expect(shown.errors.contains("--take takes that over"))
        #expect(try archive.document(document.id)?.read["total"]?.text == "1.00")
        let taken = try run("reread", "--take", "--json")
        #expect(taken.exitCode == 0 && taken.text.contains("\"name\" : \"total\""), "\(taken.errors)")
        let now = try #require(try archive.document(document.id))
        #expect(now.read == document.read && now.files.map(\.hash) == document.files.map(\.hash))
        #expect(try run("list", "--outdated").text.isEmpty && archive.check().isEmpty)
        #expect(try archive.undo(document.id).read["total"]?.text == "1.00")
        // One without its photograph cannot be read again.
        former.files = [.init(.flat, name: "flat.png", content: Data("another".utf8))]
        let alone = try #require(try archive.add([former], originals: [])?.first)
        let refused = try run("reread", alone.id.uuidString)
        #expect(refused.exitCode == 65 && refused.errors.contains("no original"), "\(refused.errors)")
        // Of several the others go on.
        let both = try run("reread", alone.id.uuidString, id, id)
        #expect(
            both.exitCode == 1 && both.text.hasPrefix(id) && both.errors.contains("1 documents were read"),
            "\(both.errors)")
    }

    @Test func cardsAreAddedListedMergedAndExportedFromAnArchive() throws {
        let archive = try DocumentArchive(path: path)
        for (name, mail) in [
            ("Anna Huber", "anna@firm.example"), ("Anna Huber", "a@x.example"), ("Bert Koch", ""),
        ] {
            var card = NewDocument()
            card.read = [
                "kind": .init("business_card", confidence: 1), "name": .init(name, confidence: 0.9),
                "organisation": .init("Firm GmbH", confidence: 0.9),
            ]
            card.read["email"] = mail.isEmpty ? nil : .init(mail, confidence: 0.9)
            card.text = name
            try archive.add(
                [card], originals: [.init(.original, name: "a.jpg", content: Data((name + mail).utf8))])
        }
        func cards(_ words: String...) throws -> FlattenProcess.Outcome {
            try FlattenProcess.run(["cards"] + words + ["--store", path])
        }
        let lines = try cards("list").text.split(separator: "\n")
        #expect(lines.count == 3 && lines[2].hasSuffix("\tBert Koch\tFirm GmbH\t\t\t"), "\(lines)")
        let ids = lines.map { String($0.prefix(8)) }
        #expect(try cards("search", "bert").text.hasPrefix(ids[2]))
        #expect(try cards("duplicates").text.split(separator: "\n").count == 2)
        let merged = try cards("merge", "--all")
        #expect(
            merged.exitCode == 0 && merged.text.contains("anna@firm.example, a@x.example"), "\(merged.text)")
        #expect(try cards("export", ids[2], "-o", folder.path("c.vcf")).exitCode == 0)
        #expect(try String(contentsOfFile: folder.path("c.vcf"), encoding: .utf8).contains("FN:Bert Koch"))
        #expect(
            try cards("remove", ids[2]).exitCode == 0 && cards("list").text.split(separator: "\n").count == 1)
        // What is no card is not touched by what is said of contacts.
        let receipt = try #require(
            try archive.add(
                [NewDocument()], originals: [.init(.original, name: "r.jpg", content: Data("r".utf8))])?.first
        )
        #expect(
            try cards("remove", receipt.id.uuidString).exitCode == 65 && archive.document(receipt.id) != nil)
        let photograph = try photograph(as: "receipt.png")
        let added = try cards("add", photograph, "--quiet")
        #expect(added.exitCode == 1 && added.errors.contains("no contact was found"), "\(added.errors)")
        let store = try FlattenProcess.run([
            "cards", "merge", "a", "b", "--store", folder.path("cards.store"),
        ])
        #expect(store.exitCode != 0)
    }

    @Test func theSystemSaysWhichFilesAreComplete() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("inbox"), withIntermediateDirectories: true)
        let events = FolderEvents(folder: folder.path("inbox"))
        try folder.write("a", as: "inbox/a.jpg")
        try folder.write("b", as: "b.jpg")
        try FileManager.default.moveItem(atPath: folder.path("b.jpg"), toPath: folder.path("inbox/b.jpg"))
        let started = ContinuousClock.now
        var names = events.wait(seconds: 30)
        #if os(Linux)
            #expect(
                names.contains("a.jpg") && names.contains("b.jpg")
                    && started.duration(to: .now) < .seconds(20))
        #endif
        names = events.wait(seconds: 0.05)
        #expect(names.isEmpty)
        // One that is open for writing is not complete, whatever its size.
        let file = try #require(fopen(folder.path("inbox/c.jpg"), "w"))
        fputs("half", file)
        fflush(file)
        #expect(events.wait(seconds: 0.05).isEmpty)
        fclose(file)
        #if os(Linux)
            #expect(events.wait(seconds: 30) == ["c.jpg"])
        #endif
        var watch = FolderWatch(folder: folder.path("inbox"), patience: .seconds(60))
        // What woke the watch up says nothing of other files: they wait.
        #expect(try watch.look().isEmpty && watch.look().isEmpty)
        #expect(try watch.look(complete: ["a.jpg"]) == [folder.path("inbox/a.jpg")])
    }

    @Test func anEmptyFolderIsNoCapture() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("empty"), withIntermediateDirectories: true)
        let outcome = try run("add", folder.path("empty"))
        #expect(outcome.exitCode == 65 && outcome.errors.contains("error: "), "\(outcome.errors)")
    }

    @Test func anArchiveThatIsNotThereIsAnErrorOfReading() throws {
        for words in [["list"], ["check"], ["show", "abcd"], ["export", folder.path("x")]] {
            #expect(try FlattenProcess.run(["archive"] + words + ["--archive", path]).exitCode == 74)
        }
        #expect(try folder.contents.isEmpty)
    }

    /// An import that is killed at any moment leaves whole documents, each with all its files, and can be done again.
    @Test func aKilledImportLeavesAWholeArchive() throws {
        let source = try DocumentArchive(path: folder.path("source"))
        for number in 0..<12 {
            var document = NewDocument()
            document.text = "document \(number)"
            document.files = [
                .init(
                    .flat, name: "flat.png",
                    content: Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* number) }))
            ]
            let photograph = NewDocument.File(
                .original, name: "a.jpg", content: Data("photograph \(number)".utf8))
            try source.add([document], originals: [photograph])
        }
        try source.export(to: folder.path("plain"))
        for pause in [2, 5, 9, 14, 20, 30] {
            let process = Process()
            process.executableURL = FlattenProcess.binary
            process.arguments = ["archive", "import", folder.path("plain"), "--archive", path]
            process.standardError = FileHandle.nullDevice
            try process.run()
            usleep(UInt32(pause * 1000))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            // One that was killed before it began has made no archive.
            guard FileManager.default.fileExists(atPath: path) else { continue }
            #expect(try DocumentArchive(path: path).check().isEmpty, "killed after \(pause) ms")
        }
        #expect(try run("import", folder.path("plain")).exitCode == 0)
        #expect(try DocumentArchive(path: path, access: .existing).count() == 12)
    }
}
