extension Batch {
    /// A capture and what shall come of it.
    package struct Job: Sendable {
        /// A file that may come of it.
        package struct Output: Sendable {
            /// The option of `flatten` that names it.
            package var option: String
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
                option: String, name: String, mayBeMissing: Bool = false, isPart: Bool = false,
                naming: Naming = .never
            ) {
                self.isPart = isPart
                self.naming = naming
                self.option = option
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
        /// What flattens it: arguments of `flatten` but for the outputs.
        package var arguments: [String]

        package init(
            capture: CaptureList.Entry, name: String, outputs: [Output], numbersOutputs: Bool = false,
            arguments: [String]
        ) {
            self.numbersOutputs = numbersOutputs
            self.capture = capture
            self.name = name
            self.outputs = outputs
            self.arguments = arguments
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
