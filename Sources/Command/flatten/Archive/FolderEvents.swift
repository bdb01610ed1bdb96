import LocalFiles
import Platform

/// The system's events for a folder: files closed by the program that wrote them, or moved there. Linux reports these
/// (inotify), but not what other machines do on a network share; other systems report nothing, and `wait` only waits.
struct FolderEvents: ~Copyable {
    /// -1 if the system reports nothing.
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

    /// Waits until files are complete, at most the given time.
    /// - Returns: their names; none if the time ran out.
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
        /// Holds some hundred events at once.
        private static let bufferBytes = 1 << 16
        /// For `struct inotify_event`: the bytes before the name, and the offset of the name's length.
        private static let headBytes = MemoryLayout<inotify_event>.size
        private static let lengthOffset = 12
    #endif
}
