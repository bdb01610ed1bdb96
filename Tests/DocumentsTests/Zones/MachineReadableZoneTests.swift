import Documents
import Foundation
import RobustStatistics
import Testing

/// What lines of zones say. The specimens are those of ICAO 9303, parts 4 to 7.
@Suite struct MachineReadableZoneTests {
    /// 1 January 2020.
    private let today = Date(timeIntervalSince1970: 1_577_836_800)

    private func zone(_ lines: String...) throws -> MachineReadableZone {
        try #require(MachineReadableZone(lines: lines, today: today))
    }

    @Test func aPassportSaysWhoseItIs() throws {
        let zone = try zone(
            "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10")
        #expect(zone.format == .td3)
        #expect(zone.documentCode == "P")
        #expect(zone.issuer == "UTO")
        #expect(zone.surname == "ERIKSSON")
        #expect(zone.givenNames == "ANNA MARIA")
        #expect(zone.number == "L898902C3")
        #expect(zone.nationality == "UTO")
        #expect(zone.birthDate?.description == "1974-08-12")
        #expect(zone.sex == .female)
        #expect(zone.expiryDate?.description == "2012-04-15")
        #expect(zone.optionalData == ["ZE184226B"])
        #expect(zone.issuerName == "Utopia" && zone.nationalityName == "Utopia")
        // On 1 January 2020.
        #expect(zone.age == 45 && zone.isExpired == true)
        #expect(zone.checks.map(\.field) == [.number, .birthDate, .expiryDate, .optionalData, .composite])
        #expect(zone.holds)
    }

    @Test func ageAndExpiryTurnWithTheDay() throws {
        func zone(_ seconds: Double) throws -> MachineReadableZone {
            try #require(
                MachineReadableZone(
                    lines: [
                        "P<D<<ERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
                        "L898902C36D<<7408122F1204159ZE184226B<<<<<10",
                    ], today: Date(timeIntervalSince1970: seconds)))
        }
        // 11 and 12 August 2011, 15 and 16 April 2012, by days since 1970.
        #expect(try zone(15_197 * 86_400).age == 36 && zone(15_198 * 86_400).age == 37)
        #expect(try zone(15_445 * 86_400).isExpired == false && zone(15_446 * 86_400).isExpired == true)
        #expect(try zone(0).issuerName == "Germany")
    }

    @Test func anIdentityCardSaysWhoseItIs() throws {
        let zone = try zone(
            "I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6",
            "ERIKSSON<<ANNA<MARIA<<<<<<<<<<")
        #expect(zone.format == .td1)
        #expect(zone.number == "D23145890")
        #expect(zone.birthDate?.description == "1974-08-12")
        #expect(zone.surname == "ERIKSSON")
        #expect(zone.optionalData.isEmpty)
        #expect(zone.holds)
    }

    @Test func aLargerCardAndVisasAreToldApart() throws {
        let card = try zone("I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "D231458907UTO7408122F1204159<<<<<<<6")
        #expect(card.format == .td2)
        #expect(card.holds)
        let visa = try zone(
            "V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L8988901C4XXX4009078F96121096ZE184226B<<<<<<")
        #expect(visa.format == .mrvA)
        #expect(visa.checks.count == 3)
        #expect(visa.holds)
        let small = try zone("V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "L8988901C4XXX4009078F9612109<<<<<<<<")
        #expect(small.format == .mrvB)
        #expect(small.holds)
    }

    @Test func aNumberOfMoreThanNineCharactersGoesOnInTheOptionalData() throws {
        // ICAO 9303-5, appendix: D23145890734 with check digit 9.
        let zone = try zone(
            "I<UTOD23145890<7349<<<<<<<<<<<", "3407127M9507122UTO<<<<<<<<<<<2",
            "STEVENSON<<PETER<JOHN<<<<<<<<<")
        #expect(zone.number == "D23145890734")
        #expect(zone.optionalData.isEmpty)
        #expect(zone.holds)
    }

    @Test func centuriesFollowToday() throws {
        func dates(of year: String, expiry: String) throws -> [String?] {
            let zone = try zone(
                "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
                "L898902C36UTO\(year)2F\(expiry)9ZE184226B<<<<<10")
            return [zone.birthDate?.description, zone.expiryDate?.description]
        }
        #expect(try dates(of: "200101", expiry: "391231") == ["2020-01-01", "2039-12-31"])
        #expect(try dates(of: "200102", expiry: "411231") == ["1920-01-02", "1941-12-31"])
        #expect(try dates(of: "99<<<<", expiry: "2502<<") == ["1999", "2025-02"])
        #expect(try dates(of: "990230", expiry: "<<<<<<") == [nil, nil])
    }

    @Test func aCheckDigitThatDoesNotHoldIsNamed() throws {
        let zone = try zone(
            "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408123F1204159ZE184226B<<<<<10")
        #expect(zone.checks.filter { !$0.holds }.map(\.field) == [.birthDate, .composite])
        #expect(!zone.holds)
    }

    @Test func whatIsNoZoneIsNone() {
        #expect(MachineReadableZone(lines: []) == nil)
        #expect(MachineReadableZone(lines: ["", ""]) == nil)
        #expect(MachineReadableZone(lines: ["P<UTO", "L8989"]) == nil)
        let line = String(repeating: "<", count: 44)
        #expect(MachineReadableZone(lines: [line]) == nil)
        #expect(MachineReadableZone(lines: [line, line + "<"]) == nil)
        #expect(MachineReadableZone(lines: [line, String(line.dropLast()) + "é"]) == nil)
    }

    /// Lines of the right lengths and any characters of the alphabet: whatever they say, they are kept.
    @Test func anyLinesOfTheAlphabetAreRead() throws {
        let seed: UInt64 = 9303
        var generator = SplitMix64(seed: seed)
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<<<<<<<<<<")
        for _ in 0..<2000 {
            let (count, length) = [(3, 30), (2, 36), (2, 44)].randomElement(using: &generator) ?? (2, 44)
            let lines = (0..<count).map { _ in
                String((0..<length).map { _ in alphabet.randomElement(using: &generator) ?? "<" })
            }
            let zone = try #require(MachineReadableZone(lines: lines, today: today), "seed \(seed): \(lines)")
            #expect(zone.lines == lines)
        }
    }
}
