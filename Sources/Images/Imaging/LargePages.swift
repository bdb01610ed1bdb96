internal import CResampling

/// The least memory, in bytes, that is put on large pages: of less they could waste more than a part in four.
@usableFromInline let leastLargeMemory = 4 * (2 << 20)

/// Has a picture's memory, which nobody has written yet, put on large pages where the system has them.
///
/// A photograph of 12 megapixels then takes 20 page faults, not 9,000, and a warp that reads its rows far apart finds
/// their addresses in the processor's table.
@usableFromInline
func preferLargePages(_ memory: UnsafeMutableRawBufferPointer) {
    guard memory.count >= leastLargeMemory, let base = memory.baseAddress else { return }
    cresampling_prefer_large_pages(base, memory.count)
}
