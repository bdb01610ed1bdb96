/// Why a decomposition or a solution failed.
///
/// LAPACK reports an integer, `info`; each meaning that can reach this package has its own case here. Shapes that do not match
/// are a programming error and fail a precondition instead.
package enum LinearAlgebraError: Error, Equatable, Sendable {
    /// LAPACK's C interface, LAPACKE, cannot be loaded.
    case libraryMissing(detail: String)
    /// There is not enough memory, address space or descriptors to load LAPACK; the next try may succeed.
    case memoryShort(detail: String)
    /// NaN or infinity where LAPACK would hang or return nonsense (infinity passes LAPACKE's own check).
    case nonFiniteInput(routine: String)
    /// The result came back with NaN or infinity: the system overflowed.
    case nonFiniteResult(routine: String)
    /// A dimension does not fit LAPACK's 32-bit integers.
    case tooLarge(dimension: Int)
    /// The leading minor of this order (counted from 1) is not positive definite.
    case notPositiveDefinite(order: Int)
    /// An iteration inside LAPACK did not converge.
    case noConvergence(routine: String, info: Int)
    /// LAPACK could not allocate its workspace.
    case outOfMemory(routine: String)
    /// LAPACK refused an argument (counted from 1): a defect of this package.
    case illegalArgument(routine: String, position: Int)
}

extension LinearAlgebraError: CustomStringConvertible {
    /// One sentence without a full stop.
    package var description: String {
        switch self {
        case .libraryMissing(let detail): "LAPACK cannot be loaded: \(detail)"
        case .memoryShort(let detail): "LAPACK cannot be loaded, memory or open files are short: \(detail)"
        case .nonFiniteInput(let routine): "\(routine): the input holds NaN or infinity"
        case .nonFiniteResult(let routine): "\(routine): the result holds NaN or infinity"
        case .tooLarge(let dimension): "\(dimension) does not fit LAPACK's 32-bit integers"
        case .notPositiveDefinite(let order): "the leading minor of order \(order) is not positive definite"
        case .noConvergence(let routine, let info): "\(routine) did not converge (info \(info))"
        case .outOfMemory(let routine): "\(routine): no memory for the workspace"
        case .illegalArgument(let routine, let position): "\(routine) refused its argument \(position)"
        }
    }
}

extension LinearAlgebraError {
    /// Whether the same may succeed later.
    package var isShortage: Bool {
        switch self {
        case .memoryShort, .outOfMemory: true
        default: false
        }
    }
}
