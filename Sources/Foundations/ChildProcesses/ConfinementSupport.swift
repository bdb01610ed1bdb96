internal import CProcessLimits

/// The confinement that the running kernel supports.
package struct ConfinementSupport: Equatable, Sendable {
    /// The version of the Landlock interface, 0 if there is none: 1 (Linux 5.13) files, 2 (5.19) moving files between folders, 3
    /// (6.2) truncation, 4 (6.7) TCP, 5 (6.10) ioctl on devices, 6 (6.12) signals and abstract sockets.
    package let landlockVersion: Int
    /// Whether system calls are filtered (seccomp).
    package let filtersSystemCalls: Bool

    package init(landlockVersion: Int, filtersSystemCalls: Bool) {
        self.landlockVersion = landlockVersion
        self.filtersSystemCalls = filtersSystemCalls
    }

    /// The support of this kernel.
    package static let current = ConfinementSupport(
        landlockVersion: Int(process_landlock_version()), filtersSystemCalls: process_filters_calls() != 0)

    /// What is missing here, as a sentence for the person who starts workers; nil if nothing is missing.
    package var warning: String? {
        switch (landlockVersion, filtersSystemCalls) {
        case (0, false):
            "this system confines no process (Linux 5.13 and later do, by Landlock and seccomp): "
                + "a capture that takes over its worker can do what you can"
        case (0, true):
            "this kernel has no Landlock (Linux 5.13 and later have): "
                + "a capture that takes over its worker can read and write your files"
        case (_, false):
            "this kernel filters no system calls (seccomp): a capture that takes over its worker can send data and "
                + "start programs"
        default: nil
        }
    }
}
