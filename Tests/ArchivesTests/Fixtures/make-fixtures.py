#!/usr/bin/env python3
"""Makes the streams beside this script with Apple's own compressor (PyPI: pyliblzfse), and small archives.

What each stream unpacks to is computed by the test from the same formulas.
"""
import pathlib
import zipfile

import liblzfse
import numpy as np

here = pathlib.Path(__file__).resolve().parent


def generator(count):
    """A linear congruential generator: the high bytes of state = 1664525 state + 1013904223 (mod 2^32), from 1."""
    state, values = 1, bytearray()
    for _ in range(count):
        state = (1664525 * state + 1013904223) % 2**32
        values.append(state >> 24)
    return bytes(values)


y, x = np.mgrid[0:96, 0:128]
depth = (0.25 + x / 512 + y / 1024).astype("<f4")
depth[:, :8] = np.nan
streams = {
    "noise": generator(3000),  # stored as it is
    "text": b"TOTAL 12.34 EUR\n" * 100,  # LZVN
    "steps": bytes((i // 7) % 251 for i in range(4000)),  # LZVN with literals
    "depth": depth.tobytes(),  # entropy coded, several blocks
    "levels": bytes(v % 3 for v in generator(20000)),  # entropy coded, short distances
    "runs": b"".join(bytes([v]) * (v * 4 + 1) for v in generator(200)),  # long matches
}
for name, content in streams.items():
    packed = liblzfse.compress(content)
    assert liblzfse.decompress(packed) == content
    (here / f"{name}.lzfse").write_bytes(packed)
    print(name, len(content), "->", len(packed), packed[:4])

with zipfile.ZipFile(here / "files.zip", "w") as archive:
    archive.writestr("a/deflated.txt", b"abc" * 1000, zipfile.ZIP_DEFLATED)
    archive.writestr("stored.bin", bytes(range(256)), zipfile.ZIP_STORED)
    archive.writestr("../outside.txt", b"x")
    archive.writestr("/absolute.txt", b"x")
    archive.writestr("folder/", b"")
    link = zipfile.ZipInfo("link.txt")
    link.create_system = 3
    link.external_attr = 0o120777 << 16
    archive.writestr(link, b"/etc/passwd")
with zipfile.ZipFile(here / "bomb.zip", "w") as archive:
    archive.writestr("zeros.bin", bytes(3_000_000), zipfile.ZIP_DEFLATED)
with zipfile.ZipFile(here / "bzip2.zip", "w") as archive:
    archive.writestr("a.txt", b"a", zipfile.ZIP_BZIP2)
broken = bytearray((here / "files.zip").read_bytes())
broken[broken.index(bytes(range(200, 256)))] ^= 1
(here / "broken.zip").write_bytes(broken)
