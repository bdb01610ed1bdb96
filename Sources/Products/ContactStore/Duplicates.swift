import ScalarText

/// Finds contacts that are most likely the same.
package enum Duplicates {
    /// Smallest likeness at which two names, or two organisations, count as one. On 20,000 drawn pairs of names in four
    /// languages, names with one misread letter are recognized in 94 %, with two in 63 %; of different people 0.1 % are taken
    /// for one, of different people with the same given name 3 %.
    static let leastLikeness = 0.92

    /// Mailboxes that several people read.
    private static let sharedMailboxes: Set<String> = [
        "info", "infos", "office", "mail", "email", "kontakt", "contact", "contato", "contacto", "post",
        "hello", "hallo",
        "sales", "vertrieb", "verkauf", "vendas", "ventas", "commercial", "support", "service", "help",
        "team", "admin",
        "zentrale", "empfang", "reception", "accueil", "secretariat", "sekretariat", "buero", "anfrage",
        "booking",
    ]

    /// Returns groups of at least two, in the order of their first contacts. It compares contacts that share a normal form or a
    /// word of their names: about n log n, but quadratic in the number of contacts that share one word.
    static func groups(of contacts: [StoredContact]) -> [[StoredContact]] {
        groups(ofValues: contacts.map(\.values)).map { $0.map { contacts[$0] } }.sorted {
            $0[0].id < $1[0].id
        }
    }

    /// Returns the groups as indices of the contacts, in no particular order.
    package static func groups(ofValues contacts: [[StoredValue]]) -> [[Int]] {
        let traits = contacts.map(Traits.init)
        var roots = Array(contacts.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while roots[index] != index {
                roots[index] = roots[roots[index]]
                index = roots[index]
            }
            return index
        }
        func join(_ one: Int, _ other: Int) {
            let (first, second) = (root(one), root(other))
            roots[max(first, second)] = min(first, second)
        }
        /// Tries the pairs that have something in common.
        func forEachPair(_ shared: (Traits) -> Set<String>, _ isSame: (Traits, Traits) -> Bool) {
            var holders: [String: [Int]] = [:]
            for (index, trait) in traits.enumerated() {
                for word in shared(trait) { holders[word, default: []].append(index) }
            }
            for group in holders.values {
                for (place, one) in group.enumerated() {
                    for other in group[(place + 1)...] where root(one) != root(other) {
                        if isSame(traits[one], traits[other]) { join(one, other) }
                    }
                }
            }
        }
        forEachPair(\.own) { _, _ in true }
        forEachPair(\.shared) { $0.hasName(like: $1) }
        forEachPair(\.nameWords) { $0.hasName(like: $1) && $0.hasOrganisation(like: $1) }
        return Dictionary(grouping: contacts.indices, by: root).values.filter { $0.count > 1 }
            .map { $0.sorted() }
    }

    /// The properties by which contacts are compared.
    private struct Traits {
        /// Normal forms that belong to one person: mail addresses, mobile numbers.
        var own: Set<String> = []
        /// Normal forms that colleagues share: numbers of an office, mailboxes of a firm.
        var shared: Set<String> = []
        var names: Set<String> = []
        var organisations: Set<String> = []

        init(_ values: [StoredValue]) {
            for value in values {
                let form = value.normalForm
                switch value {
                case .name(let reading): names.insert(reading.value.spoken.folded)
                case .organisation(let reading): organisations.insert(reading.value.foldedOrganisation)
                case .email:
                    if sharedMailboxes.contains(
                        String(form.split(atScalar: "@", omittingEmptySubsequences: false)[0]))
                    {
                        shared.insert(form)
                    } else {
                        own.insert(form)
                    }
                case .phone(let reading):
                    // Without a country code, the same digits may be two numbers.
                    guard reading.value.number.hasScalarPrefix("+") else { continue }
                    // One card may label a number as mobile and another may not.
                    shared.insert(form)
                    if reading.value.kind == .mobile { own.insert(form) }
                case .title, .url, .address: continue
                }
            }
        }

        var nameWords: Set<String> { Set(names.flatMap { $0.split(atScalar: " ").map(String.init) }) }

        func hasName(like other: Traits) -> Bool { Self.anyLike(names, other.names) }

        func hasOrganisation(like other: Traits) -> Bool { Self.anyLike(organisations, other.organisations) }

        private static func anyLike(_ ones: Set<String>, _ others: Set<String>) -> Bool {
            ones.contains { one in
                others.contains {
                    one == $0 || inOrder(one) == inOrder($0)
                        || NameLikeness.between(one, $0) >= leastLikeness
                }
            }
        }

        /// Sorts the words, so that "huber anna" and "anna huber" are one name.
        private static func inOrder(_ name: String) -> [Substring] { name.split(atScalar: " ").sorted() }
    }
}
