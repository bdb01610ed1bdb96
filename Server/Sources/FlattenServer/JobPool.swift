import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The captures that are flattened: some at a time, some waiting, the rest refused.
actor JobPool {
    /// What callers are told of a job.
    struct Status: Encodable, Equatable {
        enum State: String, Encodable { case queued, running, done, failed, cancelled }
        var id: String
        var state: State
        /// How many are before it; nil once it runs.
        var position: Int?
        /// What is done now; nil unless it runs.
        var progress: Progress?
        /// Files to fetch.
        var outputs: [String] = []
        /// Why it failed.
        var error: String?
        /// The status that a synchronous caller is answered with.
        var answer: HTTPResponse.Status?

        private enum CodingKeys: String, CodingKey { case id, state, position, progress, outputs, error }

        var isDone: Bool { state == .done }
        var isOver: Bool { [.done, .failed, .cancelled].contains(state) }
    }

    private struct Job {
        var status: Status
        var upload: Upload
        var folder: URL
        var task: Task<Void, Never>?
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var endedAt: ContinuousClock.Instant?
    }

    private let configuration: ServerConfiguration
    private let metrics: Metrics
    private let logger: Logger
    private var jobs: [String: Job] = [:]
    private var queue: [String] = []
    private var running = 0
    private var isStopped = false
    private var nextWaiter = 0

    /// How many results are kept at most; the oldest go first.
    private static let mostResults = 256

    init(_ configuration: ServerConfiguration, metrics: Metrics, logger: Logger) {
        self.configuration = configuration
        self.metrics = metrics
        self.logger = logger
    }

    /// Whether another capture would be taken.
    var isReady: Bool { !isStopped && queue.count < configuration.queue }

    /// Refuses a capture before its body is read, where it could not be taken.
    func requireRoom() throws(Problem) {
        guard !isStopped else { throw Problem(.serviceUnavailable, "the server ends", retryAfter: 10) }
        guard queue.count < configuration.queue else {
            throw Problem(.tooManyRequests, "too many captures wait already", retryAfter: 5)
        }
    }

    /// A folder for one capture.
    nonisolated func newFolder() throws(Problem) -> (id: String, folder: URL) {
        let id = RandomWord.make()
        let folder = configuration.folder.appending(path: id)
        do {
            try FileManager.default.createDirectory(
                at: folder.appending(path: "out"), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw Problem(.serviceUnavailable, "there is no room for uploads", retryAfter: 10)
        }
        return (id, folder)
    }

    /// Takes a capture whose upload lies in its folder.
    func submit(_ upload: Upload, id: String, folder: URL) throws(Problem) -> Status {
        try requireRoom()
        removeOld()
        jobs[id] = Job(status: Status(id: id, state: .queued), upload: upload, folder: folder)
        queue.append(id)
        startNext()
        return status(of: id) ?? Status(id: id, state: .queued)
    }

    /// What is known of a job; nil for one that is not there.
    func status(of id: String) -> Status? {
        guard var status = jobs[id]?.status else { return nil }
        status.position = status.state == .queued ? queue.firstIndex(of: id) : nil
        status.progress =
            status.state == .running ? jobs[id].flatMap { Progress(in: Self.messages(in: $0.folder)) } : nil
        return status
    }

    /// Waits until a job is over, or the task is cancelled.
    func waitForEnd(of id: String) async {
        let number = nextWaiter
        nextWaiter += 1
        await withTaskCancellationHandler {
            guard !Task.isCancelled, let job = jobs[id], !job.status.isOver else { return }
            await withCheckedContinuation { continuation in jobs[id]?.waiters[number] = continuation }
        } onCancel: {
            Task { await giveUp(number, of: id) }
        }
    }

    private func giveUp(_ number: Int, of id: String) {
        jobs[id]?.waiters.removeValue(forKey: number)?.resume()
    }

    /// The file of an output.
    func file(_ name: String, of id: String) -> URL? {
        guard let job = jobs[id], job.status.outputs.contains(name) else { return nil }
        return job.folder.appending(path: "out").appending(path: name)
    }

    /// The upload, the folder and the outputs of a job that is done.
    func kept(_ id: String) -> (upload: Upload, folder: URL, outputs: [String])? {
        jobs[id].flatMap { $0.status.isDone ? ($0.upload, $0.folder, $0.status.outputs) : nil }
    }

    /// Ends a job if it is not over, and forgets it with its files.
    func remove(_ id: String) async {
        guard let job = jobs[id] else { return }
        if let place = queue.firstIndex(of: id) {
            queue.remove(at: place)
            end(id, as: Status(id: id, state: .cancelled))
        } else if let task = job.task, !job.status.isOver {
            task.cancel()
            await waitForEnd(of: id)
        }
        for waiter in jobs.removeValue(forKey: id)?.waiters.values.map(\.self) ?? [] { waiter.resume() }
        try? FileManager.default.removeItem(at: job.folder)
    }

    /// Takes no more, and ends all that runs.
    func stop() async {
        isStopped = true
        for id in Array(jobs.keys) { await remove(id) }
    }

    /// Forgets results that are too old, or too many.
    func removeOld() {
        let over = jobs.compactMap { id, job in job.endedAt.map { (id, $0) } }.sorted { $0.1 < $1.1 }
        let old = ContinuousClock.now - .seconds(configuration.retention)
        for (index, (id, end)) in over.enumerated() where end < old || index < over.count - Self.mostResults {
            guard let folder = jobs.removeValue(forKey: id)?.folder else { continue }
            try? FileManager.default.removeItem(at: folder)
        }
    }

    private func startNext() {
        while running < configuration.jobs, !queue.isEmpty {
            let id = queue.removeFirst()
            guard var job = jobs[id] else { continue }
            running += 1
            job.status.state = .running
            let (upload, folder) = (job.upload, job.folder)
            job.task = Task { await run(id, upload, folder) }
            jobs[id] = job
            metrics.set(running: running, queued: queue.count)
        }
        metrics.set(running: running, queued: queue.count)
    }

    private func run(_ id: String, _ upload: Upload, _ folder: URL) async {
        let start = ContinuousClock.now
        let child = ChildProgram(
            program: configuration.flatten,
            arguments: upload.request.arguments(
                for: upload, in: folder.appending(path: "out"), timeout: configuration.timeout),
            memoryMiB: configuration.memoryMiB, processorSeconds: 8 * configuration.timeout,
            confinement: upload.needsPrograms
                ? nil
                : .init(
                    readable: upload.files + [ChildProgram.readerFolder],
                    writable: folder.appending(path: "out")))
        let messages = Self.messages(in: folder)
        var status = Status(id: id, state: .failed)
        do {
            // A program that does not heed its own limit is ended.
            let end = try await Deadline.run(.seconds(configuration.timeout + 10)) {
                try await child.run(messages: messages)
            }
            if end == .exited(0) {
                status.state = .done
                status.outputs = Self.files(in: folder.appending(path: "out"))
            } else {
                (status.answer, status.error) = Failure.answer(
                    to: end, messages: messages, hiding: folder.path, timeout: configuration.timeout)
            }
        } catch is CancellationError where Task.isCancelled {
            status.state = .cancelled
        } catch is CancellationError {
            (status.answer, status.error) = (
                .gatewayTimeout, "flattening took longer than \(configuration.timeout) s"
            )
        } catch {
            (status.answer, status.error) = (
                .internalServerError, "the program that flattens cannot be started"
            )
            logger.error("cannot start", metadata: ["error": "\(error)"])
        }
        metrics.count(job: status.state.rawValue, seconds: (ContinuousClock.now - start) / .seconds(1))
        // An archive keeps the photograph as it came, if somebody asks for that while the result is there.
        let uploads = configuration.archive == nil || !status.isDone ? upload.files : []
        for file in uploads + [messages] { try? FileManager.default.removeItem(at: file) }
        running -= 1
        end(id, as: status)
        startNext()
    }

    private func end(_ id: String, as status: Status) {
        let waiters = jobs[id]?.waiters ?? [:]
        jobs[id]?.waiters = [:]
        jobs[id]?.status = status
        jobs[id]?.endedAt = .now
        for waiter in waiters.values { waiter.resume() }
    }

    /// Where what the program says is written.
    private static func messages(in folder: URL) -> URL { folder.appending(path: "messages") }

    private static func files(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }
}

/// What a program that flattens does now, as it told last (`flatten --progress`).
struct Progress: Codable, Equatable {
    /// `read`, a stage of the flattening, `write`.
    var stage: String
    /// How much of the stage is done, 0 to 1.
    var share: Double?
    /// The page and how many there are, for several.
    var page: Int?
    var pages: Int?

    /// How a line begins that tells of it.
    private static let mark = "progress: "
    /// A few lines.
    private static let mostBytes: UInt64 = 1024

    /// The last that is told of in a file which is still written; nil for nothing yet.
    init?(in messages: URL) {
        guard let file = try? FileHandle(forReadingFrom: messages) else { return nil }
        defer { try? file.close() }
        guard let end = try? file.seekToEnd(),
            (try? file.seek(toOffset: end > Self.mostBytes ? end - Self.mostBytes : 0)) != nil,
            let bytes = try? file.readToEnd()
        else { return nil }
        self.init(told: String(decoding: bytes, as: UTF8.self))
    }

    /// The last line that is whole.
    init?(told text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        guard let line = lines.last(where: { $0.hasPrefix(Self.mark) }),
            let progress = try? JSONDecoder().decode(
                Self.self, from: Data(line.dropFirst(Self.mark.count).utf8))
        else { return nil }
        self = progress
    }
}

/// Why a flattening failed, as a caller is told.
enum Failure {
    /// The status and the words.
    /// - Parameters:
    ///   - messages: what the program wrote to standard error.
    ///   - folder: a path that is nobody's business.
    static func answer(
        to end: ChildProgram.End, messages: URL, hiding folder: String, timeout: Int
    ) -> (status: HTTPResponse.Status, detail: String) {
        guard case .exited(let code) = end else {
            return (
                .internalServerError,
                "flattening ended without an answer: the capture needs more memory or time than it may have"
            )
        }
        let bytes = (try? Data(contentsOf: messages)) ?? Data()
        let lines = String(decoding: bytes.suffix(16 << 10), as: UTF8.self).split(separator: "\n")
        let said = lines.last { $0.hasPrefix("error: ") }.map { line in
            var words = String(line.dropFirst("error: ".count))
            // What lies where is the server's business.
            words = words.replacingOccurrences(
                of: NSRegularExpression.escapedPattern(for: folder) + "/[A-Za-z0-9./-]*(: )?", with: "",
                options: .regularExpression)
            return words
        }
        let detail = said ?? "flattening failed"
        return switch code {
        case 64: (.badRequest, detail)
        case 3, 65: (.unprocessableContent, detail)
        // `flatten` by itself says 71 for a shortage, confined 72.
        case 71, 72: (.contentTooLarge, detail)
        case 75: (.gatewayTimeout, "flattening took longer than \(timeout) s")
        default: (.internalServerError, detail)
        }
    }
}

/// Work that is given up after a while.
enum Deadline {
    /// - Throws: `CancellationError` where the time is over.
    static func run<Value: Sendable>(
        _ time: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: time)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else { throw CancellationError() }
            return value
        }
    }
}

/// Words that nobody guesses.
enum RandomWord {
    /// 128 bits, or more, in hexadecimal digits.
    static func make(bytes: Int = 16) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<bytes).map { _ in
            let byte = UInt8.random(in: .min ... .max, using: &generator)
            return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}
