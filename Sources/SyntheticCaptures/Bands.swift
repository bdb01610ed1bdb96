import Dispatch
import Imaging

/// Calls `body` once for each index below `count`, in order on this thread or in any order on all cores.
///
/// `body` must write only to what belongs to its index: the compiler cannot see that, as what it writes to are parts
/// of one buffer.
func forEachBand(_ count: Int, threading: Threading, _ body: (Int) -> Void) {
    guard threading == .allCores, count > 1 else {
        for index in 0..<count { body(index) }
        return
    }
    withoutActuallyEscaping(body) { body in
        let work = BandWork(body: body)
        DispatchQueue.concurrentPerform(iterations: count) { work.body($0) }
    }
}

/// Carries a band's work to other threads; `forEachBand` states what makes that sound.
private struct BandWork: @unchecked Sendable {
    let body: (Int) -> Void
}
