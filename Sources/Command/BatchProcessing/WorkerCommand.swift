package import Diagnostics

/// The program that works on one capture of a batch: how it is called, and what its exit statuses say. A batch itself knows
/// neither.
package struct WorkerCommand: Sendable {
    /// The program's path.
    package var program = WorkerProcess.thisProgram
    /// The words that a worker is called with.
    package var arguments: @Sendable (Assignment) -> [String]
    package var statuses: Statuses

    /// How each line begins by which a worker tells of a library that it finds.
    package static let libraryMark = "library: "

    package init(statuses: Statuses, arguments: @escaping @Sendable (Assignment) -> [String]) {
        self.statuses = statuses
        self.arguments = arguments
    }

    /// What one worker is to do, and within which bounds.
    package struct Assignment: Sendable {
        /// What is done.
        package enum Task: Sendable {
            /// Tell of the libraries that this job would need, a line each, and do nothing else.
            case libraries(Batch.Job)
            /// Flatten the job's capture.
            case flatten(Batch.Job)
        }

        package var task: Task
        package var limits: JobRecord.Limits
        /// The number of the user's threads from which on the worker starts none; nil for no limit.
        package var threadLimit: UInt64?
        /// The one folder that it may write to, without a slash at the end: its outputs have their names in there.
        package var staging: String
        /// The files and folders that it may read.
        package var readable: [String]

        /// The job that is done or asked about.
        package var job: Batch.Job {
            switch task {
            case .libraries(let job), .flatten(let job): job
            }
        }
    }

    /// What the exit statuses of a worker say; 0 is success. What is none of these ends by accident, as a library's way out.
    package struct Statuses: Sendable {
        /// There is a result, and it is below what was asked for.
        package var belowDemand: Int32
        /// A library or its data is missing.
        package var missingDependency: Int32
        /// A file that all captures need cannot be opened.
        package var fileAccess: Int32
        /// The outputs' disk is full.
        package var storageFull: Int32
        /// Memory or descriptors are short.
        package var shortage: Int32
        /// Those that say something of the capture, whenever it is tried.
        package var verdicts: Set<Int32>
        /// The status that the job log gives for what the batch finds itself.
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
