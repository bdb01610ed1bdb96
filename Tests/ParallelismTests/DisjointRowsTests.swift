import Parallelism
import Testing

@Suite struct DisjointRowsTests {
    @Test("Several rows are one piece of memory; the last may be cut off")
    func piecesOfMemory() {
        var elements = Array(0..<10)
        elements.withUnsafeMutableBufferPointer { memory in
            let rows = DisjointRows(memory, rowLength: 4)
            #expect(Array(rows[1]) == [4, 5, 6, 7])
            #expect(Array(rows[1..<3]) == [4, 5, 6, 7, 8, 9])
        }
    }
}
