import CProcessLimits

/// The heap of this process.
package enum ProcessHeap {
    /// Makes all threads allocate from one heap, unless the user who started the program has chosen otherwise
    /// (`MALLOC_ARENA_MAX`).
    ///
    /// glibc has one heap for each thread, and each keeps the memory that a text network has freed: with one heap, 26 scans and
    /// captures take 10 to 50 MB less to read, in the same time. Must be called before a second thread exists.
    package static func shareAmongThreads() { process_share_one_heap() }
}
