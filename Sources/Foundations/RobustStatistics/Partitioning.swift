extension Array {
    /// Binary search: returns the index of the first element that satisfies the predicate, which must hold for all elements
    /// after it. O(log n).
    package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
