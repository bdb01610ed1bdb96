/// Groups things by the heights of the page that they reach, so that each is compared only with those near it: a page
/// may have a hundred thousand marks.
package struct Shelves {
    /// Pixels from one shelf to the next.
    private let height: Double
    private var shelves: [[Int]] = []
    /// The shelves on which each thing stands.
    private var places: [Int: ClosedRange<Int>] = [:]

    /// - Parameter height: pixels from one shelf to the next, greater than 0; about the height of a thing.
    package init(height: Double) { self.height = height }

    /// Puts a thing on the shelves that it reaches; it also stays where it stood before. Things above the page go on
    /// the first shelf.
    package mutating func add(_ thing: Int, from top: Double, to bottom: Double) {
        let wanted = places(from: top, to: bottom)
        if shelves.count <= wanted.upperBound {
            shelves += Array(repeating: [], count: wanted.upperBound + 1 - shelves.count)
        }
        let known = places[thing]
        for shelf in wanted where !(known?.contains(shelf) ?? false) { shelves[shelf].append(thing) }
        places[thing] =
            known.map {
                min($0.lowerBound, wanted.lowerBound)...max($0.upperBound, wanted.upperBound)
            } ?? wanted
    }

    /// Calls `body` for each shelf within some heights, with the things on it in the order in which they were put
    /// there. One thing may stand on several shelves.
    package func forEachShelf(from top: Double, to bottom: Double, _ body: ([Int]) -> Void) {
        for shelf in places(from: top, to: bottom) where shelf < shelves.count { body(shelves[shelf]) }
    }

    private func places(from top: Double, to bottom: Double) -> ClosedRange<Int> {
        func shelf(_ y: Double) -> Int { Int(min(max(y / height, 0), Self.most)) }
        return shelf(top)...max(shelf(bottom), shelf(top))
    }

    /// More shelves than a page has pixel rows.
    private static let most = 1e6
}
