"""Fits how sure a field is, on drawn receipts with a reader's errors.

    calibrate.py FEATURES DRAWN.jsonl confidence.table

FEATURES is the program `receipt-rows`. For each field a logistic of the numbers of `Evidence.swift` is fitted to whether the value is right, and the confidence
is looked for from which on 95 in 100 of the values given are right. For the total the logistic weighs the numbers of `TotalCandidate` instead: it chooses, and says how sure
the choice is. DRAWN must not have trained the rows.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

AIM = 0.95
# Names and addresses are long, and one wrong letter makes them wrong: these aims leave 95 in 100 right on the real scans that were looked at (drawn letters are
# misread more often in large type than real ones).
AIMS = {"merchant": 0.92, "address": 0.9}
# A confidence below which nothing is given, and one from which on everything is, however few are wrong in drawn receipts.
LEAST, MOST = 0.5, 0.9


def tight(text):
    return "".join(c for c in str(text).upper() if c.isalnum())


def is_right(field, got, truth, page):
    if field == "country":
        return got == page["country"]
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


def logistic(x, y, ridge):
    """Newton's steps; the first column is the constant, which is not drawn to zero."""
    weights = np.zeros(x.shape[1])
    penalty = np.full(x.shape[1], ridge)
    penalty[0] = 1e-3
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (y - p) - penalty * weights
        hessian = (x * (p * (1 - p))[:, None]).T @ x + np.diag(penalty)
        weights += np.linalg.solve(hessian, gradient)
    return weights


def threshold(p, right, aim=AIM):
    """The least confidence from which on a share `aim` of the values given is right."""
    order = np.argsort(-p)
    share = np.cumsum(right[order]) / np.arange(1, len(p) + 1)
    good = np.nonzero(share >= aim)[0]
    return float(np.clip(p[order][good[-1]] if len(good) else MOST, LEAST, MOST))


def main():
    program, drawn, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    pages = [json.loads(line) for line in drawn.open()]
    text = subprocess.run([program, "evidence"], stdin=drawn.open(), capture_output=True, text=True, check=True).stdout
    blocks = text.split("\n\n")
    found, totals = {}, []
    for number, (page, block) in enumerate(zip(pages, blocks)):
        truth = dict(page["truth"])
        truth["totals"] = truth.get("total")
        for line in block.splitlines():
            if not line.strip():
                continue
            field, value, numbers = line.split("\t")
            numbers = [float(n) for n in numbers.split()]
            # A field that lost its row may still stand elsewhere on the page: it says nothing.
            if field + "?" in truth:
                continue
            right = is_right(field, value, truth, page)
            if field == "totals":
                totals.append((number, numbers, right))
            else:
                found.setdefault(field, []).append((numbers, right))
    lines = ["# Written by Training/Fields/calibrate.py: field, the confidence from which on it is given, weights."]
    x, y = np.array([t[1] for t in totals]), np.array([t[2] for t in totals], float)
    weights = logistic(x, y, 1.0)
    p = 1 / (1 + np.exp(-(x @ weights)))
    lines.append("totals 0: " + " ".join(f"{w:.4g}" for w in weights))
    best = {}
    for (number, _, right), chance in zip(totals, p):
        if number not in best or chance > best[number][0]:
            best[number] = (chance, right)
    chosen = np.array(list(best.values()))
    cut = threshold(chosen[:, 0], chosen[:, 1])
    wanted = sum("total" in page["truth"] for page in pages)
    given = chosen[chosen[:, 0] >= cut]
    print(f"total: {chosen[:, 1].sum():.0f} of {wanted} right, from {cut:.2f} on {len(given)} given, {given[:, 1].mean():.3f} right")
    lines.append(f"total {cut:.2f}: 0 1 0 0 0 0")
    for field, rows in sorted(found.items()):
        if field == "total" or field not in ("merchant", "address", "phone", "date", "time", "country", "language", "subtotal", "discount", "service", "tax", "rounding", "tip", "payment", "receiptNumber"):
            continue
        x, y = np.array([r[0] for r in rows]), np.array([r[1] for r in rows], float)
        weights = logistic(x, y, 1.0)
        p = 1 / (1 + np.exp(-(x @ weights)))
        cut = threshold(p, y, AIMS.get(field, AIM))
        wanted = sum(field in page["truth"] for page in pages) or len(pages)
        print(f"{field}: {y.sum():.0f} of {wanted} right, {len(y)} found, from {cut:.2f} on {(p >= cut).sum()} given, {y[p >= cut].mean():.3f} right; weights {np.round(weights, 2)}")
        lines.append(f"{field} {cut:.2f}: " + " ".join(f"{w:.4g}" for w in weights))
    out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
