"""Runs in the environment of ``mahjong-detector``, which hupai is compared with: reads pictures, a line of JSON each.

Started by ``scripts/bench/readers.py``; imports nothing of this project.
"""

import json
import sys
import time

from mahjong_detector.predict import CLASS_NAMES, predict  # type: ignore[import-not-found]
from mahjong_detector.preprocess import preprocess_image  # type: ignore[import-not-found]
from PIL import Image, ImageOps

HONOURS = {"tou": "1z", "nan": "2z", "sha": "3z", "pe": "4z", "haku": "5z", "hatsu": "6z", "chun": "7z"}

for path in sys.argv[1:]:
    spent = time.process_time()
    with Image.open(path) as picture:
        found = predict(*preprocess_image(ImageOps.exif_transpose(picture).convert("RGB")))
    spent = time.process_time() - spent
    names = [CLASS_NAMES[one.class_id] for one in found]
    print(json.dumps({"tiles": [HONOURS.get(n, n) for n in names], "seconds": spent}), flush=True)
