"""A small run through everything: draws 20 scenes, trains 20 steps, exports and reads back. Under a minute; exit 1 where something is off."""

import argparse
import tempfile
from pathlib import Path

import cv2
import numpy as np
import torch

import export
import scenes
import tables
import train
from canvas import SIDE
from network import SheetNetwork


def scenes_are_repeatable(photographs: tables.Photographs) -> None:
    first, again = scenes.draw(5, 3, photographs), scenes.draw(5, 3, photographs)
    assert all(np.array_equal(a, b) for a, b in zip(first, again)), "a scene drawn twice differs"


def targets_make_sense(folder: Path) -> None:
    with np.load(next(folder.glob("scenes-*.npz"))) as shard:
        pictures, targets = shard["pictures"], shard["targets"]
    assert pictures.shape[1:] == (SIDE, SIDE, 3) and pictures.dtype == np.uint8
    assert targets.max() <= 7
    shares = (targets & 1).mean((1, 2))
    assert 0.5 < (shares > 0.003).mean() < 1, "sheets are in too few scenes, or in all"


def folding_changes_nothing(checkpoint: Path, weights: Path) -> None:
    state = torch.load(checkpoint, weights_only=True)
    network = SheetNetwork(state["widths"], state["blocks"]).eval()
    network.load_state_dict(state["averaged"])
    with torch.no_grad():
        x = export.picture(1, 96)
        (maps, presence), (exported, there) = network(x), export.read(weights)(x)
    assert (maps - exported).abs().max() < 0.05 * max(1, maps.abs().max()), "the exported network says something else"
    assert (presence - there).abs().max() < 0.05 * max(1, presence.abs().max())


def unfolding_changes_nothing(weights: Path) -> None:
    """Norms measured on some pictures change nothing on others, and folding them takes them away again."""
    folded = export.read(weights)
    with torch.no_grad():
        unfolded = folded.unfolded(export.picture(2, 96, count=8)).eval()
        x = export.picture(3, 96)
        for again in (unfolded, unfolded.folded()):
            for ours, theirs in zip(again(x), folded(x)):
                # Single precision over some twenty layers.
                assert (ours - theirs).abs().max() < 1e-3 * max(1, theirs.abs().max()), "weights with norms again say something else"


def main() -> None:
    cv2.setNumThreads(1)
    photographs = tables.Photographs(None)
    scenes_are_repeatable(photographs)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scenes.shard(folder, 5, 0, photographs, count=20)
        targets_make_sense(folder)
        options = {"scenes": [folder], "checkpoint": folder / "check.pt", "minutes": 1.0, "samples": 200, "seed": 1, "rate": train.RATE, "sides": train.SIDES, "batch": 16}
        train.train(argparse.Namespace(**options, warm=None, threads=1, bfloat16=False))
        state = torch.load(folder / "check.pt", weights_only=True)
        network = SheetNetwork(state["widths"], state["blocks"])
        network.load_state_dict(state["averaged"])
        export.write(network, folder / "check.weights")
        folding_changes_nothing(folder / "check.pt", folder / "check.weights")
        unfolding_changes_nothing(folder / "check.weights")
    print("training check passed")


if __name__ == "__main__":
    main()
