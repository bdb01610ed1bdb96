import Diagnostics
import Parallelism

extension Batch {
    /// Writes the end of one job to the log.
    struct Attempt {
        let job: Job
        let log: JobLog
        let stop: CancellationFlag
        let start: ContinuousClock.Instant
        /// Number of captures in the whole batch.
        let captureCount: Int
        let onRecord: @Sendable (JobRecord) -> Void

        private var seconds: Double {
            ((ContinuousClock.now - start) / .milliseconds(1)).rounded() / 1000
        }

        func succeed(
            key: String, outputs: [JobRecord.Output], messages: String, sameAs: String? = nil
        ) throws(FlatteningError) -> Outcome {
            try check()
            let seconds = seconds
            try add(
                JobRecord(
                    key: key, name: job.name, input: job.capture.label, state: .done, outputs: outputs,
                    exitCode: 0, error: nil, seconds: seconds, sameAs: sameAs))
            return .done(seconds: seconds, messages: messages)
        }

        private func add(_ record: JobRecord) throws(FlatteningError) {
            var record = record
            record.ended = JobRecord.now
            record.captures = captureCount
            try log.append(record)
            onRecord(record)
        }

        /// Throws if the batch was stopped: a worker's result says nothing about its capture once the worker's folder may
        /// be gone.
        private func check() throws(FlatteningError) {
            guard !stop.isRaised else { throw Batch.stopped }
        }

        /// - Parameter resumes: whether to skip the new line if the log already has one with the same error.
        func fail(
            key: String, exitCode: Int32, reason: String, outputs: [JobRecord.Output] = [],
            retry: Bool = false,
            limits: JobRecord.Limits? = nil, resumes: Bool = false
        ) throws(FlatteningError) -> Outcome {
            try check()
            if resumes, let record = log.record(key: key, name: job.name), record.error == reason {
                onRecord(record)
                return .failed(reason, earlier: true)
            }
            try add(
                JobRecord(
                    key: key, name: job.name, input: job.capture.label, state: .failed, outputs: outputs,
                    exitCode: exitCode, error: reason, seconds: seconds, retry: retry ? true : nil,
                    limits: limits))
            return .failed(reason, earlier: false)
        }
    }
}
