import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
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

    /// Flattens the sample and waits for it.
    private func job(_ caller: Caller, request: String = "{}") async throws -> String {
        let photograph = try Data(contentsOf: FlattenServiceTests.sample)
        let boundary = "----parts"
        var body = ByteBuffer()
        for (name, content) in [("image", photograph), ("request", Data(request.utf8))] {
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
            // Kept twice it is there once.
            let again: [Document] = try await caller.execute(
                uri: "/v1/archive", method: .post, headers: Self.json, body: keeping
            ) {
                #expect($0.status == .ok)
                return try decoded($0)
            }
            #expect(again.map(\.id) == [document.id])

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
            #expect(undone.entered == ["merchant": "Groß"] && undone.notes.isEmpty)

            try await caller.execute(uri: "/v1/archive/\(document.id)", method: .delete) {
                #expect($0.status == .noContent)
            }
            try await caller.execute(uri: "/v1/archive/\(document.id)", method: .get) {
                #expect($0.status == .notFound)
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
