import ArgumentParser
import Documents
import ReceiptFlattening

/// The value of `--find`: "all", or contents of a sheet, separated by commas.
struct FoundContents: ExpressibleByArgument, ExpressibleByArrayLiteral {
    let contents: Set<SheetContent>

    init(arrayLiteral contents: SheetContent...) { self.contents = Set(contents) }

    /// Returns nil if a word names no content.
    init?(argument: String) {
        if argument.lowercased() == "all" {
            contents = Set(SheetContent.allCases)
            return
        }
        let words = argument.split(separator: ",", omittingEmptySubsequences: false)
        let read = words.map { SheetContent(rawValue: $0.lowercased()) }
        contents = Set(read.compactMap(\.self))
        guard !read.contains(nil) else { return nil }
    }

    static var allValueStrings: [String] { ["all"] + SheetContent.allCases.map(\.rawValue) }

    var defaultValueDescription: String { "" }
}
