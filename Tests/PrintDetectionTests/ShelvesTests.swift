import RobustStatistics
import Testing

@testable import PrintDetection

@Suite struct ShelvesTests {
    @Test func whatReachesSomeHeightsIsFoundThere() {
        let seed: UInt64 = 11
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        var shelves = Shelves(height: 12)
        var things: [(top: Double, bottom: Double)] = []
        for index in 0..<300 {
            let top = Double.random(in: -40...900, using: &random)
            things.append((top, top + .random(in: 0...60, using: &random)))
            shelves.add(index, from: top, to: things[index].bottom)
        }
        for _ in 0..<200 {
            let top = Double.random(in: -40...900, using: &random)
            let bottom = top + .random(in: 0...30, using: &random)
            var found: Set<Int> = []
            shelves.forEachShelf(from: top, to: bottom) { found.formUnion($0) }
            let wanted = things.indices.filter { things[$0].top <= bottom && things[$0].bottom >= top }
            #expect(found.isSuperset(of: wanted))
            // A shelf above and one below at most.
            #expect(found.allSatisfy { things[$0].top <= bottom + 12 || bottom < 12 })
        }
    }

    @Test func aThingThatMovesIsFoundWhereItWasAndWhereItIsOnceOnEachShelf() {
        var shelves = Shelves(height: 10)
        shelves.add(7, from: 5, to: 15)
        shelves.add(7, from: 25, to: 34)
        var found: [[Int]] = []
        shelves.forEachShelf(from: 0, to: 39) { found.append($0) }
        #expect(found == [[7], [7], [7], [7]])
    }
}
