import Foundation
import NIOCore
import ReceiptCapture
import Synchronization

/// The cameras whose frames are followed, each by a process of its own.
actor LiveSessions {
    private struct Session {
        var worker: LiveProcess
        var isBusy = false
        var usedAt = ContinuousClock.now
    }

    private let configuration: ServerConfiguration
    private var sessions: [String: Session] = [:]

    /// How long a session lasts without a frame.
    private static let life = Duration.seconds(30)
    /// How long a frame may take.
    private static let frameTime = Duration.seconds(5)

    init(_ configuration: ServerConfiguration) { self.configuration = configuration }

    /// Begins to follow a camera.
    /// - Parameter kinds: what is followed besides the sheet, parted by commas; nil for nothing.
    /// - Throws: 400 for kinds that are not known, 429 where too many are followed.
    func open(following kinds: String?) throws(Problem) -> String {
        let names = (kinds ?? "").split(separator: ",").map { String($0) }
        guard names.allSatisfy({ TrackedItem.Kind(rawValue: $0) != nil }) else {
            let known = TrackedItem.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.badRequest, "what is to be followed is not known: allowed are \(known)")
        }
        removeOld()
        guard sessions.count < configuration.liveSessions else {
            throw Problem(.tooManyRequests, "too many cameras are followed already", retryAfter: 30)
        }
        let id = RandomWord.make()
        do {
            sessions[id] = Session(worker: try LiveProcess(configuration, following: names))
        } catch {
            throw Problem(.serviceUnavailable, "following cannot be started", retryAfter: 10)
        }
        return id
    }

    /// What is seen on a frame, as JSON.
    /// - Throws: 404 without such a session, 409 for a frame that comes while another is looked at: frames are dropped, not queued;
    ///   410 where following broke off; 422 for what is no picture.
    func answer(to frame: Data, at milliseconds: UInt64, of id: String) async throws -> Data {
        guard var session = sessions[id] else { throw Problem(.notFound, "there is no such session") }
        guard !session.isBusy else {
            throw Problem(.conflict, "another frame is looked at: this one is dropped")
        }
        session.isBusy = true
        session.usedAt = .now
        sessions[id] = session
        let worker = session.worker
        do {
            let answer = try await Deadline.run(Self.frameTime) {
                try await worker.answer(to: frame, at: milliseconds)
            }
            sessions[id]?.isBusy = false
            guard !answer.starts(with: Data("{\"error\"".utf8)) else {
                throw Problem(.unprocessableContent, "the frame is no picture that is read")
            }
            return answer
        } catch let problem as Problem {
            throw problem
        } catch {
            close(id)
            throw Problem(.gone, "following broke off: begin a new session")
        }
    }

    /// Ends a session.
    /// - Returns: whether there was one.
    @discardableResult
    func close(_ id: String) -> Bool {
        guard let session = sessions.removeValue(forKey: id) else { return false }
        session.worker.end()
        return true
    }

    /// Ends all.
    func stop() {
        for id in Array(sessions.keys) { close(id) }
    }

    /// Ends those that nobody uses.
    func removeOld() {
        for (id, session) in sessions where .now - session.usedAt > Self.life { close(id) }
    }
}

/// A process that follows one camera.
private final class LiveProcess: Sendable {
    private struct State {
        var process: Process
        var input: FileHandle
        var output: FileHandle
    }
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "live")

    /// A frame of a camera takes 50 MB, and reading it 150 more; the libraries' address space is what needs the rest.
    private static let memoryMiB = (guiding: 1024, reading: 2048)

    init(_ configuration: ServerConfiguration, following kinds: [String]) throws {
        let process = ChildProgram.process(
            of: configuration.itself, ["live-worker"] + kinds,
            memoryMiB: kinds.isEmpty ? Self.memoryMiB.guiding : Self.memoryMiB.reading, processorSeconds: 3600
        )
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        state = Mutex(
            State(process: process, input: input.fileHandleForWriting, output: output.fileHandleForReading))
    }

    func answer(to frame: Data, at milliseconds: UInt64) async throws -> Data {
        var message = Data(capacity: frame.count + 12)
        for shift in stride(from: 24, through: 0, by: -8) {
            message.append(UInt8(truncatingIfNeeded: frame.count >> shift))
        }
        for shift in stride(from: 56, through: 0, by: -8) {
            message.append(UInt8(truncatingIfNeeded: milliseconds >> shift))
        }
        message.append(frame)
        let sent = message
        // Reading and writing wait for the process, which is ended where nobody waits any more.
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { [self] in
                    continuation.resume(with: Result { try exchange(sent) })
                }
            }
        } onCancel: {
            end()
        }
    }

    private func exchange(_ message: Data) throws -> Data {
        let (input, output) = state.withLock { ($0.input, $0.output) }
        try input.write(contentsOf: message)
        var line = Data()
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while line.last != UInt8(ascii: "\n") {
            // A handle's own reading waits until as many bytes are there as may be.
            let count = read(output.fileDescriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw CancellationError() }
            line.append(contentsOf: chunk[..<count])
        }
        return line.dropLast()
    }

    func end() {
        state.withLock { state in
            if state.process.isRunning { kill(state.process.processIdentifier, SIGKILL) }
        }
    }
}
