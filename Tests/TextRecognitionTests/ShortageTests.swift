import CTesseract
import Foundation
import Imaging
import Testing

@testable import TextRecognition

/// What tesseract's failures are called: absent data, broken data, memory.
@Suite struct ShortageTests {
    private func failure(_ language: String, dataPath: String) -> FlatteningError? {
        do {
            _ = try TesseractEngine(language: language, dataPath: dataPath)
            return nil
        } catch {
            return error
        }
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func dataThatAreThereAndBrokenAreNotToBeInstalledButMended() throws {
        try withFolder { folder in
            try Data("no data of a language".utf8).write(to: folder.appending(path: "eng.traineddata"))
            let error = try #require(failure("eng", dataPath: folder.path()))
            #expect(error.code == .missingLanguageData)
            #expect(error.message == "tesseract's data for eng cannot be loaded: broken, or memory is short")
            #expect(error.seen?.contains("eng.traineddata, 21 bytes") == true)
            #expect(error.advice?.contains("--reinstall tesseract-ocr-eng") == true)
        }
    }

    @Test func dataThatAreNotThereAreToBeInstalled() throws {
        try withFolder { folder in
            let error = try #require(failure("eng", dataPath: folder.path()))
            #expect(error.code == .missingLanguageData && error.message == "tesseract has no data for eng")
            #expect(error.advice?.hasPrefix("Install it: apt-get install tesseract-ocr-eng") == true)
            #expect(error.detail?.contains(folder.lastPathComponent) == true)
        }
    }

    @Test func whatTesseractThrowsIsNamed() {
        #expect(TesseractEngine.error(of: CTESSERACT_DONE, words: "") == nil)
        let memory = TesseractEngine.error(of: CTESSERACT_OUT_OF_MEMORY, words: "")
        #expect(memory?.code == .shortage && memory?.message.contains("memory is short") == true)
        let other = TesseractEngine.error(of: CTESSERACT_THREW, words: "vector::_M_default_append")
        #expect(other?.code == .internalInconsistency && other?.detail == "vector::_M_default_append")
    }
}
