import CProcessLimits

/// Where this process takes its memory from.
package enum ProcessHeap {
    /// Has all threads take memory from one heap, unless who started the program has chosen otherwise (`MALLOC_ARENA_MAX`).
    ///
    /// glibc has one for each thread, and each keeps what a network that reads has given back: 26 scans and captures take 10 to
    /// 50 MB less to read so, in the same time. To be called before there is a second thread.
    package static func shareAmongThreads() { process_share_one_heap() }
}
