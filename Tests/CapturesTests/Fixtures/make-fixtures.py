#!/usr/bin/env python3
"""Makes the small files beside this script, with Pillow and tifffile: other programs than the one under test.

Picture (40 x 30 as stored): red = 6 x, green = 8 y, blue = 128.
Depth (20 x 15 as stored): 300 + x + 10 y millimetres; no reading at (0, 0).
"""
import pathlib

import numpy as np
import tifffile
from PIL import Image

here = pathlib.Path(__file__).resolve().parent
y, x = np.mgrid[0:30, 0:40]
picture = Image.fromarray(np.stack([6 * x, 8 * y, 0 * x + 128], -1).astype(np.uint8))
picture.save(here / "picture.png")
for orientation in range(1, 9):
    exif = Image.Exif()
    exif[0x0112] = orientation
    if orientation in (1, 6):
        exif.get_ifd(0x8769)[0xA405] = 26
    picture.save(here / f"picture-{orientation}.jpg", quality=98, subsampling=0, exif=exif)

y, x = np.mgrid[0:15, 0:20]
millimetres = (300 + x + 10 * y).astype(np.uint16)
millimetres[0, 0] = 0
Image.fromarray(millimetres).save(here / "depth-mm.png")
# Turned clockwise, as orientation 6 turns the picture.
Image.fromarray(np.ascontiguousarray(np.rot90(millimetres, -1))).save(here / "depth-mm-upright.png")
metres = millimetres.astype(np.float32) / 1000
tifffile.imwrite(here / "depth-m.tif", metres)
with np.errstate(divide="ignore"):
    tifffile.imwrite(here / "disparity.tif", (1 / metres).astype(np.float32))
tifffile.imwrite(here / "depth-radial.tif", np.full((15, 20), 0.5, np.float32))
Image.fromarray((x * 12).astype(np.uint8)).save(here / "depth-8bit.png")
Image.fromarray(np.zeros((15, 20), np.uint16)).save(here / "depth-zero.png")
Image.fromarray(millimetres[:5]).save(here / "depth-wide.png")
# Columns 0 to 4 low, 5 to 9 medium, the rest high.
levels = np.where(x < 5, 0, np.where(x < 10, 1, 2)).astype(np.uint8)
Image.fromarray(levels).save(here / "confidence-012.png")
Image.fromarray(np.array([0, 127, 255], np.uint8)[levels]).save(here / "confidence-255.png")
Image.fromarray(levels[:5]).save(here / "confidence-wide.png")

# A wall at 500 mm, and before it a bar at 250 mm in columns 10 and 11, rows 5 to 9.
flat = np.full((15, 20), 500, np.uint16)
flat[5:10, 10:12] = 250
Image.fromarray(flat).save(here / "depth-flat.png")
