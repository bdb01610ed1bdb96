import Foundation
import TestSupport
import Testing

/// A library that lies beside the program is none of its own: download folders hold whatever anybody put there.
@Suite struct PlantedLibraryTests {
    /// The release build is what is installed. A debug build loads Swift's own libraries from beside it.
    private static let isRelease = ProcessInfo.processInfo.environment["FLATTEN"] != nil

    @Test(
        "Files named like libraries beside the program are not loaded",
        .enabled(if: isRelease, "needs FLATTEN"))
    func besideTheProgram() throws {
        let folder = try ScratchFolder()
        let program = folder.path("flatten")
        try FileManager.default.copyItem(atPath: FlattenProcess.binary.path(), toPath: program)
        // Those that the loader brings in at the start, and those that are loaded when they are needed.
        for name in [
            "libtiff.so.6", "libpng16.so.16", "libturbojpeg.so.0", "libisal.so.2", "libstdc++.so.6",
            "libtesseract.so.5", "liblapacke.so.3",
        ] {
            try Data("no library".utf8).write(to: folder.url.appending(path: name))
        }
        let sample = FlattenProcess.samples.appending(path: "curl-structured").path()
        let outcome = try FlattenProcess.run(
            [sample, "-o", folder.path("flat.png"), "--text", folder.path("text.txt")], program: program)
        #expect(outcome.exitCode == 0 && !outcome.wasSignalled, "\(outcome.errors)")
        #expect(try folder.contents.contains("text.txt"))
    }
}
