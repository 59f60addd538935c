"""Draws the pictures of the pages about classes of pixels: ``python docs/pictures/make_class_pictures.py [FOLDER]``.

FOLDER holds ``lung_ct_slice_lungmask0.dcm``, a chest CT slice of the tests of lungmask (Apache-2.0); without it only
the phantom is drawn.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import roclab as rl
from roclab.plots import draw_classes, draw_matched, new_axes, save_figure

HERE = Path(__file__).parent
GREY = {"window": (-1024, 1000), "preset": "thesis", "rng": 0}


def both(image: Any, classes: int = 4, **asked: Any) -> dict[str, rl.results.RobustClusters]:
    """Without and with neighbours, from the same start."""
    return {name.upper(): rl.imaging.robust_cmeans(image, classes, method=name, **asked) for name in ("fcm", "rfcm")}


def phantom() -> None:
    """A noisy slice of the chest phantom, and the classes of the same slice without noise."""
    asked: dict[str, Any] = {"window": (-1024, 400), "centres": [[0], [30], [165], [200]]}
    slice_, clean = (
        rl.imaging.phantom(size=(12, 160, 160), noise=noise, nodules=2, rng=4).volume.array[6] for noise in (90, 0)
    )
    runs: dict[str, Any] = both(slice_, **asked)
    truth = rl.imaging.robust_cmeans(clean, 4, method="fcm", **asked)
    drawn = draw_classes({**runs, "FCM without noise": truth}, new_axes("double", ratio=0.29), image=slice_)
    save_figure(drawn, HERE / "classes_phantom.png", dpi=200)
    pairs = rl.imaging.match_clusters(*runs.values(), names=("FCM", "RFCM"))
    save_figure(
        draw_matched(pairs, new_axes("double", ratio=1.02), image=slice_), HERE / "matched_phantom.png", dpi=150
    )


def real(folder: Path) -> None:
    """A real slice by the settings of the thesis, and one lung of it closer."""
    slice_ = rl.imaging.read_volume(folder / "lung_ct_slice_lungmask0.dcm").array[0]
    runs = both(slice_, **GREY)
    drawn = draw_classes(runs, new_axes("double", ratio=0.355), image=slice_.clip(-1024, 400))
    save_figure(drawn, HERE / "classes_real.png", dpi=200)
    part = (slice(150, 350), slice(60, 260))
    close = {name: one.labels[part] for name, one in runs.items()}
    order = {name: one.centres[:, 0].argsort().argsort() for name, one in runs.items()}
    shown = {name: order[name][labels] for name, labels in close.items()}
    drawn = draw_classes(shown, new_axes("double", ratio=0.355), image=slice_[part].clip(-1024, 400))
    save_figure(drawn, HERE / "classes_real_close.png", dpi=200)


if __name__ == "__main__":
    phantom()
    if len(sys.argv) > 1:
        real(Path(sys.argv[1]))
