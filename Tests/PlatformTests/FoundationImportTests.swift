import Foundation
import Testing

@Suite struct FoundationImportTests {
    @Test("Nothing that the command links imports Foundation, whose ICU would make it 40 MB larger")
    func imports() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources").standardizedFileURL
        // The drawing of captures is linked by tests and benchmarks alone, the camera's face by programs of others.
        let others = ["SyntheticCaptures", "ReceiptCapture"]
        // Import it only where it is the system's own, and costs nothing.
        let conditional = ["Platform.swift", "DigestState.swift"]
        var seen = 0
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            let parts = Set(file.pathComponents)
            guard parts.isDisjoint(with: others), !conditional.contains(file.lastPathComponent) else {
                continue
            }
            seen += 1
            let imports = try String(contentsOf: file, encoding: .utf8)
                .matches(of: /(?m)^[^\/\n]*\bimport\s+(\w+\s+)?Foundation\b/)
            #expect(imports.isEmpty, "\(file.path): import Platform instead")
        }
        #expect(seen > 300, "the sources were not found")
    }
}
