"""The two image formats between here and the command, with numpy and zlib alone."""

from __future__ import annotations

import pathlib
import struct
import zlib

import numpy as np
import numpy.typing as npt


def write_pnm(path: pathlib.Path, pixels: npt.NDArray[np.uint8]) -> None:
    """Writes a PGM or PPM."""
    kind = b"P6" if pixels.ndim == 3 else b"P5"
    header = b"%s %d %d 255\n" % (kind, pixels.shape[1], pixels.shape[0])
    path.write_bytes(header + np.ascontiguousarray(pixels).tobytes())


def read_png(path: pathlib.Path) -> npt.NDArray[np.uint8]:
    """Reads a PNG as the command writes them."""
    return decode_png(path.read_bytes())


def decode_png(content: bytes) -> npt.NDArray[np.uint8]:
    """Decodes a PNG as the command writes them: RGB of 8 bits, or grey of 8 bits or 1; the answer is height x width x 3."""
    if content[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("this is no PNG")
    place, packed, head = 8, [], b""
    while place < len(content):
        size, kind = struct.unpack(">I4s", content[place : place + 8])
        body = content[place + 8 : place + 8 + size]
        if kind == b"IHDR":
            head = body
        elif kind == b"IDAT":
            packed.append(body)
        place += size + 12
    width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", head)
    if (depth, color) not in ((8, 2), (8, 0), (1, 0)) or interlaced:
        raise ValueError("this is a PNG of another kind than flatten writes")
    channels = 3 if color == 2 else 1
    stride = (width * channels * depth + 7) // 8
    data = np.frombuffer(zlib.decompress(b"".join(packed)), np.uint8).reshape(height, stride + 1)
    rows = _unfiltered(data[:, 0], data[:, 1:], channels)
    if depth == 1:
        rows = np.unpackbits(rows, axis=1)[:, :width] * np.uint8(255)
    pixels = rows.reshape(height, width, channels)
    return np.repeat(pixels, 3, axis=2) if channels == 1 else pixels


def _unfiltered(
    filters: npt.NDArray[np.uint8], rows: npt.NDArray[np.uint8], step: int
) -> npt.NDArray[np.uint8]:
    """Takes back the filters of PNG's rows; arithmetic is modulo 256."""
    out = np.zeros_like(rows)
    above = np.zeros(rows.shape[1], np.uint8)
    for index, (kind, row) in enumerate(zip(filters, rows)):
        if kind == 0:
            line = row
        elif kind == 1:
            padded = np.zeros(-(-row.size // step) * step, np.uint8)
            padded[: row.size] = row
            line = np.cumsum(padded.reshape(-1, step), axis=0, dtype=np.uint8).reshape(-1)[: row.size]
        elif kind == 2:
            line = row + above
        else:
            line = _sequential(int(kind), row, above, step)
        out[index] = above = line
    return out


def _sequential(
    kind: int, row: npt.NDArray[np.uint8], above: npt.NDArray[np.uint8], step: int
) -> npt.NDArray[np.uint8]:
    """Average (3) and Paeth (4), in which each byte waits for the one before."""
    line, up = [0] * step + row.tolist(), [0] * step + above.tolist()
    for place in range(step, len(line)):
        left, over, corner = line[place - step], up[place], up[place - step]
        if kind == 3:
            guess = (left + over) // 2
        else:
            whole = left + over - corner
            distances = abs(whole - left), abs(whole - over), abs(whole - corner)
            guess = (left, over, corner)[distances.index(min(distances))]
        line[place] = (line[place] + guess) & 255
    return np.array(line[step:], np.uint8)
