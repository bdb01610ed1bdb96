"""Draws the scenes that the network learns from, and keeps them in shards.

    scenes.py FOLDER --count 12000 [--seed 1] [--backgrounds FOLDER] [--mixture plain] [--sheet contact.png]

Every scene has a generator of its own, seeded by (seed, number): a scene does not depend on those drawn before it, and drawing can stop and go on.
A shard is an .npz of `pictures` (n x 384 x 384 x 3, red green blue) and `targets` (n x 384 x 384; bit 0: on a sheet, bit 1: on a border).
"""

import argparse
import os
import time
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

import fields
import light
import pages
import paper
import tables
import things
from canvas import SIDE, Canvas

SHARD = 100


def draw(seed: int, number: int, photographs: tables.Photographs, mixture: str = "plain") -> tuple[np.ndarray, np.ndarray]:
    """One scene: the picture and its target."""
    rng = np.random.default_rng((seed, number))
    kind = rng.choice(len(_KINDS), p=MIXTURES[mixture])
    canvas = _KINDS[kind](rng, photographs)
    if _KINDS[kind] is flatbed:
        picture = canvas.albedo
    else:
        picture = light.illuminate(rng, canvas.albedo, canvas.slope, colours=0.6 if _KINDS[kind] is disguised else 0.22)
    sheet, border = canvas.targets()
    return light.photograph(rng, picture), sheet | border << 1


def _page(rng: Generator, photographs: tables.Photographs, kind: str | None = None) -> pages.Page:
    """A drawn page, or where scans are given (to validate, never to train) one of them."""
    if photographs.scans:
        scan = photographs.scans[rng.integers(len(photographs.scans))]
        return pages.Page(scan, np.full(scan.shape[:2], 255, np.uint8))
    return pages.draw(rng, photographs.everything(), kind)


def empty(rng: Generator, photographs: tables.Photographs) -> Canvas:
    """No sheet: a whole photograph, a drawn room, or a table, with or without things."""
    if photographs.scenes and rng.random() < 0.7:
        canvas = tables.photographed(rng, photographs.scenes[rng.integers(len(photographs.scenes))], whole=rng.random() < 0.6, tinted=0.1)
        things.scatter(canvas, rng, int(rng.choice((0, 0, 0, 1, 2))), photographs.everything())
        return canvas
    canvas = tables.room(rng) if rng.random() < 0.25 else tables.draw(rng, photographs)
    things.scatter(canvas, rng, int(rng.integers(0, 7)), photographs.everything())
    if rng.random() < 0.15:
        things.hand(canvas, rng, rng.uniform(0.1, 0.9, 2) * SIDE)
    return canvas


def lying(rng: Generator, photographs: tables.Photographs) -> Canvas:
    """One to four sheets on a table, apart, touching or overlapping, some leaving the picture."""
    canvas = tables.draw(rng, photographs)
    if rng.random() < 0.38:
        things.scatter(canvas, rng, int(rng.integers(1, 4)), photographs.everything())
    count = int(rng.choice((1, 2, 3, 4), p=(0.72, 0.13, 0.09, 0.06)))
    if count == 1:
        area = float(np.exp(rng.uniform(np.log(0.02), np.log(0.2)))) if rng.random() < 0.25 else rng.uniform(0.15, 0.95)
        centres = [tuple(0.5 + rng.normal(0, 0.06 + 0.16 * (1 - min(area, 1)), 2))]
    else:
        area = rng.uniform(0.04, 0.45) / count * 1.3
        centres = _places(rng, count, area)
    white = rng.random() < 0.16
    sheet_turn, picture_aspect = rng.normal(0, 0.25), float(rng.choice((4 / 3, 3 / 4, 1, 16 / 9, 9 / 16, np.sqrt(2))))
    tilt, same = abs(rng.normal(0, 0.35)), _page(rng, photographs)
    for number in range(count):
        page = same if number == 0 or rng.random() < 0.15 else _page(rng, photographs)
        if white:
            page = _page(rng, photographs, "receipt" if rng.random() < 0.5 else "letter")
            page.colour = _matched(rng, page.colour, canvas.albedo)
        turn = sheet_turn + rng.choice((0, np.pi / 2)) + rng.normal(0, 0.1) if rng.random() < 0.7 else rng.uniform(0, 2 * np.pi)
        pose = paper.view(rng, page.aspect, area * rng.uniform(0.6, 1.3) if count > 1 else area, turn, min(tilt, 1.1), centres[number], picture_aspect)
        _sheet(canvas, rng, page, pose)
    _cover(canvas, rng)
    return canvas


def _sheet(canvas: Canvas, rng: Generator, page: pages.Page, pose: paper.View, shadow: float | None = None) -> np.ndarray:
    kinds = {kind for kind, share in (("curl", 0.35), ("roll", 0.15), ("folds", 0.35), ("crumple", 0.2), ("crush", 0.15), ("dents", 0.3)) if rng.random() < share}
    if rng.random() < 0.25 or page.colour.shape[0] < page.colour.shape[1] and rng.random() < 0.5:
        kinds = set()
    height = paper.relief(rng, kinds) if kinds else np.zeros((paper.GRID, paper.GRID), np.float32)
    shadow = (rng.uniform(0.1, 0.75) if rng.random() < 0.7 else 0) if shadow is None else shadow
    return paper.lay(canvas, rng, page, pose, height, shadow)


def disguised(rng: Generator, photographs: tables.Photographs) -> Canvas:
    """A white sheet on a crumpled white table, often in coloured light: flatness, a faint edge and print are all that tells it."""
    canvas = tables.crushed(rng, white=0.9)
    for _ in range(1 if rng.random() < 0.8 else 2):
        page = _page(rng, photographs, "receipt" if rng.random() < 0.3 else "letter")
        if rng.random() < 0.6 and not photographs.scans:
            page.colour = _matched(rng, page.colour, canvas.albedo)
        pose = paper.view(rng, page.aspect, rng.uniform(0.1, 0.85), rng.uniform(0, 2 * np.pi), abs(rng.normal(0, 0.35)), tuple(rng.normal(0.5, 0.1, 2)), float(rng.choice((4 / 3, 3 / 4, 1))))
        _sheet(canvas, rng, page, pose, shadow=rng.uniform(0, 0.5))
    _cover(canvas, rng)
    return canvas


def _places(rng: Generator, count: int, area: float) -> list[tuple[float, float]]:
    """Centres of several sheets: scattered, or in a row so close that they touch."""
    if rng.random() < 0.5:
        return [tuple(rng.uniform(0.15, 0.85, 2)) for _ in range(count)]
    step, along = np.sqrt(area) * rng.uniform(0.6, 1.3), rng.integers(2)
    first = 0.5 - step * (count - 1) / 2
    places = []
    for number in range(count):
        place = [0.5 + rng.normal(0, 0.07), first + step * number]
        places.append(tuple(place if along else place[::-1]))
    return places


def _matched(rng: Generator, colour: np.ndarray, albedo: np.ndarray) -> np.ndarray:
    """A page on paper of the table's own colour, so that only its edge and shadow tell it."""
    table = np.median(albedo.reshape(-1, 3)[::37], axis=0)
    tone = colour.astype(np.float32) / max(1.0, float(np.percentile(colour, 90)))
    return (np.clip(tone * np.clip(table * rng.uniform(0.94, 1.08), 0, 1), 0, 1) * 255).astype(np.uint8)


def _cover(canvas: Canvas, rng: Generator) -> None:
    """What lies over sheets: fingers, hands, cords, pens."""
    if not canvas.sheets:
        return
    kind = rng.random()
    if kind < 0.1:
        for _ in range(rng.integers(1, 3)):
            mask = canvas.sheets[rng.integers(len(canvas.sheets))]
            outlines, _ = cv2.findContours((mask > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            if outlines:
                outline = max(outlines, key=len)[:, 0]
                at = outline[rng.integers(len(outline))]
                things.thumb(canvas, rng, at.astype(float), at - outline.mean(0) + rng.normal(0, 0.2, 2) * SIDE / 10)
    elif kind < 0.13:
        things.hand(canvas, rng, rng.uniform(0.1, 0.9, 2) * SIDE)
    elif kind < 0.2:
        things.OVER[rng.integers(3)](canvas, rng, [])


def filling(rng: Generator, photographs: tables.Photographs) -> Canvas:
    """A sheet that fills the picture or nearly so: a scan, a close view."""
    canvas = tables.draw(rng, photographs)
    page = _page(rng, photographs)
    pose = paper.view(rng, page.aspect, rng.uniform(0.9, 1.7), rng.normal(0, 0.03) + rng.choice((0, np.pi)), abs(rng.normal(0, 0.08)), tuple(rng.normal(0.5, 0.03, 2)), page.aspect)
    _sheet(canvas, rng, page, pose)
    _cover(canvas, rng)
    return canvas


def held(rng: Generator, photographs: tables.Photographs) -> Canvas:
    """A sheet in a hand before a room or a table."""
    scene = photographs.scenes and rng.random() < 0.5
    canvas = tables.photographed(rng, photographs.scenes[rng.integers(len(photographs.scenes))], whole=True) if scene else tables.draw(rng, photographs)
    if rng.random() < 0.5:
        canvas.albedo = cv2.GaussianBlur(canvas.albedo, (0, 0), rng.uniform(0.5, 5))
    centre = rng.uniform(0.35, 0.65, 2)
    page = _page(rng, photographs)
    pose = paper.view(rng, page.aspect, rng.uniform(0.08, 0.7), rng.normal(0, 0.3), abs(rng.normal(0, 0.3)), tuple(centre), float(rng.choice((4 / 3, 3 / 4, 16 / 9))))
    if rng.random() < 0.7:
        things.hand(canvas, rng, centre * SIDE + rng.normal(0, 0.15, 2) * SIDE)
    mask = _sheet(canvas, rng, page, pose, shadow=0)
    outlines, _ = cv2.findContours((mask > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for _ in range(rng.integers(1, 4)) if outlines else ():
        outline = max(outlines, key=len)[:, 0]
        at = outline[rng.integers(len(outline))]
        things.thumb(canvas, rng, at.astype(float), at - outline.mean(0))
    return canvas


def bottle(rng: Generator, photographs: tables.Photographs) -> Canvas:
    """A label around a bottle, a tin or a jar."""
    canvas = tables.draw(rng, photographs)
    if rng.random() < 0.4:
        things.scatter(canvas, rng, int(rng.integers(1, 4)), photographs.everything())
    radius, turn = rng.uniform(0.1, 0.42) * SIDE, rng.choice((0, np.pi / 2)) + rng.normal(0, 0.15)
    centre = np.array([0.5, 0.5]) * SIDE + rng.normal(0, 0.08, 2) * SIDE
    way = np.array([-np.sin(turn), np.cos(turn)])
    length = rng.uniform(0.35, 1.2) * SIDE
    ends = [centre - way * length * rng.uniform(0.4, 0.9), centre + way * length * rng.uniform(0.4, 0.9)]
    side = np.array([np.cos(turn), np.sin(turn)])
    body = np.array([ends[0] - side * radius, ends[0] + side * radius, ends[1] + side * radius, ends[1] - side * radius])
    mask = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillPoly(mask, [np.int32(body)], 255, cv2.LINE_AA)
    sag = rng.uniform(-0.35, 0.35)
    for end in ends:
        cv2.ellipse(mask, (tuple(map(float, end)), (2 * radius, max(1.0, 2 * radius * abs(sag))), float(np.degrees(turn))), 255, -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        neck, top = rng.uniform(0.2, 0.6) * radius, ends[0] - way * rng.uniform(0.1, 0.4) * SIDE
        cv2.line(mask, tuple(int(v) for v in ends[0]), tuple(int(v) for v in top), 255, max(1, int(2 * neck)), cv2.LINE_AA)
    canvas.shade(mask, tuple(rng.normal(0, 10, 2)), rng.uniform(2, 14), rng.uniform(0.1, 0.6))
    x, y = fields.grid(SIDE)
    across = ((x * SIDE - centre[0]) * np.cos(turn) + (y * SIDE - centre[1]) * np.sin(turn)) / radius
    across = np.clip(across, -1, 1).astype(np.float32)
    steep = np.clip(across / np.sqrt(np.maximum(1 - across * across, 0.05)), -4, 4)
    slope = np.dstack((steep * np.float32(np.cos(turn)), steep * np.float32(np.sin(turn)))) * np.float32(-0.6)
    colour = np.empty((SIDE, SIDE, 3), np.float32)
    colour[:] = fields.colour(rng, (0.03, 1), 0.9)
    for _ in range(rng.integers(0, 5)):
        at, wide = rng.uniform(-1, 1), rng.uniform(0.02, 0.15)
        colour += np.exp(-(((across - at) / wide) ** 2))[..., None] * np.float32(rng.uniform(-0.3, 0.6))
    canvas.paint(mask, np.clip(colour, 0, 1), slope.astype(np.float32))
    page = _page(rng, photographs, "label" if rng.random() < 0.8 else "receipt")
    paper.wrap(canvas, rng, page, tuple(centre), radius, turn, min(rng.uniform(0.7, 2.9), 0.9 * length / radius / page.aspect), sag)
    _cover(canvas, rng)
    return canvas


def flatbed(rng: Generator, photographs: tables.Photographs) -> Canvas:
    """A scanner's picture: even light, an axis-parallel sheet that may touch the rim, a board of black, grey or white, another board behind."""
    albedo = np.empty((SIDE, SIDE, 3), np.float32)
    kind = rng.random()
    albedo[:] = fields.colour(rng, (0, 0.15), 0.1) if kind < 0.4 else fields.colour(rng, (0.15, 0.85), 0.06) if kind < 0.8 else fields.colour(rng, (0.85, 1), 0.03)
    canvas = Canvas(albedo + (fields.grain(rng, SIDE) * np.float32(rng.exponential(0.008)))[..., None])
    if rng.random() < 0.5:
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * rng.uniform(0.5, 1.05, 2) + rng.uniform(-0.05, 0.4, 2)
        mask = np.zeros((SIDE, SIDE), np.uint8)
        cv2.fillConvexPoly(mask, np.int32((corners + rng.normal(0, 0.004, (4, 2))) * SIDE), 255, cv2.LINE_AA)
        canvas.paint(mask, fields.colour(rng, (0, 0.85), 0.06))
    count = int(rng.choice((1, 2, 3), p=(0.75, 0.17, 0.08)))
    for number in range(count):
        page = _page(rng, photographs, str(rng.choice(["receipt", "letter", "card"], p=(0.7, 0.2, 0.1))))
        area = rng.uniform(0.08, 0.75) / count
        centre = np.array([(number + 0.5) / count + rng.normal(0, 0.03), 0.5 + rng.normal(0, 0.08)]) if count > 1 else rng.uniform(0.15, 0.85, 2)
        squash = float(rng.choice((np.sqrt(2), 1.3, 1, 1 / np.sqrt(2))))
        pose = paper.view(rng, page.aspect, area, rng.normal(0, 0.02) + rng.choice((0, np.pi)), 0, tuple(centre), squash)
        if rng.random() < 0.5:
            ends = pose.corners(*((1 / page.aspect, 1) if page.aspect >= 1 else (1, page.aspect)))
            wish = rng.choice((-1, 0, 1), 2)
            shift = [0 if w == 0 else (-ends[:, i].min() if w < 0 else SIDE - ends[:, i].max()) + w * rng.uniform(-2, 8) for i, w in enumerate(wish)]
            pose = paper.View(np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1]]) @ pose.matrix)
        paper.lay(canvas, rng, page, pose, np.zeros((paper.GRID, paper.GRID), np.float32), rng.uniform(0, 0.4) if rng.random() < 0.5 else 0)
    return canvas


_KINDS = (empty, lying, disguised, filling, held, bottle, flatbed)
# How often each kind is drawn: as a rule, and where the network is to learn white sheets on crumpled white.
MIXTURES = {"plain": (0.30, 0.46, 0.05, 0.03, 0.07, 0.04, 0.05), "disguised": (0.17, 0.29, 0.42, 0.02, 0.04, 0.03, 0.03)}


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
    """The scenes side by side with their targets outlined, blue green red, to look at."""
    tiles = []
    for picture, target in scenes:
        tile = picture[..., ::-1].copy()
        tile[(target & 2) > 0] = (0, 0, 255)
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
