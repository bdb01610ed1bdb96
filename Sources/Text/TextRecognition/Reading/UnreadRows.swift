/// Places of a page that look like rows of print and were not read, because reading all of them would have taken too long.
package struct UnreadRows: Codable, Hashable, Sendable {
    /// How many were not read.
    package let count: Int
    /// How many such places there are, read or not.
    package let found: Int
}
