import CLAPACKE
import Synchronization

/// What every call of LAPACK needs around it: the library, finite values, 32-bit sizes, and `info` made an error.
package enum LAPACK {
    /// `LAPACK_COL_MAJOR`, as the type that the functions take.
    static let columnMajor = Int32(LAPACK_COL_MAJOR)
    /// 'L': symmetric matrices are given by their lower triangle.
    static let lower = CChar(UInt8(ascii: "L"))
    /// 'V': vectors wanted.
    static let vectors = CChar(UInt8(ascii: "V"))
    /// 'S': no more columns than both factors share.
    static let thin = CChar(UInt8(ascii: "S"))
    /// 'A': all columns of both factors.
    static let all = CChar(UInt8(ascii: "A"))

    /// How often memory was short for a call since the process began. Callers whose later steps take a failed solution for
    /// a property of their data see by it whether one was not.
    package static var shortageCount: Int { shortages.load(ordering: .relaxed) }

    private static let shortages = Atomic<Int>(0)

    static func countShortage() { shortages.add(1, ordering: .relaxed) }

    /// A dimension as LAPACK's integer.
    static func integer(_ value: Int) throws(LinearAlgebraError) -> Int32 {
        guard let narrow = Int32(exactly: value) else { throw .tooLarge(dimension: value) }
        return narrow
    }

    /// Refuses NaN and infinity before they reach LAPACK.
    static func checkInput(_ values: [Double], routine: String) throws(LinearAlgebraError) {
        guard allFinite(values) else { throw .nonFiniteInput(routine: routine) }
    }

    /// Refuses NaN and infinity in what came back.
    static func checkResult(_ values: [Double], routine: String) throws(LinearAlgebraError) {
        guard allFinite(values) else { throw .nonFiniteResult(routine: routine) }
    }

    /// Throws what a negative `info` says; the caller knows the meaning of a positive one.
    static func checkArguments(_ info: Int32, routine: String) throws(LinearAlgebraError) {
        guard info < 0 else { return }
        switch info {
        // LAPACK_WORK_MEMORY_ERROR and LAPACK_TRANSPOSE_MEMORY_ERROR.
        case -1010, -1011:
            countShortage()
            throw .outOfMemory(routine: routine)
        default: throw .illegalArgument(routine: routine, position: -Int(info))
        }
    }

    /// Whether no value is NaN or infinite. O(count), without branches inside.
    static func allFinite(_ values: [Double]) -> Bool {
        unsafe values.withUnsafeBufferPointer { values in
            // x · 0 is 0 for finite x and NaN else, and NaN survives a sum.
            var sum = SIMD4<Double>.zero
            var index = 0
            while index + 4 <= values.count {
                unsafe sum +=
                    SIMD4(values[index], values[index + 1], values[index + 2], values[index + 3]) * 0
                index += 4
            }
            var rest = sum.sum()
            while index < values.count {
                unsafe rest += values[index] * 0
                index += 1
            }
            return rest == 0
        }
    }
}
