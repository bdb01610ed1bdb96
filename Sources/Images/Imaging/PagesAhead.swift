internal import CResampling
import Parallelism
import Synchronization

/// Has the system make a picture's pages ready on a thread of its own, ahead of who writes the picture from its start.
///
/// The system clears a page when it is first written, and until then may have none: of a photograph of 12 megapixels that
/// took 5 to 80 ms of the decoder's 45, and takes 1 to 5 so.
package final class PagesAhead: Sendable {
    /// How much is made ready at once: a large page.
    private static let piece = 2 << 20

    private let isOver = Mutex(false)

    /// Starts with the first page; does nothing for what is small, and where no thread can be had.
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

    /// Leaves the memory alone from now on; to be called before it is given back.
    package func end() { isOver.withLock { $0 = true } }
}
