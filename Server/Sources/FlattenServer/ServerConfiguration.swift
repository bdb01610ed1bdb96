public import Foundation

/// How a server runs.
public struct ServerConfiguration: Sendable {
    /// The program that flattens.
    public var flatten: URL
    /// This program, which is started again to follow live frames.
    public var itself: URL
    /// How many captures are flattened at the same time.
    public var jobs = 2
    /// How many captures wait at most; more are refused with 429.
    public var queue = 32
    /// The time allowed for one capture, in seconds.
    public var timeout = 60
    /// The largest body that is taken, in bytes.
    public var maximumBody = 64 << 20
    /// The address space of one flattening, in MiB.
    public var memoryMiB = 4096
    /// How long results are kept, in seconds.
    public var retention = 900.0
    /// How many live sessions there are at most.
    public var liveSessions = 4
    /// Where uploads and results lie until they are fetched or too old.
    public var folder: URL
    /// The archive, in which callers may keep what they flattened; nil for none.
    public var archive: String?
    /// What the archive is, or is to be, encrypted with; nil for a plain one.
    public var archivePassphrase: String?
    /// The token that callers must have; nil for none, which is allowed on loopback addresses only.
    public var token: String?
    /// Whether connections are encrypted: cookies are for such connections only then.
    public var isEncrypted = false

    /// The defaults.
    /// - Parameters:
    ///   - flatten: the program that flattens.
    ///   - itself: this program.
    ///   - folder: where uploads and results lie.
    public init(flatten: URL, itself: URL, folder: URL) {
        self.flatten = flatten
        self.itself = itself
        self.folder = folder
    }
}
