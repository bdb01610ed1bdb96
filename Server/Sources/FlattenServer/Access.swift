import Foundation
import HTTPTypes
import Hummingbird

/// Who is let in.
actor Access {
    /// What callers must show; nil for nothing.
    let token: String?
    let isEncrypted: Bool
    private var sessions: [String: ContinuousClock.Instant] = [:]
    private var failures: [ContinuousClock.Instant] = []

    static let cookie = "flatten_session"
    /// How long a session lasts that nobody uses.
    private static let life = Duration.seconds(12 * 3600)
    /// Wrong tokens that are answered in a minute; after that nobody without a session is.
    private static let mostFailures = 20

    init(token: String?, isEncrypted: Bool) {
        self.token = token
        self.isEncrypted = isEncrypted
    }

    /// Why a request is not answered: 401, or 429 where too many have tried; nil for one of who may.
    func refusal(of request: Request) -> Problem? {
        guard let token else { return nil }
        if let cookie = request.cookies[Self.cookie]?.value, let used = sessions[cookie] {
            if .now - used < Self.life {
                sessions[cookie] = .now
                return nil
            }
            sessions[cookie] = nil
        }
        guard let header = request.headers[.authorization] else {
            return Problem(
                .unauthorized,
                "say the token: Authorization: Bearer TOKEN, or open the address that the server printed")
        }
        guard hasFewFailures else { return Self.tooMany }
        guard header.hasPrefix("Bearer "), Self.isSame(String(header.dropFirst(7)), token) else {
            failures.append(.now)
            return Self.wrong
        }
        return nil
    }

    /// A session for who has the token.
    /// - Parameter isEncrypted: whether the caller's own connection is, to a proxy before this server.
    func open(with word: String, isEncrypted: Bool) throws(Problem) -> Cookie {
        guard hasFewFailures else { throw Self.tooMany }
        guard let token, Self.isSame(word, token) else {
            failures.append(.now)
            throw Self.wrong
        }
        sessions = sessions.filter { .now - $0.value < Self.life }
        let session = RandomWord.make(bytes: 32)
        sessions[session] = .now
        return Cookie(
            name: Self.cookie, value: session, path: "/", secure: self.isEncrypted || isEncrypted,
            httpOnly: true,
            sameSite: .strict)
    }

    private static let wrong = Problem(.unauthorized, "this is not the token")
    private static let tooMany = Problem(.tooManyRequests, "too many wrong tokens", retryAfter: 60)

    private var hasFewFailures: Bool {
        failures.removeAll { .now - $0 > .seconds(60) }
        return failures.count < Self.mostFailures
    }

    /// Compares in a time that does not tell where two words part.
    private static func isSame(_ first: String, _ second: String) -> Bool {
        let (a, b) = (Array(first.utf8), Array(second.utf8))
        var difference = a.count ^ b.count
        for index in b.indices { difference |= Int(index < a.count ? a[index] : 0) ^ Int(b[index]) }
        return difference == 0
    }
}

/// Lets in who may, and no other site's pages.
struct AccessMiddleware<Context: RequestContext>: RouterMiddleware {
    let access: Access
    /// Without a token only names of this machine are answered to, so that no other site's name can be led here.
    let isLoopbackOnly: Bool

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let host = request.head.authority ?? ""
        if isLoopbackOnly, !Self.isLoopback(host) {
            throw Problem(.misdirectedRequest, "this server answers to localhost only")
        }
        if ![.get, .head].contains(request.method) {
            if let site = request.headers[.fetchSite], !["same-origin", "none"].contains(site) {
                throw Problem(.forbidden, "another site's page asked for this")
            }
            if let origin = request.headers[.origin],
                origin.split(separator: "/").last.map(String.init) != host
            {
                throw Problem(.forbidden, "another site's page asked for this")
            }
        }
        if request.uri.path != "/login", let refusal = await access.refusal(of: request) {
            guard refusal.status == .unauthorized, request.uri.path == "/" else { throw refusal }
            return FlattenService.loginPage
        }
        return try await next(request, context)
    }

    static func isLoopback(_ authority: String) -> Bool {
        let name =
            authority.hasPrefix("[")
            ? String(authority.dropFirst().prefix { $0 != "]" })
            : String(authority.prefix { $0 != ":" })
        return ["localhost", "::1"].contains(name) || name.hasPrefix("127.") && !name.contains { $0.isLetter }
    }
}

/// What browsers are told not to do.
struct BrowserPolicy<Context: RequestContext>: RouterMiddleware {
    static var policy: String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
            + "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
            + "frame-ancestors 'none'"
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if response.headers[.contentPolicy] == nil { response.headers[.contentPolicy] = Self.policy }
        response.headers[.typeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.permissionsPolicy] = "camera=(self), microphone=(), geolocation=()"
        response.headers[.openerPolicy] = "same-origin"
        return response
    }
}
