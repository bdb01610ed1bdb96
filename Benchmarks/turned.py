"""How often pictures that lie on their side or on their head come out upright.

Usage: turned.py FLATTEN PICTURE-OR-FOLDER ...

Each picture is flattened as it is and turned by 90, 180 and 270 degrees, without a word of it in its metadata; the report must name
a turn that makes up for it. Needs Pillow.
"""

import json
import os
import subprocess
import sys
import tempfile

from PIL import Image, ImageOps

TURNS = (0, 90, 180, 270)


def pictures(paths):
    for path in paths:
        if os.path.isdir(path):
            yield from pictures(sorted(os.path.join(path, name) for name in os.listdir(path)))
        elif path.lower().endswith((".jpg", ".jpeg", ".png")):
            yield path


def upright(flatten, picture, folder):
    """The turn that `flatten` decides for, in clockwise quarters, whether it warns; None where it fails."""
    picture.save(f"{folder}/in.jpg", quality=95)
    report = f"{folder}/report.json"
    ended = subprocess.run(
        [flatten, f"{folder}/in.jpg", "-o", f"{folder}/out.png", "-t", f"{folder}/out.txt", "-r", report],
        capture_output=True, text=True)
    if ended.returncode:
        return None, True
    with open(report) as file:
        return json.load(file)["upright"]["quarter_turns"], "which way is up" in ended.stderr


def main():
    flatten, paths = sys.argv[1], sys.argv[2:]
    turned = right = warned = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in pictures(paths):
            picture = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
            own = None
            for turn in TURNS:
                decided, warns = upright(flatten, picture.rotate(-turn, expand=True), folder)
                if turn == 0:
                    own = decided
                    continue
                turned += 1
                if None not in (own, decided) and (decided + turn // 90 - own) % 4 == 0:
                    right += 1
                else:
                    warned += warns
                    print(f"{path} turned by {turn}: {decided}, as it is {own}{', warned of' if warns else ''}")
    print(f"{right} of {turned} turned pictures upright; of the others {warned} warned of")


if __name__ == "__main__":
    main()
