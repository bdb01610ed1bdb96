internal import CProcessLimits
internal import Platform

/// Reads a child's output until it has ended or is killed.
struct ProcessWatch {
    let process: pid_t
    let errors: Pipe
    let output: Pipe?
    var deadline: ContinuousClock.Instant?
    var outputLimit = Int.max

    private(set) var messages: [UInt8] = []
    private(set) var outputBytes: [UInt8] = []
    private(set) var isOutputTooLong = false
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// Longest wait for the pipes before the child, the time and the caller are checked.
    private static let longestRound = Duration.milliseconds(50)
    /// A round longer than this was interrupted: the process was stopped, or the machine slept.
    private static let stoppedRound = Duration.seconds(2)

    init(process: pid_t, errors: Pipe, output: Pipe?, deadline: ContinuousClock.Instant?) {
        self.process = process
        self.errors = errors
        self.output = output
        self.deadline = deadline
    }

    /// Waits for the end; kills the child if the time is up, the caller cancels or the output is too long.
    mutating func wait(isCancelled: () -> Bool) -> ChildProcess.Ending {
        var round = Duration.milliseconds(1)
        let ending = process_ending(process)
        defer { if ending >= 0 { close(ending) } }
        while true {
            let start = ContinuousClock.now
            // Checks the child first: it may have ended properly while we were stopped, even if it is late.
            switch process_has_ended(process) {
            case 1: return finish(nil)
            case 0: break
            // The process number may have been reused: nothing is killed.
            default:
                readWhatIsThere()
                return .unknown
            }
            if isOutputTooLong || isCancelled() { return finish(.cancelled) }
            if let deadline, start >= deadline { return finish(.overdue) }
            waitForNews(ending, at: min(round, deadline.map { $0 - start } ?? round))
            readWhatIsThere()
            let took = ContinuousClock.now - start
            if took > Self.stoppedRound { deadline = deadline.map { $0 + took } }
            round = min(round * 2, Self.longestRound)
        }
    }

    /// Kills the rest of the group and records how the child ended; `reason` takes precedence if we killed it.
    private mutating func finish(_ reason: ChildProcess.Ending?) -> ChildProcess.Ending {
        var status: Int32 = 0
        let result = unsafe process_finish(process, &status)
        readWhatIsThere()
        return reason ?? (result == 0 ? Self.ending(status) : .unknown)
    }

    /// Decodes the status of wait(2).
    private static func ending(_ status: Int32) -> ChildProcess.Ending {
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
    }

    /// Waits for bytes, or for the child's end if `ending` is a descriptor that signals it.
    private func waitForNews(_ ending: Int32, at longest: Duration) {
        // poll(2) ignores negative descriptors.
        var waiting = [errors.reader, output?.reader ?? -1, ending]
            .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = Int32((longest / .milliseconds(1)).rounded(.up))
        unsafe poll(&waiting, nfds_t(waiting.count), milliseconds)
    }

    private mutating func readWhatIsThere() {
        read(errors) { watch, piece in
            watch.messages.append(contentsOf: piece)
            watch.messages.removeFirst(max(watch.messages.count - ChildProcess.maximumMessageBytes, 0))
        }
        guard let output else { return }
        read(output) { watch, piece in
            guard piece.count <= watch.outputLimit - watch.outputBytes.count else {
                watch.isOutputTooLong = true
                return
            }
            watch.outputBytes.append(contentsOf: piece)
        }
    }

    /// Reads what a pipe holds, and closes it once nobody can write to it. For a child that never stops writing, it returns
    /// every 64 pieces (4 MiB) so that the time can be checked.
    private mutating func read(_ pipe: Pipe, _ take: (inout ProcessWatch, ArraySlice<UInt8>) -> Void) {
        guard pipe.reader >= 0 else { return }
        for _ in 0..<64 where !isOutputTooLong {
            let count = unsafe systemRead(pipe.reader, &buffer, buffer.count)
            if count > 0 {
                let piece = buffer[..<count]
                take(&self, piece)
            } else if count < 0, errno == EINTR {
                continue
            } else {
                if count == 0 || errno != EAGAIN { pipe.closeReader() }
                return
            }
        }
    }
}

/// read(2) under a name that `ProcessWatch.read` does not hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}
