import LocalFiles
import Platform

/// What the system says of a folder: which files were closed by who wrote them, or moved there. Linux says it (inotify), but not of
/// what other machines do to a network share; elsewhere nothing is said, and who waits only waits.
struct FolderEvents: ~Copyable {
    /// -1 where the system says nothing.
    private let descriptor: Int32

    init(folder: String) {
        #if os(Linux)
            let opened = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
            if opened >= 0, unsafe inotify_add_watch(opened, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)) < 0
            {
                close(opened)
                descriptor = -1
            } else {
                descriptor = opened
            }
        #else
            descriptor = -1
        #endif
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Waits for the first files that are complete, and no longer than some time.
    /// - Returns: their names; none after the whole time.
    func wait(seconds: Double) -> Set<String> {
        guard descriptor >= 0 else {
            usleep(UInt32(seconds * 1e6))
            return []
        }
        var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&asked, 1, Int32((seconds * 1000).rounded(.up))) > 0 else { return [] }
        var names: Set<String> = []
        #if os(Linux)
            var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
            while true {
                let count = unsafe read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                unsafe buffer.withUnsafeBytes { bytes in
                    var start = 0
                    while start + Self.headBytes <= count {
                        let length = unsafe Int(
                            bytes.loadUnaligned(fromByteOffset: start + Self.lengthOffset, as: UInt32.self))
                        let end = start + Self.headBytes + length
                        guard end <= count else { break }
                        let name = unsafe bytes[(start + Self.headBytes)..<end].prefix { $0 != 0 }
                        if let name = unsafe String(validating: name, as: UTF8.self) { names.insert(name) }
                        start = end
                    }
                }
            }
        #endif
        return names
    }

    #if os(Linux)
        /// Some hundred events at once.
        private static let bufferBytes = 1 << 16
        /// Of `struct inotify_event`: what stands before the name, and where its length stands.
        private static let headBytes = MemoryLayout<inotify_event>.size
        private static let lengthOffset = 12
    #endif
}
