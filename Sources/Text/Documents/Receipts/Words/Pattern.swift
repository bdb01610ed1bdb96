/// A regular expression that is parsed once: a literal inside a function is parsed at each call, which took most of the time.
///
/// `Regex` is not `Sendable` because it may hold a caller's closures; literals hold none.
struct Pattern<Output>: @unchecked Sendable {
    let regex: Regex<Output>

    init(_ regex: Regex<Output>) { self.regex = regex }

    func stands(in text: String) -> Bool { text.firstMatch(of: regex) != nil }
}
