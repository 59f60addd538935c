"""The bundled data, made from nothing but seeds: ``python -m roclab.datasets.generate`` writes them again.

Invented data: no patient stands behind any row. Each marker is a straight line in a latent severity
that is normal in both groups and shifted by ``d`` in those who deteriorated, so its area under the ROC
curve is Φ(d / √2) in the long run; a common factor correlates the three markers within the groups.

Only ``random.Random.random`` is used, the one generator whose sequence Python promises to keep, and the
normal distribution comes from its quantiles: the file stays the same, bit for bit, whatever the version
of Python or NumPy. The seed was chosen among the first hundred for areas close to the long-run ones.
"""

from __future__ import annotations

from math import exp, log, sqrt
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


WINES = 180
GRAPES = ("barbera", "barolo", "gamay")
_WINE_SEED = 7
_WINE_HEADER = "grape,barbera,barolo,gamay,net_1,net_2,net_3,called,oak,fruit,p_oak,p_fruit"


def wines_text(seed: int = _WINE_SEED) -> str:
    """The second data set as the text of a CSV file: many classes and two labels.

    Probabilities are the softmax of three normal scores, shifted by 1.2 (a taster, columns named after the grapes) or 2
    (a net) for the actual grape; the scores of the two labels are normal and shifted by 1 where the label holds.

    >>> wines_text().splitlines()[0].split(",")[:4]
    ['grape', 'barbera', 'barolo', 'gamay']
    """
    source = Random(seed)
    return "\n".join([_WINE_HEADER, *(_wine(source) for _ in range(WINES)), ""])


def _wine(source: Random) -> str:
    actual = int(3 * source.random())
    cells: list[str] = []
    called = ""
    for strength in (1.2, 2.0):
        odds = [exp(_NORMAL.inv_cdf(source.random()) + strength * (grape == actual)) for grape in range(3)]
        # Thousandths that add up to 1: the last one takes what the others leave.
        first, second = (round(1000 * value / sum(odds)) for value in odds[:2])
        shares = [first, second, 1000 - first - second]
        called = called or GRAPES[shares.index(max(shares))]
        cells += [f"{share / 1000:.3f}" for share in shares]
    labels = [int(2 * source.random()) for _ in range(2)]
    scores = [f"{label + _NORMAL.inv_cdf(source.random()):.2f}" for label in labels]
    return ",".join([GRAPES[actual], *cells, called, *map(str, labels), *scores])


READERS = ("Adams", "Brandt", "Costa", "Dubois", "Evans")
MODALITIES = ("film", "digital")
READ_ILL, READ_WELL = 32, 48
_READING_SEED = 22
_ABILITY = {"film": 1.35, "digital": 1.75}  # shift of the latent rating of ill cases: areas of about 0.82 and 0.88


def readings_text(seed: int = _READING_SEED) -> str:
    """The third data set as the text of a CSV file: five readers rate 80 cases in two modalities, from 0 to 100.

    Ratings follow the model of Roe and Metz: a normal term each for the reader and the case, for their interactions
    with the modality and with each other, and an error. The seed was chosen among others so that the study is a typical
    one and its two modalities just differ at 5%: the result is an example, no finding.

    >>> readings_text().splitlines()[0]
    'reader,modality,case,truth,rating'
    """
    source = Random(seed)

    def normal(variance: float) -> float:
        return sqrt(variance) * _NORMAL.inv_cdf(source.random())

    rows = ["reader,modality,case,truth,rating"]
    skill = {
        (truth, reader): (normal(0.03), {modality: normal(0.006) for modality in MODALITIES})
        for truth in (0, 1)
        for reader in READERS
    }
    order = sorted(range(READ_ILL + READ_WELL), key=lambda _: source.random())
    ill = set(order[:READ_ILL])
    for case in range(READ_ILL + READ_WELL):
        truth = int(case in ill)
        own, by_modality = normal(0.25), {modality: normal(0.2) for modality in MODALITIES}
        for reader in READERS:
            taste = normal(0.2)
            for modality in MODALITIES:
                bias, twist = skill[truth, reader]
                latent = truth * _ABILITY[modality] + bias + twist[modality] + own + by_modality[modality] + taste
                latent += normal(0.35)
                rating = min(max(round(100 * _NORMAL.cdf((latent - 0.7) / 1.1)), 0), 100)
                rows.append(f"{reader},{modality},{case + 1},{truth},{rating}")
    return "\n".join([*rows, ""])


SCANS, LESIONS, FALSE_MARKS = 60, 54, 300
_SCAN_SEED = 11
_PLACES = "seriesuid,coordX,coordY,coordZ"


def lesion_texts(seed: int = _SCAN_SEED) -> dict[str, str]:
    """The fourth data set: lesions in scans, and the marks of two detectors, as the texts of three CSV files.

    54 lesions of 4 to 20 mm lie in the first 40 of 60 scans. A detector marks a lesion more often the larger it is, up
    to 1.4 mm from its centre, with a normal score shifted by 2.2 (a) or 1.6 (b), and makes 300 false marks with scores
    around 0; both see the same lesions and make other mistakes.

    >>> [text.count("scan01") > 0 for text in lesion_texts().values()]
    [True, True, True]
    """
    source = Random(seed)

    def place(around: tuple[float, float, float] = (0.0, 0.0, 0.0), reach: float = 150.0) -> tuple[float, float, float]:
        x, y, z = (round(one + (2 * source.random() - 1) * reach, 1) for one in around)
        return x, y, z

    def line(scan: int, where: tuple[float, float, float], last: str) -> str:
        return f"scan{scan + 1:02d},{','.join(f'{one:.1f}' for one in where)},{last}"

    lesions = [(int(40 * source.random()), place(), round(4 + 16 * source.random() ** 2, 1)) for _ in range(LESIONS)]
    lesions.sort(key=lambda one: one[0])
    texts = {"lesions": [f"{_PLACES},diameter_mm", *(line(scan, at, f"{mm:.1f}") for scan, at, mm in lesions)]}
    for name, strength in (("marks_a", 2.2), ("marks_b", 1.6)):
        rows = []
        for scan, at, mm in lesions:
            if source.random() < 0.55 + 0.45 * min(1.0, (mm - 4) / 8):
                score = strength + _NORMAL.inv_cdf(source.random())
                rows.append(line(scan, place(at, 0.8), f"{score:.3f}"))
        for _ in range(FALSE_MARKS):
            scan = int(SCANS * source.random())
            rows.append(line(scan, place(), f"{_NORMAL.inv_cdf(source.random()):.3f}"))
        texts[name] = [f"{_PLACES},probability", *rows]
    return {name: "\n".join([*rows, ""]) for name, rows in texts.items()}


FOLLOWED = 400
_FOLLOWED_SEED = 10
_LONGEST = 2190  # days: the study ends six years after the first patient came


def followed_text(seed: int = _FOLLOWED_SEED) -> str:
    """Patients after an operation: how many days they were followed, what ended that, and two scores.

    The hazard of a relapse rises with a latent severity, which the marker shows better than the grade; that of a death
    before any relapse rises a little with age. Patients came over three years and are lost at random.

    >>> followed_text().splitlines()[0]
    'patient,days,ended,marker,grade,age'
    """
    source = Random(seed)
    rows = ["patient,days,ended,marker,grade,age"]
    for number in range(FOLLOWED):
        severity = _NORMAL.inv_cdf(source.random())
        age = 62 + 9 * _NORMAL.inv_cdf(source.random())
        marker = exp(1.1 + 0.5 * (0.85 * severity + 0.53 * _NORMAL.inv_cdf(source.random())))
        blurred = 0.6 * severity + 0.8 * _NORMAL.inv_cdf(source.random())
        grade = 1 + sum(blurred >= cut for cut in (-0.7, 0.2, 1.1))
        relapse = -log(source.random()) / (0.00018 * exp(0.9 * severity))
        death = -log(source.random()) / (0.00007 * exp(0.05 * (age - 62)))
        lost = -log(source.random()) / 0.00022
        end = _LONGEST - 1095 * source.random()
        days, ended = min((relapse, "relapse"), (death, "death"), (lost, "lost"), (end, "lost"))
        rows.append(f"Q{number + 1:03d},{max(1, round(days))},{ended},{marker:.2f},{grade},{age:.0f}")
    return "\n".join([*rows, ""])


if __name__ == "__main__":
    here = Path(__file__)
    here.with_name("deterioration.csv").write_text(example_text(), encoding="utf-8", newline="\n")
    here.with_name("wines.csv").write_text(wines_text(), encoding="utf-8", newline="\n")
    here.with_name("readings.csv").write_text(readings_text(), encoding="utf-8", newline="\n")
    here.with_name("followed.csv").write_text(followed_text(), encoding="utf-8", newline="\n")
    for name, text in lesion_texts().items():
        here.with_name(f"{name}.csv").write_text(text, encoding="utf-8", newline="\n")
