"""How well small print is read from one frame of a recording, and from all of them by `--fuse`.

Usage: frames.py FLATTEN [--type 5,6,7,9,14] [--seeds 2,3,4] [--frames 9] [--folder FOLDER]

Draws recordings of a hand-held camera in Stray Scanner's layout: a receipt, plane or curled, on a grained table, whose type is so
many pixels high in frames of 960 x 720 pixels. Each pixel is the mean of 3 x 3 rays, blurred by a lens (0.4 or 0.55 pixels), with noise,
JPEG compression, a light of its own in each frame, depth of 192 x 144 readings with slow and fast noise, poses off by a
millimetre. The renderer shares nothing with the project's own. Prints the share of wrong characters (without blanks and stars) of
the middle frame and of all. Needs numpy, opencv-python-headless, pillow, rapidfuzz and the DejaVu fonts; `--folder` keeps what was
drawn.
"""

import argparse
import math
import random
import subprocess
import tempfile
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from rapidfuzz.distance import Levenshtein

FONTS = Path("/usr/share/fonts/truetype/dejavu")
WIDTH, HEIGHT, FOCAL = 960, 720, 1000.0
SAMPLES = 3
# Of the paper: its width in millimetres, and its texture's pixels for each.
PAPER, TEXTURE = 80, 24
COLUMNS = 32
WORDS = (
    "WHOLE MILK BREAD EGGS TOMATO CHEESE BUTTER APPLE GREEN RICE PASTA SAUCE CHICKEN BREAST COFFEE BEANS SUGAR FLOUR YOGURT PLAIN "
    "WATER SPARKLING ORANGE JUICE PAPER TOWELS SOAP HONEY LEMON ONION GARLIC").split()


def receipt(choice):
    """Rows of a receipt."""
    rows = ["HARBOUR STREET MARKET", "12 Pier Road, Springfield", "Tel 555 013 7788", "21/06/2025 11:48 Till 3", ""]
    total = 0.0
    for _ in range(16):
        name = " ".join(choice.choice(WORDS) for _ in range(choice.randint(2, 3)))[:24]
        price = round(choice.uniform(0.5, 30), 2)
        total += price
        rows.append(f"{name:26}{price:6.2f}")
    return rows + ["", f"{'TOTAL':26}{total:6.2f}", f"{'VISA ************4417':26}{total:6.2f}", "", "Thank you, please come again"]


def printed(rows, font_name, size):
    """The receipt's texture; `size` is the type's in millimetres. Returns it with the paper's height."""
    height = len(rows) * 1.3 * size + 16
    font = ImageFont.truetype(str(FONTS / f"{font_name}.ttf"), int(size * TEXTURE))
    image = Image.new("L", (PAPER * TEXTURE, int(height * TEXTURE)), 228)
    draw = ImageDraw.Draw(image)
    for index, row in enumerate(rows):
        top = (8 + index * 1.3 * size) * TEXTURE
        if "Mono" in font_name or len(row) < COLUMNS:
            draw.text((3.2 * TEXTURE, top), row, font=font, fill=55)
        else:
            amount = row[26:].strip()
            draw.text((3.2 * TEXTURE, top), row[:26].strip(), font=font, fill=55)
            draw.text((0.96 * PAPER * TEXTURE - draw.textlength(amount, font=font), top), amount, font=font, fill=55)
    return np.asarray(image, np.float32), height


def record(folder, seed, type_pixels, frames):
    """Draws a recording; returns the text that is printed in it."""
    random_numbers, choice = np.random.default_rng(seed), random.Random(seed)
    rows = receipt(choice)
    font_name = choice.choice(["DejaVuSansMono", "DejaVuSansMono-Bold", "DejaVuSansCondensed"])
    curl, lens, noise = (0, 0.006, 0.012)[seed % 3], (0.4, 0.55)[seed % 2], (2, 3.5)[seed // 2 % 2]
    size = 0.92 * PAPER / COLUMNS / 0.602
    texture, paper_height = printed(rows, font_name, size)
    distance = size * 1e-3 * FOCAL / type_pixels
    center = np.array([(WIDTH - 1) / 2 + 7.3, (HEIGHT - 1) / 2 - 4.1])
    grain = cv2.GaussianBlur(random_numbers.normal(0, 1, (400, 400)).astype(np.float32), (0, 0), 1.2)
    grain /= grain.std()
    half = PAPER / 2000
    bend = 2 * curl / half**2  # the sheet is z = -curl (x / half)^2, towards the camera
    tilt = np.array([random_numbers.normal(0, 0.15), random_numbers.normal(0, 0.15), random_numbers.normal(0, 0.3)])
    texture = cv2.GaussianBlur(texture, (0, 0), max(0.35 * distance / FOCAL * 1000 / SAMPLES * TEXTURE, 0.3))
    (folder / "rgb").mkdir(parents=True)
    (folder / "depth").mkdir()
    poses = ["timestamp, frame, x, y, z, qx, qy, qz, qw"]
    first = None
    y, x = np.mgrid[0:HEIGHT * SAMPLES, 0:WIDTH * SAMPLES].astype(np.float32)
    pixels = np.stack([(x + 0.5) / SAMPLES - 0.5, (y + 0.5) / SAMPLES - 0.5], -1)
    for index in range(frames):
        shaken = index > 0
        rotation = cv2.Rodrigues(tilt + shaken * random_numbers.normal(0, 0.004, 3))[0]
        shift = np.array([0, 0, distance]) + shaken * random_numbers.normal(0, 0.004, 3)
        rays = np.concatenate([(pixels - center) / FOCAL, np.ones_like(pixels[..., :1])], -1) @ rotation
        eye = -rotation.T @ shift
        table = -eye[2] / rays[..., 2]
        sheet = table
        for _ in range(4):
            across = eye[0] + sheet * rays[..., 0]
            sheet = (-curl * np.clip(across / half, -1, 1) ** 2 - eye[2]) / rays[..., 2]
        across, down = eye[0] + sheet * rays[..., 0], eye[1] + sheet * rays[..., 1]

        def length(slope):
            return (slope * np.sqrt(1 + slope * slope) + np.arcsinh(slope)) / (2 * bend)

        along = length(bend * across) / length(bend * half) if curl else across / half
        u, v = (along / 2 + 0.5) * texture.shape[1] - 0.5, (down / paper_height * 1000 + 0.5) * texture.shape[0] - 0.5
        paper = cv2.remap(
            texture, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        paper *= 0.75 + 0.25 / np.sqrt(1 + (bend * across) ** 2)
        place = eye[:2] + table[..., None] * rays[..., :2]
        wood = cv2.remap(
            grain, (place[..., 0] * 1300 % 398).astype(np.float32), (place[..., 1] * 350 % 398).astype(np.float32),
            cv2.INTER_LINEAR)
        on_sheet = (np.abs(across) < half) & (np.abs(down) < paper_height / 2000)
        image = cv2.GaussianBlur(np.where(on_sheet, paper, 88 + 9 * wood).astype(np.float32), (0, 0), lens * SAMPLES)
        image = image.reshape(HEIGHT, SAMPLES, WIDTH, SAMPLES).mean((1, 3)) * (1 + random_numbers.normal(0, 0.02))
        image = np.stack([0.97 * image, image, 1.01 * image], -1) + random_numbers.normal(0, noise, (HEIGHT, WIDTH, 3))
        cv2.imwrite(
            str(folder / "rgb" / f"{index:06}.jpg"), np.clip(np.round(image), 0, 255).astype(np.uint8),
            [cv2.IMWRITE_JPEG_QUALITY, 92])
        depth = np.where(on_sheet, sheet, table)[::SAMPLES, ::SAMPLES].astype(np.float32)
        depth = cv2.resize(depth, (192, 144), interpolation=cv2.INTER_AREA)
        depth += cv2.resize(random_numbers.normal(0, 0.0012, (36, 48)).astype(np.float32), (192, 144))
        depth += random_numbers.normal(0, 0.0007, depth.shape)
        cv2.imwrite(str(folder / "depth" / f"{index:06}.png"), np.clip(np.round(depth * 1000), 0, 65535).astype(np.uint16))
        first = first or (rotation, shift)
        turn = cv2.Rodrigues(first[0] @ rotation.T)[0].ravel()
        angle = np.linalg.norm(turn)
        axis = turn / angle if angle > 0 else turn
        at = first[0] @ eye + first[1] + shaken * random_numbers.normal(0, 0.001, 3)
        # The file's axes are y up and z back.
        q = [*(axis * math.sin(angle / 2) * (1, -1, -1)), math.cos(angle / 2)]
        poses.append(", ".join(
            [f"{1000 + index / 10}", f"{index:06}"] + [f"{value:.9f}" for value in [at[0], -at[1], -at[2], *q]]))
    (folder / "odometry.csv").write_text("\n".join(poses) + "\n")
    (folder / "camera_matrix.csv").write_text(f"{FOCAL}, 0.0, {center[0]}\n0.0, {FOCAL}, {center[1]}\n0.0, 0.0, 1.0\n")
    return "\n".join(rows)


def wrong_characters(command, folder, options, text):
    """The share of characters that the command reads wrongly."""
    def bare(value):
        return "".join(value.split()).replace("*", "")

    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(
            [command, str(folder), "-o", f"{place}/flat.png", "--text", f"{place}/text.txt", "--quiet", *options],
            capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr)
        with open(f"{place}/text.txt", encoding="utf-8") as file:
            return Levenshtein.distance(bare(file.read()), bare(text)) / len(bare(text))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flatten")
    parser.add_argument("--type", default="5,6,7,9,14", help="sizes of the type in pixels")
    parser.add_argument("--seeds", default="2,3,4")
    parser.add_argument("--frames", type=int, default=9)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        for size in arguments.type.split(","):
            scores = []
            for seed in map(int, arguments.seeds.split(",")):
                folder = (arguments.folder or Path(place)) / f"{size}-{seed}"
                text = record(folder, seed, float(size), arguments.frames)
                middle = ["--frame", str(arguments.frames // 2)]
                scores.append([
                    wrong_characters(arguments.flatten, folder, options, text) for options in (middle, [*middle, "--fuse"])])
            one, fused = np.mean(scores, 0)
            print(f"type of {size} pixels: wrong characters of one frame {one:.4f}, of all {fused:.4f}", flush=True)


if __name__ == "__main__":
    main()
