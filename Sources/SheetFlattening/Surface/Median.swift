extension Array where Element == Double {
    /// The middle value (the upper of two), 0 for none. O(n) on average, by Hoare's selection.
    func median() -> Double {
        var copy = self
        return copy.withUnsafeMutableBufferPointer { $0.selectQuantile(0.5) }
    }

    /// The value below which a share of all values lies, 0 for none. O(n) on average.
    func quantile(_ share: Double) -> Double {
        var copy = self
        return copy.withUnsafeMutableBufferPointer { $0.selectQuantile(share) }
    }
}

extension UnsafeMutableBufferPointer where Element == Double {
    /// The value below which a share of all values lies; the buffer is reordered. O(n) on average.
    func selectQuantile(_ share: Double) -> Double {
        guard count > 0 else { return 0 }
        let wanted = Swift.min(Int(Double(count) * share), count - 1)
        var low = 0
        var high = count - 1
        while low < high {
            let pivot = self[(low + high) / 2]
            var i = low
            var j = high
            while i <= j {
                while self[i] < pivot { i += 1 }
                while self[j] > pivot { j -= 1 }
                if i <= j {
                    swapAt(i, j)
                    i += 1
                    j -= 1
                }
            }
            if wanted <= j {
                high = j
            } else if wanted >= i {
                low = i
            } else {
                break
            }
        }
        return self[wanted]
    }
}
