"""The ways ``roclab compare`` asks the library, one function per kind of data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from roclab.areas.empirical import auc
from roclab.cli.answers import Answers, CurveTests
from roclab.data.cases import Cases
from roclab.errors import InputError, Words
from roclab.inference.comparison.clustered import covariance_of_clusters
from roclab.inference.comparison.compare import Comparison, compare_areas, compare_by_bootstrap, with_adjusted
from roclab.inference.comparison.contrasts import Difference, named_contrast
from roclab.inference.comparison.covariance import AreaCovariance, covariance_of_cases, covariance_of_groups
from roclab.inference.comparison.margins import margin_test
from roclab.inference.comparison.multiplicity import adjusted
from roclab.inference.comparison.published import PublishedArea, compare_published, hanley_mcneil_1983
from roclab.inference.comparison.venkatraman import venkatraman_paired, venkatraman_unpaired
from roclab.inference.one_area.bootstrap import Resampling
from roclab.inference.one_area.estimate import Area, StandardError, estimate_area
from roclab.inference.one_curve.fixed_rate import compare_at_rate, rate_at
from roclab.results import AreaEstimate, Result, TestResult

__all__ = ["Asked", "groups", "papers", "same_cases"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What all ways of comparing share."""

    method: str
    what: Area
    level: float
    ci: str | None
    adjust: Any
    alternative: Any
    resampling: Resampling
    seed: int
    margin: float | None
    claim: Any
    contrast: Mapping[str, float] | None
    rate: Mapping[str, float]

    @property
    def tested(self) -> dict[str, Any]:
        """Options of every comparison of areas."""
        return {"level": self.level, "adjust": self.adjust, "alternative": self.alternative}

    @property
    def drawn(self) -> dict[str, Any]:
        """Options of everything that resamples."""
        return {"resampling": self.resampling, "rng": self.seed}

    def areas(self, data: Mapping[str, Cases], standard_error: StandardError | None = None) -> list[AreaEstimate]:
        """The area of each score with the interval asked for."""
        return [
            estimate_area(
                cases.tally(name),
                self.what,
                level=self.level,
                interval=self.ci or "logit",
                standard_error=standard_error,
                **self.drawn,
            )
            for name, cases in data.items()
        ]


# -- scores of the same cases ----------------------------------------------------------------------


def same_cases(cases: Cases, asked: Asked) -> Result:
    """Several scores of one file."""
    if len(cases.names) < 2:
        raise InputError(
            "", "a comparison needs two scores", Words(f"{cases.names[0]} only"), "name another one with --score"
        )
    data = dict.fromkeys(cases.names, cases)
    pairs = list(combinations(cases.names, 2))
    if asked.rate:
        return _at_rate(cases, pairs, asked)
    if asked.method == "venkatraman":
        return _curve_tests([venkatraman_paired(cases, *pair, **asked.drawn) for pair in pairs], data, asked)
    if asked.method == "hanley_mcneil":
        found = [hanley_mcneil_1983(cases, *pair, level=asked.level, alternative=asked.alternative) for pair in pairs]
        return Answers(
            areas=tuple(asked.areas(data, "hanley_mcneil")),
            results=with_adjusted([difference for difference, _, _ in found], asked.adjust),
            method="paired; Hanley-McNeil 1983",
            adjustment=asked.adjust,
            notes=tuple(
                line
                for difference, r, notes in found
                for line in (f"{difference.first} and {difference.second}: correlation of the areas {r:.4f}", *notes)
            ),
        )
    return _answer(_compared(cases, asked), asked)


def _compared(cases: Cases, asked: Asked) -> Comparison:
    """The same as ``roclab.compare``, with the interval asked for."""
    if asked.method == "clustered":
        covariance = covariance_of_clusters(cases, asked.what)
        return compare_areas(covariance, **asked.tested)
    data = dict.fromkeys(cases.names, cases)
    if asked.method == "delong":
        covariance = covariance_of_cases(cases, asked.what)  # first: it refuses areas that it cannot compare
        areas = None if asked.ci is None else asked.areas(data)
        return compare_areas(covariance, areas=areas, **asked.tested)
    clustered = asked.method == "clustered_bootstrap"
    return compare_by_bootstrap(cases, asked.what, clustered=clustered, **asked.drawn, **asked.tested)


def _at_rate(cases: Cases, pairs: Sequence[tuple[str, str]], asked: Asked) -> Answers:
    rate: dict[str, Any] = dict(asked.rate)
    differences = [
        compare_at_rate(
            cases, pair[0], pair[1], **rate, level=asked.level, alternative=asked.alternative, **asked.drawn
        )
        for pair in pairs
    ]
    return Answers(
        areas=tuple(rate_at(cases.tally(name), **rate, level=asked.level, **asked.drawn) for name in cases.names),
        results=with_adjusted(differences, asked.adjust),
        method=f"paired; {differences[0].interval.method}",
        adjustment=asked.adjust,
    )


# -- one score of each file ------------------------------------------------------------------------


def groups(data: Mapping[str, Cases], pairing: Any, asked: Asked) -> Result:
    """One score each of several files."""
    if pairing is None:
        raise InputError(
            "--pairing",
            "must say how the cases of several files belong together",
            Words("none"),
            "write unpaired, or paired or mixed with --id",
        )
    if asked.rate:
        raise InputError(
            "", "rates are compared on the same cases", Words("several files"), "put the scores into one file"
        )
    if asked.method == "delong":
        covariance = covariance_of_groups(data, asked.what, pairing=pairing)
        areas = None if asked.ci is None else asked.areas(data)
        return _answer(compare_areas(covariance, areas=areas, **asked.tested), asked)
    if pairing != "unpaired" or asked.method not in ("venkatraman", "hanley_mcneil"):
        raise InputError(
            "",
            f"--method {asked.method} needs all scores in one file",
            Words(f"{len(data)} files and --pairing {pairing}"),
            "join the files, or use --method delong",
        )
    if asked.method == "venkatraman":
        tests = [venkatraman_unpaired(one, two, **asked.drawn) for one, two in combinations(data.values(), 2)]
        return _curve_tests(tests, data, asked)
    estimates = asked.areas(data, "hanley_mcneil")
    reported = [
        PublishedArea(name=name, area=auc(cases.tally()), n_pos=one.n_pos, n_neg=one.n_neg)
        for (name, cases), one in zip(data.items(), estimates, strict=True)
    ]
    differences = _differences(reported, 0.0, level=asked.level, alternative=asked.alternative)
    return Answers(
        areas=tuple(estimates),
        results=with_adjusted(differences, asked.adjust),
        method="unpaired; Hanley-McNeil 1982",
        adjustment=asked.adjust,
    )


# -- areas from papers -----------------------------------------------------------------------------

_REPORTED = re.compile(r"(?P<name>.+):(?P<area>[^:]+):(?:n=(?P<pos>[^+]+)\+(?P<neg>[^+]+)|se=(?P<se>.+))")


def papers(texts: Sequence[str], r: float | None, *, level: float, adjust: Any, alternative: Any) -> Answers:
    """Areas typed from papers."""
    reported = [_reported(text) for text in texts]
    names = [one.name for one in reported]
    if len(names) < 2 or len(set(names)) < len(names):
        raise InputError(
            "--published", "must be given for two areas of different names or more", Words(f"{', '.join(names)}")
        )
    found = _differences(reported, r or 0.0, level=level, alternative=alternative)
    return Answers(
        areas=(),
        results=with_adjusted(found, adjust),
        method=f"areas from papers, {found[0].interval.method}",
        adjustment=adjust,
        notes=tuple(f"{one.name}: area {one.area:g}, standard error {one.se():.4f}" for one in reported),
    )


def _reported(text: str) -> PublishedArea:
    found = _REPORTED.fullmatch(text.strip())
    try:
        if found is None:
            raise ValueError
        numbers = {name: None if found[name] is None else float(found[name]) for name in ("area", "pos", "neg", "se")}
    except ValueError:
        raise InputError(
            "--published",
            "must be written NAME:AREA:n=POS+NEG or NAME:AREA:se=SE",
            text,
            "for instance CT:0.893:n=51+58",
        ) from None
    assert numbers["area"] is not None
    return PublishedArea(
        name=found["name"],
        area=numbers["area"],
        standard_error=numbers["se"],
        n_pos=numbers["pos"],
        n_neg=numbers["neg"],
    )


def _differences(reported: Sequence[PublishedArea], r: float, *, level: float, alternative: Any) -> list[Difference]:
    return [
        compare_published(one, two, correlation=r, level=level, alternative=alternative)
        for one, two in combinations(reported, 2)
    ]


# -- answers ---------------------------------------------------------------------------------------


def _answer(comparison: Comparison, asked: Asked) -> Result:
    """The comparison itself, or what was asked of it."""
    if asked.margin is None and asked.contrast is None:
        return comparison
    covariance = _covariance(comparison, asked.what)
    results: tuple[Result, ...]
    if asked.contrast is not None:
        results = (named_contrast(covariance, asked.contrast, level=asked.level, alternative=asked.alternative),)
    else:
        assert asked.margin is not None
        first, *others = covariance.names
        results = tuple(
            margin_test(covariance, first, other, margin=asked.margin, claim=asked.claim, level=asked.level)
            for other in others
        )
    return Answers(areas=comparison.areas, results=results, method=f"{comparison.pairing}; {comparison.method}")


def _covariance(comparison: Comparison, what: Area) -> AreaCovariance:
    return AreaCovariance(
        names=tuple(str(one.sample.score) for one in comparison.areas),
        areas=np.array([one.area for one in comparison.areas]),
        matrix=comparison.covariance,
        area=what,
        samples=tuple(one.sample for one in comparison.areas),
        pairing=comparison.pairing,  # type: ignore[arg-type]
        method=comparison.method,
    )


def _curve_tests(tests: Sequence[TestResult], data: Mapping[str, Cases], asked: Asked) -> CurveTests:
    return CurveTests(
        areas=tuple(asked.areas(data)),
        tests=tuple(tests),
        p_adjusted=tuple(adjusted([test.p_value for test in tests], asked.adjust)),
        adjustment=asked.adjust,
    )
