"""Trains the row model of `Sources/Text/Documents/Receipts/Rows` and writes its weights.

    train.py FEATURES TRAINING.jsonl HELD.jsonl rows.weights [--epochs N] [--seed N]

FEATURES is the program `page-texts`, which computes what the model sees in the package's own code. The model and the file are described in
`RowModel.swift`. Loss: the chain's negative log likelihood. Words of the vocabulary are dropped at random, so that rows are also known by
their shape, their place and their neighbours: shops say what no vocabulary has.
"""

import argparse
import json
import re
import struct
import subprocess
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parent.parent / "Sources" / "Documents" / "Receipts"
VERSION = 1
WIDTHS, REACHES = (40, 40), (0, 3, 2)


def names(path: Path, pattern: str) -> list[str]:
    """The cases of a Swift enumeration, in order."""
    return [name.strip().split(" ")[0] for line in re.findall(pattern, path.read_text(), re.M) for name in line.split(",")]


CLASSES = names(SOURCES / "Rows" / "RowClass.swift", r"^    case (\w+)$")
MEANINGS = len(names(SOURCES / "Words" / "Meaning.swift", r"^    case ([\w ,=\"]+)$"))


def features(program: str, pages: Path) -> list[np.ndarray]:
    """One matrix a page."""
    data = subprocess.run([program, "features"], stdin=pages.open("rb"), capture_output=True, check=True).stdout
    found, offset = [], 0
    while offset < len(data):
        rows, width = struct.unpack_from("<2I", data, offset)
        offset += 8
        found.append(np.frombuffer(data, "<f4", rows * width, offset).reshape(rows, width).copy())
        offset += 4 * rows * width
    return found


def pages(program: str, path: Path) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Features and classes of each page."""
    cache = path.with_suffix(".npz")
    kinds = [[CLASSES.index(c) for c in json.loads(line)["classes"]] for line in path.open()]
    if cache.exists() and cache.stat().st_mtime > max(path.stat().st_mtime, Path(program).stat().st_mtime):
        loaded = np.load(cache)
        matrices = [loaded[str(i)] for i in range(len(kinds))]
    else:
        matrices = features(program, path)
        np.savez(cache, **{str(i): m for i, m in enumerate(matrices)})
    return [(torch.from_numpy(m), torch.tensor(k)) for m, k in zip(matrices, kinds, strict=True)]


class RowModel(nn.Module):
    """See RowModel.swift."""

    def __init__(self, inputs: int):
        super().__init__()
        sizes = (inputs, *WIDTHS, len(CLASSES))
        self.layers = nn.ModuleList(nn.Conv1d(a, b, 2 * r + 1, padding=r) for a, b, r in zip(sizes, sizes[1:], REACHES))
        self.starts = nn.Parameter(torch.zeros(len(CLASSES)))
        self.ends = nn.Parameter(torch.zeros(len(CLASSES)))
        self.steps = nn.Parameter(torch.zeros(len(CLASSES), len(CLASSES)))
        self.drop = nn.Dropout(0.15)

    def scores(self, rows: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Batch x rows x features to batch x rows x classes; what lies beyond a page is zero in every layer."""
        values = rows.transpose(1, 2)
        inside = mask[:, None, :].float()
        for index, layer in enumerate(self.layers):
            values = layer(values * inside)
            if index + 1 < len(self.layers):
                values = self.drop(torch.relu(values))
        return values.transpose(1, 2)

    def loss(self, rows, mask, kinds):
        """Mean over the pages of the negative log likelihood, by row."""
        scores = self.scores(rows, mask)
        batch = torch.arange(len(rows))
        own = scores.gather(2, kinds[..., None])[..., 0]
        total = self.starts[kinds[:, 0]] + own[:, 0]
        forward = self.starts + scores[:, 0]
        for row in range(1, rows.shape[1]):
            here = mask[:, row]
            step = self.steps[kinds[:, row - 1], kinds[:, row]]
            total = total + torch.where(here, step + own[:, row], torch.zeros(()))
            following = torch.logsumexp(forward[:, :, None] + self.steps, 1) + scores[:, row]
            forward = torch.where(here[:, None], following, forward)
        last = mask.sum(1) - 1
        total = total + self.ends[kinds[batch, last]]
        return ((torch.logsumexp(forward + self.ends, 1) - total) / mask.sum(1)).mean()

    @torch.no_grad()
    def classes(self, rows: torch.Tensor) -> torch.Tensor:
        """The likeliest class of each row of one page, by marginals."""
        scores = self.scores(rows[None], torch.ones(1, len(rows), dtype=torch.bool))[0]
        forward, backward = [self.starts + scores[0]], [self.ends]
        for row in range(1, len(scores)):
            forward.append(torch.logsumexp(forward[-1][:, None] + self.steps, 0) + scores[row])
            backward.append(torch.logsumexp(self.steps + (scores[-row] + backward[-1])[None], 1))
        return (torch.stack(forward) + torch.stack(backward[::-1])).argmax(1)


def batches(data, size, generator):
    """Pages of like length together, in random order, padded."""
    order = sorted(range(len(data)), key=lambda i: len(data[i][0]) + torch.rand(1, generator=generator).item() * 6)
    groups = [order[i : i + size] for i in range(0, len(order), size)]
    for index in torch.randperm(len(groups), generator=generator).tolist():
        group = [data[i] for i in groups[index]]
        longest = max(len(rows) for rows, _ in group)
        rows = torch.zeros(len(group), longest, group[0][0].shape[1])
        kinds = torch.zeros(len(group), longest, dtype=torch.long)
        mask = torch.zeros(len(group), longest, dtype=torch.bool)
        for at, (values, classes) in enumerate(group):
            rows[at, : len(values)], kinds[at, : len(values)], mask[at, : len(values)] = values, classes, True
        yield rows, mask, kinds


def write(model: RowModel, path: Path) -> None:
    """The file that `RowModel.swift` reads. A layer's weights lie by output, then row, then input."""
    head = [VERSION, model.layers[0].in_channels]
    for layer, reach in zip(model.layers, REACHES):
        head += [layer.out_channels, reach]
    data = b"RCPTROWS" + struct.pack("<8I", *head)
    for layer in model.layers:
        data += layer.weight.detach().permute(0, 2, 1).contiguous().numpy().astype("<f4").tobytes()
        data += layer.bias.detach().numpy().astype("<f4").tobytes()
    for tensor in (model.starts, model.ends, model.steps):
        data += tensor.detach().numpy().astype("<f4").tobytes()
    path.write_bytes(data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("training", type=Path)
    parser.add_argument("held", type=Path)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(options.seed)
    training, held = pages(options.program, options.training), pages(options.program, options.held)
    model = RowModel(training[0][0].shape[1])
    size = 24
    steps = options.epochs * (len(training) // size + 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 6e-3, steps + 10)
    for epoch in range(options.epochs):
        model.train()
        sum_, count = 0.0, 0
        for rows, mask, kinds in batches(training, size, generator):
            rows = rows.clone()
            rows[:, :, :MEANINGS] *= (torch.rand(rows[:, :, :MEANINGS].shape, generator=generator) > 0.12).float()
            loss = model.loss(rows, mask, kinds)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2)
            optimizer.step()
            schedule.step()
            sum_, count = sum_ + loss.item(), count + 1
        model.eval()
        right = np.zeros((len(CLASSES), len(CLASSES)), int)
        for rows, kinds in held:
            np.add.at(right, (kinds.numpy(), model.classes(rows).numpy()), 1)
        print(f"epoch {epoch + 1}: loss {sum_ / count:.4f}, held-out rows right {right.trace() / right.sum():.4f}", flush=True)
    for index, name in enumerate(CLASSES):
        confused = right[index].copy()
        confused[index] = 0
        worst = confused.argmax()
        print(f"{name:12s} recall {right[index, index] / max(right[index].sum(), 1):.3f} precision {right[index, index] / max(right[:, index].sum(), 1):.3f} of {right[index].sum()}, most as {CLASSES[worst]} ({confused[worst]})")
    write(model, options.weights)


if __name__ == "__main__":
    main()
