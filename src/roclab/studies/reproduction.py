"""What the source texts print or claim beside ours: four kinds of values, a verdict on each, and the counts of both.

The kinds are never mixed (:mod:`roclab.studies.verdicts`): a value counts as printed only where it is known to stand in
the text or in a work that it cites.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roclab._core.checks import check_choice
from roclab._core.text import text_table
from roclab.errors import FileError, Words
from roclab.inference.one_area.spss import SpssTable, spss_area
from roclab.names import SOURCE_TEXTS
from roclab.results import Result
from roclab.studies.bench_tables import HalfSplits, compare_bench
from roclab.studies.catalogue import TITLES, examples_of
from roclab.studies.catalogue.reading import Remark, remarks_in
from roclab.studies.catalogue.samples import sample_of
from roclab.studies.origins import ORIGINS
from roclab.studies.simulated import compare_tables, tables_not_run
from roclab.studies.verdicts import (
    AGREEING,
    DOES_NOT_HOLD,
    IN_ERROR,
    KINDS,
    NOT_GIVEN,
    NOT_PUBLIC,
    NOT_RUN,
    UNDOCUMENTED,
    UNEXPLAINED,
    VERDICTS,
    Kind,
    ReproductionRow,
    compared,
)  # fmt: skip

__all__ = ["Reproduction", "reproduce"]

_COLUMNS = {  # of the summary
    "agree": AGREEING,
    "in error": (IN_ERROR, DOES_NOT_HOLD),
    "undocumented": (UNDOCUMENTED,),
    "not compared": (NOT_PUBLIC, NOT_GIVEN, NOT_RUN),
    "unexplained": (UNEXPLAINED,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction(Result):
    """All comparisons, and some tables in the layout in which they are printed."""

    comparisons: tuple[ReproductionRow, ...]
    remarks: dict[str, tuple[Remark, ...]]  # of each text: mistakes in words or formulas that no number shows
    layouts: dict[str, str]
    curves: dict[str, dict[str, HalfSplits]]  # of the classifiers that were trained again, by data set
    replicates: int | None  # of the simulations; None where they were not run
    seed: int | None

    @property
    def unexplained(self) -> tuple[ReproductionRow, ...]:
        """Differences without a reason; there must be none."""
        return tuple(comparison for comparison in self.comparisons if comparison.verdict == UNEXPLAINED)

    def of_source(self, source: str, kind: Kind | None = None) -> list[ReproductionRow]:
        """The comparisons of one text, of one kind or of all."""
        return [
            comparison
            for comparison in self.comparisons
            if comparison.source == source and kind in (None, comparison.kind)
        ]

    def sources(self) -> dict[str, str]:
        """Names and titles of the texts compared."""
        return {name: title for name, title in TITLES.items() if name in self.remarks}

    def summary(self) -> list[dict[str, Any]]:
        """Agreement within each of the four kinds."""
        out: list[dict[str, Any]] = []
        for kind, words in KINDS.items():
            verdicts = [comparison.verdict for comparison in self.comparisons if comparison.kind == kind]
            counts = {name: sum(one in which for one in verdicts) for name, which in _COLUMNS.items()}
            out.append({"compared with": words, "rows": len(verdicts), **counts})
        return out

    def by_verdict(self) -> dict[str, dict[str, int]]:
        """How often each verdict fell within each kind that occurs, in words."""
        out = {}
        for kind, words in KINDS.items():
            counts = Counter(comparison.verdict for comparison in self.comparisons if comparison.kind == kind)
            if counts:
                out[words] = {verdict: counts[verdict] for verdict in VERDICTS if counts[verdict]}
        return out

    def by_source(self) -> list[dict[str, str]]:
        """Agreement within each of the four kinds, text by text."""
        short = dict(zip(KINDS, ("printed", "cited work", "formula or claim", "own reference"), strict=True))
        return [
            {"text": name, **{words: _counts(self.of_source(name, kind)) for kind, words in short.items()}}
            for name in self.sources()
        ]

    def missing_data(self) -> dict[str, str]:
        """Public files that some rows still need, each with what it holds and where it comes from."""
        reasons = " ".join(comparison.reason for comparison in self.comparisons if comparison.verdict == NOT_GIVEN)
        return {name: origin for name, origin in ORIGINS.items() if name in reasons}

    def rows(self) -> list[dict[str, Any]]:
        """One row per comparison."""
        names = ReproductionRow.__dataclass_fields__
        return [{name: getattr(comparison, name) for name in names} for comparison in self.comparisons]

    def __str__(self) -> str:
        lines = [text_table(self.summary()), ""]
        for words, counts in self.by_verdict().items():
            counted = "; ".join(f"{count} × {verdict}" for verdict, count in counts.items())
            lines.append(f"{words[0].upper()}{words[1:]}: {counted}.")
        if count := sum(map(len, self.remarks.values())):
            lines.append(f"Beside these {count} mistakes in words or formulas, which no number shows.")
        lines += ["", text_table(self.by_source())]
        if missing := self.missing_data():
            lines += ["", "Public data that roclab may not ship; put the files into a folder and name it (--data):"]
            lines += [f"  {name}: {origin}" for name, origin in missing.items()]
        if any(comparison.verdict == NOT_RUN for comparison in self.comparisons):
            lines += ["", "The simulated tables I to X were not run (--all)."]
        if self.unexplained:
            shown = [
                {name: value for name, value in row.items() if name != "reason"}
                for row in self.rows()
                if row["verdict"] == UNEXPLAINED
            ]
            lines += ["", "Unexplained differences:", text_table(shown)]
        else:
            lines += ["", "No difference is unexplained."]
        return "\n".join(lines)


def _counts(rows: list[ReproductionRow]) -> str:
    counts = {name: sum(row.verdict in which for row in rows) for name, which in _COLUMNS.items()}
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "-"


def reproduce(
    *,
    sources: Sequence[str] = (),
    simulations: bool = False,
    data: str | Path | None = None,
    replicates: int = 1000,
    rng: int = 1,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    resume: str | None = None,
) -> Reproduction:
    """Recompute the tables and worked examples of the source texts.

    Parameters
    ----------
    sources : sequence of "italian", "slovenian", "russian", "english", "greek", "formulas"
        Which texts; all by default.
    simulations : bool
        Also simulate the Greek tables I to X, which takes a minute or two; else they are listed as not run.
    data : path, optional
        A folder with public data that may not be shipped: dmd_carriers.csv, and phoneme.csv and pima.csv, on which the
        classifiers of the Italian tables 3.3 to 3.5 are then trained and tested (half a minute). The result says what
        each holds and where it comes from.
    replicates, rng, workers, progress, resume
        For the simulations, as in :func:`~roclab.studies.runner.run_study`.

    Examples
    --------
    >>> found = reproduce(sources=["slovenian"])
    >>> found.unexplained
    ()
    >>> found.comparisons[0].kind, found.comparisons[0].verdict
    ('formula', 'holds')
    """
    for name in sources:
        check_choice(name, "sources", SOURCE_TEXTS)
    folder = None if data is None else Path(data)
    if folder is not None and not folder.is_dir():
        raise FileError("data", "must be a folder that exists", Words(data), "leave it out to skip what needs it")
    comparisons: list[ReproductionRow] = []
    remarks: dict[str, tuple[Remark, ...]] = {}
    layouts: dict[str, str] = {}
    curves: dict[str, dict[str, HalfSplits]] = {}
    simulated = False
    for source in [name for name in SOURCE_TEXTS if name in sources or not sources]:
        comparisons += [compared(one, source=source) for one in examples_of(source, folder)]
        remarks[source] = tuple(remarks_in(source))
        if source == "slovenian":
            ten = {"score": spss_area(sample_of("slovenian10", None))}
            table = SpssTable(areas=ten, positive="1", negative="0", level=0.95, dropped=0, skipped={})
            layouts["SPSS table of areas, Slovenian table 5.3"] = str(table)
        elif source == "italian":
            rows, curves = compare_bench(folder, rng=rng, workers=workers, progress=progress)
            comparisons += rows
        elif source == "greek" and not simulations:
            comparisons += tables_not_run()
        elif source == "greek":
            rows, study = compare_tables(
                replicates=replicates, rng=rng, workers=workers, progress=progress, resume=resume
            )
            comparisons += rows
            layouts["Simulation tables"] = study.layout()
            simulated = True
    return Reproduction(
        comparisons=tuple(comparisons),
        remarks=remarks,
        layouts=layouts,
        curves=curves,
        replicates=replicates if simulated else None,
        seed=rng if simulated else None,
    )
