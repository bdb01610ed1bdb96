internal import Platform

/// Starts a thread that runs `body` and then ends. It blocks all signals except those raised by its own faults; the program's
/// other threads handle them.
/// - Returns: whether the thread could be started.
@discardableResult
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = unsafe Unmanaged.passRetained(ThreadWork(body))
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    #if canImport(Darwin)
        var thread: pthread_t?
        let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
            Unmanaged<ThreadWork>.fromOpaque($0).takeRetainedValue().body()
            return nil
        }
    #else
        var thread = pthread_t()
        let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
            if let argument = unsafe $0 {
                unsafe Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body()
            }
            return nil
        }
    #endif
    // A thread inherits the signal mask of the thread that starts it.
    var (others, own) = (sigset_t(), sigset_t())
    unsafe sigfillset(&others)
    for fault in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS] {
        unsafe sigdelset(&others, fault)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &others, &own)
    let failure = unsafe pthread_create(&thread, &attributes, run, work.toOpaque())
    unsafe pthread_sigmask(SIG_SETMASK, &own, nil)
    if failure != 0 { unsafe work.release() }
    return failure == 0
}

/// The work of a thread, as a reference that can be passed through C.
private final class ThreadWork: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// The identity of a thread: two values taken on the same thread are equal while that thread exists.
package struct ThreadIdentity: Equatable, Sendable {
    private let number: UInt

    /// The identity of the calling thread.
    package init() {
        #if canImport(Darwin)
            number = UInt(bitPattern: pthread_self())
        #else
            number = UInt(pthread_self())
        #endif
    }
}

/// A lock whose holder can wait for changes that others make under it.
@safe package final class LockedCondition: @unchecked Sendable {
    // Their addresses must not change.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    package func lock() { unsafe pthread_mutex_lock(mutex) }
    package func unlock() { unsafe pthread_mutex_unlock(mutex) }

    /// Releases the lock and takes it again after a change; may also wake up without one.
    package func wait() { unsafe pthread_cond_wait(condition, mutex) }

    /// Wakes all waiting threads after a change.
    package func broadcast() { unsafe pthread_cond_broadcast(condition) }
}
