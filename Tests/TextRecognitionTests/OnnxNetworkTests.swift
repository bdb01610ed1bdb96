import Diagnostics
import Foundation
import Testing

@testable import TextRecognition

@Suite struct OnnxNetworkTests {
    private static let variable = "ORT_DISABLE_TELEMETRY"

    @Test func aProgramForbidsReportsOfItsUseBeforeItsFirstThread() {
        #expect(ProcessInfo.processInfo.environment[Self.variable] == "1")
    }

    @Test(.enabled(if: LearnedReader.isThere, "make reader brings the learned reader"))
    func whereReportsAreNoLongerForbiddenNothingIsRead() async {
        await #expect(processExitsWith: .success) {
            setenv("XDG_DATA_HOME", LearnedReader.userData, 1)
            unsetenv("ORT_DISABLE_TELEMETRY")
            let error = #expect(throws: FlatteningError.self) {
                _ = try OnnxNetwork(path: LearnedReader.model, languages: ["eng"])
            }
            #expect(error?.code == .missingDependency)
            #expect(error?.advice?.contains("--reader tesseract") == true)
            // Nor has the variable come back behind the program's back.
            #expect(getenv("ORT_DISABLE_TELEMETRY") == nil)
        }
    }
}

/// The learned reader among the user's data, which tests do not see by themselves.
private enum LearnedReader {
    static let userData =
        ProcessInfo.processInfo.environment["USER_DATA"]
        ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share").path()
    static let model = userData + "/receipt-flattening/reader/line.onnx"
    static var isThere: Bool { FileManager.default.fileExists(atPath: model) }
}
