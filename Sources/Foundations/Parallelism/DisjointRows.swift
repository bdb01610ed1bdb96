/// Memory whose rows are written by several threads at once, each row by one thread only.
///
/// The compiler cannot see which rows a thread writes, so this type carries the memory past its checks, and is the one
/// place that does. What makes it sound is the caller's: a row belongs to one call of `forEachBand`'s body, and the
/// memory outlives the loop.
///
/// ```swift
/// let rows = DisjointRows(output, rowLength: width)
/// forEachBand(of: 0..<height, threading: .allCores) { band in
///     for y in band { fill(rows[y]) }
/// }
/// ```
@frozen @usableFromInline
@safe package struct DisjointRows<Element>: @unchecked Sendable {
    @usableFromInline let memory: UnsafeMutableBufferPointer<Element>
    @usableFromInline let rowLength: Int

    /// Shares memory out in rows of `rowLength` elements.
    @inlinable
    package init(_ memory: UnsafeMutableBufferPointer<Element>, rowLength: Int) {
        unsafe self.memory = unsafe memory
        self.rowLength = rowLength
    }

    /// The elements of one row, counted from the memory's start.
    @inlinable
    package subscript(row: Int) -> UnsafeMutableBufferPointer<Element> {
        unsafe UnsafeMutableBufferPointer(rebasing: memory[row * rowLength..<(row + 1) * rowLength])
    }

    /// The elements of several rows, the last of which may be cut off by the memory's end.
    @inlinable
    package subscript(rows: Range<Int>) -> UnsafeMutableBufferPointer<Element> {
        let end = unsafe Swift.min(rows.upperBound * rowLength, memory.count)
        return unsafe UnsafeMutableBufferPointer(rebasing: memory[rows.lowerBound * rowLength..<end])
    }
}
