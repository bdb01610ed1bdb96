import Foundation
import TestSupport
import Testing

/// What `make reader` runs, with a Python that only writes down what it is asked and brings the files it is told.
@Suite struct InstallReaderTests {
    private static let script = Repository.folder.appending(path: "Scripts/install-reader").path()

    /// Runs the script where packages hold these words.
    /// - Returns: what it said, what Python was asked, a line each, and the names of what lies in the reader's folder.
    private static func run(
        bringing words: String
    ) throws -> (outcome: FlattenProcess.Outcome, asked: String, installed: [String]) {
        let folder = try ScratchFolder()
        try folder.writeProgram(
            """
            #!/bin/sh
            echo "$*" >> "\(folder.path)/asked"
            case "$*" in
            "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
            *"pip "*)
                while [ $# -gt 1 ]; do
                    case "$1" in --dest) mkdir -p "$2" && : > "$2/x.whl" ;; --requirement) cat "$2" >> "\(folder.path)/asked" ;; esac
                    shift
                done ;;
            *"zipfile "*)
                mkdir -p "$5/onnxruntime/capi" "$5/rapidocr/models"
                for file in onnxruntime/capi/libonnxruntime.so.1.32.0 onnxruntime/capi/libonnxruntime.1.32.0.dylib \\
                    rapidocr/models/PP-OCRv6_rec_small.onnx; do printf '%s' '\(words)' > "$5/$file"; done ;;
            esac
            """, as: "bin/python3")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let outcome = try FlattenProcess.run(
            [],
            environment: [
                "PATH": folder.path("bin") + ":" + path, "XDG_DATA_HOME": folder.path("data"),
                "TMPDIR": folder.path,
            ], program: script)
        let reader = folder.path("data/receipt-flattening/reader")
        return (
            outcome, try String(contentsOfFile: folder.path("asked"), encoding: .utf8),
            (try? FileManager.default.contentsOfDirectory(atPath: reader).sorted()) ?? []
        )
    }

    @Test func packagesAreAskedForByTheirHashesAndNoneThatRunsCode() throws {
        let asked = try Self.run(bringing: "").asked
        let download = try #require(asked.split(separator: "\n").first { $0.contains(" download ") })
        #expect(download.contains("--require-hashes") && download.contains("--only-binary=:all:"))
        let requirements = asked.matches(of: /(?m)^(\w+)==[0-9.]+ --hash=sha256:[0-9a-f]{64}$/)
        #expect(requirements.map { String($0.output.1) } == ["onnxruntime", "rapidocr"])
    }

    @Test func whereAFileIsAnotherNothingIsInstalledAndThatIsSaid() throws {
        let (outcome, _, installed) = try Self.run(bringing: "another")
        #expect(outcome.exitCode == 1 && installed.isEmpty)
        #expect(outcome.errors.contains("is not the file that was expected"))
        #expect(outcome.errors.contains("Nothing was installed."))
    }
}
