"""Fits what tells a blank between two signs of a row: the four numbers of `ReadingTuning.Signs.blankWeights`.

    train.py PAGE_TEXTS MODEL DRAWN HELD

DRAWN and HELD are folders that draw.py filled. PAGE_TEXTS reads their pictures with the learned reader's MODEL (`page-texts gaps`); the
rows that it read are held against those that were drawn, sign by sign, and pairs of signs that stand side by side in both are fitted
by logistic regression. Prints the numbers, and how many blanks of HELD are missed and how many are none.
"""

import difflib
import json
import re
import subprocess
import sys
from pathlib import Path

import torch

# As in ReadingTuning.Signs.
LEAST_BLANK, WIDEST_STEP, LEAST_PAPER, MOST_PAPER = 1e-3, 3.0, -1.0, 1.5
LIKE = 0.8  # Share of equal signs from which on a row read is taken for a row drawn.


def drawn_rows(path):
    """The signs of each row without its blanks, and which of them follow one."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        text = re.sub(r"\s+", " ", line).strip().upper()
        signs = text.replace(" ", "")
        follows = {len(text[:place].replace(" ", "")) for place, sign in enumerate(text) if sign == " "}
        rows.append((signs, follows))
    return rows


def pairs(program, model, folder):
    """Of each pair of signs the numbers, and whether a blank stands between them."""
    pictures = sorted(Path(folder).glob("*.jpg"))
    said = subprocess.run(
        [program, "gaps", model], input="".join(f"{p}\n" for p in pictures), stdout=subprocess.PIPE, text=True, check=True)
    numbers, blanks = [], []
    for picture, line in zip(pictures, said.stdout.splitlines(), strict=True):
        drawn = drawn_rows(picture.with_suffix(".txt"))
        for row in json.loads(line):
            read = "".join(sign[0] for sign in row["signs"]).upper()
            if len(read) < 3 or len(read) != len(row["signs"]):
                continue
            matcher = difflib.SequenceMatcher(None, "", read, autojunk=False)
            best, most = None, LIKE
            for signs, follows in drawn:
                matcher.set_seq1(signs)
                if matcher.real_quick_ratio() > most and matcher.quick_ratio() > most and matcher.ratio() > most:
                    best, most = (signs, follows), matcher.ratio()
            if best is None:
                continue
            matcher.set_seq1(best[0])
            for first, second, count in matcher.get_matching_blocks():
                for index in range(1, count):
                    numbers.append(row["gaps"][second + index - 1])
                    blanks.append(first + index in best[1])
    return torch.tensor(numbers, dtype=torch.float64), torch.tensor(blanks, dtype=torch.float64)


def features(numbers):
    blank, step, paper = numbers.T
    odds = torch.log((blank + LEAST_BLANK) / (1 - blank + LEAST_BLANK))
    return torch.stack(
        [torch.ones_like(odds), odds, step.clamp(max=WIDEST_STEP), paper.clamp(LEAST_PAPER, MOST_PAPER)], 1)


def fit(x, y):
    """The regression of greatest likelihood, by Newton's method."""
    weights = torch.zeros(x.shape[1], dtype=x.dtype)
    for _ in range(30):
        said = torch.sigmoid(x @ weights)
        step = torch.linalg.solve((x * (said * (1 - said))[:, None]).T @ x, x.T @ (y - said))
        weights += step
        if step.abs().max() < 1e-9:
            break
    return weights


def main(program, model, drawn, held):
    numbers, blanks = pairs(program, model, drawn)
    weights = fit(features(numbers), blanks)
    print("bias, blank, step, paper:", ", ".join(f"{w:.2f}" for w in weights.tolist()))
    for folder, (numbers, blanks) in ((drawn, (numbers, blanks)), (held, pairs(program, model, held))):
        said, true = features(numbers) @ weights > 0, blanks > 0.5
        print(f"{folder}: {len(true)} pairs, {int(true.sum())} blanks, "
              f"{int((true & ~said).sum())} missed, {int((said & ~true).sum())} that are none")


if __name__ == "__main__":
    main(*sys.argv[1:5])
