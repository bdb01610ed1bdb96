"""What a reader makes of print: letters swapped, dropped or added, words cut and joined, rows lost and joined, and how sure it says it is."""

from typing import NamedTuple

LOOKALIKES = {
    "0": "OoD8", "1": "lI7i|", "2": "Zz7", "3": "8B", "4": "A9", "5": "S6s", "6": "8Gb5", "7": "1T?", "8": "B36", "9": "g4", "O": "0QDC", "I": "l1|", "l": "1I|i", "S": "5$8", "B": "8E3", "Z": "2",
    "A": "4R", "E": "FBC", "G": "6C", "C": "GO(", "D": "O0", "H": "NM", "N": "MH", "M": "NW", "R": "AK", "T": "7I", "U": "VO", "V": "YU", "e": "co", "a": "oe", "o": "ao0", "i": "l1j", "t": "f+", "n": "rm",
    "m": "n", "r": "t", "c": "e", "s": "5a", "u": "v", "g": "9q", ".": ",", ",": ".", ":": ".;", "-": "~_", "/": "7l", "é": "e", "ä": "a", "ö": "o", "ü": "u", "ß": "B", "è": "e", "ñ": "n", "ç": "c", "à": "a",
}
NONSENSE = "aeiou bcdfgkmnprstvwyz AEIOU BCDFGHKMNPRSTW 0123456789 .,;:'\"|_-~=)(/\\*®©#&<>"


def nonsense(rng):
    """A logo or handwriting as a reader takes it for letters."""
    words = []
    for _ in range(rng.choice([1, 1, 2, 2, 3, 5])):
        words.append("".join(rng.choice(NONSENSE.replace(" ", "")) for _ in range(rng.choice([1, 2, 2, 3, 4, 6]))))
    if rng.random() < 0.3:
        words.insert(rng.randint(0, len(words)), "".join(rng.choice("bcdfgklmnprstvwaeiou") for _ in range(rng.randint(4, 9))).capitalize())
    return " ".join(words)


def spoiled(word, rate, rng):
    """The word with errors, and whether there are any."""
    letters = []
    for letter in word:
        if rng.random() < rate:
            how = rng.random()
            if how < 0.7:
                letters.append(rng.choice(LOOKALIKES.get(letter, "?.aei") or "?"))
            elif how < 0.85:
                pass
            else:
                letters += [letter, rng.choice("il.,'|")]
        else:
            letters.append(letter)
    text = "".join(letters)
    return (text or "."), text != word


class Reader(NamedTuple):
    """How sure a reader says it is of its words, in decades of doubt, -log10(1 - confidence), as middle and spread, and how much it misreads.

    Shaped after 51 scans of receipts: 4,884 words of the learned reader, 0.94 of them right, and 4,614 of tesseract's, 0.87 right.
    """

    right: tuple[float, float]
    wrong: tuple[float, float]
    # Wrong words that it takes for right ones, and the share of those that it does not.
    trusted: tuple[float, float]
    share_doubted: float
    # By how many decades poor print lowers right words.
    poor_print: float
    # Whether words that it cuts and joins are doubted as wrong ones are.
    doubts_blanks: bool
    # Shares of letters that are wrong, one a receipt, so that with words cut, joined and lost as many words are wrong as on the scans: of the scans' tenths
    # 1, 2.5, 5, 7.5 and 9 0.01, 0.03, 0.05, 0.10 and 0.16 for the learned reader, 0.05, 0.09, 0.13, 0.22 and 0.29 for tesseract.
    rates: list[float]


READERS = {
    "onnxruntime": Reader((2.9, 1.2), (0.35, 0.3), (1.6, 0.8), 0.65, 1.2, False, [0, 0, 0.001, 0.002, 0.004, 0.006, 0.009, 0.0125, 0.018, 0.026]),
    "tesseract": Reader((2.0, 0.8), (0.6, 0.4), (1.3, 0.6), 0.85, 0.6, True, [0.005, 0.008, 0.011, 0.014, 0.018, 0.022, 0.028, 0.036, 0.043, 0.055]),
}
LEAST_CONFIDENCE = 0.001


def confidence(wrong, poor, reader, rng):
    """How sure the reader says it is of a word; poor print, 0 to 1, lowers it for right words too."""
    if wrong:
        middle, spread = reader.wrong if rng.random() < reader.share_doubted else reader.trusted
    else:
        middle, spread = reader.right[0] - reader.poor_print * poor, reader.right[1]
    return min(max(1 - 10 ** -max(rng.gauss(middle, spread), 0), LEAST_CONFIDENCE), 1)


# Shares of letters that are wrong, one a receipt, that the rows are learned from: rougher than readers are, so that rows are known in poor print too.
ROUGH = [0, 0, 0, 0.004, 0.01, 0.01, 0.025, 0.05, 0.1]


def read(rows, rng, reader, rates):
    """Rows of (class, words [text, box]) as rows of (class, words (text, box, confidence)); a share of `rates` of the letters is wrong."""
    rate = rng.choice(rates)
    poor = min(rate / 0.05, 1)
    found = []
    for kind, words in rows:
        if rate > 0 and rng.random() < 0.008:
            continue
        local = rate * (6 if rng.random() < 0.04 else 1)
        done = []
        for index, (text, box) in enumerate(words):
            if rate > 0 and rng.random() < 0.004:
                continue
            read_text, wrong = spoiled(text, min(local, 0.5), rng)
            if rate > 0 and len(read_text) > 5 and rng.random() < 0.01:
                cut = rng.randint(1, len(read_text) - 1)
                middle = box[0] + (box[2] - box[0]) * cut / len(read_text)
                done.append((read_text[:cut], [box[0], box[1], middle - 1, box[3]], confidence(reader.doubts_blanks, poor, reader, rng)))
                done.append((read_text[cut:], [middle + 1, box[1], box[2], box[3]], confidence(reader.doubts_blanks, poor, reader, rng)))
                continue
            if done and rate > 0 and rng.random() < 0.008 and box[0] - done[-1][1][2] < 16:
                last = done.pop()
                done.append((last[0] + read_text, [last[1][0], last[1][1], box[2], box[3]], confidence(reader.doubts_blanks, poor, reader, rng)))
                continue
            done.append((read_text, box, confidence(wrong, poor, reader, rng)))
        if rate > 0.004 and rng.random() < 0.03:
            left = rng.random() < 0.5
            speck = rng.choice(["|", ".", "-", "_", "'", "~", "*", "i"])
            edge = done[0][1] if left and done else (done[-1][1] if done else None)
            if edge:
                box = [max(edge[0] - 20, 0), edge[1], max(edge[0] - 12, 4), edge[3]] if left else [edge[2] + 12, edge[1], edge[2] + 20, edge[3]]
                done.insert(0 if left else len(done), (speck, box, 0.4))
        if done:
            found.append((kind, done))
        if rate > 0.004 and rng.random() < 0.006 and done:
            box = done[0][1]
            found.append(("other", [(nonsense(rng).split()[0], [box[0], box[3] + 1, box[0] + 40, box[3] + 9], 0.35)]))
    return found
