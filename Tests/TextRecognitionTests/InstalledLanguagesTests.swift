import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import TextRecognition

@Suite struct InstalledLanguagesTests {
    @Test("Languages are named by their data, scripts with their folder; the page's layout is none")
    func names() throws {
        let folder = try ScratchFolder()
        for name in ["deu", "eng", "osd", "equ", "chi_sim", "script/Latin"] {
            try folder.write("", as: name + ".traineddata")
        }
        try folder.write("", as: "readme.txt")
        #expect(
            TextLibraries.installedLanguages(dataPath: folder.url.path())
                == ["chi_sim", "deu", "eng", "script/Latin"])
        #expect(TextLibraries.installedLanguages(dataPath: folder.path("none")).isEmpty)
    }

    @Test("Where the tests run, what tesseract loads is listed")
    func usual() throws {
        #expect(TextLibraries.installedLanguages().contains("eng"))
        _ = try TextLibraries.languageFiles("eng")
    }

    @Test("Where data lie is told without loading them")
    func unloaded() throws {
        let loaded = try TextLibraries.languageFiles("eng")
        #expect(try TextLibraries.languageFiles("eng", loads: false) == loaded)
        #expect(throws: FlatteningError.self) { try TextLibraries.languageFiles("nope", loads: false) }
        #expect(throws: FlatteningError.self) { try TextLibraries.languageFiles("eng+nope", loads: false) }
    }
}
