"""What a paper says about how rates were compared: one paragraph that names the authors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from roclab._core.text import format_number

if TYPE_CHECKING:
    from roclab.decisions.rate_results import RateComparison

__all__ = ["methods_of_rates"]

_OWN = "a combination whose coverage was found by simulation"


def methods_of_rates(found: RateComparison) -> str:
    """The paragraph for a comparison."""
    return " ".join(part for part in (_design(found), *_limits(found), _family(found), _claims(found)) if part)


def _design(found: RateComparison) -> str:
    names = " and ".join([", ".join(found.names[:-1]), found.names[-1]])
    who = "in different cases" if found.pairing.startswith("different") else "on the same cases"
    at = ", ".join(f"{name} {format_number(value)}" for name, value in found.thresholds.items())
    fixed = f" at thresholds fixed beforehand ({at})" if at else ""
    return f"{_listed(found.metrics)} of {names} were compared {who}{fixed}."


def _limits(found: RateComparison) -> list[str]:
    different = found.pairing.startswith("different")
    asked = set(found.metrics)
    rates, values = asked & {"sensitivity", "specificity", "accuracy"}, asked & {"ppv", "npv"}
    said = []
    first = found.pairs[0]
    if different and (rates or values):
        said.append(
            "Differences have the score limits of Miettinen and Nurminen (1985), ratios those of Koopman (1984)."
        )
    elif rates:
        one = next(pair for pair in found.pairs if pair.metric in rates)
        said.append(f"{_listed(sorted(rates))}: limits of the difference by {one.interval.method}, of the ratio by "
                    f"{one.ratio_interval.method}; test: {one.test}.")  # fmt: skip
    if values and not different:
        one = next(pair for pair in found.pairs if pair.metric in values)
        said.append(f"Predictive values: limits from Wilson's of each with the correlation of influences (Zou and "
                    f"Donner 2008), {_OWN}; test: {one.test}.")  # fmt: skip
    if asked & {"lr_plus", "lr_minus"}:
        parts = "Koopman's" if different else "Tang's (2003)"
        said.append(f"Ratios of likelihood ratios: MOVER of two of {parts} limits, {_OWN}.")
    if "net_benefit" in asked:
        parts = "Wilson's" if different else "Tango's"
        said.append(f"Net benefit at {found.probability:g} (Vickers and Elkin 2006): MOVER of {parts} limits, {_OWN}.")
    if first.df < float("inf"):
        said.append("Counts were divided by their design effects (Rao and Scott 1992; Obuchowski 1998) and referred to "
                    "Student's t.")  # fmt: skip
    return said


def _family(found: RateComparison) -> str:
    said = "; ".join(dict.fromkeys(f"{test.name} for all at once" for test in found.equality))
    if len(found.names) < 3 or found.adjustment == "none":
        return f"{said}." if said else ""
    how = "Limits and p-values hold for all pairs together" if found.adjustment == "max-t" else (
        f"p-values were adjusted by {found.adjustment} in each metric"
    )  # fmt: skip
    return f"{how}; {said}." if said else f"{how}."


def _claims(found: RateComparison) -> str:
    if not found.claims:
        return ""
    one = found.claims[0]
    return (
        f"{one.claim[0].upper()}{one.claim[1:]} was judged within a {one.scale} of {one.margin:g} at a one-sided "
        f"{100 * one.alpha:g}%."
    )


def _listed(words: Iterable[str]) -> str:
    shown = [one.replace("_", " ") for one in words]
    text = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
    return text[0].upper() + text[1:]
