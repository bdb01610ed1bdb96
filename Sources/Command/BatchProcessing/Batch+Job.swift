extension Batch {
    /// A capture and what shall come of it.
    package struct Job: Sendable {
        /// A file that may come of it.
        package struct Output: Sendable {
            /// What it is, in the words of whoever made the batch.
            package var kind: String
            /// Its name where the worker writes, and in the output folder.
            package var name: String
            /// Whether a capture that is flattened may still not have it, for want of depth or of what it tells of.
            package var mayBeMissing: Bool
            /// Whether it is kept for the batch's own use, in ``PartsFolder``; then there is one for all sheets.
            package var isPart: Bool
            /// Whether its content names the capture, and cannot be another's.
            package var naming: Naming

            /// Where a file's content names the capture that it is of.
            package enum Naming: Sendable {
                case never
                /// Where there is something to say of it, as in a warning: by its path, in UTF-8 but for JSON's escapes.
                case sometimes
                case always
            }

            package init(
                kind: String, name: String, mayBeMissing: Bool = false, isPart: Bool = false,
                naming: Naming = .never
            ) {
                self.isPart = isPart
                self.naming = naming
                self.kind = kind
                self.name = name
                self.mayBeMissing = mayBeMissing
            }

            /// Its path in the output folder.
            package var path: String { isPart ? PartsFolder.name + "/" + name : name }
        }

        /// The capture.
        package var capture: CaptureList.Entry
        /// What its outputs are called.
        package var name: String
        /// The files that may come of it.
        package var outputs: [Output]
        /// Whether each sheet of the capture has outputs of its own, with its number in their names (``NumberedPath``); how
        /// many there are is known once the worker has ended.
        package var numbersOutputs: Bool
        /// What is asked of its worker, in the words of whoever made the batch.
        package var request: String
        /// The folder to which the capture's page was drawn for its worker; nil where none was.
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
        /// Flattened earlier; its files still stand.
        case alreadyDone
        /// Not flattened, now or earlier, because of this.
        case failed(String, earlier: Bool)
    }

    /// What a batch tells of while it runs.
    package enum Event: Sendable {
        /// A worker has begun with the job of this number.
        case began(Int)
        /// The job of this number came to its end.
        case ended(Int, Outcome)
        /// Something that holds for the whole batch and that a person should know.
        case warned(String)
    }
}
