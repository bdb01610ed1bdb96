import AsyncHTTPClient
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOSSL
import Testing

@testable import FlattenServer

/// Callers that speak HTTP/2, as browsers do wherever a connection is encrypted.
@Suite(.serialized) struct HTTP2Tests {
    /// A service that encrypts, asked by HTTP/2, and stopped.
    private func serve(
        flatten: URL? = nil, _ ask: @escaping @Sendable (HTTPClient, String) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let certificate = try ServerState(folder: folder.appending(path: "state")).selfSignedCertificate()
        let programs = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let named = ProcessInfo.processInfo.environment["FLATTEN"].map { URL(filePath: $0) }
        var configuration = ServerConfiguration(
            flatten: flatten ?? named ?? programs.appending(path: "flatten"),
            itself: programs.appending(path: "flatten-server"), folder: folder.appending(path: "work"))
        configuration.isEncrypted = true
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let service = try FlattenService(configuration, logger: logger)
        let (ports, told) = AsyncStream.makeStream(of: Int.self)
        let app = Application(
            router: service.router(), server: try certificate.server(),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { told.yield($0.localAddress?.port ?? 0) }, logger: logger)
        var trusting = HTTPClient.Configuration()
        trusting.tlsConfiguration = .makeClientConfiguration()
        // The certificate is of this moment; what is tested is what goes over the connection.
        trusting.tlsConfiguration?.certificateVerification = .none
        let client = HTTPClient(configuration: trusting)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await app.run() }
                let port = try #require(await ports.first { _ in true })
                try await ask(client, "https://localhost:\(port)")
                group.cancelAll()
            }
        } catch {
            try? await client.shutdown()
            await service.stop()
            throw error
        }
        try await client.shutdown()
        await service.stop()
    }

    private func post(_ photograph: Data, to address: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: address + "/v1/flatten")
        request.method = .POST
        request.headers.add(name: "content-type", value: "image/jpeg")
        request.body = .bytes(ByteBuffer(bytes: photograph))
        return request
    }

    @Test("Several photographs at once become reports")
    func together() async throws {
        let photograph = try Data(contentsOf: FlattenServiceTests.sample)
        try await serve { client, address in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let answer = try await client.execute(
                            post(photograph, to: address), timeout: .seconds(60))
                        let body = try await answer.body.collect(upTo: 1 << 22)
                        #expect(answer.status == .ok && answer.version == .http2)
                        #expect(!answer.headers.contains(name: "connection"))
                        #expect(String(buffer: body).contains("\"method\""))
                    }
                }
                try await group.waitForAll()
            }
            let health = try await client.execute(.init(url: address + "/health"), timeout: .seconds(5))
            #expect(health.status == .ok && health.version == .http2)
        }
    }

    @Test("A caller that goes away is worked for no longer")
    func gone() async throws {
        let slow = try SlowProgram()
        try await serve(flatten: slow.file) { client, address in
            let waiting = Task {
                try await client.execute(post(Data("x".utf8), to: address), timeout: .seconds(60))
            }
            let id = try await slow.start()
            waiting.cancel()
            _ = try? await waiting.value
            try await slow.requireEnd(of: id)
        }
    }
}
