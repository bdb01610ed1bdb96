#!/usr/bin/env python3
"""Draws the files that ImageFilesTests reads, each with another program than the one under test.

Needs numpy, opencv-python, pillow, tifffile, imagecodecs; ImageMagick (convert), libtiff-tools (tiffcp).
Beside each file stands what it must decode to, in fixtures.json: the picture drawn here for lossless files, Pillow's
own decoding for JPEG. Values are in *.raw: rows from the top, little-endian, no header.
"""
import json
import struct
import subprocess
import zlib
from pathlib import Path

import cv2
import numpy as np
import tifffile
from PIL import Image

HERE = Path(__file__).parent
WIDTH, HEIGHT = 37, 21
rng = np.random.default_rng(20240501)
entries = []


def raw(name, array):
    """Writes the expected values once and returns the file's name."""
    array = np.ascontiguousarray(array)
    (HERE / name).write_bytes(array.astype(array.dtype.newbyteorder("<")).tobytes())
    return name


def expect(file, kind, expected, **more):
    """kind: color (RGB bytes), uint8, uint16 or float32."""
    entries.append({"file": file, "kind": kind, "width": WIDTH, "height": HEIGHT, "expected": expected, **more})


def to8(values16):
    return np.round(values16.astype(np.float64) / 257).astype(np.uint8)


def over_white(color, alpha, full):
    c, a = color.astype(np.float64) / full, alpha.astype(np.float64)[..., None] / full
    return np.floor((c * a + 1 - a) * 255 + 0.5).astype(np.uint8)


def png(name, width, height, depth, color_type, rows, chunks=(), interlace=0):
    """A PNG by hand, for what no program writes as wanted: `chunks` stand before IDAT."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, interlace)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    for kind, content in chunks:
        data += chunk(kind, content)
    data += chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 9)) + chunk(b"IEND", b"")
    (HERE / name).write_bytes(data)


def exif(orientation=None, focal35=None, order="<"):
    """A TIFF structure with an orientation in the main and a focal length in the EXIF directory."""
    mark = b"II*\0" if order == "<" else b"MM\0*"
    main, sub = [], []
    if orientation is not None:
        main.append((0x0112, 3, 1, struct.pack(order + "HH", orientation, 0)))
    if focal35 is not None:
        sub.append((0xA405, 3, 1, struct.pack(order + "HH", focal35, 0)))
    count = len(main) + (1 if sub else 0)
    sub_offset = 8 + 2 + 12 * count + 4
    if sub:
        main.append((0x8769, 4, 1, struct.pack(order + "I", sub_offset)))
    def directory(items):
        body = struct.pack(order + "H", len(items))
        for tag, kind, length, value in items:
            body += struct.pack(order + "HHI", tag, kind, length) + value
        return body + struct.pack(order + "I", 0)
    return mark + struct.pack(order + "I", 8) + directory(main) + (directory(sub) if sub else b"")


# The pictures: smooth with noise, so that no two rows or channels are alike.
y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
rgb16 = np.stack([
    x / WIDTH * 65535, y / HEIGHT * 65535, (np.sin(x / 5) * np.cos(y / 4) + 1) / 2 * 65535], -1)
rgb16 = np.clip(rgb16 + rng.normal(0, 3000, rgb16.shape), 0, 65535).astype(np.uint16)
rgb8 = to8(rgb16)
gray16 = rgb16[..., 2].copy()
gray16[0, :4] = [0, 1, 1000, 65535]
gray8 = to8(gray16)
alpha16 = np.clip(rng.normal(40000, 30000, gray16.shape), 0, 65535).astype(np.uint16)
alpha8 = to8(alpha16)
depth = (0.2 + gray16.astype(np.float64) / 65535 * 0.5)
depth32 = depth.astype(np.float32)
depth32[0, :4] = [0, -1, np.nan, np.inf]

def as_color(gray):
    return np.repeat(gray[..., None], 3, -1)

E_RGB = raw("rgb8.raw", rgb8)
E_RGB16 = raw("rgb16-as-8.raw", to8(rgb16))
E_GRAY = raw("gray8-as-rgb.raw", as_color(gray8))
E_GRAY8 = raw("gray8.raw", gray8)
E_GRAY16 = raw("gray16.raw", gray16)
E_DEPTH = raw("depth32.raw", depth32)
E_HALF = raw("depth16-as-32.raw", depth32.astype(np.float16).astype(np.float32))
E_INVERTED = raw("gray8-inverted-as-rgb.raw", as_color(255 - gray8))
E_RGBA8 = raw("rgba8-over-white.raw", over_white(rgb8, alpha8, 255))
E_RGBA16 = raw("rgba16-over-white.raw", over_white(rgb16, alpha16, 65535))
E_LA8 = raw("la8-over-white.raw", over_white(as_color(gray8), alpha8, 255))

# PNG
cv2.imwrite(str(HERE / "rgb8.png"), rgb8[..., ::-1])
expect("rgb8.png", "color", E_RGB)
cv2.imwrite(str(HERE / "rgb16.png"), rgb16[..., ::-1])
expect("rgb16.png", "color", E_RGB16)
Image.fromarray(gray8).save(HERE / "gray8.png")
expect("gray8.png", "color", E_GRAY)
expect("gray8.png", "uint8", E_GRAY8)
cv2.imwrite(str(HERE / "gray16.png"), gray16)
expect("gray16.png", "uint16", E_GRAY16)
expect("gray16.png", "color", raw("gray16-as-rgb.raw", as_color(to8(gray16))))
Image.fromarray(np.dstack([rgb8, alpha8])).save(HERE / "rgba8.png")
expect("rgba8.png", "color", E_RGBA8)
cv2.imwrite(str(HERE / "rgba16.png"), np.dstack([rgb16[..., ::-1], alpha16]))
expect("rgba16.png", "color", E_RGBA16)
Image.fromarray(np.dstack([gray8, alpha8]), "LA").save(HERE / "la8.png")
expect("la8.png", "color", E_LA8)
for name, source in [("rgb8", "rgb8"), ("gray16", "gray16"), ("rgba16", "rgba16")]:
    subprocess.run(
        ["convert", HERE / f"{source}.png", "-interlace", "PNG", HERE / f"{name}-interlaced.png"], check=True)
expect("rgb8-interlaced.png", "color", E_RGB)
expect("gray16-interlaced.png", "uint16", E_GRAY16)
expect("rgba16-interlaced.png", "color", E_RGBA16)
palette_image = Image.fromarray(rgb8).quantize(16)
palette_image.save(HERE / "palette4.png", bits=4)
palette_rgb = np.asarray(palette_image.convert("RGB"))
expect("palette4.png", "color", raw("palette4.raw", palette_rgb))
palette_image.save(HERE / "palette4-transparent.png", bits=4, transparency=3)
see_through = palette_rgb.copy()
see_through[np.asarray(palette_image) == 3] = 255
expect("palette4-transparent.png", "color", raw("palette4-transparent.raw", see_through))
for depth_bits in (1, 2, 4):
    values = (gray8 >> (8 - depth_bits)).astype(np.uint8)
    bits = np.unpackbits(values[..., None], -1)[..., 8 - depth_bits:].reshape(HEIGHT, -1)
    png(f"gray{depth_bits}.png", WIDTH, HEIGHT, depth_bits, 0, [np.packbits(r).tobytes() for r in bits])
    expect(f"gray{depth_bits}.png", "uint8", raw(f"gray{depth_bits}.raw", values))
    scaled = (values.astype(np.uint32) * 255 // (2 ** depth_bits - 1)).astype(np.uint8)
    expect(f"gray{depth_bits}.png", "color", raw(f"gray{depth_bits}-as-rgb.raw", as_color(scaled)))
big_endian_rows = [row.astype(">u2").tobytes() for row in gray16]
for name, chunks in {
    "gray16-srgb": [(b"sRGB", b"\0"), (b"gAMA", struct.pack(">I", 45455))],
    "gray16-gamma-significant-bits": [(b"gAMA", struct.pack(">I", 100000)), (b"sBIT", b"\x0c")],
}.items():
    png(f"{name}.png", WIDTH, HEIGHT, 16, 0, big_endian_rows, chunks)
    expect(f"{name}.png", "uint16", E_GRAY16)
transparent = int(gray16[3, 3])
png("gray16-transparent.png", WIDTH, HEIGHT, 16, 0, big_endian_rows, [(b"tRNS", struct.pack(">H", transparent))])
expect("gray16-transparent.png", "uint16", E_GRAY16)
with_hole = as_color(to8(gray16)).copy()
with_hole[gray16 == transparent] = 255
expect("gray16-transparent.png", "color", raw("gray16-transparent.raw", with_hole))
png("rgb8-described.png", WIDTH, HEIGHT, 8, 2, [row.tobytes() for row in rgb8], [
    (b"pHYs", struct.pack(">IIB", 5906, 5906, 1)), (b"eXIf", exif(6, 26, ">")),
    (b"tEXt", b"Comment\0of no interest"), (b"zTXt", b"Comment\0\0" + zlib.compress(b"x" * 100))])
expect("rgb8-described.png", "color", E_RGB, orientation=6, focalLengthIn35mmFilm=26, pixelsPerMeter=5906)
png("gray16-turned.png", WIDTH, HEIGHT, 16, 0, big_endian_rows, [(b"eXIf", exif(8))])
expect("gray16-turned.png", "uint16", E_GRAY16, orientation=8)

# TIFF maps
for name, array, kind, expected, more in [
    ("depth32", depth32, "float32", E_DEPTH, {}),
    ("depth32-big-endian", depth32, "float32", E_DEPTH, {"byteorder": ">"}),
    ("depth32-deflate", depth32, "float32", E_DEPTH, {"compression": "zlib", "predictor": 3}),
    ("depth32-deflate-big-endian", depth32, "float32", E_DEPTH,
     {"compression": "zlib", "predictor": 3, "byteorder": ">"}),
    ("depth32-lzw", depth32, "float32", E_DEPTH, {"compression": "lzw"}),
    ("depth32-packbits", depth32, "float32", E_DEPTH, {"compression": "packbits"}),
    ("depth32-zstd", depth32, "float32", E_DEPTH, {"compression": "zstd"}),
    ("depth32-tiles", depth32, "float32", E_DEPTH, {"tile": (16, 16), "compression": "zlib"}),
    ("depth32-strips", depth32, "float32", E_DEPTH, {"rowsperstrip": 4}),
    ("depth32-bigtiff", depth32, "float32", E_DEPTH, {"bigtiff": True}),
    ("depth16f", depth32.astype(np.float16), "float32", E_HALF, {}),
    ("depth16f-big-endian", depth32.astype(np.float16), "float32", E_HALF, {"byteorder": ">"}),
    ("depth64", depth32.astype(np.float64), "float32", E_DEPTH, {}),
    ("gray16", gray16, "uint16", E_GRAY16, {}),
    ("gray16-big-endian", gray16, "uint16", E_GRAY16, {"byteorder": ">"}),
    ("gray16-lzw", gray16, "uint16", E_GRAY16, {"compression": "lzw", "predictor": 2}),
    ("gray16-tiles", gray16, "uint16", E_GRAY16, {"tile": (16, 32), "byteorder": ">"}),
    ("gray8", gray8, "uint8", E_GRAY8, {}),
]:
    tifffile.imwrite(HERE / f"{name}.tif", array, metadata=None, **more)
    expect(f"{name}.tif", kind, expected)
tifffile.imwrite(HERE / "gray16-turned.tif", gray16, metadata=None, extratags=[(274, 3, 1, 6, True)])
expect("gray16-turned.tif", "uint16", E_GRAY16, orientation=6)

# TIFF pictures
for name, array, expected, more in [
    ("rgb8", rgb8, E_RGB, {"photometric": "rgb", "resolution": (300, 300), "resolutionunit": 2}),
    ("rgb8-planes", rgb8.transpose(2, 0, 1), E_RGB, {"photometric": "rgb", "planarconfig": "separate"}),
    ("rgb8-tiles", rgb8, E_RGB, {"photometric": "rgb", "tile": (16, 16), "compression": "zlib", "predictor": 2}),
    ("rgb8-planes-tiles", rgb8.transpose(2, 0, 1), E_RGB,
     {"photometric": "rgb", "planarconfig": "separate", "tile": (16, 16)}),
    ("rgb16", rgb16, E_RGB16, {"photometric": "rgb"}),
    ("rgb16-big-endian", rgb16, E_RGB16, {"photometric": "rgb", "byteorder": ">", "compression": "lzw"}),
    ("rgba8", np.dstack([rgb8, alpha8]), E_RGBA8, {"photometric": "rgb", "extrasamples": ["unassalpha"]}),
    ("rgba16", np.dstack([rgb16, alpha16]), E_RGBA16, {"photometric": "rgb", "extrasamples": ["unassalpha"]}),
    ("gray8-white-is-zero", gray8, E_INVERTED, {"photometric": "miniswhite"}),
]:
    tifffile.imwrite(HERE / f"{name}.tif", array, metadata=None, **more)
    expect(f"{name}.tif", "color", expected, **({"pixelsPerMeter": 300 / 0.0254} if name == "rgb8" else {}))
expect("gray8.tif", "color", E_GRAY)
multiplied = np.round(rgb8 * (alpha8[..., None] / 255.0)).astype(np.uint8)
tifffile.imwrite(
    HERE / "rgba8-multiplied.tif", np.dstack([multiplied, alpha8]), metadata=None, photometric="rgb",
    extrasamples=["assocalpha"])
expect("rgba8-multiplied.tif", "color", raw(
    "rgba8-multiplied.raw", np.minimum(multiplied.astype(int) + 255 - alpha8[..., None], 255).astype(np.uint8)))
palette_image.save(HERE / "palette8.tif")
expect("palette8.tif", "color", raw("palette4.raw", palette_rgb))
bilevel = gray8 > 127
Image.fromarray(bilevel).save(HERE / "gray1.tif")
expect("gray1.tif", "color", raw("bilevel-as-rgb.raw", as_color(bilevel.astype(np.uint8) * 255)))
cmyk = np.clip(rng.normal(90, 60, (HEIGHT, WIDTH, 4)), 0, 255).astype(np.uint8)
tifffile.imwrite(HERE / "cmyk8.tif", cmyk, metadata=None, photometric="separated")
light = (255.0 - cmyk[..., :3]) * (255.0 - cmyk[..., 3:]) / 255
expect("cmyk8.tif", "color", raw("cmyk8.raw", np.floor(light + 0.5).astype(np.uint8)))
subprocess.run(["tiffcp", "-c", "jpeg:90", HERE / "rgb8.tif", HERE / "ycbcr8-jpeg.tif"], check=True)
expect("ycbcr8-jpeg.tif", "color", raw(
    "ycbcr8-jpeg.raw", np.asarray(Image.open(HERE / "ycbcr8-jpeg.tif").convert("RGB"))), tolerance=2)

# JPEG: what Pillow makes of it
def jpeg(name, image, expected=None, tolerance=1, **more):
    image.save(HERE / name, **{"quality": 92, **more.pop("save", {})})
    with Image.open(HERE / name) as written:
        pixels = np.asarray(written.convert("RGB")) if expected is None else expected
    expect(name, "color", raw(name + ".raw", pixels), tolerance=tolerance, **more)

picture = Image.fromarray(rgb8)
jpeg("full-color.jpg", picture, save={"subsampling": 0, "dpi": (150, 150)}, pixelsPerMeter=150 / 0.0254)
jpeg("half-color.jpg", picture, save={"subsampling": 2})
jpeg("progressive.jpg", picture, save={"subsampling": 0, "progressive": True})
jpeg("gray.jpg", Image.fromarray(gray8))
jpeg("restarts.jpg", picture, save={"subsampling": 0, "restart_marker_blocks": 2})
for orientation in range(1, 9):
    jpeg(f"orientation-{orientation}.jpg", picture.crop((0, 0, WIDTH, HEIGHT)), save={
        "subsampling": 2, "quality": 60,
        "exif": b"Exif\0\0" + exif(orientation, 26 if orientation % 2 else None, "<" if orientation < 5 else ">")},
        orientation=orientation, **({"focalLengthIn35mmFilm": 26} if orientation % 2 else {}))
cmyk_image = Image.fromarray(cmyk, "CMYK")
cmyk_image.save(HERE / "cmyk.jpg", quality=95)
with Image.open(HERE / "cmyk.jpg") as written:
    ink = np.asarray(written).astype(np.float64)  # Pillow undoes Adobe's inversion
expect("cmyk.jpg", "color", raw("cmyk.jpg.raw", np.floor(
    (255 - ink[..., :3]) * (255 - ink[..., 3:]) / 255 + 0.5).astype(np.uint8)), tolerance=2)

# NPY
for name, array, kind, expected in [
    ("depth32", depth32, "float32", E_DEPTH), ("depth64", depth32.astype(np.float64), "float32", E_DEPTH),
    ("depth32-big-endian", depth32.astype(">f4"), "float32", E_DEPTH),
    ("depth16f", depth32.astype(np.float16), "float32", E_HALF),
    ("gray16", gray16, "uint16", E_GRAY16), ("gray8", gray8, "uint8", E_GRAY8),
]:
    np.save(HERE / f"{name}.npy", array)
    expect(f"{name}.npy", kind, expected)

# WebP, GIF, BMP, JPEG 2000
Image.fromarray(rgb8).save(HERE / "rgb8.webp", lossless=True)
expect("rgb8.webp", "color", E_RGB)
Image.fromarray(np.dstack([rgb8, alpha8])).save(HERE / "rgba8.webp", lossless=True, exact=True)
# Blended in bytes, once rounded up and once down.
expect("rgba8.webp", "color", E_RGBA8, tolerance=2)
Image.fromarray(rgb8).save(HERE / "turned.webp", lossless=True, exif=b"Exif\0\0" + exif(6, order=">"))
expect("turned.webp", "color", E_RGB, orientation=6)
Image.fromarray(rgb8).save(HERE / "rgb8.bmp")
expect("rgb8.bmp", "color", E_RGB)
palette_image.save(HERE / "palette4.gif")
expect("palette4.gif", "color", raw("palette4.raw", palette_rgb))
Image.fromarray(rgb8).save(HERE / "rgb8.jp2", irreversible=False)
expect("rgb8.jp2", "color", E_RGB)

(HERE / "fixtures.json").write_text(json.dumps(entries, indent=1) + "\n")
print(len(entries), "fixtures,", sum(f.stat().st_size for f in HERE.iterdir()), "bytes")
