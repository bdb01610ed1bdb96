"""Draws documents of every kind as rows of words with their places, with the sheet's size and what else would be found on it.

    draw.py COUNT SEED > sheets.jsonl

One sheet a line: `page` and `blocks` as in the text output, `sheet` (size, zone, codes, face, tones), `kind` and `layout`, which tells the layouts of one
kind apart. Sheet n of seed s depends on (s, n) alone. Receipts are those of `Fields/draw.py`. All names are invented.
"""

import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Fields"))
import draw as receipts  # noqa: E402
import reader  # noqa: E402
from shops import ADJECTIVES, COUNTRIES, GOODS, NOUNS, TRADES, digits, invented  # noqa: E402

POINT = 0.3528  # mm
# Width of a letter by the size of type.
LETTER = 0.52

PROSE = {
    "en": "the of and to in a is that it was for on are with as at be this from have or by one had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know",
    "de": "der die das und in zu den mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde wenn können dieser wir jahr ihre zwei jetzt schon muss unter dann sehr immer wieder",
    "fr": "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se le ce il sont la mais comme ou si leur nous avec tout vous elle sans deux même aussi ont cette ces été fait entre bien peut tous après dont peu encore très avant sous où autres moins temps premier depuis toujours",
    "es": "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué sólo han yo hay vez puede todos así nos ni parte tiene él uno donde bien tiempo mismo ese ahora",
    "it": "di e il la che a in un per è una non sono con si da come le dei del più al alla anche i ha nel della ma se dal lo gli o questo suo era ci essere tra molto delle stato loro due quando anni prima dopo tutti ancora dove sempre perché così solo senza fatto tempo ogni parte",
}
TITLES = {
    "en": ["Sales Manager", "Managing Director", "Software Engineer", "Consultant", "Attorney at Law", "Architect", "Founder & CEO", "Account Executive", "Head of Marketing", "Dental Surgeon", "Photographer"],
    "de": ["Geschäftsführer", "Vertriebsleiterin", "Rechtsanwalt", "Architektin", "Steuerberater", "Projektleiter", "Dipl.-Ing.", "Malermeister"],
    "fr": ["Directeur commercial", "Responsable des ventes", "Avocate à la Cour", "Ingénieur conseil", "Gérant", "Chef de projet"],
    "es": ["Directora de ventas", "Gerente general", "Abogado", "Ingeniero industrial", "Arquitecta", "Asesor comercial"],
    "it": ["Direttore vendite", "Responsabile acquisti", "Avvocato", "Architetto", "Ingegnere", "Titolare"],
}
LANGUAGES = list(PROSE)


class Sheet:
    """A sheet in millimetres with words on it."""

    def __init__(self, rng, width, height, kind, layout):
        self.rng, self.width, self.height, self.kind, self.layout = rng, width, height, kind, layout
        self.words = []  # row key, x, y, size, text
        self.zone = None
        self.bars = self.squares = 0
        self.face = None
        self.tones = max(0.0, rng.gauss(0.08, 0.05))
        self.emails = self.urls = self.phones = 0
        self.language = rng.choice(LANGUAGES)
        self.country = rng.choice([c for c in COUNTRIES if self.language in c.languages])
        # Types are drawn larger or smaller than the layout says.
        self.types = rng.uniform(0.8, 1.2)

    def text(self, x, y, points, text, align="left"):
        """Writes a row of words, its base line at y."""
        size = points * POINT * self.types
        length = len(text) * size * LETTER
        x = x - length / 2 if align == "centre" else x - length if align == "right" else x
        for word in text.split(" "):
            if word:
                self.words.append((x, y, size, word))
            x += (len(word) + 1) * size * LETTER
        return y + size * self.rng.uniform(1.15, 1.5)

    def lines(self, x, y, points, texts, align="left"):
        for text in texts:
            y = self.text(x, y, points, text, align)
        return y

    def prose(self, x, y, points, width, bottom, most=999):
        """Fills a column with sentences."""
        rng, words = self.rng, PROSE[self.language].split()
        letters = max(int(width / (points * POINT * LETTER)), 8)
        while y < bottom and most > 0:
            line, count = [], 0
            full = rng.random() > 0.12
            while count < letters * (0.95 if full else rng.uniform(0.2, 0.8)):
                word = rng.choice(words) if rng.random() < 0.75 else invented(rng).lower()
                line.append(word.capitalize() if not line and rng.random() < 0.3 else word)
                count += len(word) + 1
            y = self.text(x, y, points, " ".join(line[:-1] or line))
            if not full:
                y += points * POINT * rng.uniform(0, 1)
            most -= 1
        return y

    # What people and firms print

    def firm(self):
        rng, lang = self.rng, self.language
        return rng.choice([f"{invented(rng)} {rng.choice(TRADES[lang])}", f"{rng.choice(ADJECTIVES[lang])} {rng.choice(NOUNS[lang])}", f"{invented(rng)} & {invented(rng)}", f"{invented(rng)} Group", f"{invented(rng)} {self.country.legal(rng).format(p=invented(rng))}"])

    def person(self):
        return f"{invented(self.rng)} {invented(self.rng)}"

    def address(self):
        return self.country.street(self.rng) + self.country.town(self.rng)

    def mail(self):
        self.emails += 1
        rng = self.rng
        return f"{rng.choice(['info', 'office', invented(rng).lower(), invented(rng).lower()[0] + '.' + invented(rng).lower()])}@{invented(rng).lower()}.{rng.choice(['com', 'de', 'fr', 'es', 'it', 'net', 'org'])}"

    def web(self):
        self.urls += 1
        return f"www.{invented(self.rng).lower()}.{self.rng.choice(['com', 'de', 'fr', 'es', 'it', 'net'])}"

    def phone(self, label=""):
        self.phones += 1
        return label + self.country.phone(self.rng)

    def money(self, most=500):
        cents = self.rng.randint(50, most * 100)
        mark = self.country.mark
        return f"{cents // 100}{mark}{cents % 100:02d}"

    def day(self, first=1950, last=2030):
        rng = self.rng
        return rng.choice(["{d:02d}.{m:02d}.{y}", "{d:02d}/{m:02d}/{y}", "{d:02d} {n} {y}", "{y}-{m:02d}-{d:02d}"]).format(d=rng.randint(1, 28), m=rng.randint(1, 12), y=rng.randint(first, last), n=rng.choice("JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()))

    def rows(self):
        """Words in rows, as a reader sees them: those whose base lines are near."""
        rows = []
        for x, y, size, text in sorted(self.words, key=lambda w: (w[1], w[0])):
            if rows and abs(rows[-1][-1][1] - y) < 0.4 * min(size, rows[-1][-1][2]):
                rows[-1].append((x, y, size, text))
            else:
                rows.append([(x, y, size, text)])
        return [sorted(row) for row in rows]


# Each layout takes a random generator and gives a sheet. Their numbers name them: the training holds some back.


def card_size(rng):
    return rng.choice([(85, 55), (90, 50), (88.9, 50.8), (91, 55), (90, 55), (85.6, 54)])


def business_card(rng, layout):
    w, h = card_size(rng)
    if layout in (5, 11):
        w, h = h, w
    s = Sheet(rng, w, h, "business_card", layout)
    firm, name, title = s.firm(), s.person(), rng.choice(TITLES[s.language])
    reach = [s.phone(rng.choice(["", "Tel. ", "T ", "Phone: ", "M "])) for _ in range(rng.choice([1, 1, 2, 3]))]
    if rng.random() < 0.85:
        reach.append(s.mail())
    if rng.random() < 0.7:
        reach.append(s.web())
    address = s.address() if rng.random() < 0.8 else []
    small, big = rng.uniform(6, 8), rng.uniform(9, 16)
    if rng.random() < 0.25:
        s.tones = rng.uniform(0.1, 0.9)
    side = {0: "left", 1: "left", 2: "centre", 3: "centre", 5: "centre", 8: "right", 9: "right"}.get(layout, "left")
    x = {"left": 6, "centre": w / 2, "right": w - 6}[side]
    if layout in (0, 2, 8):
        y = s.text(x, 12, big, firm, side)
        y = s.text(x, max(y + 4, 22), big * 0.8, name, side)
        y = s.text(x, y, small, title, side)
        s.lines(x, h - 4 - 3 * len(address + reach), small, address + reach, side)
    elif layout in (1, 3, 9):
        y = s.text(x, 14, big, name, side)
        y = s.text(x, y, small, title, side)
        s.text(x, y + 3, small * 1.2, firm, side)
        s.lines(x, h - 4 - 3 * len(address + reach), small, reach + address, side)
    elif layout == 4:
        y = s.text(6, 16, big, name)
        s.text(6, y, small, title)
        s.lines(6, h - 14, small, address)
        s.lines(w - 6, h - 14, small, reach, "right")
        s.text(w - 6, 12, big * 0.9, firm, "right")
    elif layout == 5:
        y = s.text(x, 24, big * 0.8, name, side)
        y = s.text(x, y, small, title, side)
        s.text(x, 12, big * 0.7, firm, side)
        s.lines(x, h - 30, small * 0.9, reach + address, side)
    elif layout == 6:
        s.squares = 1
        y = s.text(6, 14, big, name)
        y = s.text(6, y, small, title + ", " + firm)
        s.lines(6, y + 4, small, reach + address)
    elif layout == 7:
        s.face = rng.uniform(0.3, 0.6)
        s.tones = rng.uniform(0.2, 0.5)
        y = s.text(w * 0.45, 14, big * 0.8, name)
        y = s.text(w * 0.45, y, small, title)
        s.lines(w * 0.45, y + 3, small, [firm] + reach)
    elif layout == 10:
        s.text(w / 2, h / 2, big * 1.3, firm.upper(), "centre")
        s.text(w / 2, h / 2 + 8, small, " | ".join(reach), "centre")
        s.text(w / 2, h - 6, small, ", ".join(address), "centre")
    else:
        y = s.lines(5, 20, big * 0.7, [name, title])
        s.lines(5, y + 10, small, [firm] + address + reach)
    return s


def invoice(rng, layout):
    w, h = rng.choice([(210, 297), (210, 297), (215.9, 279.4), (210, 148)])
    s = Sheet(rng, w, h, "invoice", layout)
    words = {"en": ("INVOICE", "Invoice No", "Date", "Bill to", "Subtotal", "VAT", "Total", "Due date", "Please pay within 30 days"), "de": ("Rechnung", "Rechnungsnummer", "Datum", "An", "Zwischensumme", "MwSt", "Gesamtbetrag", "Fällig am", "Zahlbar innerhalb von 14 Tagen"), "fr": ("FACTURE", "Facture n°", "Date", "Client", "Total HT", "TVA", "Total TTC", "Échéance", "Règlement à 30 jours"), "es": ("FACTURA", "Factura n.º", "Fecha", "Cliente", "Base imponible", "IVA", "TOTAL", "Vencimiento", "Forma de pago: transferencia"), "it": ("FATTURA", "Fattura n.", "Data", "Cliente", "Imponibile", "IVA", "Totale", "Scadenza", "Pagamento: bonifico 30 giorni")}[s.language]
    if rng.random() < 0.5:
        words = (words[0].upper(),) + words[1:]
    number = rng.choice(["{}", "R-{}", "2024/{}", "INV-{}"]).format(digits(rng, rng.randint(3, 7)))
    x, top = rng.uniform(14, 26), rng.uniform(14, 28)
    head = {0: "left", 1: "right", 2: "centre", 3: "left", 4: "right", 5: "centre", 6: "left"}[layout % 7]
    hx = {"left": x, "right": w - x, "centre": w / 2}[head]
    y = s.text(hx, top, rng.uniform(12, 24), s.firm(), head)
    y = s.lines(hx, y + 1, 9, s.address() + [s.phone("Tel "), s.mail()][: rng.randint(0, 2)], head)
    if layout in (2, 5):
        y = s.text(x, y + 10, 20, words[0])
    y = s.lines(x, y + 10, 10, ([words[3] + ":"] if layout % 2 else []) + [s.person(), s.firm()] + s.address())
    y2 = s.lines(w - x - 55, y - 14, 10, [f"{words[1]}: {number}", f"{words[2]}: {s.day(2015, 2026)}", f"{words[7]}: {s.day(2015, 2026)}"][: rng.randint(2, 3)])
    if layout not in (2, 5):
        y = s.text(x, max(y, y2) + 8, 16, f"{words[0]} {number if layout == 3 else ''}".strip())
    y += 8
    for _ in range(rng.choice([1, 2, 3, 5, 8, 12, 18])):
        if y > h - 70:
            break
        item = " ".join(rng.choice(GOODS[s.language]).split()[:3]) if rng.random() < 0.5 else " ".join(rng.choice(PROSE[s.language].split()) for _ in range(rng.randint(2, 5)))
        s.text(x, y, 9, rng.choice(["", f"{rng.randint(1, 20)} ", f"{digits(rng, 4)} "]) + item)
        s.text(w - x - 35, y, 9, s.money(), "right")
        s.text(w - x, y, 9, s.money(2000), "right")
        y += rng.uniform(4.5, 7)
    y += 4
    for label in (words[4], f"{words[5]} {rng.choice([19, 20, 21, 22, 10])}%", words[6]):
        s.text(w - x - 30, y, 10, label, "right")
        s.text(w - x, y, 10, s.money(5000), "right")
        y += 5.5
    y = s.prose(x, y + 6, 9, w - 2 * x, y + 16, rng.randint(0, 3))
    s.text(x, y + 4, 9, words[8])
    s.text(x, h - 14, 8, f"IBAN {s.country.code}{digits(rng, 2)} {digits(rng, 4)} {digits(rng, 4)} {digits(rng, 4)} {digits(rng, 4)}")
    if layout == 6:
        s.squares = 1
    return s


def zone_rows(rng, lines, letters, angles):
    rows = []
    for index in range(lines):
        row = "".join(rng.choice("ABCDEFGHIKLMNOPRSTUVZ0123456789<") if rng.random() > angles else "<" for _ in range(letters))
        if rng.random() < 0.5:
            row = "".join("K" if c == "<" and rng.random() < 0.3 else "C" if c == "<" and rng.random() < 0.1 else c for c in row)
        rows.append(row)
    return rows


IDENTITY = {
    "en": ("IDENTITY CARD", "Surname", "Given names", "Date of birth", "Nationality", "Sex", "Date of expiry", "Signature of bearer", "DRIVING LICENCE", "RESIDENCE PERMIT"),
    "de": ("PERSONALAUSWEIS", "Name", "Vornamen", "Geburtstag", "Staatsangehörigkeit", "Geschlecht", "Gültig bis", "Unterschrift", "FÜHRERSCHEIN", "AUFENTHALTSTITEL"),
    "fr": ("CARTE NATIONALE D'IDENTITÉ", "Nom", "Prénoms", "Né le", "Nationalité", "Sexe", "Date d'expir.", "Signature", "PERMIS DE CONDUIRE", "TITRE DE SÉJOUR"),
    "es": ("DOCUMENTO NACIONAL DE IDENTIDAD", "Apellidos", "Nombre", "Fecha de nacimiento", "Nacionalidad", "Sexo", "Validez", "Firma", "PERMISO DE CONDUCCIÓN", "PERMISO DE RESIDENCIA"),
    "it": ("CARTA D'IDENTITÀ", "Cognome", "Nome", "Data di nascita", "Cittadinanza", "Sesso", "Scadenza", "Firma", "PATENTE DI GUIDA", "PERMESSO DI SOGGIORNO"),
}


def identity_card(rng, layout):
    w, h = (105, 74) if layout == 3 else (85.6, 54)
    s = Sheet(rng, w, h, "identity_card", layout)
    s.tones = rng.uniform(0.25, 0.9)
    words = IDENTITY[s.language]
    scale = w / 85.6
    title = words[0] if layout in (0, 1, 3) else words[8] if layout in (4, 5) else words[9]
    if layout == 2:
        # The back: no face, a zone.
        s.lines(5, 7, 5, [words[4] + " " + s.country.code, rng.choice(["Address", "Anschrift", "Adresse", "Domicilio", "Residenza"])] + s.address())
        s.text(60, 10, 5, f"{rng.randint(150, 200)} cm")
        s.lines(4, 37, 9, zone_rows(rng, 3, 30, 0.3))
        s.zone = "TD1" if rng.random() < 0.7 else None
        s.squares = int(rng.random() < 0.2)
        s.bars = int(rng.random() < 0.2)
        return s
    s.face = rng.uniform(0.3, 0.7) if rng.random() < 0.9 else None
    left = rng.random() < 0.75
    x = (32 if left else 5) * scale
    y = s.text(w / 2 if rng.random() < 0.5 else x, 7 * scale, rng.uniform(6, 9), title, "centre" if rng.random() < 0.5 else "left")
    y += 2
    for label, value in [(words[1], invented(rng).upper()), (words[2], s.person().upper()), (words[3], s.day(1940, 2010)), (words[4], s.country.code), (words[5], rng.choice("MF")), (words[6], s.day(2024, 2035))][: rng.randint(4, 6)]:
        if layout in (4, 6):
            y = s.text(x, y, 6, f"{rng.randint(1, 9)}. {value}")
        elif layout in (1, 5):
            y = s.text(x, y, 6, f"{label}: {value}")
        else:
            y = s.text(x, y, 4.5, label)
            y = s.text(x, y, 7, value)
    s.text(w - 5, 6 * scale, 7, rng.choice("ABCLTX") + digits(rng, 8), "right")
    if layout == 3:
        s.lines(4, h - 12, 9, zone_rows(rng, 2, 36, 0.35))
        s.zone = "TD2" if rng.random() < 0.7 else None
    return s


def passport(rng, layout):
    s = Sheet(rng, 125, 88, "passport", layout)
    s.tones = rng.uniform(0.25, 0.85)
    words = IDENTITY[s.language]
    title = rng.choice({"en": ["PASSPORT"], "de": ["REISEPASS / PASSPORT"], "fr": ["PASSEPORT", "PASSEPORT / PASSPORT"], "es": ["PASAPORTE"], "it": ["PASSAPORTO"]}[s.language]) if layout != 3 else "VISA"
    s.face = rng.uniform(0.3, 0.6) if rng.random() < 0.9 else None
    x = 42 if layout != 1 else 50
    y = s.text(x if layout else 62, 10, rng.uniform(8, 11), title)
    s.text(120, 10, 9, rng.choice("ABCXP") + digits(rng, 8), "right")
    s.text(x + 5, 15, 6, f"P  {s.country.code}")
    y += 6
    for label, value in [(words[1], invented(rng).upper()), (words[2], s.person().upper()), (words[4], invented(rng).upper()), (words[3], s.day(1940, 2010)), (words[5], rng.choice("MF")), (words[6], s.day(2024, 2035))]:
        if layout == 2:
            y = s.text(x, y, 6.5, f"{label}  {value}")
        else:
            y = s.text(x, y, 5, label + rng.choice(["", " / " + rng.choice(IDENTITY["en"][1:7])]))
            y = s.text(x, y, 7.5, value)
    s.lines(5, 76, 10, zone_rows(rng, 2, 44, 0.35))
    s.zone = rng.choice(["TD3", "TD3", "TD3", None]) if layout != 3 else rng.choice(["MRV-A", None])
    s.bars = int(rng.random() < 0.05)
    return s


def payment_card(rng, layout):
    s = Sheet(rng, 85.6, 54, "payment_card", layout)
    s.tones = rng.uniform(0.2, 0.95)
    bank = rng.choice(["{} Bank", "Banque {}", "Banco {}", "Sparkasse {}", "{}", "Cassa di {}"]).format(invented(rng))
    number = " ".join(digits(rng, 4) for _ in range(4))
    # The fourth group settles Luhn's check.
    plain = [int(c) for c in number if c != " "]
    total = sum(v if i % 2 else (2 * v - 9 if 2 * v > 9 else 2 * v) for i, v in enumerate(plain[:-1]))
    plain[-1] = -sum((2 * v - 9 if 2 * v > 9 else 2 * v) if i % 2 == 0 else v for i, v in enumerate(plain[:-1])) % 10
    number = " ".join("".join(map(str, plain[i : i + 4])) for i in (0, 4, 8, 12))
    scheme = rng.choice(["VISA", "mastercard", "Maestro", "AMERICAN EXPRESS", "girocard", "VISA Debit"])
    name = s.person().upper()
    until = f"{rng.randint(1, 12):02d}/{rng.randint(24, 32)}"
    if layout in (0, 1, 2):
        s.text(5 if layout else 80, 9, 10, bank, "left" if layout else "right")
        s.text(6, 34, 15, number)
        s.text(30, 40, 5, rng.choice(["VALID THRU", "GOOD THRU", "EXPIRES END"]))
        s.text(45, 41, 9, until)
        s.text(6, 48, 9, name)
        s.text(80, 49, 11, scheme, "right")
        if layout == 2:
            s.text(80, 15, 6, rng.choice(["debit", "CREDIT", "PLATINUM", "business"]), "right")
    elif layout == 3:
        # Upright, with the number in four rows.
        s.width, s.height = 54, 85.6
        s.text(5, 9, 9, bank)
        s.lines(5, 45, 14, number.split())
        s.lines(5, 72, 7, [name, until])
        s.text(50, 80, 9, scheme, "right")
    elif layout == 4:
        # Numbers on the back.
        s.text(5, 6, 4, f"{rng.choice(['Customer service', 'Kundenservice', 'Service client'])} {s.phone()}")
        s.text(6, 30, 12, number)
        s.text(6, 36, 8, f"{rng.choice(['VALID THRU', 'EXP'])} {until}  CVV {digits(rng, 3)}")
        s.text(6, 42, 9, name)
        s.prose(5, 46, 4, 70, 52, 2)
        s.text(80, 50, 8, scheme, "right")
    else:
        # The front without a number.
        s.text(5, 9, 12, bank)
        s.text(80, 49, 12, scheme, "right")
        s.text(5, 48, 7, rng.choice(["debit", "contactless", name]))
    return s


LABEL = {
    "en": ["Ingredients:", "Net weight", "Best before", "Keep refrigerated", "Shake well before use", "Made in", "Nutrition Facts", "Energy", "Store in a cool, dry place", "Contains", "Keep out of reach of children"],
    "de": ["Zutaten:", "Inhalt", "Mindestens haltbar bis", "Kühl lagern", "Vor Gebrauch schütteln", "Hergestellt in", "Nährwerte", "Energie", "Trocken lagern", "Enthält", "Für Kinder unzugänglich"],
    "fr": ["Ingrédients :", "Poids net", "À consommer avant", "Conserver au frais", "Agiter avant emploi", "Fabriqué en", "Valeurs nutritives", "Énergie", "Conservation", "Contient", "Tenir hors de portée des enfants"],
    "es": ["Ingredientes:", "Peso neto", "Consumir antes de", "Conservar en frío", "Agitar antes de usar", "Hecho en", "Información nutricional", "Energía", "Conservar", "Contiene", "Mantener fuera del alcance"],
    "it": ["Ingredienti:", "Peso netto", "Da consumarsi entro", "Conservare in frigo", "Agitare prima dell'uso", "Prodotto in", "Valori nutrizionali", "Energia", "Conservare", "Contiene", "Tenere fuori dalla portata"],
}


def label(rng, layout):
    w, h = rng.uniform(35, 120), rng.uniform(25, 110)
    if layout == 3:
        w, h = rng.choice([(100, 150), (102, 152), (105, 148)])
    s = Sheet(rng, w, h, "label", layout)
    s.tones = rng.choice([rng.uniform(0.02, 0.2), rng.uniform(0.2, 0.9)])
    words = LABEL[s.language]
    amount = rng.choice(["250 g", "500 g", "1 kg", "0,5 l", "750 ml", "330 ml", "12% vol", "100 ml e", "6 x 50 g"])
    if layout in (0, 1):
        y = s.text(w / 2, h * 0.2, rng.uniform(12, 26), s.firm(), "centre")
        y = s.text(w / 2, y, 12, rng.choice(NOUNS[s.language]) + " " + amount, "centre")
        y = s.text(4, y + 2, 6, words[0])
        y = s.prose(4, y, 5.5, w - 8, h * 0.7, 5)
        s.lines(4, max(y, h * 0.72), 6, [f"{rng.choice(words[1:])} {s.day(2023, 2028)}", rng.choice(words[3:])])
        s.bars = int(rng.random() < 0.8)
    elif layout == 2:
        y = s.text(4, 8, 8, words[6])
        for item in range(rng.randint(3, 8)):
            s.text(4, y, 6, rng.choice(words[7:10] + [invented(rng)]))
            s.text(w - 4, y, 6, rng.choice([f"{rng.randint(1, 900)} kJ", f"{rng.randint(0, 90)}{s.country.mark}{rng.randint(0, 9)} g", f"{rng.randint(1, 400)} kcal"]), "right")
            y += 3.2
        s.bars = int(rng.random() < 0.6)
    elif layout == 3:
        # Of a parcel.
        y = s.lines(5, 10, 8, [s.firm()] + s.address())
        y = s.lines(20, y + 12, 12, [s.person()] + s.address())
        s.text(5, h - 8, 9, " ".join(digits(rng, 4) for _ in range(4)))
        s.bars, s.squares = rng.choice([1, 2]), int(rng.random() < 0.5)
    elif layout == 4:
        # Of a device.
        s.lines(3, 6, 6, [s.firm(), f"Model: {invented(rng).upper()[:3]}-{digits(rng, 3)}", f"Input: 100-240V~ 50/60Hz {rng.randint(1, 9)}.{rng.randint(0, 9)}A", f"S/N {digits(rng, 10)}", words[5] + " " + s.country.code, "CE"])
        s.bars, s.squares = rng.choice([0, 1, 1, 2]), rng.choice([0, 0, 1])
    elif layout == 5:
        # A price at a shelf.
        s.text(3, 8, 9, rng.choice(GOODS[s.language]))
        s.text(w - 3, h * 0.7, min(48, h * 1.2), s.money(60), "right")
        s.text(3, h - 4, 6, f"{amount} {s.money(30)}/kg")
        s.bars = 1
    else:
        # Of a medicine or a bottle.
        y = s.text(4, 10, rng.uniform(12, 22), s.firm())
        y = s.text(4, y, 9, f"{invented(rng)} {rng.choice(['500 mg', '10 mg/ml', '2 %', '12% vol', '40% vol'])}")
        y = s.prose(4, y + 2, 6, w - 8, h * 0.8, 4)
        s.lines(4, y, 6, [f"LOT {digits(rng, 6)}  EXP {rng.randint(1, 12):02d}/{rng.randint(24, 30)}", rng.choice(words[3:])])
        s.bars = int(rng.random() < 0.6)
        s.squares = int(rng.random() < 0.4)
    return s


def page(rng, layout):
    w, h = rng.choice([(210, 297), (210, 297), (215.9, 279.4), (148, 210), (127, 203), (176, 250)])
    s = Sheet(rng, w, h, "page", layout)
    m = rng.uniform(12, 28)
    if layout == 0:
        y = s.lines(m, m, 11, [s.person()] + s.address())
        y = s.lines(m, y + 12, 11, [s.firm()] + s.address())
        s.text(w - m, y + 6, 11, s.day(1990, 2026), "right")
        y = s.text(m, y + 18, 11, {"en": "Dear Mr " + invented(rng), "de": "Sehr geehrter Herr " + invented(rng), "fr": "Madame, Monsieur,", "es": "Estimado señor " + invented(rng), "it": "Gentile signor " + invented(rng)}[s.language] + ",")
        y = s.prose(m, y + 4, 11, w - 2 * m, h * rng.uniform(0.5, 0.8))
        s.text(m, y + 6, 11, {"en": "Yours sincerely", "de": "Mit freundlichen Grüßen", "fr": "Cordialement", "es": "Atentamente", "it": "Cordiali saluti"}[s.language])
        if rng.random() < 0.5:
            s.text(w / 2, h - 10, 8, " - ".join([s.firm(), s.phone("Tel. "), s.mail()]), "centre")
    elif layout in (1, 2):
        s.text(w / 2, m, 9, f"{rng.randint(2, 400)}", "centre")
        size = rng.uniform(8.5, 11)
        if layout == 1:
            s.prose(m, m + 8, size, w - 2 * m, h - m)
        else:
            half = (w - 2 * m - 6) / 2
            first = len(s.words)
            s.prose(m, m + 8, size, half, h - m)
            s.prose(m + half + 6, m + 8, size, half, h - m)
            del first
    elif layout == 3:
        # A form.
        y = s.text(w / 2, m + 5, 16, " ".join(rng.choice(PROSE[s.language].split()).capitalize() for _ in range(3)), "centre")
        for index in range(rng.randint(8, 22)):
            y = s.text(m, y + rng.uniform(2, 5), 9, f"{index + 1}. " + " ".join(rng.choice(PROSE[s.language].split()) for _ in range(rng.randint(1, 4))) + ": " + rng.choice(["", "", "______", s.person(), s.day()]))
    elif layout == 4:
        # An article with a picture.
        s.tones = rng.uniform(0.1, 0.45)
        s.face = rng.choice([None, None, rng.uniform(0.05, 0.2)])
        y = s.text(m, m + 10, 24, " ".join(invented(rng) for _ in range(3)))
        y = s.prose(m, y + h * 0.3, 10, w - 2 * m, h - m)
    elif layout == 5:
        # A list or notes.
        y = s.text(m, m + 6, 14, " ".join(invented(rng) for _ in range(2)))
        for _ in range(rng.randint(5, 25)):
            y = s.text(m + 4, y + 2, 11, "- " + " ".join(rng.choice(PROSE[s.language].split()) for _ in range(rng.randint(2, 9))))
    elif layout == 6:
        # A table of numbers that are no amounts.
        y = s.text(m, m + 6, 13, " ".join(invented(rng) for _ in range(2)))
        for _ in range(rng.randint(10, 30)):
            s.text(m, y, 9, invented(rng))
            for column in range(1, 5):
                s.text(m + column * (w - 2 * m) / 4.2, y, 9, str(rng.randint(1, 4000)), "right")
            y += rng.uniform(4, 6)
    else:
        # A sheet with nothing on it, or hardly anything.
        if rng.random() < 0.5:
            s.prose(m, h * rng.uniform(0.1, 0.6), rng.uniform(10, 16), w - 2 * m, h, rng.randint(1, 4))
    return s


def photograph(rng, layout):
    w, h = rng.choice([(150, 100), (152.4, 101.6), (130, 90), (180, 130), (254, 203.2), (100, 100), (89, 89), (45, 35)])
    if rng.random() < 0.4:
        w, h = h, w
    s = Sheet(rng, w, h, "photograph", layout)
    s.tones = min(max(rng.gauss(0.62, 0.16), 0.25), 0.98)
    s.face = rng.choice([None, rng.uniform(0.05, 0.6)]) if layout != 1 else None
    if layout == 1:
        s.text(w - 4, h - 4, 8, rng.choice([s.day(1980, 2020), f"'{rng.randint(80, 99)} {rng.randint(1, 12)} {rng.randint(1, 28)}"]), "right")
    elif layout == 2:
        # Signs in the picture, as a reader sees them.
        for _ in range(rng.randint(1, 4)):
            s.text(rng.uniform(0, w * 0.7), rng.uniform(8, h - 4), rng.uniform(6, 20), rng.choice([invented(rng).upper(), reader.nonsense(rng)]))
    elif layout == 3:
        for _ in range(rng.randint(1, 6)):
            s.text(rng.uniform(0, w * 0.9), rng.uniform(4, h - 2), rng.uniform(4, 14), reader.nonsense(rng))
    return s


def other(rng, layout):
    """What is none of the kinds."""
    if layout == 0:  # a ticket
        s = Sheet(rng, rng.choice([140, 200, 152]), rng.choice([50, 70, 82]), "unknown", layout)
        s.text(6, 12, 18, " ".join(invented(rng).upper() for _ in range(2)))
        s.lines(6, 22, 9, [s.day(2015, 2027), f"{rng.choice(['Row', 'Reihe', 'Rang', 'Fila'])} {rng.randint(1, 40)}  {rng.choice(['Seat', 'Platz', 'Place', 'Asiento'])} {rng.randint(1, 60)}", invented(rng)])
        s.bars, s.squares = rng.choice([(1, 0), (0, 1)])
    elif layout == 1:  # a poster
        s = Sheet(rng, 297, 420, "unknown", layout)
        s.tones = rng.uniform(0.3, 0.9)
        s.lines(148, 80, rng.uniform(60, 110), [invented(rng).upper(), invented(rng).upper()], "centre")
        s.lines(148, 360, 24, [s.day(2015, 2027), s.web()], "centre")
    elif layout == 2:  # a plan, a drawing
        s = Sheet(rng, *rng.choice([(420, 297), (297, 210), (200, 200)]), "unknown", layout)
        for _ in range(rng.randint(6, 40)):
            s.text(rng.uniform(5, s.width - 20), rng.uniform(5, s.height - 5), rng.uniform(5, 10), rng.choice([str(rng.randint(10, 3000)), invented(rng), f"{rng.randint(1, 90)}°"]))
    elif layout == 3:  # a card of a club, a loyalty card
        s = Sheet(rng, 85.6, 54, "unknown", layout)
        s.tones = rng.uniform(0.1, 0.9)
        s.text(6, 14, rng.uniform(10, 18), s.firm())
        s.text(6, 46, 8, rng.choice(["", s.person()]) + " " + digits(rng, rng.choice([6, 8, 10, 13])))
        s.bars = rng.choice([0, 1, 1])
    elif layout == 4:  # an envelope
        s = Sheet(rng, 220, 110, "unknown", layout)
        s.lines(90, 60, 12, [s.person()] + s.address())
        s.lines(6, 8, 8, [s.firm()] + s.address())
    else:  # a banknote, a stamp, a coaster: hardly any text
        s = Sheet(rng, *rng.choice([(140, 77), (120, 62), (94, 94), (40, 30)]), "unknown", layout)
        s.tones = rng.uniform(0.3, 0.95)
        s.text(s.width / 2, s.height / 2, 14, rng.choice([str(rng.choice([5, 10, 20, 50])), invented(rng).upper()]), "centre")
    return s


def receipt(rng, layout):
    drawn = receipts.Receipt(rng)
    rows, width, height = drawn.page()
    roll = rng.choice([57.5, 79.5, 79.5, 76, 82])
    scale = roll / width
    s = Sheet(rng, roll, height * scale, "receipt", layout)
    for key, count in (("email", "emails"), ("web", "urls"), ("phone", "phones")):
        setattr(s, count, int(key in drawn.truth))
    s.bars = int(rng.random() < 0.1)
    s.squares = int(rng.random() < 0.15)
    s.drawn = [[(t, [v * scale for v in b]) for t, b in words] for _, words in rows]
    s.language = drawn.language
    return s


KINDS = {"receipt": (receipt, 6), "invoice": (invoice, 7), "business_card": (business_card, 12), "identity_card": (identity_card, 7), "passport": (passport, 4), "payment_card": (payment_card, 6), "label": (label, 7), "page": (page, 8), "photograph": (photograph, 4), "unknown": (other, 6)}


def draw(index, seed):
    rng = random.Random(f"kinds {seed} {index}")
    kind = list(KINDS)[index % len(KINDS)]
    function, layouts = KINDS[kind]
    s = function(rng, rng.randrange(layouts))
    density = rng.uniform(5, 13)
    # Cut with a margin, or a little too narrow.
    margin = [rng.gauss(0.5, 0.8) for _ in range(4)]
    if hasattr(s, "drawn"):
        rows = [("", [[t, [v * density for v in b]] for t, b in words]) for words in s.drawn]
    else:
        rows = []
        for row in s.rows():
            words = []
            for x, y, size, text in row:
                tall = size * rng.uniform(0.68, 0.78)
                box = [x, y - tall, x + len(text) * size * LETTER - 0.1 * size, y + (0.2 * size if any(c in "gjpqy,;" for c in text) else 0)]
                words.append([text, [v * density for v in box]])
            rows.append(("", words))
    rows = reader.read(rows, rng, rng.choice(list(reader.READERS.values())), reader.ROUGH)
    # A sensor's scale errs by a per cent; proportions that corners alone give err by more.
    error = rng.gauss(1, 0.008)
    metric = rng.random() < 0.5
    stretch = 1 if metric else rng.gauss(1, 0.02)
    width, height = s.width + margin[0] + margin[1], (s.height + margin[2] + margin[3]) * stretch
    mm = [s.width * error, s.height * error * rng.gauss(1, 0.004)] if metric else None
    # Codes, zones and faces may not have been looked for, and not everything that is there is found.
    if rng.random() < 0.3:
        s.bars = s.squares = 0
    if rng.random() < 0.3:
        s.zone = None
    if rng.random() < 0.3:
        s.face = None
    sheet = {"mm": mm, "zone": s.zone, "barCodes": s.bars if rng.random() < 0.85 else 0, "squareCodes": s.squares if rng.random() < 0.85 else 0, "face": s.face if rng.random() < 0.9 else None, "tones": s.tones}
    for name in ("emails", "urls", "phones"):
        sheet[name] = sum(rng.random() < 0.85 for _ in range(getattr(s, name)))
    if rng.random() < 0.04:
        sheet["face"] = rng.uniform(0.03, 0.2)
    lines = [{"words": [{"text": t, "confidence": round(c, 3), "box": [round(v, 1) for v in b]} for t, b, c in words]} for _, words in rows]
    return {
        "page": {"width": round(width * density), "height": round(height * density)},
        "blocks": [{"lines": lines}] if lines else [],
        "sheet": sheet, "kind": s.kind, "layout": s.layout,
    }


if __name__ == "__main__":
    for index in range(int(sys.argv[1])):
        json.dump(draw(index, int(sys.argv[2])), sys.stdout, ensure_ascii=False)
        sys.stdout.write("\n")
