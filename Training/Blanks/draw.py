"""Draws receipts as pictures, to train what tells blanks between words with.

    draw.py FONTS COUNT SEED OUT

FONTS is a folder of TrueType fonts of Latin letters, searched with its subfolders. Writes OUT/N.jpg and OUT/N.txt, the printed rows with
one blank between each two words. Receipt n of seed s depends on (s, n) alone, and on the fonts. What is printed are the receipts of
`Fields/draw.py`; how is drawn here: fixed and proportional type, set wide or narrow, blanks of any width; signs with and without blanks
beside them, as shops have them; and what harms real print: few pixels, ragged and pale ink, blur, noise, a slant, JPEG.
"""

import random
import re
import sys
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Fields"))
import draw as receipts  # noqa: E402

SIZE = 48  # Pixels of type that is drawn, before it is made small.


def latin_fonts(folder):
    """The fonts that have all that receipts are printed in."""
    fonts = []
    for path in sorted(Path(folder).rglob("*.[to]tf")):
        font = ImageFont.truetype(str(path), SIZE)
        missing = bytes(font.getmask("\uffff"))
        if all(bytes(font.getmask(c)) not in (missing, b"") for c in "AZaz09:%&@#é€£") and font.getlength("A") > 0:
            fonts.append(font)
    return fonts


def is_fixed(font):
    """Whether all letters are as wide."""
    return abs(font.getlength("i") - font.getlength("M")) < 0.5


def respaced(rng, text):
    """The text with other blanks beside signs than English has."""
    if rng.random() < 0.5:
        return text
    colon = rng.choice([" : ", " :", ": ", ":"])
    text = re.sub(r"(?<=[A-Za-z.)#]) *: *(?=\S)", colon, text)
    text = re.sub(r"(?<=[A-Za-z)#]) *:$", rng.choice([" :", ":"]), text)
    for sign in ",;":
        text = re.sub(rf"(?<=\w)\{sign} *(?=[A-Za-z(])", rng.choice([f"{sign} ", f"{sign} ", sign, f" {sign} "]), text)
    for sign in "-/@&x+=":
        if rng.random() < 0.3:
            side = rng.choice([f" {sign} ", sign, f" {sign}", f"{sign} "])
            text = re.sub(rf"(?<=[\w)]) *\{sign} *(?=[\w(])" if sign != "x" else r"(?<=\d) *x *(?=\d)", side, text)
    if rng.random() < 0.3:
        text = re.sub(r"(?<=\w) *\((?=\w)", rng.choice(["(", " (", " ( "]), text)
    if rng.random() < 0.3:
        text = re.sub(r"(?<=[A-Za-z])\. *(?=[\w(])", rng.choice([".", ". ", " . "]), text)
    return re.sub(" +", " ", text).strip()


def drawn(rng, receipt, font):
    """A picture, dark on white, and the texts of its rows."""
    fixed = is_fixed(font)
    letter = font.getlength("0")
    tracking = rng.choice([0, 0, 0, 0.03, 0.08, 0.15, 0.3]) * SIZE
    blank = rng.uniform(0.75, 1.5) if not fixed else 1
    step = letter + tracking
    # Columns of proportional type are narrower than its digits.
    column = step if fixed else step * rng.uniform(0.75, 1.1)
    width = int(receipt.width * step * 1.15 + 4 * SIZE)
    rows, texts, y = [], [], float(SIZE)
    leading = SIZE * rng.uniform(1.05, 1.7)
    for row in receipt.rows:
        if row is None:
            y += leading * rng.uniform(0.5, 1.2)
            continue
        size = min(row.size, 2)
        letters, said, right = [], [], 0.0
        for place, text in row.cells:
            text = respaced(rng, text)
            x = max(2 * SIZE + place * column, right)
            for character in text:
                if character != " ":
                    letters.append((x, character))
                x += (font.getlength(character) + tracking) * size * (blank if character == " " else 1)
            right = x + 0.8 * letter
            said.append(text)
        if letters:
            rows.append((y, size, letters))
            texts.append(" ".join(filter(None, said)))
        y += leading * max(size, 1)
    page = Image.new("L", (width, int(y + SIZE)), 255)
    brush = ImageDraw.Draw(page)
    for top, size, letters in rows:
        own = font.font_variant(size=round(SIZE * size))
        for x, character in letters:
            brush.text((x, top), character, font=own, fill=0)
    return np.asarray(page).astype(np.float32), texts


def harmed(rng, page):
    """The picture as a scanner or a camera has it."""
    noise = np.random.default_rng(rng.getrandbits(32))
    # Print: ragged, thin or fat, pale.
    ragged = noise.normal(0, rng.uniform(0, 60), page.shape).astype(np.float32)
    page = cv2.GaussianBlur(page + cv2.GaussianBlur(ragged, (0, 0), 1.5) * 2, (0, 0), rng.uniform(1, 2.5))
    page = np.clip((page - rng.uniform(90, 190)) * rng.uniform(1.5, 6) + 128, 0, 255)
    # Few pixels: letters 9 to 40 high.
    scale = np.exp(rng.uniform(np.log(9), np.log(40))) / (0.7 * SIZE)
    angle = rng.gauss(0, 0.4)
    matrix = cv2.getRotationMatrix2D((page.shape[1] / 2, page.shape[0] / 2), angle, 1)
    page = cv2.warpAffine(page, matrix, page.shape[::-1], flags=cv2.INTER_LINEAR, borderValue=255)
    page = cv2.resize(page, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    page = cv2.GaussianBlur(page, (0, 0), rng.uniform(0.2, 0.9))
    # Paper and ink.
    paper = rng.uniform(170, 250)
    ink = paper - rng.uniform(60, 160)
    page = ink + (paper - ink) * page / 255 + noise.normal(0, rng.uniform(0.5, 8), page.shape)
    return np.clip(page, 0, 255).astype(np.uint8)


def main(folder, count, seed, out):
    fonts = latin_fonts(folder)
    # Half of all receipts are set in fixed type.
    kinds = [[f for f in fonts if is_fixed(f)], [f for f in fonts if not is_fixed(f)]]
    Path(out).mkdir(parents=True, exist_ok=True)
    for index in range(count):
        rng = random.Random(f"{seed} {index}")
        page, texts = drawn(rng, receipts.Receipt(rng), rng.choice(rng.choice(kinds)))
        cv2.imwrite(f"{out}/{index}.jpg", harmed(rng, page), [cv2.IMWRITE_JPEG_QUALITY, rng.randint(40, 95)])
        Path(f"{out}/{index}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4])
