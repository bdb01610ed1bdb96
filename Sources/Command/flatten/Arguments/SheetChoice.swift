import ArgumentParser

/// `--sheets`: which of the sheets in view are made flat.
enum SheetChoice: String, CaseIterable, Codable, ExpressibleByArgument {
    /// The sheet most likely meant.
    case best
    /// All sheets. Every output then has a number, even if there is a single sheet: whoever reads the outputs knows their names
    /// before the photograph is examined, and no file of one run is hidden among those of another.
    case all
}
