import Testing

@testable import Imaging

@Suite("Pages made ready ahead of who writes them")
struct PagesAheadTests {
    /// Not a whole number of pages, large or small.
    private static let length = leastLargeMemory + 3 * (2 << 20) + 1234

    @Test("What is written before and while pages are made ready stays")
    func keepsContents() {
        // A few times: which of the two threads is ahead is a matter of chance.
        for _ in 0..<8 {
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.length, alignment: 16)
            defer { memory.deallocate() }
            let written = stride(from: 0, to: Self.length, by: 1021)
            for place in written.prefix(500) { memory[place] = UInt8(truncatingIfNeeded: place) }
            let ahead = PagesAhead(of: memory)
            for place in written.dropFirst(500) { memory[place] = UInt8(truncatingIfNeeded: place) }
            ahead.end()
            #expect(written.allSatisfy { memory[$0] == UInt8(truncatingIfNeeded: $0) })
        }
    }

    @Test("Memory may be given back as soon as it is at an end, and small memory is left alone")
    func ends() {
        for length in [0, 1, 4096, Self.length] {
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
            let ahead = PagesAhead(of: memory)
            ahead.end()
            memory.deallocate()
            ahead.end()
        }
    }
}
