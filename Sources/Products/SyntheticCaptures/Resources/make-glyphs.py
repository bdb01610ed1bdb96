#!/usr/bin/env python3
"""Draws glyphs.png: printable ASCII of DejaVu Sans Mono, regular above bold.

Cells of 32 x 64 pixels, 16 to a row, from the space (32) to the tilde (126); white on black, so that a value is the
share of a pixel that is inked. The upper six rows are regular, the lower six bold. Needs Pillow.

    python3 make-glyphs.py [folder of the TrueType files]
"""
import sys

from PIL import Image, ImageDraw, ImageFont

folder = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts/truetype/dejavu"
CELL, LINE, COLUMNS, ROWS, OVERSAMPLING = 32, 64, 16, 6, 8
ADVANCE = 1233 / 2048  # of every glyph, in em

atlas = Image.new("L", (CELL * COLUMNS, LINE * ROWS * 2), 0)
for face, name in enumerate(["DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"]):
    font = ImageFont.truetype(f"{folder}/{name}", round(CELL * OVERSAMPLING / ADVANCE))
    for index in range(95):
        big = Image.new("L", (CELL * OVERSAMPLING, LINE * OVERSAMPLING), 0)
        # The baseline lies 48 of 64 rows down in every cell.
        ImageDraw.Draw(big).text((0, 48 * OVERSAMPLING), chr(32 + index), 255, font, anchor="ls")
        cell = big.resize((CELL, LINE), Image.BOX)
        atlas.paste(cell, (index % COLUMNS * CELL, (index // COLUMNS + face * ROWS) * LINE))
atlas.save("glyphs.png", optimize=True)
