import HTTPTypes
import Hummingbird
import Synchronization

/// What is counted, in the text format of Prometheus.
final class Metrics: Sendable {
    private struct Counts {
        var answers: [Int: Int] = [:]
        var jobs: [String: Int] = [:]
        var jobSeconds = 0.0
        var running = 0
        var queued = 0
        var frames = 0
    }
    private let counts = Mutex(Counts())

    func count(answer status: Int) { counts.withLock { $0.answers[status, default: 0] += 1 } }
    func count(job state: String, seconds: Double) {
        counts.withLock {
            $0.jobs[state, default: 0] += 1
            $0.jobSeconds += seconds
        }
    }
    func countFrame() { counts.withLock { $0.frames += 1 } }
    func set(running: Int, queued: Int) { counts.withLock { ($0.running, $0.queued) = (running, queued) } }

    /// The page.
    var text: String {
        let counts = counts.withLock { $0 }
        var lines = ["# TYPE flatten_http_answers_total counter"]
        for (status, count) in counts.answers.sorted(by: { $0.key < $1.key }) {
            lines.append("flatten_http_answers_total{status=\"\(status)\"} \(count)")
        }
        lines.append("# TYPE flatten_jobs_total counter")
        for (state, count) in counts.jobs.sorted(by: { $0.key < $1.key }) {
            lines.append("flatten_jobs_total{state=\"\(state)\"} \(count)")
        }
        lines += [
            "# TYPE flatten_job_seconds_total counter", "flatten_job_seconds_total \(counts.jobSeconds)",
            "# TYPE flatten_jobs_running gauge", "flatten_jobs_running \(counts.running)",
            "# TYPE flatten_jobs_queued gauge", "flatten_jobs_queued \(counts.queued)",
            "# TYPE flatten_live_frames_total counter", "flatten_live_frames_total \(counts.frames)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Counts answers, and logs each by its route: never a word of a document, nor a name of a file.
struct RequestLog<Context: RequestContext>: RouterMiddleware {
    let metrics: Metrics

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var response = try await next(request, context)
        metrics.count(answer: response.status.code)
        response.headers[.requestID] = context.id
        let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        context.logger.info(
            "answered",
            metadata: [
                "method": "\(request.method)", "route": "\(context.endpointPath ?? "none")",
                "status": "\(response.status.code)", "ms": "\(milliseconds)",
            ])
        return response
    }
}
