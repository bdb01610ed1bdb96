import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import FlattenServer

/// Asks over a connection of its own each time, as a waiting caller's is closed behind it.
struct Caller: Sendable {
    struct Answer: Sendable {
        var status: HTTPResponse.Status
        var headers: HTTPFields
        var body: ByteBuffer
    }

    let port: Int

    func execute<Value: Sendable>(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields = [:], body: ByteBuffer? = nil,
        _ check: (Answer) async throws -> Value
    ) async throws -> Value {
        let client = TestClient(host: "localhost", port: port, configuration: .init(timeout: .seconds(60)))
        client.connect()
        do {
            let response = try await client.execute(
                .init(uri, method: method, authority: "localhost", headers: headers, body: body))
            try await client.shutdown()
            return try await check(
                Answer(
                    status: response.head.status, headers: response.headers,
                    body: response.body ?? ByteBuffer()))
        } catch {
            try? await client.shutdown()
            throw error
        }
    }
}

/// A program in place of `flatten` that takes a minute, unless it is ended.
struct SlowProgram {
    let file: URL
    private let mark = FileManager.default.temporaryDirectory.appending(path: "mark-\(UUID().uuidString)")

    init() throws {
        file = try FlattenServiceTests.program(
            "echo $$ > \(mark.path).new; mv \(mark.path).new \(mark.path)\nexec sleep 60")
    }

    /// Waits until it runs.
    /// - Returns: its process.
    func start() async throws -> Int32 {
        while !FileManager.default.fileExists(atPath: mark.path) {
            try await Task.sleep(for: .milliseconds(20))
        }
        let words = try String(contentsOf: mark, encoding: .utf8)
        try FileManager.default.removeItem(at: mark)
        let id = try #require(Int32(words.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(id, 0) == 0)
        return id
    }

    /// It ends within the time that it has to, and a little.
    func requireEnd(of id: Int32) async throws {
        for _ in 0..<200 where kill(id, 0) == 0 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(kill(id, 0) != 0, "the program has ended")
    }
}

/// The interface from outside: requests over a socket, the real program behind it or one that misbehaves.
@Suite(.serialized) struct FlattenServiceTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized
    /// The folder of the built programs.
    private static let programs = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent()
    static let sample = root.appending(path: "SampleData/plane-structured/image.jpg")

    /// A service in a folder of its own, asked over a socket, and stopped.
    func serve(
        _ change: (inout ServerConfiguration) -> Void = { _ in },
        _ ask: @escaping @Sendable (Caller, FlattenService) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID().uuidString)")
        let named = ProcessInfo.processInfo.environment["FLATTEN"].map { URL(filePath: $0) }
        var configuration = ServerConfiguration(
            flatten: named ?? Self.programs.appending(path: "flatten"),
            itself: Self.programs.appending(path: "flatten-server"), folder: folder)
        change(&configuration)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let service = try FlattenService(configuration, logger: logger)
        let app = Application(router: service.router(), logger: logger)
        do {
            try await app.test(.live) { client in
                try await ask(Caller(port: try #require(client.port)), service)
            }
        } catch {
            await service.stop()
            throw error
        }
        await service.stop()
        #expect(!FileManager.default.fileExists(atPath: folder.path), "nothing is left behind")
    }

    /// A program of the shell in place of `flatten`.
    static func program(_ text: String) throws -> URL {
        let file = FileManager.default.temporaryDirectory.appending(path: "program-\(UUID().uuidString)")
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path)
        return file
    }

    /// An answer's object; empty for what is none.
    private static func json(_ response: Caller.Answer) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))) as? [String: Any]
            ?? [:]
    }

    static func form(_ parts: [(name: String, file: String?, bytes: Data)]) -> (
        HTTPFields, ByteBuffer
    ) {
        var body = Data()
        for part in parts {
            let file = part.file.map { "; filename=\"\($0)\"" } ?? ""
            body +=
                Data("--b\r\nContent-Disposition: form-data; name=\"\(part.name)\"\(file)\r\n\r\n".utf8)
                + part.bytes
                + Data("\r\n".utf8)
        }
        body += Data("--b--\r\n".utf8)
        return ([.contentType: "multipart/form-data; boundary=b"], ByteBuffer(bytes: body))
    }

    @Test("A photograph becomes what Accept asks for, and the report without")
    func synchronous() async throws {
        let photograph = try ByteBuffer(bytes: Data(contentsOf: Self.sample))
        try await serve { client, _ in
            try await client.execute(
                uri: "/v1/flatten", method: .post, headers: [.contentType: "image/jpeg"], body: photograph
            ) {
                #expect($0.status == .ok && $0.headers[.contentType] == "application/json")
                #expect(Self.json($0)["method"] as? String != nil)
            }
            try await client.execute(
                uri: "/v1/flatten", method: .post,
                headers: [.contentType: "image/jpeg", .accept: "text/plain"], body: photograph
            ) {
                #expect($0.status == .ok && String(buffer: $0.body).contains("TOTAL"))
            }
            try await client.execute(
                uri: "/v1/flatten", method: .post,
                headers: [.contentType: "image/jpeg", .accept: "application/pdf"],
                body: photograph
            ) {
                #expect(String(buffer: $0.body).hasPrefix("%PDF-"))
            }
            try await client.execute(
                uri: "/v1/flatten", method: .post,
                headers: [.contentType: "image/jpeg", .accept: "text/csv"], body: photograph
            ) {
                #expect($0.status == .notAcceptable, "the request does not name the table among its outputs")
            }
        }
    }

    @Test("A capture with depth becomes a job whose outputs can be fetched, and are gone once it is removed")
    func asynchronous() async throws {
        let folder = Self.root.appending(path: "SampleData/plane-structured")
        let request = Data(
            #"{"outputs": ["image.png", "fields.json", "page.html"], "depth_unit": 0.0001}"#.utf8)
        let (headers, body) = try Self.form([
            ("image", "photo.jpg", Data(contentsOf: folder.appending(path: "image.jpg"))),
            ("depth", "depth.png", Data(contentsOf: folder.appending(path: "depth.png"))),
            ("request", nil, request),
        ])
        try await serve { client, _ in
            let place = try await client.execute(
                uri: "/v1/flatten?async=1", method: .post, headers: headers, body: body
            ) {
                #expect($0.status == .accepted)
                return try #require($0.headers[.location])
            }
            try await client.execute(uri: place + "?wait=60", method: .get) {
                let job = Self.json($0)
                #expect(job["state"] as? String == "done", "\(job)")
                #expect(
                    job["outputs"] as? [String] == ["fields.json", "image.png", "page.html", "report.json"])
            }
            try await client.execute(uri: place + "/report.json", method: .get) {
                #expect(Self.json($0)["method"] as? String == "plane", "the depth was used")
            }
            try await client.execute(uri: place + "/page.html", method: .get) {
                #expect($0.headers[.contentDisposition]?.hasPrefix("attachment") == true)
                #expect($0.headers[.contentPolicy]?.hasPrefix("sandbox") == true)
            }
            for other in ["/messages", "/..%2Fmessages", "/%2e%2e%2fmessages", "/upload-image.jpg"] {
                try await client.execute(uri: place + other, method: .get) { #expect($0.status == .notFound) }
            }
            try await client.execute(uri: place, method: .delete) { #expect($0.status == .noContent) }
            try await client.execute(uri: place, method: .get) {
                #expect($0.status == .notFound && $0.headers[.contentType] == "application/problem+json")
            }
        }
    }

    @Test("A job is told of as it goes on, to its end, with what is being done")
    func events() async throws {
        let photograph = try ByteBuffer(bytes: Data(contentsOf: Self.sample))
        try await serve { client, _ in
            let place = try await client.execute(
                uri: "/v1/flatten?async=1", method: .post, headers: [.contentType: "image/jpeg"],
                body: photograph
            ) { try #require($0.headers[.location]) }
            try await client.execute(uri: place, method: .get, headers: [.accept: "text/event-stream"]) {
                #expect($0.status == .ok && $0.headers[.contentType] == "text/event-stream")
                let events = String(buffer: $0.body).components(separatedBy: "\n\n").dropLast()
                let jobs = events.map { event -> [String: Any] in
                    #expect(event.hasPrefix("event: status\ndata: {"))
                    let json = Data(event.dropFirst("event: status\ndata: ".count).utf8)
                    return (try? JSONSerialization.jsonObject(with: json)) as? [String: Any] ?? [:]
                }
                #expect(jobs.last?["state"] as? String == "done")
                #expect(
                    jobs.dropLast().allSatisfy { ["queued", "running"].contains($0["state"] as? String) })
                let stages = jobs.compactMap { ($0["progress"] as? [String: Any])?["stage"] as? String }
                #expect(!stages.isEmpty && stages.allSatisfy { $0.allSatisfy(\.isLetter) }, "\(stages)")
            }
            try await client.execute(uri: "/v1/jobs/x", method: .get, headers: [.accept: "text/event-stream"])
            {
                #expect($0.status == .notFound)
            }
        }
    }

    @Test("An area is black; one beside the image is refused; depth gives a mesh")
    func areasAndMesh() async throws {
        let folder = Self.root.appending(path: "SampleData/fold-structured")
        let capture =
            try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appending(path: "capture.json")))
            as? [String: Any]
        let intrinsics = try JSONSerialization.data(withJSONObject: try #require(capture?["intrinsics"]))
        func form(_ request: String) throws -> (HTTPFields, ByteBuffer) {
            try Self.form([
                ("image", "photo.jpg", Data(contentsOf: folder.appending(path: "image.jpg"))),
                ("depth", "depth.png", Data(contentsOf: folder.appending(path: "depth.png"))),
                ("intrinsics", "intrinsics.json", intrinsics), ("request", nil, Data(request.utf8)),
            ])
        }
        let (headers, body) = try form(
            #"{"outputs": ["mesh.glb", "text.txt"], "depth_unit": 0.0001, "redact_areas": [[0, 0, 9999, 9999]]}"#
        )
        let (_, beside) = try form(#"{"outputs": ["text.txt"], "redact_areas": [[99999, 0, 1, 1]]}"#)
        try await serve { client, _ in
            let place = try await client.execute(
                uri: "/v1/flatten?async=1", method: .post, headers: headers, body: body
            ) { try #require($0.headers[.location]) }
            try await client.execute(uri: place + "?wait=60", method: .get) {
                #expect(Self.json($0)["outputs"] as? [String] == ["mesh.glb", "report.json", "text.txt"])
            }
            try await client.execute(uri: place + "/mesh.glb", method: .get) {
                #expect($0.headers[.contentType] == "model/gltf-binary" && $0.body.readableBytes > 10_000)
            }
            try await client.execute(uri: place + "/text.txt", method: .get) {
                let text = String(buffer: $0.body)
                #expect(text.contains("***") && !text.contains { $0.isLetter || $0.isNumber })
            }
            try await client.execute(uri: "/v1/flatten", method: .post, headers: headers, body: beside) {
                #expect($0.status == .unprocessableContent)
                #expect((Self.json($0)["detail"] as? String)?.contains("beside the flat image") == true)
            }
        }
    }

    @Test("What can be looked for, and which countries may be named, is said")
    func capabilities() async throws {
        try await serve { client, _ in
            try await client.execute(uri: "/v1/capabilities", method: .get) {
                let can = Self.json($0)
                #expect((can["find"] as? [String])?.contains("items") == true)
                #expect((can["countries"] as? [String])?.contains("DE") == true)
            }
        }
    }

    @Test("Corners of the caller are taken")
    func corners() async throws {
        let request = Data(#"{"corners": [[100, 100], [900, 120], [880, 1500], [90, 1480]]}"#.utf8)
        let (headers, body) = try Self.form([
            ("image", nil, Data(contentsOf: Self.sample)), ("request", nil, request),
        ])
        try await serve { client, _ in
            try await client.execute(uri: "/v1/flatten", method: .post, headers: headers, body: body) {
                let report = Self.json($0)
                #expect(report["method"] as? String == "corners")
                let outline = report["outline"] as? [[Double]] ?? []
                #expect(outline.contains { hypot($0[0] - 100, $0[1] - 100) < 2 })
            }
        }
    }

    @Test("What is wrong with a request is said as a problem, and nothing of where things lie")
    func problems() async throws {
        try await serve {
            $0.maximumBody = 100_000
        } _: { client, _ in
            let cases: [(HTTPFields, ByteBuffer, Int)] = [
                ([.contentType: "image/jpeg"], ByteBuffer(string: "no picture"), 422),
                ([.contentType: "image/jpeg"], ByteBuffer(), 400),
                ([.contentType: "text/plain"], ByteBuffer(string: "hello"), 415),
                ([.contentType: "multipart/form-data"], ByteBuffer(string: "hello"), 400),
                ([.contentType: "multipart/form-data; boundary=b"], ByteBuffer(string: "hello"), 400),
                ([.contentType: "image/jpeg"], ByteBuffer(repeating: 1, count: 200_000), 413),
            ]
            for (headers, body, status) in cases {
                try await client.execute(uri: "/v1/flatten", method: .post, headers: headers, body: body) {
                    #expect($0.status.code == status, "\(String(buffer: $0.body))")
                    #expect($0.headers[.contentType] == "application/problem+json")
                    let problem = Self.json($0)
                    #expect(problem["status"] as? Int == status)
                    let detail = try #require(problem["detail"] as? String)
                    #expect(
                        !detail.isEmpty && !detail.contains("/tmp") && !detail.contains("serve-"), "\(detail)"
                    )
                }
            }
            try await client.execute(uri: "/v1/nothing", method: .get) {
                #expect($0.status == .notFound && $0.headers[.contentType] == "application/problem+json")
            }
            // A part that is not known, one twice, and depth of one of several pages.
            for (parts, status) in [
                (["image", "secret"], 400), (["image", "depth", "depth"], 400),
                (["image", "image", "depth"], 409),
            ] {
                let (headers, body) = Self.form(parts.map { ($0, "a.jpg", Data("x".utf8)) })
                try await client.execute(uri: "/v1/flatten", method: .post, headers: headers, body: body) {
                    #expect($0.status.code == status, "\(parts)")
                }
            }
        }
    }

    @Test("A caller that goes away is worked for no longer")
    func gone() async throws {
        let slow = try SlowProgram()
        try await serve {
            $0.flatten = slow.file
        } _: { caller, _ in
            let client = TestClient(host: "localhost", port: caller.port)
            client.connect()
            try await client.executeAndDontWaitForResponse(
                .init(
                    "/v1/flatten", method: .post, authority: "localhost",
                    headers: [.contentType: "image/png"],
                    body: ByteBuffer(string: "x")))
            let id = try await slow.start()
            try await client.shutdown()
            try await slow.requireEnd(of: id)
        }
    }

    @Test("A program that crashes, hangs or takes what it may not costs one request")
    func misbehaviour() async throws {
        let crash = try Self.program("kill -SEGV $$")
        try await serve {
            $0.flatten = crash
        } _: { client, _ in
            try await client.execute(
                uri: "/v1/flatten", method: .post, headers: [.contentType: "image/png"],
                body: ByteBuffer(string: "x")
            ) {
                #expect($0.status == .internalServerError)
            }
            try await client.execute(uri: "/health", method: .get) { #expect($0.status == .ok) }
        }
        let late = try Self.program("exit 75")
        try await serve {
            $0.flatten = late
        } _: { client, _ in
            try await client.execute(
                uri: "/v1/flatten", method: .post, headers: [.contentType: "image/png"],
                body: ByteBuffer(string: "x")
            ) {
                #expect($0.status == .gatewayTimeout)
            }
        }
        let greedy = try Self.program("exec /usr/bin/python3 -c 'x = bytearray(3 << 30)'")
        try await serve {
            ($0.flatten, $0.memoryMiB) = (greedy, 600)
        } _: { client, _ in
            try await client.execute(
                uri: "/v1/flatten", method: .post, headers: [.contentType: "image/png"],
                body: ByteBuffer(string: "x")
            ) {
                #expect($0.status == .internalServerError)
            }
        }
    }

    /// What a photograph's process may do is tested with batches, which call it alike.
    @Test("A photograph's process confines itself, and one that starts programs confines those")
    func confinement() async throws {
        let child = try Self.program(
            """
            case "$1" in
            batch-worker)
              [ "$2 $3" = "--parent $PPID" ] || exit 71
              case "$*" in *" --write "*/out" --read "*/upload*" -- "*/upload" --quiet "*) exit 75;; esac
              exit 71;;
            single) exit 65;;
            esac
            exit 64
            """)
        try await serve {
            $0.flatten = child
        } _: { client, _ in
            for (body, status) in [
                ("x", 504), ("\u{89}PNG", 504), ("%PDF-1.7", 422), ("junk %PDF-1.7", 422),
                ("PK\u{3}\u{4}", 422),
            ] {
                try await client.execute(
                    uri: "/v1/flatten", method: .post, headers: [.contentType: "image/png"],
                    body: ByteBuffer(string: body)
                ) {
                    #expect($0.status.code == status, "\(body)")
                }
            }
        }
    }

    @Test("More than may wait is refused, and removing a job ends its program")
    func queue() async throws {
        let mark = FileManager.default.temporaryDirectory.appending(path: "mark-\(UUID().uuidString)")
        let slow = try Self.program("echo $$ >> \(mark.path)\nexec sleep 60")
        try await serve {
            ($0.flatten, $0.jobs, $0.queue) = (slow, 1, 1)
        } _: { client, _ in
            var places: [String] = []
            for _ in 0..<2 {
                let place = try await client.execute(
                    uri: "/v1/flatten?async=1", method: .post, headers: [.contentType: "image/png"],
                    body: ByteBuffer(string: "x")
                ) {
                    #expect($0.status == .accepted)
                    return try #require($0.headers[.location])
                }
                places.append(place)
            }
            try await client.execute(
                uri: "/v1/flatten?async=1", method: .post, headers: [.contentType: "image/png"],
                body: ByteBuffer(string: "x")
            ) {
                #expect($0.status == .tooManyRequests && $0.headers[.retryAfter] != nil)
            }
            try await client.execute(uri: "/ready", method: .get) {
                #expect($0.status == .serviceUnavailable)
            }
            try await client.execute(uri: places[1], method: .get) {
                #expect(Self.json($0)["state"] as? String == "queued")
            }
            while !FileManager.default.fileExists(atPath: mark.path) {
                try await Task.sleep(for: .milliseconds(20))
            }
            try await client.execute(uri: places[1], method: .delete) { #expect($0.status == .noContent) }
            try await client.execute(uri: places[0], method: .delete) { #expect($0.status == .noContent) }
            let id = try #require(
                Int32(
                    String(contentsOf: mark, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines))
            )
            #expect(kill(id, 0) != 0, "the program has ended")
            try await client.execute(uri: "/metrics", method: .get) {
                #expect(String(buffer: $0.body).contains("flatten_jobs_total{state=\"cancelled\"} 1"))
            }
        }
        try? FileManager.default.removeItem(at: mark)
    }

    @Test(
        "Behind a proxy that encrypts, a session's cookie is for encrypted connections",
        arguments: [("https", true), ("http", false)])
    func behindProxy(said: String, isSecure: Bool) async throws {
        let token = "0123456789abcdef0123456789abcdef"
        let name = try #require(HTTPField.Name("X-Forwarded-Proto"))
        try await serve {
            $0.token = token
        } _: { client, _ in
            try await client.execute(uri: "/login?token=" + token, method: .get, headers: [name: said]) {
                #expect($0.headers[.setCookie]?.contains("Secure") == isSecure)
            }
        }
    }

    @Test("Without the token nothing is answered but 401; with it, or a session that it opened, all is")
    func token() async throws {
        let token = "0123456789abcdef0123456789abcdef"
        try await serve {
            ($0.token, $0.isEncrypted) = (token, true)
        } _: { client, _ in
            for path in ["/", "/health", "/metrics", "/app.js", "/v1/openapi.json", "/v1/jobs/x", "/nothing"]
            {
                try await client.execute(uri: path, method: .get) {
                    #expect($0.status == .unauthorized && $0.headers[.wwwAuthenticate] == "Bearer", "\(path)")
                }
            }
            for path in ["/", "/login"] {
                try await client.execute(uri: path, method: .get) {
                    #expect($0.status == .unauthorized && String(buffer: $0.body).contains("name=\"token\""))
                }
            }
            let typed = ByteBuffer(string: "token=" + token)
            try await client.execute(uri: "/login", method: .post, body: typed) {
                #expect($0.status == .seeOther && $0.headers[.setCookie] != nil)
            }
            try await client.execute(
                uri: "/health", method: .get, headers: [.authorization: "Bearer " + token]
            ) {
                #expect($0.status == .ok)
            }
            let cookie = try await client.execute(uri: "/login?token=" + token, method: .get) {
                #expect($0.status == .seeOther)
                return try #require($0.headers[.setCookie])
            }
            for part in ["HttpOnly", "Secure", "SameSite=Strict"] {
                #expect(cookie.contains(part), "\(cookie)")
            }
            let session = String(cookie.prefix { $0 != ";" })
            try await client.execute(uri: "/", method: .get, headers: [.cookie: session]) {
                #expect($0.status == .ok)
            }
            for origin in ["https://evil.example", "null"] {
                try await client.execute(
                    uri: "/v1/live", method: .post, headers: [.cookie: session, .origin: origin]
                ) {
                    #expect($0.status == .forbidden)
                }
            }
            try await client.execute(
                uri: "/v1/live", method: .post, headers: [.cookie: session, .fetchSite: "cross-site"]
            ) {
                #expect($0.status == .forbidden)
            }
            for _ in 0..<20 {
                try await client.execute(
                    uri: "/health", method: .get, headers: [.authorization: "Bearer wrong"]
                ) {
                    #expect($0.status == .unauthorized)
                }
            }
            try await client.execute(uri: "/login?token=" + token, method: .get) {
                #expect($0.status == .tooManyRequests)
            }
            try await client.execute(uri: "/", method: .get, headers: [.cookie: session]) {
                #expect($0.status == .ok, "who is in stays in")
            }
        }
    }

    @Test(
        "Names of this machine, and no others",
        arguments: [
            ("localhost", true), ("localhost:8080", true), ("127.0.0.1:80", true), ("[::1]:8080", true),
            ("example.com", false), ("127.0.0.1.example.com", false), ("", false),
            ("localhost.example.com", false),
        ])
    func loopback(authority: String, isOurs: Bool) {
        #expect(AccessMiddleware<BasicRequestContext>.isLoopback(authority) == isOurs)
    }

    @Test("A camera's frames are answered with the sheet, and what is no frame with a problem")
    func live() async throws {
        let frame = try ByteBuffer(bytes: Data(contentsOf: Self.sample))
        try await serve { client, _ in
            let id = try await client.execute(uri: "/v1/live", method: .post) {
                #expect($0.status == .created)
                return try #require(Self.json($0)["id"] as? String)
            }
            for time in [0, 66, 133] {
                try await client.execute(uri: "/v1/live/\(id)/frame?t=\(time)", method: .post, body: frame) {
                    #expect($0.status == .ok, "\(String(buffer: $0.body))")
                    let guidance = Self.json($0)
                    #expect(guidance["width"] as? Int == 1500 && guidance["height"] as? Int == 2000)
                    #expect((guidance["outline"] as? [[Double]])?.count ?? 0 >= 4)
                    #expect(guidance["advice"] is String)
                }
            }
            try await client.execute(
                uri: "/v1/live/\(id)/frame", method: .post, body: ByteBuffer(string: "no frame")
            ) {
                #expect($0.status == .unprocessableContent)
            }
            try await client.execute(uri: "/v1/live/\(id)", method: .delete) {
                #expect($0.status == .noContent)
            }
            try await client.execute(uri: "/v1/live/\(id)/frame", method: .post, body: frame) {
                #expect($0.status == .notFound)
            }
        }
    }

    @Test("Codes and items are followed where they are asked for, and unknown kinds refused")
    func liveItems() async throws {
        let frame = try ByteBuffer(bytes: Data(contentsOf: Self.sample))
        try await serve { client, _ in
            try await client.execute(uri: "/v1/live?follow=code,soup", method: .post) {
                #expect($0.status == .badRequest)
            }
            let id = try await client.execute(uri: "/v1/live?follow=line,item", method: .post) {
                #expect($0.status == .created)
                return try #require(Self.json($0)["id"] as? String)
            }
            // Frames are answered at once; reading runs beside, and two readings must agree.
            var isFollowed = false
            let end = ContinuousClock.now + .seconds(60)
            var time = 0
            while !isFollowed, ContinuousClock.now < end {
                time += 100
                isFollowed = try await client.execute(
                    uri: "/v1/live/\(id)/frame?t=\(time)", method: .post, body: frame
                ) {
                    #expect($0.status == .ok, "\(String(buffer: $0.body))")
                    let items = try #require(Self.json($0)["items"] as? [[String: Any]])
                    guard let line = items.first(where: { $0["kind"] as? String == "line" }) else {
                        return false
                    }
                    #expect((line["text"] as? String)?.isEmpty == false && line["id"] is Int)
                    #expect((line["corners"] as? [[Double]])?.count == 4)
                    return true
                }
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(isFollowed)
        }
    }

    @Test("No more cameras are followed than allowed")
    func manyCameras() async throws {
        try await serve {
            $0.liveSessions = 2
        } _: { client, _ in
            for expected in [201, 201, 429] {
                try await client.execute(uri: "/v1/live", method: .post) {
                    #expect($0.status.code == expected)
                }
            }
        }
    }

    @Test("The app is there, asks no other site, and is described with the interface")
    func app() async throws {
        try await serve { client, _ in
            let page = try await client.execute(uri: "/", method: .get) {
                #expect($0.headers[.contentPolicy]?.contains("default-src 'none'") == true)
                return String(buffer: $0.body)
            }
            for match in page.matches(of: /(?:src|href)="(\/[^"]*)"/) {
                try await client.execute(uri: String(match.1), method: .get) {
                    #expect($0.status == .ok, "\(match.1)")
                }
            }
            #expect(!page.contains("http://") && !page.contains("https://"))
            try await client.execute(uri: "/v1/openapi.json", method: .get) {
                let interface = Self.json($0)
                #expect(interface["openapi"] as? String == "3.1.0")
            }
            // What the interface describes is there, and takes no other method.
            #expect(InterfaceDescription.methods(of: "/v1/archive/totals") == ["GET"])
            #expect(InterfaceDescription.methods(of: "/v1/archive/x") == ["DELETE", "GET", "PATCH"])
            #expect(InterfaceDescription.methods(of: "/v1").isEmpty)
            for (uri, allow) in [("/v1/flatten", "POST"), ("/v1/archive/x", "DELETE, GET, PATCH")] {
                try await client.execute(uri: uri, method: .trace) {
                    #expect($0.status == .methodNotAllowed && $0.headers[.allow] == allow, "\(uri)")
                }
            }
            try await client.execute(uri: "/nothing", method: .trace) { #expect($0.status == .notFound) }
            try await client.execute(uri: "/v1/live/0123", method: .delete) {
                #expect($0.status == .notFound)
            }
        }
    }
}
