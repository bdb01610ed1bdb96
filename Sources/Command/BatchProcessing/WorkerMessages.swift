import ScalarText

/// A worker's messages on standard error.
enum WorkerMessages {
    /// The error in a worker's messages.
    static func reason(in messages: String) -> String? {
        let lines = messages.split(atScalar: "\n").filter { !$0.isEmpty }
        let line = lines.last { $0.firstRange(ofScalars: "error: ") != nil } ?? lines.last
        return line.map { line in
            line.firstRange(ofScalars: "error: ").map { String(line[$0.upperBound...]) } ?? String(line)
        }
    }

    /// A worker's messages, with its outputs under their final names.
    static func named(_ messages: String, staging: StagingFolder) -> String {
        messages.replacingScalars(staging.path + "/", with: "")
    }
}
