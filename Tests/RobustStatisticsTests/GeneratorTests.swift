import RobustStatistics
import Testing

@Suite struct GeneratorTests {
    @Test("SplitMix64 gives the numbers that its authors' code gives for the seed 1234567")
    func splitMix() {
        var generator = SplitMix64(seed: 1_234_567)
        let first = (0..<5).map { _ in generator.next() }
        #expect(
            first == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }
}
