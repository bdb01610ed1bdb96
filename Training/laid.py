"""Lays real scans on tables, to validate with pages that were not drawn.

    laid.py SCANS FOLDER --backgrounds FOLDER [--surfaces surfaces-gpl.txt] [--count 120] [--seed 99]

SCANS is a folder of flat scans. FOLDER gets pictures and an `outlines.jsonl` for `evaluate.py`. Nothing of it may be trained on; `--surfaces` names
the list of tables that training leaves out.
"""

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

import kinds
import light
import tables
from canvas import SIDE
from pages import LENGTH


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scans", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--backgrounds", type=Path, required=True)
    parser.add_argument("--surfaces", default="surfaces-gpl.txt")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=99)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    photographs = tables.Photographs(options.backgrounds, surfaces=options.surfaces)
    for path in sorted(options.scans.glob("*.jpg")):
        scan = cv2.imread(str(path))
        scale = LENGTH / max(scan.shape[:2])
        photographs.scans.append(cv2.resize(scan, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[..., ::-1])
    options.folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for number in range(options.count):
        rng = np.random.default_rng((options.seed, number))
        kind = (kinds.lying, kinds.lying, kinds.lying, kinds.held, kinds.flatbed)[number % 5]
        canvas = kind(rng, photographs)
        picture = canvas.albedo if kind is kinds.flatbed else light.illuminate(rng, canvas.albedo, canvas.slope)
        outlines = []
        for mask in canvas.sheets:
            found, _ = cv2.findContours((mask > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            for outline in found:
                if cv2.contourArea(outline) > 0.01 * SIDE**2:
                    outlines.append(((outline[:, 0] + 0.5) / SIDE).round(4).tolist())
        name = f"{kind.__name__}-{number:03d}.png"
        cv2.imwrite(str(options.folder / name), light.photograph(rng, picture)[..., ::-1])
        rows.append(json.dumps({"file": name, "outlines": outlines}))
    (options.folder / "outlines.jsonl").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
