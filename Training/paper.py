"""How a sheet lies in space: seen aslant, curled, folded, crumpled or around a bottle.

For each pixel of the picture we look for the point (u, v) of the page that is seen there. A sheet is a plane with a height above it, given on a square
grid over the page; the plane's homography answers for height zero, and two steps of iteration move each answer by what the height there shifts it in
the picture. The slope of the same height makes the shade, so that line and light of a fold belong together.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator

import fields
from canvas import SIDE, Canvas
from pages import Page

GRID = 256
"""Cells of a height's grid along a side: a fold is then as sharp as a real one, some three pixels wide; at 128 it was softer than any border between sheets."""

ROOM = 0.15
"""How far the height's grid reaches beyond the page on each side, in parts of the page."""


@dataclass
class View:
    """A camera before a page whose longer side is 1: projects (x, y, height, 1) of the page's own space to the picture."""

    matrix: np.ndarray

    @property
    def plane(self) -> np.ndarray:
        return self.matrix[:, [0, 1, 3]]

    def corners(self, width: float, height: float) -> np.ndarray:
        ends = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]) * (width / 2, height / 2, 1)
        seen = ends @ self.plane.T
        return seen[:, :2] / seen[:, 2:]


def view(rng: Generator, aspect: float, area: float, turn: float, tilt: float, centre: tuple[float, float], picture_aspect: float) -> View:
    """A view in which the page covers about `area` of the picture, its middle at `centre` (0...1), turned and tilted by angles in radians.

    `picture_aspect` is the photograph's height by width; the picture is it squashed to a square.
    """
    axis, distance = rng.uniform(0, 2 * np.pi), rng.uniform(1.1, 3.0)
    spin = cv2.Rodrigues(np.array([0, 0, turn]))[0]
    lean = cv2.Rodrigues(np.array([np.cos(axis), np.sin(axis), 0]) * tilt)[0]
    matrix = np.hstack([lean @ spin, [[0], [0], [distance]]])
    matrix[2, :3] *= 0.8
    squash = np.diag([np.sqrt(picture_aspect), 1 / np.sqrt(picture_aspect), 1])
    matrix = squash @ matrix
    width, height = (1 / aspect, 1) if aspect >= 1 else (1, aspect)
    size = cv2.contourArea(View(matrix).corners(width, height).astype(np.float32))
    zoom = np.sqrt(area / max(size, 1e-6)) * SIDE
    middle = View(matrix).corners(width, height).mean(0) * zoom
    place = np.array([[zoom, 0, centre[0] * SIDE - middle[0]], [0, zoom, centre[1] * SIDE - middle[1]], [0, 0, 1]])
    return View(place @ matrix)


def relief(rng: Generator, kinds: set[str]) -> np.ndarray:
    """The height of a sheet on the grid over the page, in parts of its longer side, level where it is not bent."""
    x, y = fields.grid(GRID)
    height = np.zeros((GRID, GRID), np.float32)

    def along(skew: float) -> np.ndarray:
        angle = rng.choice((0, np.pi / 2)) + rng.normal(0, skew)
        return (x - 0.5) * np.float32(np.cos(angle)) + (y - 0.5) * np.float32(np.sin(angle))

    if "curl" in kinds:
        for _ in range(rng.integers(1, 3)):
            waves = rng.uniform(0.3, 1.4)
            height += np.float32(rng.uniform(0.02, 0.13) / waves) * np.sin(2 * np.pi * waves * along(0.25) + rng.uniform(0, 6.3)).astype(np.float32)
    if "roll" in kinds:
        for sign in rng.choice((-1, 1), rng.integers(1, 3), replace=False):
            reach = rng.uniform(0.06, 0.3)
            height += np.float32(rng.uniform(0.03, 0.2)) * np.exp(np.minimum(0, (sign * along(0.1) - 0.5) / reach)).astype(np.float32)
    if "folds" in kinds:
        for _ in range(rng.integers(1, 3)):
            count = int(rng.integers(1, 5))
            stops = np.sort(np.concatenate([[-0.8, 0.8], rng.uniform(-0.5, 0.5, count) if rng.random() < 0.4 else (np.arange(1, count + 1) / (count + 1) - 0.5)]))
            steep = rng.uniform(0.03, 0.35)
            rises = np.cumsum(np.diff(stops, prepend=-0.8) * steep * (-1) ** np.arange(count + 2) * rng.uniform(0.3, 1, count + 2))
            height += np.interp(along(0.08 if rng.random() < 0.8 else 0.6), stops, rises).astype(np.float32)
    if "crumple" in kinds:
        height += fields.creases(rng, GRID, int(rng.integers(5, 26)), rng.uniform(0.08, 0.3)) * np.float32(rng.uniform(0.05, 0.3))
    if "crush" in kinds:
        height += fields.facets(rng, GRID, int(np.exp(rng.uniform(np.log(30), np.log(400)))))[0] * np.float32(rng.uniform(0.05, 0.4))
    if "dents" in kinds:
        height += fields.smooth(rng, GRID, int(rng.integers(3, 8))) * np.float32(rng.uniform(0.002, 0.015))
    return height - height.mean()


def lay(canvas: Canvas, rng: Generator, page: Page, pose: View, height: np.ndarray, shadow: float, hides: bool = True, counts: bool = True) -> np.ndarray:
    """Draws a sheet. `shadow` is how dark its own shadow is; if it counts, it is one to be found. Returns its mask."""
    width, tall = (1 / page.aspect, 1.0) if page.aspect >= 1 else (1.0, page.aspect)
    corners = pose.corners(width, tall)
    part = _around(corners)
    x, y = (field[part] * SIDE for field in fields.grid(SIDE))
    back = np.linalg.inv(pose.plane).tolist()
    normal = pose.matrix[:, 2].tolist()
    reach = 1 + 2 * ROOM
    high = np.zeros_like(x)
    flat = not height.any()
    nearness = back[2][0] * x + back[2][1] * y + back[2][2]
    for _ in range(1 if flat else 3):
        px = x - high * (normal[0] - x * normal[2]) * nearness
        py = y - high * (normal[1] - y * normal[2]) * nearness
        w = back[2][0] * px + back[2][1] * py + back[2][2]
        u = (back[0][0] * px + back[0][1] * py + back[0][2]) / (w * width) + 0.5
        v = (back[1][0] * px + back[1][1] * py + back[1][2]) / (w * tall) + 0.5
        u[w <= 0] = -9
        if not flat:
            at = (u + ROOM) * (GRID / reach) - 0.5, (v + ROOM) * (GRID / reach) - 0.5
            high = cv2.remap(height, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    slope = None
    if not flat:
        steep = fields.gradient(height) / np.float32(reach) / np.float32((width, tall))
        turn = pose.plane[:2, :2] / np.linalg.norm(pose.plane[:2, :2], axis=0)
        slope = cv2.remap(steep, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) @ turn.T.astype(np.float32)
    return _print(canvas, rng, page, part, u, v, slope, corners, shadow, hides, counts)


def wrap(canvas: Canvas, rng: Generator, page: Page, centre: tuple[float, float], radius: float, turn: float, arc: float, sag: float) -> np.ndarray:
    """Draws a label around an upright cylinder of `radius` pixels seen from the side.

    The page's width covers `arc` radians; `sag` is how far, in radii, the rims of the cylinder bow.
    """
    x, y = fields.grid(SIDE)
    dx, dy = x * SIDE - centre[0], y * SIDE - centre[1]
    across = (dx * np.float32(np.cos(turn)) + dy * np.float32(np.sin(turn))) / np.float32(radius)
    down = (dy * np.float32(np.cos(turn)) - dx * np.float32(np.sin(turn))) / np.float32(radius)
    bow = np.sqrt(np.clip(1 - across * across, 0, 1))
    offset = rng.uniform(-0.4, 0.4)
    angle = np.where(np.abs(across) < 1, np.arcsin(np.clip(across, -1, 1)), np.float32(9)).astype(np.float32)
    u = ((angle - np.float32(offset)) / np.float32(arc) + np.float32(0.5)).astype(np.float32)
    v = ((down - np.float32(sag) * bow) / np.float32(arc * page.aspect) + np.float32(0.5)).astype(np.float32)
    tangent = np.clip(across / np.maximum(bow, 0.15), -4, 4)
    slope = np.dstack((tangent * np.float32(np.cos(turn)), tangent * np.float32(np.sin(turn)))) * np.float32(-0.6)
    size = np.float32([[0, 0], [radius * arc, 0], [radius * arc, radius * arc * page.aspect], [0, radius * arc * page.aspect]])
    return _print(canvas, rng, page, np.s_[:, :], u, v, slope, size, 0, True, True)


def _around(corners: np.ndarray) -> tuple[slice, slice]:
    """The part of the picture that a sheet with these corners may touch, however it is bent."""
    room = 0.3 * np.ptp(corners, axis=0).max() + 4
    low, high = np.clip(corners.min(0) - room, 0, SIDE - 1).astype(int), np.clip(corners.max(0) + room, 1, SIDE).astype(int)
    return np.s_[low[1] : max(high[1], low[1] + 1), low[0] : max(high[0], low[0] + 1)]


def _print(canvas: Canvas, rng: Generator, page: Page, part, u, v, slope, corners, shadow: float, hides: bool, counts: bool) -> np.ndarray:
    rows, columns = page.colour.shape[:2]
    seen = max(np.linalg.norm(corners[1] - corners[0]) / columns, np.linalg.norm(corners[3] - corners[0]) / rows)
    scale = min(1.0, 1.3 * seen)
    size = (max(4, round(columns * scale)), max(4, round(rows * scale)))
    colour, shape = (cv2.resize(image, size, interpolation=cv2.INTER_AREA) for image in (page.colour, page.shape))
    at = (u * size[0] - 0.5, v * size[1] - 0.5)
    inside = ((u > 0) & (u < 1) & (v > 0) & (v < 1)).astype(np.uint8)
    mask = np.zeros((SIDE, SIDE), np.uint8)
    mask[part] = cv2.remap(shape, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) * inside
    if rng.random() < 0.5:
        mask = cv2.blur(mask, (2, 2))
    if not mask.any():
        return mask
    printed = np.zeros((SIDE, SIDE, 3), np.float32)
    printed[part] = cv2.remap(colour, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32) / 255
    steep = np.zeros((SIDE, SIDE, 2), np.float32)
    if slope is not None:
        steep[part] = slope
    if shadow:
        angle, far = rng.uniform(0, 2 * np.pi), rng.exponential(4)
        canvas.shade(mask, (far * np.cos(angle), far * np.sin(angle)), rng.uniform(0.8, 3 + 1.5 * far), shadow)
    canvas.paint(mask, printed, steep, hides)
    if rng.random() < 0.3:
        rim = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8))
        canvas.albedo *= 1 + (np.float32(rng.uniform(-0.35, 0.2)) / 255) * rim[..., None]
    if counts:
        canvas.sheets.append(mask)
    return mask
