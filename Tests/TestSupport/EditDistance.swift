/// The Levenshtein distance of two texts: insertions, deletions and substitutions. O(product of their lengths).
package func editDistance<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
    var row = Array(0...b.count)
    for i in a.indices {
        var diagonal = row[0]
        row[0] = i + 1
        for j in b.indices {
            let substituted = diagonal + (a[i] == b[j] ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
        }
    }
    return row[b.count]
}
