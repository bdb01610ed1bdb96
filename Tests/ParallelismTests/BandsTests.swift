import Parallelism
import Synchronization
import Testing

@Suite("Work shared out among cores")
struct BandsTests {
    @Test(
        "Every row is handed out once, whatever the bands",
        arguments: [(0..<1, 16), (3..<103, 16), (0..<64, 1), (5..<5, 4), (0..<7, 0)])
    func everyRowOnce(rows: Range<Int>, minimumRows: Int) {
        for threading in [Threading.allCores, .single] {
            var counts = [Int](repeating: 0, count: 128)
            counts.withUnsafeMutableBufferPointer { memory in
                let counts = DisjointRows(memory, rowLength: 1)
                forEachBand(of: rows, threading: threading, minimumRows: minimumRows) { band in
                    for row in band { counts[row][0] += 1 }
                }
            }
            #expect(counts.indices.allSatisfy { counts[$0] == (rows.contains($0) ? 1 : 0) })
        }
    }

    @Test("Results come in the order of their inputs, and the first error in that order is thrown")
    func order() throws {
        #expect(concurrentMap(Array(0..<50)) { $0 * $0 } == (0..<50).map { $0 * $0 })
        #expect(concurrentMap([Int]()) { $0 }.isEmpty)
        struct Odd: Error, Equatable { var value: Int }
        let ended = Atomic<Int>(0)
        #expect(throws: Odd(value: 3)) {
            _ = try concurrentMap([2, 3, 4, 5]) { value throws(Odd) in
                defer { ended.wrappingAdd(1, ordering: .relaxed) }
                if value % 2 == 1 { throw Odd(value: value) }
                return value
            }
        }
        #expect(ended.load(ordering: .relaxed) == 4, "all have ended before the error is thrown")
    }

    @Test("Two computations side by side give their own results, each of its own type")
    func sideBySide() {
        let (sum, words) = together {
            (1...1000).reduce(0, +)
        } _: {
            ["a", "b"].joined()
        }
        #expect(sum == 500_500)
        #expect(words == "ab")
        let (nothing, nested) = together {
            nil as Int?
        } _: {
            together {
                1
            } _: {
                2
            }
        }
        #expect(nothing == nil)
        #expect(nested == (1, 2))
    }
}
