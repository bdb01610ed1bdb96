import Documents
import Testing

@testable import ContactStore

@Suite struct DuplicatesTests {
    private func groups(_ contacts: [Contact]) throws -> [[Int]] {
        let scratch = try ScratchBook()
        for contact in contacts { try scratch.book.add(contact) }
        return try scratch.book.duplicates().map { $0.map(\.id) }
    }

    @Test func oneMailAddressOfAPersonIsOnePerson() throws {
        let contacts: [Contact] = [
            .read(name: "Anna Müller", emails: ["Anna@Firm.example"]), .read(name: "Bert Koch"),
            .read(name: "Anna Schmidt", emails: ["anna@firm.example"]),
        ]
        #expect(try groups(contacts) == [[1, 3]])
    }

    @Test func oneMobileNumberIsOnePersonAndASharedNumberIsNot() throws {
        let mobile = Contact.Phone(number: "+491715550123", kind: .mobile)
        let office = Contact.Phone(number: "+493012345678")
        #expect(
            try groups([.read(name: "Anna Müller", phones: [mobile]), .read(name: "A. M.", phones: [mobile])])
                == [[1, 2]])
        #expect(
            try groups([
                .read(name: "Anna Müller", phones: [office], emails: ["info@firm.example"]),
                .read(name: "Bert Koch", phones: [office], emails: ["info@firm.example"]),
                .read(name: "Anna Mueller", phones: [office]),
            ]) == [[1, 3]])
    }

    @Test func likeNamesCountAtLikeOrganisationsOnly() throws {
        let contacts: [Contact] = [
            .read(name: "Anna Müller", organisation: "Weiß & Söhne GmbH"),
            .read(name: "Muller Anna", organisation: "WEISS & SOHNE"),
            .read(name: "Anna Müller", organisation: "Stadtwerke Ulm"),
            .read(name: "Anna Müllner", organisation: "Weiss & Söhne AG"),
            .read(name: "Anna Kaiser", organisation: "Weiß & Söhne GmbH"),
            .read(name: "Anna Müller"),
        ]
        #expect(try groups(contacts) == [[1, 2, 4]])
    }

    @Test func contactsThatAreTheSameAsAThirdAreOneGroup() throws {
        let contacts: [Contact] = [
            .read(name: "One", emails: ["a@x.example"]), .read(name: "Two", emails: ["b@x.example"]),
            .read(name: "Three", emails: ["b@x.example", "a@x.example"]),
            .read(name: "Four", emails: ["c@x.example"]),
        ]
        #expect(try groups(contacts) == [[1, 2, 3]])
    }

    @Test func aNumberWithoutItsCountryJoinsNobody() throws {
        let number = Contact.Phone(number: "030 1234567", kind: .mobile)
        #expect(
            try groups([.read(name: "One", phones: [number]), .read(name: "Two", phones: [number])]).isEmpty)
    }
}

@Suite struct NameLikenessTests {
    /// Winkler's own examples (1990, table 1), to the three places that they are given with.
    // By the measure's definition one wrong letter of n leaves 1 - 2/(3n) and more.
    @Test func aNameOfNineLettersMayHaveOneWrong() {
        for length in 8...20 {
            let name = Array("abcdefghijklmnopqrst".prefix(length))
            for place in name.indices {
                var other = name
                other[place] = "?"
                let likeness = NameLikeness.between(String(name), String(other))
                #expect(likeness >= 1 - 2 / (3 * Double(length)) - 1e-9)
                #expect(length == 8 || likeness >= Duplicates.leastLikeness)
            }
        }
        #expect(NameLikeness.between("abcdefgh", "?bcdefgh") < Duplicates.leastLikeness)
    }

    @Test(arguments: [
        ("martha", "marhta", 0.961), ("dwayne", "duane", 0.840), ("dixon", "dicksonx", 0.813), ("", "", 1),
        ("a", "", 0),
        ("same", "same", 1), ("abc", "xyz", 0),
    ])
    func itIsThatOfThePublishedExamples(one: String, other: String, expected: Double) {
        #expect(abs(NameLikeness.between(one, other) - expected) < 0.0006)
        #expect(abs(NameLikeness.between(other, one) - expected) < 0.0006)
    }
}

@Suite struct UnlikeLengthTests {
    /// By hand: all four letters agree, (4/10 + 4/4 + 1) / 3 = 0.8, and the first four are equal: 0.8 + 4 · 0.1 · 0.2.
    @Test func aNameMayBeMuchShorterThanAnother() {
        #expect(abs(NameLikeness.between("anna huber", "anna") - 0.88) < 1e-9)
        #expect(abs(NameLikeness.between("anna", "anna huber") - 0.88) < 1e-9)
        #expect(NameLikeness.between("deutsche bahn aktiengesellschaft", "zz") < 0.6)
    }
}

@Suite struct NormalFormTests {
    @Test func spellingsOfOneValueAreEqual() {
        #expect("Weiß & Söhne GmbH".foldedOrganisation == "WEISS SOHNE".foldedOrganisation)
        #expect("ACME, Inc.".foldedOrganisation == "acme")
        #expect("AG".foldedOrganisation == "ag")
        #expect("+49 30 123-45".normalNumber == "+493012345")
        #expect("030/123 45".normalNumber == "03012345")
        let one = Contact.read(urls: ["https://www.Firm.example/"]).values[0]
        let other = Contact.read(urls: ["http://firm.example"]).values[0]
        #expect(one.normalForm == other.normalForm)
    }
}
