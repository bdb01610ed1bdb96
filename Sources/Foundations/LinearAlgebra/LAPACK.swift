import CLAPACKE
import Synchronization

/// What every LAPACK call needs: the library, checks for finite values, 32-bit sizes, and `info` turned into an error.
package enum LAPACK {
    /// `LAPACK_COL_MAJOR`, in the type that the functions take.
    static let columnMajor = Int32(LAPACK_COL_MAJOR)
    /// 'L': symmetric matrices are given by their lower triangle.
    static let lower = CChar(UInt8(ascii: "L"))
    /// 'V': vectors wanted.
    static let vectors = CChar(UInt8(ascii: "V"))
    /// 'S': the thin form, min(rows, columns) columns of U and rows of Vᵀ.
    static let thin = CChar(UInt8(ascii: "S"))
    /// 'A': all columns of both factors.
    static let all = CChar(UInt8(ascii: "A"))

    /// How often a call ran out of memory since the process began. Some callers treat a failed solution as a property of their
    /// data; this count tells them whether memory was the cause.
    package static var shortageCount: Int { shortages.load(ordering: .relaxed) }

    private static let shortages = Atomic<Int>(0)

    static func countShortage() { shortages.add(1, ordering: .relaxed) }

    /// Converts a dimension to LAPACK's integer.
    static func integer(_ value: Int) throws(LinearAlgebraError) -> Int32 {
        guard let narrow = Int32(exactly: value) else { throw .tooLarge(dimension: value) }
        return narrow
    }

    /// Refuses NaN and infinity before they reach LAPACK.
    static func checkInput(_ values: [Double], routine: String) throws(LinearAlgebraError) {
        guard allFinite(values) else { throw .nonFiniteInput(routine: routine) }
    }

    /// Refuses NaN and infinity in a result.
    static func checkResult(_ values: [Double], routine: String) throws(LinearAlgebraError) {
        guard allFinite(values) else { throw .nonFiniteResult(routine: routine) }
    }

    /// Throws the error for a negative `info`; the caller handles a positive one.
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

    /// Whether all values are finite. O(count), without branches in the loop.
    static func allFinite(_ values: [Double]) -> Bool {
        unsafe values.withUnsafeBufferPointer { values in
            // x · 0 is 0 for finite x and NaN otherwise, and a sum with NaN is NaN.
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
