internal import Foundation

/// Starts a thread that runs `body` and ends; Foundation's does not tell whether it could be started.
/// - Returns: whether it runs.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(ThreadWork(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    #if canImport(Darwin)
        var thread: pthread_t?
        let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
            Unmanaged<ThreadWork>.fromOpaque($0).takeRetainedValue().body()
            return nil
        }
    #else
        var thread = pthread_t()
        let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
            if let argument = $0 { Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body() }
            return nil
        }
    #endif
    let failure = pthread_create(&thread, &attributes, run, work.toOpaque())
    if failure != 0 { work.release() }
    return failure == 0
}

/// What a thread runs, as a reference that C can carry.
private final class ThreadWork: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
