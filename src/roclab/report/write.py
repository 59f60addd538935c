"""Putting a report on disk: the page, and beside it JSON with every number."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from roclab._core.checks import check_choice
from roclab._core.whole_file import check_place, write_whole
from roclab.analysis.reporting.build import build_report
from roclab.errors import InputError, Words
from roclab.names import LANGUAGES, Language

if TYPE_CHECKING:
    from roclab.analysis.reporting.content import Report

__all__ = ["check_places", "save_report", "write_report"]

_FORMS = {"html": ".html", "json": ".json", "md": ".md", "pdf": ".pdf"}


def write_report(
    path: str | Path,
    y_true: Any,
    y_score: Any = None,
    *,
    also: tuple[str, ...] = (),
    language: Language = "en",
    **options: Any,
) -> Report:
    """Analyse data and write the page at ``path``, JSON beside it, and what ``also`` names: "md", "pdf".

    ``language`` is that of the page: "en", "it", "el", "sl" or "ru"; references stay as they are cited. The data
    and all other options are those of :func:`roclab.report.build_report`.

    >>> import tempfile, roclab as rl
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = rl.write_report(f"{folder}/report.html", [1, 1, 0, 0], [4, 2, 3, 1], rng=1)
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['report.html', 'report.json']
    """
    check_places(path, also)
    check_choice(language, "language", LANGUAGES)
    report = build_report(y_true, y_score, **options)
    save_report(report, path, also, language=language)
    return report


def check_places(path: str | Path, also: tuple[str, ...] = (), *, name: str = "path") -> dict[str, Path]:
    """Where each form goes; refused before any work is done if one of the places cannot be written."""
    page = Path(path)
    if page.suffix.lower() not in (".html", ".htm"):
        raise InputError(name, "must end in .html", Words(path), "the other forms are written beside it")
    places = {"html": page} | {form: page.with_suffix(_FORMS[form]) for form in ("json", *also)}
    for place in places.values():
        check_place(place, name=name)
    if "pdf" in also:
        from roclab.report.pdf import find_browser

        find_browser()
    return places


def save_report(
    report: Report,
    path: str | Path,
    also: tuple[str, ...] = (),
    *,
    name: str = "path",
    language: Language = "en",
) -> list[Path]:
    """Write all forms. Each is made before the first is written, so that a failure leaves nothing half done."""
    places = check_places(path, also, name=name)
    page = report.to_html(language=language)
    content: dict[str, str | bytes] = {"html": page, "json": report.to_json() + "\n"}
    if "md" in also:
        content["md"] = report.to_markdown()
    if "pdf" in also:
        from roclab.report.pdf import pdf_of

        content["pdf"] = pdf_of(page)
    for form, place in places.items():
        write_whole(place, content[form], name=name)
    return list(places.values())
