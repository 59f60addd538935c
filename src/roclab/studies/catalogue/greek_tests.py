"""The Greek thesis, chapter 1: rank tests and Kolmogorov's test with its exact level for discrete distributions."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

from roclab.rank_tests.discrete import DiscreteKolmogorov, discrete_kolmogorov, one_sided_level
from roclab.rank_tests.kolmogorov import CdfBand, Kolmogorov, cdf_band, kolmogorov
from roclab.studies.catalogue.shared import note, printed_json
from roclab.studies.verdicts import PrintedExample

__all__ = ["examples"]


def _example(name: str) -> Any:
    return printed_json("worked_examples.json")[name]


def _uniform() -> Kolmogorov:
    return kolmogorov(_example("greek_kolmogorov_example_1")["sample"], lambda x: x)


def _discrete() -> DiscreteKolmogorov:
    sample = _example("greek_kolmogorov_example_2")["sample"]
    return discrete_kolmogorov(sample, [1, 2, 3, 4, 5], ["1/5"] * 5)


def _band() -> CdfBand:
    return cdf_band(_example("greek_band_example_3")["sample"], level=0.90)


# Conover's recursion for ten values, five equal steps and t = 4/10, in fractions. The text writes f and e for one side,
# c and b for the other; both are the same here.
_ASYMMETRIC = [Fraction(0), Fraction(7, 10), Fraction(9, 10), Fraction(1)]
FIFTH = Fraction(1, 5)
BOTTOMS = [Fraction(j) * FIFTH for j in (3, 2, 2, 1, 1, 0, 0)]
TOPS = [Fraction(j) * FIFTH for j in (3, 3, 2, 2, 1, 1, 0)]


def _weights(heights: list[Fraction], *, as_printed: bool = False) -> list[Fraction]:
    """e_0 = 1, e_k = 1 - sum over j < k of C(k, j) f_j^(k-j) e_j; as printed, f with the index k - j instead."""
    out: list[Fraction] = []
    for k in range(len(heights)):
        terms = (comb(k, j) * (heights[k - j] if as_printed else heights[j] ** (k - j)) * out[j] for j in range(k))
        out.append(1 - sum(terms, Fraction(0)))
    return out


def _level(heights: list[Fraction], *, as_printed: bool = False) -> float:
    weights = _weights(heights, as_printed=as_printed)
    return float(sum(comb(10, j) * heights[j] ** (10 - j) * weights[j] for j in range(len(heights))))


def examples(data: Path | None) -> list[PrintedExample]:
    """All examples of the chapter; none needs outside data."""
    one, two, three = "1.4.1 example 1", "1.4.2 example 2", "1.4.2 example 3"
    return [
        PrintedExample(where=one, quantity="T", printed=0.290, ours=lambda: _uniform().t, digits=3),
        PrintedExample(
            where=one,
            quantity="T+",
            printed=0.229,
            ours=lambda: _uniform().t_plus,
            digits=3,
            reason="E44: the text reads it off with .2289, which it rounds; the supremum is the left limit .329 - .1",
        ),
        PrintedExample(where=one, quantity="T-", printed=0.290, ours=lambda: _uniform().t_minus, digits=3),
        PrintedExample(
            where=one, quantity="critical value at 0.05", printed=0.409, ours=lambda: _uniform().critical, digits=3
        ),
        PrintedExample(
            where=two,
            quantity="heights f",
            printed=(0.6, 0.4, 0.4, 0.2, 0.2, 0.0),
            ours=lambda: [one.f for one in _discrete().steps[:6]],
        ),
        PrintedExample(
            where=two,
            quantity="weights e",
            printed=(1.0, 0.4, 0.32, 0.208, 0.2944),
            ours=lambda: [one.e for one in _discrete().steps[:5]],
            reason="E10: the line of e_4 prints the factor 0.4 for 0.2; its result is right",
        ),
        PrintedExample(
            where="1.4.2 eq 11",
            quantity="one-sided level",
            printed=0.2081,
            ours=lambda: _discrete().p_minus,
            digits=4,
            erratum="E9",
            correct=0.0208086016,
            correct_digits=10,
        ),
        PrintedExample(
            where=two, quantity="two-sided level", printed=0.04162, ours=lambda: _discrete().p_two_sided, digits=5
        ),
        PrintedExample(
            where="1.4.2 B step 1",
            quantity="one-sided level with the height at the top of a jump, as the rule says",
            printed=lambda: _level(TOPS),
            ours=lambda: _discrete().p_minus,
            digits=4,
            erratum="E6",
            correct=0.02081,
            correct_digits=5,
        ),
        PrintedExample(
            where="1.4.2 eq 8",
            quantity="one-sided level by the printed recursion",
            printed=lambda: _level(BOTTOMS, as_printed=True),
            ours=lambda: _discrete().p_minus,
            digits=4,
            erratum="E8",
            correct=0.02081,
            correct_digits=5,
        ),
        PrintedExample(
            where=three, quantity="width of the 90% band", printed=0.265, ours=lambda: _band().width, digits=3
        ),
        PrintedExample(
            where=three,
            quantity="band at the smallest value 16.7",
            printed=(0.0, 0.315),
            ours=lambda: (_band().low[0], _band().high[0]),
            digits=3,
        ),
        PrintedExample(
            where="1.4.2",
            quantity="Pr(T+ >= 1/2) for probabilities .7, .2, .1 and six values, by f and e as the text pairs them",
            printed=lambda: float(one_sided_level(Fraction(1, 2), 6, _ASYMMETRIC, side="minus")),
            ours=lambda: float(one_sided_level(Fraction(1, 2), 6, _ASYMMETRIC, side="plus")),
            digits=4,
            erratum="E45",
            correct=0.01167,
            correct_digits=5,
        ),
        note("E12", three, "one value of the sample, and names of the bounds"),
        note("E11", "1.4.2", "t* and the quantile that rejects"),
        note("E39", "1.2-1.3", "ties in rank tests"),
    ]
