internal import Platform

/// Starts a thread that runs `body` and ends. Signals are left to the threads of the program: it takes none but those that
/// its own faults raise.
/// - Returns: whether it could be started.
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
    // A thread has the mask of who starts it.
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

/// What a thread runs, as a reference that C can carry.
private final class ThreadWork: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Which thread runs: equal to another taken on the same thread while that lives.
package struct ThreadIdentity: Equatable, Sendable {
    private let number: UInt

    /// The thread that asks.
    package init() {
        #if canImport(Darwin)
            number = UInt(bitPattern: pthread_self())
        #else
            number = UInt(pthread_self())
        #endif
    }
}

/// A lock whose holder may wait for what another changes under it.
@safe package final class LockedCondition: @unchecked Sendable {
    // Where they stand in memory must not change.
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

    /// Gives the lock up, and takes it again after a change, or for no reason.
    package func wait() { unsafe pthread_cond_wait(condition, mutex) }

    /// Tells all who wait that something has changed.
    package func broadcast() { unsafe pthread_cond_broadcast(condition) }
}
