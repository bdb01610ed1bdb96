import CLAPACKE
import Platform
import RuntimeLibraries
import Synchronization

extension LAPACK {
    /// LAPACKE, found at run time.
    static let library = unsafe RuntimeLibrary<CLAPACKEFunctions, LinearAlgebraError>(
        anyOf: LibraryFiles.named(
            linux: ["liblapacke.so.3"], darwin: ["liblapacke.3.dylib"], keg: "lapack"),
        functions: FunctionNames(clapacke_function_names(), optional: clapacke_optional_function_names()),
        failure: { absence in
            absence.reason == .shortage
                ? .memoryShort(detail: absence.description) : .libraryMissing(detail: absence.description)
        },
        lasts: { !$0.isShortage },
        prepare: { functions throws(LinearAlgebraError) in
            limitThreads(of: functions)
            // Reserves the first workspace now, where its absence is reported as such.
            var one = 1.0
            _ = try call(functions) { unsafe $0.LAPACKE_dpotrf_work(columnMajor, lower, 1, &one, 1) }
        })

    /// LAPACKE's functions, loaded by the first call.
    /// - Throws: `libraryMissing`; `memoryShort` if there is not enough memory or descriptors for it and its workspace.
    static var functions: CLAPACKEFunctions {
        get throws(LinearAlgebraError) { try library.load() }
    }

    /// Loads LAPACK now, for callers whose later steps must not mistake its absence for a property of their data.
    /// - Throws: `libraryMissing`, `memoryShort`.
    package static func load() throws(LinearAlgebraError) { _ = try functions }

    /// The memory that OpenBLAS reserves for each concurrent call, and keeps: 128 MiB and a page (0.3.21, all kinds of x86-64).
    private static let workspaceBytes = 132 << 20

    private static let workspaces = BLASWorkspaces { Resources.canReserve(workspaceBytes) }

    /// Calls LAPACK once OpenBLAS has memory for the call.
    /// - Throws: `libraryMissing`, `memoryShort`.
    static func call<Value>(
        _ body: (CLAPACKEFunctions) -> Value
    ) throws(LinearAlgebraError) -> Value {
        // A robust fit calls thousands of times, so a loaded library is used without going through `functions` again.
        if let table = unsafe UnsafePointer<CLAPACKEFunctions>(bitPattern: kept.load(ordering: .acquiring)) {
            return try unsafe call(table.pointee, body)
        }
        let table = UnsafeMutablePointer<CLAPACKEFunctions>.allocate(capacity: 1)
        unsafe table.initialize(to: try functions)
        // Never freed: another thread may use it. Only threads that race for the first call leave one behind.
        kept.store(UInt(bitPattern: table), ordering: .releasing)
        return try unsafe call(table.pointee, body)
    }

    /// The address of the functions once they are loaded, 0 before; the library is never closed.
    private static let kept = Atomic<UInt>(0)

    private static func call<Value>(
        _ functions: CLAPACKEFunctions, _ body: (CLAPACKEFunctions) -> Value
    ) throws(LinearAlgebraError) -> Value {
        guard functions.openblas_set_num_threads != nil else { return body(functions) }
        guard workspaces.enter() else {
            countShortage()
            throw .memoryShort(detail: "\(workspaceBytes >> 20) MiB for the workspace of OpenBLAS")
        }
        defer { workspaces.leave() }
        return body(functions)
    }

    /// Limits OpenBLAS to one thread: the systems here are small, and its thread pool costs more than it saves.
    ///
    /// OpenBLAS has one setting for the whole process, so a user's choice in `OPENBLAS_NUM_THREADS` or `OMP_NUM_THREADS` is
    /// respected. Other BLAS libraries have nothing to set.
    private static func limitThreads(of functions: CLAPACKEFunctions) {
        let environment = ProcessInfo.processInfo.environment
        guard environment["OPENBLAS_NUM_THREADS"] == nil, environment["OMP_NUM_THREADS"] == nil else {
            return
        }
        functions.openblas_set_num_threads?(1)
    }
}
