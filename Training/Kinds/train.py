"""Trains the model that tells kinds of documents apart: a multinomial logistic regression.

    train.py PAGE_TEXTS sheets.jsonl kinds.weights

First on two thirds of each kind's layouts, scored on the others, which it prints; then on all of them, which it writes. PAGE_TEXTS is the program of
that name: the features are the package's own.
"""

import json
import subprocess
import sys

import numpy as np
import torch

# Weights cost this times their square, beside the mean loss.
RIDGE = 3e-4
# A kind is given from the least probability on at which this share of the kinds given is right on layouts that were held back.
AIM = 0.95
# The receipts' layouts are their generator's own, so theirs are parted by number alone.
HELD = lambda sheet: sheet["layout"] % 3 == 2


def fit(x, y, kinds):
    torch.manual_seed(1)
    weights = torch.zeros(x.shape[1], kinds, requires_grad=True)
    bias = torch.zeros(kinds, requires_grad=True)
    x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y)
    optimizer = torch.optim.LBFGS([weights, bias], max_iter=400, line_search_fn="strong_wolfe")

    def loss():
        optimizer.zero_grad()
        value = torch.nn.functional.cross_entropy(x @ weights + bias, y) + RIDGE * (weights**2).sum()
        value.backward()
        return value

    optimizer.step(loss)
    return weights.detach().numpy(), bias.detach().numpy()


def probabilities(x, weights, bias):
    scores = x @ weights + bias
    scores = np.exp(scores - scores.max(1, keepdims=True))
    return scores / scores.sum(1, keepdims=True)


def main(program, path, target):
    torch.set_num_threads(1)
    sheets = [json.loads(line) for line in open(path, encoding="utf-8")]
    printed = subprocess.run([program, "kinds"], stdin=open(path, encoding="utf-8"), capture_output=True, check=True, text=True).stdout
    named = [[part.split("=") for part in line.split(" ")] for line in printed.splitlines()]
    names = [name for name, _ in named[0]]
    x = np.array([[float(value) for _, value in row] for row in named])
    kinds = sorted({sheet["kind"] for sheet in sheets})
    y = np.array([kinds.index(sheet["kind"]) for sheet in sheets])
    held = np.array([HELD(sheet) for sheet in sheets])
    metric = np.array([sheet["sheet"]["mm"] is not None for sheet in sheets])
    mean = x.mean(0)
    x = x - mean

    p = probabilities(x[held], *fit(x[~held], y[~held], len(kinds)))
    got, sure, truth = p.argmax(1), p.max(1), y[held]
    unknown = kinds.index("unknown")
    threshold = next(t for t in np.arange(0.3, 1, 0.01) if np.mean((got == truth)[(sure >= t) & (got != unknown)]) >= AIM)
    for name, chosen in (("with size", metric[held]), ("without", ~metric[held])):
        recall = [np.mean((got == truth)[chosen & (truth == k)]) for k in range(len(kinds)) if k != unknown]
        given = chosen & (sure >= threshold) & (got != unknown)
        kept = [np.mean(((got == truth) & (sure >= threshold))[chosen & (truth == k)]) for k in range(len(kinds)) if k != unknown]
        print(f"held layouts, {name}: macro {np.mean(recall):.3f}, from {threshold:.2f} on {np.mean(kept):.3f}; of {given.sum()} given {np.mean((got == truth)[given]):.3f} right")
        print("  " + ", ".join(f"{kinds[k]} {np.mean((got == truth)[chosen & (truth == k)]):.2f}" for k in range(len(kinds))))
    wrong = [(kinds[t], sheets[i]["layout"], kinds[g]) for i, t, g in zip(np.flatnonzero(held), truth, got) if t != g]
    for case in sorted(set(wrong), key=wrong.count, reverse=True)[:12]:
        print(f"  {wrong.count(case)} x {case[0]} (layout {case[1]}) taken for {case[2]}")

    weights, bias = fit(x, y, len(kinds))
    with open(target, "w", encoding="utf-8") as file:
        file.write("# Of Training/Kinds/train.py: a line a feature, its mean and a weight for each kind.\n")
        file.write("kinds " + " ".join(kinds) + f"\nthreshold {threshold:.2f}\nbias " + " ".join(f"{v:.3f}" for v in bias) + "\n")
        for name, middle, row in zip(names, mean, weights):
            file.write(f"{name} {middle:.4f} " + " ".join(f"{v:.3f}" for v in row) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
