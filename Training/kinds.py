"""What scenes show: sheets lying, touching, hidden, held, scanned, around bottles, or none at all. Each kind draws one Canvas, not yet lit."""

import cv2
import numpy as np
from numpy.random import Generator

import fields
import pages
import paper
import tables
import things
from canvas import SIDE, Canvas


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


def _sheet(canvas: Canvas, rng: Generator, page: pages.Page, pose: paper.View, shadow: float | None = None, folded: float = 0) -> np.ndarray:
    """Lays a page down, bent at random; `folded` is how often it is only folded, which is how one sheet comes to look like two."""
    kinds = {kind for kind, share in (("curl", 0.35), ("roll", 0.15), ("folds", 0.35), ("crumple", 0.2), ("crush", 0.15), ("dents", 0.3)) if rng.random() < share}
    if rng.random() < 0.25 or page.colour.shape[0] < page.colour.shape[1] and rng.random() < 0.5:
        kinds = set()
    if folded and rng.random() < folded:
        kinds = {"folds", "dents"} if rng.random() < 0.3 else {"folds"}
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


def crowd(rng: Generator, photographs: tables.Photographs) -> Canvas:
    """Two to five sheets in one plane that touch: edge to edge, by their corners, one over the other; often of the same paper."""
    canvas = tables.draw(rng, photographs)
    if rng.random() < 0.35:
        things.scatter(canvas, rng, int(rng.integers(1, 4)), photographs.everything())
    count = int(rng.choice((2, 3, 4, 5), p=(0.45, 0.28, 0.17, 0.1)))
    kind = None if rng.random() < 0.3 else "receipt" if rng.random() < 0.75 else "letter"
    drawn = [_paper(rng, photographs, kind) for _ in range(count)]
    if rng.random() < 0.55:
        drawn = [_alike(rng, page, drawn[0]) for page in drawn]
    places = _plan(rng, drawn)
    ends = np.vstack([middle + _turned(_corners(page) * size, turn) for page, (middle, size, turn) in zip(drawn, places)])
    low, extent = ends.min(0), np.ptp(ends, axis=0)
    turn = rng.choice((0, np.pi / 2)) + rng.normal(0, 0.15) if rng.random() < 0.6 else rng.uniform(0, 2 * np.pi)
    aspect = float(rng.choice((4 / 3, 3 / 4, 1, 16 / 9, 9 / 16)))
    pose = paper.view(rng, extent[1] / extent[0], rng.uniform(0.15, 1.1), turn, min(abs(rng.normal(0, 0.25)), 0.9), tuple(rng.normal(0.5, 0.07, 2)), aspect)
    shadow = rng.uniform(0.08, 0.65) if rng.random() < 0.9 else 0
    for page, (middle, size, spin) in zip(drawn, places):
        scale = size / extent.max()
        x, y = (middle - low - extent / 2) / extent.max()
        cos, sin = scale * np.cos(spin), scale * np.sin(spin)
        place = np.array([[cos, -sin, 0, x], [sin, cos, 0, y], [0, 0, scale, 0], [0, 0, 0, 1]])
        _sheet(canvas, rng, page, paper.View(pose.matrix @ place), shadow)
    _cover(canvas, rng)
    return canvas


def _corners(page: pages.Page) -> np.ndarray:
    """The corners of a page whose longer side is 1, around its middle."""
    width, height = (1 / page.aspect, 1) if page.aspect >= 1 else (1, page.aspect)
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)


def _turned(points: np.ndarray, angle: float) -> np.ndarray:
    return points @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def _plan(rng: Generator, drawn: list[pages.Page]) -> list[tuple[np.ndarray, float, float]]:
    """Where sheets lie in their plane: the middle, the length of the longer side and the turn of each."""
    style = rng.choice(("edges", "shingles", "fan", "pile"), p=(0.4, 0.22, 0.13, 0.25))
    sizes = [1 / (_corners(page)[1, 0] * 2) * float(np.exp(rng.normal(0, 0.08 if rng.random() < 0.5 else 0.35))) for page in drawn]
    places, at = [], 0.0
    for number, (page, size) in enumerate(zip(drawn, sizes)):
        width, height = np.ptp(_corners(page), axis=0) * size
        if style == "pile":
            places.append((rng.normal(0, 0.45, 2) * (1, 1.5), size, rng.choice((0, np.pi / 2)) + rng.normal(0, 0.12) if rng.random() < 0.5 else rng.uniform(0, 6.3)))
        elif style == "fan":
            angle = (number - len(drawn) / 2) * rng.uniform(0.15, 0.5)
            places.append((_turned(np.array([0, -height * rng.uniform(0.3, 0.6)]), angle), size, angle))
        else:
            gap = rng.uniform(-0.01, 0.025) if style == "edges" else -rng.uniform(0.05, 0.6)
            along = np.array([at + width / 2, rng.normal(0, 0.2) * height])
            places.append((along, size, rng.normal(0, 0.01 if rng.random() < 0.7 else 0.08)))
            at += width * (1 + gap)
    return places


def _paper(rng: Generator, photographs: tables.Photographs, kind: str | None = None) -> pages.Page:
    """A page, two times in five as a scanner or a copier shows it."""
    page = _page(rng, photographs, kind)
    return pages.scanned(rng, page) if rng.random() < 0.4 else page


def _alike(rng: Generator, page: pages.Page, other: pages.Page) -> pages.Page:
    """The page on paper of the other's colour or nearly so."""
    ours, theirs = (np.percentile(p.colour.reshape(-1, 3)[::17], 80, axis=0) + 1 for p in (page, other))
    colour = page.colour * (theirs / ours * rng.uniform(0.95, 1.03)).astype(np.float32)
    return pages.Page(np.clip(colour, 0, 255).astype(np.uint8), page.shape)


def camouflaged(rng: Generator, photographs: tables.Photographs) -> Canvas:
    """Sheets of grey or beige on cloth and boards as bright as they are, with dark and bright things beside them."""
    canvas = tables.draw(rng, photographs)
    tone = np.float32(rng.uniform(0.3, 0.9)) * (1 - np.float32(rng.uniform(0, 0.3)) * np.float32((0, 0.35, 1)) if rng.random() < 0.6 else np.ones(3, np.float32))
    grey = canvas.albedo.mean(axis=2, keepdims=True)
    contrast = np.float32(rng.uniform(0.1, 0.8))
    canvas.albedo = np.clip((1 + contrast * (grey / max(0.05, float(grey.mean())) - 1)) * tone, 0.01, 1).astype(np.float32)
    below = canvas.albedo.copy()
    things.scatter(canvas, rng, int(rng.integers(0, 5)), photographs.everything())
    for _ in range(int(rng.choice((1, 2, 3), p=(0.7, 0.2, 0.1)))):
        page = _paper(rng, photographs, "receipt" if rng.random() < 0.6 else "letter")
        page.colour = _matched(rng, page.colour, below * np.float32(rng.uniform(0.9, 1.12)))
        pose = paper.view(rng, page.aspect, rng.uniform(0.06, 0.7), rng.uniform(0, 2 * np.pi), abs(rng.normal(0, 0.35)), tuple(rng.normal(0.5, 0.15, 2)), float(rng.choice((4 / 3, 3 / 4, 1))))
        _sheet(canvas, rng, page, pose, shadow=rng.uniform(0.08, 0.65))
    _cover(canvas, rng)
    return canvas


def lit(rng: Generator, photographs: tables.Photographs) -> Canvas:
    """White sheets, folded or crumpled, on white paper or on a table; strongly coloured lamps are to shine on them from the side."""
    kind = rng.random()
    canvas = tables.creased(rng) if kind < 0.5 else tables.crushed(rng, white=0.9) if kind < 0.65 else tables.draw(rng, photographs)
    for _ in range(1 if rng.random() < 0.85 else 2):
        page = _paper(rng, photographs, "receipt" if rng.random() < 0.3 else "letter")
        if rng.random() < 0.4:
            page.colour = _matched(rng, page.colour, canvas.albedo)
        area = rng.uniform(0.3, 1) if rng.random() < 0.7 else rng.uniform(0.1, 0.4)
        turn = rng.choice((0, np.pi)) + rng.normal(0, 0.3) if rng.random() < 0.6 else rng.uniform(0, 2 * np.pi)
        pose = paper.view(rng, page.aspect, area, turn, abs(rng.normal(0, 0.3)), tuple(rng.normal(0.5, 0.08, 2)), float(rng.choice((4 / 3, 3 / 4, 1))))
        _sheet(canvas, rng, page, pose, shadow=rng.uniform(0, 0.5), folded=0.5)
    if rng.random() < 0.3:
        _cover(canvas, rng)
    return canvas


def close(rng: Generator, photographs: tables.Photographs) -> Canvas:
    """A sheet so near that the picture cuts it on one, two or three sides, or that it fills the picture."""
    canvas = tables.draw(rng, photographs)
    if rng.random() < 0.3:
        things.scatter(canvas, rng, int(rng.integers(1, 4)), photographs.everything())
    page = _paper(rng, photographs)
    turn = rng.choice((0, np.pi / 2, np.pi)) + rng.normal(0, 0.08) if rng.random() < 0.8 else rng.uniform(0, 2 * np.pi)
    away = rng.uniform(0, 0.6) * _turned(np.array([1.0, 0.0]), rng.uniform(0, 2 * np.pi) if rng.random() < 0.4 else rng.integers(4) * np.pi / 2)
    pose = paper.view(rng, page.aspect, rng.uniform(0.5, 2.3), turn, abs(rng.normal(0, 0.15)), tuple(0.5 + away), float(rng.choice((4 / 3, 3 / 4, 1, page.aspect))))
    _sheet(canvas, rng, page, pose, folded=0.5)
    _cover(canvas, rng)
    return canvas
