"""Every printed number of the source texts beside ours, with a verdict on each.

What a text prints and what it only gives a formula for are kept apart: values of the second kind stand in a column and
under a verdict of their own, because they were computed by us, apart from roclab.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.text import text_table
from roclab.data.tally import Tally
from roclab.errors import FileError, Words
from roclab.inference.one_area.spss import spss_area, spss_table
from roclab.results import Result
from roclab.studies.bench_tables import bench_not_given, compare_bench
from roclab.studies.catalogue import SOURCES, TITLES
from roclab.studies.catalogue.shared import printed_json
from roclab.studies.simulated import compare_tables, tables_not_run
from roclab.studies.verdicts import UNEXPLAINED, VERDICTS, PrintedComparison, compared

__all__ = ["Reproduction", "reproduce"]

SHORT = dict(
    zip(
        VERDICTS,
        (
            "printed",
            "reference",
            "Monte-Carlo",
            "in error",
            "undocumented",
            "wording",
            "not public",
            "not given",
            "not run",
            "unexplained",
        ),
        strict=True,
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction(Result):
    """All comparisons, and some tables in the layout in which they are printed."""

    comparisons: tuple[PrintedComparison, ...]
    layouts: dict[str, str]
    replicates: int | None  # of the simulations; None where they were not run
    seed: int | None

    @property
    def unexplained(self) -> tuple[PrintedComparison, ...]:
        """Differences without a reason; there must be none."""
        return tuple(one for one in self.comparisons if one.verdict == UNEXPLAINED)

    def of_source(self, source: str) -> list[PrintedComparison]:
        """The comparisons of one source."""
        return [one for one in self.comparisons if one.source == source]

    def sources(self) -> dict[str, str]:
        """Names and titles of the sources compared."""
        present = {one.source for one in self.comparisons}
        return {name: title for name, title in TITLES.items() if name in present}

    def summary(self) -> list[dict[str, Any]]:
        """How often each verdict fell, a row for each source and one for all."""
        out = []
        groups = {name: self.of_source(name) for name in self.sources()} | {"all": list(self.comparisons)}
        for name, rows in groups.items():
            counts = {SHORT[verdict]: sum(one.verdict == verdict for one in rows) for verdict in VERDICTS}
            out.append({"source": name, "examples": len(rows), **counts})
        return out

    def rows(self) -> list[dict[str, Any]]:
        """One row per printed value."""
        names = PrintedComparison.__dataclass_fields__
        return [{name: getattr(one, name) for name in names} for one in self.comparisons]

    def __str__(self) -> str:
        lines = [text_table(self.summary())]
        if self.unexplained:
            shown = [
                {k: v for k, v in row.items() if k != "reason"} for row in self.rows() if row["verdict"] == UNEXPLAINED
            ]
            lines += ["", "Unexplained differences:", text_table(shown)]
        else:
            lines += ["", "No difference is unexplained."]
        return "\n".join(lines)


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
        A folder with data that cannot be bundled: dmd_carriers.csv, and phoneme.csv and pima.csv, on which the
        classifiers of the Italian tables 3.3 to 3.5 are then trained and tested (half a minute).
    replicates, rng, workers, progress, resume
        For the simulations, as in :func:`~roclab.studies.runner.run_study`.

    Examples
    --------
    >>> found = reproduce(sources=["slovenian"])
    >>> found.unexplained
    ()
    >>> found.comparisons[0].verdict
    'same to the printed digits'
    """
    for name in sources:
        check_choice(name, "sources", SOURCES)
    folder = None if data is None else Path(data)
    if folder is not None and not folder.is_dir():
        raise FileError("data", "must be a folder that exists", Words(data), "leave it out to skip what needs it")
    comparisons: list[PrintedComparison] = []
    layouts = {"SPSS table of areas, Slovenian table 5.3": _spss_layout()}
    simulated = False
    for name in [name for name in SOURCES if name in sources or not sources]:
        comparisons += [compared(one, source=name) for part in SOURCES[name] for one in part(folder)]
        if name == "italian":
            comparisons += (
                bench_not_given()
                if folder is None
                else compare_bench(folder, rng=rng, workers=workers, progress=progress)
            )
        if name != "greek":
            continue
        if not simulations:
            comparisons += tables_not_run()
            continue
        rows, study = compare_tables(replicates=replicates, rng=rng, workers=workers, progress=progress, resume=resume)
        comparisons += rows
        layouts["Simulation tables"] = study.layout()
        simulated = True
    return Reproduction(
        comparisons=tuple(comparisons),
        layouts=layouts,
        replicates=replicates if simulated else None,
        seed=rng if simulated else None,
    )


def _spss_layout() -> str:
    example = printed_json("worked_examples.json")["slovenian_table_5_3"]
    tally = Tally.from_labels(np.array(example["label"], bool), np.array(example["score"], float))
    return spss_table([("score", spss_area(tally))])
