"""Compares what the network finds with marked outlines.

    evaluate.py WEIGHTS FOLDER... [--sides 256 320 384] [--cut 0.3] [--pictures out.png] [--every 2 --from 1]

FOLDER holds photographs and `outlines.jsonl`: a line each {"file", "outlines": [[[x, y], ...], ...]} (or "polygon" for one sheet), in fractions of
width and height. Without outlines.jsonl every picture in the folder is one without a sheet. What is found: the connected regions of p > 0.5 from
0.4 % of the picture on, parted along borders (sure ones where they are convex), holes filled, as `SheetRegion` of the package has them before it parts notched ones further. Printed: the mean intersection over union of each marked sheet with the component that fits it best, the share of sheets
>= 0.9, the worst; regions that fit nothing; presence.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch

from export import read
from network import SheetNetwork

SUFFIXES = {".jpg", ".jpeg", ".png"}
# As in `SheetRegion`: the least share of the picture, from which probability on a border parts sheets, the least share of a group that is a sheet, and
# the share of its convex hull from which on it takes a surer border to part a group.
SMALLEST = 0.004
BORDER = 0.3
LEAST_PART = 0.12
CONVEX = 0.95
CONVEX_BORDER = 0.6
LOOK = 512


@dataclass
class Field:
    """What the network says of one picture: probabilities, S/2 x S/2, and the logit of presence."""

    sheet: np.ndarray
    border: np.ndarray
    presence: float

    @property
    def sure(self) -> float:
        return float(1 / (1 + np.exp(-self.presence)))


@torch.no_grad()
def field(network: SheetNetwork, picture: np.ndarray, side: int) -> Field:
    """`picture` is red green blue, uint8, of any size."""
    squashed = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    x = torch.from_numpy(squashed.astype(np.float32) / 255).permute(2, 0, 1)[None]
    maps, presence = network(x.contiguous(memory_format=torch.channels_last))
    sheet, border = torch.sigmoid(maps[0]).numpy()
    return Field(sheet, border, float(presence[0]))


def components(found: Field, size: int = LOOK, cut: float = BORDER) -> list[np.ndarray]:
    """The masks, size x size, of what the field says are sheets, the largest first."""
    return regions(*(cv2.resize(plane, (size, size), interpolation=cv2.INTER_LINEAR) for plane in (found.sheet, found.border)), cut)


def solidity(part: np.ndarray) -> float:
    """The area of a mask's outline over that of its convex hull."""
    outline = max(cv2.findContours(part.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=cv2.contourArea)
    hull = cv2.convexHull(outline)
    # Along the middles of pixels a region is half a pixel smaller all round than along their sides.
    return (cv2.contourArea(outline) + cv2.arcLength(outline, True) / 2) / (cv2.contourArea(hull) + cv2.arcLength(hull, True) / 2)


def regions(sheet: np.ndarray, border: np.ndarray, cut: float = BORDER) -> list[np.ndarray]:
    """The masks of what probabilities say are sheets, the largest first: connected groups, parted where borders of `cut` and more run through them."""
    least = SMALLEST * sheet.size
    inside = (sheet > 0.5).astype(np.uint8)
    count, groups, stats, _ = cv2.connectedComponentsWithStats(inside, connectivity=4)
    masks = []
    for label in range(1, count):
        area = stats[label, cv2.CC_STAT_AREA]
        if area < least:
            continue
        group = (groups == label).astype(np.uint8)
        whole = _whole(group)
        own = CONVEX_BORDER if solidity(whole) >= CONVEX else cut
        number, cores, sizes, _ = cv2.connectedComponentsWithStats(group & (border < own).astype(np.uint8), connectivity=4)
        seeds = [i for i in range(1, number) if sizes[i, cv2.CC_STAT_AREA] >= max(least, LEAST_PART * area)]
        if len(seeds) < 2:
            masks.append(whole)
            continue
        away = np.stack([cv2.distanceTransform((cores != i).astype(np.uint8), cv2.DIST_L2, 3) for i in seeds])
        nearest = away.argmin(0)
        masks += [_whole(group * (nearest == i).astype(np.uint8)) for i in range(len(seeds))]
    return sorted(masks, key=np.sum, reverse=True)


def _whole(mask: np.ndarray) -> np.ndarray:
    """The largest connected part of a mask, its holes filled."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return cv2.drawContours(np.zeros_like(mask), [max(outlines, key=cv2.contourArea)], -1, 1, -1)


def polygon_mask(polygon: list, size: int = LOOK) -> np.ndarray:
    points = np.round(np.asarray(polygon, float).reshape(-1, 2) * size * 16 - 8).astype(np.int32)
    return cv2.fillPoly(np.zeros((size, size), np.uint8), [points], 1, cv2.LINE_8, 4)


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    return float((a & b).sum() / max(1, (a | b).sum()))


def folder_rows(folder: Path) -> list[tuple[Path, list]]:
    """Every picture with its marked outlines; none where a folder has no outlines.jsonl."""
    marks = folder / "outlines.jsonl"
    if not marks.exists():
        return [(path, []) for path in sorted(folder.iterdir()) if path.suffix.lower() in SUFFIXES]
    rows = [json.loads(line) for line in marks.read_text().splitlines() if line.strip()]
    return [(folder / row["file"], row.get("outlines") or ([row["polygon"]] if row.get("polygon") else [])) for row in rows]


def evaluate(network: SheetNetwork, rows: list[tuple[Path, list]], side: int, cut: float, tiles: list | None = None) -> dict:
    """The figures for one set at one size."""
    values, worst, strays, sure, empty = [], [], 0, [], []
    for path, outlines in rows:
        image = cv2.imread(str(path))
        if image is None:
            print("cannot read", path)
            continue
        found = field(network, image[..., ::-1], side)
        masks, true = components(found, cut=cut), [polygon_mask(outline) for outline in outlines]
        scores = [max((overlap(mask, sheet) for mask in masks), default=0.0) for sheet in true]
        strays += sum(all(overlap(mask, sheet) < 0.5 for sheet in true) for mask in masks)
        (sure if outlines else empty).append(found.sure)
        values += scores
        score = min(scores, default=-found.sure if masks else 1.0)
        worst.append((score, path))
        if tiles is not None:
            tiles.append((score, tile(image, found, true, f"{score:.2f} p{found.sure:.2f} {path.parent.name[:6]} {path.stem[-24:]}")))
    values = np.array(values or [1.0])
    return {
        "sheets": len(values), "mean": values.mean(), "share": (values >= 0.9).mean(), "share85": (values >= 0.85).mean(), "worst": values.min(), "strays": strays,
        "missed presence": sum(p < 0.5 for p in sure), "false presence": sum(p >= 0.5 for p in empty), "empty": len(empty), "list": sorted(worst, key=lambda w: w[0]),
    }


def tile(image: np.ndarray, found: Field, true: list[np.ndarray], title: str, size: int = 300) -> np.ndarray:
    """A picture with what is marked in green and what was found in red, and beside it the fields."""
    view = cv2.resize(image, (size, size), interpolation=cv2.INTER_AREA)
    for masks, colour in ((true, (0, 255, 0)), (components(found), (0, 0, 255))):
        for mask in masks:
            outlines, _ = cv2.findContours(cv2.resize(mask, (size, size), interpolation=cv2.INTER_NEAREST), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            cv2.drawContours(view, outlines, -1, colour, 2)
    cv2.putText(view, title, (3, 12), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 0, 255), 1, cv2.LINE_AA)
    fields = np.dstack((np.zeros_like(found.sheet), found.sheet, found.border))
    return np.hstack((view, cv2.resize((fields * 255).astype(np.uint8), (size // 2, size), interpolation=cv2.INTER_LINEAR)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--sides", type=int, nargs="+", default=(256, 320, 384))
    parser.add_argument("--every", type=int, default=1, help="only every n-th picture")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first of them")
    parser.add_argument("--cut", type=float, default=BORDER, help="part regions where a border is as probable as this; from 1 on never")
    parser.add_argument("--pictures", type=Path, help="a contact sheet of the worst")
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--names", type=int, default=0, help="print the names of so many of the worst")
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    network = read(options.weights).to(memory_format=torch.channels_last)
    tiles = []
    for folder in options.folders:
        rows = folder_rows(folder)[options.first :: options.every]
        for side in options.sides:
            last = side == options.sides[-1]
            r = evaluate(network, rows, side, options.cut, tiles if options.pictures and last else None)
            print(
                f"{folder.name:>12} S={side} pictures {len(rows)} sheets {r['sheets']}: mean {r['mean']:.3f}, >=0.9 {r['share']:.2f}, >=0.85 {r['share85']:.2f}, worst {r['worst']:.3f}, "
                f"strays {r['strays']}, missed presence {r['missed presence']}, false presence {r['false presence']} of {r['empty']}", flush=True)
            if last:
                for score, path in r["list"][: options.names]:
                    print(f"    {score:.3f} {path}")
    if options.pictures:
        shown = [t for _, t in sorted(tiles, key=lambda t: t[0])[: options.count]]
        shown += [np.zeros_like(shown[0])] * (-len(shown) % 4)
        cv2.imwrite(str(options.pictures), np.vstack([np.hstack(shown[i : i + 4]) for i in range(0, len(shown), 4)]))


if __name__ == "__main__":
    main()
