"""Draws the scenes that the network learns from, and keeps them in shards.

    scenes.py FOLDER --count 12000 [--seed 1] [--backgrounds FOLDER] [--mixture plain] [--sheet contact.png]

Every scene has a generator of its own, seeded by (seed, number): a scene does not depend on those drawn before it, and drawing can stop and go on.
A shard is an .npz of `pictures` (n x 384 x 384 x 3, red green blue) and `targets` (n x 384 x 384; bit 0: on a sheet, bit 1: on a border,
bit 2: on one between sheets).
"""

import argparse
import os
import time
from pathlib import Path

import cv2
import numpy as np

import kinds
import light
import tables

SHARD = 100


def draw(seed: int, number: int, photographs: tables.Photographs, mixture: str = "plain") -> tuple[np.ndarray, np.ndarray]:
    """One scene: the picture and its target."""
    rng = np.random.default_rng((seed, number))
    kind = _KINDS[rng.choice(len(_KINDS), p=MIXTURES[mixture])]
    canvas = kind(rng, photographs)
    if kind is kinds.flatbed:
        picture = canvas.albedo
    elif kind is kinds.lit:
        picture = light.lamps(rng, canvas.albedo, canvas.slope)
    else:
        picture = light.illuminate(rng, canvas.albedo, canvas.slope, colours=0.6 if kind is kinds.disguised else 0.22)
    sheet, border, seam = canvas.targets()
    return light.photograph(rng, picture), sheet | border << 1 | seam << 2


_KINDS = (
    kinds.empty, kinds.lying, kinds.disguised, kinds.filling, kinds.held, kinds.bottle, kinds.flatbed,
    kinds.crowd, kinds.camouflaged, kinds.lit, kinds.close,
)
# How often each kind is drawn: as a rule; where the network is to learn white sheets on crumpled white; where what failed on photographs;
# and where one folded sheet that looks like two.
MIXTURES = {
    "plain": (0.30, 0.46, 0.05, 0.03, 0.07, 0.04, 0.05, 0, 0, 0, 0),
    "disguised": (0.17, 0.29, 0.42, 0.02, 0.04, 0.03, 0.03, 0, 0, 0, 0),
    "hard": (0.28, 0, 0, 0, 0.03, 0, 0.04, 0.22, 0.09, 0.17, 0.17),
    "folded": (0.18, 0, 0, 0, 0.02, 0, 0.02, 0.15, 0.05, 0.25, 0.33),
}


def shard(folder: Path, seed: int, index: int, photographs: tables.Photographs, count: int = SHARD, mixture: str = "plain") -> Path:
    """Draws one shard unless it is there."""
    path = folder / f"scenes-{seed}-{index:04d}.npz"
    if not path.exists():
        drawn = [draw(seed, index * SHARD + i, photographs, mixture) for i in range(count)]
        partial = path.with_suffix(".partial")
        with open(partial, "wb") as file:
            np.savez(file, pictures=np.stack([p for p, _ in drawn]), targets=np.stack([t for _, t in drawn]))
        os.replace(partial, path)
    return path


def contact_sheet(scenes: list[tuple[np.ndarray, np.ndarray]], columns: int = 8, size: int = 200) -> np.ndarray:
    """The scenes side by side with their targets outlined, blue green red, seams in magenta, to look at."""
    tiles = []
    for picture, target in scenes:
        tile = picture[..., ::-1].copy()
        tile[(target & 2) > 0] = (0, 0, 255)
        tile[(target & 4) > 0] = (255, 0, 255)
        tile[::3, ::3][(target[::3, ::3] & 1) > 0] = (0, 255, 0)
        tiles.append(cv2.resize(tile, (size, size), interpolation=cv2.INTER_AREA))
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % columns)
    return np.vstack([np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=12000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--backgrounds", type=Path)
    parser.add_argument("--mixture", choices=MIXTURES, default="plain")
    parser.add_argument("--sheet", type=Path, help="draw `count` scenes on one picture instead")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    photographs = tables.Photographs(options.backgrounds)
    started = time.monotonic()
    if options.sheet:
        scenes = [draw(options.seed, number, photographs, options.mixture) for number in range(options.count)]
        print(f"{(time.monotonic() - started) / options.count * 1000:.0f} ms a scene")
        cv2.imwrite(str(options.sheet), contact_sheet(scenes))
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    for index in range(-(-options.count // SHARD)):
        shard(options.folder, options.seed, index, photographs, mixture=options.mixture)
        print(f"{(index + 1) * SHARD} scenes, {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
