import ArgumentParser

/// `--sheets`: which of the sheets in view are made flat.
enum SheetChoice: String, CaseIterable, Codable, ExpressibleByArgument {
    /// The one most likely meant.
    case best
    /// All. Every output has a number then, also that of a single sheet: who reads the outputs knows their names before the
    /// photograph is looked at, and no file of one run hides behind those of another.
    case all
}
