import CUnicodeTables

/// Names of regions in the languages of the vocabulary: `CUnicodeTables/regions.table`.
enum RegionNames {
    /// The names of each region, by its ISO 3166-1 code.
    static let all: [String: [String]] = {
        var names: [String: [String]] = [:]
        for line in Vocabulary.embeddedText(cunicodetables_regions(), cunicodetables_regions_size())
            .split(separator: "\n") where !line.hasPrefix("#")
        {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { continue }
            names[String(parts[0])] = parts[1].split(separator: "; ").map(String.init)
        }
        return names
    }()
}
