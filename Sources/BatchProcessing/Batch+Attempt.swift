import Diagnostics
import Parallelism

extension Batch {
    /// How one job's end gets into the log.
    struct Attempt {
        let job: Job
        let log: JobLog
        let stop: CancellationFlag
        let start: ContinuousClock.Instant

        private var seconds: Double {
            ((ContinuousClock.now - start) / .milliseconds(1)).rounded() / 1000
        }

        func succeed(
            key: String, outputs: [JobRecord.Output], messages: String
        ) throws(FlatteningError) -> Outcome {
            try check()
            let seconds = seconds
            try log.append(
                JobRecord(
                    key: key, name: job.name, input: job.capture.path, state: .done, outputs: outputs,
                    exitCode: 0, error: nil, seconds: seconds))
            return .done(seconds: seconds, messages: messages)
        }

        /// What a worker left once its folder may be gone says nothing of its capture.
        private func check() throws(FlatteningError) {
            guard !stop.isRaised else { throw Batch.stopped }
        }

        /// - Parameter resumes: whether a line that says the same already need not be repeated.
        func fail(
            key: String, exitCode: Int32, reason: String, outputs: [JobRecord.Output] = [],
            retry: Bool = false,
            limits: JobRecord.Limits? = nil, resumes: Bool = false
        ) throws(FlatteningError) -> Outcome {
            try check()
            if resumes, let record = log.record(key: key, name: job.name), record.error == reason {
                return .failed(reason, earlier: true)
            }
            try log.append(
                JobRecord(
                    key: key, name: job.name, input: job.capture.path, state: .failed, outputs: outputs,
                    exitCode: exitCode, error: reason, seconds: seconds, retry: retry ? true : nil,
                    limits: limits))
            return .failed(reason, earlier: false)
        }
    }
}
