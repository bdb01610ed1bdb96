"""What a reader makes of print: letters swapped, dropped or added, words cut and joined, rows lost and joined, and how sure it says it is."""

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


# A learned reader's words in decades of doubt, as middle and spread: right ones, wrong ones, and wrong ones that it takes for sure. Shaped after 4,947
# words of 51 scans of receipts, of which 0.91 were right: 0.62 of the right ones have 0.995 and more, 0.57 of the wrong ones less than 0.3.
RIGHT, WRONG, TRUSTED = (2.7, 1.2), (0.05, 0.4), (1.3, 0.7)
SHARE_DOUBTED = 0.85
# By how many decades poor print lowers right ones.
POOR_PRINT = 1.2
LEAST_CONFIDENCE = 0.001


def confidence(wrong, poor, learned, rng):
    """How sure the reader says it is of a word; a poor print lowers it for right words too.

    tesseract's confidences lie around 0.9 and tell little. A learned reader's word is as sure as all of its letters together: in decades of doubt,
    -log10(1 - confidence), its right words lie around 2.7 and its wrong ones around 0, but for one in seven that it takes for sure.
    Words cut and joined are right but for the blank, and it says so.
    """
    if learned:
        middle, spread = RIGHT if not wrong else WRONG if rng.random() < SHARE_DOUBTED else TRUSTED
        doubt = rng.gauss(middle - (POOR_PRINT * poor if not wrong else 0), spread)
        return min(max(1 - 10 ** -max(doubt, 0), LEAST_CONFIDENCE), 1)
    if wrong:
        return min(max(rng.gauss(0.68 - 0.1 * poor, 0.2), 0.05), 0.97)
    return min(max(rng.gauss(0.94 - 0.08 * poor, 0.05 + 0.05 * poor), 0.3), 0.99)


# Shares of letters that are wrong, one a receipt: what the rows are learned from, and what the confidences are fitted to, which is what good readers
# reach on real scans.
ROUGH = [0, 0, 0, 0.004, 0.01, 0.01, 0.025, 0.05, 0.1]
CLEAR = [0, 0, 0, 0, 0, 0, 0, 0.002, 0.002, 0.004, 0.004, 0.008, 0.015, 0.03]


def read(rows, rng, rates):
    """Rows of (class, words [text, box]) as rows of (class, words (text, box, confidence)); a share of `rates` of the letters is wrong."""
    rate = rng.choice(rates)
    poor = min(rate / 0.05, 1)
    learned = rng.random() < 0.5
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
                done.append((read_text[:cut], [box[0], box[1], middle - 1, box[3]], confidence(not learned, poor, learned, rng)))
                done.append((read_text[cut:], [middle + 1, box[1], box[2], box[3]], confidence(not learned, poor, learned, rng)))
                continue
            if done and rate > 0 and rng.random() < 0.008 and box[0] - done[-1][1][2] < 16:
                last = done.pop()
                done.append((last[0] + read_text, [last[1][0], last[1][1], box[2], box[3]], confidence(not learned, poor, learned, rng)))
                continue
            done.append((read_text, box, confidence(wrong, poor, learned, rng)))
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
