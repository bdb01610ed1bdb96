import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import FlattenServer

/// What a stranger may try. Paths that lead out, other sites' pages and wrong tokens are tested with the routes.
@Suite(.serialized) struct AttackTests {
    private let service = FlattenServiceTests()

    /// Sends text over a socket of its own.
    /// - Returns: what comes back until the other side closes, or nothing comes for so long.
    private func answer(to text: String, port: Int, patience seconds: Int) throws -> String {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(socket >= 0)
        defer { close(socket) }
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isConnected)
        let bytes = Array(text.utf8)
        try #require(send(socket, bytes, bytes.count, 0) == bytes.count)
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            received += buffer.prefix(count)
        }
        return String(decoding: received, as: UTF8.self)
    }

    @Test("A body that does not come is waited for no longer than a capture may take")
    func slowBody() async throws {
        try await service.serve {
            $0.timeout = 1
        } _: { client, _ in
            let start = ContinuousClock.now
            let head =
                "POST /v1/flatten HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/jpeg\r\nContent-Length: 1000\r\n\r\nslow"
            let said = try answer(to: head, port: client.port, patience: 20)
            #expect(said.hasPrefix("HTTP/1.1 408"), "\(said.prefix(80))")
            #expect(ContinuousClock.now - start < .seconds(15))
            try await client.execute(uri: "/health", method: .get) { #expect($0.status == .ok) }
        }
    }

    /// A PNG of so many pixels, of which none are there: its head alone, with its checksum (ISO 3309).
    private static func head(ofPNG width: UInt32, _ height: UInt32) -> Data {
        func bytes(_ value: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
        }
        let chunk = Array("IHDR".utf8) + bytes(width) + bytes(height) + [8, 0, 0, 0, 0]
        var sum = UInt32.max
        for byte in chunk {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + bytes(13) + chunk + bytes(~sum))
    }

    @Test("A picture that would fill the memory is refused by its head")
    func bomb() async throws {
        try await service.serve { client, _ in
            try await client.execute(
                uri: "/v1/flatten", method: .post, headers: [.contentType: "image/png"],
                body: ByteBuffer(bytes: Self.head(ofPNG: 60_000, 60_000))
            ) {
                #expect($0.status == .contentTooLarge, "\(String(buffer: $0.body))")
                #expect(String(buffer: $0.body).contains("60000 x 60000"))
            }
        }
    }

    @Test("A stranger's name of a file is told nowhere, and no page runs what is printed")
    func scripts() async throws {
        let (headers, body) = try FlattenServiceTests.form([
            ("image", "<img src=x onerror=alert(1)>.jpg", Data(contentsOf: FlattenServiceTests.sample)),
            ("request", nil, Data(#"{"outputs": ["page.html", "fields.json"]}"#.utf8)),
        ])
        try await service.serve { client, _ in
            let place = try await client.execute(
                uri: "/v1/flatten?async=1", method: .post, headers: headers, body: body
            ) { try #require($0.headers[.location]) }
            for file in ["?wait=60", "/page.html", "/fields.json", "/report.json"] {
                try await client.execute(uri: place + file, method: .get) {
                    #expect($0.status == .ok && !String(buffer: $0.body).contains("onerror"), "\(file)")
                    #expect($0.headers[.contentPolicy]?.contains("default-src 'none'") == true, "\(file)")
                }
            }
        }
        // What is printed goes into the app as text: it has no way to make elements of it.
        for script in ["app", "archive", "areas", "found", "mesh", "review", "scan", "settings", "words"] {
            let text = String(
                decoding: try #require(FlattenService.assets[script + ".js"]).bytes, as: UTF8.self)
            for way in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
            ] {
                #expect(!text.contains(way), "\(script).js: \(way)")
            }
        }
    }
}
