#!/usr/bin/env python3
"""Draws the inputs that once failed, small. README.md says what each did. Usage: make-files.py"""
import os
import shutil
import struct
import zipfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))


def save(name, content):
    path = os.path.join(HERE, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def fixture(name, length=None):
    with open(os.path.join(TESTS, name), "rb") as file:
        return file.read()[:length]


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width, height, bits, color, rows, extra=b"", kind=b"\x89PNG\r\n\x1a\n"):
    """`rows` are what is deflated, filter bytes and all; None leaves the pixels out."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, color, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(rows, 9)) if rows is not None else b""
    return kind + header + extra + pixels + chunk(b"IEND", b"")


def tiff(width, height, extra=(), following=0, data=bytes(16)):
    """A TIFF of 32-bit floats, with whatever else its directory is to say."""
    fields = {256: (4, width), 257: (4, height), 258: (3, 32), 259: (3, 1), 262: (3, 1), 273: (4, 8), 277: (3, 1),
              278: (4, height), 279: (4, len(data)), 339: (3, 3)}
    fields.update(extra)
    directory = struct.pack("<H", len(fields))
    for tag, (kind, value) in sorted(fields.items()):
        directory += struct.pack("<HHII", tag, kind, 1, value)
    start = 8 + len(data)
    return b"II*\0" + struct.pack("<I", start) + data + directory + struct.pack("<I", start if following else 0)


def npy(header, data=b"", length=None):
    text = header.encode().ljust(118) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", length or len(text)) + text + data


def pictures():
    # 30 MB of zeros after the last row.
    save("picture/idat-goes-on.png", png(64, 64, 8, 0, bytes(64 * 65 + 30_000_000)))
    # 26,756^2 is the first square above 2^31/3.
    save("picture/one-bit-26756.png", png(26756, 26756, 1, 0, bytes(26756 * 3346)))
    save("picture/text-chunk-unpacks.png", png(8, 8, 8, 0, bytes(72), chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(20_000_000), 9))))
    save("picture/exif-claims-more.png", png(8, 8, 8, 0, bytes(72), struct.pack(">I", 0x3FFFFFFF) + b"eXIfII*\0"))
    save("picture/no-such-kind.png", png(8, 8, 8, 5, bytes(72)))
    save("picture/no-width.png", png(0, 8, 8, 0, b""))
    save("picture/claims-2147483647.png", png(2**31 - 1, 2**31 - 1, 8, 2, b"\0\0\0\0"))
    save("picture/one-pixel-wide.png", png(1, 600, 8, 0, b"\0\xff" * 600))
    save("picture/one-pixel-high.png", png(600, 1, 8, 0, b"\0" + b"\xff" * 600))
    save("picture/signature-only.png", b"\x89PNG\r\n\x1a\n")
    save("picture/empty.png", b"")
    save("picture/text.jpg", "this is no picture\n")
    save("picture/path-list.png", "/etc/passwd\n/etc/hostname\n")
    save("picture/two-bytes.jpg", b"\xff\xd8")
    save("picture/no-scan.jpg", b"\xff\xd8\xff\xd9")
    save("picture/cut-off.jpg", fixture("CapturesTests/Fixtures/picture-1.jpg", 400))
    sizes = struct.pack(">BHHB", 8, 65500, 65500, 3) + b"\1\x11\0\2\x11\0\3\x11\0"
    save("picture/progressive-claims.jpg", b"\xff\xd8\xff\xc2" + struct.pack(">H", 2 + len(sizes)) + sizes
         + b"\xff\xda\0\x0c\3\1\0\2\0\3\0\0\0\0" + bytes(8) + b"\xff\xd9")
    save("picture/cut-off.heic", fixture("ImageFilesTests/Fixtures/ten-bits.heic", 300))
    save("picture/brand-only.heic", struct.pack(">I", 24) + b"ftypheic\0\0\0\0mif1heic")
    save("picture/box-claims-more.heic", struct.pack(">I", 24) + b"ftypheic\0\0\0\0mif1heic" + struct.pack(">I", 0x7FFFFFFF) + b"meta")
    save("picture/claims-60000.pgm", "P5 60000 60000 65535\n\0\0")
    save("picture/claims-60000.ppm", "P3 60000 60000 255\n1 2 3\n")
    save("picture/claims-4294967295.tif", tiff(2**32 - 1, 2**32 - 1))
    save("picture/samples-65535.tif", tiff(2, 2, {277: (3, 65535)}))


def depth():
    save("depth/claims-60000.pgm", "P5 60000 60000 65535\n\0\0")
    save("depth/claims-more.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000, 1000000000), }", bytes(16)))
    save("depth/less-than-nothing.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-4, 4), }", bytes(64)))
    save("depth/header-past-its-end.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 4), }", bytes(64), 65535))
    save("depth/claims-4294967295.tif", tiff(2**32 - 1, 2**32 - 1))
    save("depth/directory-leads-to-itself.tif", tiff(2, 2, following=1))
    save("depth/no-size.tif", tiff(0, 0))
    save("depth/no-rows-a-strip.tif", tiff(2, 2, {278: (4, 0)}))
    save("depth/tile-of-2-to-the-30.tif", tiff(64, 64, {322: (4, 1 << 30), 323: (4, 1 << 30), 324: (4, 8), 325: (4, 16)}))
    save("depth/strip-of-4-gigabytes.tif", tiff(64, 64, {279: (4, 2**32 - 1)}))
    save("depth/kind-7.tif", tiff(2, 2, {339: (3, 7)}))
    values = struct.pack("<16f", *([float("inf"), float("nan"), -1.0, 3.4e38] * 4))
    save("depth/not-finite.tif", tiff(4, 4, data=values))
    save("depth/all-65535.png", png(64, 48, 16, 0, (b"\0" + b"\xff" * 128) * 48))
    save("depth/cut-off.exr", fixture("CapturesTests/Fixtures/depth-float.exr", 100))
    # The last corner of the data window, beyond all limits.
    exr = fixture("CapturesTests/Fixtures/depth-float.exr")
    at = exr.index(b"dataWindow\0box2i\0") + len(b"dataWindow\0box2i\0") + 4 + 8
    save("depth/claims-more.exr", exr[:at] + struct.pack("<ii", 2**31 - 2, 2**31 - 2) + exr[at + 8:])


def intrinsics():
    save("intrinsics/escapes-in-key.json", r'{"\u001b]0;title\u0007\u001b[2J":1}')
    save("intrinsics/control-in-key.json", r'{"\u009b2J\u007f\u0000\u202egpj":1}')
    save("intrinsics/escapes-in-key.yaml", '"\\e]0;title\\a\\e[2J": 1\n')
    save("intrinsics/half-surrogates.json", r'{"\ud800":1,"fx":"\udc00\ud800"}')
    save("intrinsics/deep.json", "[" * 5000)
    save("intrinsics/deep.yaml", "[" * 5000)
    save("intrinsics/deep-by-lines.yaml", "".join(" " * level + "a:\n" for level in range(150)))
    save("intrinsics/aliases.yaml", "a: &a [1, 1]\n" + "".join(
        f"{new}: &{new} [{', '.join(['*' + old] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi")))
    save("intrinsics/long-number.json", '{"fx":' + "9" * 5000 + "}")
    save("intrinsics/too-large.json", '{"fx":1e400,"fy":1e308,"cx":-1e308,"cy":1e-320,"width":1' + "0" * 30 + ',"height":640.5}')
    save("intrinsics/not-numbers.json", '{"fx":NaN,"fy":Infinity,"cx":1,"cy":1}')
    save("intrinsics/nothing.json", '{"fx":0,"fy":-500,"cx":1,"cy":1,"width":-1,"height":0}')
    save("intrinsics/no-text.json", b'{"fx":\xff\xfe\x80}')
    save("intrinsics/two-bytes-a-letter.json", '{"fx":500}'.encode("utf-16"))
    save("intrinsics/escapes.txt", "\x1b[2J\x07 1 2 3\n")


def archive(name, entries):
    path = os.path.join(HERE, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for entry, content in entries:
            # The names as they are, and the same bytes each time.
            info = zipfile.ZipInfo("x")
            info.filename, info.compress_type = entry, zipfile.ZIP_DEFLATED
            file.writestr(info, content)


def captures():
    archive("capture/escapes-in-names.zip", [("\x1b]0;title\x07\x1b[2J.jpg", b"no"), ("line\nfeed.png", b"no"),
                                              ("turned\u202egpj.exe", b"no"), ("\u009b2J.json", b"{}")])
    archive("capture/names-lead-out.zip", [("../../../../tmp/evil.jpg", b"no"), ("/etc/evil", b"no"), ("..\\evil", b"no")])
    archive("capture/unpacks-to-much.zip", [("rgb.png", bytes(20_000_000))])
    save("capture/cut-off.zip", fixture("ArchivesTests/Fixtures/files.zip", 700))
    for name, content in (("playlist", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n/etc/passwd\n#EXT-X-ENDLIST\n"),
                          ("list-of-files", "ffconcat version 1.0\nfile /etc/passwd\n")):
        folder = f"capture/video-is-a-{name}"
        save(f"{folder}/rgb.mp4", content)
        save(f"{folder}/camera_matrix.csv", "8,0,3.5\n0,8,2.5\n0,0,1\n")
        save(f"{folder}/odometry.csv", "timestamp, frame, x, y, z, qx, qy, qz, qw\n0, 000000, 0, 0, 0, 0, 0, 0, 1\n")
        save(f"{folder}/depth/000000.png", fixture("CapturesTests/Fixtures/depth-mm.png"))
        save(f"{folder}/confidence/000000.png", fixture("CapturesTests/Fixtures/confidence-012.png"))
    description = '{"image":"%s","depth":{"file":"depth.png","unit_metres":0.001},"intrinsics":{"fx":8,"fy":8,"cx":3.5,"cy":2.5}}'
    for name, image in (("names-lead-out", "../../../../../../../../etc/passwd"), ("absolute-name", "/etc/passwd"),
                        ("escapes-in-name", r"\u001b]0;title\u0007\u001b[2J.jpg"), ("end-of-string-in-name", r"a\u0000.jpg")):
        save(f"capture/{name}/capture.json", description % image)
        save(f"capture/{name}/depth.png", fixture("CapturesTests/Fixtures/depth-mm.png"))


for role in ("picture", "depth", "intrinsics", "capture"):
    shutil.rmtree(os.path.join(HERE, role), ignore_errors=True)
pictures()
depth()
intrinsics()
captures()
