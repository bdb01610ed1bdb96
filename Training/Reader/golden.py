"""Draws rows of print and writes what the recogniser of `make reader` makes of them, for the tests of the built-in one.

    golden.py MODEL FONT golden.bin

MODEL as for export.py, FONT a TrueType file. For each row, little endian: uint32 columns, its 48 rows of pixels, one byte each, then for each step of 8
columns the probabilities of the classes that export.py keeps, as float16, as ONNX Runtime computes them. Needs onnx, onnxruntime, pillow.
"""

import argparse
import struct
from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image, ImageDraw, ImageFont

from export import Graph, is_latin

ROWS = ("Total 12,50 €", "Müller & Søn 7%", "")


def picture(text: str, font: ImageFont.FreeTypeFont) -> np.ndarray:
    width = max(8, -(-int(font.getlength(text) + 16) // 8) * 8)
    image = Image.new("L", (width, 48), 235)
    ImageDraw.Draw(image).text((8, 24), text, fill=40, font=font, anchor="lm")
    noise = np.random.default_rng(len(text)).normal(0, 4, (48, width))
    return np.clip(np.asarray(image) + noise, 0, 255).astype(np.uint8)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("font", type=Path)
    parser.add_argument("golden", type=Path)
    arguments = parser.parse_args()
    characters = Graph(arguments.model).metadata["character"].rstrip("\n").split("\n")
    classes = [0, *(1 + i for i, c in enumerate(characters) if is_latin(c)), len(characters) + 1]
    session = onnxruntime.InferenceSession(str(arguments.model))
    font = ImageFont.truetype(str(arguments.font), 30)
    data = b""
    for text in ROWS:
        pixels = picture(text, font)
        planes = np.repeat((pixels.astype(np.float32) / 127.5 - 1)[None, None], 3, 1)
        probabilities = session.run(None, {session.get_inputs()[0].name: planes})[0][0][:, classes]
        data += struct.pack("<I", pixels.shape[1]) + pixels.tobytes() + probabilities.astype("<f2").tobytes()
    arguments.golden.write_bytes(data)
