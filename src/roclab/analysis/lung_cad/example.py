"""The CAD that comes with roclab: trained on phantoms of several spacings and noises, as an example."""

from __future__ import annotations

from typing import Any

from roclab.analysis.lung_cad.train import cad_train
from roclab.analysis.lungs import phantom_chest
from roclab.imaging.lungs.cad_model import LungCad

__all__ = ["example_scans", "train_example"]

_KINDS = (
    ((40, 128, 128), (2.0, 1.6, 1.6), 30.0),
    ((24, 128, 128), (2.5, 2.8125, 2.8125), 30.0),
    ((48, 160, 160), (1.5, 1.4, 1.4), 20.0),
    ((40, 128, 128), (2.5, 2.0, 2.0), 45.0),
)
_SEEDS = range(7001, 7017)


def example_scans() -> dict[str, Any]:
    """Sixteen phantoms, four of every kind, that no page and no test asks about otherwise."""
    return {
        f"phantom {seed}": phantom_chest(
            size=size, spacing=spacing, noise=noise, nodules=8, diameters=(5, 18), rng=seed
        )
        for seed, (size, spacing, noise) in zip(_SEEDS, _KINDS * 4, strict=True)
    }


def train_example() -> LungCad:
    """What ``phantoms.cad`` holds; ``python -m roclab.analysis.lung_cad.example`` writes it anew."""
    made = example_scans()
    nodules = {name: one.nodules for name, one in made.items()}
    return cad_train(nodules, {name: one.volume for name, one in made.items()}, rng=1)


if __name__ == "__main__":
    from roclab.analysis.lung_cad.apply import EXAMPLE
    from roclab.analysis.lung_cad.train import write_cad_model

    print(write_cad_model(train_example(), EXAMPLE))
