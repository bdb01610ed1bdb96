"""What sheets lie on: photographs of surfaces, and drawn wood, cloth, tiles, stone and crumpled paper.

Each table is a Canvas without sheets.
"""

from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

import fields
from canvas import SIDE, Canvas


class Photographs:
    """Real photographs to lay sheets on: `surfaces`, and whole `scenes` (rooms, streets, plants). Both may be empty.

    `scans` are real pages to lay there; only `laid.py` has any.
    """

    def __init__(self, folder: Path | None, longest: int = 900, surfaces: str = "surfaces.txt"):
        self.surfaces, self.scenes, self.scans = [], [], []
        if folder is None or not folder.is_dir():
            return
        for name, images in ((surfaces, self.surfaces), ("scenes.txt", self.scenes)):
            for line in (folder / name).read_text().split("\n"):
                image = cv2.imread(str(folder / line.strip())) if line.strip() else None
                if image is None:
                    continue
                scale = min(1, longest / max(image.shape[:2]))
                image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                images.append(np.ascontiguousarray(image[..., ::-1]))

    def everything(self) -> list[np.ndarray]:
        return self.surfaces + self.scenes


def _cut(rng: Generator, image: np.ndarray, whole: bool) -> np.ndarray:
    """A random part of a photograph, turned and mirrored at random, as floats."""
    rows, columns = image.shape[:2]
    share = rng.uniform(0.75, 1) if whole else rng.uniform(0.3, 1)
    aspect = np.exp(rng.uniform(-0.35, 0.35))
    h, w = int(min(rows, rows * share * aspect)), int(min(columns, columns * share / aspect))
    y, x = int(rng.integers(0, rows - h + 1)), int(rng.integers(0, columns - w + 1))
    part = cv2.resize(image[y : y + h, x : x + w], (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    part = part[:, :: rng.choice((-1, 1))]
    if not whole:
        part = np.rot90(part, rng.integers(4))
    return part.astype(np.float32) / 255


def photographed(rng: Generator, image: np.ndarray, whole: bool = False, tinted: float = 0.4) -> Canvas:
    """A photograph as a table: nearly all of it, or a part, which is `tinted` so often in other colours."""
    albedo = _cut(rng, image, whole)
    if not whole and rng.random() < tinted:
        grey = albedo.mean(axis=2, keepdims=True)
        tint = fields.colour(rng, (0.5, 1), 0.5)
        albedo = (grey + (albedo - grey) * np.float32(rng.uniform(0, 1.2))) * tint
        albedo = np.clip(albedo * np.float32(rng.uniform(0.5, 1.9)), 0, 1)
    return Canvas(albedo)


def _warp(rng: Generator, albedo: np.ndarray, slope: np.ndarray | None = None) -> Canvas:
    """A surface drawn from above, seen turned and aslant."""
    ends = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]]) * SIDE
    angle, zoom = rng.uniform(0, 2 * np.pi), rng.uniform(1.5, 2.2)
    spin = np.float32([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    target = ((ends - SIDE / 2) @ spin * zoom + rng.uniform(-0.2, 0.2, (4, 2)) * SIDE + SIDE / 2).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(ends, target)
    warped = [cv2.warpPerspective(f, matrix, (SIDE, SIDE), borderMode=cv2.BORDER_REFLECT) for f in (albedo, slope) if f is not None]
    return Canvas(*warped)


def plain(rng: Generator) -> Canvas:
    """One colour with a little unevenness and grain; a third of them light, as a white sheet's table may be."""
    base = fields.colour(rng, (0.75, 1), 0.12) if rng.random() < 0.35 else fields.colour(rng, (0.05, 1), 0.8)
    field = 1 + fields.clouds(rng, SIDE) * rng.uniform(0, 0.08) + fields.grain(rng, SIDE) * rng.exponential(0.02)
    return Canvas(base * field[..., None].astype(np.float32))


def speckled(rng: Generator) -> Canvas:
    """Stone, terrazzo, cork, carpet: noise of several sizes between a few colours."""
    albedo = np.empty((SIDE, SIDE, 3), np.float32)
    albedo[:] = fields.colour(rng, (0.1, 0.95), 0.4)
    for _ in range(rng.integers(2, 5)):
        field = fields.smooth(rng, SIDE, int(np.exp(rng.uniform(np.log(6), np.log(190)))))
        share = np.clip((field - rng.uniform(-0.2, 0.5)) * rng.uniform(1, 8), 0, 1)[..., None]
        albedo += share.astype(np.float32) * (fields.colour(rng, (0.05, 1), 0.5) - albedo) * np.float32(rng.uniform(0.1, 0.8))
    return Canvas(albedo * (1 + fields.grain(rng, SIDE) * np.float32(rng.exponential(0.04)))[..., None])


def wood(rng: Generator) -> Canvas:
    """Boards with grain along them and dark joints."""
    tone = np.float32(rng.choice(((0.75, 0.55, 0.35), (0.45, 0.28, 0.16), (0.88, 0.76, 0.6), (0.3, 0.2, 0.14), (0.7, 0.66, 0.6))))
    tone = tone * np.float32(rng.uniform(0.8, 1.15)) * (1 + rng.normal(0, 0.06, 3)).astype(np.float32)
    y = fields.grid(SIDE)[1]
    rings = np.sin((y * rng.uniform(8, 60) + fields.smooth(rng, SIDE, 4) * rng.uniform(0.5, 6)) * 6.3)
    field = 1 + rings * rng.uniform(0, 0.13) + fields.streaks(rng, SIDE, int(rng.integers(20, 90))) * rng.uniform(0.02, 0.12)
    albedo = tone * field[..., None].astype(np.float32)
    if rng.random() < 0.6:
        boards, joint = int(rng.integers(2, 9)), rng.uniform(0.2, 0.9)
        for board in range(boards):
            top, end = board * SIDE // boards, (board + 1) * SIDE // boards
            albedo[top:end] *= np.float32(rng.uniform(0.8, 1.15))
            albedo[top : top + int(rng.integers(1, 4))] *= np.float32(joint)
    return _warp(rng, albedo)


def cloth(rng: Generator) -> Canvas:
    """Woven threads, plain, striped or checked, with soft waves."""
    x, y = fields.grid(SIDE)
    threads = rng.uniform(40, 130)
    weave = np.sin(x * threads * 6.3) * np.sin(y * threads * 6.3) * rng.uniform(0, 0.2)
    albedo = fields.colour(rng, (0.1, 1), 0.8) * (1 + weave + fields.grain(rng, SIDE) * 0.04)[..., None].astype(np.float32)
    for axis in (x, y):
        if rng.random() < 0.35:
            stripes = (np.sin(axis * rng.uniform(3, 25) * 6.3) > rng.uniform(-0.9, 0.9))[..., None]
            albedo = np.where(stripes, albedo * np.float32(0.5) + fields.colour(rng, (0.1, 1), 0.9) * np.float32(0.5), albedo)
    return _warp(rng, albedo.astype(np.float32), fields.gradient(fields.clouds(rng, SIDE) * np.float32(rng.uniform(0, 0.02))))


def tiles(rng: Generator) -> Canvas:
    """Tiles, bricks or paving, each of its own tone, with joints."""
    rows, columns = rng.integers(2, 12, 2)
    albedo, base = np.empty((SIDE, SIDE, 3), np.float32), fields.colour(rng, (0.15, 1), 0.5)
    albedo[:] = fields.colour(rng, (0.1, 1), 0.2)
    gap, spread, shift = int(rng.integers(1, 5)), rng.exponential(0.08), rng.choice((0, 0.5))
    for row in range(rows):
        for column in range(-1, columns):
            x = int((column + shift * (row % 2)) * SIDE / columns)
            tile = albedo[row * SIDE // rows + gap : (row + 1) * SIDE // rows, max(0, x + gap) : max(0, x + SIDE // columns)]
            tile[:] = base * np.float32(1 + rng.normal(0, spread))
    field = 1 + fields.clouds(rng, SIDE) * rng.uniform(0, 0.15) + fields.grain(rng, SIDE) * 0.02
    return _warp(rng, albedo * field[..., None].astype(np.float32))


def crushed(rng: Generator, white: float = 0.55) -> Canvas:
    """Crumpled wrapping paper, foil or a sheet of cloth spread out as a table: it is not a sheet to be found. `white` is how often it is white."""
    slope = fields.facets(rng, SIDE, int(np.exp(rng.uniform(np.log(25), np.log(350)))))[1] * np.float32(rng.uniform(0.05, 0.4))
    slope += fields.gradient(fields.smooth(rng, SIDE, int(rng.integers(3, 24))) * np.float32(rng.uniform(0, 0.02)))
    base = fields.colour(rng, (0.7, 1), 0.12) if rng.random() < white else fields.colour(rng, (0.2, 0.95), 0.7)
    albedo = np.empty((SIDE, SIDE, 3), np.float32)
    albedo[:] = base * np.float32(1 + rng.normal(0, 0.02))
    return Canvas(albedo * (1 + fields.grain(rng, SIDE) * np.float32(rng.exponential(0.015)))[..., None], cv2.GaussianBlur(slope, (0, 0), rng.uniform(0.6, 2.5)))


def creased(rng: Generator) -> Canvas:
    """A large white paper with long folds and soft waves, spread out as a table: no sheet to be found either."""
    height = fields.creases(rng, SIDE, int(rng.integers(4, 40)), rng.uniform(0.1, 0.5)) * np.float32(rng.uniform(0.02, 0.2))
    height += fields.clouds(rng, SIDE) * np.float32(rng.uniform(0, 0.02))
    if rng.random() < 0.5:
        height += fields.facets(rng, SIDE, int(rng.integers(20, 120)))[0] * np.float32(rng.uniform(0.02, 0.12))
    albedo = np.empty((SIDE, SIDE, 3), np.float32)
    albedo[:] = fields.colour(rng, (0.75, 1), 0.1) * np.float32(1 + rng.normal(0, 0.02))
    slope = cv2.GaussianBlur(fields.gradient(height), (0, 0), rng.uniform(0.6, 3))
    return Canvas(albedo * (1 + fields.grain(rng, SIDE) * np.float32(rng.exponential(0.01)))[..., None], slope)


def room(rng: Generator) -> Canvas:
    """Flat areas at right angles: walls, doors, windows, furniture."""
    canvas = plain(rng)
    for _ in range(rng.integers(2, 14)):
        x, y = rng.uniform(-0.2, 1, 2) * SIDE
        w, h = np.exp(rng.uniform(np.log(0.03), np.log(1), 2)) * SIDE
        corners = np.float32([[x, y], [x + w, y], [x + w, y + h], [x, y + h]]) + rng.normal(0, 0.02, (4, 2)) * SIDE
        mask = np.zeros((SIDE, SIDE), np.uint8)
        cv2.fillConvexPoly(mask, np.int32(corners), 255, cv2.LINE_AA)
        canvas.paint(mask, fields.colour(rng, (0.1, 1), 0.5 if rng.random() < 0.5 else 0.1))
        if rng.random() < 0.5:
            cv2.polylines(mask := np.zeros_like(mask), [np.int32(corners)], True, 255, int(rng.integers(1, 7)), cv2.LINE_AA)
            canvas.paint(mask, fields.colour(rng, (0, 1), 0.3))
    return canvas


def draw(rng: Generator, photographs: Photographs) -> Canvas:
    """A random table; a fifth of them change to another surface across a line."""
    canvas = _one(rng, photographs)
    if rng.random() < 0.2:
        other, (x, y), angle = _one(rng, photographs), rng.uniform(0.1, 0.9, 2), rng.uniform(0, 6.3)
        gx, gy = fields.grid(SIDE)
        beyond = ((gx - x) * np.cos(angle) + (gy - y) * np.sin(angle) > 0).astype(np.uint8) * 255
        if rng.random() < 0.5:
            canvas.shade(beyond, tuple(rng.normal(0, 6, 2)), rng.uniform(1, 12), rng.uniform(0.1, 0.6))
        canvas.paint(beyond, other.albedo, other.slope)
    return canvas


def _one(rng: Generator, photographs: Photographs) -> Canvas:
    if rng.random() < 0.1:
        return crushed(rng)
    if photographs.surfaces and rng.random() < 0.6:
        return photographed(rng, photographs.surfaces[rng.integers(len(photographs.surfaces))])
    if photographs.scenes and rng.random() < 0.15:
        return photographed(rng, photographs.scenes[rng.integers(len(photographs.scenes))])
    kinds = (plain, speckled, wood, cloth, tiles, room)
    return kinds[rng.choice(len(kinds), p=(0.3, 0.2, 0.2, 0.12, 0.14, 0.04))](rng)
