"""Model cards: what a network is, what it learnt from, under which licences, and how well it does."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from datasets.learn.nets import ClassifierNet, DetectorNet, count_parameters

SOURCES: Final = Path(__file__).parents[1] / "sources.toml"
PHOTOGRAPHS: Final = (
    ("crops", "single tiles of about 15 sets", "MIT (justinchan114/Mahjong_Tile_Classifier, Camerash/mahjong-dataset)"),
    ("scenes-a, scenes-b", "photos of tables, riichi-mahjong-detection/chinese-mahjong-detection", "CC BY 4.0"),
    ("scenes-c-red-fives", "riichi photos, test-ul13l/my-first-project-fqqce", "CC BY 4.0"),
)
"""Photographs that training may use, what they show, their licences."""


def art_licences() -> dict[str, list[str]]:
    """Licence -> packages of ``datasets/sources.toml`` that faces were drawn from."""
    found: dict[str, list[str]] = {}
    for source in tomllib.loads(SOURCES.read_text(encoding="utf-8"))["source"]:
        found.setdefault(source["licence"], []).append(source["name"])
    return found


def card(
    net: DetectorNet | ClassifierNet, metadata: dict[str, Any], content: dict[str, Any], held: str, figures: str
) -> str:
    """A model card as Markdown.

    Args:
        content: the checkpoint.
        held: the result of the fit on held-out photographs; empty if there was none.
        figures: Markdown of measured figures, or a sentence saying where they are.
    """
    role = str(metadata["role"])
    plan, progress = content["facts"].get("plan", {}), content["progress"]
    does = {
        "detector": "Finds the four corners of every printed mahjong tile face in a picture, whatever is printed on "
        "it. EfficientNet-Lite0 trunk (ImageNet weights, Apache-2.0) with a feature pyramid at stride 4.",
        "classifier": "Names the face in an upright crop of one tile, with a probability for each of 52 answers, says "
        "how it is turned, and gives an embedding for set profiles. Residual network, from scratch.",
        "bonus": "Names the flower, season or animal in an upright crop of one tile that the classifier took for one "
        "of them. The classifier's network, which learnt nothing else since.",
    }[role]
    photographed = plan.get("pack") not in (None, "None")
    lines = [
        f"# {role}.onnx, version {metadata['version']}",
        "",
        does,
        "",
        f"- **Size**: {count_parameters(net) / 1e6:.2f} M parameters, stored in half precision.",
        f"- **Trained** by `scripts/train/run.py`, seed {plan.get('seed')}: {progress['minutes']:.0f} minutes in "
        f"{progress['runs']} runs, {progress['steps']} steps, {progress['scenes']} rendered scenes.",
        "- **Input and output**: see `README.md`.",
    ]
    if held:
        lines.append(f"- **Calibrated** on photographs held out of training: {held}")
    lines += ["", "## Data", "", "| what | licence |", "|---|---|"]
    lines.append("| scenes rendered by `datasets/` | Apache-2.0 (this project) |")
    if photographed:
        lines += [f"| photographs `{name}`: {what} | {licence} |" for name, what, licence in PHOTOGRAPHS]
    lines += [f"| {', '.join(names)} | {licence} |" for licence, names in art_licences().items()]
    lines += ["", "## Figures", "", figures, ""]
    return "\n".join(lines)
