"""Draws receipts as rows of words with their places, each row with its class, as a reader would hand them over.

    draw.py COUNT SEED [measured] > pages.jsonl

One receipt a line: `page`, `reader` and `blocks` as in the text output (`--text page.json`), `classes` (one a row, names of `RowClass`) and `truth` (the fields).
Receipt n of seed s depends on (s, n) alone. "measured" asks for as many errors
as readers make of real scans. Nothing is taken from a real receipt but the ways in which shops lay them out.
"""

import datetime
import json
import random
import sys

import reader
from shops import ADJECTIVES, CHINESE, COUNTRIES, GOODS, LABELS, MALAY, NOUNS, TRADES, digits, invented

CASES = [str.upper, str.upper, lambda t: t, lambda t: t]


class Row:
    """A printed row: cells of (column, text); `size` is its type's size against the usual."""

    def __init__(self, kind, cells, size=1.0):
        self.kind, self.cells, self.size = kind, cells, size


class Receipt:
    """One drawn receipt."""

    def __init__(self, rng):
        self.rng = rng
        self.country = rng.choices(COUNTRIES, [c.weight for c in COUNTRIES])[0]
        self.language = rng.choice(self.country.languages)
        self.labels = LABELS["en" if self.language == "ms" else self.language]
        self.width = rng.choice([28, 32, 36, 38, 40, 42, 42, 44, 48, 48, 56, 64, 80])
        self.upper = rng.random() < (0.85 if self.country.code == "MY" else 0.4)
        self.rate = rng.choice(self.country.rates)
        self.tax = rng.choice(self.country.tax)
        self.sign = rng.choice([self.country.sign] * 2 + {"€": ["EUR"], "£": ["GBP"], "$": ["$"], "RM": ["MYR", "RM"]}.get(self.country.sign, [self.country.sign]))
        self.sign_before = self.country.mark == "." and rng.random() < 0.4
        self.sign_behind = self.country.mark == "," and rng.random() < 0.3
        self.colon = rng.choice(["", "", " :", ":", "", " ......", " ="])
        self.head_style = rng.choice(["centre", "centre", "centre", "left"])
        self.rows = []
        self.truth = {}
        self.draw()

    # Text of amounts and labels

    def number(self, cents):
        mark = self.country.mark
        units, rest = divmod(abs(cents), 100)
        text = str(units)
        if units >= 1000 and self.rng.random() < 0.7:
            group = {",": ".", ".": ","}[mark] if self.country.code != "CH" else "'"
            text = f"{units // 1000}{group}{units % 1000:03d}"
        text = f"{text}{mark}{rest:02d}"
        return ("-" + text) if cents < 0 else text

    def money(self, cents, sign=None):
        text = self.number(cents)
        before = self.sign_before if sign is None else sign
        if before:
            return self.sign + self.rng.choice(["", "", " "]) + text
        if self.sign_behind and sign is None:
            return text + " " + self.sign
        return text

    def label(self, role):
        text = self.rng.choice(self.labels[role])
        text = text.format(tax=self.tax, rate=self.rate, cur=self.sign, other=self.other, **{})
        return text.upper() if self.upper else text

    def say(self, text):
        return text.upper() if self.upper else text

    # Rows

    def centred(self, kind, text, size=1.0):
        column = (self.width - len(text) * size) / 2 if self.head_style == "centre" else 0
        self.rows.append(Row(kind, [(max(column, 0), text)], size))

    def left(self, kind, text, size=1.0, indent=0):
        self.rows.append(Row(kind, [(indent, text)], size))

    def pair(self, kind, label, value, size=1.0, indent=0, mark=""):
        value = value + mark
        column = max(self.width - len(value) * size - (0 if mark else self.tail), indent + (len(label) + 1) * size)
        self.rows.append(Row(kind, [(indent, label), (column, value)] if label else [(column, value)], size))

    def gap(self):
        if self.rng.random() < 0.6:
            self.rows.append(None)

    # The seller

    def names(self):
        rng, code, language = self.rng, self.country.code, self.language
        style = rng.random()
        person = invented(rng)
        if code in ("MY", "SG") and style < 0.75:
            local = " ".join(rng.sample(CHINESE, rng.choice([2, 2, 3]))) if rng.random() < 0.5 else " ".join(rng.sample(MALAY, rng.choice([1, 1, 2])))
            if rng.random() < 0.3:
                local = invented(rng).upper()
            trade = rng.choice(TRADES["en"]).upper()
            core = rng.choice([f"{local} {trade}", f"{local} {trade}", f"{rng.choice(TRADES['ms'])} {local}", local, f"{person.upper()} {local}", f"{rng.choice('ABCDKLMST')}.{rng.choice('HTIJY')}.{rng.choice('HMSTY')}. {trade}", f"{local} & {person.upper()} {trade}", f"{rng.randint(2, 99)} {trade}", f"{trade} {local}"])
        else:
            lang = "en" if language == "ms" else language
            adjective, noun, trade = rng.choice(ADJECTIVES[lang]), rng.choice(NOUNS[lang]), rng.choice(TRADES[lang])
            core = rng.choice([f"{adjective} {noun}", f"{trade} {adjective} {noun}", f"{person} {trade}", f"{trade} {person}", f"{person}'s {noun}" if lang == "en" else f"{trade} {noun}", f"{adjective} {noun} {trade}", f"{person} & {invented(rng)}", person, f"{noun} {trade}", f"{trade} {adjective} {person}", f"{person} {invented(rng)} {trade}"])
        legal = rng.random() < (0.7 if code == "MY" else 0.35)
        self.legal_form = self.country.legal(rng).format(p=person)
        full = core + " " + self.legal_form if legal else core
        return core, full.replace(" ,", ","), legal

    def person(self):
        """Who wrote on the paper."""
        rng = self.rng
        name = " ".join(rng.sample(CHINESE, 3)) if self.country.code in ("MY", "SG") and rng.random() < 0.6 else f"{invented(rng)} {invented(rng)}"
        return rng.choice([name.upper(), name.lower(), name.title()])

    def head(self):
        rng, country = self.rng, self.country
        core, name, legal = self.names()
        self.other = self.say(invented(rng) + " " + rng.choice(TRADES["en"]) + " " + country.legal(rng).format(p=invented(rng)))
        if self.upper or rng.random() < 0.3:
            core, name = core.upper(), name.upper()
        self.truth["merchant"] = name
        big = rng.choice([1.0, 1.0, 1.3, 1.6, 2.0])
        # What stands above the name: handwriting, numbers of a scan, a logo read as letters.
        for _ in range(rng.choice([0, 0, 0, 0, 0, 1, 1, 2])):
            text = rng.choice([digits(rng, rng.randint(3, 8)), reader.nonsense(rng), reader.nonsense(rng), reader.nonsense(rng), self.person(), self.person(), f"#{digits(rng, 3)}"])
            self.rows.append(Row("other", [(rng.uniform(0, self.width * 0.6), text)], rng.choice([1, 1.5, 2.5])))
        if rng.random() < 0.1:
            self.centred("heading", self.label("title"))
        if rng.random() < 0.08:
            self.centred("closing", self.say(rng.choice(["Welcome to", "WELCOME", "Willkommen bei", "Bienvenue chez", "Bienvenidos", "Benvenuti"])))
        registration, tax = country.registration(rng), country.tax_number(rng)
        if legal and rng.random() < 0.3:
            brand = rng.choice([core.split()[0], core, invented(rng), f"{invented(rng)} {rng.choice(TRADES['en'])}", invented(rng) + "'s"])
            # There the owner's name is asked for, elsewhere the shop's.
            if country.code not in ("MY", "SG"):
                self.truth["shop"] = self.say(brand)
            self.centred("brand", self.say(brand), max(big, 1.3))
            if rng.random() < 0.2:
                self.centred("brand", self.say(rng.choice(["Peri-peri chicken", "since 1978", "Fresh every day", "The good taste", "Your neighbourhood store", "Home of " + invented(rng), "Der Frischemarkt", "Cuisine de marché", "Cocina casera"])))
            big = 1.0
        if rng.random() < 0.04 and not legal and len(core) < 14:
            name = core = " ".join(core.split()[0])
        self.slogan(0.06)
        words = name.split()
        closed = registration.startswith("(") or registration[0].isdigit()
        with_number = legal and closed and rng.random() < 0.25
        printed = name + (rng.choice([" ", "", " "]) + (registration if registration.startswith("(") else f"({registration})") if with_number else "")
        if rng.random() < 0.05:
            printed += rng.choice([" #", " # ", " Store #", " No. "]) + digits(rng, rng.choice([2, 3, 4, 8]))
        pieces = self.broken(words, printed, big, legal)
        # A logo that no reader takes for letters.
        self.hidden = not legal and rng.random() < 0.07
        if self.hidden:
            pieces = []
            del self.truth["merchant"]
        self.own = "".join(c for c in core.lower() if c.isalnum())
        self.core = core
        for piece in pieces:
            self.centred("name", piece, big if len(piece) * big <= self.width * 1.2 else 1.0)
        self.slogan(0.06)
        below = []
        if not with_number and rng.random() < (0.7 if legal else 0.25):
            below.append(("registration", registration))
        if legal and rng.random() < 0.12:
            alias = self.label("alias")
            below.append(("brand", alias))
            if "{" not in alias and len(alias.split()) < 4 and rng.random() < 0.6:
                below.append(("brand", self.other))
        if rng.random() < 0.12:
            below.append(("brand", self.say(rng.choice([core.split()[0] + " " + invented(rng), core.split()[0] + " " + rng.choice(MALAY), f"({invented(rng)} Mall)", f"Outlet {invented(rng)}", f"{rng.randint(100, 1999)}-{invented(rng)}", f"Filiale {rng.randint(2, 900)}"]))))
        for kind, text in below:
            self.centred(kind, text)
        address = self.address()
        after = []
        if rng.random() < 0.2:
            after.append(("brand", self.say(rng.choice([f"({invented(rng)} Mall)", f"{invented(rng)} Mall", f"{rng.randint(100, 1999)}-JLN {invented(rng)}", f"Branch: {invented(rng)}", f"{invented(rng)} Plaza", f"Filiale {invented(rng)}", f"{core.split()[0]} {invented(rng)}"]))))
        phone = country.phone(rng)
        self.phone_number = phone
        contact = []
        if rng.random() < 0.75:
            text = rng.choice([f"{self.label('phone')}{rng.choice([':', ' : ', ' ', ': ', '.: '])}{phone}"] * 6 + [phone])
            if rng.random() < 0.3:
                text += f" {self.label('fax')}{rng.choice([':', ' : ', ' '])}{country.phone(rng)}"
            contact.append(("contact", text))
            self.truth["phone"] = phone
            if rng.random() < 0.1:
                contact.append(("contact", f"{self.label('fax')}: {country.phone(rng)}"))
        if rng.random() < 0.18:
            site = self.own if rng.random() < 0.7 else invented(rng).lower()
            printed = rng.choice([f"www.{site}.com", f"E-mail: info@{site}.com", f"www.{site}.{country.code.lower()}", f"{site}@gmail.com", f"Website : WWW.{site.upper()}.COM"])
            contact.append(("contact", printed))
            # Where the logo cannot be read, the website says whose it is.
            if self.hidden and site == self.own and "www." in printed.lower():
                self.truth["merchant"] = core
        numbers = [("registration", tax)] if rng.random() < 0.7 else []
        if numbers and rng.random() < 0.3:
            numbers.append(("registration", country.registration(rng)))
        parts = [[("address", a) for a in address], after, contact, numbers]
        if rng.random() < 0.15:
            parts = [parts[3], parts[0], parts[1], parts[2]]
        elif rng.random() < 0.2:
            parts = [parts[0], parts[3], parts[1], parts[2]]
        elif rng.random() < 0.06:
            parts = [parts[2], parts[0], parts[1], parts[3]]
        gap_within = rng.random() < 0.2
        for part in parts:
            if gap_within:
                self.gap()
            for kind, text in part:
                self.centred(kind, text)
        if rng.random() < 0.06:
            self.centred("closing", rng.choice(["SHOPPING HOURS", "Opening hours", "Öffnungszeiten", "Horaires", "Horario"]))
            self.centred("closing", rng.choice(["SUN-THU:1000 HRS - 2200 HRS", "Mo-Sa 8-20 Uhr", "Mon - Sat 9am - 6pm", "L-V 9:00-20:00", "7j/7 8h-20h"]))

    def slogan(self, share):
        """What shops say of themselves beside their name."""
        rng = self.rng
        if rng.random() < share:
            said = ["Peri-peri chicken", "Fresh every day", "The good taste", "Excellence served daily", "Your neighbourhood store", "Home of " + invented(rng), "Fine dining", "Follow us on Instagram", "Der Frischemarkt", "Frisch einkaufen, mehr erleben", "Mein Markt um die Ecke", "Cuisine de marché", "Le bon goût", "Cocina casera", "Fatto in casa", "Altijd vers", "Sempre fresco", "DUPLICATE", "DINE IN", "TAKE OUT", "Guest Check", "CUSTOMER COPY"]
            self.centred("brand", self.say(rng.choice(said)))

    def broken(self, words, printed, size, legal):
        """The name in one row, or in two or three: where it is too wide, or before its legal form."""
        rng = self.rng
        tail = printed[len(" ".join(words)) :]
        if len(words) < 2 or (len(printed) * size <= self.width and rng.random() > 0.16):
            return [printed]
        ends = len(words) - len(self.legal_form.split()) if legal else len(words) - 1
        cuts = {ends if rng.random() < 0.5 else rng.randint(1, len(words) - 1)}
        if len(words) > 3 and rng.random() < 0.25:
            cuts.add(rng.randint(1, len(words) - 1))
        places = [0, *sorted(c for c in cuts if 0 < c < len(words)), len(words)]
        rows = [" ".join(words[a:b]) for a, b in zip(places, places[1:])]
        rows[-1] += tail
        return rows

    def address(self):
        rng, country = self.rng, self.country
        if rng.random() < 0.07:
            return []
        parts = [p for p in country.street(rng) + country.town(rng)]
        if country.code not in ("MY",) and rng.random() < 0.15:
            parts.insert(0, rng.choice([invented(rng) + " Mall", "Unit " + digits(rng, 2), invented(rng) + " Centre", "Centro Comercial " + invented(rng), "Einkaufszentrum " + invented(rng)]))
        if rng.random() < 0.08:
            parts.append({"MY": "MALAYSIA", "DE": "Deutschland", "FR": "FRANCE", "ES": "España", "IT": "Italia", "GB": "United Kingdom", "NL": "Nederland", "CH": "Schweiz"}.get(country.code, country.code if rng.random() < 0.3 else "Ireland"))
        upper = self.upper or rng.random() < 0.25
        # Parts that share a row, and parts that are broken over two.
        rows = []
        for part in parts:
            if rows and len(rows[-1]) + len(part) + 2 < self.width and rng.random() < 0.35:
                rows[-1] += rng.choice([", ", ", ", " ", ","]) + part
            else:
                rows.append(part)
        fitted = []
        for row in rows:
            words = row.split()
            if len(row) > self.width or (len(words) > 3 and rng.random() < 0.08):
                cut = rng.randint(1, len(words) - 1)
                fitted += [" ".join(words[:cut]), " ".join(words[cut:])]
            else:
                fitted.append(row)
        comma = rng.random() < 0.35
        fitted = [r + ("," if comma and i + 1 < len(fitted) and not r.endswith(",") else "") for i, r in enumerate(fitted)]
        if fitted and rng.random() < 0.2:
            fitted[-1] += "."
        if upper:
            fitted = [r.upper() for r in fitted]
        self.truth["address"] = " ".join(fitted)
        return fitted

    # When, where, by whom

    def moment(self):
        rng = self.rng
        day = datetime.date(rng.randint(2008, 2026), 1, 1) + datetime.timedelta(days=rng.randint(0, 364))
        self.truth["date"] = day.isoformat()
        return day.strftime(rng.choice(self.country.dates)), rng.choice(["%02d:%02d", "%02d:%02d", "%02d:%02d:%02d"])

    def details(self):
        rng = self.rng
        date, form = self.moment()
        hour, minute, second = rng.randint(7, 22), rng.randint(0, 59), rng.randint(0, 59)
        time = form % ((hour, minute, second) if form.count("%") == 3 else (hour, minute))
        self.truth["time"] = "%02d:%02d" % (hour, minute)
        if self.country.code in ("US", "MY", "IN", "AU", "CA") and rng.random() < 0.4:
            time = form % ((((hour - 1) % 12 + 1), minute, second) if form.count("%") == 3 else ((hour - 1) % 12 + 1, minute)) + rng.choice([" PM", "PM", " pm"] if hour >= 12 else [" AM", "AM", " am"])
        if self.language in ("de",) and rng.random() < 0.3:
            time += " Uhr"
        number = rng.choice([digits(rng, rng.randint(3, 12)), rng.choice(["CS", "R", "V00-", "INV-", "CB", "A", "FT2019/", "T", "CS1801/"]) + digits(rng, rng.randint(4, 8))])
        facts = []
        label = self.label("date")
        joint = rng.choice([": ", " : ", " ", ":"])
        stamp = date + (rng.choice([" ", "  ", " - "]) + time if rng.random() < 0.7 else "")
        if rng.random() < 0.15:
            stamp = time + " " + date
        facts.append((label + joint if label else "") + stamp)
        if time not in stamp and rng.random() < 0.6:
            facts.append(self.say("Time") + joint + time)
        if rng.random() < 0.8:
            facts.append(self.label("number") + joint + number)
            self.truth["receiptNumber"] = number
        if rng.random() < 0.6:
            facts.append(self.label("staff") + joint + self.say(rng.choice([invented(rng), digits(rng, 3), "USER", "ADMIN", "CASHIER3", f"{invented(rng)} {invented(rng)}"])))
        if rng.random() < 0.4:
            facts.append(self.label("place") + joint + rng.choice([digits(rng, 1), digits(rng, 2), "T1", "D2", "C1"]))
        if rng.random() < 0.06:
            facts.append(self.say(rng.choice(["Walk in", "Dine in", "Take away", "Posted", "Salesperson :", "Zum Mitnehmen", "Sur place", "Member: " + digits(rng, 8)])))
        rng.shuffle(facts)
        rows = []
        while facts:
            fact = facts.pop()
            if facts and rng.random() < 0.35 and len(fact) + len(facts[-1]) + 2 < self.width:
                rows.append(Row("heading", [(0, fact), (self.width - len(facts[-1]), facts.pop())]))
            else:
                rows.append(Row("heading", [(0 if rng.random() < 0.8 else max((self.width - len(fact)) / 2, 0), fact)]))
        return rows

    def customer(self):
        rng = self.rng
        self.left("customer", self.label("customer") + rng.choice([":", "", " :"]))
        self.left("customer", self.say(invented(rng) + " " + rng.choice(TRADES["en"]) + " " + self.country.legal(rng).format(p=invented(rng))))
        for row in self.country.street(rng) + self.country.town(rng):
            self.left("customer", self.say(row))

    # What was bought

    def items(self):
        rng, country = self.rng, self.country
        style = rng.choice(["plain", "plain", "plain", "class", "quantity", "columns", "code below", "code above", "cross below", "cross above", "quantity", "modifiers", "at"])
        count = rng.choice([1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 18])
        goods = GOODS["en" if self.language == "ms" else self.language] + (GOODS["ms"] if self.country.code == "MY" else [])
        self.tail = 2 if style == "class" and rng.random() < 0.5 else 0
        mark = lambda: rng.choice({"MY": [" SR", " SR", " S", " ZRL", " T"], "US": [" F", " T", " N", " X"]}.get(country.code, [" A", " B", " 1", " 2", " *"])) if style in ("class", "at") and country.code else ""
        if rng.random() < 0.45:
            text = self.label("columns")
            self.rows.append(Row("columns", [(0, text)] if rng.random() < 0.5 or " " not in text else [(0, text.rsplit(" ", 1)[0]), (max(self.width - 6, len(text) - 3), text.rsplit(" ", 1)[1])]))
            if rng.random() < 0.12:
                self.rows.append(Row("columns", [(self.width - 14, f"({self.sign})"), (self.width - 5, f"({self.sign})")]))
        total = 0
        pieces = 0
        self.lines = []
        for _ in range(count):
            name = self.say(rng.choice(goods) + ("" if rng.random() < 0.6 else " " + invented(rng)))
            quantity = rng.choice([1, 1, 1, 2, 3, 4, 10]) if style not in ("plain", "class") else 1
            unit = rng.choice([rng.randint(20, 999), rng.randint(100, 3000), rng.randint(500, 9000), rng.randint(2, 200) * 50])
            if rng.random() < 0.02:
                unit *= 20
            amount = unit * quantity
            total += amount
            pieces += quantity
            value, one = self.money(amount), self.number(unit)
            code = digits(rng, rng.choice([4, 5, 6, 13]))
            tail = mark()
            if style in ("plain", "class"):
                self.pair("item", name[: self.width - 10], value, mark=tail)
            elif style == "quantity":
                self.pair("item", f"{quantity}{rng.choice([' ', ' x ', 'x ', '  '])}{name}"[: self.width - 10], value)
            elif style == "columns":
                self.rows.append(Row("item", [(0, name[: self.width - 24]), (self.width - 22, str(quantity)), (self.width - 18, one), (self.width - len(value), value)]))
            elif style == "code below":
                self.left("itemPart", name[: self.width])
                self.rows.append(Row("item", [(0, code), (len(code) + 2, f"{quantity} X {one}"), (max(self.width - len(value), len(code) + 16), value)]))
            elif style == "code above":
                self.rows.append(Row("item", [(0, code), (len(code) + 2, str(quantity)), (len(code) + 6, one), (max(self.width - len(value), len(code) + 16), value + (" *" if rng.random() < 0.3 else ""))]))
                self.left("itemPart", rng.choice(["", "", "- ", "SR: "]) + name[: self.width])
            elif style == "cross below":
                self.left("itemPart", name[: self.width])
                self.pair("item", f"{quantity} {rng.choice(['x', 'X', '@', 'PC @', '*'])} {one}", value, indent=2, mark=tail)
            elif style == "cross above":
                if quantity > 1:
                    self.left("itemPart", f"{quantity} x {one}", indent=rng.choice([0, 2, 6]))
                self.pair("item", name[: self.width - 10], value)
            elif style == "at":
                self.pair("item", f"{quantity} {name} @ {one}"[: self.width - 9], value, mark=tail)
            else:
                self.pair("item", f"{quantity} {name}"[: self.width - 10], value)
                for _ in range(rng.choice([0, 1, 2])):
                    self.left("itemPart", rng.choice(["  ", " +", " :", "  - ", "  *"]) + self.say(rng.choice(["less sugar", "no onion", "take away", "large", "extra cheese", "ohne Eis", "sans glace", "poco hecho", "well done", "S/N " + digits(rng, 8)])), indent=2)
            if rng.random() < 0.03:
                self.left("itemPart", self.say(rng.choice(["Batch no " + digits(rng, 5), "exp 12/2027", "Lot " + digits(rng, 6)])), indent=2)
            if rng.random() < 0.04 and amount > 100:
                off = rng.randint(1, amount // 2)
                self.pair("discount", self.label("discount"), self.money(-off))
                total -= off
        self.pieces = pieces
        return total

    # Sums

    def sums(self, goods):
        rng, country = self.rng, self.country
        on_top = rng.random() < country.on_top
        rate = self.rate / 100
        base, rows = goods, []
        size = rng.choice([1, 1, 1, 1.2, 1.5, 2])
        add = lambda kind, role, cents, size=1.0, sign=None: rows.append((kind, self.label(role), cents, size, sign))
        if rng.random() < 0.25:
            rows.append(("count", self.label("count"), None, 1.0, str(self.pieces)))
        if rng.random() < (0.85 if on_top else 0.35):
            add("subtotal", "subtotal" if on_top or rng.random() < 0.5 else "sum", goods)
            self.truth["subtotal"] = goods
        if rng.random() < 0.15:
            off = rng.choice([0, rng.randint(1, max(goods // 4, 1))])
            add("discount", "discount", -off if rng.random() < 0.6 else off)
            if off:
                base -= off
                self.truth["discount"] = off
        if rng.random() < (0.15 if country.code in ("MY", "SG", "GB") else 0.03):
            charge = round(base * 0.1)
            add("service", "service", charge)
            base += charge
            self.truth["service"] = charge
        if on_top:
            tax = round(base * rate)
            if rng.random() < 0.12 and tax > 1:
                add("tax", "tax", tax // 2)
                add("tax", "tax", tax - tax // 2)
            else:
                add("tax", "tax", tax)
            total = base + tax
        else:
            tax = round(base - base / (1 + rate))
            total = base
            if rng.random() < 0.25:
                add("tax", "tax_incl" if rng.random() < 0.5 else "tax", tax)
            else:
                tax = None
        if tax is not None:
            self.truth["tax"] = tax
        self.taxed = total
        rounds = country.code in ("MY", "SG", "AU", "NZ", "CH", "IN") and rng.random() < 0.5 or rng.random() < 0.03
        tip = round(total * rng.choice([0.1, 0.15, 0.18])) if rng.random() < (0.08 if country.code in ("US", "CA") else 0.02) else 0
        if rounds:
            difference = (round(total / 5) * 5) - total if country.code != "IN" else round(total / 100) * 100 - total
            if rng.random() < 0.75:
                add("sum", "sum", total)
            add("rounding", "rounding", difference)
            total += difference
            self.truth["rounding"] = difference
            if rng.random() < 0.04:
                rows.append(("total", "", total, size, True))
            else:
                add("total", "total" if rng.random() < 0.9 else "rounding", total, size)
        elif tip:
            add("sum", "sum", total)
            add("tip", "tip", tip)
            total += tip
            self.truth["tip"] = tip
            add("total", "total", total, size)
        else:
            add("total", "total", total, size)
        if rng.random() < 0.12:
            add("total", "total", total, size)
        self.included = None if on_top else round(self.taxed - self.taxed / (1 + rate))
        if tax is None and rng.random() < 0.25:
            add("tax", "tax_incl" if rng.random() < 0.7 else "tax", self.included)
            self.truth["tax"] = self.included
        self.truth["total"] = total
        self.place(rows)
        return total

    def place(self, rows):
        rng = self.rng
        indent = rng.choice([0, 0, 0, self.width // 4])
        below = rng.random() < 0.05
        for kind, label, cents, size, sign in rows:
            value = sign if cents is None else self.money(cents, sign=True if sign is True or (kind == "total" and rng.random() < 0.25) else None)
            text = label + (self.colon if label else "")
            if below and kind in ("total", "sum", "payment") and label:
                self.left(kind, text, size)
                self.pair(kind, "", value, size)
            elif kind == "count" and rng.random() < 0.5:
                self.left(kind, f"{text} {value}")
            else:
                self.pair(kind, text, value, size, indent=indent)

    def payment(self, total):
        rng, rows = self.rng, []
        kind = rng.choice(["cash", "cash", "card", "card", "none"])
        if kind == "cash":
            note = rng.choice([total, (total // 100 + 1) * 100, (total // 500 + 1) * 500, (total // 5000 + 1) * 5000, (total // 1000 + 1) * 1000])
            rows.append(("payment", self.label("cash"), -note if rng.random() < 0.04 else note, 1.0, None))
            if note != total or rng.random() < 0.6:
                rows.append(("change", self.label("change"), note - total, 1.0, None))
            self.truth["payment"] = "cash"
        elif kind == "card":
            text = self.label("card")
            if rng.random() < 0.2:
                text += " ****" + digits(rng, 4)
            rows.append(("payment", text, total, 1.0, None))
            if rng.random() < 0.15:
                rows.append(("change", self.label("change"), 0, 1.0, None))
            self.truth["payment"] = "card"
        if self.included and "tax" not in self.truth and rng.random() < 0.2:
            rows.append(("tax", self.label(rng.choice(["tax", "tax_incl"])), self.included, 1.0, None))
            self.truth["tax"] = self.included
        if rng.random() < 0.12:
            rows.append(("count", self.label("count"), None, 1.0, str(self.pieces)))
        if rng.random() < 0.08:
            rows.append(("count", self.label("points"), rng.randint(0, 3000), 1.0, None))
        self.place(rows)
        if kind == "card" and rng.random() < 0.6:
            for _ in range(rng.randint(1, 6)):
                text = rng.choice(self.labels["slip"]).format(n4=digits(rng, 4), n6=digits(rng, 6), n8=digits(rng, 8), n10=digits(rng, 10), n12=digits(rng, 12))
                self.left("card", self.say(text))
            if rng.random() < 0.3:
                self.pair("card", self.say(rng.choice(["Amount", "Sale", "Betrag EUR", "Montant", "Importe", "Importo", "Bedrag", "PURCHASE"])), self.money(total))

    def tax_table(self, total):
        rng = self.rng
        if rng.random() > 0.45:
            return
        rate = self.rate / 100
        total = self.taxed
        net = round(total / (1 + rate))
        tax = total - net
        self.truth.setdefault("tax", tax)
        head = self.rng.choice(self.labels["tax_head"]).format(tax=self.tax, cur=self.sign, rate=self.rate)
        cells, column = [], 0
        for part in self.say(head).split("  "):
            if part.strip():
                cells.append((column, part.strip()))
                column += max(len(part) + 2, self.width // 4)
        if rng.random() < 0.75:
            self.rows.append(Row("taxTable", cells))
        if rng.random() < 0.15:
            self.rows.append(Row("taxTable", [(self.width - 16, f"({self.sign})"), (self.width - 6, f"({self.sign})")]))
        gross = rng.random() < 0.4 and self.country.code not in ("MY", "SG")
        def line(label, *values):
            cells, end = [(0, label)], self.width
            for value in reversed(values):
                cells.append((end - len(value), value))
                end -= 11
            self.rows.append(Row("taxTable", cells))
        values = [self.number(v) for v in ([net, tax, total] if gross else [net, tax])]
        line(self.label("tax_row"), *values)
        if rng.random() < 0.35:
            line(self.say(rng.choice(["ZRL", "Z 0%", "B 7%", "ZR @ 0%", "0%"])), *[self.number(0)] * len(values))
        if rng.random() < 0.45:
            line(self.label("tax_total") + self.colon, *values)

    def closing(self):
        rng = self.rng
        for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 5])):
            text = self.say(rng.choice(self.labels["closing"]))
            if rng.random() < 0.3:
                text = rng.choice(["*", "** ", "-- ", "*** "]) + text + rng.choice(["", "*", " **", "!", " !"])
            self.centred("closing", text)
        if rng.random() < 0.15 and not self.hidden:
            self.centred("closing", self.say(rng.choice(["Thank you for visiting {n}", "Thank you for shopping at {n}", "{n} dankt für Ihren Einkauf", "Merci de votre visite chez {n}", "Gracias por su visita a {n}", "Thanks for choosing {n}", "{n}", "Team {n}"])).replace("{n}", self.core).replace("{N}", self.core.upper()))
        if rng.random() < 0.08:
            site = self.own if rng.random() < 0.7 and not self.hidden else invented(rng).lower()
            self.centred("closing", "WWW." + site.upper() + ".COM")
        if rng.random() < 0.05:
            self.centred("contact", f"{self.label('phone')}: {self.country.phone(rng)}")
        if rng.random() < 0.06:
            self.left("other", reader.nonsense(rng))

    def draw(self):
        rng = self.rng
        self.tail = 0
        self.head()
        self.gap()
        details = self.details()
        late = rng.random() < 0.2
        if rng.random() < 0.55:
            title = Row("heading", [((self.width - 11) / 2, self.label("title"))], rng.choice([1, 1, 1.4]))
            self.rows.append(title)
        if not late:
            self.rows += details
        if rng.random() < 0.08:
            self.customer()
        self.gap()
        goods = self.items()
        self.gap()
        total = self.sums(goods)
        table_first = rng.random() < 0.12
        if table_first:
            self.tax_table(total)
        if rng.random() < 0.85:
            self.payment(total)
        self.gap()
        if not table_first:
            self.tax_table(total)
        if late:
            self.gap()
            self.rows += details
        self.gap()
        self.closing()
        if rng.random() < 0.05:
            # Cut off before the sums, or the sums not found.
            self.rows = [r for r in self.rows if r is None or r.kind not in ("total", "sum", "subtotal", "payment", "change", "tax", "taxTable", "rounding", "service", "tip", "card")]
            for key in ("total", "subtotal", "tax", "rounding", "service", "tip", "payment"):
                self.truth.pop(key, None)
        if rng.random() < 0.03:
            # A strip: hardly more than a name and a sum.
            self.rows = [r for r in self.rows if r is None or r.kind in ("name", "item", "total", "tax", "subtotal") or rng.random() < 0.2]
            kinds = {r.kind for r in self.rows if r}
            for key, kind in (("address", "address"), ("date", "heading"), ("time", "heading"), ("phone", "contact")):
                if kind not in kinds:
                    self.truth.pop(key, None)
                elif key in self.truth:
                    self.truth[key + "?"] = self.truth.pop(key)

    def page(self):
        """Rows of words in pixels, before a reader saw them."""
        rng = self.rng
        cell, pitch = 12.0, rng.uniform(24, 34)
        skew = rng.gauss(0, 0.002)
        y, rows = 40.0, []
        for row in self.rows:
            if row is None:
                y += pitch * rng.uniform(0.5, 1.2)
                continue
            height = 18 * row.size
            y += pitch * max(row.size, 1) * rng.uniform(0.97, 1.03)
            words = []
            for column, text in row.cells:
                x = 30 + column * cell
                step = cell * row.size
                for word in text.split(" "):
                    if word:
                        top = y - height + skew * x + rng.gauss(0, 0.6)
                        words.append([word, [x, top, x + step * len(word) - 2, top + height + rng.gauss(0, 0.8)]])
                    x += step * (len(word) + 1)
            words.sort(key=lambda w: w[1][0])
            if words:
                rows.append((row.kind, words))
        return rows, 60 + self.width * cell * 1.3, y + 60


def main(count, seed, as_measured):
    for index in range(count):
        rng = random.Random(f"{seed} {index}")
        receipt = Receipt(rng)
        rows, width, height = receipt.page()
        name = rng.choice(list(reader.READERS))
        rows = reader.read(rows, rng, reader.READERS[name], reader.READERS[name].rates if as_measured else reader.ROUGH)
        json.dump(
            {
                "page": {"width": int(width), "height": int(height)},
                "blocks": [{"lines": [{"words": [{"text": t, "confidence": round(c, 3), "box": [round(v, 1) for v in b]} for t, b, c in words]} for _, words in rows]}],
                "classes": [kind for kind, _ in rows],
                "reader": name,
                "country": receipt.country.code,
                "language": receipt.language,
                "truth": receipt.truth,
            },
            sys.stdout,
            ensure_ascii=False,
        )
        sys.stdout.write("\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:] == ["measured"])
