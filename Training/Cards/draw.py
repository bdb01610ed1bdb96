"""Draws business cards as rows of words with their places, as a reader would hand them over, each with what it says.

    draw.py COUNT SEED [held-out] [clear] > cards.jsonl

One card a line: `page` and `blocks` as in the text output (`--text page.json`), `layout`, `dark` and `truth`. Card n of seed s depends on (s, n) alone.
"held-out" draws the layouts that the rules were not set on, "clear" asks for a good reader. All persons and firms are invented.
"""

import json
import pathlib
import random
import re
import sys
import unicodedata

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Fields"))
import reader  # noqa: E402
from shops import digits, invented  # noqa: E402

# Language, region, country code, endings of hosts, given names, family names, titles, legal forms, trades, streets, towns with codes.
PEOPLE = {
    "de": dict(
        region=["DE", "DE", "AT", "CH"], given="Anna Jens Katrin Ulrich Mareike Torben Silke Hannes Gesa Volker Annika Reinhard Beate Ingo Dorothea Kai".split(),
        family="Hoffmeister Brandt Kühn Lindner Weiß Schröder Vogelsang Jäger Öztürk Albrecht Thalmann Pfeiffer Groß Meyer-Landau Riedl von Ahlen zu Hohenfels".replace("von A", "von_A").replace("zu H", "zu_H").split(),
        titles="Geschäftsführer;Geschäftsführerin;Vertriebsleiter;Leiterin Einkauf;Projektleiterin;Rechtsanwalt;Steuerberaterin;Dipl.-Ing. Architekt;Kundenberater;Leiter Marketing;Softwareentwicklerin;Account Manager;Assistentin der Geschäftsleitung;Inhaberin".split(";"),
        legal="GmbH;AG;GmbH & Co. KG;KG;e.K.;UG;OHG".split(";"), trades="Maschinenbau Logistik Consulting Immobilien Systeme Elektrotechnik Druckerei Medien Versicherungen Software Verlag Bau".split(),
        streets="Hauptstraße {n};Lindenweg {n};Am Markt {n};Industriestr. {n};Goethestraße {n}a;Bahnhofplatz {n};Kastanienallee {n}".split(";"), towns="Berlin Hamburg Augsburg Köln Kassel Jena Linz Bregenz Winterthur".split(),
        salutation=["Dr.", "Prof. Dr.", "Dipl.-Ing."], country={"DE": "Deutschland", "AT": "Österreich", "CH": "Schweiz"}),
    "en": dict(
        region=["US", "GB", "US", "GB", "AU"], given="Emma Oliver Harriet Duncan Priya Marcus Tamsin Clive Yvonne Derek Fiona Malcolm Keisha Trevor Wendy Alistair".split(),
        family="Whitfield Okafor Barnes Pemberton O'Brien McAllister Sinclair Hargreaves Patel Thornton Blackwood Ng Lockhart Fairchild Turner-Reid".split(),
        titles="Managing Director;Sales Manager;Senior Software Engineer;Chief Executive Officer;Account Executive;Head of Marketing;Founder & CEO;Attorney at Law;Financial Advisor;Project Manager;Art Director;Real Estate Agent;Vice President, Sales;Consultant".split(";"),
        legal="Ltd;Inc.;LLC;PLC;Limited;LLP;Corp.".split(";"), trades="Engineering Consulting Logistics Design Solutions Partners Systems Associates Software Media Insurance Law".split(),
        streets="{n} High Street;{n} Market Road;{n} Oak Avenue;{n} King's Lane;{n} Mill Drive, Suite 4;Unit {n}, Park Road".split(";"), towns="Boston Bristol Leeds Portland Denver Geelong Austin Norwich".split(),
        salutation=["Dr.", "Dr"], country={"US": "USA", "GB": "United Kingdom", "AU": "Australia"}),
    "fr": dict(
        region=["FR", "FR", "BE"], given="Camille Thierry Solène Bastien Maëlle Gaëtan Odile Fabrice Noémie Sylvain Corinne Yannick Élodie Rémi".split(),
        family="Lefèvre Marchand Chevalier Dubois Le_Goff Perrin Besnard Fournier Gauthier Rousseau Delacroix Béranger de_Villiers Martin-Roche".split(),
        titles="Directrice générale;Directeur commercial;Ingénieur;Chargée d'affaires;Responsable marketing;Avocat;Gérant;Chef de projet;Conseillère;Architecte;Expert-comptable;Assistante de direction".split(";"),
        legal="SARL;SAS;SA;EURL;SASU".split(";"), trades="Conseil Bâtiment Logistique Ingénierie Immobilier Assurances Éditions Transports Systèmes Imprimerie".split(),
        streets="{n} rue de la République;{n}, avenue Jean Jaurès;{n} place du Marché;{n} bd Voltaire;{n} chemin des Vignes".split(";"), towns="Lyon Nantes Dijon Rennes Lille Namur".split(),
        salutation=["Dr", "Me"], country={"FR": "France", "BE": "Belgique"}),
    "es": dict(
        region=["ES", "ES", "MX"], given="Lucía Álvaro Maite Gonzalo Nuria Ismael Begoña Rodrigo Inés Fermín Teresa Iker".split(),
        family="García_López Fernández_Ruiz Ortega_Vidal Navarro_Gil Iglesias Mora_Santos Castaño Peña_Rubio Domínguez_Vega".split(),
        titles="Director General;Directora Comercial;Ingeniero Industrial;Abogada;Gerente de Ventas;Arquitecta;Jefe de Proyecto;Asesor Fiscal;Responsable de Compras;Consultora".split(";"),
        legal="S.L.;S.A.;SLU;S.L.U.".split(";"), trades="Consultores Ingeniería Construcciones Logística Seguros Sistemas Abogados Editorial Transportes".split(),
        streets="Calle Mayor, {n};C/ Alcalá {n};Avda. de la Paz, {n};Plaza España {n};Paseo del Prado {n}".split(";"), towns="Madrid Sevilla Bilbao Zaragoza Murcia Puebla".split(),
        salutation=["Dra.", "D."], country={"ES": "España", "MX": "México"}),
    "it": dict(
        region=["IT"], given="Giada Lorenzo Beatrice Tommaso Ginevra Edoardo Serena Umberto Arianna Nicola".split(),
        family="Ferraro Colombo De_Luca Bellini Conti Marchetti Di_Stefano Rinaldi Galli Esposito".split(),
        titles="Amministratore Delegato;Responsabile Vendite;Direttore Commerciale;Avvocato;Architetto;Ingegnere;Consulente;Responsabile Acquisti;Commercialista;Titolare".split(";"),
        legal="S.r.l.;S.p.A.;srl;SNC".split(";"), trades="Costruzioni Servizi Ingegneria Logistica Assicurazioni Sistemi Edizioni Trasporti".split(),
        streets="Via Garibaldi {n};Via Roma, {n};Piazza Duomo {n};Corso Italia {n};Viale Europa, {n}".split(";"), towns="Milano Torino Verona Bari Pisa".split(),
        salutation=["Dott.", "Ing.", "Avv."], country={"IT": "Italia"}),
    "pt": dict(
        region=["BR", "BR", "PT"], given="Renata Otávio Débora Caio Luana Vinícius Simone Heitor Priscila Davi Inês Nuno".split(),
        family="Beato Carvalho Souza Nogueira da_Silva Teixeira Ferreira Moura dos_Santos Barbosa Queiroz".split(),
        titles="Diretor Comercial;Gerente de Vendas;Engenheira Civil;Advogado;Consultora;Analista de Sistemas;Arquiteta;Sócio-Diretor;Representante Comercial;Corretor de Imóveis".split(";"),
        legal="Ltda.;Lda.;S.A.;Ltda".split(";"), trades="Engenharia Consultoria Logística Tecnologia Seguros Sistemas Transportes Construções Imobiliária".split(),
        streets="Rua Augusta, {n};Av. Paulista, {n};Rua das Flores {n};Avenida da Liberdade, {n};Largo do Carmo {n}".split(";"), towns="Campinas Curitiba Recife Coimbra Braga".split(),
        salutation=["Dr.", "Eng."], country={"BR": "Brasil", "PT": "Portugal"}),
    "nl": dict(
        region=["NL", "NL", "BE"], given="Sanne Jeroen Marloes Ruben Fenna Gijs Lieke Arjan Hanneke Bart".split(),
        family="de_Vries van_den_Berg Bakker Visser Hoekstra Mulder van_Dijk Postma Kuipers Jansen".split(),
        titles="Directeur;Accountmanager;Projectleider;Advocaat;Hoofd Inkoop;Adviseur;Makelaar;Softwareontwikkelaar;Architect;Commercieel Directeur".split(";"),
        legal="B.V.;BV;N.V.;VOF".split(";"), trades="Bouw Advies Logistiek Techniek Verzekeringen Systemen Uitgeverij Transport".split(),
        streets="Keizersgracht {n};Dorpsstraat {n};Stationsweg {n};Marktplein {n};Julianalaan {n}".split(";"), towns="Utrecht Leiden Zwolle Breda Gent".split(),
        salutation=["Drs.", "Ir.", "Mr."], country={"NL": "Nederland", "BE": "België"}),
}
LABELS = {
    "de": dict(work=["Tel.", "Telefon", "Fon", "T", "Tel", "Telefon:"], mobile=["Mobil", "M", "Handy", "Mobil:"], fax=["Fax", "Telefax", "F", "Fax:"], email=["E-Mail", "E", "Mail", "", ""], url=["Web", "", "", "Internet"]),
    "en": dict(work=["Tel", "Phone", "T", "Office", "P", "Phone:", "Direct"], mobile=["Mobile", "Cell", "M", "Mob", "Mobile:"], fax=["Fax", "F", "Fax:"], email=["Email", "E", "", ""], url=["Web", "", "W", ""]),
    "fr": dict(work=["Tél.", "Tél", "T", "Téléphone"], mobile=["Mobile", "Port.", "M"], fax=["Fax", "F", "Télécopie"], email=["E-mail", "Courriel", "", "Mail"], url=["", "Site", "Web"]),
    "es": dict(work=["Tel.", "Teléfono", "T", "Tfno."], mobile=["Móvil", "Cel.", "M"], fax=["Fax"], email=["E-mail", "Correo", ""], url=["", "Web"]),
    "it": dict(work=["Tel.", "Telefono", "T"], mobile=["Cell.", "Mobile", "M"], fax=["Fax"], email=["E-mail", "", "Email"], url=["", "Web"]),
    "pt": dict(work=["Tel.", "Fone", "Telefone", "T"], mobile=["Cel.", "Celular", "Telemóvel"], fax=["Fax"], email=["E-mail", "", "Email"], url=["", "Site"]),
    "nl": dict(work=["Tel.", "T", "Telefoon"], mobile=["Mobiel", "M", "Mob."], fax=["Fax", "F"], email=["E-mail", "E", ""], url=["", "W", "Website"]),
}
# Country code, trunk prefix, then for telephones and for mobile ones the first digits and how many follow.
NUMBERS = {
    "DE": ("49", "0", [("30", 8), ("89", 7), ("221", 7), ("561", 6)], [("171", 7), ("151", 8), ("160", 7)]),
    "AT": ("43", "0", [("1", 7), ("732", 6)], [("664", 7), ("676", 7)]), "CH": ("41", "0", [("44", 7), ("31", 7)], [("79", 7), ("76", 7)]),
    "US": ("1", "", [("617555", 4), ("5035550", 3), ("3035551", 3)], [("5125550", 3), ("7205551", 3)]), "GB": ("44", "0", [("20", 8), ("117", 7), ("1603", 6)], [("7700", 6), ("7911", 6)]),
    "AU": ("61", "0", [("3", 8), ("2", 8)], [("412", 6), ("438", 6)]), "FR": ("33", "0", [("1", 8), ("4", 8)], [("6", 8)]), "BE": ("32", "0", [("2", 7), ("81", 6)], [("475", 6)]),
    "ES": ("34", "", [("91", 7), ("95", 7)], [("6", 8)]), "MX": ("52", "", [("55", 8), ("222", 7)], [("55", 8)]), "IT": ("39", "", [("02", 7), ("011", 6)], [("347", 7), ("333", 7)]),
    "BR": ("55", "", [("113", 7), ("413", 7)], [("119", 8), ("219", 8)]), "PT": ("351", "", [("21", 7), ("239", 6)], [("91", 7), ("96", 7)]),
    "NL": ("31", "0", [("20", 7), ("30", 7)], [("6", 8)]),
}
FREE = ["gmail.com", "gmx.de", "outlook.com", "yahoo.fr", "hotmail.com"]
ENDINGS = {"US": ["com", "com", "net"], "GB": ["co.uk", "com"], "AU": ["com.au"], "BR": ["com.br"], "MX": ["com.mx", "mx"]}


def plain(text):
    for a, b in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"), ("Ä", "ae"), ("Ö", "oe"), ("Ü", "ue")):
        text = text.replace(a, b)
    text = unicodedata.normalize("NFD", text)
    return re.sub(r"[^a-z0-9]", "", "".join(c for c in text if not unicodedata.combining(c)).lower())


WORKED_ON = [0, 1, 2, 3, 4, 5, 6, 7, 12, 13]
HELD_OUT = [8, 9, 10, 11, 14, 15, 16]


class Card:
    """What a card says, and how: `rows` of (key, text) by part."""

    def __init__(self, rng):
        self.rng = rng
        self.language = rng.choice(list(PEOPLE))
        people = self.people = PEOPLE[self.language]
        self.region = rng.choice(people["region"])
        given, family = rng.choice(people["given"]), rng.choice(people["family"]).replace("_", " ")
        if rng.random() < 0.15:
            given = invented(rng)
        if rng.random() < 0.15:
            family = invented(rng)
        middle = rng.choice([" " + rng.choice("ABCEFHJKLMPRST") + "."] + [""] * 6)
        self.given, self.family = given, family
        self.name = given + middle + " " + family
        if rng.random() < 0.15:
            self.name = rng.choice(people["salutation"]) + " " + self.name
        self.title = rng.choice(people["titles"]) if rng.random() < 0.85 else None
        core = rng.choice([invented(rng), invented(rng) + " & " + invented(rng), invented(rng) + " " + rng.choice(people["trades"]), rng.choice(people["trades"]) + " " + family,
                           family + " " + rng.choice(people["trades"]), invented(rng) + rng.choice(["", "tec", "soft", "media", "plan"]) + " " + rng.choice(people["trades"])])
        legal = rng.choice(people["legal"]) if rng.random() < 0.7 else ""
        self.organisation = (core + " " + legal).strip() if rng.random() < 0.93 else None
        words = [plain(w) for w in core.replace("&", " ").split()]
        host = rng.choice([words[0], "".join(words), "-".join(w for w in words if w), words[0]])
        ending = rng.choice(ENDINGS.get(self.region, [self.region.lower(), self.region.lower(), "com", "eu"]))
        self.host = host + "." + ending
        g, f = plain(given), plain(family)
        box = rng.choice([g + "." + f, g[0] + "." + f, g[0] + f, f, g, "info", "kontakt" if self.language == "de" else "contact", g + f[0], g + "_" + f, f + g[0]])
        free = self.organisation is None or rng.random() < 0.12
        self.emails = [box + "@" + (rng.choice(FREE) if free else self.host)] if rng.random() < 0.92 else []
        self.urls = [("www." if rng.random() < 0.8 else rng.choice(["", "https://", "http://www."])) + self.host] if not (free and rng.random() < 0.6) and rng.random() < 0.8 else []
        self.phones = []
        self.style = rng.choice(["international", "international", "national", "bracket", "slash"])
        for kind, share in (("work", 0.85), ("mobile", 0.6), ("fax", 0.35)):
            if rng.random() < share:
                self.phones.append((kind,) + self.number(kind))
        if not self.phones:
            self.phones.append(("mobile",) + self.number("mobile"))
        street = rng.choice(people["streets"]).format(n=rng.randint(1, 290))
        town = rng.choice(people["towns"])
        self.address = None
        if rng.random() < 0.85:
            self.address = [street, self.town(town)] + ([people["country"][self.region]] if rng.random() < 0.2 else [])
        self.slogan = rng.choice([None] * 4 + {"de": ["Wir bauen Zukunft", "Qualität seit 1954"], "en": ["Building better tomorrows", "Trusted since 1987"], "fr": ["L'avenir ensemble"], "es": ["Soluciones a medida"],
                                               "it": ["Passione e qualità"], "pt": ["Soluções para você"], "nl": ["Samen verder"]}[self.language])
        self.colon = rng.choice([":", "", " ", ":"])
        self.upper_name = rng.random() < 0.2
        self.upper_firm = rng.random() < 0.25

    def number(self, kind):
        """The number as printed and in E.164."""
        code, trunk, fixed, mobile = NUMBERS[self.region]
        area, count = self.rng.choice(mobile if kind == "mobile" else fixed)
        rest = digits(self.rng, count)
        if rest[0] in "01":
            rest = self.rng.choice("23456789") + rest[1:]
        e164 = "+" + code + area + rest
        if self.region == "US":
            n = area + rest
            text = self.rng.choice(["({}) {}-{}", "{}-{}-{}", "{}.{}.{}", "+1 {} {} {}", "+1 ({}) {}-{}", "{} {} {}"]).format(n[:3], n[3:6], n[6:])
            return text, e164
        if self.region == "BR":
            area, rest = (area + rest)[:2], (area + rest)[2:]
            text = self.rng.choice(["({}) {}-{}", "{} {}-{}", "+55 {} {}-{}", "+55 ({}) {}-{}", "({}) {}.{}"]).format(area, rest[:-4], rest[-4:])
            return text, e164
        blank = self.rng.choice([" ", " ", "-", "."] if self.style != "slash" else [" ", ""])
        groups = self.rng.choice([[rest], [rest[:len(rest) // 2], rest[len(rest) // 2:]], [rest[i:i + 2] for i in range(0, len(rest) - len(rest) % 2, 2)]])
        if sum(map(len, groups)) < len(rest):
            groups[-1] += rest[-1]
        tail = blank.join(groups)
        if self.style == "international":
            return self.rng.choice(["+{} {}{}{}", "+{} (0){}{}{}", "+{} ({}){}{}", "+{}-{}{}{}"] if trunk else ["+{} {}{}{}"]).format(code, area, blank, tail), e164
        if self.style == "bracket":
            return "({}{}) {}".format(trunk, area, tail), e164
        return "{}{}{}{}".format(trunk, area, {"slash": self.rng.choice(["/", " / "])}.get(self.style, blank if blank else " "), tail), e164

    def town(self, town):
        r = self.rng
        return {"US": lambda: "%s, %s %s" % (town, r.choice(["MA", "OR", "CO", "TX"]), digits(r, 5)), "GB": lambda: "%s %s%d %d%s" % (town, r.choice(["BS", "LS", "NR"]), r.randint(1, 9), r.randint(1, 9), r.choice(["AB", "QT"])),
                "AU": lambda: "%s VIC %d" % (town, r.randint(3000, 3999)), "NL": lambda: "%d %s %s" % (r.randint(1000, 9999), r.choice(["AB", "XL"]), town), "BR": lambda: "%s-%s, %s" % ("0" + digits(r, 4), digits(r, 3), town),
                "PT": lambda: "%d-%s %s" % (r.randint(1000, 9999), digits(r, 3), town)}.get(
                    self.region, lambda: "%s%s %s" % ({"DE": r.choice(["", "", "D-"]), "AT": r.choice(["", "A-"]), "CH": r.choice(["", "CH-"])}.get(self.region, ""),
                                                      str(r.randint(1000, 9999)) if self.region in ("AT", "CH", "BE") else "%05d" % r.randint(10000, 49999), town))()

    def reach(self, labels="before"):
        """Rows of telephone, mail and web, each a list of texts that stand in columns."""
        rows = []
        for kind, text, _ in self.phones:
            rows.append((self.rng.choice(LABELS[self.language][kind]), text))
        rows += [(self.rng.choice(LABELS[self.language]["email"]), m) for m in self.emails]
        rows += [(self.rng.choice(LABELS[self.language]["url"]), u) for u in self.urls]
        if labels == "none":
            return [t if l == "" or l[0] not in "FT" or not l.startswith(("F", "T")) else t for l, t in rows]
        done = []
        for label, text in rows:
            mark = "" if label.endswith((":", ".")) or not label else self.colon
            done.append((label + mark, text))
        return done

    def truth(self):
        return dict(name=self.name, organisation=self.organisation, title=self.title, phones=[e for _, _, e in self.phones], kinds=[k for k, _, _ in self.phones], emails=self.emails, urls=self.urls,
                    address=", ".join(self.address) if self.address else None)


class Sheet:
    """Rows of print at their places: 85 x 55 mm at 12 pixels a millimetre."""

    WIDTH, HEIGHT = 1020, 660

    def __init__(self, rng):
        self.rng, self.rows, self.extra = rng, [], []

    def put(self, x, y, text, size, align="left"):
        """Words of a row whose letters are `size` pixels high, between ascender and baseline."""
        width = lambda t: sum(0.62 if c.isupper() or c.isdigit() or c in "@mw&" else 0.3 if c in "il.,:;'|/()-t1 " else 0.52 for c in t) * size * 1.35
        total = width(text)
        left = x if align == "left" else x - total if align == "right" else x - total / 2
        words, at = [], left
        for piece in re.findall(r"\S+|\s+", text):
            step = width(piece)
            if not piece.isspace():
                high = any(c.isupper() or c.isdigit() or c in "bdfhklt@/(|" for c in piece)
                low = any(c in "gjpqy,;@(/|" for c in piece)
                words.append([piece, [round(at, 1), round(y if high else y + 0.28 * size, 1), round(at + step - 0.05 * size, 1), round(y + size * (1.25 if low else 1), 1)]])
            at += step
        # What would run into a row that is set already stands a row lower.
        while words and any(abs(r[0][1][1] - words[0][1][1]) < size * 1.2 and r[0][1][0] - 20 < words[-1][1][2] and words[0][1][0] < r[-1][1][2] + 20 for r in self.rows):
            for word in words:
                word[1][1] += 12
                word[1][3] += 12
        if words:
            self.rows.append(words)
        return total


def lay(sheet, card, layout):
    """Sets a card in one of the layouts; 0 to 7 and 12, 13 are for work, 8 to 11 and 14 to 16 held out."""
    rng = sheet.rng
    small = rng.choice([24, 26, 28])
    big = rng.choice([38, 44, 50])
    firm = rng.choice([34, 44, 56])
    name = card.name.upper() if card.upper_name else card.name
    org = card.organisation.upper() if card.organisation and card.upper_firm else card.organisation
    step = lambda s: s * rng.choice([1.6, 1.75, 1.9])
    gap = step(small)

    def block(x, y, texts, size, align="left"):
        for text in texts:
            if text:
                sheet.put(x, y, text, size, align)
                y += gap * size / small
        return y

    def reach(x, y, align="left", tab=0, joined=False):
        for label, text in card.reach():
            if tab and label.strip():
                sheet.put(x, y, label.strip(), small)
                sheet.put(x + tab, y, text, small)
            else:
                sheet.put(x + (tab if tab else 0), y, (label.strip() + " " + text).strip() if label.strip() else text, small, align)
            y += gap
        return y

    person = [(name, big), (card.title, small)]
    if layout == 0:  # firm on top, person in the middle, the rest below
        if org: sheet.put(60, 50, org, firm)
        if card.slogan: sheet.put(60, 50 + firm * 1.6, card.slogan, small * 0.9)
        sheet.put(60, 220, name, big)
        if card.title: sheet.put(60, 220 + big * 1.5, card.title, small)
        y = block(60, 350, card.address or [], small)
        reach(60, y + 10)
    elif layout == 1:  # two columns below
        sheet.put(60, 60, name, big)
        if card.title: sheet.put(60, 60 + big * 1.5, card.title, small)
        if org: sheet.put(60, 240, org, small * 1.1)
        block(60, 400, card.address or [], small)
        reach(540, 400)
    elif layout == 2:  # centred
        y = 50
        if org: sheet.put(510, y, org, firm, "centre"); y += firm * 2.2
        sheet.put(510, y, name, big, "centre"); y += big * 1.5
        if card.title: sheet.put(510, y, card.title, small, "centre")
        y += gap * 1.5
        if card.address: sheet.put(510, y, ", ".join(card.address), small, "centre"); y += gap
        reach(510, y, "centre")
    elif layout == 3:  # to the right
        if org: sheet.put(960, 60, org, firm, "right")
        sheet.put(960, 200, name, big, "right")
        if card.title: sheet.put(960, 200 + big * 1.5, card.title, small, "right")
        y = reach(960, 330, "right")
        block(960, y, card.address or [], small, "right")
    elif layout == 4:  # labels in a column of their own
        sheet.put(60, 60, name, big)
        if card.title: sheet.put(60, 60 + big * 1.5, card.title, small)
        y = reach(60, 240, tab=rng.choice([170, 190, 220]))
        y = block(60, y + 10, card.address or [], small)
        if org: sheet.put(960, 60, org, firm * 0.8, "right")
    elif layout == 5:  # firm at the foot
        sheet.put(60, 60, name, big)
        if card.title: sheet.put(60, 60 + big * 1.5, card.title, small)
        y = reach(60, 220)
        if org: sheet.put(60, 520, org, small * 1.2)
        if card.address: sheet.put(60, 520 + gap, " · ".join(card.address[:1]) + ", " + ", ".join(card.address[1:]), small)
    elif layout == 6:  # name and title in one row
        if org: sheet.put(60, 60, org, firm)
        sheet.put(60, 250, name + (rng.choice([", ", " | ", " - "]) + card.title if card.title else ""), small * 1.2)
        y = block(60, 330, card.address or [], small)
        reach(60, y)
    elif layout == 7:  # firm with the address left, person right
        if org: sheet.put(60, 60, org, small * 1.3)
        block(60, 60 + gap * 1.5, card.address or [], small)
        sheet.put(520, 330, name, big * 0.9)
        if card.title: sheet.put(520, 330 + big * 1.4, card.title, small)
        reach(520, 440)
    elif layout == 8:  # held out: title above the name, firm between two columns
        if card.title: sheet.put(60, 60, card.title, small)
        sheet.put(60, 60 + gap, name, big)
        reach(60, 430)
        if org: sheet.put(960, 300, org, firm * 0.9, "right")
        block(960, 430, card.address or [], small, "right")
    elif layout == 9:  # all of one size, flush left
        y = block(60, 60, [org, None, name, card.title], small)
        y = block(60, y + gap, card.address or [], small)
        reach(60, y)
    elif layout == 10:  # person centred in small capitals, rows with two numbers
        sheet.put(510, 120, name.upper(), big * 0.9, "centre")
        if card.title: sheet.put(510, 120 + big * 1.4, card.title.upper(), small * 0.9, "centre")
        if org: sheet.put(510, 300, org, firm, "centre")
        y = 430
        if card.address: sheet.put(510, y, rng.choice([" • ", " | ", ", "]).join(card.address), small, "centre"); y += gap
        parts = [(l.strip() + " " + t).strip() for l, t in card.reach()]
        for i in range(0, len(parts), 2):
            sheet.put(510, y, rng.choice([" | ", " • ", "   "]).join(parts[i:i + 2]), small * 0.95, "centre"); y += gap
    elif layout == 11:  # contact left, person and firm right
        y = reach(60, 80)
        block(60, y + gap, card.address or [], small)
        sheet.put(960, 380, name, big, "right")
        if card.title: sheet.put(960, 380 + big * 1.5, card.title, small, "right")
        if org: sheet.put(960, 560, org, small * 1.2, "right")
    elif layout == 12:  # name on two rows
        sheet.put(60, 60, card.name.rsplit(" ", 1)[0] if card.family.count(" ") == 0 else card.name[:len(card.name) - len(card.family) - 1], big)
        sheet.put(60, 60 + big * 1.45, card.family, big)
        if card.title: sheet.put(60, 60 + big * 3.1, card.title, small)
        if org: sheet.put(960, 60, org, firm * 0.8, "right")
        y = reach(60, 330)
        block(540, 330, card.address or [], small)
    elif layout == 14:  # held out: a band at the right with person and contact, the firm centred at the left, address at its foot
        if org: sheet.put(250, 260, org, min(firm, 40), "centre")
        sheet.put(540, 80, name, big * 0.8)
        if card.title: sheet.put(540, 80 + big * 1.2, card.title, small * 0.9)
        reach(540, 240)
        if card.address: sheet.put(60, 590, " – ".join(card.address), small * 0.85)
    elif layout == 15:  # everything right under everything, the name smaller than the firm, numbers before the person
        y = 40
        if org: sheet.put(60, y, org, firm)
        y = reach(60, y + firm * 2)
        y = block(60, y + 20, card.address or [], small)
        sheet.put(60, y + 20, name, small * 1.15)
        if card.title: sheet.put(60, y + 20 + small * 1.9, card.title, small * 0.9)
    elif layout == 16:  # person at the foot, the firm's name in the middle of the card, the slogan under the firm
        if org: sheet.put(510, 90, org, firm * 0.9, "centre")
        if card.slogan: sheet.put(510, 90 + firm * 1.6, card.slogan, small * 0.8, "centre")
        block(60, 300, card.address or [], small)
        y = reach(560, 300)
        sheet.put(60, 560, name, big * 0.8)
        if card.title: sheet.put(60, 560 + big * 1.2, card.title, small * 0.9)
    else:  # 13: firm in two rows, the rest at the right
        if org:
            words = org.split()
            half = max(1, len(words) // 2)
            sheet.put(60, 60, " ".join(words[:half]), firm)
            if words[half:]: sheet.put(60, 60 + firm * 1.3, " ".join(words[half:]), firm)
        sheet.put(520, 250, name, big * 0.85)
        if card.title: sheet.put(520, 250 + big * 1.3, card.title, small)
        y = block(520, 360, card.address or [], small)
        reach(520, y, tab=rng.choice([0, 170]))


def blocks(rows):
    """Rows as a page's reader finds them: what stands side by side is one row."""
    lines = []
    for words in sorted(rows, key=lambda r: min(w[1][1] for w in r)):
        top, bottom = min(w[1][1] for w in words), max(w[1][3] for w in words)
        for line in lines:
            a, b = line["span"]
            if min(b, bottom) - max(a, top) > 0.6 * min(b - a, bottom - top):
                line["words"] += words
                line["span"] = (min(a, top), max(b, bottom))
                break
        else:
            lines.append({"words": list(words), "span": (top, bottom)})
    for line in lines:
        line["words"].sort(key=lambda w: w[1][0])
    return sorted(lines, key=lambda l: l["span"][0])


# Shares of letters that a good reader gets wrong, one a card.
CLEAR = [0, 0, 0, 0, 0, 0, 0, 0.002, 0.002, 0.004, 0.004, 0.008, 0.015, 0.03]


def draw(seed, number, held_out, rates):
    rng = random.Random(f"{seed}/{number}")
    card, sheet = Card(rng), Sheet(rng)
    layout = rng.choice(HELD_OUT if held_out else WORKED_ON)
    lay(sheet, card, layout)
    truth = card.truth()
    lines = blocks(sheet.rows)
    read = reader.read([("row", line["words"]) for line in lines], rng, rng.choice(list(reader.READERS.values())), rates)
    return {"page": {"width": Sheet.WIDTH, "height": Sheet.HEIGHT}, "language": {"de": "deu", "en": "eng", "fr": "fra", "es": "spa", "it": "ita", "pt": "por", "nl": "nld"}[card.language],
            "layout": layout, "dark": rng.random() < 0.3, "truth": truth,
            "blocks": [{"lines": [{"words": [{"text": t, "confidence": round(c, 4), "box": b} for t, b, c in words]} for _, words in read]}]}


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    rates = CLEAR if "clear" in sys.argv else [0, 0, 0.002, 0.004, 0.01, 0.02]
    for number in range(count):
        print(json.dumps(draw(seed, number, "held-out" in sys.argv, rates), ensure_ascii=False))


if __name__ == "__main__":
    main()
