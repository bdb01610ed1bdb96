"""What is no sheet though it may look like one: boxes, books, screens, telephones, cables, cases, cups; and hands that hold or cover sheets."""

import cv2
import numpy as np
from numpy.random import Generator

import fields
from canvas import SIDE, Canvas


def _mask() -> np.ndarray:
    return np.zeros((SIDE, SIDE), np.uint8)


def _polygon(corners: np.ndarray) -> np.ndarray:
    mask = _mask()
    cv2.fillPoly(mask, [np.round(corners * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask


def _curve(points: np.ndarray, thickness: float) -> np.ndarray:
    mask = _mask()
    cv2.polylines(mask, [np.round(points * 16).astype(np.int32)], False, 255, max(1, round(thickness)), cv2.LINE_AA, 4)
    return mask


def _rectangle(rng: Generator, size: tuple[float, float], ratio: tuple[float, float]) -> np.ndarray:
    """Corners of a rectangle lying somewhere, seen a little aslant; `size` is its longer side by the picture's, `ratio` long by short."""
    long = rng.uniform(*size) * SIDE
    half = np.array([long, long / rng.uniform(*ratio)]) / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    angle = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return corners @ spin * (1, rng.uniform(0.7, 1)) + rng.normal(0, 0.03, (4, 2)) * long + rng.uniform(-0.05, 1.05, 2) * SIDE


def _inset(corners: np.ndarray, share: float) -> np.ndarray:
    return corners + (corners.mean(0) - corners) * share


def _bare(rng: Generator) -> np.ndarray:
    """The colour of a case, a box, an apparatus: often white, grey, black."""
    kind = rng.random()
    if kind < 0.3:
        return fields.colour(rng, (0.75, 1), 0.06)
    return fields.colour(rng, (0.03, 0.75), 0.08) if kind < 0.65 else fields.colour(rng, (0.1, 1), 1)


def box(canvas: Canvas, rng: Generator, photographs: list[np.ndarray]) -> None:
    """A block with two or three of its faces in sight."""
    top = _rectangle(rng, (0.1, 0.7), (1, 3))
    drop = rng.normal(0, 0.09, 2) * SIDE
    colour = _bare(rng)
    body = _polygon(cv2.convexHull(np.vstack([top, top + drop]).astype(np.float32))[:, 0])
    canvas.shade(body, tuple(drop * rng.uniform(0.1, 0.8) + rng.normal(0, 3, 2)), rng.uniform(2, 14), rng.uniform(0.15, 0.7))
    canvas.paint(body, colour * np.float32(rng.uniform(0.3, 0.8)))
    for first in range(4):
        face = np.array([top[first], top[(first + 1) % 4], top[(first + 1) % 4] + drop, top[first] + drop])
        edge, out = face[1] - face[0], face[0] - top.mean(0)
        if np.dot((edge[1], -edge[0]), drop) * np.dot((edge[1], -edge[0]), out) > 0:
            canvas.paint(_polygon(face), colour * np.float32(rng.uniform(0.35, 0.95)))
    canvas.paint(_polygon(top), colour)
    if rng.random() < 0.5:
        canvas.paint(_polygon(_inset(top, rng.uniform(0.1, 0.6))), fields.colour(rng, (0, 1), 0.8))


def book(canvas: Canvas, rng: Generator, photographs: list[np.ndarray]) -> None:
    """A closed book, magazine or notebook: a printed cover, the white edges of its leaves below it."""
    cover = _rectangle(rng, (0.2, 0.8), (1.2, 1.6))
    drop = rng.normal(0, 0.035, 2) * SIDE
    body = _polygon(cv2.convexHull(np.vstack([cover, cover + drop]).astype(np.float32))[:, 0])
    canvas.shade(body, tuple(rng.normal(0, 6, 2)), rng.uniform(2, 9), rng.uniform(0.2, 0.7))
    canvas.paint(body, fields.colour(rng, (0.6, 0.95), 0.15))
    for step in np.linspace(0.15, 0.9, 5):
        canvas.paint(_curve(np.vstack([cover, cover[:1]]) + drop * step, 1), fields.colour(rng, (0.4, 0.8), 0.2))
    colour = fields.colour(rng, (0.05, 0.9), 1)
    canvas.paint(_polygon(cover), colour)
    if photographs and rng.random() < 0.5:
        image = photographs[rng.integers(len(photographs))]
        corners = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]]) * np.float32(image.shape[1::-1])
        inner = _inset(cover, rng.uniform(0, 0.4)).astype(np.float32)
        seen = cv2.warpPerspective(image, cv2.getPerspectiveTransform(corners, inner), (SIDE, SIDE), flags=cv2.INTER_AREA)
        canvas.paint(_polygon(inner), seen.astype(np.float32) / 255)
    for _ in range(rng.integers(0, 4)):
        a, b, c, d = cover
        s, t, w = rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.4)
        ends = [a + (b - a) * p + (d - a + (c - d - b + a) * p) * t for p in (s, s + w)]
        canvas.paint(_curve(np.array(ends), rng.uniform(2, 9)), fields.colour(rng, (0.2, 1), 0.8))


def screen(canvas: Canvas, rng: Generator, photographs: list[np.ndarray]) -> None:
    """A telephone, a tablet or a monitor; dark or showing something, which may well be a white page."""
    frame = _rectangle(rng, (0.15, 1.0), (1.3, 2.2))
    body = _polygon(frame)
    radius = int(rng.choice((0, 5, 9, 15)))
    if radius:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (radius, radius))
        body = cv2.morphologyEx(body, cv2.MORPH_OPEN, kernel)
    canvas.shade(body, tuple(rng.normal(0, 5, 2)), rng.uniform(1, 8), rng.uniform(0.1, 0.6))
    canvas.paint(body, fields.colour(rng, (0.02, 0.15), 0.2) if rng.random() < 0.75 else fields.colour(rng, (0.6, 1), 0.1))
    pane = _inset(frame, rng.uniform(0.03, 0.15))
    kind = rng.random()
    if kind < 0.4:
        canvas.paint(_polygon(pane), fields.colour(rng, (0.02, 0.2), 0.3))
    elif kind < 0.7 and photographs:
        image = photographs[rng.integers(len(photographs))]
        corners = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]]) * np.float32(image.shape[1::-1])
        seen = cv2.warpPerspective(image, cv2.getPerspectiveTransform(corners, pane.astype(np.float32)), (SIDE, SIDE), flags=cv2.INTER_AREA)
        canvas.paint(_polygon(pane), seen.astype(np.float32) / 255)
    else:
        canvas.paint(_polygon(pane), fields.colour(rng, (0.5, 1), 0.3))
        a, b, c, d = pane
        for t in np.arange(rng.uniform(0.05, 0.3), 0.95, rng.uniform(0.05, 0.15)):
            s, w = rng.uniform(0.05, 0.3), rng.uniform(0.1, 0.6)
            ends = [a + (b - a) * p + (d - a) * t for p in (s, s + w)]
            canvas.paint(_curve(np.array(ends), rng.uniform(1, 6)), fields.colour(rng, (0.1, 0.9), 0.9))


def case(canvas: Canvas, rng: Generator, photographs: list[np.ndarray]) -> None:
    """A rounded block, light from above: a charger, a mouse, an ear-phone case, a purse."""
    mask = _polygon(_rectangle(rng, (0.06, 0.45), (1, 2.2)))
    size = int(rng.uniform(0.2, 0.9) * np.sqrt(max(9, (mask > 0).sum()))) | 1
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    if not mask.any():
        return
    canvas.shade(mask, tuple(rng.normal(0, 6, 2)), rng.uniform(2, 12), rng.uniform(0.2, 0.7))
    dome = np.minimum(cv2.distanceTransform(mask, cv2.DIST_L2, 3), size / 3) / SIDE
    canvas.paint(mask, _bare(rng), fields.gradient(cv2.GaussianBlur(dome, (0, 0), 2)) * np.float32(rng.uniform(0.1, 0.5)))


def cable(canvas: Canvas, rng: Generator, photographs: list[np.ndarray]) -> None:
    """A cord in loose bends, often white. Sheets go on below it."""
    t = np.linspace(0, 1, 60)
    knots = rng.uniform(-0.2, 1.2, (5, 2)) * SIDE
    points = np.stack([np.polyval(np.polyfit(np.linspace(0, 1, 5), knots[:, axis], 4), t) for axis in (0, 1)], axis=1)
    thick = rng.uniform(2, 8)
    mask = _curve(points, thick)
    canvas.shade(mask, tuple(rng.normal(0, 3, 2)), rng.uniform(1, 3), rng.uniform(0.2, 0.6))
    colour = fields.colour(rng, (0.8, 1), 0.05) if rng.random() < 0.5 else _bare(rng)
    canvas.paint(mask, colour * np.float32(0.75), hides=False)
    canvas.paint(_curve(points - 0.15 * thick, thick / 2), colour, hides=False)


def cup(canvas: Canvas, rng: Generator, photographs: list[np.ndarray]) -> None:
    """A plate, a cup, a coin, a lid: round, with rings."""
    centre, radius = rng.uniform(0, 1, 2) * SIDE, rng.uniform(0.02, 0.28) * SIDE
    flat, angle = rng.uniform(0.6, 1), rng.uniform(0, 180)
    masks = []
    for share in (1, rng.uniform(0.6, 0.95), rng.uniform(0.2, 0.6)):
        cv2.ellipse(mask := _mask(), (tuple(map(float, centre)), (2 * radius * share, 2 * radius * share * flat), float(angle)), 255, -1, cv2.LINE_AA)
        masks.append(mask)
    canvas.shade(masks[0], tuple(rng.normal(0, 7, 2)), rng.uniform(2, 12), rng.uniform(0.2, 0.6))
    colour = _bare(rng)
    for mask in masks:
        canvas.paint(mask, colour * np.float32(rng.uniform(0.6, 1)))
    if rng.random() < 0.4:
        canvas.paint(masks[2], fields.colour(rng, (0.05, 0.8), 1))


def pen(canvas: Canvas, rng: Generator, photographs: list[np.ndarray]) -> None:
    """A pen or a key. Sheets go on below it."""
    start, angle = rng.uniform(0, 1, 2) * SIDE, rng.uniform(0, 6.3)
    end = start + np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(0.1, 0.5) * SIDE
    thick, colour = rng.uniform(3, 14), _bare(rng)
    mask = _curve(np.array([start, end]), thick)
    canvas.shade(mask, tuple(rng.normal(0, 4, 2)), rng.uniform(1, 4), rng.uniform(0.2, 0.6))
    canvas.paint(mask, colour * np.float32(0.7), hides=False)
    canvas.paint(_curve(np.array([start, end]) + 0.1 * thick, thick / 2), colour, hides=False)
    canvas.paint(_curve(np.array([end + (start - end) * 0.3, end]), thick), _bare(rng), hides=False)


def keyboard(canvas: Canvas, rng: Generator, photographs: list[np.ndarray]) -> None:
    """A board with rows of keys."""
    a, b, c, d = frame = _rectangle(rng, (0.4, 1.1), (2, 3.2))
    body = _polygon(frame)
    canvas.shade(body, tuple(rng.normal(0, 4, 2)), rng.uniform(1, 6), rng.uniform(0.1, 0.5))
    canvas.paint(body, _bare(rng))
    keys, rows, columns = _mask(), int(rng.integers(4, 7)), int(rng.integers(9, 18))
    for row in range(rows):
        for column in range(columns):
            s, t = (column + np.array([0.12, 0.88])) / columns, (row + np.array([0.12, 0.88])) / rows
            corners = [a + (b - a) * p + (d - a) * q + (a - b + c - d) * p * q for p, q in ((s[0], t[0]), (s[1], t[0]), (s[1], t[1]), (s[0], t[1]))]
            cv2.fillConvexPoly(keys, np.int32(corners), 255, cv2.LINE_AA)
    canvas.paint(keys, _bare(rng))


THINGS = (box, book, screen, case, cable, cup, pen, keyboard)
OVER = (cable, pen, cable, case, cup)


def scatter(canvas: Canvas, rng: Generator, count: int, photographs: list[np.ndarray]) -> None:
    """Several things beside or below the sheets to come."""
    for kind in rng.choice(len(THINGS), count, p=(0.2, 0.16, 0.16, 0.16, 0.1, 0.1, 0.06, 0.06)):
        THINGS[kind](canvas, rng, photographs)


def _skin(rng: Generator) -> np.ndarray:
    light = rng.uniform(0.25, 0.95)
    return np.float32((light, light * rng.uniform(0.62, 0.8), light * rng.uniform(0.42, 0.68)))


def _finger(canvas: Canvas, rng: Generator, start: np.ndarray, end: np.ndarray, thick: float, skin: np.ndarray, nail: bool) -> None:
    middle = (start + end) / 2 + rng.normal(0, 0.12, 2) * thick
    mask = _curve(np.array([start, middle, end]), thick)
    canvas.shade(mask, tuple(rng.normal(0, 4, 2)), rng.uniform(1, 6), rng.uniform(0.1, 0.6))
    dome = cv2.GaussianBlur(np.sqrt(cv2.distanceTransform(mask, cv2.DIST_L2, 3) * thick) / SIDE, (0, 0), 1.5)
    canvas.paint(mask, skin * np.float32(rng.uniform(0.9, 1.05)), fields.gradient(dome) * np.float32(0.25), hides=False)
    if nail:
        tip = end + (middle - end) / (np.linalg.norm(middle - end) + 1e-6) * thick * 0.2
        cv2.circle(spot := _mask(), tuple(int(v) for v in tip), max(1, int(thick * 0.25)), 255, -1, cv2.LINE_AA)
        canvas.paint(spot, np.minimum(1, skin * np.float32(1.1) + np.float32(0.05)), hides=False)


def hand(canvas: Canvas, rng: Generator, at: np.ndarray, thick: float | None = None, sleeve: bool = True) -> None:
    """A hand from the picture's rim whose fingers end near `at`. Sheets go on below it."""
    skin, thick = _skin(rng), thick or rng.uniform(0.05, 0.13) * SIDE
    angle = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle)])
    side = np.array([-way[1], way[0]])
    palm = at + way * thick * rng.uniform(2, 4)
    wrist = palm + way * SIDE
    arm = _curve(np.array([palm + way * thick, wrist]), thick * rng.uniform(2.2, 3))
    canvas.paint(arm, fields.colour(rng, (0.05, 1), 1) if sleeve and rng.random() < 0.4 else skin * np.float32(0.9), hides=False)
    cv2.ellipse(mask := _mask(), (tuple(map(float, palm)), (thick * 3.6, thick * 4.2), float(np.degrees(angle) - 90)), 255, -1, cv2.LINE_AA)
    canvas.shade(mask, tuple(rng.normal(0, 6, 2)), rng.uniform(2, 8), rng.uniform(0.1, 0.5))
    dome = cv2.GaussianBlur(np.sqrt(cv2.distanceTransform(mask, cv2.DIST_L2, 3) * thick) / SIDE, (0, 0), 3)
    canvas.paint(mask, skin, fields.gradient(dome) * np.float32(0.2), hides=False)
    for place in np.linspace(-1.4, 1.4, 4)[: rng.integers(1, 5)]:
        start = palm + side * place * thick
        _finger(canvas, rng, start, at + side * place * thick * rng.uniform(0.7, 1.2) + way * rng.uniform(-0.7, 1) * thick, thick, skin, rng.random() < 0.6)


def thumb(canvas: Canvas, rng: Generator, at: np.ndarray, outwards: np.ndarray) -> None:
    """A thumb or finger that reaches over a sheet's border from outside."""
    thick = rng.uniform(0.05, 0.14) * SIDE
    outwards = outwards / (np.linalg.norm(outwards) + 1e-6)
    tip = at - outwards * thick * rng.uniform(0.2, 2)
    root = at + outwards * thick * rng.uniform(1.5, 9) + rng.normal(0, 0.6, 2) * thick
    _finger(canvas, rng, root, tip, thick, _skin(rng), rng.random() < 0.6)
