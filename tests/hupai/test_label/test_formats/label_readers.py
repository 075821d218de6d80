"""Opens label files with the tools they are made for and prints the boxes: picture -> [[tile, x0, y0, x1, y1], ...].

Run by an interpreter that has the tools: ``python label_readers.py TOOL FOLDER IMAGES``.
"""

import json
import sys
from pathlib import Path


def pycocotools(folder: Path, images: Path) -> dict:
    from pycocotools.coco import COCO

    coco = COCO(str(folder / "coco.json"))
    found = {}
    for image in coco.loadImgs(coco.getImgIds()):
        rows = []
        for a in coco.loadAnns(coco.getAnnIds(imgIds=image["id"])):
            x, y, w, h = a["bbox"]
            mask = coco.annToMask(a)
            assert abs(int(mask.sum()) - a["area"]) <= 0.15 * a["area"] + 30, (int(mask.sum()), a["area"])
            rows.append([coco.loadCats(a["category_id"])[0]["name"], x, y, x + w, y + h])
        found[image["file_name"]] = rows
    return found


def _detections(dataset, images: Path) -> dict:
    return {
        Path(path).relative_to(images).as_posix(): [
            [dataset.classes[c], *map(float, box)] for c, box in zip(d.class_id, d.xyxy, strict=True)
        ]
        for path, _, d in dataset
    }


def supervision_coco(folder: Path, images: Path) -> dict:
    import supervision as sv

    return _detections(sv.DetectionDataset.from_coco(str(images), str(folder / "coco.json")), images)


def supervision_obb(folder: Path, images: Path) -> dict:
    import supervision as sv

    place = folder / "yolo-obb"
    dataset = sv.DetectionDataset.from_yolo(str(images), str(place / "labels"), str(place / "data.yaml"), is_obb=True)
    return _detections(dataset, images)


def supervision_voc(folder: Path, images: Path) -> dict:
    import supervision as sv

    return _detections(sv.DetectionDataset.from_pascal_voc(str(images), str(folder / "voc" / "Annotations")), images)


def labelstudio_schema(folder: Path, images: Path) -> dict:
    """Every task and prediction checked against the labelling set-up; boxes from its own regions."""
    from label_studio_sdk.label_interface import LabelInterface

    interface = LabelInterface((folder / "labelstudio.xml").read_text())
    interface.validate()
    found = {}
    for task in json.loads((folder / "labelstudio.json").read_text()):
        errors = interface.validate_prediction(task["predictions"][0], return_errors=True)
        assert not errors, errors
        assert interface.validate_task({"id": 1, "data": task["data"]}), task
        for region in task["predictions"][0]["result"][:1]:  # what is wrong is seen
            wrong = {**region, "value": {**region["value"], "polygonlabels": ["9z"]}}
            assert interface.validate_prediction({"result": [wrong]}, return_errors=True)
        rows = []
        for r in task["predictions"][0]["result"]:
            xs = [x * r["original_width"] / 100 for x, _ in r["value"]["points"]]
            ys = [y * r["original_height"] / 100 for _, y in r["value"]["points"]]
            rows.append([r["value"]["polygonlabels"][0], min(xs), min(ys), max(xs), max(ys)])
        found[task["data"]["name"]] = rows
    return found


if __name__ == "__main__":
    print("\n" + json.dumps(globals()[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))))
