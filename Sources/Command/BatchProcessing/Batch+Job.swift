extension Batch {
    /// A capture and the outputs wanted from it.
    package struct Job: Sendable {
        /// A file that the job may write.
        package struct Output: Sendable {
            /// The kind of output, in the words of the code that made the batch.
            package var kind: String
            /// Its name in the worker's folder and in the output folder.
            package var name: String
            /// Whether a flattened capture may lack it, because there is no depth or nothing to write in it.
            package var mayBeMissing: Bool
            /// Whether it is for the batch's own use and kept in ``PartsFolder``; then there is one for all sheets.
            package var isKeptByBatch: Bool
            /// Whether its content names the capture, so that it cannot serve another capture.
            package var naming: Naming

            /// When a file's content names its capture.
            package enum Naming: Sendable {
                case never
                /// Only if there is something to say about it, as in a warning: by its path, in UTF-8 except for JSON's
                /// escapes.
                case sometimes
                case always
            }

            package init(
                kind: String, name: String, mayBeMissing: Bool = false, isKeptByBatch: Bool = false,
                naming: Naming = .never
            ) {
                self.isKeptByBatch = isKeptByBatch
                self.naming = naming
                self.kind = kind
                self.name = name
                self.mayBeMissing = mayBeMissing
            }

            /// Its path in the output folder.
            package var path: String { isKeptByBatch ? PartsFolder.name + "/" + name : name }
        }

        /// The capture.
        package var capture: CaptureList.Entry
        /// The name of its outputs.
        package var name: String
        /// The files that the job may write.
        package var outputs: [Output]
        /// Whether each sheet of the capture has its own outputs, with its number in their names (``NumberedPath``). The
        /// number of sheets is known only when the worker has ended.
        package var numbersOutputs: Bool
        /// The request to the worker, in the words of the code that made the batch.
        package var request: String
        /// The folder that holds the capture's page, drawn for its worker; nil if no page was drawn.
        package var drawnPage: String?

        package init(
            capture: CaptureList.Entry, name: String, outputs: [Output], numbersOutputs: Bool = false,
            request: String
        ) {
            self.numbersOutputs = numbersOutputs
            self.capture = capture
            self.name = name
            self.outputs = outputs
            self.request = request
        }
    }

    /// What happened to a capture.
    package enum Outcome: Sendable {
        /// Flattened now.
        case done(seconds: Double, messages: String)
        /// Flattened earlier; its files are still there.
        case alreadyDone
        /// Not flattened, now or earlier, for the reason given.
        case failed(String, earlier: Bool)
    }

    /// The events that a running batch reports.
    package enum Event: Sendable {
        /// A worker has begun the job with this number.
        case began(Int)
        /// The job with this number has ended.
        case ended(Int, Outcome)
        /// A message about the whole batch that a person should know.
        case warned(String)
    }
}
