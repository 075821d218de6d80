"""Take two ONNX networks into models/: preprocessing folded in, weights halved, metadata, zoo.json and hashes.

    python -m scripts.adopt_models --finder finder.onnx --reader reader.onnx --origin "where they come from"

What the application expects of adopted models is written in models/README.md. Needs the ``onnx`` package.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from datasets.learn.half import halve
from datasets.learn.listing import listing

ROOT = Path(__file__).resolve().parent.parent
LABELS = [
    *(f"{n}{s}" for s in "mps" for n in range(1, 10)),
    *(f"{n}z" for n in range(1, 8)),
    *("0m", "0p", "0s"),
    *(f"{s}{n}" for s in "fg" for n in range(1, 5)),
    *("back", "none"),
]
"""Classes of a reader for which no other list is given, in the order of its outputs."""


def fold_preprocessing(model: onnx.ModelProto, name: str, shape: list[Any], bgr: bool) -> onnx.ModelProto:
    """Put uint8 NHWC RGB -> float32 NCHW (v / 255 - .5) / .25 in front of a network's only input.

    Args:
        model: a network whose input is float32 NCHW in that scaling.
        name: the new input's name.
        shape: the new input's shape, strings where it may vary.
        bgr: whether the network wants blue first.
    """
    graph = model.graph
    old = graph.input[0].name
    nodes = [
        helper.make_node("Cast", [name], ["pre_float"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["pre_float", "pre_scale"], ["pre_scaled"]),
        helper.make_node("Add", ["pre_scaled", "pre_shift"], ["pre_shifted"]),
        helper.make_node("Transpose", ["pre_shifted"], ["pre_nchw" if bgr else old], perm=[0, 3, 1, 2]),
    ]
    if bgr:
        nodes.append(helper.make_node("Gather", ["pre_nchw", "pre_order"], [old], axis=1))
        graph.initializer.append(numpy_helper.from_array(np.array([2, 1, 0], np.int64), "pre_order"))
    graph.initializer.append(numpy_helper.from_array(np.array(4 / 255, np.float32), "pre_scale"))
    graph.initializer.append(numpy_helper.from_array(np.array(-2, np.float32), "pre_shift"))
    rest = list(graph.node)
    del graph.node[:], graph.input[:]
    graph.node.extend([*nodes, *rest])
    graph.input.append(helper.make_tensor_value_info(name, TensorProto.UINT8, shape))
    return model


def write(model: onnx.ModelProto, path: Path, metadata: dict[str, Any]) -> dict[str, Any]:
    """Check and save a model in half precision with its metadata; its entry for zoo.json."""
    halve(model)
    del model.metadata_props[:]
    for key, value in metadata.items():
        field = model.metadata_props.add()
        field.key, field.value = key, value if isinstance(value, str) else json.dumps(value)
    onnx.checker.check_model(model, full_check=True)
    data = model.SerializeToString()
    path.write_bytes(data)
    return listing(path.stem, data)


def adopt(
    finder: Path,
    reader: Path,
    out: Path,
    *,
    origin: str,
    version: str,
    bgr: bool = False,
    temperature: float = 1.0,
    labels: list[str] = LABELS,
    tile_px: tuple[float, float] = (36, 130),
) -> None:
    """Write ``out``/finder.onnx, reader.onnx and zoo.json; the arguments are those of the command."""
    out.mkdir(parents=True, exist_ok=True)
    common = {"origin": origin, "version": version, "format": 1}
    zoo = {
        "format": 1,
        "models": {
            "finder": write(
                fold_preprocessing(onnx.load(finder), "image", [1, "height", "width", 3], bgr),
                out / "finder.onnx",
                {**common, "role": "finder", "multiple": 32, "stride": 4, "unit": 16, "tile_px": list(tile_px)},
            ),
            "reader": write(
                fold_preprocessing(onnx.load(reader), "crops", ["n", 96, 64, 3], bgr),
                out / "reader.onnx",
                {
                    **common,
                    "role": "reader",
                    "labels": labels,
                    "none": "none",
                    "crop": [64, 96],
                    "margin": 0.12,
                    "temperature": temperature,
                },
            ),
        },
    }
    (out / "zoo.json").write_text(json.dumps(zoo, indent=2) + "\n")
    print(json.dumps(zoo, indent=2))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--finder", type=Path, required=True)
    parser.add_argument("--reader", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=ROOT / "models")
    parser.add_argument("--origin", required=True, help="one line for the metadata: where the weights come from")
    parser.add_argument("--version", default="1")
    parser.add_argument("--temperature", type=float, default=1.0, help="of the reader, see scripts/calibrate.py")
    parser.add_argument("--labels", type=Path, help="JSON list of the reader's classes (default: those of LABELS)")
    parser.add_argument(
        "--tile-px", type=float, nargs=2, default=(36, 130), help="sizes of tiles the finder finds well"
    )
    parser.add_argument("--rgb", action="store_true", help="the networks take red first (default: blue first)")
    given = parser.parse_args()
    adopt(
        given.finder,
        given.reader,
        given.out,
        origin=given.origin,
        version=given.version,
        bgr=not given.rgb,
        temperature=given.temperature,
        labels=json.loads(given.labels.read_text(encoding="utf-8")) if given.labels else LABELS,
        tile_px=(given.tile_px[0], given.tile_px[1]),
    )


if __name__ == "__main__":
    main()
