package import Diagnostics

/// The program that works on one capture of a batch: how to call it, and what its exit statuses mean. A batch itself knows
/// neither.
package struct WorkerCommand: Sendable {
    /// The program's path.
    package var program = WorkerProcess.thisProgram
    /// The arguments of a worker.
    package var arguments: @Sendable (Assignment) -> [String]
    package var statuses: Statuses

    /// The prefix of each line in which a worker names a library that it finds.
    package static let libraryMark = "library: "

    package init(statuses: Statuses, arguments: @escaping @Sendable (Assignment) -> [String]) {
        self.statuses = statuses
        self.arguments = arguments
    }

    /// What one worker must do, and within which limits.
    package struct Assignment: Sendable {
        /// The kind of work.
        package enum Task: Sendable {
            /// List the libraries that this job would need, one per line, and do nothing else.
            case libraries(Batch.Job)
            /// Flatten the job's capture.
            case flatten(Batch.Job)
        }

        package var task: Task
        package var limits: JobRecord.Limits
        /// The number of the user's threads at which the worker starts no more; nil for no limit.
        package var threadLimit: UInt64?
        /// The only folder that it may write to, without a trailing slash; its outputs have their names in there.
        package var staging: String
        /// The files and folders that it may read.
        package var readable: [String]

        /// The job to do or to ask about.
        package var job: Batch.Job {
            switch task {
            case .libraries(let job), .flatten(let job): job
            }
        }
    }

    /// The meanings of a worker's exit statuses; 0 is success. Any other status is accidental, such as a library's exit.
    package struct Statuses: Sendable {
        /// There is a result, but it is below what was asked for.
        package var belowDemand: Int32
        /// A library or its data is missing.
        package var missingDependency: Int32
        /// A file that all captures need cannot be opened.
        package var fileAccess: Int32
        /// The outputs' disk is full.
        package var storageFull: Int32
        /// Memory or descriptors are short.
        package var shortage: Int32
        /// The statuses that are a verdict on the capture, whenever it is tried.
        package var verdicts: Set<Int32>
        /// The status that the job log records for an error found by the batch itself.
        package var logged: @Sendable (FlatteningError.Code) -> Int32

        package init(
            belowDemand: Int32, missingDependency: Int32, fileAccess: Int32, storageFull: Int32,
            shortage: Int32, verdicts: Set<Int32>, logged: @escaping @Sendable (FlatteningError.Code) -> Int32
        ) {
            self.belowDemand = belowDemand
            self.missingDependency = missingDependency
            self.fileAccess = fileAccess
            self.storageFull = storageFull
            self.shortage = shortage
            self.verdicts = verdicts
            self.logged = logged
        }
    }
}
