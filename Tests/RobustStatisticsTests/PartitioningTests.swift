import RobustStatistics
import Testing

@Suite struct PartitioningTests {
    @Test(arguments: 0...9)
    func theFirstElementThatHoldsIsFoundAmongSortedOnes(limit: Int) {
        let numbers = [1, 1, 2, 3, 3, 3, 5, 8]
        #expect(
            numbers.partitioningIndex { $0 >= limit } == numbers.firstIndex { $0 >= limit } ?? numbers.count)
    }

    @Test func ofNoneThereIsNone() {
        #expect([Int]().partitioningIndex { _ in true } == 0)
        #expect([1, 2].partitioningIndex { _ in false } == 2)
    }
}
