package import CProcessLimits

/// Limits of resources that hold for a process and that it cannot raise again; nil leaves one as it is inherited.
///
/// None makes a core dump, whatever else is set: it would hold what the process has read.
package struct ProcessLimits: Equatable, Sendable {
    /// Most bytes of address space. Darwin does not limit it.
    package var addressSpace: UInt64?
    /// Most seconds of processor time.
    package var processorSeconds: UInt64?
    /// Most bytes of a file that is written; 0 to write into pipes alone.
    package var fileBytes: UInt64?
    /// Most descriptors that are open at once.
    package var openFiles: UInt64?
    /// The number of threads of the user, those of all processes, from which on none is started. The kernel does not hold
    /// root to it.
    package var processes: UInt64?

    package init(
        addressSpace: UInt64? = nil, processorSeconds: UInt64? = nil, fileBytes: UInt64? = nil,
        openFiles: UInt64? = nil, processes: UInt64? = nil
    ) {
        self.addressSpace = addressSpace
        self.processorSeconds = processorSeconds
        self.fileBytes = fileBytes
        self.openFiles = openFiles
        self.processes = processes
    }

    /// The limits as C takes them.
    package var forC: process_limits {
        process_limits(
            address_space: addressSpace ?? .max, processor_seconds: processorSeconds ?? .max,
            file_bytes: fileBytes ?? .max, open_files: openFiles ?? .max, processes: processes ?? .max)
    }
}
