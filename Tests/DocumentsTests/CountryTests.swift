import Foundation
import Testing
import TextTestSupport

@testable import Documents

@Suite struct CountryTests {
    private func decimal(_ text: String) -> Decimal? {
        Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    @Test(
        "The form of a seller's number tells its country",
        arguments: [
            ("ORG NR. 996 861 260 MVA", "NO"), ("GST REGN NO: M2-0023981-4", "SG"),
            ("GST NO: 04AACCC8021G1Z5", "IN"),
            ("CNPJ: 09.416.875/0001-43", "BR"), ("P.IVA: 09638140013", "IT"),
            ("WEEE:DE 12345678 USt: DE 813 129 242", "DE"), ("UID ATU62134578", "AT"),
            ("BTW BE 1003 611 389", "BE"), ("BTW NL001234567B01", "NL"), ("CHE-112.233.445 MWST", "CH"),
            ("VAT Number: GB 220 4302 31", "GB"), ("NIP 779-10-11-327", "PL"),
            ("CIF:R033781803", "RO"), ("GST MR85002257", "SG"),
        ])
    func sellersNumber(row: String, country: String) throws {
        let text = readText("Nordkauf\n\(row)\nTea   4.00\nTotal   4.00")
        let parser = ReceiptFieldParser(text: text, context: ReceiptContext(today: .distantPast))
        let found = try #require(parser.country)
        #expect(found.country.code == country)
    }

    /// The currency of a receipt of these rows between a name and a total, where no sign is printed.
    private func currency(_ rows: String) -> String? {
        ReceiptFields(of: readText("Nordkauf Grill\n\(rows)\nTea   4.00\nTotal   4.30")).currency?.value
    }

    @Test(
        "An American telephone number and a tax of no other name are the United States, and so is a state",
        arguments: [
            ("603-437-7251\nTax 0.30", "USD"), ("( 630 ) 213 - 7000\nTAX 1 6.250 % 0.30", "USD"),
            ("Ashland, OR\nTax 0.30", "USD"), ("ASHLAND, OREGON\nTax 0.30", "USD"),
            ("San Diego, Ca. 92101", "USD"), ("Whittier, Calif 90605", "USD"),
            ("106 JOHN STREET\nTORONTO ON", "CAD"), ("33 William Street\nBrisbane QLD 4000", "AUD"),
            // What Canada and others have too.
            ("603-437-7251", nil), ("Tax 0.30", nil), ("603-437-7251\nGST 0.30", nil),
            ("Milano MI\nTax 0.30", nil),
        ] as [(String, String?)])
    func american(rows: String, code: String?) {
        #expect(currency(rows) == code)
    }

    @Test(
        "The rate of a tax on goods and services tells its country where one alone has it",
        arguments: [
            ("7% GST 0.30", "SGD"), ("GST 9% 0.30", "SGD"), ("GST 15% 0.30", "NZD"), ("GST 5% 0.30", nil),
        ]
            as [(String, String?)])
    func goodsAndServices(row: String, code: String?) {
        #expect(currency(row) == code)
    }

    @Test(
        "Capitals and telephone codes tell the country",
        arguments: [
            ("Bole Road, ADDIS ABABA", "ETB"), ("Prodavnica br. 76\n71160 SARAJEVO\nJIB: 4200918", "BAM"),
            ("Thamel, Kathmandu\nMiti: 21/03/2081", "NPR"), ("RUC 0992123456001\nGUAYAQUIL", "USD"),
        ])
    func capitals(rows: String, code: String) {
        #expect(currency(rows) == code)
    }

    @Test("Phrases of a language that one country alone speaks tell the country")
    func language() {
        #expect(currency("HOA DON BAN HANG\nThu ngan: Lan\nTIEN MAT 5.00\nXin cam on quy khach") == "VND")
    }

    @Test(
        "A code in brackets is the currency; letters before a few things' amounts are not, nor before a long number"
    )
    func signsInWords() {
        #expect(currency("CUSTOMER MONEY(VND) 5.00") == "VND")
        #expect(currency("Order :DH201409230001") == nil)
        #expect(currency("SUSU UHT PLN750   1.30") == nil)
        let things = "SALCHICHAS FR.  0.23\nCOLA  3.12\nPAN  1.00\nKETCHUP  0.37"
        #expect(currency(things) == nil)
    }

    @Test("A caption for the price of one shows the currency") func captionOfUnit() {
        let fields = ReceiptFields(
            of: readText(
                """
                Pos Artikel-Nr. Menge  €/Stk  €/Ges
                1 23530028 03   2,00  14,99  29,98
                Duschvorhang
                Summe                        29,98
                elec.-cash                   29,98
                """))
        #expect(fields.currency?.value == "EUR")
    }

    @Test("A receipt of Serbia is none of Croatia") func serbia() {
        let parser = ReceiptFieldParser(
            text: readText(
                """
                Sport Men Donji ves          1299,00
                platiti                      1299,00
                Poreska stopa  PDV  20,00     216,50
                Ukupan porez                  216,50
                """), context: ReceiptContext(today: .distantPast))
        #expect(parser.country?.country.code == "RS")
    }

    @Test(
        "Numbers and terms that one country alone has tell it, and countries of one language their common currency",
        arguments: [
            ("FACTURA SIMPLIFICADA", "LECHE ENTERA 1,49\nPAN 1,05\nTOTAL 2,54", "ES", "EUR"),
            ("GCT# 001-657-836-0000", "Burger Bread $318.10\nMilk $200.00\nTotal $518.10", "JM", "JMD"),
            (
                "TIN:07500182751, STN:AABCD1821CST001", "Reg Pan Gold 59.00\nTaco 119.00\nTotal 178.00", "IN",
                "INR"
            ),
            ("C.I.F:A-28425270", "BEBIDA DE COCO 11,16\nRECAMBIO 4,30\nTOTAL A PAGAR 15,46", "ES", "EUR"),
            ("RUT: 76.834.300-1", "EMPANADA 6.500\nBEBIDA 650\nTOTAL 7.150", "CL", "CLP"),
            (
                "C.U.I.T. Nro : 23-33086889-9", "EMPANADA CAPRESE 29.00\nEMPANADA ATN 31.00\nTOTAL 60.00",
                "AR", "ARS"
            ),
            (
                "BOMBA: 02", "MAGNA 16.10 37.267 600.00\nTotal: 600.00\nSEISCIENTOS PESOS 00/100 MN", "MX",
                "MXN"
            ),
            ("ТОО \"Три казана\" БИН 123456789012", "Плов 1500\nЧай 300\nИтого 1800", "KZ", "KZT"),
            ("РНК: 010104060859", "ЗНК: SHK00490713\nСвитер 16990,00\nИтого: 16990,00", "KZ", "KZT"),
            (
                "Piet Heinstraat 20, 2518 CH Den Haag", "PASTA 4,37\nBROOD 2,50\nTOTAL 6,87\nBTW 9,00% 0,57",
                nil, "EUR"
            ),
            (
                "SENIAT\nRIF:J-306279474", "PAN SICILIANO 378,45\nPAN CAMPESINO 302,76\nTOTAL Bs 681,21",
                "VE", "VES"
            ),
            (
                "799 McCallum Road\nVictoria, BC V9B 6A2", "POLO 24.99\nPEANUT 13.49\nTAX 4.62\nTOTAL 43.10",
                "CA", "CAD"
            ),
            (
                "1321 Blanshard Street\nVictoria BC Canada", "Child 7.50\nAdult 30.00\nTotal 37.50", "CA",
                "CAD"
            ),
            ("ABH 97 367 902 126", "Parmigiana $22.90\nDuck Buns $16.50\nTotal $39.40", "AU", "AUD"),
            // Its check digits are wrong.
            ("ABH 97 367 902 127", "Parmigiana $22.90\nDuck Buns $16.50\nTotal $39.40", nil, nil),
            ("VOEN:1401395111", "LAVAS 0,70\nQARABASAQ 2,55\nYEKUN 3,25", "AZ", "AZN"),
            ("AUTORIZADA POR EL SII", "EMPANADA 6.500\nBEBIDA 650\nTOTAL 7.150", "CL", "CLP"),
            ("TABORA,TANZANIA", "IRON FITTING 16,000.00\nNAILS 500.00\nTOTAL 16,500.00", "TZ", "TZS"),
            // "R$" as it is read: as no sign, and as India's.
            (
                "CNPJ: 65.124.307/0003-01", "KITKAT RS 2,98\nMORANGO RS 17,96\nVALOR TOTAL RS 20,94", "BR",
                "BRL"
            ),
            (
                "CNPJ: 65.124.307/0003-01", "KITKAT Rs 2,98\nMORANGO Rs 17,96\nVALOR TOTAL Rs 20,94", nil,
                "BRL"
            ),
            ("5/16/22 9:14 PM", "Burger 15.95\nMac Flight 16.95\nTax 2.63\nTotal 35.53", "US", "USD"),
            // Guests, and no tax on goods and services.
            (
                "Chk 9557 Gst 5", "Decaf $2.99\nIced Tea $2.99\nTotal $5.98\nor call 888-345-2725", nil,
                "USD"
            ),
            (
                "KASSABON",
                "1 x FRIET 4,50\n1 x KAASSOUFFLE 2,50\nTOTAAL 7,00\nBTW LAAG 0,58\nCONTANT 10,00\nWISSELGELD 3,00",
                nil, "EUR"
            ),
        ] as [(String, String, String?, String?)])
    func marks(head: String, rest: String, country: String?, currency: String?) {
        let fields = ReceiptFields(of: readText("CORNER HOUSE\n\(head)\n\(rest)"))
        if let country { #expect(fields.country?.value == country) }
        #expect(fields.currency?.value == currency)
    }

    @Test("Where Brazil's sign is read as India's in some rows, theirs is no second currency")
    func misreadReal() {
        let fields = ReceiptFields(
            of: readText(
                "MERCADO BOM\nCNPJ: 65.124.307/0003-01\nKITKAT R$ 2,98\nMORANGO 17,96\nVALOR TOTAL Rs 20,94"
            ))
        #expect(fields.total?.value == decimal("20.94") && fields.currency?.value == "BRL")
    }

    @Test(
        "Days as the United States write them say nothing without their tax, and beside another's",
        arguments: ["GST 0.80\nTotal 16.75", "Total 15.95"])
    func monthFirst(sums: String) {
        let fields = ReceiptFields(of: readText("CORNER HOUSE\n5/16/22 9:14 PM\nBurger 15.95\n\(sums)"))
        #expect(fields.country?.value != "US" && fields.currency?.value != "USD")
    }

    @Test(
        "Letters that one country alone is written in tell it",
        arguments: [
            ("ԱՐԱՐԱՏ ՍՈՒՊԵՐՄԱՐԿԵՏ\nՀԱՑ ԵՎ ԿԱԹ 350.00\nԸՆԴԱՄԵՆԸ 350.00", "AM", "AMD"),
            ("공차 서울숲점 대표 송근영\n서울특별시 성동구 왕십리로\n밀크티 6,500\n합계 6,500", "KR", "KRW"),
            ("ΑΛΦΑ ΥΠΕΡΑΓΟΡΑ\nΓΑΛΑ ΦΡΕΣΚΟ 1,50\nΨΩΜΙ ΧΩΡΙΑΤΙΚΟ 1,10\nΣΥΝΟΛΟ 2,60", nil, "EUR"),
        ] as [(String, String?, String)])
    func scripts(text: String, country: String?, currency: String) {
        let fields = ReceiptFields(of: readText(text))
        if let country { #expect(fields.country?.value == country) }
        #expect(fields.currency?.value == currency)
    }

    @Test(
        "Numbers of sellers, signs and words of tills tell countries that print no other mark",
        arguments: [
            // The check digit of 30-65485516-8 is right, that of the other is not.
            ("30-65485516-8\nCAFE 237.95\nTOTAL $ 237.95", "AR", "ARS"),
            ("30-65485516-7\nCAFE 237.95\nTOTAL $ 237.95", nil, nil),
            // Numbers of Peru, an article's number, a container's.
            ("20131312955\nCAFE 237.95\nTOTAL $ 237.95", nil, nil),
            ("BANANAS 000000004011 KF 1.75\nTOTAL $ 1.75", nil, nil),
            ("EGHU1234567\nCAFE 237.95\nTOTAL $ 237.95", nil, nil),
            ("BIN:007534683-0201\nMushak-6.3\nLoaded Nachos 460.00\nTotal 460.00", "BD", "BDT"),
            ("OIL FILTER Ksh 900.00\nKEY SHELL Ksh 1000.00\nTotal Ksh 1900.00", "KE", "KES"),
            ("SOFT DRINKS *172.18\nTOTAL *172.18\nERCA", "ET", "ETB"),
            ("SOFT DRINKS *172.18\nTOTAL *172.18\nET FGB0000301", "ET", "ETB"),
            ("Tiendas TSO991022PB6\nPAPA BLANCA 14.95\nTOTAL $ 14.95", "MX", "MXN"),
            ("Rate/Ltr. : 103.57\nVolume(Ltr.): 3.86\nAmount(Rs.): 399.78", nil, "INR"),
            (
                "TORTILLA WRAPS 10,70\nTOTAL 10,70\nBETALINGSKORT 10,70\nMOMS UDGØR 2,14\nTak fordi du kom",
                "DK", "DKK"
            ),
            ("Padmanabha Nagar\nBengaluru-560070\nIDLY 44.00\nTotal 44.00", "IN", "INR"),
            (
                "6 YAOURT NATUR 0.550 3.300\n1 AUBERGINE 2.020\n1 GRENADE 0.971\n1 TIMBRE 0.100\n"
                    + "TOTAL ACHATS 6.391\nCARTE BANCAIRE 6.391\nMERCI DE VOTRE VISITE", "TN", "TND"
            ),
            ("EGGS 59.99\nTOTAL 59.99\nTENDERED Nedbank 59.99\nShop 4, KZN", "ZA", "ZAR"),
            ("DOCUMENTO AUXILIAR DA NOTA FISCAL\nCOENTRO 1.39\nTOTAL 1.39", "BR", "BRL"),
            // The law's number follows no sign of Romania's.
            ("CNPJ 1\nCOENTRO 1.39\nTOTAL 1.39\nTributos (Lei Federal 12.741/2012)", "BR", "BRL"),
            ("CHILE 26.95\nTOTAL 26.95\nIEPS 8% 2.00", "MX", "MXN"),
            ("HIELO 315.00\nTotal 315.00\n(TRES PESOS 00/100 MN)\nNIT 1", "MX", "MXN"),
            ("CANOLA 2.49\nCRV 0.10\nTOTAL 2.59", "US", "USD"),
            ("Lotus Tea 95.00\nSoap 20.00\nTotal 115.00\nMiti : 21/03/2081", "NP", "NPR"),
            ("47400 PETALING JAYA\nSELANGOR\nHoney 21.60\nTotal 21.60", "MY", "MYR"),
            ("COLONIA ESCALON\nSANTA TECLA\nLOMO 37.05\nTOTAL $37.05", "SV", "USD"),
            ("Kota Kasablanka\nLatte 55,000\nCake 59,000\nTotal 114,000", "ID", "IDR"),
            ("MUSHROOMS $1.97\nGST 5% 0.10\nTOTAL $2.07", "CA", "CAD"),
            // Behind the time as before it.
            ("2:12 PM 01/23/2018\nBurger $22.83\n+ Tip:\nTotal $22.83", "US", "USD"),
            // ".co" may be a cut ".com"; below ".com.co" are companies of Colombia.
            ("Cafe 5.000\nTotal 5.000\nwww.example.co", nil, nil),
            ("Cafe 5.000\nTotal 5.000\nwww.example.com.co", "CO", "COP"),
        ] as [(String, String?, String?)])
    func foundByOneMark(rest: String, country: String?, currency: String?) {
        let fields = ReceiptFields(of: readText("HARBOR TERRACE\n\(rest)"))
        #expect(fields.country?.value == country)
        #expect(fields.currency?.value == currency)
    }

    @Test(
        "Rupees are those of the country",
        arguments: [
            ("Colombo, Sri Lanka", "LKR"), ("Karachi, Pakistan", "PKR"), ("Kathmandu, Nepal", "NPR"),
            ("Mumbai, India", "INR"), ("", "INR"), ("Port Louis, Mauritius", "MUR"),
        ])
    func rupees(town: String, currency: String) {
        let fields = ReceiptFields(
            of: readText("CORNER HOUSE\n\(town)\nTea Rs. 120.00\nBun Rs. 80.00\nTotal Rs. 200.00"))
        #expect(fields.currency?.value == currency)
    }

    @Test(
        "Where marks tell a country, a badly read sign of its currency or a single other one does not hide it"
    )
    func badlyReadSign() {
        func currency(_ sign: String, _ confidence: Double, rest: String = "") -> String? {
            var text = readText("HARBOR TERRACE\nTORONTO ON\nHST# 123\nTea \(sign)4.99\nTotal 4.99\(rest)")
            for block in text.blocks.indices {
                for line in text.blocks[block].lines.indices {
                    for word in text.blocks[block].lines[line].words.indices
                    where text.blocks[block].lines[line].words[word].text.hasPrefix(sign) {
                        text.blocks[block].lines[line].words[word].confidence = confidence
                    }
                }
            }
            return ReceiptFields(of: text).currency?.value
        }
        #expect(currency("$", 0.4) == "CAD")
        #expect(currency("kr", 0.9) == "CAD")
    }

    @Test("Bolivars are Venezuela's or Bolivia's, by the country")
    func bolivars() {
        func fields(_ mark: String) -> ReceiptFields {
            ReceiptFields(of: readText("HARBOR TERRACE\n\(mark)\nPAN 378,45\nMONTO :Bs. 378,45"))
        }
        #expect(fields("RIF: J-306279474").currency?.value == "VES")
        #expect(fields("COCHABAMBA").currency?.value == "BOB")
        #expect(fields("Quito").currency?.value != "VES")
        #expect(fields("RIF: J-306279474").total?.value == decimal("378.45"))
    }

    @Test("India's own sign is no rupee of another country")
    func ownRupees() {
        let fields = ReceiptFields(
            of: readText("HARBOR TERRACE\nKathmandu, Nepal\nTea ₹ 120.00\nBun ₹ 80.00\nTotal ₹ 200.00"))
        #expect(fields.currency?.value == "INR")
    }

    @Test(
        "Words of tills in other letters tell the country",
        arguments: [
            ("UA", "UAH", "ТОВ Приклад\nФіскальний чек\nЗНИЖКА 5,00\nСУМА 64,98"),
            ("BY", "BYN", "ООО Пример\nУНП 123456789\nСКНО 0123\nИТОГО 4.06"),
            ("KG", "KGS", "г. Бишкек\nЧЕК 12\nВ т.ч. НСП: 1.41\nИТОГО 141.00"),
            ("CN", "CNY", "单价 数量\n5.00 2\n实收 10.00\n找零 0.00"),
            ("EG", nil, "القاهرة\nالاجمالي 40.00 جنيه"),
        ])
    func wordsOfTills(country: String, currency: String?, printed: String) {
        let fields = ReceiptFields(of: readText(printed))
        #expect(fields.country?.value == country)
        // No amount is found in Arabic words.
        #expect(fields.currency?.value == currency)
    }
}
