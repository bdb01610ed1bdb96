import Testing

@testable import Imaging

@Suite struct SRGBCurveTests {
    /// IEC 61966-2-1; the middle ones computed by hand from its formula, to the digits given.
    @Test(arguments: [(0.0, 0.0), (0.5, 0.214041), (0.02, 0.001548), (1, 1)])
    func valuesHaveTheLightOfTheStandard(value: Double, light: Double) {
        #expect(abs(SRGBCurve.light(of: value) - light) < 1e-6)
    }

    @Test func lightAndValueAreEachOthersInverse() {
        for step in 0...1000 {
            let value = Double(step) / 1000
            // The standard's two pieces miss each other by 1e-7 where they meet.
            #expect(abs(SRGBCurve.value(of: SRGBCurve.light(of: value)) - value) < 1e-6)
        }
    }
}
