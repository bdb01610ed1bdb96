"""How exactly small pages in wide rooms come out, with depth: their sides against those they were drawn with.

Usage: rooms.py FLATTEN PAGE ... [--rooms 56] [--seed 7] [--folder FOLDER]

PAGE is the flat picture of a page. Each room has one in letter or A4 size, on a carton with a black tape, a desk with a screen, a
table among things, or a tray on a shelf, in front of a wall with a white door; .55 to 1.6 m away it covers 1 to 14 % of the picture.
Depth is that of a stereo camera (640 x 360, noise as the square of the distance, holes at edges) or of a phone's LiDAR (256 x 192,
blurred). The renderer casts rays at textured rectangles and shares nothing with the project's own. Needs numpy and
opencv-python-headless. `--folder` keeps what was drawn, and the reports.
"""

import argparse
import collections
import contextlib
import json
import os
import subprocess
import tempfile

import cv2
import numpy as np

KINDS = ("carton", "desk", "things", "tray")
PAGES = ((0.2159, 0.2794), (0.210, 0.297))
# Width and height of the picture, its focal length in pixels, width and height of the depth map.
SENSORS = {"stereo": (1280, 720, 920, 640, 360), "LiDAR": (1920, 1440, 1450, 256, 192)}
# Samples a side in a pixel of the picture.
SAMPLES = 2
# The share of a side that counts as exact.
EXACT = 0.015

Rectangle = collections.namedtuple("Rectangle", "origin along across texture")


def waves(random, height, width, size):
    """Smooth noise whose waves are so many pixels long."""
    small = random.normal(0, 1, (max(2, int(height / size)), max(2, int(width / size))))
    return cv2.resize(small.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)


def plain(random, colour, strength=6, grain=3):
    texture = np.ones((400, 400, 3), np.float32) * np.asarray(colour, np.float32)
    texture += (waves(random, 400, 400, grain) + waves(random, 400, 400, 60))[..., None] * strength
    return np.clip(texture, 0, 255)


def wood(random):
    rings = np.linspace(0, 40, 400)[:, None] + waves(random, 400, 400, 80) * 1.5
    texture = (np.sin(rings) / 2 + 0.5)[..., None] * np.float32([30, 40, 45])
    texture = texture + np.float32([60, 95, 140]) * random.uniform(0.6, 1.2)
    return np.clip(texture + waves(random, 400, 400, 2)[..., None] * 5, 0, 255)


def rectangle(origin, along, across, texture):
    return Rectangle(*(np.asarray(value, float) for value in (origin, along, across)), texture)


def block(origin, size, top, side):
    """Five faces of a block that stands on the ground or on something; z is up."""
    (x, y, z), origin = size, np.asarray(origin, float)
    return [
        rectangle(origin + [0, 0, z], [x, 0, 0], [0, y, 0], top),
        rectangle(origin, [x, 0, 0], [0, 0, z], side),
        rectangle(origin + [0, y, 0], [x, 0, 0], [0, 0, z], side),
        rectangle(origin, [0, y, 0], [0, 0, z], side),
        rectangle(origin + [x, 0, 0], [0, y, 0], [0, 0, z], side),
    ]


def room(random, kind, picture, size):
    """The rectangles of a room, the page last."""
    white = plain(random, [225, 228, 230], 3, 8)
    wall, floor, shapes = plain(random, [205, 215, 222], 3), wood(random), []
    height = {"carton": 0.3, "desk": 0.72, "things": 0.72, "tray": 0.76}[kind]
    if kind == "carton":
        card = plain(random, [95, 140, 180])
        shapes += block([-0.21, -0.17, 0], [0.42, 0.34, height], card, card)
        shapes.append(
            rectangle([-0.21, -0.025, height + 3e-4], [0.42, 0, 0], [0, 0.05, 0], plain(random, [25, 25, 28], 4)))
    elif kind == "desk":
        shapes.append(rectangle([-0.7, -0.4, height], [1.4, 0, 0], [0, 0.8, 0], wood(random)))
        shapes.append(rectangle([-0.3, 0.32, 0.8], [0.55, 0, 0], [0, 0.05, 0.33], plain(random, [40, 38, 36])))
        shapes += block([0.25, -0.1, height], [0.18, 0.25, 0.03], plain(random, [60, 60, 160]), white)
    elif kind == "things":
        table = plain(random, random.uniform(60, 190, 3))
        shapes.append(rectangle([-0.7, -0.4, height], [1.4, 0, 0], [0, 0.8, 0], table))
        for _ in range(6):
            angle, away = random.uniform(0, 2 * np.pi), random.uniform(0.24, 0.38)
            extent, colour = random.uniform(0.05, 0.2, 3) * [1, 1, 0.6], random.uniform(30, 240, 3)
            corner = [away * np.cos(angle) - extent[0] / 2, away * np.sin(angle) * 0.9 - extent[1] / 2, height]
            shapes += block(corner, extent, plain(random, colour), plain(random, colour * 0.8))
        shapes.append(rectangle([-0.55, -0.32, height + 3e-4], [0.15, 0.05, 0], [0.07, -0.21, 0], white))
    else:
        shapes += block([-0.35, -0.25, 0], [0.7, 0.5, height - 0.01], plain(random, [170, 172, 176], 4), white)
        mat = plain(random, random.uniform(40, 150, 3))
        shapes += block([-0.2, -0.2, height - 0.01], [0.4, 0.4, 0.01], mat, plain(random, [60, 60, 60]))
    shapes.append(rectangle([-4, -4, 0], [8, 0, 0], [0, 8, 0], floor))
    shapes.append(rectangle([-4, 1.1, 0], [8, 0, 0], [0, 0, 3], wall))
    shapes.append(rectangle([-0.9, 1.08, 0.01], [0.95, 0, 0], [0, 0, 2.05], white))
    pixels = tuple(int(side * 4000) for side in size)
    page = cv2.resize(picture, pixels, interpolation=cv2.INTER_AREA).astype(np.float32) * 0.93 + 11
    turn = random.uniform(-0.5, 0.5)
    along = np.array([np.cos(turn), np.sin(turn), 0]) * size[0]
    across = np.array([np.sin(turn), -np.cos(turn), 0]) * size[1]
    middle = np.array([random.uniform(-0.03, 0.03), random.uniform(-0.03, 0.03), height + 8e-4])
    shapes.append(rectangle(middle - along / 2 - across / 2, along, across, page))
    return shapes, middle


def axes(eye, target, roll):
    """Right, down and forward of a camera."""
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(forward, [0, 0, 1])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    return np.stack([
        np.cos(roll) * right + np.sin(roll) * down, np.cos(roll) * down - np.sin(roll) * right, forward])


def cast(shapes, eye, camera, focal, width, height, lamp):
    """Colour and depth along each pixel's ray."""
    x = (np.arange(width) - (width - 1) / 2) / focal
    y = (np.arange(height) - (height - 1) / 2) / focal
    x, y = np.meshgrid(x, y)
    rays = x[..., None] * camera[0] + y[..., None] * camera[1] + camera[2]
    depth, colour = np.full((height, width), np.inf), np.zeros((height, width, 3), np.float32)
    for shape in shapes:
        normal = np.cross(shape.along, shape.across)
        normal /= np.linalg.norm(normal)
        slant = rays @ normal
        distance = ((shape.origin - eye) @ normal) / np.where(abs(slant) < 1e-9, 1e-9, slant)
        point = eye + distance[..., None] * rays
        u = (point - shape.origin) @ shape.along / (shape.along @ shape.along)
        v = (point - shape.origin) @ shape.across / (shape.across @ shape.across)
        hit = (distance > 0.05) & (distance < depth) & (u >= 0) & (u <= 1) & (v >= 0) & (v <= 1)
        if not hit.any():
            continue
        rows, columns = shape.texture.shape[:2]
        seen = cv2.remap(
            shape.texture.astype(np.float32), (u * (columns - 1)).astype(np.float32),
            (v * (rows - 1)).astype(np.float32), cv2.INTER_LINEAR)
        away = lamp - point
        reach = np.linalg.norm(away, axis=-1)
        light = 0.45 + 0.55 * abs(away @ normal) / reach * np.clip(2.2 / reach, 0, 1.3)
        colour[hit], depth[hit] = (seen * light[..., None])[hit], distance[hit]
    return colour, np.where(np.isfinite(depth), depth, 0)


def measured(random, depth, sensor, focal):
    """Depth as a sensor tells it, in millimetres."""
    if sensor == "stereo":
        # A twelfth of a pixel of disparity over 50 mm, in patches.
        noise = cv2.GaussianBlur(random.normal(0, 1, depth.shape), (0, 0), 1.5) * 4.5
        told = depth + depth**2 / (focal * 0.05) * 0.08 * noise
        edge = cv2.dilate(depth, np.ones((5, 5))) - cv2.erode(depth, np.ones((5, 5))) > 0.06
        told[edge & (random.random(depth.shape) < 0.7)] = 0
    else:
        told = cv2.GaussianBlur(depth, (0, 0), 1.2)
        told = told + cv2.GaussianBlur(random.normal(0, 1, depth.shape), (0, 0), 2) * 0.016
    return np.clip(np.round(told * 1000), 0, 65535).astype(np.uint16)


def draw(random, number, pages, folder):
    """Writes a room's picture, depth and intrinsics. Returns what it is, and the page's size in metres."""
    kind, sensor = KINDS[number % len(KINDS)], list(SENSORS)[number // len(KINDS) % 2]
    size = PAGES[number % 2]
    shapes, middle = room(random, kind, pages[random.integers(len(pages))], size)
    away, azimuth, height = random.uniform(0.55, 1.6), random.uniform(-0.6, 0.6) - np.pi / 2, random.uniform(0.6, 1.35)
    eye = middle + away * np.array([
        np.cos(height) * np.cos(azimuth), np.cos(height) * np.sin(azimuth), np.sin(height)])
    camera = axes(eye, middle + random.normal(0, 0.08, 3) * [1, 1, 0], random.uniform(-0.15, 0.15))
    lamp = np.array([random.uniform(-1, 1), random.uniform(-1, 0.5), 2.3])
    width, rows, focal, columns, lines = SENSORS[sensor]
    colour, _ = cast(shapes, eye, camera, focal * SAMPLES, width * SAMPLES, rows * SAMPLES, lamp)
    colour = cv2.GaussianBlur(cv2.resize(colour, (width, rows), interpolation=cv2.INTER_AREA), (0, 0), 0.7)
    colour += random.normal(0, 3, colour.shape)
    scale = columns / width
    _, depth = cast(shapes, eye, camera, focal * scale, columns, lines, lamp)
    name = f"{folder}/room-{number:02d}"
    cv2.imwrite(name + ".png", np.clip(colour, 0, 255).astype(np.uint8))
    cv2.imwrite(name + "-depth.png", measured(random, depth, sensor, focal * scale))
    with open(name + ".json", "w") as file:
        json.dump({"fx": focal, "fy": focal, "cx": (width - 1) / 2, "cy": (rows - 1) / 2,
                   "width": width, "height": rows}, file)
    return name, f"{kind}, {sensor}, {away:.2f} m", size


def sides(flatten, name):
    """The page's sides in metres, the shorter first, and the method; None where nothing metric came out."""
    report = name + "-report.json"
    subprocess.run(
        [flatten, name + ".png", "--depth", name + "-depth.png", "--depth-unit", "0.001", "--intrinsics",
         name + ".json", "-o", name + "-flat.png", "-r", report], capture_output=True)
    if not os.path.exists(report):
        return None, "failed"
    with open(report) as file:
        found = json.load(file)
    size = found["sheet_mm"]
    return size and sorted([size["width"] / 1000, size["height"] / 1000]), found["method"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flatten")
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--rooms", type=int, default=56)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--folder")
    words = parser.parse_args()
    pages = [cv2.imread(page) for page in words.pages]
    random = np.random.default_rng(words.seed)
    print(f"seed {words.seed}")
    exact = 0
    with contextlib.nullcontext(words.folder) if words.folder else tempfile.TemporaryDirectory() as folder:
        os.makedirs(folder, exist_ok=True)
        for number in range(words.rooms):
            name, what, size = draw(random, number, pages, folder)
            found, method = sides(words.flatten, name)
            errors = found and [seen / true - 1 for seen, true in zip(found, size)]
            is_exact = bool(errors) and max(map(abs, errors)) <= EXACT
            exact += is_exact
            told = " ".join(f"{100 * error:+.1f} %" for error in errors) if errors else "no size"
            print(f"{os.path.basename(name)} {what}: {told} {method}" + ("" if is_exact else "  <"))
    print(f"{exact} of {words.rooms} within {100 * EXACT} % of both sides")


if __name__ == "__main__":
    main()
