"""The page: templates, style and scripts joined into one file that needs nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

import roclab
from roclab._core.plain import plain
from roclab._core.svg import COLOURS, dash_of
from roclab._core.text import format_number, is_number
from roclab.analysis.reporting.content import with_interval
from roclab.report.forest import SHOWN, area_picture, difference_picture, forest_picture, pair_picture
from roclab.report.headline import answer, headline
from roclab.report.language import Say, in_english, in_language
from roclab.report.picture import (
    calibration_picture,
    distribution_picture,
    net_benefit_picture,
    roc_picture,
    troc_picture,
)
from roclab.report.time_picture import (
    areas_picture,
    benefit_picture,
    calibrated_picture,
    curve_pictures,
    states_picture,
)
from roclab.report.words import (
    calibration_rows,
    conditions_words,
    count_rows,
    cutoff_rows,
    data_rows,
    distribution_rows,
    fixed_rows,
    fold_rows,
    group_rows,
    group_words,
    left_out_rows,
    left_out_words,
    outline_words,
    pair_rows,
    promise_words,
    section_names,
)

if TYPE_CHECKING:
    from roclab.analysis.reporting.content import Report, ScoreReport
    from roclab.names import Language

__all__ = [
    "environment",
    "explorer_page",
    "json_in_html",
    "modules",
    "page_data",
    "report_page",
    "script_of",
    "without_imports",
]

_HERE = Path(__file__).parent
_MODULES = (  # what a module needs first
    "numbers.js",
    "words.js",
    "decimal.js",
    "decision.js",
    "intervals.js",
    "chart.js",
    "store.js",
    "panels.js",
    "legend.js",
    "cutoff_rows.js",
    "cutoff_table.js",
    "readout.js",
    "report.js",
)
_OWN_TITLES = ("ROC analysis", "Time to event")  # of reports without a title of the user's
_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)
_MEASURED = re.compile(r"((?:[≤≥] )?-?\d+(?:\.\d+)?(?:e[+-]\d+)?)(?: (\([-\d.e+∞–−]+(?: to [-\d.e+∞−]+)?\)))?")
_DECIMAL = re.compile(r"(?<![\w.])(?:[-−]?\d+\.\d+(?:e[+-]\d+)?%?)(?![\w]|\.\d)")

# What scripts say: word("…"), and the columns of the table of cut-offs.
_WORD = re.compile(r'(?:word\(|\["\w+", )"([^"]+)"')

_READOUT = (
    ("tpr", "sensitivity"),
    ("tnr", "specificity"),
    ("youden_j", "Youden's J"),
    ("accuracy", "accuracy"),
    ("ppv", "PPV in these data"),
    ("npv", "NPV in these data"),
    ("ppv_there", "PPV at the prevalence"),
    ("npv_there", "NPV at the prevalence"),
    ("f1", "F1"),
    ("lr_plus", "LR+"),
    ("lr_minus", "LR−"),
    ("slope", "slope of equal cost"),
    ("cost", "expected cost per case"),
    ("cost_best", "lowest expected cost"),
    ("threshold_best", "cut-off with lowest cost"),
)
_LARGE = (  # in per cent, as they are said
    ("tpr", "Sensitivity"), ("tnr", "Specificity"), ("ppv_there", "PPV at the prevalence"),
    ("npv_there", "NPV at the prevalence"),
)  # fmt: skip
_STRIP = (("tpr", "sensitivity"), ("tnr", "specificity"), ("ppv_there", "PPV at prev."), ("npv_there", "NPV at prev."))


@cache
def environment() -> Environment:
    """Templates that escape everything which is not marked as safe."""
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    made.filters |= {"number": _number, "short": "{:.10g}".format, "columns": _columns, "is_numeric": _is_numeric}
    made.filters |= {"decimals": _decimals, "measured": _measured}
    made.globals |= {"css": _css, "version": roclab.__version__, "_": in_english, "language": "en"}
    return made


def _columns(rows: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _is_numeric(rows: Sequence[dict[str, Any]], name: str) -> bool:
    return any(is_number(row.get(name)) for row in rows)


def _number(value: Any) -> str:
    """As everywhere, but with signs of infinity."""
    text = format_number(value)
    return {"inf": "∞", "-inf": "−∞"}.get(text, text) if is_number(value) else text


def _measured(text: str) -> Markup:
    """The text of a cell; a number with its interval is marked, and may wrap only between the two."""
    found = _MEASURED.fullmatch(text)
    if found is None:
        return escape(text)
    value, ends = found.group(1), found.group(2)
    shown = Markup('<span class="n">{}</span>').format(value)
    return shown if ends is None else shown + Markup(' <small class="n">{}</small>').format(ends)


def _decimals(text: str, names: Sequence[str] = ()) -> Markup:
    """A text whose numbers are marked, so that the page can turn their points into commas; names stay as they are."""
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
    # A class may be called "1": only whole words are names.
    parts = re.split(rf"(?<![\w.])({known})(?!\w|\.\d)", text) if known else [text]
    marked = [Markup("").join(_marked(part)) if at % 2 == 0 else escape(part) for at, part in enumerate(parts)]
    return Markup("").join(marked)


def _marked(text: str) -> Iterator[Markup]:
    start = 0
    for found in _DECIMAL.finditer(text):
        yield escape(text[start : found.start()])
        yield Markup('<span class="n">{}</span>').format(found.group())
        start = found.end()
    yield escape(text[start:])


def _css(name: str) -> Markup:
    return Markup((_HERE / "static" / name).read_text(encoding="utf-8"))


def modules() -> str:
    """The ES modules as one script: in order of need, without the lines that join them.

    A file opened from disk may not import its neighbours, so the page carries the modules inside. A server can hand
    out the same files as they are.
    """
    return script_of(_MODULES)


def script_of(names: Sequence[str]) -> str:
    """Some of the modules as one script, each behind those it needs."""
    return "\n".join(_EXPORT.sub("", without_imports(name)) for name in names)


def without_imports(name: str) -> str:
    """A script that is put behind those it needs."""
    return _IMPORT.sub("", (_HERE / "static" / name).read_text(encoding="utf-8"))


def report_page(report: Report, language: Language = "en") -> str:
    """One HTML file with everything inside; scripts and data are there only if curves are shown.

    In another language everything but the methods and references is translated, which stay as they are cited, in
    English; so does a note that nobody has translated.
    """
    template = environment().get_template("report.html")
    say = in_language(language)
    return template.render(
        _=say,
        language=language,
        title=_title(report, say),
        **(_explored(report, say) if report.scores else _unexplored(report)),
        **_over_time(report, say),
        answer=answer(report, say),
        headline=headline(report, say),
        conditions_words=conditions_words(report, say),
        sections=section_names(report),
        data_rows=data_rows(report),
        pair_rows=pair_rows(report),
        cutoff_rows=cutoff_rows(report),
        left_out_rows=left_out_rows(report),
        left_out_words=left_out_words(report),
        count_rows=count_rows(report),
        fixed_rows=fixed_rows(report),
        calibration_rows=calibration_rows(report),
        distribution_rows=distribution_rows(report),
        fold_rows=fold_rows(report),
        group_rows=group_rows(report),
        group_words=group_words(report),
        interval_methods=", ".join(dict.fromkeys(score.area.interval.method for score in report.scores)),
        outline_words=outline_words(report),
        names=[
            *(score.name for score in report.scores), *(report.time.names if report.time else ()),
            report.sample.positive, report.sample.negative,
        ],
        strip=_STRIP,
        forest_most=SHOWN,
        calibration_picture=Markup(calibration_picture(report, say) if report.shows("calibration") else ""),
        net_benefit_picture=Markup(net_benefit_picture(report, say) if report.shows("calibration") else ""),
        promise_words=promise_words(report) if report.shows("promise") else "",
        area_picture=Markup(area_picture(report, say) if report.shows("areas") else ""),
        pair_picture=Markup(pair_picture(report, say) if report.shows("comparison") else ""),
        rate_picture=Markup("" if report.rates is None else difference_picture(report.rates, say)),
        forest_picture=Markup(forest_picture(report, say) if report.shows("subgroups") else ""),
        troc_picture=Markup(troc_picture(report, say) if report.shows("stage") else ""),
        page_data=Markup(json_in_html({**page_data(report), **_spoken(say)}) if report.scores else ""),
        script=Markup(modules() if report.scores else ""),
    )  # fmt: skip


def _title(report: Report, say: Say) -> str:
    """The title; one that the user wrote is not ours to translate."""
    return say(report.title) if report.title in _OWN_TITLES else report.title


def _spoken(say: Say) -> dict[str, Any]:
    """The words of the scripts, where they are not English."""
    words = {word for name in _MODULES for word in _WORD.findall((_HERE / "static" / name).read_text(encoding="utf-8"))}
    spoken = {word: say(word) for word in sorted(words) if say(word) != word}
    return {"words": spoken} if spoken else {}


def explorer_page(report: Report) -> str:
    """The curves around one operating point alone, for a page of others that loads the scripts itself."""
    return environment().get_template("notebook.html").render(**_explored(report))


def _explored(report: Report, say: Say = in_english) -> dict[str, Any]:
    """What the part of the page around the operating point shows."""
    return {
        "report": report,
        "percent": f"{100 * report.level:g}%",
        "legend": _legend(report),
        "readout": _READOUT,
        "large": _LARGE,
        "banded": any(score.band is not None for score in report.scores),
        "roc_picture": Markup(roc_picture(report, say)),
        "first_picture": Markup(distribution_picture(report.best, say)),
    }


def _unexplored(report: Report) -> dict[str, Any]:
    """The same where there is no operating point: cases were followed, and have no two classes."""
    assert report.time is not None
    legend = [
        {"name": name, "place": place, "colour": place % len(COLOURS), "dash": dash_of(place)}
        for place, name in enumerate(report.time.names)
    ]
    return {"report": report, "percent": report.time.percent, "legend": legend}


def _over_time(report: Report, say: Say = in_english) -> dict[str, Any]:
    """The pictures of the section about time to event."""
    part = report.time
    if part is None or not report.shows("time"):
        return {"time_pictures": {}, "time_curves": []}
    pictures = {"areas": areas_picture(part, say), "states": states_picture(part, say)}
    if part.drawn_calibration:
        pictures |= {"calibration": calibrated_picture(part, say), "benefit": benefit_picture(part, say)}
    return {
        "time_pictures": {name: Markup(text) for name, text in pictures.items()},
        "time_curves": [(at, Markup(text)) for at, text in curve_pictures(part, say)],
    }


def _legend(report: Report) -> list[dict[str, Any]]:
    """Every score with its ink, its area and its interval, the largest area first."""
    ranked = sorted(enumerate(report.scores), key=lambda one: -one[1].area.area)
    return [
        {
            "name": one.name,
            "place": place,
            "colour": place % len(COLOURS),
            "dash": dash_of(place),
            "auc": with_interval(one.area.area, one.area.interval),
            "judged": one.calibration is not None,
        }
        for place, one in ranked
    ]


def page_data(report: Report) -> dict[str, Any]:
    """What the scripts of the page need, no more; the workbench hands out the same."""
    conditions = report.conditions
    return {
        "scores": [_score_data(one, place) for place, one in enumerate(report.scores)],
        "deviate": report.deviate if report.counted else None,  # without it there are no intervals
        "percent": f"{100 * report.level:g}%",
        "active": next(at for at, one in enumerate(report.scores) if one is report.best),
        "conditions": {
            "prevalence": conditions.prevalence,
            "costFp": conditions.cost_fp,
            "costFn": conditions.cost_fn,
        },
    }


def _score_data(one: ScoreReport, place: int) -> dict[str, Any]:
    line, shape = one.outline, one.distribution
    vertices = {threshold: at for at, threshold in enumerate(line.thresholds.tolist())}
    # A threshold that no score reaches may be undefined, and is then the first.
    jumps = {cutoff.criterion: vertices.get(cutoff.result.threshold, 0) for cutoff in one.cutoffs}
    band = None
    if one.band is not None:
        band = {name: [round(v, 5) for v in getattr(one.band, name).tolist()] for name in ("fpr", "low", "high")}
    return {
        "name": one.name,
        "colour": place % len(COLOURS),
        "dash": dash_of(place),
        "vertices": line.vertices,
        "direction": line.sample.direction,
        "nPos": line.sample.n_pos,
        "nNeg": line.sample.n_neg,
        "thresholds": plain(line.thresholds),
        "tp": line.tp.tolist(),
        "fp": line.fp.tolist(),
        "hull": line.hull.tolist(),
        "band": band,
        "distribution": {
            "edges": plain(shape.edges),
            "pos": shape.pos.tolist(),
            "neg": shape.neg.tolist(),
            "log": shape.logarithmic,
        },
        "jumps": jumps,
        "start": jumps["youden"],
    }


def json_in_html(value: Any) -> str:
    """JSON that no HTML parser can mistake for markup."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e").replace("\u2028", "\\u2028")
