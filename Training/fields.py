"""Random fields that scenes are made of: smooth noise, grain, creases and facets. All are float32; `side` is in pixels."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.random import Generator

Field = np.ndarray


@lru_cache
def _noise() -> Field:
    return np.random.default_rng(0).standard_normal((1024, 1024), np.float32)


@lru_cache
def grid(side: int) -> tuple[Field, Field]:
    """The pixel centres' x and y in 0...1."""
    centres = (np.arange(side, dtype=np.float32) + 0.5) / side
    x, y = np.meshgrid(centres, centres)
    return x, y


def grain(rng: Generator, side: int) -> Field:
    """White noise of deviation 1: a random cut of one stored field."""
    x, y = rng.integers(0, 1024 - side, 2)
    return _noise()[y : y + side, x : x + side][:: rng.choice((-1, 1)), :: rng.choice((-1, 1))]


def smooth(rng: Generator, side: int, cells: int) -> Field:
    """Noise of about -1...1 without detail finer than side / cells."""
    return cv2.resize(rng.uniform(-1, 1, (cells, cells)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)


def clouds(rng: Generator, side: int) -> Field:
    """Smooth noise of several sizes, the finer the weaker."""
    cells = int(rng.integers(2, 7))
    return sum(smooth(rng, side, min(side, cells * 3**octave)) * 0.55**octave for octave in range(4))


def streaks(rng: Generator, side: int, length: int) -> Field:
    """Noise drawn out along x, as the grain of wood or of brushed metal."""
    rough = cv2.blur(grain(rng, side), (length, 1))
    return rough / (rough.std() + 1e-6)


def creases(rng: Generator, side: int, count: int, reach: float) -> Field:
    """The height of a crumpled sheet, in parts of its side: ridges that fade out `reach` away from a point."""
    x, y = grid(side)
    height = np.zeros((side, side), np.float32)
    for _ in range(count):
        cx, cy, angle = *rng.uniform(0, 1, 2), rng.uniform(0, 2 * np.pi)
        dx, dy = x - np.float32(cx), y - np.float32(cy)
        along = reach * rng.uniform(0.5, 1.5)
        window = np.exp(-(dx * dx + dy * dy) / np.float32(2 * along * along))
        height += np.abs(dx * np.float32(np.cos(angle)) + dy * np.float32(np.sin(angle))) * window * np.float32(rng.normal(0, 1))
    return height


def facets(rng: Generator, side: int, count: int) -> tuple[Field, Field]:
    """A surface of flat triangles, as paper once crushed and spread again: its height, in parts of its side, and its slopes of deviation 1."""
    points = rng.uniform(-0.1 * side, 1.1 * side, (count, 2)).astype(np.float32)
    plan = cv2.Subdiv2D((-side, -side, 3 * side, 3 * side))
    heights = {}
    for x, y in points.tolist():
        plan.insert((x, y))
        heights[round(x, 2), round(y, 2)] = rng.normal() * side / np.sqrt(count)
    planes = np.zeros((side, side, 3), np.float32)
    for triangle in plan.getTriangleList().reshape(-1, 3, 2):
        rise = np.array([heights.get((round(float(x), 2), round(float(y), 2)), 0.0) for x, y in triangle])
        edges = triangle[1:] - triangle[0]
        if abs(np.linalg.det(edges)) < 1:
            continue
        slope = np.linalg.solve(edges, rise[1:] - rise[0])
        slope *= min(1, 3 / np.abs(slope).max())
        cv2.fillConvexPoly(planes, np.round(triangle).astype(np.int32), (*slope.tolist(), float(rise[0] - slope @ triangle[0])))
    x, y = grid(side)
    scale = 1 / (planes[..., :2].std() + 1e-6)
    height = planes[..., 0] * x + planes[..., 1] * y + planes[..., 2] / side
    return height * scale, planes[..., :2] * scale


def gradient(height: Field) -> Field:
    """The slope of a height in parts of its side, side x side x 2."""
    side = height.shape[0]
    dx, dy = cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=side / 8), cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=side / 8)
    return np.dstack((dx, dy))


def colour(rng: Generator, brightness: tuple[float, float] = (0.05, 1.0), saturation: float = 0.5) -> np.ndarray:
    """A random red, green, blue whose largest value lies in `brightness`."""
    value = rng.uniform(*brightness)
    hue = rng.uniform(0, 1, 3)
    hue = (hue - hue.min()) / (np.ptp(hue) + 1e-6)
    return (value * (1 - rng.uniform(0, saturation) * (1 - hue))).astype(np.float32)
