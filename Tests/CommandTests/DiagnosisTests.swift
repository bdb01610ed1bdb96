import RuntimeLibraries
import Testing

@testable import flatten

/// `flatten doctor`: what can be done by what is installed.
@Suite struct DiagnosisTests {
    private let all = [
        "LAPACK", "tesseract", "ONNX Runtime", "libtiff", "libheif", "Leptonica", "libzip", "OpenEXR",
        "libyaml", "zbar",
        "libdmtx", "ZXing-C++", "SQLite", "SQLCipher",
    ].map { LibraryVersion($0, .loaded("1")) }

    @Test("Where everything is there, every line is ok")
    func whole() {
        let diagnosis = Diagnosis(libraries: all, isThere: { _ in true }, searchPath: "/usr/bin")
        #expect(diagnosis.canFlatten)
        let lines = diagnosis.page.split(separator: "\n")
        #expect(lines.count > 10 && lines.allSatisfy { $0.hasPrefix("ok  ") })
    }

    @Test("What is missing is named with the line that installs it, and nothing else is")
    func missing() {
        var libraries = all.filter { $0.name != "libheif" }
        libraries.append(LibraryVersion("libheif", .unavailable("no such file")))
        let diagnosis = Diagnosis(
            libraries: libraries, isThere: { $0 != "/bin/pdftotext" && !$0.contains("cascade") },
            searchPath: "/bin")
        let missing = diagnosis.page.split(separator: "\n").filter { !$0.hasPrefix("ok") }
        #expect(
            missing == [
                "--  PDF: pdftotext missing; apt-get install poppler-utils",
                "--  HEIC and AVIF: libheif missing; apt-get install libheif1",
                "--  faces: its data missing; apt-get install opencv-data",
            ])
        #expect(diagnosis.canFlatten)
    }

    @Test("Without LAPACK nothing can be flattened")
    func nothing() {
        #expect(!Diagnosis(libraries: [], isThere: { _ in false }, searchPath: "").canFlatten)
    }

    @Test("The command says it of this machine")
    func command() throws {
        let outcome = try FlattenProcess.run(["doctor"])
        #expect(outcome.exitCode == 0 && outcome.text.hasPrefix("ok  flatten\n"), "\(outcome.text)")
    }
}
