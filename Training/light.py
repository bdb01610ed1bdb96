"""Light, and the camera that takes the picture.

Lamps are sums: each has a colour, a direction, a spread over the picture and its own shadows. A surface that slopes towards a lamp is lighter in that
lamp's colour, so a crumpled table under two coloured lamps is as motley as a crumpled sheet.
"""

import cv2
import numpy as np
from numpy.random import Generator

import fields
from canvas import SIDE


def _shadow(rng: Generator) -> np.ndarray:
    """1 in the light, 0 in a shadow thrown by something out of the picture: half planes, bars, blobs, polygons, hard or soft."""
    x, y = fields.grid(SIDE)
    kind, angle = rng.random(), rng.uniform(0, 6.3)
    away = (x - np.float32(rng.uniform(0.1, 0.9))) * np.float32(np.cos(angle)) + (y - np.float32(rng.uniform(0.1, 0.9))) * np.float32(np.sin(angle))
    if kind < 0.3:
        lit = away > 0
    elif kind < 0.45:
        lit = np.abs(away) > rng.uniform(0.03, 0.2)
    elif kind < 0.55:
        lit = np.sin(away * rng.uniform(15, 60) + fields.smooth(rng, SIDE, 3) * rng.uniform(0, 0.6)) > rng.uniform(-0.7, 0.7)
    elif kind < 0.75:
        lit = fields.smooth(rng, SIDE, int(rng.integers(3, 9))) + rng.uniform(-0.3, 0.5) > 0
    else:
        mask = np.full((SIDE, SIDE), 255, np.uint8)
        for _ in range(rng.integers(1, 4)):
            middle, reach = rng.uniform(0, 1, 2), rng.uniform(0.1, 0.6)
            corners = (middle + rng.uniform(-reach, reach, (int(rng.integers(3, 7)), 2))) * SIDE
            cv2.fillPoly(mask, [np.int32(corners)], 0, cv2.LINE_AA)
        lit = mask > 127
    lit = lit.astype(np.float32)
    if rng.random() < 0.45:
        return cv2.GaussianBlur(lit, (3, 3), 0)
    soft = cv2.resize(lit, (SIDE // 4, SIDE // 4), interpolation=cv2.INTER_AREA)
    return cv2.resize(cv2.GaussianBlur(soft, (0, 0), np.exp(rng.uniform(np.log(0.5), np.log(10)))), (SIDE, SIDE))


def _spread(rng: Generator) -> np.ndarray:
    """How much of a lamp's light each place gets: even, fading to a side, or a pool around a point."""
    x, y = fields.grid(SIDE)
    kind = rng.random()
    if kind < 0.35:
        return np.ones((SIDE, SIDE), np.float32)
    if kind < 0.75:
        angle = rng.uniform(0, 6.3)
        field = 1 + np.float32(rng.uniform(0.1, 1.2)) * ((x - 0.5) * np.float32(np.cos(angle)) + (y - 0.5) * np.float32(np.sin(angle)))
    else:
        cx, cy = rng.uniform(-0.2, 1.2, 2)
        field = 1.5 / (1 + ((x - np.float32(cx)) ** 2 + (y - np.float32(cy)) ** 2) * np.float32(rng.uniform(0.5, 5)))
    return np.maximum(field, 0.15).astype(np.float32)


def _lamp(rng: Generator, slope: np.ndarray, colour: np.ndarray, shadowed: float) -> np.ndarray:
    angle, steep = rng.uniform(0, 6.3), rng.uniform(0.3, 1.8)
    facing = 1 - slope @ np.float32((np.cos(angle) * steep, np.sin(angle) * steep))
    light = np.clip(facing, 0, 2.2) * _spread(rng)
    if rng.random() < shadowed:
        for _ in range(1 if rng.random() < 0.75 else 2):
            light *= 1 - np.float32(rng.uniform(0.25, 0.85)) * (1 - _shadow(rng))
    return light[..., None] * colour


def illuminate(rng: Generator, albedo: np.ndarray, slope: np.ndarray, colours: float = 0.22) -> np.ndarray:
    """The picture of a canvas in a random light, linear enough, about 0...1. `colours` is how often the light is coloured."""
    coloured = rng.random() < colours
    lamp = fields.colour(rng, (1, 1), 0.95 if coloured else 0.12)
    ambient = fields.colour(rng, (1, 1), 0.5 if coloured else 0.1) * np.float32(rng.uniform(0.25, 0.65))
    if not coloured and rng.random() < 0.3:
        ambient = ambient * np.float32((0.75, 0.88, 1.05))
    light = ambient + _lamp(rng, slope, lamp * (1 - ambient.mean()), 0.55)
    if rng.random() < (0.55 if coloured else 0.15):
        light = light + _lamp(rng, slope, fields.colour(rng, (1, 1), 0.95 if coloured else 0.15) * np.float32(rng.uniform(0.2, 0.8)), 0.3)
    picture = albedo * light
    if rng.random() < 0.12:
        x, y = fields.grid(SIDE)
        (cx, cy), (rx, ry) = rng.uniform(0, 1, 2), np.exp(rng.uniform(np.log(0.02), np.log(0.25), 2))
        spot = np.exp(-(((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2)) * np.clip(1 - slope @ np.float32(rng.normal(0, 2, 2)), 0, 2)
        picture = picture + (spot * rng.uniform(0.2, 1))[..., None].astype(np.float32)
    return picture


def lamps(rng: Generator, albedo: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """The picture of a canvas under one to three strongly coloured lamps, mostly with hard shadows; a little white light fills them."""
    light = np.full((1, 1, 3), rng.uniform(0.03, 0.4), np.float32) * fields.colour(rng, (1, 1), 0.2)
    for number in range(rng.integers(1, 4)):
        hue = _HUES[rng.integers(len(_HUES))] if number == 0 or rng.random() < 0.5 else np.ones(3, np.float32)
        colour = 1 - np.float32(rng.uniform(0.5, 1)) * (1 - hue * (1 + rng.normal(0, 0.1, 3)).astype(np.float32))
        light = light + _lamp(rng, slope, np.clip(colour, 0, 1) * np.float32(rng.uniform(0.3, 1)), 0.6)
    return albedo * light


# Blue, orange, magenta, green, red, cyan, yellow.
_HUES = np.float32(((0.1, 0.35, 1), (1, 0.5, 0.1), (1, 0.15, 0.9), (0.1, 0.9, 0.4), (1, 0.12, 0.1), (0.1, 0.85, 1), (1, 0.9, 0.2)))


def photograph(rng: Generator, picture: np.ndarray) -> np.ndarray:
    """What the camera keeps of it: exposure, white balance, contrast, blur, noise, JPEG; uint8."""
    bright = float(np.percentile(picture[::8, ::8].max(axis=2), rng.uniform(75, 97)))
    target = rng.uniform(0.65, 1.15) if rng.random() < 0.92 else rng.uniform(0.35, 0.65)
    picture = picture * (np.float32(min(4, target / max(bright, 0.02))) * (1 + rng.normal(0, 0.05, 3)).astype(np.float32))
    picture = np.clip(picture, 0, 1)
    if rng.random() < 0.7:
        picture = np.power(picture, np.float32(np.exp(rng.normal(0, 0.25))))
    if rng.random() < 0.3:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.6))
    if rng.random() < 0.05:
        length = int(rng.integers(3, 9))
        picture = cv2.blur(picture, (length, 1) if rng.random() < 0.5 else (1, length))
    noise = rng.exponential(0.012)
    picture = picture + (fields.grain(rng, SIDE) * np.float32(noise))[..., None]
    if rng.random() < 0.5:
        picture[..., rng.integers(3)] += fields.grain(rng, SIDE) * np.float32(noise)
    picture = (np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8)
    if rng.random() < 0.25:
        picture = cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))])[1], cv2.IMREAD_COLOR)
    if rng.random() < 0.05:
        picture = np.repeat(picture.mean(axis=2, keepdims=True).astype(np.uint8), 3, axis=2)
    return picture
