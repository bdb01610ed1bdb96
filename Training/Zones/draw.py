"""Draws strips of machine-readable lines, to train the cell reader with.

    draw.py FONT.otf FOLDER-OF-OTHER-FONTS COUNT SEED OUT.npz

FONT is OCR-B (Debian's fonts-ocr-b, public domain). Each strip is one line of print as the reader cuts it out: 26 pixels high, 16 a
character. What harms real ones is drawn: patterned paper, pale ink, few pixels a character, blur, noise, JPEG, a slant, a bend, ruled
lines. One strip in five holds no such line: other type, the right type at a wrong size, or nothing. Strip n of seed s depends on (s, n)
alone.
"""

import sys
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<"
HEIGHT, WIDTH, PITCH = 26, 288, 16
STEP, REACH = 4, 12.5  # An output every 4 pixels, the first one's middle at 12.5.
OUTPUTS = (WIDTH - HEIGHT) // STEP + 1
OFF, IGNORED = len(ALPHABET), -1
FINE = 3  # Strips are drawn this many times finer.


def text(random: np.random.Generator, count: int) -> str:
    """Characters in runs, as names, numbers and fillers come."""
    result = ""
    while len(result) < count:
        kind, length = random.integers(5), int(random.integers(1, 9))
        letters = [ALPHABET, ALPHABET[:10], ALPHABET[10:36], "<", ALPHABET[10:36]][kind]
        result += "".join(random.choice(list(letters), length))
    return result[:count]


def paper(random: np.random.Generator, height: int, width: int) -> np.ndarray:
    """Patterned paper, 0 to 255."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    level = random.uniform(110, 250)
    page = np.full((height, width), level, np.float32)
    page += random.normal(0, 12) * (x / width - 0.5) * 2 + random.normal(0, 8) * (y / height - 0.5) * 2
    for _ in range(random.integers(0, 4)):
        angle, length = random.uniform(0, np.pi), random.uniform(4, 90) * FINE / 3
        wave = np.cos((x * np.cos(angle) + y * np.sin(angle) + 6 * np.sin(x / random.uniform(20, 90))) / length * 2 * np.pi)
        page += (wave if random.random() < 0.5 else np.maximum(wave, 0.6) * 2) * random.uniform(1, 14)
    if random.random() < 0.5:
        rough = random.normal(0, random.uniform(2, 14), (height // 8 + 2, width // 8 + 2)).astype(np.float32)
        page += cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
    if random.random() < 0.15:  # The edge of a panel or a shadow.
        page[:, int(random.integers(0, width)):] *= random.uniform(0.6, 1)
    return page


def line(random: np.random.Generator, font: str, characters: str, pitch: float, spread: float) -> np.ndarray:
    """Ink of a line drawn on a fixed pitch, 0 to 1; the middle of character i lies at x = (i + 0.5) pitch."""
    size = pitch / 0.723 * spread  # As the font spaces itself.
    face = ImageFont.truetype(font, max(int(round(size)), 4))
    height = int(HEIGHT * FINE * 1.5)
    picture = Image.new("L", (int(len(characters) * pitch) + 1, height))
    pen = ImageDraw.Draw(picture)
    box = face.getbbox("H", anchor="ls")
    base = height / 2 - (box[1] + box[3]) / 2
    for index, character in enumerate(characters):
        pen.text(((index + 0.5) * pitch + random.normal(0, 0.01) * pitch, base), character, 255, face, anchor="ms")
    return np.asarray(picture, np.float32) / 255


def strip(random: np.random.Generator, font: str, others: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """One strip and its targets."""
    width, height = WIDTH * FINE, HEIGHT * FINE
    kind = random.choice(["line", "line", "line", "line", "other"])
    ink = np.zeros((height, width), np.float32)
    middles: list[tuple[float, int]] = []
    page = paper(random, height, width)
    if kind == "line" or random.random() < 0.7:
        scale = random.uniform(0.93, 1.07)
        face = font
        if kind == "other":
            if random.random() < 0.5:
                face = others[random.integers(len(others))]
            else:
                scale = random.choice([random.uniform(0.4, 0.7), random.uniform(1.4, 2.2)])
        pitch = PITCH * FINE * scale
        first = random.uniform(-6, 6) * pitch if random.random() < 0.75 else 0.0
        count = int(random.integers(8, 25))
        characters = text(random, count)
        drawn = line(random, face, characters, pitch, random.uniform(0.86, 1.12))
        if random.random() < 0.6:  # Heavier or lighter strokes.
            drawn = cv2.GaussianBlur(drawn, (0, 0), random.uniform(0.8, 2.2) * FINE / 3)
            cut = random.uniform(0.25, 0.65)
            drawn = np.clip((drawn - cut) / 0.2 + 0.5, 0, 1)
        # Slant, shear, height, shift.
        angle, shear = random.normal(0, 0.018), random.normal(0, 0.05)
        stretch = random.uniform(0.88, 1.12)
        drop = random.normal(0, 0.05) * pitch
        middle = width / 2
        a, b = 1.0, -shear
        c, d = angle, stretch
        tx = first - b * drawn.shape[0] / 2 * stretch
        ty = height / 2 + drop - c * (middle - first) - d * drawn.shape[0] / 2
        ink = cv2.warpAffine(drawn, np.float32([[a, b * d, tx], [c, d, ty]]), (width, height), flags=cv2.INTER_LINEAR)
        if random.random() < 0.3:
            x = np.arange(width, dtype=np.float32)
            bend = random.normal(0, 0.05) * pitch * np.cos(x / width * random.uniform(2, 9) + random.uniform(0, 6))
            xs, ys = np.meshgrid(x, np.arange(height, dtype=np.float32))
            ink = cv2.remap(ink, xs, ys + bend.astype(np.float32), cv2.INTER_LINEAR)
        if kind == "line":
            for index, character in enumerate(characters):
                x = (first + (index + 0.5) * pitch) / FINE - 0.5
                middles.append((x, ALPHABET.index(character)))
    if random.random() < 0.15:  # A ruled line, a stroke of a signature.
        a, b = random.uniform(0, height), random.uniform(-0.1, 1.1) * height
        colour = float(random.uniform(0.3, 1))
        start, end = (0, int(a)), (width, int(a + random.normal(0, 4) if random.random() < 0.7 else b))
        extra = np.zeros_like(ink)
        cv2.line(extra, start, end, colour, int(random.integers(1, 3 * FINE)))
        ink = np.maximum(ink, extra) if random.random() < 0.5 else ink
        page -= extra * 40
    level = random.uniform(0.05, 0.72) if random.random() < 0.8 else random.uniform(0.6, 0.85)
    picture = page * (1 - ink * (1 - level))
    picture = cv2.GaussianBlur(picture, (0, 0), FINE * float(random.uniform(0.15, 1.3)))
    # As few pixels as small pictures have, and back.
    pixels = 5.2 * np.exp(random.random() ** 1.5 * np.log(4.2))  # Half of them below 9 a character.
    small = cv2.resize(picture, (int(WIDTH * pixels / PITCH), max(int(round(HEIGHT * pixels / PITCH)), 6)), interpolation=cv2.INTER_AREA)
    small = small + random.normal(0, 1, small.shape) * random.choice([0, 1, 3, 8])
    if random.random() < 0.3:  # As sharpened by cameras.
        small += (small - cv2.GaussianBlur(small, (0, 0), 1)) * random.uniform(0.3, 1.5)
    small = np.clip(small, 0, 255).astype(np.uint8)
    if random.random() < 0.7:
        good, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(25, 96))])
        small = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE)
    way = cv2.INTER_LINEAR if pixels < PITCH else cv2.INTER_AREA
    result = cv2.resize(small, (WIDTH, HEIGHT), interpolation=way)
    targets = np.full(OUTPUTS, OFF, np.int8)
    for output in range(OUTPUTS):
        place = STEP * output + REACH
        for x, which in middles:
            if abs(x - place) <= 2:
                targets[output] = which
            elif abs(x - place) < 3.2 and targets[output] == OFF:
                targets[output] = IGNORED
    return result, targets


def main() -> None:
    font, folder, count, seed, out = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
    others = sorted(str(path) for path in folder.glob("*.ttf") if "Mono" not in path.name and "Math" not in path.name)
    strips, targets = np.zeros((count, HEIGHT, WIDTH), np.uint8), np.zeros((count, OUTPUTS), np.int8)
    for index in range(count):
        strips[index], targets[index] = strip(np.random.default_rng((seed, index)), font, others)
    np.savez(out, strips=strips, targets=targets)


if __name__ == "__main__":
    main()
