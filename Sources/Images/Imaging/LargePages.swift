internal import CResampling

/// Smallest memory, in bytes, that is put on large pages: with less, they could waste more than a quarter.
@usableFromInline let leastLargeMemory = 4 * (2 << 20)

/// Asks the system to put an image's memory, which nobody has written yet, on large pages where available.
///
/// A photograph of 12 megapixels then causes 20 page faults instead of 9,000, and a warp that reads rows far apart finds
/// their addresses in the processor's address cache (TLB).
@usableFromInline
func preferLargePages(_ memory: UnsafeMutableRawBufferPointer) {
    guard memory.count >= leastLargeMemory, let base = memory.baseAddress else { return }
    cresampling_prefer_large_pages(base, memory.count)
}
