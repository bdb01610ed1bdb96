/// Memory whose rows are written by several threads at once, each row by only one thread.
///
/// The compiler cannot see which rows a thread writes, so this type bypasses its checks, in this one place. The caller must
/// guarantee safety: each row belongs to one call of `forEachBand`'s body, and the memory outlives the loop.
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

    /// Divides memory into rows of `rowLength` elements.
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

    /// The elements of several rows; the end of the memory may cut off the last one.
    @inlinable
    package subscript(rows: Range<Int>) -> UnsafeMutableBufferPointer<Element> {
        let end = unsafe Swift.min(rows.upperBound * rowLength, memory.count)
        return unsafe UnsafeMutableBufferPointer(rebasing: memory[rows.lowerBound * rowLength..<end])
    }
}
