"""Readers of text on real pictures with known text, side by side: wrong characters, words found, processor time and memory.

    readers.py FLATTEN FOLDER... [--every N] [--results TABLE.md]

A FOLDER holds `truth.jsonl` (a line {"file": ..., "text": rows joined by newlines}; lines without a text are left out), or `img/` with
`box/NAME.csv` of SROIE (x1,y1,...,x4,y4,text). Each reader gets the picture as it is, a process for each picture, on one core:

    ours            flatten PICTURE --text -
    ours, tesseract flatten PICTURE --text - --reader tesseract
    tesseract       tesseract PICTURE - --psm 4
    RapidOCR        rapidocr, if Python has it; its boxes joined to rows by their middles

Wrong characters: insertions, deletions and changes for each printed character, blanks and drawn rules left out, letter case too where the truth has
capitals only; both in rows from the top. Words: the share of the printed words of two letters or digits and more that were read. Processor time holds
everything that a process does, start and loading too. Needs numpy, rapidfuzz and, for RapidOCR, that with opencv.
"""

import argparse
import collections
import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from rapidfuzz.distance import Levenshtein

RAPIDOCR = """
import sys
from rapidocr import RapidOCR
found = RapidOCR(params={"Global.log_level": "error", "EngineConfig.onnxruntime.intra_op_num_threads": 1})(sys.argv[1])
boxes = [] if found.boxes is None else found.boxes
import json
print(json.dumps([[[float(x) for x in p] for p in b] for b in boxes]))
print(json.dumps(list(found.txts or [])))
"""


def rows(boxes, texts):
    """Texts in rows: those whose middles lie within half a height of each other, from the left."""
    items = sorted(
        (sum(p[1] for p in b) / 4, max(p[1] for p in b) - min(p[1] for p in b), min(p[0] for p in b), t)
        for b, t in zip(boxes, texts))
    found: list[list] = []
    for middle, height, left, text in items:
        if found and middle - found[-1][0][0] < min(height, found[-1][0][1]) / 2:
            found[-1].append((middle, height, left, text))
        else:
            found.append([(middle, height, left, text)])
    return "\n".join(" ".join(i[3] for i in sorted(row, key=lambda i: i[2])) for row in found)


def pictures(folder: Path):
    """Pictures with their texts."""
    if (folder / "truth.jsonl").exists():
        for line in (folder / "truth.jsonl").read_text().splitlines():
            entry = json.loads(line)
            if entry.get("text"):
                yield folder / entry["file"], entry["text"]
        return
    for picture in sorted((folder / "img").iterdir()):
        boxes, texts = [], []
        with open(folder / "box" / f"{picture.stem}.csv", encoding="utf-8", errors="replace") as file:
            for row in csv.reader(file, quoting=csv.QUOTE_NONE):
                if len(row) >= 9:
                    numbers = [float(n) for n in row[:8]]
                    boxes.append(list(zip(numbers[::2], numbers[1::2])))
                    texts.append(",".join(row[8:]))
        yield picture, rows(boxes, texts)


def run(command):
    """What a command prints, its processor seconds and its peak memory in MB."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1", "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
        preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}))
    output = process.stdout.read().decode(errors="replace")
    _, _, usage = os.wait4(process.pid, 0)
    return output, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def readers(flatten):
    def rapidocr(picture):
        output, seconds, memory = run([sys.executable, "-c", RAPIDOCR, str(picture)])
        lines = output.strip().splitlines()
        return rows(json.loads(lines[-2]), json.loads(lines[-1])) if len(lines) >= 2 else "", seconds, memory

    found = {
        "ours": lambda p: run([flatten, str(p), "--text", "-"]),
        "ours, tesseract": lambda p: run([flatten, str(p), "--text", "-", "--reader", "tesseract"]),
    }
    if shutil.which("tesseract"):
        found["tesseract"] = lambda p: run(["tesseract", str(p), "-", "--psm", "4"])
    else:
        print("the program tesseract is not here", file=sys.stderr)
    try:
        import rapidocr as _  # noqa: F401

        found["RapidOCR"] = rapidocr
    except ImportError:
        print("RapidOCR is not here", file=sys.stderr)
    return found


def characters(text):
    return re.sub(r"[\s*=_\-|]+", "", text)


def words(text):
    return collections.Counter(re.findall(r"\w[\w.,:/'-]*\w", text))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flatten")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--results", type=Path)
    arguments = parser.parse_args()
    lines = ["| pictures | reader | wrong characters | words found | processor, s | peak, MB |", "|---|---|---|---|---|---|"]
    for folder in arguments.folders:
        chosen = list(pictures(folder))[:: arguments.every]
        for name, read in readers(arguments.flatten).items():
            wrong = printed = hit = wanted = 0
            seconds, peak = [], []
            for picture, text in chosen:
                output, used, memory = read(picture)
                if text == text.upper():
                    output, text = output.upper(), text.upper()
                wrong += Levenshtein.distance(characters(output), characters(text))
                printed += len(characters(text))
                own, true = words(output), words(text)
                hit += sum((own & true).values())
                wanted += sum(true.values())
                seconds.append(used)
                peak.append(memory)
            lines.append(
                f"| {folder.name}, {len(chosen)} | {name} | {wrong / max(printed, 1):.4f} | {hit / max(wanted, 1):.3f} "
                f"| {sum(seconds) / len(seconds):.2f} | {max(peak):.0f} |")
            print(lines[-1], flush=True)
    if arguments.results:
        definition = __doc__.rsplit("\n\n", 1)[-1].split(" Needs numpy")[0].strip()
        title = f"# Readers\n\nWritten by `Benchmarks/readers.py` (`make compare`): each picture by a process of its own, on one core.\n\n{definition}\n"
        arguments.results.write_text("\n".join([title, *lines]) + "\n")
