import Foundation
import HTTPTypes
import Hummingbird

/// A job as it goes on: server-sent events, one each time that it changes, until it is over.
enum JobEvents {
    static let mediaType = "text/event-stream"
    /// How often a job is looked at.
    private static let interval = Duration.milliseconds(200)
    /// After so long without a change something is said all the same, so that nobody between takes the connection for dead, and a caller
    /// who has gone is noticed.
    private static let longestSilence = Duration.seconds(10)

    /// Events `status`, each with the job as JSON; the last one is of its end.
    static func response(of id: String, in pool: JobPool) -> Response {
        let body = ResponseBody { writer in
            var said: JobPool.Status?
            var saidAt = ContinuousClock.now
            while !Task.isCancelled {
                // One that is gone was removed.
                let status = await pool.status(of: id) ?? JobPool.Status(id: id, state: .cancelled)
                if status != said {
                    let json = String(decoding: Response.encoded(status), as: UTF8.self)
                    try await writer.write(ByteBuffer(string: "event: status\ndata: \(json)\n\n"))
                    (said, saidAt) = (status, .now)
                } else if .now - saidAt > longestSilence {
                    try await writer.write(ByteBuffer(string: ":\n\n"))
                    saidAt = .now
                }
                guard !status.isOver else { break }
                _ = try? await Deadline.run(interval) { await pool.waitForEnd(of: id) }
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: mediaType, .cacheControl: "no-store"], body: body)
    }
}
