import Testing

@testable import PrintDetection

@Suite struct InkTests {
    @Test("Otsu's threshold lies between two groups")
    func otsu() {
        var histogram = [Int](repeating: 0, count: 256)
        histogram[10] = 900
        histogram[90] = 100
        #expect((10..<90).contains(Ink.otsu(histogram)))
    }
}
