import Foundation
import Testing
import TextTestSupport

@testable import Documents

/// Made-up receipts in the layouts of shops of many countries.
@Suite struct CountryReceiptTests {
    private func decimal(_ text: String) -> Decimal? {
        Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    @Test("Malaysian tax invoice: legal name without its number, address without phone, total after rounding")
    func malaysia() {
        let fields = ReceiptFields(
            of: readText(
                """
                      SUNRISE HARDWARE TRADING SDN BHD
                            (1022334-K)
                     NO 18, JALAN CEMPAKA 5/2,
                     TAMAN BERLIAN JAYA,
                     47300 PETALING JAYA, SELANGOR.
                     TEL : 03-7788 1122  FAX : 03-7788 1133
                     GST ID : 000912345678

                              TAX INVOICE
                INVOICE NO : CS00123456
                DATE : 14/02/2018 10:51:22
                CASHIER : USER
                ITEM            QTY   U/P   AMOUNT
                PVC PIPE 20MM     3  4.20    12.60
                WIRE 2.5MM        1 38.90    38.90
                SUB TOTAL (EX)  :            48.58
                TOTAL GST 6%    :             2.92
                TOTAL INCL GST  :            51.50
                DISCOUNT        :             0.00
                ROUNDING ADJ    :             0.02
                TOTAL PAYABLE   :            51.52
                CASH            :            60.00
                CHANGE          :             8.48

                GST SUMMARY     AMOUNT(RM)   TAX(RM)
                SR @ 6%           48.58       2.92
                THANK YOU. PLEASE COME AGAIN
                """))
        #expect(fields.merchant?.value == "SUNRISE HARDWARE TRADING SDN BHD")
        #expect(
            fields.address?.value
                == "NO 18, JALAN CEMPAKA 5/2, TAMAN BERLIAN JAYA, 47300 PETALING JAYA, SELANGOR")
        #expect(fields.phone?.value == "03-7788 1122")
        #expect(fields.taxNumber?.value == "000912345678")
        #expect(fields.date?.value == "2018-02-14")
        #expect(fields.time?.value == "10:51:22")
        #expect(fields.total?.value == decimal("51.52"))
        #expect(fields.tax?.value == decimal("2.92"))
        #expect(fields.subtotal?.value == decimal("48.58"))
        #expect(fields.change?.value == decimal("8.48"))
        #expect(fields.cashGiven?.value == 60)
        #expect(fields.payment?.value == "cash")
        #expect(fields.country?.value == "MY")
        #expect(fields.items.map(\.amount) == [decimal("12.60"), decimal("38.90")])
        #expect(fields.taxLines.first?.rate == 6)
        #expect(fields.taxLines.first?.base == decimal("48.58"))
    }

    @Test("A name in two rows is one")
    func twoRows() {
        let fields = ReceiptFields(
            of: readText(
                """
                       BINTANG MAJU FOODS
                         MARKETING SDN BHD
                         (CO. NO. 551234-W)
                    LOT 12, JALAN SETIA 3/1
                    40170 SHAH ALAM, SELANGOR
                    GST ID: 000512345678
                DATE: 03/05/2018   TIME: 12:10
                TEH TARIK              2.20
                NASI LEMAK             6.30
                TOTAL                  8.50
                CASH                  10.00
                CHANGE                 1.50
                """))
        #expect(fields.merchant?.value == "BINTANG MAJU FOODS MARKETING SDN BHD")
        #expect(fields.total?.value == decimal("8.50"))
    }

    @Test("Austrian receipt: tax included, comma, card")
    func austria() {
        let fields = ReceiptFields(
            of: readText(
                """
                        Gasthof Goldener Hirsch
                           Rosengasse 12
                            8010 Graz
                         UID: ATU12345678
                         Tel. 0316/123456
                Rechnung Nr. 20394
                Datum 05.11.2023  12:48
                2 Schnitzel              31,80
                1 Apfelschorle            3,90
                Summe EUR                35,70
                Bankomat                 35,70
                MwSt 10%   32,45          3,25
                Vielen Dank
                """))
        #expect(fields.merchant?.value == "Gasthof Goldener Hirsch")
        #expect(fields.address?.value == "Rosengasse 12, 8010 Graz")
        #expect(fields.date?.value == "2023-11-05")
        #expect(fields.total?.value == decimal("35.70"))
        #expect(fields.tax?.value == decimal("3.25"))
        #expect(fields.payment?.value == "card")
        #expect(fields.language?.value == "de")
    }

    @Test("Spanish receipt: base and cuota, efectivo and cambio")
    func spain() {
        let fields = ReceiptFields(
            of: readText(
                """
                     TABERNA EL OLIVO S.L.
                       C/ Mayor, 23
                      28013 Madrid
                     CIF: B12345678
                   Tel. 91 234 56 78
                FACTURA SIMPLIFICADA
                Ticket nº 004512
                Fecha 21/09/2023 14:32
                2 Caña              5,00
                1 Croquetas         8,50
                TOTAL              13,50
                EFECTIVO           20,00
                CAMBIO              6,50
                IVA   BASE   CUOTA
                10%  12,27    1,23
                GRACIAS POR SU VISITA
                """))
        #expect(fields.merchant?.value == "TABERNA EL OLIVO S.L.")
        #expect(fields.address?.value == "C/ Mayor, 23, 28013 Madrid")
        #expect(fields.total?.value == decimal("13.50"))
        #expect(fields.change?.value == decimal("6.50"))
        #expect(fields.tax?.value == decimal("1.23"))
        #expect(fields.payment?.value == "cash")
        #expect(fields.language?.value == "es")
    }

    @Test("Italian document: totale complessivo, of which IVA")
    func italy() {
        let fields = ReceiptFields(
            of: readText(
                """
                     PANIFICIO AL PONTE S.R.L.
                        Via Roma, 14
                      37100 Verona (VR)
                    P.IVA 01234567890
                  DOCUMENTO COMMERCIALE
                di vendita o prestazione
                DESCRIZIONE     IVA  Prezzo(€)
                Pane            4%      2,40
                Biscotti       10%      3,10
                TOTALE COMPLESSIVO      5,50
                di cui IVA              0,37
                Pagamento elettronico   5,50
                12-03-2024 09:31
                DOCUMENTO N. 0123-0045
                """))
        #expect(fields.merchant?.value == "PANIFICIO AL PONTE S.R.L.")
        #expect(fields.total?.value == decimal("5.50"))
        #expect(fields.tax?.value == decimal("0.37"))
        #expect(fields.date?.value == "2024-03-12")
        #expect(fields.payment?.value == "card")
    }

    @Test("Portuguese receipt: total a pagar, multibanco")
    func portugal() {
        let fields = ReceiptFields(
            of: readText(
                """
                    PASTELARIA O GALO, LDA
                      Rua da Fonte, 7
                    4000-123 Porto
                    NIF: 501234567
                   Fatura Simplificada FS 12/345
                Data: 02/06/2023  Hora: 08:15
                1 Bica                0,90
                2 Pastel de nata      2,60
                TOTAL A PAGAR         3,50
                Multibanco            3,50
                IVA incluído 13%      0,40
                Obrigado pela sua visita
                """))
        #expect(fields.total?.value == decimal("3.50"))
        #expect(fields.date?.value == "2023-06-02")
        #expect(fields.payment?.value == "card")
        #expect(fields.language?.value == "pt")
    }

    @Test("Indian bill: two halves of tax on top, rounded to the rupee")
    func india() {
        let fields = ReceiptFields(
            of: readText(
                """
                     LOTUS GARDEN RESTAURANT
                    No. 14, Lake View Road
                     Bangalore - 560001
                    GSTIN: 29ABCDE1234F1Z5
                Bill No: 4512   Date: 11/08/2022
                2 Masala Dosa       180.00
                1 Filter Coffee      45.00
                Sub Total           225.00
                CGST 2.5%             5.63
                SGST 2.5%             5.63
                Round Off            -0.26
                Grand Total      Rs. 236.00
                """))
        #expect(fields.total?.value == 236)
        #expect(fields.subtotal?.value == 225)
        #expect(fields.date?.value == "2022-08-11")
        #expect(fields.currency?.value == "INR")
        #expect(fields.country?.value == "IN")
    }

    @Test("The tax table's own total is not the receipt's")
    func tableTotal() {
        let fields = ReceiptFields(
            of: readText(
                """
                GREEN LEAF MART SDN BHD
                NO 5, JALAN DAHLIA 2
                81100 JOHOR BAHRU
                DATE 12/07/2017 18:20
                RICE 5KG             21.90
                MILK 1L               6.40
                TOTAL SALES (INCLUSIVE OF GST)   28.30
                CASH                 30.00
                CHANGE                1.70
                GST SUMMARY   AMOUNT(RM)  TAX(RM)
                SR 6%             26.70     1.60
                TOTAL             26.70     1.60
                """))
        #expect(fields.total?.value == decimal("28.30"))
        #expect(fields.tax?.value == decimal("1.60"))
    }

    @Test("What is read poorly is absent, not guessed")
    func unsure() {
        let fields = ReceiptFields(
            of: readText(
                """
                ,\\ ro o 2o4 A
                b aASSEF!VlGE
                'l4 J|n ~~ 8I
                (i  .  ,
                l|.I0    ,!l
                """, confidence: 0.35))
        #expect(fields.merchant == nil)
        #expect(fields.address == nil)
        #expect(fields.total == nil)
        #expect(fields.date == nil)
    }

    @Test("A logo read as nonsense is not the merchant")
    func logo() {
        let fields = ReceiptFields(
            of: readText(
                """
                4, \\ ro o
                      BRIGHTWATER BOOKS LTD
                        12 High Street
                       Leeds LS1 4AB
                     VAT No 123 4567 89
                04/03/2024 11:20
                Atlas             £14.00
                TOTAL             £14.00
                """))
        #expect(fields.merchant?.value == "BRIGHTWATER BOOKS LTD")
    }

    @Test(
        "A name over several rows is one, and as sure as its legal form",
        arguments: [
            ("LANTERN BOOK\n  CO. (M) SDN BHD", "LANTERN BOOK CO. (M) SDN BHD"),
            ("WILLOW PAPER (WEST\n  COAST) SDN BHD", "WILLOW PAPER (WEST COAST) SDN BHD"),
            ("Lantern Noodles Malaysia\n  Sdn Bhd", "Lantern Noodles Malaysia Sdn Bhd"),
            ("107\n  Lantern Noodles Sdn Bhd", "Lantern Noodles Sdn Bhd"),
        ])
    func brokenName(head: String, name: String) {
        let fields = ReceiptFields(
            of: readText(
                """
                  \(head)
                  (Co. No. 123456-W)
                  (GST Reg No. 001234567000)
                No 8, Jalan 7/1, Desa Bukit Indah
                56000 Kuala Lumpur, Malaysia
                Tel : 03-9123 4567
                12/01/18 16:52 Slip No.: 0020070154
                PENCIL 2B          2.40
                TOTAL RM           2.40
                CASH               5.00
                CHANGE             2.60
                """))
        #expect(fields.merchant?.value == name)
        #expect((fields.merchant?.confidence ?? 0) > 0.8)
    }
}
