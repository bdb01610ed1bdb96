import Foundation
import Testing
import TextTestSupport

@testable import Documents

/// Made-up receipts of shops in countries whose words, currencies and orders of dates differ.
@Suite struct WorldReceiptTests {
    struct Printed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let merchant: String
        let date: String
        let total: String
        let currency: String
        let text: String
    }

    @Test("Name, day, total and currency are told in each country", arguments: receipts)
    func told(receipt: Printed) {
        let fields = ReceiptFields(of: readText(receipt.text))
        #expect(fields.merchant?.value == receipt.merchant)
        #expect(fields.date?.value == receipt.date)
        #expect(
            fields.total?.value == Decimal(string: receipt.total, locale: Locale(identifier: "en_US_POSIX")))
        #expect(fields.currency?.value == receipt.currency)
    }

    static let receipts: [Printed] = [
        Printed(
            testDescription: "Vietnam", merchant: "BACH HOA SEN VANG", date: "2020-08-15", total: "157500",
            currency: "VND",
            text: """
                            BACH HOA SEN VANG
                     123 Nguyen Trai, P.2, Q.5, TP.HCM
                          DT: 028 3838 1234
                        HOA DON BAN HANG
                So HD: 000123       Quay: 02
                Ngay: 15/08/2020   Gio: 18:22
                Thu ngan: Le Thi Hoa
                Mat hang      SL   Don gia  Thanh tien
                Sua tuoi 1L    2    32.000     64.000
                Banh mi        3    15.000     45.000
                Nuoc suoi      5     9.700     48.500
                Tong cong:                    157.500
                Tien khach dua:               200.000
                Tien thoi lai:                 42.500
                      Cam on quy khach
                         Hen gap lai
                """),
        Printed(
            testDescription: "Vietnam, a supermarket", merchant: "VMart Plus", date: "2020-08-16",
            total: "86400",
            currency: "VND",
            text: """
                              VMart Plus
                VM+ HNI 12 Pham Hung
                Tang 1, toa nha CT2, Phuong Me Tri, Ha Noi
                          HOA DON BAN HANG
                Ngay ban: 16/08/2020 09:12
                HD: 008871      Quay: 01
                Mat hang         Don gia  SL   T.Tien
                RAU CAI NGOT      12,900   1   12,900
                THIT HEO XAY      73,500   1   73,500
                TONG TIEN PHAI T.TOAN          86,400
                TIEN KHACH TRA                100,000
                TIEN TRA LAI                   13,600
                MST: 0104918404
                   CAM ON QUY KHACH VA HEN GAP LAI
                """),
        Printed(
            testDescription: "Poland", merchant: "Kwiatowa Polska S.A.", date: "2023-03-14", total: "52.64",
            currency: "PLN",
            text: """
                            KWIATOWA
                       Kwiatowa Polska S.A.
                    ul. Lipowa 5, 62-025 Kostrzyn
                   Sklep nr 1234 ul. Dluga 3, 31-147 Krakow
                         NIP 779-10-11-327
                2023-03-14                 W012345
                        PARAGON FISKALNY
                Chleb zytni          1 x4,99      4,99B
                Maslo extra          2 x7,49     14,98B
                Ser gouda       0,512 x39,99     20,47C
                Woda 1,5l            4 x3,05     12,20A
                SPRZEDAZ OPODATKOWANA A          12,20
                PTU A 23%                         2,28
                PTU B 8%                          1,48
                SUMA PTU                          3,76
                SUMA PLN                         52,64
                ROZLICZENIE PLATNOSCI
                KARTA                            52,64
                Kasjer 12      14:33
                """),
        Printed(
            testDescription: "Poland, cash", merchant: "Żabka Zielona", date: "2024-01-05", total: "17.98",
            currency: "PLN",
            text: """
                         Żabka Zielona
                   ul. Marszałkowska 12
                     00-590 Warszawa
                      NIP: 5252344078
                      PARAGON FISKALNY
                Kawa duża        1 x 9,99   9,99 A
                Bułka            1 x 7,99   7,99 B
                SPRZED. OPOD. PTU A         9,99
                KWOTA A 23%                 1,87
                SUMA PTU                    2,46
                SUMA PLN                   17,98
                GOTÓWKA                    20,00
                RESZTA                      2,02
                05-01-2024 08:12
                """),
        Printed(
            testDescription: "Sweden", merchant: "Kungens Livs", date: "2019-05-04", total: "129.5",
            currency: "SEK",
            text: """
                           Kungens Livs
                       Storgatan 12, Uppsala
                        Org.nr 556123-4567
                          Tel 018-123456
                Kassa 2          Kvitto 45512
                2019-05-04 17:33
                Mjölk 1,5%             14,90
                Ost Herrgård           89,60
                Bröd                   25,00
                Totalt  SEK           129,50
                Varav moms 12%         13,88
                Kontokort             129,50
                Moms%  Moms   Netto   Brutto
                12,00  13,88  115,62  129,50
                     Tack för besöket
                      Välkommen åter
                """),
        Printed(
            testDescription: "Norway", merchant: "FJORD MAT", date: "2018-11-23", total: "243.8",
            currency: "NOK",
            text: """
                           FJORD MAT
                        Bryggen 7, Bergen
                     Org.nr. 987 654 321 MVA
                Salgskvittering 221    23.11.2018 16:05
                Kneippbrød                 32,90
                Laks 400g                 129,90
                Brunost                    81,00
                Sum varer                 243,80
                Totalt NOK                243,80
                BankAxept                 243,80
                MVA-grunnlag  MVA%   MVA    Totalt
                211,99        15%   31,81   243,80
                Herav MVA                  31,81
                   Takk for handelen
                """),
        Printed(
            testDescription: "Finland", merchant: "Kahvila Aalto", date: "2017-06-01", total: "14.3",
            currency: "EUR",
            text: """
                          Kahvila Aalto
                       Mannerheimintie 22
                         00100 Helsinki
                       Y-tunnus 1234567-8
                     Puh. 09 123 4567
                KUITTI 0231   1.6.2017 klo 12.44
                Kahvi               3,20
                Korvapuusti         4,10
                Lohikeitto          7,00
                YHTEENSÄ           14,30
                Pankkikortti       14,30
                ALV 14%  veroton 12,54  vero 1,76
                      Kiitos käynnistä!
                """),
        Printed(
            testDescription: "Switzerland", merchant: "MANUR", date: "2020-02-11", total: "38.45",
            currency: "CHF",
            text: """
                            MANUR
                      Bahnhofstrasse 20
                         3011 Bern
                   CHE-116.281.277 MWST
                11.02.2020  17:22  Kasse 12
                Brot                   4.20
                Käse Gruyère          14.25
                Wein Dôle             20.00
                Total CHF             38.45
                Total in Euro         36.10
                Maestro               38.45
                MWST 2.5%  18.45  0.45
                      Vielen Dank für Ihren Einkauf
                """),
        Printed(
            testDescription: "Switzerland, a restaurant", merchant: "Restaurant Sternen", date: "2019-07-26",
            total: "81.5",
            currency: "CHF",
            text: """
                      Restaurant Sternen
                       Dorfplatz 3
                       8001 Zürich
                Rechnung 4421     Tisch 12
                26.07.2019 21:14
                2 Tagesmenü   24.50   49.00
                1 Flasche Wein        32.50
                Netto                 75.67
                MWST 7.7%              5.83
                Bar-Total        CHF  81.50
                Total in Euro    EUR  77.62
                   Es bediente Sie Frau Keller
                """),
        Printed(
            testDescription: "France", merchant: "Boulangerie du Moulin", date: "2021-09-12", total: "12.6",
            currency: "EUR",
            text: """
                      Boulangerie du Moulin
                      4, rue de la Gare
                       69003 LYON
                      Tél 04 78 12 34 56
                     SIRET 123 456 789 00012
                Ticket n° 1209   12/09/2021 08:15
                2 Croissant        2,40
                1 Tarte pomme     10,20
                TOTAL TTC         12,60 €
                CB                12,60
                TVA 5,5%  11,94   0,66
                     Merci de votre visite
                """),
        Printed(
            testDescription: "Spain", merchant: "MERCADILLO S.A.", date: "2022-05-03", total: "23.41",
            currency: "EUR",
            text: """
                          MERCADILLO S.A.
                     C/ Valencia 5 46010 Valencia
                   TELEFONO: 963000000  A-46103834
                03/05/2022 19:20  OP: 1234
                FACTURA SIMPLIFICADA: 2345-012-123456
                1 PAN BARRA           0,60
                2 LECHE ENTERA  0,85  1,70
                1 JAMON SERRANO      21,11
                TOTAL (€)            23,41
                TARJETA BANCARIA     23,41
                IVA   BASE IMPONIBLE   CUOTA
                10%        21,28        2,13
                """),
        Printed(
            testDescription: "Japan", merchant: "SAKURA MART", date: "2023-04-11", total: "1280",
            currency: "JPY",
            text: """
                          SAKURA MART
                    Tokyo-to Shinjuku-ku 1-2-3
                       TEL 03-1234-5678
                2023/04/11 12:30   No.0123
                Onigiri              ¥150
                Bento                ¥680
                Green tea            ¥450
                TOTAL              ¥1,280
                CASH               ¥2,000
                CHANGE               ¥720
                """),
        Printed(
            testDescription: "Egypt", merchant: "Nile Grill", date: "2021-12-25", total: "202",
            currency: "EGP",
            text: """
                           Nile Grill
                   12 Tahrir St, Nasr City, Cairo
                        Tel: 0224012345
                Check: 1123     Table: 5
                Date 25/12/2021  20:11
                Koshary        2    40   80
                Kofta          1   122  122
                Total 202
                Thank you
                """),
        Printed(
            testDescription: "Ontario", merchant: "MAPLE FOODS", date: "2019-03-21", total: "53.56",
            currency: "CAD",
            text: """
                          MAPLE FOODS
                     650 Main St W Unit 3
                    Hamilton, ON L8P 1A1
                      (905) 555-1234
                HST # 123456789RT0001
                03/21/2019 5:12 PM
                CHICKEN BREAST      $21.40
                RICE 8KG            $26.00
                SUBTOTAL            $47.40
                HST 13%              $6.16
                TOTAL               $53 56
                MASTERCARD          $53.56
                   Thank you for shopping at Maple Foods
                """),
        Printed(
            testDescription: "Ontario, the year first", merchant: "NoPrice Store", date: "2026-02-11",
            total: "14.5",
            currency: "CAD",
            text: """
                        NoPrice Store
                      100 Elm Road
                      Toronto ON
                    GST/HST 88888 8888 RT0001
                26/02/11 18:20  REG 4
                APPLES               4.50
                BREAD               10.00
                TOTAL               14.50
                INTERAC             14.50
                """),
        Printed(
            testDescription: "Quebec", merchant: "Dépanneur du Coin", date: "2020-10-02", total: "11.5",
            currency: "CAD",
            text: """
                       Dépanneur du Coin
                      55 rue Ontario
                      Montréal QC H2X 1Y4
                TPS 123456789RT TVQ 1012345678
                2020-10-02 09:22
                Lait 2%            5,00
                Pain               5,00
                Sous-total        10,00
                TPS 5%             0,50
                TVQ 9,975%         1,00
                TOTAL             11,50
                Comptant          12,00
                Monnaie            0,50
                """),
        Printed(
            testDescription: "Czechia", merchant: "Potraviny U Lípy", date: "2022-08-19", total: "189",
            currency: "CZK",
            text: """
                       Potraviny U Lípy
                      Lipová 12, Brno
                     IČO: 12345678 DIČ: CZ12345678
                19.08.2022 10:11  Účtenka č. 2231
                Rohlík 10 ks           29,00
                Mléko 2 ks             50,00
                Sýr                   110,00
                Celkem Kč             189,00
                Hotově                200,00
                Vráceno                11,00
                DPH 15%  164,35  24,65
                     Děkujeme za nákup
                """),
        Printed(
            testDescription: "Romania", merchant: "SC COFETARIA DULCE SRL", date: "2023-02-20", total: "46.5",
            currency: "RON",
            text: """
                        SC COFETARIA DULCE SRL
                        Str. Republicii 12
                         Brasov, jud. Brasov
                       Cod fiscal: RO12345678
                1 BUC X 12,50           12,50 A
                Ecler
                2 BUC X 17,00           34,00 A
                Amandina
                TOTAL LEI               46,50
                TOTAL TVA A 9%           3,84
                CARD                    46,50
                BON FISCAL  20-02-2023 15:33
                """),
        Printed(
            testDescription: "Turkey", merchant: "GÜLER MARKET", date: "2021-06-30", total: "87.25",
            currency: "TRY",
            text: """
                        GÜLER MARKET
                  Atatürk Cad. No:12 Kadıköy
                       İSTANBUL
                   Kadıköy V.D. 1234567890
                TARİH: 30/06/2021  SAAT: 18:05
                FİŞ NO: 0045
                EKMEK %1            *4,00
                PEYNİR %8          *63,25
                SU %8              *20,00
                TOPKDV              *6,20
                TOPLAM             *87,25
                NAKİT             *100,00
                PARA ÜSTÜ          *12,75
                   TEŞEKKÜR EDERİZ
                """),
        Printed(
            testDescription: "Denmark", merchant: "Torvets Bageri", date: "2020-01-09", total: "76",
            currency: "DKK",
            text: """
                         Torvets Bageri
                       Torvet 3, 8600 Silkeborg
                        CVR 12345678
                Bon 3312    09-01-2020 07:55
                Rugbrød            32,00
                Kanelsnegl 2       44,00
                I alt DKK          76,00
                Heraf moms         15,20
                Dankort            76,00
                    Tak for besøget
                """),
        Printed(
            testDescription: "United States", merchant: "Alma's Kitchen", date: "2019-02-23", total: "48.53",
            currency: "USD",
            text: """
                       Welcome to Alma's Kitchen
                        GUEST CHECK
                #04 FEB.23'19   12:31PM
                Tbl 12   Server: Pat
                1 Enchiladas      25.98
                1 Coffee          18.34
                SUBTOTAL         $44.32
                TAX               $4.21
                TOTAL: $48.53 1
                PURCHASES UNDER $20.00 NO SIGNATURE
                   Thank you
                """),
        Printed(
            testDescription: "Brazil", merchant: "PADARIA SOL LTDA", date: "2019-08-08", total: "25.9",
            currency: "BRL",
            text: """
                      PADARIA SOL LTDA
                   Rua das Flores, 100 - Centro
                    CNPJ: 12.345.678/0001-90
                08/08/2019 07:45
                1 PAO FRANCES       5,90
                1 CAFE              20,00
                VALOR TOTAL R$      25,90
                Dinheiro            30,00
                Troco                4,10
                """),
        Printed(
            testDescription: "Hungary", merchant: "KISBOLT ABC", date: "2023-09-01", total: "2345",
            currency: "HUF",
            text: """
                         KISBOLT ABC
                      1052 Budapest, Váci u. 3
                      Adószám: 12345678-2-41
                          NYUGTA
                Kenyér              899 Ft
                Tej 2,8%            446 Ft
                Sajt              1 000 Ft
                ÖSSZESEN:         2 345 Ft
                BANKKÁRTYA        2 345 Ft
                2023.09.01. 12:12  NYUGTASZÁM: 0012/00034
                    Köszönjük a vásárlást
                """),
        Printed(
            testDescription: "Greece", merchant: "ΤΑΒΕΡΝΑ ΝΙΚΟΣ", date: "2022-07-15", total: "34.5",
            currency: "EUR",
            text: """
                        ΤΑΒΕΡΝΑ ΝΙΚΟΣ
                       Λεωφ. Συγγρού 10, Αθήνα
                       ΑΦΜ 123456789 ΔΟΥ Α
                     ΑΠΟΔΕΙΞΗ ΛΙΑΝΙΚΗΣ
                15/07/2022 21:30
                Χωριάτικη           8,50
                Παϊδάκια           26,00
                ΣΥΝΟΛΟ             34,50
                ΜΕΤΡΗΤΑ            40,00
                ΡΕΣΤΑ               5,50
                   ΕΥΧΑΡΙΣΤΟΥΜΕ
                """),
        Printed(
            testDescription: "Indonesia", merchant: "WARUNG BU TINI", date: "2022-03-05", total: "55000",
            currency: "IDR",
            text: """
                        WARUNG BU TINI
                    Jl. Sudirman No. 8 Bandung
                      Telp 022-1234567
                05-03-2022 12:40   Kasir: Ani
                Nasi Goreng   2 x 20.000   40.000
                Es Teh        3 x 5.000    15.000
                Total                      55.000
                Tunai                     100.000
                Kembali                    45.000
                     Terima kasih
                """),
    ]
}
