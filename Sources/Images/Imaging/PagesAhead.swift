internal import CResampling
import Parallelism
import Synchronization

/// Makes an image's memory pages ready on a separate thread, ahead of the code that writes the image from its start.
///
/// The system allocates and clears a page when it is first written. For a photograph of 12 megapixels that took 5 to 80 ms
/// of the decoder's 45; with this class it takes 1 to 5.
package final class PagesAhead: Sendable {
    /// How much is made ready at once: one large page.
    private static let piece = 2 << 20

    private let isOver = Mutex(false)

    /// Starts with the first page; does nothing for small memory or if no thread is available.
    package init(of memory: UnsafeMutableRawBufferPointer) {
        guard memory.count >= leastLargeMemory, let base = memory.baseAddress else { return }
        let (start, length) = (UInt(bitPattern: base), memory.count)
        startThread { [self] in
            for offset in stride(from: 0, to: length, by: Self.piece) {
                let goesOn = isOver.withLock { isOver in
                    guard !isOver, let place = UnsafeMutableRawPointer(bitPattern: start + UInt(offset))
                    else { return false }
                    cresampling_make_pages_ready(place, min(Self.piece, length - offset))
                    return true
                }
                guard goesOn else { return }
            }
        }
    }

    /// Stops touching the memory; must be called before the memory is freed.
    package func end() { isOver.withLock { $0 = true } }
}
