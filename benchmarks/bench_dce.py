"""DCE-MRI: training on five cases, and mapping 1 + 5 frames of 96 x 256 x 256 to a confidence volume."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import roclab as rl

SIZE = (96, 256, 256)
# A process of its own: the largest memory of a process never falls again.
_MEMORY = """
import sys
import numpy as np
import roclab as rl
import SimpleITK
from scipy import ndimage
def most():  # ru_maxrss would remember the process that started this one
    line = next(one for one in open("/proc/self/status") if one.startswith("VmHWM"))
    return int(line.split()[1]) * 1024
size = (96, 256, 256)
small = rl.imaging.phantom_breast(size=(16, 128, 128), rng=1)
model = rl.imaging.dce_train(small.as_case("a"), hidden=(20, 10), rng=1)
rl.imaging.dce_apply(model, small.series, smoothing=float(sys.argv[1]))
before = most()
frames = np.empty((6, *size), dtype=np.float32)
for at in range(6):
    for z in range(size[0]):
        frames[at, z] = np.kron(small.series.frames[at, z * 16 // size[0]], np.ones((2, 2), np.float32))
series = rl.imaging.dce_series(frames, times=small.series.times, arrival=30.0, spacing=(1.5, 1.3, 1.3))
rl.imaging.dce_apply(model, series, smoothing=float(sys.argv[1]), workers=2)
after = most()
print((after - before) / frames.nbytes)
"""


def rows() -> list[dict[str, Any]]:
    begun = time.perf_counter()
    large = rl.imaging.phantom_breast(size=SIZE, rng=1)
    made = time.perf_counter() - begun
    cases = [rl.imaging.phantom_breast(rng=seed).as_case(f"c{seed}") for seed in range(5)]
    wide = [rl.imaging.phantom_breast(size=SIZE, lesions=3, rng=seed).as_case(f"w{seed}") for seed in range(2, 4)]
    out: list[dict[str, Any]] = [
        {"what": "making a phantom of 1 + 5 frames of 96 x 256 x 256", "s": made},
        {"what": "training a network on 5 cases of 32 x 96 x 128", "limit": 30.0,
         "s": _seconds(lambda: rl.imaging.dce_train(cases, rng=1))},
    ]  # fmt: skip
    begun = time.perf_counter()
    several = [large.as_case("w1"), *wide]
    model = rl.imaging.dce_train([*several, *(rl.results.DceCase(name=f"again {at}", series=one.series, label=one.label)
                                      for at, one in enumerate(several[:2]))], rng=1)  # fmt: skip
    out.append({"what": "training a network on 5 cases of 96 x 256 x 256", "s": time.perf_counter() - begun,
                "limit": 30.0})  # fmt: skip
    for workers in (1, 2):
        spent = _seconds(lambda workers=workers: rl.imaging.dce_apply(model, large.series, workers=workers))
        out.append({"what": f"mask and confidence volume of 96 x 256 x 256, threads: {workers}", "s": spent,
                    "limit": 20.0 if workers == 2 else None})  # fmt: skip
    whole = {"mask": rl.imaging.dce_mask(large.series).mask.with_array(large.series.baseline > 0)}
    spent = _seconds(lambda: rl.imaging.dce_apply(model, large.series, workers=2, **whole))
    out.append({"what": "the same for every voxel of the image, threads: 2", "s": spent, "limit": 20.0})
    spent = _seconds(lambda: rl.imaging.dce_apply(model, large.series, workers=2, smoothing=3.0))
    out.append({"what": "mask, confidence volume and smoothing by 3 mm, threads: 2", "s": spent, "limit": 20.0})
    for smoothing in (0.0, 3.0):
        told = subprocess.run(
            [sys.executable, "-c", _MEMORY, str(smoothing)], check=True, capture_output=True, text=True
        )
        words = f"most memory with the series itself, in copies of it, smoothing {smoothing:g} mm"
        out.append({"what": words, "copies": float(told.stdout), "at most": 2.5})
    return out


def _seconds(function: Any) -> float:
    times = []
    for _ in range(2):
        begun = time.perf_counter()
        function()
        times.append(time.perf_counter() - begun)
    return min(times)


if __name__ == "__main__":
    from roclab._core.text import text_table

    print(text_table(rows()))
