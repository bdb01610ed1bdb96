package import CProcessLimits

/// Resource limits of a process, which it cannot raise again; nil keeps the inherited limit.
///
/// Core dumps are always off: they would contain what the process has read.
package struct ProcessLimits: Equatable, Sendable {
    /// Most bytes of address space. Darwin does not limit it.
    package var addressSpace: UInt64?
    /// Most seconds of processor time.
    package var processorSeconds: UInt64?
    /// Most bytes of a written file; 0 to allow writing only to pipes.
    package var fileBytes: UInt64?
    /// Most descriptors open at once.
    package var openFiles: UInt64?
    /// The number of threads of the user, over all processes, from which no new one is started. The kernel does not enforce it
    /// for root.
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

    /// The limits as a C structure.
    package var forC: process_limits {
        process_limits(
            address_space: addressSpace ?? .max, processor_seconds: processorSeconds ?? .max,
            file_bytes: fileBytes ?? .max, open_files: openFiles ?? .max, processes: processes ?? .max)
    }
}
