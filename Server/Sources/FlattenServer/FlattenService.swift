import Foundation
import HTTPTypes
public import Hummingbird
public import Logging

/// The server: its routes, and what they stand on.
public struct FlattenService: Sendable {
    let configuration: ServerConfiguration
    let pool: JobPool
    let live: LiveSessions
    let access: Access
    /// The archive; nil for none.
    let archive: ServedArchive?
    let metrics = Metrics()

    /// A service that has not begun.
    /// - Throws: where its folder cannot be made, or its archive cannot be used.
    public init(_ configuration: ServerConfiguration, logger: Logger) throws {
        self.configuration = configuration
        archive = try configuration.archive.map {
            try ServedArchive(path: $0, passphrase: configuration.archivePassphrase)
        }
        try FileManager.default.createDirectory(
            at: configuration.folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        pool = JobPool(configuration, metrics: metrics, logger: logger)
        live = LiveSessions(configuration)
        access = Access(token: configuration.token, isEncrypted: configuration.isEncrypted)
    }

    /// Takes no more captures, ends what runs, and leaves no file behind.
    public func stop() async {
        await pool.stop()
        await live.stop()
        try? FileManager.default.removeItem(at: configuration.folder)
    }

    /// Forgets what is too old, for ever.
    public func removeOld() async {
        while (try? await Task.sleep(for: .seconds(10))) != nil {
            await pool.removeOld()
            await live.removeOld()
        }
    }

    /// All routes.
    public func router() -> Router<FlattenContext> {
        let router = Router(context: FlattenContext.self)
        router.add(middleware: RequestLog(metrics: metrics))
        router.add(middleware: BrowserPolicy())
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: AccessMiddleware(access: access, isLoopbackOnly: configuration.token == nil))
        addApp(to: router)
        addLogin(to: router)
        router.get("health") { _, _ in "ok\n" }
        router.get("ready") { [pool] _, _ throws in
            guard await pool.isReady else {
                throw Problem(.serviceUnavailable, "too much waits", retryAfter: 5)
            }
            return "ready\n"
        }
        router.get("metrics") { [metrics] _, _ in metrics.text }
        let interface = router.group("v1")
        addFlattening(to: interface)
        addLive(to: interface)
        addArchive(to: interface)
        return router
    }

    // MARK: - Flattening

    private func addFlattening(to group: RouterGroup<FlattenContext>) {
        let (configuration, pool) = (configuration, pool)
        group.post("flatten") { request, context -> Response in
            try await pool.requireRoom()
            let (id, folder) = try pool.newFolder()
            var status: JobPool.Status
            do {
                // A body that trickles in holds no folder for ever.
                let upload = try await Deadline.run(.seconds(configuration.timeout)) {
                    try await Upload.receive(request, into: folder, limit: configuration.maximumBody)
                }
                status = try await pool.submit(upload, id: id, folder: folder)
            } catch {
                try? FileManager.default.removeItem(at: folder)
                throw error is CancellationError
                    ? Problem(.requestTimeout, "the body did not come in time") : error
            }
            let place = "/v1/jobs/\(id)"
            if request.uri.queryParameters["async"] == "1" {
                var response = Response(json: status, status: .accepted)
                response.headers[.location] = place
                return response
            }
            await Self.wait(for: id, request, context, pool)
            status = await pool.status(of: id) ?? status
            defer { Task { await pool.remove(id) } }
            var answer: Response
            do {
                answer = try await Self.answer(to: request, status, pool)
            } catch let problem as Problem {
                answer = problem.response
            }
            // Watching whether the caller is still there leaves a connection of no further use.
            if !context.isStream { answer.headers[.connection] = "close" }
            return answer
        }
        group.get("jobs/:id") { request, context -> Response in
            let id = try context.parameters.require("id")
            if request.headers[.accept]?.hasPrefix(JobEvents.mediaType) == true {
                guard await pool.status(of: id) != nil else { throw Self.noJob }
                return JobEvents.response(of: id, in: pool)
            }
            if let word = request.uri.queryParameters["wait"] {
                guard let wait = Double(word), (0...60).contains(wait) else {
                    throw Problem(.unprocessableContent, "wait is a number of seconds, 0 to 60")
                }
                _ = try? await Deadline.run(.seconds(wait)) { await pool.waitForEnd(of: id) }
            }
            guard let status = await pool.status(of: id) else { throw Self.noJob }
            return Response(json: status)
        }
        group.delete("jobs/:id") { _, context -> Response in
            let id = try context.parameters.require("id")
            guard await pool.status(of: id) != nil else { throw Self.noJob }
            await pool.remove(id)
            return Response(status: .noContent)
        }
        group.get("jobs/:id/:output") { _, context -> Response in
            let (id, name) = (try context.parameters.require("id"), try context.parameters.require("output"))
            guard let file = await pool.file(name, of: id) else { throw Self.noJob }
            return try Self.response(file: file, name: name)
        }
    }

    /// Waits until a job is over. Who goes away is worked for no longer.
    private static func wait(for id: String, _ request: Request, _ context: FlattenContext, _ pool: JobPool)
        async
    {
        guard !context.isStream else {
            // A stream has no more to say once its request is whole: a caller that goes away closes it.
            context.channel.closeFuture.whenComplete { _ in Task { await pool.remove(id) } }
            return await pool.waitForEnd(of: id)
        }
        // The body is read; what follows it on the connection is watched.
        var rest = request
        rest.body = RequestBody(buffer: ByteBuffer())
        try? await rest.body.consumeWithCancellationOnInboundClose { _ in
            await withTaskCancellationHandler {
                await pool.waitForEnd(of: id)
            } onCancel: {
                Task { await pool.remove(id) }
            }
        }
    }

    private static let noJob = Problem(
        .notFound, "there is no such job or output; results are kept for a while only")

    /// What a caller that waited gets: the report, or what `Accept` asks for.
    private static func answer(
        to request: Request, _ status: JobPool.Status, _ pool: JobPool
    ) async throws -> Response {
        guard status.state == .done else {
            throw Problem(
                status.answer ?? .internalServerError, status.error ?? "flattening was cancelled")
        }
        let wanted = request.headers[.accept] ?? ""
        let kinds = [
            "application/pdf": "receipt.pdf", "image/png": "image.png", "image/jpeg": "image.jpg",
            "text/html": "page.html", "text/plain": "text.txt", "text/csv": "table.csv",
        ]
        let name = kinds.first { wanted.hasPrefix($0.key) }?.value ?? "report.json"
        // Of several pages or sheets the first.
        let first = status.outputs.first { $0 == name || $0 == name.replacing(".", with: "-1.") }
        guard let first, let file = await pool.file(first, of: status.id) else {
            throw Problem(
                .notAcceptable,
                "the request's outputs have no \(name) (written: \(status.outputs.joined(separator: ", ")))")
        }
        return try response(file: file, name: first)
    }

    private static func response(file: URL, name: String) throws(Problem) -> Response {
        guard let data = try? Data(contentsOf: file) else { throw noJob }
        var headers: HTTPFields = [
            .contentType: FlatteningRequest.Output.mediaType(ofFile: name), .cacheControl: "no-store",
        ]
        if name.hasSuffix(".html") {
            // A page with scripts of its own, and a stranger's words: to be saved, and no part of this site.
            headers[.contentDisposition] = "attachment; filename=\"\(name)\""
            headers[.contentPolicy] = "sandbox; default-src 'none'"
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }

    // MARK: - Live

    /// The greatest whole number that every reader of JSON has.
    private static let latestTime: UInt64 = 1 << 53 - 1

    private func addLive(to group: RouterGroup<FlattenContext>) {
        let (live, metrics) = (live, metrics)
        group.post("live") { request, _ -> Response in
            let id = try await live.open(following: request.uri.queryParameters["follow"].map(String.init))
            var response = Response(json: ["id": id], status: .created)
            response.headers[.location] = "/v1/live/\(id)"
            return response
        }
        group.post("live/:id/frame") { request, context -> Response in
            let id = try context.parameters.require("id")
            guard let body = try? await request.body.collect(upTo: LiveWorker.greatestFrame) else {
                throw Problem(
                    .contentTooLarge, "a frame is a JPEG of at most \(LiveWorker.greatestFrame >> 20) MiB")
            }
            guard body.readableBytes > 0 else { throw Problem(.badRequest, "the body is empty") }
            let word = request.uri.queryParameters["t"]
            let now = UInt64(Date().timeIntervalSince1970 * 1000)
            guard let time = word.map({ UInt64($0) }) ?? now, time <= Self.latestTime else {
                throw Problem(
                    .unprocessableContent, "t is a number of milliseconds, 0 to \(Self.latestTime)")
            }
            let answer = try await live.answer(to: Data(body.readableBytesView), at: time, of: id)
            metrics.countFrame()
            return Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(bytes: answer)))
        }
        group.delete("live/:id") { _, context -> Response in
            guard await live.close(try context.parameters.require("id")) else {
                throw Problem(.notFound, "there is no such session")
            }
            return Response(status: .noContent)
        }
    }

    // MARK: - Access

    private func addLogin(to router: Router<FlattenContext>) {
        let access = access
        // The address that the server prints, opened once.
        router.get("login") { request, _ -> Response in
            guard access.token != nil else { return Self.toApp }
            guard let word = request.uri.queryParameters["token"].map(String.init) else {
                return Self.loginPage
            }
            let cookie = try await access.open(with: word, isEncrypted: Self.isForwardedEncrypted(request))
            var response = Self.toApp
            response.setCookie(cookie)
            return response
        }
        router.post("login") { request, _ -> Response in
            guard access.token != nil else { return Self.toApp }
            let body = try await request.body.collect(upTo: 4096)
            let fields = String(buffer: body).split(separator: "&")
            let word = fields.first { $0.hasPrefix("token=") }?.dropFirst(6) ?? ""
            let cookie = try await access.open(
                with: word.removingPercentEncoding ?? "", isEncrypted: Self.isForwardedEncrypted(request))
            var response = Self.toApp
            response.setCookie(cookie)
            return response
        }
    }

    /// Whether a proxy says that its caller's connection is encrypted. Who says so of itself gets a cookie that only such connections carry.
    private static func isForwardedEncrypted(_ request: Request) -> Bool {
        request.headers[.forwardedProtocol] == "https"
    }

    private static var toApp: Response { Response(status: .seeOther, headers: [.location: "/"]) }
}
