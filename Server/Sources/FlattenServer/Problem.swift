import Foundation
import HTTPTypes
import Hummingbird

/// An error as an answer: problem details after RFC 9457.
struct Problem: Error, Equatable {
    /// The status of the answer.
    var status: HTTPResponse.Status
    /// What happened, in a sentence.
    var detail: String
    /// How many seconds to wait before asking again; nil where that does not help.
    var retryAfter: Int?

    init(_ status: HTTPResponse.Status, _ detail: String, retryAfter: Int? = nil) {
        self.status = status
        self.detail = detail
        self.retryAfter = retryAfter
    }

    private struct Body: Encodable {
        var type = "about:blank"
        var title: String
        var status: Int
        var detail: String
    }

    /// The answer.
    var response: Response {
        let body = Body(title: status.reasonPhrase, status: status.code, detail: detail)
        var response = Response(json: body, status: status)
        response.headers[.contentType] = "application/problem+json"
        if let retryAfter { response.headers[.retryAfter] = "\(retryAfter)" }
        if status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }
}

extension Problem: CustomStringConvertible {
    var description: String { detail }
}

extension Problem: HTTPResponseError {
    func response(from request: Request, context: some RequestContext) throws -> Response { response }
}

extension Response {
    /// A value as JSON.
    init(json value: some Encodable, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: Self.encoded(value))))
    }

    /// The JSON of an answer.
    static func encoded(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        // The types that are answered hold nothing that JSON has not.
        return (try? encoder.encode(value)) ?? Data("{}".utf8)
    }
}

/// Makes a problem of every error, those of routes that are not there included.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as Problem {
            return problem.response
        } catch let error as HTTPError where error.status == .notFound {
            // No route was found: that may be the method's fault.
            let allowed = InterfaceDescription.methods(of: request.uri.path)
            guard !allowed.isEmpty else { return Problem(.notFound, "there is no such page").response }
            var response = Problem(
                .methodNotAllowed, "this takes \(allowed.joined(separator: ", "))"
            ).response
            response.headers[.allow] = allowed.joined(separator: ", ")
            return response
        } catch let error as HTTPError {
            return Problem(error.status, error.body ?? error.status.reasonPhrase).response
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            context.logger.error("a defect of the server", metadata: ["error": "\(error)"])
            return Problem(.internalServerError, "a defect of the server").response
        }
    }
}

extension HTTPField.Name {
    /// A name that is written here, and is a token.
    private static func known(_ name: StaticString) -> HTTPField.Name {
        guard let known = HTTPField.Name("\(name)") else {
            preconditionFailure("\(name) is no name of a field")
        }
        return known
    }
    static let requestID = known("X-Request-Id")
    static let forwardedProtocol = known("X-Forwarded-Proto")
    static let fetchSite = known("Sec-Fetch-Site")
    static let contentPolicy = known("Content-Security-Policy")
    static let referrerPolicy = known("Referrer-Policy")
    static let permissionsPolicy = known("Permissions-Policy")
    static let openerPolicy = known("Cross-Origin-Opener-Policy")
    static let typeOptions = known("X-Content-Type-Options")
}
