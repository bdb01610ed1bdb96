import CTesseract
import Diagnostics
import TestSupport
import Testing

@testable import TextRecognition

/// What tesseract's failures are called: absent data, broken data, memory.
@Suite struct ShortageTests {
    private func failure(_ language: String, dataPath: String) -> FlatteningError? {
        do {
            _ = try TesseractHandle(language: language, dataPath: dataPath)
            return nil
        } catch {
            return error
        }
    }

    @Test func dataThatAreThereAndBrokenAreNotToBeInstalledButMended() throws {
        let folder = try ScratchFolder()
        try folder.write("no data of a language", as: "eng.traineddata")
        let error = try #require(failure("eng", dataPath: folder.path))
        #expect(error.code == .missingLanguageData)
        #expect(error.message == "tesseract's data for eng cannot be loaded: broken, or memory is short")
        #expect(error.seen?.contains("eng.traineddata, 21 bytes") == true)
        #expect(error.advice?.contains("--reinstall tesseract-ocr-eng") == true)
    }

    @Test func dataThatAreNotThereAreToBeInstalled() throws {
        let folder = try ScratchFolder()
        let error = try #require(failure("eng", dataPath: folder.path))
        #expect(error.code == .missingLanguageData && error.message == "tesseract has no data for eng")
        #expect(error.advice?.hasPrefix("Install it: apt-get install tesseract-ocr-eng") == true)
        #expect(error.detail?.contains(folder.url.lastPathComponent) == true)
    }

    @Test func whatTesseractThrowsIsNamed() {
        #expect(TesseractHandle.error(of: CTESSERACT_DONE, words: "") == nil)
        let memory = TesseractHandle.error(of: CTESSERACT_OUT_OF_MEMORY, words: "")
        #expect(memory?.code == .shortage && memory?.message.contains("memory is short") == true)
        let other = TesseractHandle.error(of: CTESSERACT_THREW, words: "vector::_M_default_append")
        #expect(other?.code == .internalInconsistency && other?.detail == "vector::_M_default_append")
    }
}
