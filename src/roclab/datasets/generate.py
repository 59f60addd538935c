"""The bundled example, made from nothing but a seed: ``python -m roclab.datasets.generate`` writes it again.

Invented data: no patient stands behind any row. Each marker is a straight line in a latent severity
that is normal in both groups and shifted by ``d`` in those who deteriorated, so its area under the ROC
curve is Φ(d / √2) in the long run; a common factor correlates the three markers within the groups.

Only ``random.Random.random`` is used, the one generator whose sequence Python promises to keep, and the
normal distribution comes from its quantiles: the file stays the same, bit for bit, whatever the version
of Python or NumPy. The seed was chosen among the first hundred for areas close to the long-run ones.
"""

from __future__ import annotations

from math import exp, sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist

SEED = 39
PATIENTS = 300
DETERIORATED = 90
WARDS = ("north", "east", "south", "west", "central")

_NORMAL = NormalDist()
_COMMON = 0.4  # correlation of two latent severities within a group
_SHIFT = {"procalcitonin": 1.59, "lactate": 1.09, "concern": 0.86}  # Φ(d/√2) = 0.87, 0.78, 0.73
_CONCERN_CUTS = (-0.6, 0.3, 1.0, 1.7)  # latent severity at which the rating rises by one


def example_text(seed: int = SEED) -> str:
    """The example as the text of a CSV file.

    >>> example_text().splitlines()[0]
    'patient,ward,outcome,procalcitonin,lactate,concern'
    """
    source = Random(seed)
    order = sorted(range(PATIENTS), key=lambda _: source.random())
    ill = set(order[:DETERIORATED])
    rows = [_row(number, number in ill, source) for number in range(PATIENTS)]
    return "\n".join(["patient,ward,outcome,procalcitonin,lactate,concern", *rows, ""])


def _row(number: int, ill: bool, source: Random) -> str:
    ward = WARDS[int(len(WARDS) * source.random())]
    common = _NORMAL.inv_cdf(source.random())
    severity = {
        marker: shift * ill + sqrt(_COMMON) * common + sqrt(1 - _COMMON) * _NORMAL.inv_cdf(source.random())
        for marker, shift in _SHIFT.items()
    }
    outcome = "deteriorated" if ill else "recovered"
    procalcitonin = exp(-1.2 + 1.1 * severity["procalcitonin"])
    lactate = exp(0.35 + 0.45 * severity["lactate"])
    concern = 1 + sum(severity["concern"] >= cut for cut in _CONCERN_CUTS)
    return f"P{number + 1:03d},{ward},{outcome},{procalcitonin:.2f},{lactate:.1f},{concern}"


if __name__ == "__main__":
    target = Path(__file__).with_name("deterioration.csv")
    target.write_text(example_text(), encoding="utf-8", newline="\n")
