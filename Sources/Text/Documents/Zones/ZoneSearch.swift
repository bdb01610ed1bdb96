import Platform

/// Finds the likeliest zone of a format with correct check digits, given the likelihood of each character in each cell.
///
/// Fields without a check digit are independent and are decided one by one. The others form one chain: a state is the running
/// sum of the field and that of the composite check digit, both modulo 10, and in each cell only the best character of each
/// residue matters. The search is exact. So is the sum over all zones with correct check digits, which tells how much likelier
/// the best zone is than all others together. O(cells · 100 · 10).
struct ZoneSearch {
    /// The characters of the best zone, as alphabet indices.
    let characters: [Int]
    /// The share of the best zone among all zones with correct check digits, 0 to 1.
    let posterior: Double
    /// The same for the names alone.
    let namePosterior: Double
    /// The logarithm of the best zone's likelihood.
    let score: Double
    /// How much the check digits lower the log-likelihood (natural) compared with the best character of each cell.
    let strain: Double

    /// - Parameters:
    ///   - cells: the log-likelihoods of the alphabet for each cell, line after line.
    ///   - checksHold: whether check digits must be correct; false gives the likeliest zone in any case.
    init?(_ format: ZoneFormat, cells: [[Float]], checksHold: Bool = true) {
        let layout = ZoneLayout(format)
        guard cells.count == format.lines * format.lineLength else { return nil }
        var found: Part?
        // The number has nine characters and a check digit, or continues in the optional data.
        let longest = format == .td1 && checksHold ? (layout.overflow?.count ?? 0) - 1 : 0
        for length in 0...longest where length != 1 {
            guard let part = Self.checked(layout, cells, overflow: length, checksHold: checksHold) else {
                continue
            }
            if let best = found {
                found = part.score > best.score ? part.adding(best.total) : best.adding(part.total)
            } else {
                found = part
            }
        }
        guard let checked = found else { return nil }
        let names = Self.names(layout, cells)
        let parts = [
            checked, names, Self.documentCode(layout, cells), Self.state(layout.issuer, cells),
            Self.state(layout.nationality, cells), Self.sex(layout, cells),
        ]
        var characters = [Int](repeating: ZoneAlphabet.filler, count: cells.count)
        for part in parts { for (cell, character) in part.characters { characters[cell] = character } }
        self.characters = characters
        score = parts.reduce(0) { $0 + $1.score }
        posterior = exp(min(parts.reduce(0) { $0 + $1.score - $1.total }, 0))
        namePosterior = exp(min(names.score - names.total, 0))
        strain = checked.free - checked.score
    }

    /// Returns a bound that no zone's score exceeds which has a line with these cells, whatever its other lines hold.
    /// - Parameter line: log-likelihoods, at most 0.
    static func greatestScore(of line: [[Float]], _ format: ZoneFormat) -> Double {
        let layout = ZoneLayout(format)
        let letters = lettersOrFiller, numbers = digits + [ZoneAlphabet.filler]
        let lettered = [layout.documentCode, layout.issuer, layout.names, layout.nationality]
        let numbered = [layout.birthDate, layout.expiryDate]
        let checks = [
            layout.numberCheck, layout.birthCheck, layout.expiryCheck, layout.optionalCheck,
            layout.compositeCheck,
        ]
        return (0..<format.lines).map { index in
            line.enumerated().reduce(0) { sum, each in
                let cell = index * format.lineLength + each.offset
                let allowed =
                    lettered.contains { $0.contains(cell) } || cell == layout.sex
                    ? letters
                    : numbered.contains { $0.contains(cell) } || checks.contains(cell)
                        ? numbers : alphanumeric
                return sum + Double(allowed.map { each.element[$0] }.max() ?? 0)
            }
        }.max() ?? 0
    }

    /// The best characters of some cells.
    private struct Part {
        var characters: [(cell: Int, character: Int)]
        /// Their log-likelihood, and that of all choices together.
        var score: Double
        var total: Double
        /// The log-likelihood of the best character of each cell on its own.
        var free = 0.0

        func adding(_ other: Double) -> Part {
            var part = self
            part.total = ZoneSearch.logSum(total, other)
            return part
        }
    }

    private static func logSum(_ a: Double, _ b: Double) -> Double {
        let most = max(a, b)
        guard most > -.infinity else { return most }
        return most + log(exp(a - most) + exp(b - most))
    }

    // MARK: Fields with check digits

    /// A cell of the chain.
    private struct Link {
        let cell: Int
        var allowed: [Int]
        /// The weights of its value in the field's sum and in the composite's sum.
        var fieldWeight = 0
        var compositeWeight = 0
        /// Whether it is the field's check digit, after which another field begins.
        var isCheck = false
        /// Whether a filler may replace a check digit of 0.
        var mayBeFiller = false
    }

    private static let alphanumeric = Array(0..<ZoneAlphabet.count)
    private static let digits = Array(ZoneAlphabet.digits)
    private static let lettersOrFiller = Array(ZoneAlphabet.letters) + [ZoneAlphabet.filler]

    private static func links(_ layout: ZoneLayout, overflow: Int) -> [Link] {
        var order = layout.composite.flatMap(Array.init)
        if order.isEmpty {
            order =
                [layout.number, layout.birthDate, layout.expiryDate].flatMap {
                    Array($0.lowerBound...$0.upperBound)
                }
                + layout.optional.flatMap(Array.init)
        }
        let hasComposite = layout.compositeCheck != nil
        var fieldPlace = 0
        return order.enumerated().map { place, cell in
            var link = Link(cell: cell, allowed: alphanumeric)
            link.compositeWeight = hasComposite ? ZoneAlphabet.weights[place % 3] : 0
            func weigh() {
                link.fieldWeight = ZoneAlphabet.weights[fieldPlace % 3]
                fieldPlace += 1
            }
            func check() {
                link.isCheck = true
                fieldPlace = 0
            }
            if layout.number.contains(cell) {
                weigh()
                if overflow > 0 || cell == layout.number.lowerBound { link.allowed.removeLast() }
            } else if cell == layout.numberCheck {
                if overflow > 0 { link.allowed = [ZoneAlphabet.filler] } else { check() }
            } else if layout.birthDate.contains(cell) || layout.expiryDate.contains(cell) {
                weigh()
                let start =
                    layout.birthDate.contains(cell)
                    ? layout.birthDate.lowerBound : layout.expiryDate.lowerBound
                // Tens digits of the month and of the day are limited; fillers stand for unknown parts.
                let greatest = [9, 9, 1, 9, 3, 9][cell - start]
                link.allowed = Array(0...greatest) + [ZoneAlphabet.filler]
            } else if cell == layout.birthCheck || cell == layout.expiryCheck {
                check()
            } else if cell == layout.optionalCheck {
                check()
                link.mayBeFiller = true
            } else if layout.optionalCheck != nil {
                weigh()
            } else if overflow > 0, let rest = layout.overflow, rest.contains(cell) {
                switch cell - rest.lowerBound {
                case ..<(overflow - 1):
                    weigh()
                    link.allowed.removeLast()
                case overflow - 1: check()
                case overflow: link.allowed = [ZoneAlphabet.filler]
                default: break
                }
            }
            return link
        }
    }

    private static func checked(
        _ layout: ZoneLayout, _ cells: [[Float]], overflow: Int, checksHold: Bool
    ) -> Part? {
        var links = links(layout, overflow: overflow)
        if !checksHold {
            // Each cell is independent: sums stay zero, and a check digit is any digit or a filler.
            for index in links.indices {
                if links[index].isCheck { links[index].allowed = digits + [ZoneAlphabet.filler] }
                (links[index].fieldWeight, links[index].compositeWeight, links[index].isCheck) = (0, 0, false)
            }
            if let check = layout.compositeCheck { links.append(Link(cell: check, allowed: digits)) }
        }
        let states = 100
        var best = [Double](repeating: -.infinity, count: states)
        var total = best
        best[0] = 0
        total[0] = 0
        var steps: [[(from: UInt8, character: UInt8)]] = []
        var free = 0.0
        for link in links {
            let row = cells[link.cell]
            var next = [Double](repeating: -.infinity, count: states)
            var nextTotal = next
            var step = [(from: UInt8, character: UInt8)](repeating: (0, 0), count: states)
            func go(_ state: Int, _ to: Int, _ character: Int, _ likelihood: Double, _ all: Double) {
                if best[state] + likelihood > next[to] {
                    next[to] = best[state] + likelihood
                    step[to] = (UInt8(state), UInt8(character))
                }
                if total[state] > -.infinity { nextTotal[to] = logSum(nextTotal[to], total[state] + all) }
            }
            if link.isCheck {
                free += Double(
                    (digits.map { row[$0] } + [link.mayBeFiller ? row[ZoneAlphabet.filler] : -99]).max() ?? 0)
                for state in 0..<states where total[state] > -.infinity {
                    let (field, composite) = (state / 10, state % 10)
                    let to = (composite + field * link.compositeWeight) % 10
                    go(state, to, field, Double(row[field]), Double(row[field]))
                    if link.mayBeFiller, field == 0 {
                        let likelihood = Double(row[ZoneAlphabet.filler])
                        go(state, composite, ZoneAlphabet.filler, likelihood, likelihood)
                    }
                }
            } else {
                // For each residue: the best character, and the likelihood of all characters.
                var choices = [(character: Int, likelihood: Double, all: Double)](
                    repeating: (0, -.infinity, -.infinity), count: 10)
                for character in link.allowed {
                    let likelihood = Double(row[character])
                    let residue = ZoneAlphabet.value(of: character) % 10
                    choices[residue].all = logSum(choices[residue].all, likelihood)
                    if likelihood > choices[residue].likelihood {
                        choices[residue].character = character
                        choices[residue].likelihood = likelihood
                    }
                }
                free += choices.map(\.likelihood).max() ?? 0
                for state in 0..<states where total[state] > -.infinity {
                    let (field, composite) = (state / 10, state % 10)
                    for (residue, choice) in choices.enumerated() where choice.all > -.infinity {
                        let to =
                            (field + residue * link.fieldWeight) % 10 * 10
                            + (composite + residue * link.compositeWeight) % 10
                        go(state, to, choice.character, choice.likelihood, choice.all)
                    }
                }
            }
            best = next
            total = nextTotal
            steps.append(step)
        }
        if checksHold, let check = layout.compositeCheck {
            free += Double(digits.map { cells[check][$0] }.max() ?? 0)
            for state in 0..<states {
                best[state] += Double(cells[check][state % 10])
                total[state] += Double(cells[check][state % 10])
            }
        }
        guard let last = best.indices.max(by: { best[$0] < best[$1] }), best[last] > -.infinity else {
            return nil
        }
        var characters: [(cell: Int, character: Int)] = []
        if checksHold, let check = layout.compositeCheck { characters.append((check, last % 10)) }
        var state = last
        for (link, step) in zip(links, steps).reversed() {
            characters.append((link.cell, Int(step[state].character)))
            state = Int(step[state].from)
        }
        return Part(
            characters: characters, score: best[last], total: total.reduce(-.infinity, logSum), free: free)
    }

    // MARK: Fields without

    /// Returns the best of several values for cells, each with a log prior.
    private static func best(
        _ values: some Sequence<(characters: [Int], prior: Double)>, at cells: [Int], in all: [[Float]]
    ) -> Part {
        var best = Part(characters: [], score: -.infinity, total: -.infinity)
        for value in values {
            let score = zip(cells, value.characters).reduce(value.prior) { $0 + Double(all[$1.0][$1.1]) }
            best.total = logSum(best.total, score)
            if score > best.score {
                best.score = score
                best.characters = zip(cells, value.characters).map { ($0, $1) }
            }
        }
        return best
    }

    /// Log prior of a rare value: one in twenty.
    private static let seldom = -3.0

    /// Log prior (natural) of a document code with a second letter, relative to one without: one in three.
    private static let secondLetter = -1.0

    private static func documentCode(_ layout: ZoneLayout, _ cells: [[Float]]) -> Part {
        let first: String =
            switch layout.format {
            case .td3: "P"
            case .mrvA, .mrvB: "V"
            case .td1, .td2: "IAC"
            }
        let values = first.compactMap(ZoneAlphabet.index).flatMap { first in
            lettersOrFiller.map {
                (characters: [first, $0], prior: $0 == ZoneAlphabet.filler ? 0 : secondLetter)
            }
        }
        return best(values, at: Array(layout.documentCode), in: cells)
    }

    private static func sex(_ layout: ZoneLayout, _ cells: [[Float]]) -> Part {
        let values = [("M", 0), ("F", 0), ("<", -1), ("X", seldom)].compactMap { text, prior in
            ZoneAlphabet.index(of: Character(text)).map { (characters: [$0], prior: Double(prior)) }
        }
        return best(values, at: [layout.sex], in: cells)
    }

    /// Reads a state code: three letters, or fewer and fillers; known codes are likelier.
    private static func state(_ range: Range<Int>, _ cells: [[Float]]) -> Part {
        let letters = Array(ZoneAlphabet.letters)
        let filler = ZoneAlphabet.filler
        let known = StateCode.known
        var values: [(characters: [Int], prior: Double)] = known.map { ($0, 0) }
        // The unknown codes are too many to try: the likeliest letter in each place represents them.
        func likeliest(_ place: Int) -> Int {
            let row = cells[range.lowerBound + place]
            return letters.max { row[$0] < row[$1] } ?? letters[0]
        }
        let three = (0..<3).map(likeliest)
        for other in [three, [three[0], three[1], filler], [three[0], filler, filler]]
        where !known.contains(other) {
            values.append((other, StateCode.unknown))
        }
        return best(values, at: Array(range), in: cells)
    }

    /// Reads names: letters, one filler between parts, two between the surname and the given names, fillers to the end.
    private static func names(_ layout: ZoneLayout, _ cells: [[Float]]) -> Part {
        // States: in a surname, after one filler, after two, in a given name, after one filler, at the end.
        let filler = [1, 2, 5, 4, 5, 5], letter = [0, 0, 3, 3, 3, -1]
        var best = [Double](repeating: -.infinity, count: 6)
        var total = best
        var steps: [[(from: Int, character: Int)]] = []
        for (place, cell) in layout.names.enumerated() {
            let row = cells[cell]
            let top = ZoneAlphabet.letters.max { row[$0] < row[$1] } ?? ZoneAlphabet.filler
            let all = ZoneAlphabet.letters.reduce(-Double.infinity) { logSum($0, Double(row[$1])) }
            var next = [Double](repeating: -.infinity, count: 6)
            var nextTotal = next
            var step = [(from: Int, character: Int)](repeating: (0, ZoneAlphabet.filler), count: 6)
            func go(_ from: Int, _ to: Int, _ character: Int, _ score: Double, _ sum: Double) {
                nextTotal[to] = logSum(nextTotal[to], sum)
                if score > next[to] {
                    next[to] = score
                    step[to] = (from, character)
                }
            }
            if place == 0 {
                go(0, 0, top, Double(row[top]), all)
            } else {
                for from in 0..<6 where best[from] > -.infinity {
                    if letter[from] >= 0 {
                        go(from, letter[from], top, best[from] + Double(row[top]), total[from] + all)
                    }
                    let likelihood = Double(row[ZoneAlphabet.filler])
                    go(
                        from, filler[from], ZoneAlphabet.filler, best[from] + likelihood,
                        total[from] + likelihood)
                }
            }
            best = next
            total = nextTotal
            steps.append(step)
        }
        var state = best.indices.max { best[$0] < best[$1] } ?? 0
        var part = Part(characters: [], score: best[state], total: total.reduce(-.infinity, logSum))
        for (cell, step) in zip(layout.names, steps).reversed() {
            part.characters.append((cell, step[state].character))
            state = step[state].from
        }
        return part
    }
}
