import RobustStatistics
import Testing

@Suite struct SelectionTests {
    @Test("Every rank of a list is what sorting puts there", arguments: UInt64(1)...8)
    func everyRank(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let count = Int.random(in: 1...60, using: &generator)
        // Few different numbers, so that many are equal.
        let values = (0..<count).map { _ in Int.random(in: 0...9, using: &generator) }
        let sorted = values.sorted()
        for rank in values.indices { #expect(values.ranked(rank) == sorted[rank], "seed \(seed)") }
    }

    @Test("Lists in order, backwards, of equal values and shaped like an organ's pipes are selected from")
    func orders() {
        let up = Array(0..<101)
        for values in [up, up.reversed(), up.map { min($0, 100 - $0) }, up.map { _ in 7 }] {
            let sorted = values.sorted()
            for rank in [0, 1, 50, 99, 100] { #expect(values.ranked(rank) == sorted[rank]) }
        }
    }

    @Test("Selection in place reorders and loses nothing, with single and double precision alike")
    func inPlace() {
        var single: [Float] = [3, -1, .infinity, 2, 2, -.infinity, 0]
        #expect(single.selectRank(3) == 2)
        #expect(single.sorted() == [-.infinity, -1, 0, 2, 2, 3, .infinity])
        var double = single.map(Double.init)
        #expect(double.selectRank(0) == -.infinity)
        #expect(double.selectRank(6) == .infinity)
    }
}
