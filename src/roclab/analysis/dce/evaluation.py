"""What an evaluation says: areas, partial areas and contrast of every image, all clustered by case."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, plural
from roclab._core.text import format_number, text_table
from roclab._core.types import Array, Bools, Ints
from roclab._core.undefined import Undefined
from roclab.analysis.auc import area_asked
from roclab.analysis.average import average
from roclab.analysis.cutoff import cutoff
from roclab.analysis.dce.regions import DceRegions, find_regions
from roclab.averaging.result import AverageCurve
from roclab.data.cases import Cases
from roclab.errors import InputError, Words
from roclab.imaging.dce.case import MALIGNANT
from roclab.imaging.research import RESEARCH
from roclab.imaging.volumes import Volume
from roclab.inference.clustered_values import ClusteredValues, values_of_areas
from roclab.inference.comparison.clustered import covariance_of_clusters
from roclab.inference.comparison.compare import Comparison
from roclab.inference.contrast_to_noise import contrast_to_noise
from roclab.inference.one_area.area import Area
from roclab.names import Adjustment, Standard
from roclab.options.region import Region
from roclab.results import Interval, Result

__all__ = ["CaseImages", "DceEvaluation", "ImageMeasure"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseImages:
    """All images of one case, and what is true there."""

    name: str
    images: Mapping[str, Array]
    inside: Bools
    lesions: Ints
    place: Volume


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageMeasure:
    """One number of one image, with its uncertainty from case to case."""

    image: str
    quantity: str
    value: float
    standard_error: float
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DceEvaluation(Result):
    """Images against the truth, on some cases.

    ``voxels`` are cases in the sense of ROC analysis, with the patient as id: every verb of roclab takes them.
    """

    voxels: Cases
    lesion: Ints
    cases: tuple[CaseImages, ...]
    group: str
    models: tuple[str, ...]
    fpr: tuple[float, ...]
    standardize: Standard
    scale: str
    smoothing: float
    level: float
    notes: tuple[str, ...] = ()
    _kept: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Images, models first."""
        return tuple(self.voxels.names)

    @property
    def n_cases(self) -> int:
        """How many independent observations there are."""
        return len(self.cases)

    @property
    def quantities(self) -> tuple[str, ...]:
        """What is measured."""
        parts = [f"pAUC FPR<={one:g}" for one in self.fpr]
        return ("AUC", *parts, "AUC malignant", "AUC benign", "CNR")

    def measures(self) -> tuple[ImageMeasure, ...]:
        """Every quantity of every image."""
        if "measures" not in self._kept:
            self._kept["measures"] = tuple(one for quantity in self.quantities for one in self._measured(quantity))
        found: tuple[ImageMeasure, ...] = self._kept["measures"]
        return found

    def measure(self, image: str, quantity: str = "AUC") -> ImageMeasure:
        """One of them."""
        check_choice(quantity, "quantity", self.quantities)
        check_choice(image, "image", self.names)
        return next(one for one in self._measured(quantity) if one.image == image)

    def compare(self, quantity: str = "AUC", *, first: str | None = None, adjust: Adjustment = "holm") -> Comparison:
        """Every pair of images, or ``first`` with each other one: paired within cases and clustered by case."""
        check_choice(quantity, "quantity", self.quantities)
        if first is not None:
            check_choice(first, "first", self.names)
        if len(self.names) < 2:
            raise InputError("images", "must be two or more to compare", Words(self.names[0]))
        if self.n_cases < 2:
            raise InputError("cases", "must be two or more to compare images", Words("one"),
                             "one case shows no spread between cases")  # fmt: skip
        found = self._values(quantity)
        if isinstance(found, Undefined):
            raise InputError("quantity", f"cannot be compared, because {found.reason}", quantity)
        return Comparison(
            quantity=quantity,
            areas=(),
            covariance=found.matrix,
            pairs=found.pairs(level=self.level, adjust=adjust, first=first),
            equality=None,
            pairing="paired",
            method=f"{found.method}, t",
            adjustment=adjust,
            level=self.level,
            test="t",
        )

    def average(self, image: str, how: str = "vertical", **options: Any) -> AverageCurve:
        """The curve of one image over cases: "pooled", "vertical" or "threshold", or another of ``rl.average``.

        Cases without a lesion have no curve and are passed over.
        """
        check_choice(image, "image", self.names)
        ids = np.asarray(self.voxels.ids)
        both = np.isin(ids, np.unique(ids[self.voxels.label]))
        chosen = self.voxels.select(image).only(both)
        words = np.array([case.name for case in self.cases])
        chosen = replace(chosen, folds=words[np.asarray(chosen.ids)])
        found: AverageCurve = average(chosen, how=how, level=self.level, **options)  # type: ignore[call-overload]
        return found

    def threshold(
        self, image: str | None = None, *, sensitivity: float | None = None, prevalence: float | None = None,
        cost_fp: float | None = None, cost_fn: float | None = None,
    ) -> float:  # fmt: skip
        """Where to cut an image: at the highest threshold with a sensitivity over voxels, or at the least cost.

        Without a prevalence that of the voxels counts. A threshold that is chosen and judged on the same cases looks
        better than it is: choose it in one group and pass it on to another.
        """
        chosen = self._image(image)
        if (sensitivity is None) == (cost_fp is None and cost_fn is None):
            raise InputError("sensitivity", "or both costs must be given, and not all of them",
                             Words("neither" if sensitivity is None else "all"))  # fmt: skip
        one = self.voxels.select(chosen)
        one = replace(one, ids=None)
        if sensitivity is not None:
            return float(cutoff(one, criterion="required", require={"sensitivity": sensitivity}).threshold)
        share = float(self.voxels.label.mean()) if prevalence is None else prevalence
        return float(cutoff(one, criterion="cost", prevalence=share, cost_fp=cost_fp, cost_fn=cost_fn).threshold)

    def regions(
        self, threshold: float, *, image: str | None = None, smallest: float = 0.0, rng: Any = 0,
        resampling: int = 1000,
    ) -> DceRegions:  # fmt: skip
        """Connected regions above a threshold: Dice, volume error and FROC by lesion; see :class:`DceRegions`."""
        chosen = self._image(image)
        return find_regions(
            [(case.name, case.images[chosen], case.inside, case.lesions, case.place) for case in self.cases], chosen,
            float(threshold), smallest=smallest, level=self.level, resampling=resampling, rng=rng,
        )  # fmt: skip

    def plot(self, to: Any = None, /, **looks: Any) -> Any:
        """Curves of every image, averaged over cases; the name of a file as ``to`` also writes them."""
        import importlib

        return importlib.import_module("roclab.plots.dce").plot_case_curves(self, to, **looks)

    def _image(self, image: str | None) -> str:
        return check_choice(self.names[0] if image is None else image, "image", self.names)

    def _asked(self, quantity: str) -> tuple[Cases, Area]:
        """Voxels and area of a quantity."""
        if quantity == "AUC malignant":
            return self.voxels.only((self.lesion == 0) | (self.lesion > MALIGNANT)), area_asked()
        if quantity == "AUC benign":
            return self.voxels.only(self.lesion < MALIGNANT), area_asked()
        if quantity == "AUC":
            return self.voxels, area_asked()
        most = self.fpr[self.quantities.index(quantity) - 1]
        return self.voxels, area_asked(None, Region(fpr=(0.0, most), standardize=self.standardize))

    def _values(self, quantity: str) -> ClusteredValues | Undefined:
        """Values of all images with their covariance from case to case; undefined where it cannot be seen."""
        if quantity not in self._kept:
            self._kept[quantity] = self._computed(quantity)
        found: ClusteredValues | Undefined = self._kept[quantity]
        return found

    def _computed(self, quantity: str) -> ClusteredValues | Undefined:
        ids = np.asarray(self.voxels.ids)
        if quantity == "CNR":
            return contrast_to_noise(self.voxels.label, dict(self.voxels.scores), ids, self.n_cases)
        cases, area = self._asked(quantity)
        held = np.unique(np.asarray(cases.ids)[cases.label]).size
        if held == 0:
            return Undefined("no case has such a lesion")
        if held == 1:
            return Undefined("one case alone has such lesions, which shows no spread between cases")
        return values_of_areas(covariance_of_clusters(cases, area), self.n_cases)

    def _measured(self, quantity: str) -> list[ImageMeasure]:
        made = partial(ImageMeasure, quantity=quantity)
        known = self._values(quantity)
        if isinstance(known, Undefined):
            cases, area = self._asked(quantity)
            limits = Interval(low=known, high=known, level=self.level, method="clustered by case")
            return [
                made(image=name, value=area.estimate(cases.tally(name)) if cases.label.any() else known,
                     standard_error=known, interval=limits)
                for name in self.names
            ]  # fmt: skip
        return [
            made(image=name, value=_known(float(known.values[at])), standard_error=known.error(name),
                 interval=known.interval(name, level=self.level))
            for at, name in enumerate(self.names)
        ]  # fmt: skip

    def rows(self) -> list[dict[str, Any]]:
        """One row per image and quantity."""
        percent = f"{100 * self.level:g}%"
        return [
            {"image": measure.image, "quantity": measure.quantity, "estimate": measure.value,
             "std. error": measure.standard_error,
             f"{percent} low": measure.interval.low, f"{percent} high": measure.interval.high}
            for measure in self.measures()
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Every number but those of voxels."""
        return {
            "group": self.group, "cases": [case.name for case in self.cases], "models": list(self.models),
            "lesion_voxels": int(self.voxels.label.sum()), "normal_voxels": int((~self.voxels.label).sum()),
            "measures": [
                {name: None if isinstance(value, Undefined) else value for name, value in row.items()}
                for row in self.rows()
            ],
            "standardize": self.standardize, "scale": self.scale, "smoothing": self.smoothing, "level": self.level,
            "notes": list(self.notes),
        }  # fmt: skip

    def __str__(self) -> str:
        shown = []
        for name in self.names:
            row: dict[str, Any] = {"image": name}
            for quantity in self.quantities:
                one = self.measure(name, quantity)
                low, high = one.interval
                ends = "" if isinstance(low, Undefined) else f" ({_digits(low)} to {_digits(high)})"
                row[quantity] = f"{_digits(one.value)}{ends}"
            shown.append(row)
        lesions = sum(np.unique(case.lesions[case.lesions > 0]).size for case in self.cases)
        size = (
            f"{plural(self.n_cases, 'case')}, {plural(lesions, 'lesion')}; {self.voxels.label.sum():,} lesion voxels "
            f"and {(~self.voxels.label).sum():,} normal ones"
        )
        limits = "one case, no intervals" if self.n_cases < 2 else f"{100 * self.level:g}% intervals clustered by case"
        summary = (
            f"{limits}; partial areas on the scale {self.standardize!r}; "
            f"subtraction images {self.scale}; smoothing {self.smoothing:g} mm"
        )
        head = [f"{self.group}: {size}" if self.group else size, ""]
        return "\n".join([*head, text_table(shown), "", summary, *self.notes, RESEARCH])


def _known(value: float) -> float:
    return Undefined("normal voxels all have one value") if math.isnan(value) else value


def _digits(value: float) -> str:
    return "undefined" if isinstance(value, Undefined) else format_number(round(value, 3)).removesuffix("0")
