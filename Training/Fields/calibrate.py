"""Fits how sure a field is, on drawn receipts with a reader's errors.

    calibrate.py FEATURES DRAWN.jsonl confidence.table [REAL.jsonl ...]

FEATURES is the program `page-texts`. For each field a logistic of the numbers of `Evidence.swift` is fitted to whether the value is right, and the confidence
is looked for from which on 95 in 100 of the values given are right. For the total the logistic weighs the numbers of `TotalCandidate` instead: it chooses, and says how sure
the choice is. DRAWN must not have trained the rows. REAL are receipts in the form of the text output with their `truth`
and the `reader`; they help to choose the seller's name, nothing else.
"""

import json
import re
import subprocess
import sys
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np

from reader import READERS

AIM = 0.95
# Addresses are long, and one wrong letter makes them wrong, so that alone few would be given. They are given from the confidence on, from which on this share is
# right of what people look for first: names, addresses, dates and totals together.
LONG, SHORT, TOGETHER = "address", ("merchant", "date", "total"), 0.95
# A name is right that shares so much with the true one: who seeks a shop knows it by a name with a wrong letter.
ALIKE = 0.85
# Real receipts weigh so many drawn ones each.
REAL_WEIGHT = 5
# A confidence below which nothing is given, and one from which on everything is, however few are wrong in drawn receipts.
LEAST, MOST = 0.5, 0.9


def tight(text):
    return "".join(c for c in str(text).upper() if c.isalnum())


def is_right(field, got, truth, page):
    if field == "country":
        return got == page["country"]
    if field in ("merchant", "merchants"):
        wanted = [truth[name] for name in (["shop"] if "shop" in truth else ["merchant", "brand"]) if name in truth]
        return max((likeness(got, want) for want in wanted), default=0) >= ALIKE
    if field == "language":
        return got in (page["language"], "en" if page["language"] == "ms" else page["language"])
    if field not in truth:
        return False
    want = truth[field]
    if field in ("subtotal", "discount", "service", "tax", "rounding", "tip", "total", "totals"):
        return round(float(got) * 100) == want
    if field == "time":
        return got[:5] == want
    if field == "phone":
        return re.sub(r"\D", "", got) == re.sub(r"\D", "", want)
    return tight(got) == tight(want)


def likeness(got, want):
    """The share of two names' letters and digits that agree, in order."""
    return SequenceMatcher(None, tight(got), tight(want), autojunk=False).ratio()


def logistic(x, y, ridge, counts=1.0):
    """Newton's steps; the first column is the constant, which is not drawn to zero. `counts` says how often each row counts."""
    weights = np.zeros(x.shape[1])
    penalty = np.full(x.shape[1], ridge)
    penalty[0] = 1e-3
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (counts * (y - p)) - penalty * weights
        hessian = (x * (counts * p * (1 - p))[:, None]).T @ x + np.diag(penalty)
        weights += np.linalg.solve(hessian, gradient)
    return weights


def likelihood(x, weights):
    return 1 / (1 + np.exp(-(x @ weights)))


def threshold(p, right, aim=AIM, given=0, given_right=0):
    """The least confidence from which on a share `aim` of the values given is right, those counted in that others give."""
    order = np.argsort(-p)
    share = (given_right + np.cumsum(right[order])) / (given + np.arange(1, len(p) + 1))
    good = np.nonzero(share >= aim)[0]
    return float(np.clip(p[order][good[-1]] if len(good) else MOST, LEAST, MOST))


FITTED = (
    "merchant", "address", "phone", "date", "time", "country", "language", "subtotal", "discount", "service", "tax", "rounding", "tip", "payment", "receiptNumber",
)
ANY_READER = "any"
# The package claims no more than this of a date whose order of day and month is not known (`ConfidenceCeiling.ambiguousDate`): a greater least
# confidence would drop all of them, however sure their reading is.
CEILINGS = {"date": 0.6}


# What is chosen from several values, each with numbers of its own; the field's own evidence is then the likelihood of the one chosen alone.
CHOSEN = {"totals": "total", "merchants": "merchant"}


def fit(reader, pages, blocks):
    """The lines of one reader's table, from its pages and what speaks for their fields."""
    found, choices = {}, {name: [] for name in CHOSEN}
    for number, (page, block) in enumerate(zip(pages, blocks, strict=True)):
        truth = dict(page["truth"])
        truth["totals"] = truth.get("total")
        for line in block:
            field, value, numbers = line.split("\t")
            numbers = [float(n) for n in numbers.split()]
            # A field that lost its row may still stand elsewhere on the page: it says nothing.
            if field + "?" in truth:
                continue
            right = is_right(field, value, truth, page)
            if field in CHOSEN:
                choices[field].append((number, numbers, right))
            elif "real" not in page:
                found.setdefault(field, []).append((numbers, right))
    # What is likely and right of each field, and its weights.
    chances, weights = {}, {}
    for name, field in CHOSEN.items():
        tried = [t for t in choices[name] if name == "merchants" or "real" not in pages[t[0]]]
        x, y = np.array([t[1] for t in tried]), np.array([t[2] for t in tried], float)
        counts = np.array([REAL_WEIGHT if "real" in pages[t[0]] else 1 for t in tried], float)
        weights[name] = logistic(x, y, 1.0, counts)
        best = {}
        for (number, _, right), chance in zip(tried, likelihood(x, weights[name])):
            if number not in best or chance > best[number][0]:
                best[number] = (chance, right)
        weights[field] = np.array([0.0, 1, 0, 0, 0, 0])
        # How many are right from which likelihood on, real receipts say better.
        real = [value for number, value in best.items() if "real" in pages[number]]
        chances[field] = np.array(real or list(best.values()), float).T
    for field in sorted((set(found) & set(FITTED)) - set(CHOSEN.values())):
        x, y = np.array([r[0] for r in found[field]]), np.array([r[1] for r in found[field]], float)
        weights[field] = logistic(x, y, 1.0)
        chances[field] = likelihood(x, weights[field]), y
    least = {field: min(threshold(*chances[field]), CEILINGS.get(field, MOST)) for field in chances}
    given = np.concatenate([right[p >= least[field]] for field, (p, right) in chances.items() if field in SHORT])
    least[LONG] = threshold(*chances[LONG], TOGETHER, len(given), given.sum())
    for field, (p, right) in chances.items():
        wanted = sum(field in page["truth"] for page in pages) or len(pages)
        gives = right[p >= least[field]]
        print(
            f"{reader} {field}: {right.sum():.0f} of {wanted} right, {len(right)} found, from {least[field]:.2f} on {len(gives)} given, "
            f"{gives.mean() if len(gives) else 0:.3f} right; weights {np.round(weights[field], 2)}"
        )
    return [f"{reader} {field} {least.get(field, 0):.2f}: " + " ".join(f"{w:.4g}" for w in weights[field]) for field in weights]


def blocks_of(text):
    """The lines of each page: an empty line ends one, and a page of which nothing was found has no other."""
    block = []
    for line in text.splitlines():
        if line:
            block.append(line)
        else:
            yield block
            block = []


def main():
    program, drawn, out, *real = sys.argv[1:]
    pages, blocks = [], []
    for path in [drawn, *real]:
        text = subprocess.run([program, "evidence"], stdin=open(path), capture_output=True, text=True, check=True).stdout
        read = [json.loads(line) | ({} if path == drawn else {"real": True}) for line in open(path)]
        pages += read
        blocks += list(blocks_of(text))
    lines = ["# Written by Training/Fields/calibrate.py: reader, field, the confidence from which on it is given, weights."]
    for reader in [*READERS, ANY_READER]:
        own = [(page, block) for page, block in zip(pages, blocks, strict=True) if reader in (page["reader"], ANY_READER)]
        lines += fit(reader, *zip(*own))
    Path(out).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
