"""Draws the picture of the page about the lung CAD: ``python docs/pictures/make_lung_picture.py``."""

from __future__ import annotations

from pathlib import Path

import roclab as rl
from roclab.plots.overlay import draw_montage, save_montage


def main() -> None:
    """The phantom of the page, with what was found in it and what is true."""
    chest = rl.imaging.phantom_chest(size=(40, 128, 128), spacing=(2.0, 1.6, 1.6), nodules=6, diameters=(5, 16), rng=3)
    lungs = rl.imaging.segment_lungs(chest.volume)
    regions = rl.imaging.nodules(chest.volume, lungs=lungs)
    outlines = {
        "lungs": lungs.mask, "regions": regions.labels.array > 0, "true nodules": chest.labels.array >= 100,
    }  # fmt: skip
    save_montage(draw_montage(chest.volume, outlines, slices=[15, 20, 25]), Path(__file__).with_name("lung_cad.png"))


if __name__ == "__main__":
    main()
