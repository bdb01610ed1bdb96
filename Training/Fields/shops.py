"""What shops of each country print: names, addresses, labels, numbers. All names are invented.

A label may hold {tax}, {rate}, {cur}. Roles are those of `draw.py`.
"""

import random
import string

CONSONANTS = "b bl br c d dr f fl g gr h j k kr l m n p pr r s sh st t tr v w z".split()
VOWELS = "a e i o u a e o ai ee oo ou".split()
ENDS = ["", "n", "r", "l", "s", "m", "t", "nd", "ck", "x", "ng", "rt"]
CHINESE = "AH BAN BOON CHAI CHEE CHENG CHIN CHONG CHUAN ENG FATT FOO GUAN HENG HIN HOCK HONG HOE HUAT JAYA KAH KEAT KEE KENG KIM KOK KONG LAI LEE LIAN LIM LONG MENG MING ONG POH SENG SIN SOON SWEE TECK THYE TIONG TONG WAH WAN WEI WENG YAP YEE YEN YIK YONG ZHEN".split()
MALAY = "ANGGERIK BAHAGIA BAYU BERLIAN BESTARI BINTANG BUNGA CAHAYA CEMPAKA DAHLIA DELIMA GEMILANG HIJAU INDAH IMPIAN JATI KENANGA KENARI KIARA MAJU MAKMUR MAWAR MELATI MELUR MERANTI MESRA MEWAH MUHIBBAH MURNI MUTIARA NILAM PANTAI PERMAI PERDANA PINANG PUTRA RAYA RIA SAUJANA SEJATI SENTOSA SEPAKAT SERI SETIA SINAR SURIA TANJUNG TERATAI TIMUR UTAMA WARISAN WAJA ZAMRUD".split()


def invented(rng, least=2, most=3):
    """A word of syllables, capitalised."""
    word = "".join(rng.choice(CONSONANTS) + rng.choice(VOWELS) for _ in range(rng.randint(least - 1, most - 1)))
    return (word + rng.choice(CONSONANTS) + rng.choice(VOWELS) + rng.choice(ENDS)).capitalize()


def digits(rng, count):
    return "".join(rng.choice(string.digits) for _ in range(count))


ADJECTIVES = {
    "en": "Golden Silver Green Blue Royal Happy Sunny Fresh Little Grand Old New Lucky Central Corner Harbour Maple Oak River Hill Urban Daily Prime Star Ocean Red Copper Iron Wild Honest".split(),
    "de": "Neue Alte Goldene Grüne Kleine Stadt Land Linden Berg See Sonnen Bio Frisch Rosen Eich Birken Nord Süd Post Markt".split(),
    "fr": "Le La Les Au Aux Petit Grand Vieux Belle Bon Chez".split(),
    "es": "El La Los Las Casa Nuevo Gran Bodegas Don Doña Hermanos San Santa".split(),
    "it": "Il La Lo Da Al Antica Nuova Vecchia Bella Fratelli Casa Dolce".split(),
    "pt": "O A Os Casa Novo Bela Quinta Irmãos Dom São Nova Grande".split(),
    "nl": "De Het Oude Nieuwe Gouden Groene Kleine Bij Oud Hollandse".split(),
}
NOUNS = {
    "en": "Lantern Basket Garden Table Leaf Bean Apple Bridge Anchor Crown Barn Kettle Spoon Wheel Tree Field Orchard Lion Fox Owl Bear Mill Acre Bloom Pantry Gate Tower Stone Spring".split(),
    "de": "Hof Garten Mühle Krone Adler Hirsch Löwe Stern Sonne Linde Brunnen Tor Brücke Turm Schmiede Hafen Anker Bär".split(),
    "fr": "Moulin Jardin Soleil Lion Coq Château Pont Fontaine Marché Tilleul Chêne Port Clocher Gourmet Panier".split(),
    "es": "Sol Luna Toro Fuente Olivo Mar Castillo Puerta Jardín Rincón Molino Patio Cielo Camino Huerta".split(),
    "it": "Sole Luna Mare Fontana Castello Giardino Ponte Leone Forno Torre Orto Cantina Stella Olivo Gatto".split(),
    "pt": "Sol Mar Ponte Castelo Jardim Fonte Galo Moinho Lua Rio Forno Torre Pomar Cais Monte".split(),
    "nl": "Molen Zon Leeuw Anker Tuin Brug Haven Kroon Hoek Boom Ster Toren Zwaan Vos Akker".split(),
}
TRADES = {
    "en": "Restaurant;Cafe;Coffee House;Bakery;Supermarket;Market;Hypermarket;Mart;Stores;Pharmacy;Hotel;Grill;Bistro;Hardware;Stationery & Books;Trading;Enterprise;Kitchen;Pizza;Garage;Service Station;Clinic;Electronics;Electrical Trading;Furniture;Fashion;Florist & Gifts;Toys;Motors;Foods;Seafood Restaurant;Deli;Diner;Tea House;Marketing;Industries;Books;Bookshop;Laundry;Taxi;Mini Market;Steak House;Tools;Outlet;Sports;Optical;Paints;Home Deco;Petrol;Parking;Cinemas;Gas;Liquors;Wines;Boutique;Noodle House;Chicken".split(";"),
    "ms": "RESTORAN;PERNIAGAAN;SYARIKAT;KEDAI BUKU;KEDAI MAKAN;PASARAYA;FARMASI;KLINIK;PASAR MINI;PERUSAHAAN;STESEN MINYAK;KEDAI RUNCIT;SYARIKAT PERNIAGAAN;KEDAI PAPAN;PUSAT BELI-BELAH".split(";"),
    "de": "Apotheke;Bäckerei;Konditorei;Metzgerei;Supermarkt;Gasthaus;Gasthof;Restaurant;Café;Hotel;Tankstelle;Drogerie;Baumarkt;Buchhandlung;Blumen;Friseur;Getränkemarkt;Imbiss;Brauhaus;Eisdiele;Möbelhaus;Autohaus;Parkhaus;Taxi;Biomarkt;Gartencenter;Schuhhaus;Elektro;Eisenwaren;Pizzeria;Optik;Reinigung".split(";"),
    "fr": "Restaurant;Brasserie;Boulangerie;Pâtisserie;Pharmacie;Hôtel;Café;Bar Tabac;Épicerie;Supermarché;Boucherie;Librairie;Papeterie;Garage;Station Service;Bistrot;Crêperie;Pizzeria;Fleuriste;Quincaillerie;Jardinerie;Bricolage;Taxi;Parking;Traiteur;Fromagerie".split(";"),
    "es": "Restaurante;Bar;Cafetería;Panadería;Supermercados;Farmacia;Hotel;Hostal;Ferretería;Librería;Papelería;Carnicería;Estación de Servicio;Taller;Zapatería;Floristería;Taberna;Mesón;Cervecería;Pizzería;Estanco;Bazar;Parking;Óptica".split(";"),
    "it": "Ristorante;Trattoria;Osteria;Bar;Caffè;Pizzeria;Panificio;Pasticceria;Gelateria;Farmacia;Supermercato;Albergo;Hotel;Ferramenta;Libreria;Cartoleria;Macelleria;Tabaccheria;Stazione di Servizio;Calzature;Enoteca;Alimentari;Parcheggio".split(";"),
    "pt": "Restaurante;Café;Pastelaria;Padaria;Supermercado;Farmácia;Hotel;Talho;Mercearia;Livraria;Papelaria;Ferragens;Oficina;Sapataria;Florista;Cervejaria;Tasca;Churrasqueira;Minimercado;Posto;Parque;Snack Bar".split(";"),
    "nl": "Restaurant;Café;Bakkerij;Slagerij;Supermarkt;Apotheek;Hotel;Bouwmarkt;Boekhandel;Bloemenhuis;Drogisterij;Tankstation;Eetcafé;Brasserie;Tuincentrum;Kaashandel;Slijterij;Pannenkoekenhuis;Lunchroom;Snackbar;Parkeergarage;Fietsen".split(";"),
}
GOODS = {
    "en": "MILK 1L;WHITE BREAD;RICE 5KG;EGGS 10S;COFFEE;TEA O ICE;CHICKEN RICE;FRIED NOODLE;BEEF BURGER;FISH & CHIPS;CARROT;TOMATO;PAINT BRUSH 2IN;SCREW M4 X 40;A4 PAPER 80GSM;BALL PEN BLUE;GLUE STICK;LED BULB 9W;BATTERY AA 4S;DIESEL;UNLEADED 95;PARACETAMOL 500MG;SHAMPOO 400ML;TOOTHPASTE;TOWEL;T-SHIRT L;ROOM 204;BREAKFAST;PARKING;TOTAL CARE MOUTHWASH;SERVICE KIT;CASHEW NUTS;BARBECUE SAUCE;ORANGE JUICE;MINERAL WATER;ICE CREAM;CHOC BAR;WIRE 2.5MM;PVC PIPE 20MM;DELIVERY;TABLE LAMP;CARD HOLDER;GIFT WRAP;DATE CAKE;TAXI FARE;LAUNDRY SHIRT".split(";"),
    "ms": "NASI LEMAK;MEE GORENG;TEH TARIK;KOPI O;ROTI CANAI;AYAM GORENG;IKAN BAKAR;SATAY 10;AIR MINERAL;GULA 1KG;BERAS 10KG;BEG GUNI;SIRAP BANDUNG;NASI GORENG KAMPUNG;MILO AIS".split(";"),
    "de": "Vollmilch 1L;Roggenbrot;Brötchen 4er;Butter 250g;Äpfel Elstar;Joghurt Natur;Pils 0,5l;Schnitzel m. Pommes;Kaffee Crema;Apfelschorle;Spaghetti;Zahnpasta;Schrauben 4x40;Holzleim;Glühbirne;Super E10;Diesel;Parkschein;Einzelzimmer;Frühstück;Ibuprofen 400;Rosen;Pfand;Käse jung;Leberkäse;Mineralwasser;Buch;Batterien AA;Waschmittel;Gesamtausgabe Band 2;Kartoffeln".split(";"),
    "fr": "Baguette;Croissant;Lait demi-écrémé;Beurre doux;Plat du jour;Menu midi;Café crème;Vin rouge 25cl;Salade;Steak frites;Tomates;Pommes;Fromage;Eau minérale;Yaourt nature;Piles AA;Stylo;Cahier;Sans plomb 95;Gazole;Chambre double;Petit déjeuner;Doliprane;Savon;Bouquet;Vis 4x40;Peinture;Stationnement;Total nettoyant".split(";"),
    "es": "Leche entera;Pan de molde;Café con leche;Caña;Menú del día;Tortilla;Croquetas;Ensalada mixta;Agua mineral;Manzanas;Tomates;Queso curado;Jamón serrano;Aceite oliva 1L;Arroz;Yogur;Gasolina 95;Gasóleo A;Habitación doble;Desayuno;Pilas AA;Bolígrafo;Cuaderno;Champú;Tornillos;Pintura;Flores;Aparcamiento;Bolsa".split(";"),
    "it": "Caffè;Cappuccino;Cornetto;Pizza margherita;Spaghetti;Insalata mista;Acqua naturale;Vino rosso 1/4;Pane;Latte intero;Prosciutto crudo;Parmigiano;Pomodori;Mele;Yogurt;Biscotti;Benzina;Gasolio;Camera doppia;Colazione;Pile AA;Penna;Quaderno;Shampoo;Viti;Vernice;Fiori;Sosta;Reparto 1;Borsa".split(";"),
    "pt": "Café;Bica;Pastel de nata;Pão;Leite meio gordo;Bitoque;Bacalhau à brás;Sopa;Imperial;Água 1,5L;Maçãs;Tomate;Queijo fresco;Fiambre;Arroz;Iogurte;Gasolina 95;Gasóleo;Quarto duplo;Pequeno almoço;Pilhas AA;Caneta;Caderno;Champô;Parafusos;Tinta;Flores;Estacionamento;Saco".split(";"),
    "nl": "Volle melk;Volkorenbrood;Kaas jong belegen;Koffie;Cappuccino;Tosti ham kaas;Appeltaart;Biertje;Kroket;Frites groot;Appels;Tomaten;Yoghurt;Hagelslag;Stroopwafels;Euro 95;Diesel;Kamer;Ontbijt;Batterijen AA;Pen;Schrift;Shampoo;Schroeven;Verf;Rozen;Parkeren;Tas;Totaalreiniger".split(";"),
}

LABELS = {
    "en": {
        "subtotal": "SUBTOTAL;SUB TOTAL;Sub-Total;SUB TOTAL (EX);TOTAL (EXCLUDING {tax});TOTAL SALES (EXCLUDING {tax});Subtotal before tax;TOTAL EXCL. {rate}% {tax};(EXCLUDED {tax}) SUB TOTAL;SUB-TOTAL;Taxable Amount;Net Amount;Goods Total;Gross Amount;Sub Total (Excl. {tax})",
        "sum": "TOTAL INCL. {tax};TOTAL SALES INCL {tax};TOTAL AMT;TOTAL AMT INCL. {tax} @ {rate}%;TOTAL ({cur}) INCL. OF {tax};TOTAL (INCLUSIVE OF {tax});Total Sales (Inclusive {tax});BILL TOTAL;TOTAL;TOTAL {cur} INCLUDING {tax} {rate}%;TOTAL AMOUNT",
        "total": "TOTAL;Total;TOTAL;GRAND TOTAL;Total Due;AMOUNT DUE;BALANCE DUE;NET TOTAL;Nett Total;TOTAL AMOUNT;TOTAL PAYABLE;TOTAL AMT PAYABLE;TOTAL ROUNDED;TOTAL AFTER ADJ INCL {tax};TOTAL INCL. {tax}@{rate}%;TOTAL ({cur});TOTAL (INCL.{tax});TOTAL INCLUSIVE {tax};TOTAL SALES (INCLUSIVE OF {tax});AMT DUE;Total Due ({tax} INC);Total to pay;NET AMOUNT PAYABLE;Balance to pay;Total (inc. {tax});TotalAmtRounded;ROUNDED TOTAL;Total Sales;Total Inclusive of Tax;TOTAL {cur};Amount Payable;Bill Amount;NET PAYABLE;Invoice Total;TOTAL INCL OF {tax};Total Bill;Fare Total;TOTAL SALE",
        "tax": "{tax} {rate}%;TAX;{tax} @ {rate}%;TOTAL {tax};TOTAL TAX;Sales Tax;{tax};{tax} PAYABLE;Tax {rate}%;TAX {rate}%;ADD {tax} {rate}%;{tax} ({rate}%);State Tax;Incl. {tax}",
        "discount": "DISCOUNT;Disc;LESS DISCOUNT;Member Discount;DISCOUNT 10%;Promo;COUPON;BILL DISC;Less: Discount;@DISC 10.00%;Saver offer",
        "service": "SERVICE CHARGE 10%;SERV CHARGE 10%;Svc Chg;SERV. CHARGE (10%);Service Charge;Service charge 12.5%;SVC CHG 10%",
        "rounding": "ROUNDING;ROUNDING ADJ;ROUNDING ADJUSTMENT;Round;Rounding Adj.;ROUND OFF;Rounding;Bill rounding",
        "tip": "TIP;Gratuity;Tip;TIPS;Gratuity 18%",
        "cash": "CASH;Cash;CASH TENDERED;PAID AMOUNT;CASH RECEIVED;Cash Paid;PAYMENT;TENDERED;CASH {cur};Amount Tendered",
        "card": "VISA;MASTERCARD;MASTER;CREDIT CARD;Debit Card;VISA DEBIT;AMEX;CARD;EFTPOS;Contactless;Card Payment;MasterCard;VISA CARD;UPI;NETS;Mastercard Debit",
        "change": "CHANGE;Change;CHANGE DUE;CASH CHANGE;CHANGE AMT;Change given;CHANGE {cur}",
        "count": "TOTAL QTY;ITEM COUNT;TOTAL ITEMS;ITEM(S);Items sold;TOT QTY;NO. OF ITEMS;TOTAL ITEM(S);TOTAL QUANTITY;Total Qty Tender",
        "points": "POINTS;You saved;TOTAL SAVINGS;Points earned;Loyalty points;REWARD BALANCE;TOTAL ITEM DISCOUNT",
        "tax_head": "{tax} SUMMARY   AMOUNT   TAX;TAX CODE  %  AMOUNT  {tax};{tax} Analysis;SUMMARY  Rate  Net  {tax};{tax} SUMMARY   AMOUNT({cur})   TAX({cur});TAX RATE   SALE   TAX;Rate  Goods  {tax}",
        "tax_row": "SR;S;SR @ {rate}%;T @ {rate}%;A {rate}%;S = {rate}%;{tax} S@{rate}%;SR ({rate}%);{rate}%;V {rate}.00%;S:{tax}({rate}%)",
        "tax_total": "TOTAL;Total;TOTAL :;Sum",
        "tax_incl": "{tax} @{rate}% INCLUDED IN TOTAL;TOTAL INCLUDES {rate}% {tax};(BILL INCLUSIVE OF {rate}% {tax});Includes {tax} of;{tax} included;Total {tax} included;AMT. EXCL. {tax};{tax} {rate}% incl.",
        "title": "TAX INVOICE;RECEIPT;SIMPLIFIED TAX INVOICE;INVOICE;Cash Receipt;-TAX INVOICE-;CASH BILL;SALES RECEIPT;Cash Sales;OFFICIAL RECEIPT;VAT RECEIPT;GUEST CHECK;Retail Invoice;BILL;Bill of Supply;CASH;*** COPY ***",
        "number": "RECEIPT NO;INVOICE NO;BILL NO;Receipt #;INV NO.;DOC NO;SLIP NO.;TRANS;CHK;ORDER #;Transaction No;RECEIPT #;Ticket;Check;Invoice Number",
        "date": "DATE;Date;;;DATE & TIME;Date/Time;Invoice Date;Dated;DD",
        "staff": "CASHIER;Cashier;Served by;SERVER;SALESPERSON;OPERATOR;Clerk;STAFF;USER;Your server;Waiter;Attendant",
        "place": "TABLE;TILL;TERMINAL;POS NO;STORE;REG;Lane;COUNTER;PUMP;PAX;Guests;ROOM",
        "phone": "TEL;Tel;PHONE;Tel No;Ph;TEL.;TEL/FAX;Phone;HOTLINE;Contact No;T",
        "fax": "FAX;Fax",
        "customer": "BILL TO;SOLD TO;CUSTOMER;Invoice to;Ship to;Deliver to;M/S",
        "columns": "DESCRIPTION AMOUNT;ITEM QTY PRICE AMOUNT;QTY ITEM TOTAL;DESC/ITEM QTY PRICE AMT({cur});ITEM  QTY  U.PRICE  TOTAL;QTY DESCRIPTION AMOUNT;CODE DESC QTY AMT;Item Price;NO. DESCRIPTION UOM;ITEM QTY RSP AMOUNT;Qty Particulars Rate Amount;Description Qty Price Amount",
        "closing": "THANK YOU;THANK YOU. PLEASE COME AGAIN;Thank you for shopping with us;GOODS SOLD ARE NOT RETURNABLE;Exchange within 7 days with receipt;STRICTLY NO CASH REFUND;Please retain this receipt;Have a nice day;KEEP THE INVOICE FOR APPLICABLE RETURNS;FOR ANY ENQUIRY, PLEASE CONTACT US;Follow us on facebook;WIFI PASSWORD : HELLO2U;Powered by WWW.NOVAPOS.COM;E.&.O.E.;CUSTOMER COPY;SHOPPING HOURS;SUN-THU:1000 HRS - 2200 HRS;Tell us how we did and win $500;BE A MEMBER AND ENJOY SPECIAL DISCOUNTS;This is a computer generated invoice;No signature required;RECEIVED ABOVE GOODS IN GOOD ORDER CONDITION;Terms and conditions apply;Item marked with * is taxable;A MEAL FOR YOU & 10 FRIENDS",
        "alias": "FORMERLY KNOWN AS;LICENSEE OF {other};A member of {other} Group;Owned by {other};(Franchisee);Operated by {other};Trading as {other}",
        "slip": "APPROVAL CODE {n6};AID: A0000000031010;TID {n8};MID {n10};**** **** **** {n4};XXXXXXXXXXXX{n4};BATCH {n6} TRACE {n6};Auth Code: {n6};Card No: ************{n4};ENTRY: CHIP;APPROVED;CONTACTLESS;REF NO {n12};Verified by PIN;- ************{n4}",
    },
    "de": {
        "subtotal": "Zwischensumme;Netto;Nettobetrag;Summe netto;Warenwert netto;Zw.-Summe;Total exkl. MWST",
        "sum": "Zwischensumme;Summe;Zwischentotal;Rechnungssumme",
        "total": "SUMME;Summe;Gesamtbetrag;Total;GESAMT;Zu zahlen;Summe EUR;SUMME EUR;Endbetrag;Rechnungsbetrag;Zahlbetrag;Total CHF;Betrag;Gesamtsumme;Gesamt brutto;Bruttobetrag;Gesamtbetrag inkl. MwSt;TOTAL;Total EUR;Zu zahlender Betrag;SUMME [EUR];Betrag EUR;Gesamt EUR",
        "tax": "MwSt {rate}%;+ {rate}% MwSt;zzgl. {rate}% MwSt;USt {rate}%;inkl. {rate}% MwSt;MwSt;Enthaltene MwSt {rate}%;davon MwSt {rate}%;MWST {rate}%;19% USt",
        "discount": "Rabatt;Rabatt 10%;Nachlass;Preisvorteil;Coupon;Aktionsrabatt;Abzug",
        "service": "Bedienung;Servicegebühr", "rounding": "Rundung;Rundungsdifferenz", "tip": "Trinkgeld;Tip",
        "cash": "BAR;Gegeben;Bar;Geg. BAR;Bargeld;Gegeben Bar;Barzahlung;Bar EUR;Geg. EUR",
        "card": "girocard;EC-Karte;Kartenzahlung;Geg. Girocard;VISA;Mastercard;Maestro;Kreditkarte;Bankomat;TWINT;EC-Cash;Karte;Geg. EC-Cash;Geg. VISA",
        "change": "Rückgeld;Wechselgeld;Zurück;Rückgeld BAR;Rückgeld EUR;Retour",
        "count": "Anzahl Artikel;Posten;Artikel;Anzahl Posten;Stück", "points": "Punkte;Sie sparen;PAYBACK Punkte;Ersparnis",
        "tax_head": "Steuer %  Netto  Steuer  Brutto;MwSt  Netto  Brutto;Satz  Netto  MwSt  Brutto;MWST-Satz  Betrag  MWST;Steuersatz Netto MwSt Brutto",
        "tax_row": "A= {rate}%;B {rate}%;A {rate},0%;{rate}%;MwSt {rate}%;1 = {rate},00%;{rate},00%;MWST {rate}%",
        "tax_total": "Gesamtbetrag;Summe;Gesamt", "tax_incl": "inkl. MwSt {rate}%;darin enthaltene MwSt;enth. MwSt {rate}%;davon MwSt {rate}%",
        "title": "RECHNUNG;Kassenbon;Quittung;Kassenbeleg;Beleg;Rechnung;Barverkauf;Bewirtungsbeleg;Kundenbeleg",
        "number": "Beleg-Nr.;Bon-Nr.;Rechnungs-Nr.;Rechnung Nr.;BNR;Beleg;Bonnummer;Rechnungsnummer;TA-Nr;Vorgang;Bon",
        "date": "Datum;;;Rechnungsdatum;Belegdatum;Datum/Zeit", "staff": "Bediener;Es bediente Sie;Kassierer;Bed.;Kellner;Verkäufer;Mitarbeiter",
        "place": "Kasse;Tisch;Filiale;Markt;Kassen-Nr.;Zapfsäule;Tisch Nr.;Zimmer", "phone": "Tel.;Telefon;Tel;Fon;T", "fax": "Fax;Telefax",
        "customer": "Rechnung an;Kunde;Rechnungsanschrift;Herrn;Firma", "columns": "Menge Bezeichnung Preis;Artikel Anz. Preis EUR;EUR;Pos Bezeichnung Menge Preis Gesamt;Anz. Artikel Betrag;CHF;Menge Artikel E-Preis Gesamt",
        "closing": "Vielen Dank für Ihren Einkauf;Auf Wiedersehen;Es bediente Sie unser Team;Umtausch nur gegen Vorlage des Kassenbons;Bitte aufbewahren;Wir freuen uns auf Ihren Besuch;Vielen Dank und bis bald;Öffnungszeiten Mo-Sa 8:00-20:00;Kopie für Kunden;Danke;Einen schönen Tag;Besuchen Sie uns im Internet;TSE-Signatur: aGk3hs8Kz1;Seriennummer: 8f2c91;Guten Appetit!;Umtausch innerhalb von 14 Tagen",
        "alias": "Inh. {other};Ein Unternehmen der {other} Gruppe;Inhaber {other};vormals {other}",
        "slip": "Terminal-ID {n8};TA-Nr. {n6};Genehmigungs-Nr. {n6};Kartennr. ###############{n4};VU-Nr. {n10};Kontaktlos;AS-Zeit 12.03. 14:22;Zahlung erfolgt;EMV-AID A0000000043060;Karte ************{n4};* * Kundenbeleg * *;Trace-Nr. {n6}",
    },
    "fr": {
        "subtotal": "Sous-total;Total HT;S/Total;Montant HT;Net HT;SOUS TOTAL", "sum": "Sous-total;TOTAL;Total;SOUS-TOTAL",
        "total": "TOTAL;Total TTC;Net à payer;TOTAL TTC;A PAYER;Total à payer;TOTAL EUR;Montant TTC;MONTANT TOTAL;Total;TOTAL A PAYER;MONTANT DU;Total facture;TOTAL DU;Montant à payer;Total général;TOTAL €",
        "tax": "TVA {rate}%;TVA;dont TVA {rate}%;Total TVA;TVA ({rate}%);Montant TVA;TVA {rate},00 %;dont TVA", "discount": "Remise;REMISE 10%;Réduction;Promo;Bon de réduction;Remise immédiate;Avantage carte",
        "service": "Service;Frais de service", "rounding": "Arrondi", "tip": "Pourboire",
        "cash": "ESPECES;Espèces;Reçu;Espèces reçues;ESPECES EUR;Paiement espèces;Règlement espèces", "card": "CB;Carte bancaire;CARTE BANCAIRE;CB SANS CONTACT;VISA;Bancontact;CB EMV;Carte;Paiement CB;Règlement CB;MASTERCARD",
        "change": "Rendu;Monnaie;RENDU MONNAIE;A rendre;Rendu monnaie;Monnaie rendue", "count": "Nombre d'articles;Nb articles;ARTICLES;Nbre article(s);Nb lignes", "points": "Points fidélité;Vous avez économisé;Cagnotte;Points gagnés",
        "tax_head": "Taux  HT  TVA  TTC;Code  Taux  TVA  TTC;TVA  Base HT  Montant;Détail TVA;Taux TVA Base HT TVA TTC", "tax_row": "{rate}%;TVA {rate}%;A {rate},00%;1 {rate}%;T{rate}%;{rate},0 %",
        "tax_total": "Total;TOTAL", "tax_incl": "dont TVA {rate}%;TVA incluse;dont T.V.A.;TVA {rate}% incluse",
        "title": "FACTURE;TICKET;Ticket de caisse;REÇU;Facture;NOTE;DUPLICATA;Addition;Justificatif de paiement", "number": "Ticket n°;Facture N°;No ticket;Ticket;N° de ticket;Note n°;Facture;Trans;Numéro;Bon n°",
        "date": "Date;Le;;;DATE;Date facture;Du", "staff": "Caissier;Servi par;Serveur;Vendeur;Caissière;Hôte;Vous avez été servi par;Op", "place": "Caisse;Table;Magasin;Couverts;Poste;Terminal;Chambre;Pompe",
        "phone": "Tél;Tel;Tél.;Téléphone;TEL", "fax": "Fax", "customer": "Client;Facturé à;Adresse de facturation;Destinataire",
        "columns": "Qté Désignation Montant;Article Qté PU Montant;Libellé Prix;QTE DESIGNATION P.U. TOTAL;EUR;Désignation Qté Prix Total;DESCRIPTION QTE MONTANT",
        "closing": "Merci de votre visite;A bientôt;MERCI ET A BIENTOT;Bonne journée;Ticket à conserver;Ni repris ni échangé;Echange sous 30 jours avec ticket;Horaires : 9h-19h;Retrouvez-nous sur internet;Merci de votre fidélité;Au revoir et à bientôt;Conditions générales en magasin;TICKET CLIENT;Votre avis nous intéresse",
        "alias": "Enseigne {other};Exploité par {other};Gérant {other}", "slip": "CARTE BANCAIRE;A0000000421010;No Autorisation {n6};************{n4};Carte No XXXXXXXXXXXX{n4};Contrat {n8};DEBIT;Commerçant {n8};Paiement accepté;SIGNATURE",
    },
    "es": {
        "subtotal": "Subtotal;BASE IMPONIBLE;Base imponible;SUBTOTAL;Neto;Suma;Sub Total;Base Imp.", "sum": "Subtotal;SUMA;Total;Subtotal",
        "total": "TOTAL;Total a pagar;TOTAL EUR;Importe total;Total Factura;TOTAL A PAGAR;TOTAL (€);Total compra;A pagar;Total;IMPORTE;Total €;TOTAL EUROS;Total IVA incluido;TOTAL (IVA INCLUIDO);Importe;TOTAL TICKET",
        "tax": "IVA {rate}%;IVA;I.V.A. {rate}%;Cuota IVA;IVA {rate},00%;{rate}% IVA;Impuestos;Cuota", "discount": "Descuento;DTO. 10%;Dto;Promoción;Oferta;Cupón;Descuento socio",
        "service": "Servicio;Cubierto;Suplemento terraza", "rounding": "Redondeo", "tip": "Propina",
        "cash": "EFECTIVO;Entregado;Efectivo;Entrega;Recibido;METALICO;Su entrega;Entregado efectivo", "card": "TARJETA;Tarjeta;Tarjeta crédito;VISA;TARJETA BANCARIA;MASTERCARD;Tarj. débito;Pago con tarjeta;BIZUM",
        "change": "CAMBIO;Cambio;Su cambio;Devolución;Vuelto;A devolver", "count": "Artículos;Num. artículos;TOTAL ARTICULOS;Unidades;Nº artículos;Líneas", "points": "Puntos;Ha ahorrado;Saldo puntos;Ahorro total",
        "tax_head": "TIPO  BASE  CUOTA;IVA  BASE IMPONIBLE  CUOTA;% IVA  Base  Cuota  Total;Desglose IVA;IVA BASE IMPONIBLE (€) CUOTA (€)", "tax_row": "{rate}%;IVA {rate}%;{rate},00%;A {rate}%;{rate},00",
        "tax_total": "TOTAL;Total", "tax_incl": "IVA incluido;IVA {rate}% incluido;Incluye IVA;IVA INCL.",
        "title": "FACTURA SIMPLIFICADA;TICKET;Factura;RECIBO;Fra. Simplificada;FACTURA;NOTA;COPIA", "number": "Factura Nº;Ticket nº;Nº Factura;Num. Ticket;N. Ticket;OP;Operación;Fra. Simplificada;Factura simplificada;Folio;Doc",
        "date": "Fecha;;;FECHA;Fecha emisión;Fecha/Hora", "staff": "Le atendió;Cajero;Camarero;Vendedor;Atendido por;Dependiente;Empleado;Usuario", "place": "Mesa;Caja;Tienda;Comensales;Terminal;Surtidor;Sala;Habitación",
        "phone": "Tel;Tel.;Teléfono;Tfno;Tlf;Telf.;TELEFONO", "fax": "Fax", "customer": "Cliente;Datos del cliente;Facturar a;Razón social",
        "columns": "Cant. Descripción Importe;UDS DESCRIPCION PVP IMPORTE;Descripción P. Unit Importe;Artículo Uds. Precio Total;CANT CONCEPTO PRECIO IMPORTE;Ud Producto Importe;EUR",
        "closing": "GRACIAS POR SU VISITA;Gracias por su compra;Vuelva pronto;Conserve su ticket;No se admiten devoluciones sin ticket;Horario: L-S 9:00-21:00;Le esperamos;IVA INCLUIDO;Plazo de devolución 30 días;Muchas gracias;Copia para el cliente;Síguenos en redes;Imprescindible ticket para cambios",
        "alias": "Titular {other};Franquiciado {other};Gestionado por {other}", "slip": "Autorización {n6};************{n4};Comercio {n8};AID: A0000000032010;Operación aceptada;VENTA;Nº tarjeta ****{n4};Contactless;Titular: {n4}",
    },
    "it": {
        "subtotal": "SUBTOTALE;Subtotale;Imponibile;Totale imponibile;SUB TOTALE", "sum": "SUBTOTALE;Subtotale;Totale",
        "total": "TOTALE;TOTALE COMPLESSIVO;Totale EURO;TOTALE EURO;Totale;Totale complessivo;DA PAGARE;TOTALE EUR;Totale da pagare;TOTALE €;Importo da pagare;Totale documento;Totale fattura;Importo totale",
        "tax": "di cui IVA;IVA {rate}%;DI CUI IVA;IVA;Totale IVA;Imposta;IVA {rate},00%;Tassa di soggiorno", "discount": "SCONTO;Sconto;SCONTO 10%;Buono sconto;Sconto fidelity;Promozione;Abbuono",
        "service": "Coperto;COPERTI;Servizio 10%", "rounding": "Arrotondamento", "tip": "Mancia",
        "cash": "CONTANTI;Contante;Pagamento contante;PAGAMENTO CONTANTE;Contanti;Importo pagato", "card": "Pagamento elettronico;PAGAMENTO ELETTRONICO;BANCOMAT;Carta di credito;CARTE;ELETTRONICO;POS;Carta credito;VISA;PagoBancomat",
        "change": "RESTO;Resto;Resto contanti;RESTO CONTANTI", "count": "N. articoli;PEZZI;Articoli;NUMERO ARTICOLI;N.PEZZI", "points": "Saldo punti;Hai risparmiato;Punti;Totale punti",
        "tax_head": "ALIQUOTA  IMPONIBILE  IMPOSTA;Riepilogo IVA;Cod. IVA  Imponibile  Imposta;IVA  Imponibile  Imposta", "tax_row": "{rate}%;IVA {rate}%;A {rate},00%;{rate},00%;{rate},00",
        "tax_total": "Totale;TOTALE", "tax_incl": "di cui IVA;di cui IVA {rate}%;IVA inclusa", "title": "DOCUMENTO COMMERCIALE;Scontrino fiscale;RICEVUTA;FATTURA;Ricevuta fiscale;di vendita o prestazione;PRECONTO;Conto",
        "number": "DOCUMENTO N.;Documento N;Scontrino n.;Doc. N.;Ricevuta n.;Fattura N.;DOC.;SCONTRINO;RT", "date": "Data;;;del;DATA;Data documento", "staff": "Operatore;Cassiere;Op.;Cameriere;Servito da;Addetto;OP",
        "place": "Cassa;TAVOLO;Tavolo;Negozio;Coperti;Pompa;Camera;Cassa n.", "phone": "Tel;Tel.;TEL.;Telefono;T", "fax": "Fax", "customer": "Cliente;Spett.le;Intestato a;Destinatario",
        "columns": "DESCRIZIONE IVA Prezzo(€);Descrizione Qtà Prezzo;QTA DESCRIZIONE IMPORTO;DESCRIZIONE PREZZO;EURO;Articolo Q.tà Importo;DESCRIZIONE IVA PREZZO",
        "closing": "GRAZIE E ARRIVEDERCI;Grazie per la visita;Arrivederci;Buona giornata;Conservare lo scontrino;Cambio merce entro 30 giorni;Vi aspettiamo;NON FISCALE;Grazie per averci scelto;Copia cliente;Seguici su facebook;Orario 8:30-19:30;Codice lotteria",
        "alias": "Gestito da {other};di {other};Titolare {other}", "slip": "Autorizzazione {n6};************{n4};Esercente {n8};TML {n8};A.I.D. A0000000041010;TRANSAZIONE ESEGUITA;ACQUISTO;STAN {n6};PAN XXXXXXXXXXXX{n4}",
    },
    "pt": {
        "subtotal": "Subtotal;Total Ilíquido;SUBTOTAL;Incidência;Total s/ IVA;Valor líquido", "sum": "Subtotal;SUBTOTAL;Total",
        "total": "TOTAL;Total a Pagar;TOTAL A PAGAR;TOTAL EUR;Valor Total R$;Total;TOTAL R$;VALOR A PAGAR;Total c/ IVA;Total Documento;VALOR TOTAL;Total (EUR);A PAGAR;Total Geral;TOTAL €",
        "tax": "IVA {rate}%;Total IVA;IVA;Imposto;Valor IVA;IVA ({rate}%);ICMS", "discount": "Desconto;DESCONTO;Promoção;Desconto 10%;Cupão;Desconto imediato;Descontos", "service": "Taxa de serviço;Couvert;Serviço 10%",
        "rounding": "Arredondamento", "tip": "Gorjeta;Gratificação", "cash": "Dinheiro;NUMERARIO;Entregue;DINHEIRO;Valor entregue;Numerário;Valor Pago", "card": "Multibanco;MULTIBANCO;Cartão Crédito;MB WAY;Cartão de Débito;CARTAO;VISA;Cartão;PIX;MBWAY",
        "change": "TROCO;Troco;Troco R$", "count": "Total artigos;Nº artigos;QTD. TOTAL DE ITENS;Artigos;Qtd total;Itens", "points": "Poupou;Pontos;Saldo cartão;Poupança",
        "tax_head": "TAXA  INCID.  IVA;%IVA  Total Líq.  IVA  Total;Taxa  Base  IVA  Total;Resumo do IVA;Taxa IVA Incidência Valor IVA", "tax_row": "{rate}%;IVA {rate}%;{rate},00%;A {rate}%;(B) {rate}%",
        "tax_total": "Total;TOTAL", "tax_incl": "IVA incluído;IVA incluído à taxa de {rate}%;inclui IVA {rate}%;Tributos totais incidentes", "title": "FATURA SIMPLIFICADA;Fatura-Recibo;Talão;FATURA;Recibo;CUPOM FISCAL;Consulta de Mesa;2ª via;Fatura/Recibo;DANFE NFC-e",
        "number": "Fatura nº;FS;Fatura Simplificada;Doc. nº;Talão n.;Fatura/Recibo;Recibo nº;FT;NFC-e nº;Venda", "date": "Data;;;Data de emissão;DATA;Data/Hora;Emitido em", "staff": "Operador;Empregado;Atendido por;Vendedor;Func.;Caixeiro;Op;Colaborador",
        "place": "Mesa;Caixa;Loja;POS;Terminal;Bomba;Quarto;Pessoas", "phone": "Tel;Tel.;Telefone;Telef.;Tlm;TEL", "fax": "Fax", "customer": "Cliente;Exmo(s). Sr(s).;Consumidor final;Nome",
        "columns": "Descrição Qtd Preço Total;ARTIGO QTD P.UNIT VALOR;Qtd Descrição Valor;Descrição IVA Valor;Artigo Preço;EUR;COD DESCRICAO QTD UN VL UNIT VL TOTAL",
        "closing": "Obrigado pela sua visita;Volte sempre;OBRIGADO E VOLTE SEMPRE;Obrigado pela preferência;Conserve este talão;Processado por programa certificado nº 1234/AT;Trocas até 30 dias com talão;Horário: 8h-20h;IVA incluído;Bom apetite;Documento emitido por computador;Via cliente;Os bens foram colocados à disposição do cliente",
        "alias": "Explorado por {other};Gerido por {other}", "slip": "AUT: {n6};************{n4};AID A0000000031010;COMPRA;PERIODO {n4};Ident. TPA {n8};TRANSAÇÃO APROVADA;NSU {n8}",
    },
    "nl": {
        "subtotal": "Subtotaal;SUBTOTAAL;Totaal excl. BTW;Netto;Totaal ex BTW", "sum": "Subtotaal;SUBTOTAAL;Totaal",
        "total": "TOTAAL;Totaal;Te betalen;Totaal incl. BTW;TOTAAL EUR;TE BETALEN;Totaalbedrag;Totaal te betalen;Totaal EUR;TOTAAL TE BETALEN;Te voldoen;Bedrag;Totaal €;Eindtotaal;Factuurbedrag",
        "tax": "BTW {rate}%;BTW;BTW hoog;{rate}% BTW;Totaal BTW;BTW laag {rate}%;waarvan BTW", "discount": "Korting;Bonus;Actie korting;Uw voordeel;Korting 10%;Kortingsbon", "service": "Servicekosten;Bediening",
        "rounding": "Afronding;Afgerond", "tip": "Fooi", "cash": "CONTANT;Contant;Ontvangen;Cash;Betaald contant;Gegeven", "card": "PIN;Pin;Bancontact;Betaald met PIN;Maestro;V PAY;PINNEN;Creditcard;Betaalpas;Bankpas;VISA;Pinbetaling",
        "change": "Wisselgeld;Terug;WISSELGELD;Retour;Terug contant", "count": "Aantal artikelen;Aantal;ARTIKELEN;Stuks;Totaal aantal", "points": "Punten;U bespaart;Koopzegels;Bonuspunten;Spaarzegels",
        "tax_head": "BTW  OVER  EUR;BTW%  Netto  BTW  Bruto;BTW  Grondslag  Bedrag;Tarief Excl. BTW Incl.;BTW overzicht", "tax_row": "{rate}%;BTW {rate}%;A {rate}%;{rate},00%;Hoog {rate}%;Laag {rate}%",
        "tax_total": "TOTAAL;Totaal", "tax_incl": "incl. BTW {rate}%;waarvan BTW;BTW inbegrepen", "title": "KASSABON;Bon;FACTUUR;Kasticket;Rekening;Kassabon;Kwitantie;BTW-bon",
        "number": "Bonnr;Bon nr.;Transactie;Factuurnr.;Kassabon;Ticket;Bonnummer;Factuur;Ticketnr;Nota", "date": "Datum;;;Factuurdatum;DATUM;Datum/tijd", "staff": "Medewerker;U bent geholpen door;Kassier;Bediend door;Verkoper;Ober;Kassa/medewerker",
        "place": "Kassa;Tafel;Filiaal;Terminal;Winkel;Kamer;Pomp;Couverts", "phone": "Tel;Tel.;Telefoon;T;TEL", "fax": "Fax", "customer": "Klant;Factuuradres;T.a.v.;Afleveradres",
        "columns": "Aantal Omschrijving Bedrag;AANTAL OMSCHRIJVING PRIJS BEDRAG;Omschrijving Prijs;Artikel Aantal Prijs Totaal;EUR;AANT ARTIKEL EUR",
        "closing": "Bedankt voor uw bezoek;Tot ziens;BEDANKT EN TOT ZIENS;Dank u wel;Ruilen binnen 14 dagen met bon;Bewaar deze bon;Graag tot ziens;Fijne dag;Openingstijden ma-za 9-18;Eet smakelijk;Kopie kaarthouder;Volg ons op facebook;Retourneren binnen 30 dagen",
        "alias": "Onderdeel van {other};h.o.d.n. {other};voorheen {other}", "slip": "Autorisatiecode {n6};Kaart xxxxxxxxxxxx{n4};Terminal {n6};Merchant {n6};Periode {n4};AKKOORD;Transactie {n8};Leesmethode CHIP;Kaartserienummer 1;AID: A0000000041010",
    },
}
LABELS = {language: {role: text.split(";") for role, text in roles.items()} for language, roles in LABELS.items()}


class Country:
    """How one country prints."""

    def __init__(self, code, languages, sign, mark, tax, rates, on_top, dates, legal, registration, tax_number, street, town, phone, weight=1.0):
        self.code, self.languages, self.sign, self.mark, self.tax, self.rates = code, languages, sign, mark, tax, rates
        self.on_top, self.dates, self.legal, self.registration, self.tax_number = on_top, dates, legal, registration, tax_number
        self.street, self.town, self.phone, self.weight = street, town, phone, weight


def malaysian_street(r):
    area = lambda: " ".join(r.sample(MALAY, r.choice([1, 1, 2])))
    number = r.choice(["NO.{a}", "NO {a}", "{a}", "LOT {b}", "NO. {a}-{c}", "LOT {b} & {b}", "NO.{a}G", "UNIT G-{c}", "LOT P.T. {b}", "NO {a} & {c}", "{c}-{a}", "A-{a}-{c}", "NO: {a}"]).format(a=r.randint(1, 399), b=r.randint(100, 33000), c=r.randint(1, 40))
    road = r.choice(["JALAN", "JALAN", "JALAN", "JLN", "LORONG", "PERSIARAN", "LEBUH", "MEDAN"]) + " " + r.choice([area(), area(), f"SS {r.randint(1,26)}/{r.randint(1,70)}", f"{r.choice(MALAY)} {r.randint(1,40)}", f"{r.choice(MALAY)} {r.randint(1,40)}/{r.randint(1,30)}", f"{r.choice(MALAY)} {r.choice('ABCDEGU')} {r.choice('UC')}{r.randint(1,9)}/{r.choice('ABCDEG')}", f"PJU {r.randint(1,10)}/{r.randint(1,9)}", f"{r.randint(2,100)}{r.choice('ABCF')}", "BESAR", f"{r.choice(MALAY)} {r.randint(1,9)}"])
    parts = [number + r.choice([", ", ",", " "]) + road]
    if r.random() < 0.3:
        parts.insert(r.randint(0, 1), r.choice(["GROUND FLOOR", "LEVEL 6", "1ST FLOOR", f"WISMA {area()}", f"PLAZA {area()}", "GRD FLOOR", f"{area()} MALL", f"MENARA {area()}", f"TOWER {r.choice('ABC')}"]))
    if r.random() < 0.75:
        parts.append(r.choice(["TAMAN", "TAMAN", "BANDAR", "KAWASAN PERINDUSTRIAN", "SEKSYEN", "KAMPUNG", "BANDAR BARU", "DESA", "TAMAN INDUSTRI", "MUKIM", "PUSAT BANDAR"]) + " " + r.choice([area(), area(), str(r.randint(1, 30))]))
    return parts


def malaysian_town(r):
    town = r.choice("KUALA LUMPUR;SHAH ALAM;PETALING JAYA;JOHOR BAHRU;KLANG;SUBANG JAYA;PUCHONG;CHERAS;IPOH;KAJANG;RAWANG;AMPANG;SERI KEMBANGAN;SEREMBAN;MASAI;SKUDAI;KUCHING;BATU PAHAT;KULAI;MUAR;KOTA BHARU;SUNGAI BULOH;BALAKONG;BATANG KALI;GEORGETOWN;BUKIT MERTAJAM;TAIPING;SEMENYIH".split(";"))
    state = r.choice("SELANGOR;JOHOR;SELANGOR DARUL EHSAN;PERAK;PENANG;MALAYSIA;NEGERI SEMBILAN;JOHOR DARUL TAKZIM;SELANGOR D.E.;W.P. KUALA LUMPUR;KELANTAN;PAHANG".split(";"))
    code = r.choice(["", "", ""]) + digits(r, 5)
    return [code + r.choice([" ", " ", " ", ", ", "."]) + town] + ([state] if r.random() < 0.7 else [])


def of(options):
    choices = options.split(";")
    return lambda r: r.choice(choices)


def pattern(*forms):
    """Numbers by forms: 9 a digit, A a capital."""
    return lambda r: "".join(r.choice(string.digits) if c == "9" else r.choice("ABCDEFGHKMPTUVWX") if c == "¤" else c for c in r.choice(forms))


def streets(form_list, names=None):
    def draw(r):
        name = (names(r) if names else invented(r))
        return [r.choice(form_list).format(n=name, m=invented(r), a=r.randint(1, 220), b=r.choice("abc"), c=r.randint(1, 40))]
    return draw


def towns(form_list, known):
    known = known.split(";")
    def draw(r):
        town = r.choice(known) if r.random() < 0.5 else invented(r)
        text = r.choice(form_list)
        text = "".join(r.choice(string.digits) if c == "9" else r.choice("ABCDEFGHJKLMNPRSTW") if c == "¤" else c for c in text)
        return [t.strip() for t in text.replace("TOWN", town).split("|")]
    return draw


COUNTRIES = [
    Country("MY", ["en", "en", "en", "ms"], "RM", ".", ["GST", "GST", "SST", "TAX"], [6], 0.35, ["%d/%m/%Y", "%d-%m-%Y", "%d/%m/%y", "%d-%m-%y", "%d %b %Y", "%Y-%m-%d", "%d-%b-%Y", "%d %b %y", "%d.%m.%Y"],
            of("SDN BHD;SDN. BHD.;SDN BHD;Sdn Bhd;(M) SDN BHD;ENTERPRISE;TRADING;BERHAD;S/B;(KL) SDN BHD"), pattern("(999999-¤)", "(999999-¤)", "999999-¤", "(CO.REG :999999-¤)", "(999999 ¤)", "REG NO: 9999999-¤", "¤¤9999999-¤", "COMPANY REG NO. : (999999999-¤)", "(CO. NO. 999999-¤)", "(Reg No: 999999-¤)", "CO REG NO: 201901099999"),
            pattern("GST ID : 009999999999", "GST NO : 009999999999", "GST REG NO. 009999999999", "(GST ID NO :009999999999)", "GST ID: 0099 9999 9999", "SST ID : ¤99-9999-99999999", "GST No.: 009999999999", "GST Reg. No : 009999999999"), malaysian_street, malaysian_town, pattern("03-9999 9999", "07-9999999", "03-99999999", "(603) 9999 9999", "019-9999999", "+603-9999 9999", "04-999 9999", "1-300-99-9999"), 3.5),
    Country("SG", ["en"], "$", ".", ["GST"], [7, 8, 9], 0.6, ["%d/%m/%Y", "%d-%m-%Y", "%d %b %Y", "%d/%m/%y"], of("PTE LTD;PTE. LTD.;Pte Ltd;LLP"), pattern("UEN: 20999999¤", "Reg No: 20999999¤", "Co. Reg. No. 199999999¤"), pattern("GST Reg No: M9-9999999-9", "GST REG NO: 20999999¤", "GST No. M99999999X"),
            streets(["{a} {n} Road", "{a} {n} Street #0{c}-{a}", "Blk {a} {n} Ave {c} #01-{a}", "{n} Mall #B{c}-{a}", "{a} {n} Road #0{c}-{a}"]), towns(["Singapore 999999", "S(999999)", "SINGAPORE 999999"], "Singapore"), pattern("6999 9999", "+65 6999 9999", "69999999"), 1),
    Country("US", ["en"], "$", ".", ["TAX", "Tax", "SALES TAX"], [6, 7, 8.25, 8.875, 5.5], 1.0, ["%m/%d/%Y", "%m/%d/%y", "%b %d, %Y", "%m-%d-%Y", "%m/%d/%Y", "%B %d, %Y"], of("Inc;LLC;Inc.;Corp;Co.;& Sons"), pattern("Store #9999", "EIN 99-9999999", "ST# 9999 OP# 999"), pattern("Tax ID 99-9999999"),
            streets(["{a}{c} {n} St", "{a} {n} Street", "{a} {n} Ave", "{a}0 N {n} Rd", "{a}5 {n} Blvd Ste {c}", "{a} Main Street", "{c}{a} W {n} Hwy", "{a} {n} Lane"]), towns(["TOWN, ¤¤ 99999", "TOWN ¤¤ 99999", "TOWN, ¤¤ 99999-9999", "TOWN, CA 99999", "TOWN, TX 99999"], "Springfield;Portland;Austin;Boston;Denver;Seattle;Rockford;Madison"), pattern("(999) 999-9999", "999-999-9999", "999.999.9999", "(999)999-9999"), 1.5),
    Country("GB", ["en"], "£", ".", ["VAT"], [20, 5], 0.1, ["%d/%m/%Y", "%d/%m/%y", "%d %b %Y", "%d-%m-%Y", "%d.%m.%y"], of("Ltd;Limited;PLC;LLP;& Co"), pattern("Company No. 99999999", "Reg. No. 09999999", "Registered in England 99999999"), pattern("VAT No 999 9999 99", "VAT Reg No: GB999999999", "VAT NO. 999999999", "VAT Number: 999 9999 99"),
            streets(["{a} {n} Street", "{a} {n} Road", "{c} {n} Terrace", "Unit {c}, {n} Retail Park", "{c} High Street", "{c}-{a} {n} Lane", "The {n} Centre"]), towns(["TOWN|¤¤9 9¤¤", "TOWN ¤¤9 9¤¤", "TOWN, ¤9 9¤¤", "TOWN ¤¤99 9¤¤"], "London;Leeds;Bristol;York;Cardiff;Glasgow;Manchester;Bath"), pattern("01999 999999", "020 7999 9999", "0161 999 9999", "01999 999 999"), 1.2),
    Country("IN", ["en"], "Rs.", ".", ["GST"], [5, 12, 18], 0.8, ["%d/%m/%Y", "%d-%m-%Y", "%d/%m/%y", "%d-%b-%y", "%d-%b-%Y"], of("Pvt Ltd;Pvt. Ltd.;Private Limited;LLP;& Sons;& Co"), pattern("CIN: U99999MH2009PTC999999", "FSSAI No: 19999999999999", "FSSAI LIC NO 19999999999999"), pattern("GSTIN: 99¤¤¤¤¤9999¤9Z9", "GSTIN 99¤¤¤¤¤9999¤9Z9", "GST NO: 99¤¤¤¤¤9999¤9Z9"),
            streets(["No. {a}, {n} Road", "Shop No {c}, {n} Complex, {m} Nagar", "{a}/{c}, {n} Marg", "Plot {a}, Sector {c}, {n}", "{a}, {n} Main Road, {m} Layout", "Ground Floor, {n} Mall"]), towns(["TOWN - 999999", "TOWN-999999", "TOWN 999999", "TOWN, Karnataka 999999"], "Mumbai;New Delhi;Bangalore;Chennai;Pune;Hyderabad;Kolkata"), pattern("99999 99999", "+91 99999 99999", "044-99999999", "080 9999 9999", "9999999999"), 1),
    Country("AU", ["en"], "$", ".", ["GST"], [10], 0.1, ["%d/%m/%Y", "%d/%m/%y", "%d-%b-%Y"], of("Pty Ltd;PTY LTD;Pty. Ltd.;Limited"), pattern("ABN 99 999 999 999", "ABN: 99 999 999 999", "A.B.N. 99999999999"), pattern("ABN 99 999 999 999"),
            streets(["{a} {n} Street", "Shop {c}, {n} Plaza", "{a} {n} Parade", "{c}/{a} {n} Road"]), towns(["TOWN NSW 9999", "TOWN VIC 9999", "TOWN QLD 9999", "TOWN, WA 9999"], "Sydney;Melbourne;Perth;Newcastle"), pattern("(02) 9999 9999", "03 9999 9999", "1300 999 999"), 0.6),
    Country("DE", ["de"], "EUR", ",", ["MwSt"], [19, 7], 0.1, ["%d.%m.%Y", "%d.%m.%y", "%d.%m.%Y", "%Y-%m-%d"], of("GmbH;GmbH & Co. KG;AG;KG;e.K.;OHG;GbR;UG"), pattern("HRB 99999", "Amtsgericht Köln HRB 99999"), pattern("USt-IdNr. DE999999999", "UID Nr. DE999999999", "St.-Nr. 99/999/99999", "Steuernummer 999/9999/9999", "Steuer-Nr.: 99 999 99999", "USt-ID: DE999999999"),
            streets(["{n}straße {a}", "{n}str. {a}", "{n}weg {c}", "Am {n} {c}", "{n}platz {c}", "{n} Straße {a}{b}", "Hauptstraße {a}", "Bahnhofstr. {c}", "{n}allee {a}", "Im {n} {c}"]), towns(["99999 TOWN", "99999 TOWN", "D-99999 TOWN", "99999 Bad TOWN"], "Berlin;Hamburg;München;Köln;Erfurt;Mainz;Bonn;Münster"), pattern("0999/9999999", "0999 999999", "09999-99999", "+49 999 9999999", "(0999) 99 99 99"), 1.6),
    Country("AT", ["de"], "EUR", ",", ["MwSt", "USt"], [20, 10], 0.1, ["%d.%m.%Y", "%d.%m.%y"], of("GmbH;KG;e.U.;OG;GesmbH"), pattern("FN 999999 a", "Firmenbuch: FN 999999z"), pattern("UID: ATU99999999", "ATU99999999", "UID-Nr.: ATU99999999"),
            streets(["{n}gasse {a}", "{n}straße {c}", "{n}platz {c}", "Hauptplatz {c}", "{n}weg {c}/{a}"]), towns(["9999 TOWN", "A-9999 TOWN", "9999 TOWN"], "Wien;Graz;Linz;Salzburg;Innsbruck;Villach"), pattern("01/9999999", "+43 1 9999999", "0999/99 99 99"), 0.7),
    Country("CH", ["de", "de", "fr"], "CHF", ".", ["MWST"], [7.7, 8.1, 2.5, 2.6], 0.05, ["%d.%m.%Y", "%d.%m.%y"], of("AG;GmbH;Genossenschaft;SA;Sàrl"), pattern("CHE-999.999.999"), pattern("MWST-Nr. CHE-999.999.999", "CHE-999.999.999 MWST", "MWST Nr: CHE-999.999.999 MWST"),
            streets(["{n}strasse {a}", "{n}gasse {c}", "{n}weg {c}", "Bahnhofplatz {c}", "Dorfstrasse {a}", "Rue de {n} {a}"]), towns(["9999 TOWN", "CH-9999 TOWN", "9999 TOWN"], "Zürich;Bern;Basel;Luzern;Genève;Lausanne;Davos"), pattern("099 999 99 99", "+41 99 999 99 99"), 0.7),
    Country("FR", ["fr"], "€", ",", ["TVA"], [20, 10, 5.5], 0.25, ["%d/%m/%Y", "%d/%m/%y", "%d %B %Y", "%d-%m-%Y"], of("SARL;SAS;SA;EURL;& Fils;SASU"), pattern("SIRET 999 999 999 99999", "SIRET : 99999999999999", "RCS Paris 999 999 999", "APE 5610A", "R.C.S. LYON B 999 999 999", "SARL au capital de 9 999 EUR"), pattern("TVA FR99999999999", "N° TVA : FR 99 999 999 999", "TVA Intra : FR99999999999"),
            streets(["{a} rue de {n}", "{c}, rue {n}", "{a} avenue {n} {m}", "{c} place {n}", "{a} bd {n}", "{c} bis, rue des {n}s", "ZA {n}", "Route de {n}", "Centre Commercial {n}"]), towns(["99999 TOWN", "99999 TOWN CEDEX", "99999 TOWN", "F-99999 TOWN"], "Paris;Lyon;Nantes;Rennes;Lille;Dijon;Tours;Nice"), pattern("09 99 99 99 99", "09.99.99.99.99", "0999999999", "+33 9 99 99 99 99"), 1.2),
    Country("ES", ["es"], "€", ",", ["IVA"], [21, 10, 4], 0.25, ["%d/%m/%Y", "%d/%m/%y", "%d-%m-%Y", "%d.%m.%Y"], of("S.L.;S.A.;SL;S.L.U.;C.B.;e Hijos S.L.;SA"), pattern("Inscrita R.M. Tomo 999 Folio 99", "Reg. Mercantil de Madrid T 9999"), pattern("CIF: B99999999", "NIF B-99999999", "C.I.F. A99999999", "NIF: 99999999¤", "N.I.F.: B99999999"),
            streets(["C/ {n}, {a}", "Calle {n} {a}", "Avda. de {n}, {a}", "Plaza {n} {c}", "Pº {n} {a}", "Ctra. {n} km {c}", "Pol. Ind. {n}, nave {c}", "C/ San {n}, {c}"]), towns(["99999 TOWN", "99999 - TOWN", "99999 TOWN (Madrid)", "99999 TOWN|Barcelona"], "Madrid;Barcelona;Sevilla;Valencia;Granada;Toledo;Bilbao"), pattern("99 999 99 99", "999 999 999", "999999999", "+34 999 999 999"), 1.1),
    Country("MX", ["es"], "$", ".", ["IVA"], [16], 0.4, ["%d/%m/%Y", "%d/%m/%y", "%d-%b-%Y"], of("S.A. de C.V.;SA DE CV;S de RL de CV"), pattern("Sucursal 9999", "RFC ¤¤¤999999¤¤9"), pattern("RFC: ¤¤¤999999¤¤9", "R.F.C. ¤¤¤-999999-¤¤9"),
            streets(["Av. {n} No. {a}", "Calle {n} {a}, Col. {m}", "Blvd. {n} {a}", "Av. {n} #{a} Col. Centro"]), towns(["C.P. 99999 TOWN", "CP 99999, TOWN", "TOWN, Jal. C.P. 99999"], "CDMX;Guadalajara;Monterrey;Puebla"), pattern("55 9999 9999", "(999) 999 9999"), 0.4),
    Country("IT", ["it"], "€", ",", ["IVA"], [22, 10, 4], 0.05, ["%d/%m/%Y", "%d-%m-%Y", "%d/%m/%y", "%d.%m.%Y"], of("S.r.l.;SRL;S.p.A.;S.n.c.;s.a.s.;di {p} & C. S.n.c.;F.lli {p}"), pattern("REA MI-9999999", "C.F. 99999999999", "Cap. Soc. 10.000 i.v."), pattern("P.IVA 99999999999", "P. IVA: 99999999999", "Partita IVA 99999999999", "P.I. 99999999999", "P.IVA IT99999999999"),
            streets(["Via {n}, {a}", "Via {n} {a}", "Piazza {n} {c}", "Corso {n}, {a}", "Viale {n} {a}/{b}", "V.le {n}, {a}", "Largo {n} {c}", "Via G. {n}, {a}", "S.S. {c} km {a}"]), towns(["99999 TOWN (MI)", "99999 TOWN (RM)", "99999 TOWN - TO", "99999 TOWN ¤¤", "99999 TOWN"], "Milano;Roma;Torino;Napoli;Bologna;Verona;Firenze"), pattern("02 9999999", "06/9999999", "099-9999999", "+39 999 9999999", "0999 999999"), 1.1),
    Country("PT", ["pt"], "€", ",", ["IVA"], [23, 13, 6], 0.05, ["%d/%m/%Y", "%d-%m-%Y", "%Y-%m-%d", "%Y/%m/%d"], of("Lda;Lda.;S.A.;Unipessoal Lda;, LDA;& Filhos, Lda"), pattern("Cap. Social 5.000 Eur", "C.R.C. Lisboa 9999", "Matric. C.R.C. Porto 99999"), pattern("NIF: 599999999", "Contribuinte: 509999999", "NIPC 509999999", "Contribuinte Nº 599999999", "NIF 509999999"),
            streets(["Rua {n}, {a}", "Rua da {n} {a}", "Av. {n} {a}", "Praça {n}, {c}", "R. {n}, {c} Loja {b}", "Largo do {n} {c}", "Travessa {n} {c}", "Estrada de {n}, Lote {c}"]), towns(["9999-999 TOWN", "9999-999 TOWN", "9999-999 Vila Nova de TOWN"], "Lisboa;Porto;Braga;Coimbra;Faro;Aveiro"), pattern("219 999 999", "999999999", "+351 299 999 999", "22 999 99 99"), 1),
    Country("BR", ["pt"], "R$", ",", ["ICMS"], [18], 0.0, ["%d/%m/%Y", "%d/%m/%y"], of("LTDA;Ltda;S.A.;ME;EIRELI;Comercio de Alimentos LTDA"), pattern("IE: 999.999.999.999", "IM: 9.999.999-9"), pattern("CNPJ: 99.999.999/0001-99", "CNPJ 99.999.999/0009-99"),
            streets(["Rua {n}, {a}", "Av. {n} {m}, {a}", "Rod. {n} km {c}", "Al. {n}, {a} - Centro"]), towns(["TOWN - SP", "TOWN/RJ CEP 99999-999", "CEP 99999-999 TOWN MG", "TOWN - PR"], "São Paulo;Rio de Janeiro;Curitiba;Recife"), pattern("(11) 9999-9999", "(99) 99999-9999"), 0.4),
    Country("NL", ["nl"], "€", ",", ["BTW"], [21, 9], 0.1, ["%d-%m-%Y", "%d/%m/%Y", "%d-%m-%y", "%d.%m.%Y", "%d %B %Y"], of("B.V.;BV;V.O.F.;en Zn.;N.V."), pattern("KvK 99999999", "KVK nr: 99999999", "K.v.K. 99999999"), pattern("BTW NL999999999B99", "BTW nr. NL999999999B01", "BTW-nr: NL9999.99.999.B.01"),
            streets(["{n}straat {a}", "{n}weg {c}", "{n}laan {a}", "{n}plein {c}", "{n}gracht {a}", "Kerkstraat {c}", "{n}kade {c}{b}", "{n}dijk {a}"]), towns(["9999 ¤¤ TOWN", "9999¤¤ TOWN", "9999 ¤¤  TOWN"], "Amsterdam;Utrecht;Rotterdam;Delft;Leiden;Breda;Groningen"), pattern("099-9999999", "020 - 999 99 99", "0999-999999", "+31 99 999 9999"), 1),
    Country("BE", ["nl", "fr"], "€", ",", ["BTW"], [21, 12, 6], 0.1, ["%d/%m/%Y", "%d-%m-%Y", "%d/%m/%y"], of("BV;NV;BVBA;SRL;SPRL;SA;& Zn"), pattern("RPR Gent", "Ond. nr. 0999.999.999"), pattern("BTW BE 0999.999.999", "TVA BE0999.999.999", "BTW: BE0999999999"),
            streets(["{n}straat {a}", "{n}laan {a}", "{n}steenweg {a}", "Rue de {n} {a}", "Avenue {n} {c}", "Grote Markt {c}"]), towns(["9999 TOWN", "B-9999 TOWN", "9999 TOWN"], "Gent;Antwerpen;Brussel;Leuven;Liège;Namur"), pattern("09 999 99 99", "+32 9 999 99 99", "03/999.99.99"), 0.5),
    Country("CA", ["en", "en", "fr"], "$", ".", ["HST", "GST", "TPS"], [13, 5, 15], 1.0, ["%Y/%m/%d", "%d/%m/%Y", "%m/%d/%Y", "%Y-%m-%d", "%b %d, %Y"], of("Inc.;Ltd.;Limited;Corp.;Inc"), pattern("Store 9999", "STORE #999"), pattern("HST # 999999999RT0001", "GST/HST 99999 9999 RT0001", "GST# 999999999"),
            streets(["{a} {n} St", "{a}0 {n} Road", "{a} {n} Ave W", "{a} rue {n}", "{c}{a} King St E, Unit {c}"]), towns(["TOWN, ON ¤9¤ 9¤9", "TOWN ON ¤9¤9¤9", "TOWN, QC ¤9¤ 9¤9", "TOWN, BC ¤9¤ 9¤9"], "Toronto;Ottawa;Montreal;Vancouver;Halifax"), pattern("(999) 999-9999", "999-999-9999"), 0.6),
]
