#!/usr/bin/env python3
"""Makes the small files beside this script that carry depth inside, from the published descriptions alone.

- apple-disparity.jpg: CIPA DC-007 (Multi-Picture Format) with a gain map and a disparity picture behind the first.
- gdepth-inverse.jpg, gdepth-linear.jpg: Google's Depth Map Metadata; the first in two pieces of Adobe's extended XMP.
- apple-disparity.heic: ISO/IEC 14496-12 and 23008-12, an auxiliary picture with XMP, the primary turned by `irot`.
- ten-bits.heic: no depth; the picture in ten bits, as cameras with high dynamic range write it.

Needs numpy, Pillow and pillow-heif (x265 for the two coded pictures). Picture (64 x 48 as stored): red = 3 x,
green = 4 y, blue = 128. Depth picture (32 x 24): 40 + 4 x + 2 y of 255. In HEIC, where x265 wants some size: 192 x 144
with red = x, green = y, blue = 128; depth 96 x 72: 40 + x + y.
"""
import base64
import hashlib
import io
import struct
from pathlib import Path

import numpy as np
import pillow_heif
from PIL import Image

HERE = Path(__file__).resolve().parent
y, x = np.mgrid[0:48, 0:64]
picture = Image.fromarray(np.stack([3 * x, 4 * y, 0 * x + 128], -1).astype(np.uint8))
y, x = np.mgrid[0:24, 0:32]
depth = Image.fromarray((40 + 4 * x + 2 * y).astype(np.uint8))


def jpeg(image):
    out = io.BytesIO()
    image.save(out, "JPEG", quality=100, subsampling=0)
    return out.getvalue()


def segment(marker, content):
    return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content


def with_segments(data, *segments):
    return data[:2] + b"".join(segments) + data[2:]


def packet(properties):
    return (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        + properties + "</rdf:RDF></x:xmpmeta>").encode()


XMP = b"http://ns.adobe.com/xap/1.0/\0"
values = [70.0, 0, 0, 0, 70.0, 0, 33.0, 22.0, 1]
apple = packet(
    '<rdf:Description rdf:about="" xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/"'
    ' xmlns:depthData="http://ns.apple.com/depthData/1.0/">'
    "<apdi:AuxiliaryImageType>disparity</apdi:AuxiliaryImageType>"
    "<apdi:FloatMinValue>1.0</apdi:FloatMinValue><apdi:FloatMaxValue>3.55</apdi:FloatMaxValue>"
    "<apdi:IntMinValue>0</apdi:IntMinValue><apdi:IntMaxValue>255</apdi:IntMaxValue>"
    "<depthData:Accuracy>relative</depthData:Accuracy><depthData:IntrinsicMatrix><rdf:Seq>"
    + "".join(f"<rdf:li>{v}</rdf:li>" for v in values)
    + "</rdf:Seq></depthData:IntrinsicMatrix>"
    "<depthData:IntrinsicMatrixReferenceWidth>128</depthData:IntrinsicMatrixReferenceWidth>"
    "<depthData:IntrinsicMatrixReferenceHeight>96</depthData:IntrinsicMatrixReferenceHeight>"
    "</rdf:Description>")
gain = packet(
    '<rdf:Description rdf:about="" xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/"'
    ' apdi:AuxiliaryImageType="urn:com:apple:photo:2020:aux:hdrgainmap"/>')


def multi_picture():
    behind = [with_segments(jpeg(depth), segment(0xE1, XMP + xmp)) for xmp in (gain, apple)]
    first = jpeg(picture)

    def index(sizes, offsets):
        entries = b"".join(
            struct.pack(">IIIHH", 0x030000 if i == 0 else 0, size, offset, 0, 0)
            for i, (size, offset) in enumerate(zip(sizes, offsets)))
        fields = struct.pack(">HHI4s", 0xB000, 7, 4, b"0100") + struct.pack(">HHII", 0xB001, 4, 1, len(sizes))
        fields += struct.pack(">HHII", 0xB002, 7, len(entries), 50)
        return b"MPF\0" + b"MM\0*" + struct.pack(">IH", 8, 3) + fields + struct.pack(">I", 0) + entries

    whole = len(with_segments(first, segment(0xE2, index([0] * 3, [0] * 3))))
    # Offsets count from the index's byte order mark: behind SOI, marker, length and name.
    sizes = [whole] + [len(b) for b in behind]
    offsets = [0, whole - 10, whole + len(behind[0]) - 10]
    return with_segments(first, segment(0xE2, index(sizes, offsets))) + b"".join(behind)


(HERE / "apple-disparity.jpg").write_bytes(multi_picture())


def gdepth(name, form, image_format, units, pieces):
    out = io.BytesIO()
    depth.save(out, image_format, **({"quality": 100} if image_format == "JPEG" else {}))
    data = base64.b64encode(out.getvalue()).decode()
    space = 'xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/"'
    about = (
        f'{space} GDepth:Format="{form}" GDepth:Near="0.25" GDepth:Far="2.0" '
        f'GDepth:Mime="image/{image_format.lower()}"' + (f' GDepth:Units="{units}"' if units else ""))
    segments = []
    if pieces == 1:
        main = packet(f'<rdf:Description rdf:about="" {about} GDepth:Data="{data}"/>')
    else:
        extended = packet(f'<rdf:Description rdf:about="" {space} GDepth:Data="{data}"/>')
        identifier = hashlib.md5(extended).hexdigest().upper()
        main = packet(
            f'<rdf:Description rdf:about="" {about} xmlns:xmpNote="http://ns.adobe.com/xmp/note/" '
            f'xmpNote:HasExtendedXMP="{identifier}"/>')
        step = -(-len(extended) // pieces)
        for start in range(0, len(extended), step):
            segments.append(segment(
                0xE1, b"http://ns.adobe.com/xmp/extension/\0" + identifier.encode()
                + struct.pack(">II", len(extended), start) + extended[start:start + step]))
    (HERE / name).write_bytes(with_segments(jpeg(picture), segment(0xE1, XMP + main), *segments))


gdepth("gdepth-inverse.jpg", "RangeInverse", "PNG", None, 2)
gdepth("gdepth-linear.jpg", "RangeLinear", "JPEG", "m", 1)


def box(kind, content):
    return struct.pack(">I4s", len(content) + 8, kind.encode()) + content


def full(kind, content, version=0, flags=0):
    return box(kind, struct.pack(">I", version << 24 | flags) + content)


def coded(image):
    """The hvcC box and the coded picture out of a file that x265 was asked for."""
    out = io.BytesIO()
    pillow_heif.from_pillow(image).save(out, quality=-1, chroma=444)
    data = out.getvalue()
    at = data.index(b"hvcC") - 4
    configuration = data[at:at + struct.unpack(">I", data[at:at + 4])[0]]
    at = data.index(b"mdat") - 4
    return configuration, data[at + 8:at + struct.unpack(">I", data[at:at + 4])[0]]


def heic():
    y, x = np.mgrid[0:144, 0:192]
    first, first_data = coded(Image.fromarray(np.stack([x, y, 0 * x + 128], -1).astype(np.uint8)))
    y, x = np.mgrid[0:72, 0:96]
    second, second_data = coded(Image.fromarray((40 + x + y).astype(np.uint8)))
    payloads = [first_data, second_data, apple]
    entry = lambda i, kind, extra=b"": full("infe", struct.pack(">HH4s", i, 0, kind) + b"\0" + extra, 2)
    items = full("iinf", struct.pack(">H", 3) + entry(1, b"hvc1") + entry(2, b"hvc1")
                 + entry(3, b"mime", b"application/rdf+xml\0"))
    references = full("iref", box("auxl", struct.pack(">HHH", 2, 1, 1)) + box("cdsc", struct.pack(">HHH", 3, 1, 2)))
    properties = [
        first, full("ispe", struct.pack(">II", 192, 144)), box("irot", b"\x03"),
        second, full("ispe", struct.pack(">II", 96, 72)),
        full("auxC", b"urn:mpeg:hevc:2015:auxid:2\0"),
    ]
    # Essential ones have their first bit set.
    association = full("ipma", struct.pack(">I", 2) + struct.pack(">HB3B", 1, 3, 0x81, 2, 0x83)
                       + struct.pack(">HB4B", 2, 4, 0x84, 5, 0x83, 0x86))
    iprp = box("iprp", box("ipco", b"".join(properties)) + association)

    def meta(start):
        locations = b""
        for i, data in enumerate(payloads):
            locations += struct.pack(">HHHII", i + 1, 0, 1, start, len(data))
            start += len(data)
        return full("meta", full("hdlr", struct.pack(">I4s", 0, b"pict") + bytes(13)) + full("pitm", struct.pack(">H", 1))
                    + items + references + iprp + full("iloc", struct.pack(">BBH", 0x44, 0, 3) + locations))

    head = box("ftyp", b"heic" + bytes(4) + b"mif1heic")
    start = len(head) + len(meta(0)) + 8
    return head + meta(start) + box("mdat", b"".join(payloads))


(HERE / "apple-disparity.heic").write_bytes(heic())


def ten_bits():
    # 16 bits go in, libheif keeps ten of them.
    values = np.asarray(picture).astype(np.uint16) * 257
    deep = pillow_heif.from_bytes("RGB;16", picture.size, values.tobytes())
    deep.save(HERE / "ten-bits.heic", quality=90)


ten_bits()
