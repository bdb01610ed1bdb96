extension UnsafeMutableBufferPointer where Element: Comparable {
    /// Returns the element that sorting would put at index `rank`, without sorting; the buffer is reordered.
    ///
    /// Hoare's selection ("Algorithm 65: Find", CACM 1961, DOI 10.1145/366622.366647) with the median of three as the pivot.
    /// O(count) on average.
    /// - Precondition: `rank` is an index of the buffer, which holds no NaN.
    @inlinable
    package func select(rank: Int) -> Element {
        precondition(indices.contains(rank), "a rank is one of the buffer's places")
        var low = 0
        var high = count - 1
        while low < high {
            let (a, b, c) = unsafe (self[low], self[(low + high) / 2], self[high])
            let pivot = Swift.max(Swift.min(a, b), Swift.min(Swift.max(a, b), c))
            var i = low
            var j = high
            while i <= j {
                while unsafe self[i] < pivot { i += 1 }
                while unsafe self[j] > pivot { j -= 1 }
                if i <= j {
                    unsafe swapAt(i, j)
                    i += 1
                    j -= 1
                }
            }
            if rank <= j { high = j } else if rank >= i { low = i } else { break }
        }
        return unsafe self[rank]
    }
}

extension Array where Element: Comparable {
    /// Returns the element that sorting would put at index `rank`. O(count) on average.
    /// - Precondition: `rank` is an index of the array, which holds no NaN.
    @inlinable
    package func ranked(_ rank: Int) -> Element {
        var copy = self
        return copy.selectRank(rank)
    }

    /// Returns the element that sorting would put at index `rank`, without a copy: the array is reordered.
    /// - Precondition: `rank` is an index of the array, which holds no NaN.
    @inlinable
    package mutating func selectRank(_ rank: Int) -> Element {
        unsafe withUnsafeMutableBufferPointer { unsafe $0.select(rank: rank) }
    }
}
