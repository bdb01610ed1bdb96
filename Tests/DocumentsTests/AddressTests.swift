import Testing
import TextRecognition
import TextTestSupport

@testable import Documents

@Suite struct AddressTests {
    private func address(_ head: String, confidence: Double = 0.96) -> String? {
        ReceiptFields(
            of: readText(head + "\n\nJoghurt   2.29\nBananen   0.73\nTotal   3.02\n", confidence: confidence)
        )
        .address?.value
    }

    @Test(
        "A street above a town with its postcode or state is an address",
        arguments: [
            (
                "Aldi Süd\nBgm.-Fischer-Straße 6-10\n86150 Augsburg",
                "Bgm.-Fischer-Straße 6-10, 86150 Augsburg"
            ),
            (
                "JUMBO City\nGrote Marktstraat 24-30\n2511 BJ Den Haag",
                "Grote Marktstraat 24-30, 2511 BJ Den Haag"
            ),
            (
                "PETYPET\nUNIT 20, 3980 14TH AVE\nMARKHAM, ON L3R 0B2",
                "UNIT 20, 3980 14TH AVE, MARKHAM, ON L3R 0B2"
            ),
            (
                "Papa Johns\nRestaurant #2447\n6920 Braddock Rd\nAnnandale, VA 22003",
                "6920 Braddock Rd, Annandale, VA 22003"
            ),
            ("U EXPRESS\n127, Boulevard SOULT\nPARIS\n75012", "127, Boulevard SOULT, PARIS, 75012"),
            (
                "CIA BRASILEIRA\nRUA MARQUES DE ABRANTES, 165\nBOTAFOGO, RIO DE JANEIRO - RJ",
                "RUA MARQUES DE ABRANTES, 165, BOTAFOGO, RIO DE JANEIRO - RJ"
            ),
            ("SUPERMARKT\nul. Kwiatowa 5\n16-400 Suwałki", "ul. Kwiatowa 5, 16-400 Suwałki"),
        ]) func streetAndTown(head: String, expected: String)
    {
        #expect(address(head) == expected)
    }

    @Test(
        "Plots, telephone numbers, states in small letters and rows with street and town are told apart",
        arguments: [
            (
                "BERKELEY MART\nLOT P.T. 2811, JALAN ANGSA\nTAMAN BERKELEY\n41150 KLANG\nSELANGOR\nMALAYSIA",
                "LOT P.T. 2811, JALAN ANGSA, TAMAN BERKELEY, 41150 KLANG, SELANGOR, MALAYSIA"
            ),
            ("Mamnoon\n1124 Pike St\nSeattle, WA 206-624-0173", "1124 Pike St, Seattle, WA"),
            ("Casbah\n5505 Walnut Street\nPittsburgh, Pa 15232", "5505 Walnut Street, Pittsburgh, Pa 15232"),
            ("LIDL\nul. Wołoska 16, 02-583 Warszawa", "ul. Wołoska 16, 02-583 Warszawa"),
            ("HIPERMARKET\n60-198 Poznań, ul. Bukowska 156", "60-198 Poznań, ul. Bukowska 156"),
        ]) func shapes(head: String, expected: String)
    {
        #expect(address(head) == expected)
    }

    @Test("The customer's address below the shop's is not the seller's") func customer() {
        let head =
            "Papa Johns\n6920 Braddock Rd\nAnnandale, VA 22003\n703-813-6262\nName: Stefan Tobler\n"
            + "Address: 6560 Braddock Rd\nAlexandria VA 22312"
        #expect(address(head) == "6920 Braddock Rd, Annandale, VA 22003")
    }

    @Test("An address that was read badly is not given") func badlyRead() {
        #expect(address("Aldi Süd\nBgm.-Fischer-Straße 6-10\n86150 Augsburg", confidence: 0.5) == nil)
    }

    @Test(
        "A number with a word behind it is no town without a street above",
        arguments: [
            "Aldi Süd\nKasse 3\n86150 Joghurt", "Aldi Süd\nBon 2 - 17\nBeleg 86150 Kasse",
            "REMA 1000 BJERKE\nKasse 4",
        ]) func noAddress(head: String)
    {
        #expect(address(head) == nil)
    }
}
