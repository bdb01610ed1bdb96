import Foundation
import Testing

@testable import Documents

/// Names of regions, and texts in Shift JIS, are those of Foundation.
@Suite struct RegionNamesTests {
    @Test(arguments: ["DE", "CH", "GB", "US", "JP", "MY", "NL", "BR"])
    func regionsAreCalledAsInEachLanguage(code: String) throws {
        let names = try #require(RegionNames.all[code])
        for language in Vocabulary.shared.languages {
            let name = try #require(Locale(identifier: language).localizedString(forRegionCode: code))
            #expect(names.contains(name), "\(language)")
        }
    }

    @Test func everyRegionWithNumbersHasAName() {
        let nameless = NumberingPlan.shared.regionCodes.filter { RegionNames.all[$0] == nil }
        #expect(nameless.isEmpty, "\(nameless)")
    }

    @Test func charactersOfShiftJISAreThoseOfFoundation() {
        let leads = [0x81...0x9F, 0xE0...0xEF].joined().map { UInt8($0) }
        let singles = [0x20...0x7E, 0xA1...0xDF].joined().map { [UInt8($0)] }
        let pairs = leads.flatMap { lead in (0x40...0xFC).map { [lead, UInt8($0)] } }
        let different = (singles + pairs).filter {
            ShiftJIS.text(of: $0) != String(data: Data($0), encoding: .shiftJIS)
        }
        #expect(different.isEmpty, "\(different.prefix(10))")
    }
}
