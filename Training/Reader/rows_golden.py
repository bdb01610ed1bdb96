"""Draws a page of print and writes what the detector makes of it, for the tests of the network that finds rows.

    rows_golden.py MODEL FONT rows-golden.bin

MODEL as for rows.py, FONT a TrueType file. Little endian: uint32 columns and rows, the pixels, one byte each, then for each pixel the probability of print
as float16, as ONNX Runtime computes it. Needs numpy, onnxruntime, pillow.
"""

import argparse
import struct
from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image, ImageDraw, ImageFont

from rows import DEVIATIONS, MEANS

ROWS = ("BREAD   12,00", "MILK     2,50", "", "TOTAL   14,50")
WIDTH, HEIGHT, PITCH = 160, 96, 22

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("font", type=Path)
    parser.add_argument("golden", type=Path)
    arguments = parser.parse_args()
    font = ImageFont.truetype(str(arguments.font), 13)
    image = Image.new("L", (WIDTH, HEIGHT), 225)
    for index, text in enumerate(ROWS):
        ImageDraw.Draw(image).text((12, 14 + index * PITCH), text, fill=50, font=font, anchor="lm")
    noise = np.random.default_rng(1).normal(0, 4, (HEIGHT, WIDTH))
    pixels = np.clip(np.asarray(image) + noise, 0, 255).astype(np.uint8)
    planes = (pixels[None].astype(np.float32) / 255 - MEANS.reshape(3, 1, 1)) / DEVIATIONS.reshape(3, 1, 1)
    session = onnxruntime.InferenceSession(str(arguments.model))
    probabilities = session.run(None, {session.get_inputs()[0].name: planes[None].astype(np.float32)})[0][0, 0]
    arguments.golden.write_bytes(
        struct.pack("<2I", WIDTH, HEIGHT) + pixels.tobytes() + probabilities.astype("<f2").tobytes())
