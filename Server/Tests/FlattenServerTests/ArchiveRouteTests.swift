import DocumentArchive
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import ReceiptFlattening
import Testing

@testable import FlattenServer

/// The archive over HTTP: what was flattened is kept, found, mended and removed.
@Suite(.serialized) struct ArchiveRouteTests {
    private struct Document: Decodable {
        struct Value: Decodable { var text: String }
        struct File: Decodable { var role, name: String }
        var id: String
        var read: [String: Value]
        var entered: [String: String]
        var tags: [String]
        var notes: String
        var files: [File]
    }

    private struct Sum: Decodable {
        var count: Int
        var withoutSum: Int
    }
    private struct Page: Decodable {
        struct Entry: Decodable {
            var id: String
            var merchant: String?
        }
        var count: Int
        var documents: [Entry]
    }

    private func decoded<Value: Decodable>(_ answer: Caller.Answer, as type: Value.Type = Value.self) throws
        -> Value
    {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Value.self, from: Data(answer.body.readableBytesView))
    }

    /// Flattens the sample, as often as there are pages, and waits for it.
    private func job(_ caller: Caller, request: String = "{}", pages: Int = 1) async throws -> String {
        let photograph = try Data(contentsOf: FlattenServiceTests.sample)
        let boundary = "----parts"
        var body = ByteBuffer()
        let images = Array(repeating: ("image", photograph), count: pages)
        for (name, content) in images + [("request", Data(request.utf8))] {
            body.writeString("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n")
            body.writeBytes(content)
            body.writeString("\r\n")
        }
        body.writeString("--\(boundary)--\r\n")
        struct Job: Decodable { var id, state: String }
        let started: Job = try await caller.execute(
            uri: "/v1/flatten?async=1", method: .post,
            headers: [.contentType: "multipart/form-data; boundary=\(boundary)"], body: body
        ) { try decoded($0) }
        let done: Job = try await caller.execute(uri: "/v1/jobs/\(started.id)?wait=60", method: .get) {
            try decoded($0)
        }
        #expect(done.state == "done")
        return done.id
    }

    private static let json: HTTPFields = [.contentType: "application/json"]

    @Test func anEncryptedArchiveIsServedToo() async throws {
        let papers = FileManager.default.temporaryDirectory.appending(path: "papers-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: papers) }
        try DocumentArchive(path: papers, passphrase: "geheim").add([NewDocument()], originals: [])
        try await FlattenServiceTests().serve {
            $0.archive = papers
            $0.archivePassphrase = "geheim"
        } _: { caller, _ in
            let page: Page = try await caller.execute(uri: "/v1/archive", method: .get) { try decoded($0) }
            #expect(page.documents.count == 1)
            let id = try #require(page.documents.first?.id)
            try await caller.execute(uri: "/v1/archive/\(id)", method: .delete) {
                #expect($0.status == .noContent)
            }
        }
        #expect(try DocumentArchive(path: papers, passphrase: "geheim").count() == 0)
    }

    @Test func whatWasFlattenedIsKeptFoundMendedAndRemoved() async throws {
        let papers = FileManager.default.temporaryDirectory.appending(path: "papers-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: papers) }
        try await FlattenServiceTests().serve {
            $0.archive = papers
        } _: { caller, _ in
            let outputs = #"{"outputs": ["image.png", "text.txt", "receipt.pdf"]}"#
            let job = try await job(caller, request: outputs)
            let keeping = ByteBuffer(
                string: #"{"job": "\#(job)", "values": {"merchant": "Groß"}, "tags": ["office"]}"#)
            let kept: [Document] = try await caller.execute(
                uri: "/v1/archive", method: .post, headers: Self.json, body: keeping
            ) {
                #expect($0.status == .created)
                return try decoded($0)
            }
            let document = try #require(kept.first)
            #expect(roles(document) == ["original", "flat", "pdf", "thumbnail"])
            #expect(document.entered == ["merchant": "Groß"] && document.tags == ["office"])
            // Kept twice it is there once, with what was entered the second time.
            let noted = ByteBuffer(string: #"{"job": "\#(job)", "notes": "once more"}"#)
            let again: [Document] = try await caller.execute(
                uri: "/v1/archive", method: .post, headers: Self.json, body: noted
            ) {
                #expect($0.status == .ok)
                return try decoded($0)
            }
            #expect(again.map(\.id) == [document.id] && again.first?.notes == "once more")

            let sums: [Sum] = try await caller.execute(
                uri: "/v1/archive/totals?by=all&words=gross", method: .get
            ) {
                try decoded($0)
            }
            #expect(sums.map { $0.count + $0.withoutSum } == [1])
            let page: Page = try await caller.execute(uri: "/v1/archive?words=gross", method: .get) {
                try decoded($0)
            }
            #expect(page.count == 1 && page.documents.map(\.merchant) == ["Groß"])
            let original = try Data(contentsOf: FlattenServiceTests.sample)
            try await caller.execute(uri: "/v1/archive/\(document.id)/files/original", method: .get) {
                #expect(Data($0.body.readableBytesView) == original)
                #expect($0.headers[.contentType] == "application/octet-stream")
                #expect($0.headers[.contentDisposition] == "attachment")
            }
            try await caller.execute(uri: "/v1/archive/\(document.id)/files/thumbnail", method: .get) {
                #expect($0.headers[.contentType] == "image/jpeg" && $0.status == .ok)
            }

            let patch = ByteBuffer(
                string: #"{"values": {"total": "12.50", "merchant": null}, "notes": "paid"}"#)
            let changed: Document = try await caller.execute(
                uri: "/v1/archive/\(document.id)", method: .patch, headers: Self.json, body: patch
            ) { try decoded($0) }
            #expect(changed.entered == ["total": "12.50"] && changed.notes == "paid")
            let undone: Document = try await caller.execute(
                uri: "/v1/archive/\(document.id)/undo", method: .post
            ) {
                try decoded($0)
            }
            #expect(undone.entered == ["merchant": "Groß"] && undone.notes == "once more")

            try await caller.execute(uri: "/v1/archive/\(document.id)", method: .delete) {
                #expect($0.status == .noContent)
            }
            try await caller.execute(uri: "/v1/archive/\(document.id)", method: .get) {
                #expect($0.status == .notFound)
            }
        }
    }

    @Test func severalImagesAreThePagesOfOneDocument() async throws {
        let papers = FileManager.default.temporaryDirectory.appending(path: "papers-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: papers) }
        try await FlattenServiceTests().serve {
            $0.archive = papers
        } _: { caller, _ in
            let outputs = #""outputs": ["image.jpg", "text.txt", "receipt.pdf", "document.pdf"]"#
            let job = try await job(caller, request: #"{\#(outputs), "join_pages": "all"}"#, pages: 2)
            for (name, status) in [("image-1.jpg", 200), ("image-2.jpg", 200), ("document.pdf", 200)] {
                try await caller.execute(uri: "/v1/jobs/\(job)/\(name)", method: .get) {
                    #expect($0.status.code == status, "\(name)")
                }
            }
            let kept: [Document] = try await caller.execute(
                uri: "/v1/archive", method: .post, headers: Self.json,
                body: ByteBuffer(string: #"{"job": "\#(job)"}"#)
            ) { try decoded($0) }
            #expect(kept.map(roles) == [["original", "original", "flat", "flat", "pdf", "thumbnail"]])
            let id = try #require(kept.first?.id)
            for (query, status) in [("", 200), ("?number=2", 200), ("?number=3", 404), ("?number=x", 404)] {
                try await caller.execute(uri: "/v1/archive/\(id)/files/flat\(query)", method: .get) {
                    #expect($0.status.code == status, "\(query)")
                }
            }
        }
    }

    @Test func documentsAreSummedExportedAndMadeOne() async throws {
        let papers = FileManager.default.temporaryDirectory.appending(path: "papers-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: papers) }
        let report = #"""
            {"method": "cut", "fields": {"merchant": {"value": "Groß", "confidence": 0.9}, "tax": {"value": "1.90", "confidence": 0.9},
              "tax_lines": [{"rate": "19", "base": "10.00", "amount": "1.90", "gross": null}]}}
            """#
        let card = #"""
            {"method": "cut", "document": {"kind": "business_card", "confidence": 0.9}, "contact": {"names": [{"full": "Anna Huber",
              "given": "Anna", "family": "Huber", "prefix": "", "suffix": "", "printed": "", "confidence": 0.9}]}}
            """#
        let archive = try DocumentArchive(path: papers)
        let image = RGBImage(rgb: [UInt8](repeating: 255, count: 12), width: 2, height: 2)
        for (index, text) in [report, report, card].enumerated() {
            let document = try NewDocument(
                report: Data(text.utf8), text: "Groß Brezel Summe Beleg 4711 Danke", image: image, files: [],
                name: "page")
            try archive.add(
                [document], originals: [.init(.original, name: "a", content: Data([UInt8(index)]))])
        }
        struct Tax: Decodable { var rate: String?, tax: Double, count: Int }
        try await FlattenServiceTests().serve {
            $0.archive = papers
        } _: { caller, _ in
            let taxes: [Tax] = try await caller.execute(uri: "/v1/archive/taxes", method: .get) {
                try decoded($0)
            }
            #expect(taxes.map(\.rate) == ["19"] && taxes.map(\.count) == [2])
            try await caller.execute(uri: "/v1/archive/documents.csv?words=brezel", method: .get) {
                #expect(String(buffer: $0.body).split(separator: "\r\n").count == 4)
                #expect($0.headers[.contentDisposition]?.contains("documents.csv") == true)
            }
            try await caller.execute(uri: "/v1/archive/contacts.vcf", method: .get) {
                #expect(String(buffer: $0.body).contains("FN:Anna Huber"))
            }
            let cards: Page = try await caller.execute(
                uri: "/v1/archive?kind=business_card&order=name", method: .get
            ) { try decoded($0) }
            let receipts: Page = try await caller.execute(uri: "/v1/archive?merchant=gross", method: .get) {
                try decoded($0)
            }
            #expect(cards.count == 1 && receipts.count == 2)
            for (id, status) in [(cards.documents[0].id, 200), (receipts.documents[0].id, 404)] {
                try await caller.execute(uri: "/v1/archive/\(id)/contact.vcf", method: .get) {
                    #expect($0.status.code == status)
                }
            }
            let groups: [[Page.Entry]] = try await caller.execute(
                uri: "/v1/archive/duplicates", method: .get
            ) { try decoded($0) }
            let ids = try #require(groups.first { $0.count >= 2 }).map(\.id)
            let merging = ByteBuffer(string: #"{"ids": ["\#(ids.joined(separator: #"", ""#))"]}"#)
            try await caller.execute(
                uri: "/v1/archive/merge", method: .post, headers: Self.json, body: merging
            ) { #expect($0.status == .ok) }
            try await caller.execute(
                uri: "/v1/archive/merge", method: .post, headers: Self.json, body: merging
            ) { #expect($0.status == .unprocessableContent) }
            for (body, status) in [(#"{"ids": []}"#, 422), (#"{"ids": ["\#(UUID().uuidString)"]}"#, 404)] {
                try await caller.execute(
                    uri: "/v1/archive/merge", method: .post, headers: Self.json,
                    body: ByteBuffer(string: body)
                ) { #expect($0.status.code == status, "\(body)") }
            }
            let all: Page = try await caller.execute(uri: "/v1/archive", method: .get) { try decoded($0) }
            try await caller.execute(uri: "/v1/archive/usage", method: .get) {
                let usage = try JSONDecoder().decode(
                    [String: Int].self, from: Data($0.body.readableBytesView))
                #expect(usage["documents"] == all.count && (usage["bytes"] ?? 0) > 100_000, "\(usage)")
            }
            try await caller.execute(uri: "/v1/archive?order=size", method: .get) {
                #expect($0.status == .unprocessableContent)
            }
        }
    }

    @Test func aPhotographOfWhichSomethingIsBlackedOutIsNotKept() async throws {
        let papers = FileManager.default.temporaryDirectory.appending(path: "papers-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: papers) }
        try await FlattenServiceTests().serve {
            $0.archive = papers
        } _: { caller, _ in
            let job = try await job(
                caller, request: #"{"outputs": ["image.jpg", "text.txt"], "redact": ["phones"]}"#)
            let kept: [Document] = try await caller.execute(
                uri: "/v1/archive", method: .post, headers: Self.json,
                body: ByteBuffer(string: #"{"job": "\#(job)"}"#)
            ) { try decoded($0) }
            #expect(kept.map(roles) == [["flat", "thumbnail"]])
            let again: [Document] = try await caller.execute(
                uri: "/v1/archive", method: .post, headers: Self.json,
                body: ByteBuffer(string: #"{"job": "\#(job)"}"#)
            ) { try decoded($0) }
            #expect(again.map(\.id) == kept.map(\.id))
        }
    }

    @Test func wrongQuestionsAreAnsweredAsSuch() async throws {
        let papers = FileManager.default.temporaryDirectory.appending(path: "papers-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: papers) }
        try await FlattenServiceTests().serve { _ in
        } _: { caller, _ in
            try await caller.execute(uri: "/v1/archive", method: .get) { #expect($0.status == .notFound) }
        }
        try await FlattenServiceTests().serve {
            $0.archive = papers
        } _: { caller, _ in
            for (uri, status) in [
                ("/v1/archive/totals?by=moon", 422), ("/v1/archive/totals?since=yesterday", 422),
                ("/v1/archive?limit=1000", 422), ("/v1/archive?since=yesterday", 422),
                ("/v1/archive?least=x", 422),
                ("/v1/archive/nothing", 404), ("/v1/archive/\(UUID().uuidString)", 404),
                ("/v1/archive/\(UUID().uuidString)/files/flat", 404), ("/v1/archive?words=%22%00%2A", 200),
            ] {
                try await caller.execute(uri: uri, method: .get) {
                    #expect($0.status.code == status, "\(uri)")
                }
            }
            for (body, status) in [("{", 422), (#"{"job": "0123"}"#, 404), ("[]", 422)] {
                try await caller.execute(
                    uri: "/v1/archive", method: .post, headers: Self.json, body: ByteBuffer(string: body)
                ) { #expect($0.status.code == status, "\(body)") }
            }
        }
    }

    private func roles(_ document: Document) -> [String] { document.files.map(\.role) }
}
