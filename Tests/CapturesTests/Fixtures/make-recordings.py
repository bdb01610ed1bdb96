#!/usr/bin/env python3
"""Makes Record3D's files in small, by what is published of them, with pyliblzfse, OpenEXR and Pillow from PyPI, and ffmpeg.

The picture and the depth are those of make-fixtures.py: 300 + x + 10 y millimetres, here in metres, NaN at (0, 0).
"""
import json
import pathlib
import subprocess
import tempfile
import zipfile

import liblzfse
import numpy as np
import OpenEXR
from PIL import Image

here = pathlib.Path(__file__).resolve().parent
y, x = np.mgrid[0:15, 0:20]
metres = ((300 + x + 10 * y) / 1000).astype("<f4")
metres[0, 0] = np.nan
levels = np.where(x < 5, 0, np.where(x < 10, 1, 2)).astype(np.uint8)
metadata = {
    "w": 40, "h": 30, "dw": 20, "dh": 15, "fps": 30,
    # By columns; the frames' own coefficients differ, so that a mix would show.
    "K": [50, 0, 0, 0, 52, 0, 19, 15, 1],
    "perFrameIntrinsicCoeffs": [[50, 52, 19, 15], [42, 44, 18, 16], [50, 52, 19, 15]],
    "poses": [[0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 1, 2, 3], [0, 0, 0, 1, 0, 0, 0]],
    "frameTimestamps": [0.0, 0.5, 1.0],
}
picture = (here / "picture-1.jpg").read_bytes()


def archive(name, metadata, prefix=""):
    with zipfile.ZipFile(here / name, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(prefix + "metadata", json.dumps(metadata))
        for number in range(3):
            file.writestr(f"{prefix}rgbd/{number}.jpg", picture, zipfile.ZIP_STORED)
            file.writestr(f"{prefix}rgbd/{number}.depth", liblzfse.compress(metres.tobytes()))
            file.writestr(f"{prefix}rgbd/{number}.conf", liblzfse.compress(levels.tobytes()))


archive("record3d.r3d", metadata)
archive("record3d-lying.r3d", metadata | {"dw": 21})
for name, kind in [("half", np.float16), ("float", np.float32)]:
    channels = {c: OpenEXR.Channel((metres if c == "R" else metres * 2).astype(kind)) for c in "RGB"}
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    OpenEXR.File(header, channels).write(str(here / f"depth-{name}.exr"))
tiles = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.tiledimage, "tiles": OpenEXR.TileDescription()}
OpenEXR.File(tiles, {"R": OpenEXR.Channel(metres)}).write(str(here / "depth-tiles.exr"))

# Five frames of 40 x 30, grey 40, 80 ... 200, marked to be shown turned by 90 degrees as Stray Scanner's are.
with tempfile.TemporaryDirectory() as folder:
    for number in range(5):
        grey = np.full((30, 40, 3), 40 * (number + 1), np.uint8)
        grey[:10, :10] = 0
        Image.fromarray(grey).save(f"{folder}/{number}.png")
    subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-y", "-i", f"{folder}/%d.png", "-c:v", "mpeg4", "-q:v", "1",
         "-bitexact", f"{folder}/plain.mp4"], check=True)
    subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-y", "-i", f"{folder}/plain.mp4", "-c", "copy",
         "-metadata:s:v", "rotate=90", "-bitexact", str(here / "turned.mp4")], check=True)
