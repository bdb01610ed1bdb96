import ArgumentParser

/// A length of time as options accept it: "90" or "90s", "1.5m", "2h", "1h30m".
struct TimeSpan: ExpressibleByArgument, CustomStringConvertible, Codable, Equatable {
    /// Not negative, at most a day.
    let seconds: Double

    private static let units: [(letter: Character, seconds: Double)] = [("h", 3600), ("m", 60), ("s", 1)]
    private static let longest = 86400.0

    /// A length of time in seconds.
    init(seconds: Double) { self.seconds = seconds }

    init?(argument: String) {
        var rest = argument[...]
        var units = Self.units[...]
        var seconds = 0.0
        repeat {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard let number = Double(digits) else { return nil }
            rest = rest.dropFirst(digits.count)
            // Seconds need no letter; each unit appears at most once, the longest first.
            let letter = rest.popFirst() ?? "s"
            guard let place = units.firstIndex(where: { $0.letter == letter }) else { return nil }
            seconds += number * units[place].seconds
            units = units[(place + 1)...]
        } while !rest.isEmpty
        guard seconds <= Self.longest else { return nil }
        self.seconds = seconds
    }

    var description: String { seconds == seconds.rounded() ? "\(Int(seconds))s" : "\(seconds)s" }
    var defaultValueDescription: String { description }
}
