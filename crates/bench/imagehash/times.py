"""Times ImageHash on frames that are already decoded. Arguments: rounds, then WIDTH HEIGHT FILE of each frame,
where the file holds RGB bytes. Prints one JSON object: the milliseconds of every round, frame by frame."""

import json
import sys
import time

import imagehash
from PIL import Image


def times(hash_function, image, rounds):
    hash_function(image)
    samples = []
    for _ in range(rounds):
        begun = time.perf_counter()
        hash_function(image)
        samples.append((time.perf_counter() - begun) * 1000)
    return samples


rounds, frames = int(sys.argv[1]), sys.argv[2:]
result = []
for width, height, file in zip(frames[0::3], frames[1::3], frames[2::3]):
    with open(file, "rb") as opened:
        image = Image.frombytes("RGB", (int(width), int(height)), opened.read())
    result.append({
        "phash": times(imagehash.phash, image, rounds),
        "dhash": times(imagehash.dhash, image, rounds),
    })
print(json.dumps(result))
