"""What is printed on a sheet: receipts, letters, cards, flyers and labels, drawn flat.

A page is its colour (uint8, rows x columns x 3) and its shape (uint8, 255 where there is paper: torn ends, rounded corners, holes).
"""

import string
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator
from PIL import Image, ImageDraw, ImageFont

import fields

FONTS = Path("/usr/share/fonts/truetype/dejavu")
LENGTH = 512


@dataclass
class Page:
    colour: np.ndarray
    shape: np.ndarray

    @property
    def aspect(self) -> float:
        """Height by width."""
        return self.colour.shape[0] / self.colour.shape[1]


@lru_cache
def _strips() -> list[np.ndarray]:
    """Lines of words that mean nothing, in all fonts, as ink of 0...255, 40 pixels high."""
    rng = np.random.default_rng(1)
    strips = []
    for name in sorted(FONTS.glob("*.ttf")) * 4:
        if "Math" in name.name:
            continue
        font, text = ImageFont.truetype(str(name), 32), ""
        capitals, figures = rng.random() < 0.3, rng.uniform(0, 0.6)
        while len(text) < 60:
            letters = string.digits + ".," if rng.random() < figures else string.ascii_lowercase
            word = "".join(rng.choice(list(letters), rng.integers(1, 10)))
            text += (word.upper() if capitals else word.capitalize() if rng.random() < 0.2 else word) + " "
        image = Image.new("L", (1100, 40))
        ImageDraw.Draw(image).text((0, 1), text, fill=255, font=font)
        strips.append(np.asarray(image))
    return strips


class Press:
    """Prints on one page with one ink and one typeface."""

    def __init__(self, rng: Generator, paper: np.ndarray, rows: int, columns: int, ink: np.ndarray):
        self.rng, self.ink = rng, ink
        self.rows, self.columns = rows, columns
        self.colour = np.empty((rows, columns, 3), np.float32)
        self.colour[:] = paper
        strips = _strips()
        self.faces = [strips[i] for i in rng.integers(0, len(strips), 2)]

    def words(self, x: float, y: float, width: float, height: float, ink: np.ndarray | None = None) -> None:
        """Text of a given size; x, y, width in pixels, cut to the page."""
        height, width = max(3, int(height)), int(width)
        strip = self.faces[self.rng.integers(2)]
        cut = min(strip.shape[1], int(width * 40 / height))
        start = int(self.rng.integers(0, strip.shape[1] - cut + 1))
        if cut < 8:
            return
        self.stamp(x, y, cv2.resize(strip[:, start : start + cut], (max(2, cut * height // 40), height), interpolation=cv2.INTER_AREA), ink)

    def stamp(self, x: float, y: float, mask: np.ndarray, ink: np.ndarray | None = None) -> None:
        """Ink where `mask` (0...255) says, cut to the page."""
        x, y = max(0, int(x)), max(0, int(y))
        h, w = min(mask.shape[0], self.rows - y), min(mask.shape[1], self.columns - x)
        if h > 0 and w > 0:
            part = self.colour[y : y + h, x : x + w]
            part += (mask[:h, :w].astype(np.float32) / 255)[..., None] * ((self.ink if ink is None else ink) - part)

    def bar(self, x: float, y: float, width: float, height: float, ink: np.ndarray | None = None) -> None:
        x0, y0, x1, y1 = (int(max(0, v)) for v in (x, y, x + width, y + max(1, height)))
        self.colour[y0:y1, x0:x1] = self.ink if ink is None else ink

    def frame(self) -> None:
        """A thin line around a part of the page."""
        (left, right), (top, bottom) = np.sort(self.rng.uniform(0.03, 0.97, 2)) * self.columns, np.sort(self.rng.uniform(0.03, 0.97, 2)) * self.rows
        thick = self.rng.uniform(1, 4)
        for x, y, width, height in ((left, top, right - left, thick), (left, bottom, right - left, thick), (left, top, thick, bottom - top), (right, top, thick, bottom - top)):
            self.bar(x, y, width, height)

    def picture(self, x: float, y: float, width: float, height: float, photographs: list[np.ndarray]) -> None:
        """A printed photograph, or a smooth one where there are none."""
        x, y = int(max(0, x)), int(max(0, y))
        w, h = min(int(width), self.columns - x), min(int(height), self.rows - y)
        if w < 4 or h < 4:
            return
        if photographs:
            source = photographs[self.rng.integers(len(photographs))]
            size = int(min(source.shape[:2]) * self.rng.uniform(0.3, 1))
            top, left = (int(self.rng.integers(0, n - size + 1)) for n in source.shape[:2])
            image = cv2.resize(source[top : top + size, left : left + size], (w, h), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        else:
            image = np.dstack([cv2.resize(fields.smooth(self.rng, 64, 5) * 0.4 + 0.5, (w, h)) for _ in range(3)])
        self.colour[y : y + h, x : x + w] = image

    def logo(self, x: float, y: float, size: float) -> None:
        """A few filled shapes and perhaps a word in white."""
        size = int(max(6, size))
        mark = np.zeros((size, size * 2), np.uint8)
        for _ in range(self.rng.integers(1, 4)):
            centre = tuple(int(v) for v in self.rng.uniform(0.2, 0.8, 2) * (size * 2, size))
            radius = int(size * self.rng.uniform(0.1, 0.5))
            fill = int(self.rng.choice((255, 255, 0)))
            if self.rng.random() < 0.5:
                cv2.circle(mark, centre, radius, fill, -1)
            else:
                cv2.rectangle(mark, (centre[0] - radius * 2, centre[1] - radius // 2), (centre[0] + radius * 2, centre[1] + radius // 2), fill, -1)
        self.stamp(x, y, mark, fields.colour(self.rng, (0, 0.9), 1) if self.rng.random() < 0.5 else None)

    def code(self, x: float, y: float, width: float, height: float) -> None:
        """A barcode or a square of modules."""
        if self.rng.random() < 0.6:
            bars = self.rng.integers(0, 2, (1, int(self.rng.integers(40, 90)))).astype(np.uint8) * 255
        else:
            bars, width = self.rng.integers(0, 2, (25, 25)).astype(np.uint8) * 255, height
        self.stamp(x, y, cv2.resize(bars, (max(4, int(width)), max(4, int(height))), interpolation=cv2.INTER_AREA))


def _receipt(press: Press, photographs: list[np.ndarray]) -> None:
    rng, rows, columns = press.rng, press.rows, press.columns
    size, margin = columns * rng.uniform(0.03, 0.055), columns * rng.uniform(0.02, 0.1)
    inside, y = columns - 2 * margin, size * rng.uniform(0.3, 4)
    if rng.random() < 0.5:
        logo = columns * rng.uniform(0.15, 0.35)
        press.logo(columns / 2 - logo, y, logo)
        y += logo * 1.1
    end = rows * (1 if rng.random() < 0.7 else rng.uniform(0.5, 0.95))
    while y < end - size:
        kind = rng.random()
        if kind < 0.55:
            press.words(margin, y, inside * rng.uniform(0.2, 0.6), size)
            press.words(margin + inside * rng.uniform(0.78, 0.85), y, inside * 0.15, size)
        elif kind < 0.75:
            width = inside * rng.uniform(0.3, 0.9)
            press.words((columns - width) / 2, y, width, size)
        elif kind < 0.83:
            press.bar(margin, y + size / 2, inside, rng.uniform(1, 2.5))
        elif kind < 0.89:
            press.words(margin, y, inside * rng.uniform(0.4, 1), size * 1.7)
            y += size * 0.8
        elif kind < 0.92:
            press.bar(0 if rng.random() < 0.5 else margin, y, columns if rng.random() < 0.5 else inside, size * rng.uniform(1, 3))
            y += size * 2
        elif kind < 0.95:
            press.code(columns * 0.2, y, columns * 0.6, columns * rng.uniform(0.12, 0.3))
            y += columns * 0.3
        else:
            y += size * rng.uniform(0.5, 3)
        y += size * rng.uniform(1.0, 1.6)


def _letter(press: Press, photographs: list[np.ndarray]) -> None:
    rng, rows, columns = press.rng, press.rows, press.columns
    margin, size = columns * rng.uniform(0.04, 0.13), max(4, rows * rng.uniform(0.011, 0.022))
    inside, y = columns - 2 * margin, rows * rng.uniform(0.02, 0.08)
    tint = fields.colour(rng, (0.1, 0.9), 1)
    if rng.random() < 0.45:
        height = rows * rng.uniform(0.02, 0.16)
        top = rng.choice((0, y))
        press.bar(0 if rng.random() < 0.7 else margin, top, columns if rng.random() < 0.7 else inside, height, tint)
        press.words(margin, top + height * 0.25, inside * 0.6, height * 0.5, np.ones(3, np.float32))
        y = top + height * 1.3
    if rng.random() < 0.6:
        press.logo(rng.choice((margin, columns * 0.6)), y, rows * rng.uniform(0.03, 0.08))
        y += rows * rng.uniform(0.02, 0.1)
    while y < rows - margin * 0.7 - size:
        kind = rng.random()
        if kind < 0.5:
            left, wide = margin, inside
            if rng.random() < 0.3:
                wide = inside * rng.uniform(0.3, 0.5)
                left = rng.choice((margin, columns - margin - wide))
            for _ in range(rng.integers(1, 9)):
                press.words(left, y, wide * rng.uniform(0.7, 1), size)
                y += size * 1.45
        elif kind < 0.75:
            height, lines, bars = size * rng.uniform(1.3, 2.5), int(rng.integers(2, 9)), rng.random() < 0.5
            stops = np.sort(rng.uniform(0, 1, rng.integers(1, 5)))
            for line in range(lines):
                if line == 0 and rng.random() < 0.6 or bars and line % 2:
                    press.bar(margin, y, inside, height, tint * 0.5 + 0.5 if line else tint)
                for stop in (0, *stops):
                    press.words(margin + stop * inside + 2, y + height * 0.2, inside * rng.uniform(0.05, 0.2), size * 0.9)
                if not bars:
                    press.bar(margin, y + height, inside, 1)
                y += height
                if y > rows:
                    break
            if rng.random() < 0.4:
                for stop in (0, *stops, 1):
                    press.bar(margin + stop * (inside - 1), y - lines * height, 1, lines * height)
        elif kind < 0.82:
            height = rows * rng.uniform(0.08, 0.3)
            press.picture(margin + inside * rng.uniform(0, 0.5), y, inside * rng.uniform(0.3, 1), height, photographs)
            y += height
        elif kind < 0.9:
            press.words(margin, y, inside * rng.uniform(0.3, 1), size * rng.uniform(1.5, 3))
            y += size * 3
        elif kind < 0.94:
            height = rows * rng.uniform(0.01, 0.06)
            press.bar(0, y, columns, height, tint)
            y += height
        else:
            press.code(margin, y, inside * 0.3, rows * 0.06)
            y += rows * 0.08
        y += size * rng.uniform(0.5, 4)
    if rng.random() < 0.25:
        press.bar(0, rows * rng.uniform(0.9, 0.98), columns, rows, tint)


def _card(press: Press, photographs: list[np.ndarray]) -> None:
    rng, rows, columns = press.rng, press.rows, press.columns
    short = min(rows, columns)
    if rng.random() < 0.35:
        along, share = rng.random() < 0.5, rng.uniform(0.05, 0.5)
        at = rng.choice((0, 1 - share))
        press.bar(*((0, at * rows, columns, share * rows) if along else (at * columns, 0, share * columns, rows)), fields.colour(rng, (0.05, 1), 1))
    if rng.random() < 0.2:
        press.picture(columns * rng.uniform(0, 0.7), rows * rng.uniform(0, 0.5), short * rng.uniform(0.2, 0.7), short * rng.uniform(0.2, 0.7), photographs)
    if rng.random() < 0.7:
        press.logo(columns * rng.uniform(0.05, 0.6), rows * rng.uniform(0.05, 0.6), short * rng.uniform(0.1, 0.35))
    x, y, size = columns * rng.uniform(0.05, 0.5), rows * rng.uniform(0.1, 0.5), short * rng.uniform(0.04, 0.08)
    press.words(x, y, columns * rng.uniform(0.3, 0.6), size * rng.uniform(1.3, 2.2))
    for line in range(rng.integers(1, 8)):
        press.words(x, y + size * (2.6 + 1.5 * line), columns * rng.uniform(0.2, 0.5), size)


def _flyer(press: Press, photographs: list[np.ndarray]) -> None:
    rng, rows, columns = press.rng, press.rows, press.columns
    if rng.random() < 0.5:
        press.picture(0, 0, columns, rows * rng.uniform(0.4, 1), photographs)
    for _ in range(rng.integers(1, 6)):
        x, y = rng.uniform(0, columns * 0.7), rng.uniform(0, rows * 0.9)
        kind = rng.random()
        if kind < 0.4:
            press.bar(x if rng.random() < 0.5 else 0, y, columns * rng.uniform(0.2, 1), rows * rng.uniform(0.03, 0.3), fields.colour(rng, (0, 1), 1))
        elif kind < 0.6:
            press.picture(x, y, columns * rng.uniform(0.2, 0.6), rows * rng.uniform(0.1, 0.4), photographs)
        press.words(x, y, columns * 0.8, rows * rng.uniform(0.03, 0.1), fields.colour(rng, (0, 1), 0.5))
    for _ in range(rng.integers(0, 12)):
        press.words(rng.uniform(0, columns * 0.3), rng.uniform(0, rows), columns * 0.6, rows * 0.025)


def _blank(press: Press, photographs: list[np.ndarray]) -> None:
    if press.rng.random() < 0.6:
        press.words(*press.rng.uniform(0, 0.6, 2) * (press.columns, press.rows), press.columns * 0.4, press.rows * 0.03)


def _paper(rng: Generator, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """The colours of a paper and its ink."""
    dark = {"card": 0.18, "flyer": 0.25, "label": 0.3}.get(kind, 0)
    if rng.random() < dark:
        return fields.colour(rng, (0.03, 0.6), 0.9), fields.colour(rng, (0.6, 1), 0.6)
    tinted = {"receipt": 0.1, "letter": 0.06, "blank": 0.2}.get(kind, 0.3)
    paper = fields.colour(rng, (0.6, 1), 0.55) if rng.random() < tinted else fields.colour(rng, (0.82, 1), 0.09)
    ink = fields.colour(rng, (0, 0.35), 0.4) if rng.random() < 0.8 else fields.colour(rng, (0.2, 0.7), 1)
    return paper, ink


def _shape(rng: Generator, kind: str, rows: int, columns: int) -> np.ndarray:
    """255 where there is paper."""
    shape = np.full((rows, columns), 255, np.uint8)
    if kind == "receipt" and rng.random() < 0.35:
        for end in (shape, shape[::-1]):
            depth = columns * rng.uniform(0, 0.03)
            torn = np.interp(np.arange(columns), np.linspace(0, columns, 40), rng.uniform(0, depth, 40)) + rng.uniform(0, depth * 2) * np.linspace(0, 1, columns)
            end[np.arange(rows)[:, None] < torn[None]] = 0
    elif kind in ("card", "label") and rng.random() < 0.4:
        radius = int(min(rows, columns) * rng.uniform(0.02, 0.5 if kind == "label" and rng.random() < 0.3 else 0.12))
        shape[:] = 0
        cv2.rectangle(shape, (radius, 0), (columns - radius - 1, rows), 255, -1)
        cv2.rectangle(shape, (0, radius), (columns, rows - radius - 1), 255, -1)
        for x in (radius, columns - radius - 1):
            for y in (radius, rows - radius - 1):
                cv2.circle(shape, (x, y), radius, 255, -1)
    if rng.random() < 0.1:
        for corner in ((0, 0), (columns, 0), (0, rows), (columns, rows)):
            if rng.random() < 0.5:
                a, b = rng.uniform(0.03, 0.25, 2) * min(rows, columns)
                sx, sy = (1 if corner[0] == 0 else -1), (1 if corner[1] == 0 else -1)
                cv2.fillConvexPoly(shape, np.int32([corner, (corner[0] + sx * a, corner[1]), (corner[0], corner[1] + sy * b)]), 0)
    return shape


_KINDS = {"receipt": _receipt, "letter": _letter, "card": _card, "flyer": _flyer, "label": _card, "blank": _blank}


def draw(rng: Generator, photographs: list[np.ndarray], kind: str | None = None) -> Page:
    """A page of a kind (receipt, letter, card, flyer, label, blank), a random one if none is given."""
    kind = kind or str(rng.choice(["receipt", "letter", "card", "flyer", "blank"], p=[0.41, 0.35, 0.12, 0.05, 0.07]))
    aspect = {
        "receipt": lambda: float(np.exp(rng.uniform(np.log(1.2), np.log(6.5)))),
        "letter": lambda: float(rng.choice((1.414, 1.294, rng.uniform(1, 1.8)))),
        "card": lambda: 1 / rng.uniform(1.45, 1.95) if rng.random() < 0.85 else rng.uniform(1.45, 1.95),
        "label": lambda: rng.uniform(0.4, 1.8),
    }.get(kind, lambda: rng.uniform(0.6, 1.7))()
    rows, columns = (LENGTH, int(LENGTH / aspect)) if aspect >= 1 else (int(LENGTH * aspect), LENGTH)
    paper, ink = _paper(rng, kind)
    press = Press(rng, paper, rows, columns, ink)
    _KINDS[kind](press, photographs)
    if rng.random() < 0.1:
        press.frame()
    if kind in ("card", "flyer", "label") and rng.random() < 0.3:
        width = int(rng.integers(2, 14))
        press.colour[:width] = press.colour[-width:] = press.colour[:, :width] = press.colour[:, -width:] = fields.colour(rng, (0, 1), 0.8)
    fade = rng.uniform(0.1, 1) if kind == "receipt" and rng.random() < 0.5 else 1
    colour = press.colour if fade == 1 else paper + (press.colour - paper) * np.float32(fade)
    return Page((np.clip(colour, 0, 1) * 255).astype(np.uint8), _shape(rng, kind, rows, columns))


def scanned(rng: Generator, page: Page) -> Page:
    """The page as a scanner or a copier shows it: cut close to the print or with margins, in its own shade, blurred, speckled, often grey."""
    colour, shape = page.colour.astype(np.float32) / 255, page.shape
    paper = np.percentile(colour.reshape(-1, 3)[::17], 80, axis=0).astype(np.float32)
    colour[shape < 128] = fields.colour(rng, (0, 0.2), 0.1) if rng.random() < 0.6 else paper
    rows, columns = shape.shape
    if rng.random() < 0.3:
        top, left = (int(n * rng.uniform(0, 0.08)) for n in (rows, columns))
        colour = colour[top : rows - top, left : columns - left]
    elif rng.random() < 0.5:
        far = 0.6 if rng.random() < 0.35 else 0.06
        sides = [int(n * rng.uniform(0, far)) for n in (rows, rows, columns, columns)]
        dark = far < 0.1 and rng.random() < 0.6
        colour = cv2.copyMakeBorder(colour, *sides, cv2.BORDER_CONSTANT, value=(fields.colour(rng, (0, 0.25), 0.1) if dark else paper).tolist())
    scale = LENGTH / max(colour.shape[:2])
    colour = cv2.resize(colour, (max(8, round(colour.shape[1] * scale)), max(8, round(colour.shape[0] * scale))), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.7:
        colour = np.repeat(colour.mean(axis=2, keepdims=True), 3, axis=2) * (1 + rng.normal(0, 0.012, 3)).astype(np.float32)
    if rng.random() < 0.3:
        colour = np.where(colour > rng.uniform(0.6, 0.85), np.float32(1), colour * np.float32(rng.uniform(0.3, 1)))
    else:
        colour = colour * np.float32(rng.uniform(0.6, 1))
    side = colour.shape[:2][::-1]
    shade = cv2.resize(fields.smooth(rng, 64, int(rng.integers(2, 9))), side) * rng.uniform(0, 0.12)
    specks = cv2.resize(fields.grain(rng, 256), side, interpolation=cv2.INTER_NEAREST) * rng.exponential(0.02)
    colour = colour * (1 + shade + specks)[..., None].astype(np.float32)
    for _ in range(rng.integers(0, 3) if rng.random() < 0.3 else 0):
        cv2.circle(colour, tuple(int(v) for v in rng.uniform(0, 1, 2) * side), int(rng.uniform(4, 14)), (0.05, 0.05, 0.05), -1, cv2.LINE_AA)
    if rng.random() < 0.4:
        colour = cv2.GaussianBlur(colour, (0, 0), rng.uniform(0.4, 1.5))
    return Page((np.clip(colour, 0, 1) * 255).astype(np.uint8), np.full(colour.shape[:2], 255, np.uint8))
