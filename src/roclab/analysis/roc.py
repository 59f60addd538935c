"""The ROC curve of one score, and what can be asked of it."""

from __future__ import annotations

import html
import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack, overload

from roclab._core.checks import check_choice
from roclab._core.plain import plain
from roclab._core.types import Floats
from roclab.analysis.curve_areas import CurveAreas
from roclab.analysis.curve_decisions import CurveDecisions
from roclab.analysis.curve_detection import CurveDetection
from roclab.analysis.curve_sources import CurveSources
from roclab.analysis.support import cases_for, data_of_follow_up
from roclab.data.cases import Cases
from roclab.data.groups import has_both_classes, parts_by_group
from roclab.data.read import read_cases
from roclab.data.tally import Tally
from roclab.data.verbs import verb
from roclab.names import (
    CURVES,
    WALKS,
    BandKind,
    CurveName,
    Program,
    Walk,
)
from roclab.options.conventions import ConventionKeywords
from roclab.options.data import CaseKeywords, DataKeywords
from roclab.options.folds import FoldedKeywords, FoldKeywords
from roclab.options.follow_up import FollowUpKeywords, FollowUpOptions, is_survival
from roclab.options.uncertainty import Resampling
from roclab.results import ByGroup, Result

if TYPE_CHECKING:
    from roclab.curves.cost import CostCurve
    from roclab.curves.det import DetCurve, Ends
    from roclab.curves.gain import GainCurve
    from roclab.curves.hull import RocHull
    from roclab.curves.points import CurvePoints
    from roclab.curves.precision_recall import PrecisionRecallCurve
    from roclab.curves.roc import RocCurve
    from roclab.curves.troc import TrocCurve
    from roclab.decisions.coordinates import Coordinates
    from roclab.decisions.operating_point import OperatingPoint, OperatingPoints

__all__ = ["Roc", "curve_of", "roc", "rocs"]


class RocKeywords(FoldKeywords, CaseKeywords, ConventionKeywords, total=False):
    """Curves of any number of scores, which may be split by ``by``, and whose conventions they follow."""


class SplitRocKeywords(FollowUpKeywords, FoldedKeywords, ConventionKeywords, total=False):
    """The same with everything that a table of cases may need."""


@overload
def roc(y_true: Any, y_score: Any = ..., *, by: Any, **asked: Unpack[RocKeywords]) -> ByGroup: ...
@overload
def roc(
    y_true: Any, y_score: Mapping[str, Any], *, ties: Walk = ..., **asked: Unpack[RocKeywords]
) -> dict[str, Roc]: ...
@overload
def roc(
    y_true: Any, y_score: Any = ..., *, score: str | None = ..., ties: Walk = ..., **asked: Unpack[RocKeywords]
) -> Roc: ...
@overload
def roc(
    y_true: Any, y_score: Any = ..., *, score: list[str], ties: Walk = ..., **asked: Unpack[RocKeywords]
) -> dict[str, Roc]: ...
@overload  # at a horizon, or of a survival array
def roc(y_true: Any, y_score: Any = ..., *, ties: Walk = ..., **asked: Unpack[SplitRocKeywords]) -> Any: ...
@verb(SplitRocKeywords)
def roc(
    y_true: Any, y_score: Any = None, *, ties: Walk = "expected", **asked: Unpack[SplitRocKeywords]
) -> Roc | dict[str, Roc] | ByGroup:
    """The ROC curve, ready for every further question.

    Parameters
    ----------
    y_true, y_score : arrays, or a table
        Labels and scores; or a data frame, mapping or file with ``label=`` and ``score=``; or cases.
    ties : str
        How tied scores of both classes are crossed: "expected" (default, straight, as chance would), "optimistic" (up
        first) or "pessimistic" (right first).

    Returns
    -------
    Roc
        Unpacks as ``fpr, tpr, thresholds``, like scikit-learn's ``roc_curve``. With ``time``, ``event`` and ``at`` the
        curve at a horizon, with its area, rates and cut-offs.
    dict of str to Roc
        The curves of several scores by name.

    See Also
    --------
    auc : the area alone, faster.
    average : the mean of curves, of folds for instance.

    Examples
    --------
    The ten cases of a textbook table with tied scores (areas .86, optimistic .92, pessimistic .80):

    >>> import roclab as rl
    >>> y = [1, 1, 1, 0, 1, 1, 0, 0, 0, 0]
    >>> s = [0.89, 0.80, 0.80, 0.80, 0.63, 0.33, 0.33, 0.10, 0.10, 0.10]
    >>> r = rl.roc(y, s)
    >>> round(r.auc(), 4), r.at(threshold=0.63).matrix.fp
    (0.86, 1)
    >>> best = r.cutoff("youden")
    >>> best.threshold, best.tied
    (0.63, 2)
    """
    if FollowUpOptions.of(asked).given or is_survival(y_true):
        from roclab.analysis.follow_up.curves import rocs_over_time

        found: Any = rocs_over_time(y_true, y_score, data_of_follow_up("roc", asked), ties=ties)
        return found  # type: ignore[no-any-return]
    cases = cases_for("roc", y_true, y_score, asked)
    if len(cases.names) > 1:
        return Rocs({name: curve_of(cases, name, ties=ties) for name in cases.names})
    return curve_of(cases, ties=ties)


@verb(splits=False)
def rocs(y_true: Any, y_score: Any = None, *, ties: Walk = "expected", **data: Unpack[DataKeywords]) -> dict[str, Roc]:
    """The curves of every score, by name; of one score those of every fold or group, for figures and averages.

    >>> found = rocs([1, 1, 0, 0], {"good": [4, 3, 2, 1], "fair": [4, 2, 3, 1]})
    >>> {name: float(r.auc(interval=None)) for name, r in found.items()}
    {'good': 1.0, 'fair': 0.75}
    """
    from roclab.analysis.auc import parts_by_fold

    cases = read_cases(y_true, y_score, **data)
    if cases.groups is not None:
        parts = parts_by_group(cases.select(cases.only_name()))
        return {group: curve_of(part, ties=ties) for group, part in parts.items() if has_both_classes(part)}
    if cases.folds is None:
        return {name: curve_of(cases, name, ties=ties) for name in cases.names}
    name = cases.only_name()
    return {str(fold): curve_of(part, name, ties=ties) for fold, part in parts_by_fold(cases).items()}


def curve_of(cases: Cases, name: str | None = None, *, ties: Walk = "expected") -> Roc:
    """The curve of one score of the cases, which are kept where a tally alone forgets what matters."""
    check_choice(ties, "ties", WALKS)
    name = cases.only_name() if name is None else name
    kept = cases.select(name) if cases.clustered or cases.folds is not None else None
    return Roc(tally=cases.tally(name), ties=ties, cases=kept)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Roc(CurveSources, CurveAreas, CurveDecisions, CurveDetection, Result):
    """A ROC curve and what can be asked of it.

    Built by :func:`roc`, or from the other shapes that data come in: :meth:`from_samples`, :meth:`from_ratings`,
    :meth:`from_points`. ``tally`` is None for ready-made points, which have no counts and so no uncertainty.

    Attributes
    ----------
    tally : Tally or None
        The counts behind every question.
    ties : str
        How tied scores of both classes are crossed.
    cases : Cases or None
        The rows, kept where the tally is not enough: subjects with several cases, or folds.
    ready_made : RocCurve or None
        The curve of points that were given as such.
    conventions : str or None
        The program whose thresholds, areas and cut-offs these are.
    """

    tally: Tally | None
    ties: Walk = "expected"
    cases: Cases | None = None
    ready_made: RocCurve | None = None
    conventions: Program | None = None
    _drawn: RocCurve | None = field(default=None, init=False, repr=False)  # the curve, once somebody asked for it
    _tables: dict[str, Coordinates] = field(default_factory=dict, init=False, repr=False)  # likewise, by their rule

    # -- the curve -------------------------------------------------------------------------------

    @property
    def curve(self) -> RocCurve:
        """The vertices, made when they are first asked for: areas and cut-offs need only the counts."""
        from roclab.curves.roc import roc_curve

        if self.ready_made is not None:
            return self.ready_made
        if self._drawn is None:
            object.__setattr__(self, "_drawn", self._as_program(roc_curve(self._counted("a curve"), ties=self.ties)))
        assert self._drawn is not None
        return self._drawn

    def _as_program(self, drawn: RocCurve) -> RocCurve:
        """The same curve with the vertices and thresholds that the program prints whose conventions are followed."""
        from roclab.curves.roc import drop_intermediate

        if self.conventions is None or self.ties != "expected":
            return drawn
        if self.conventions == "scikit-learn":
            return drop_intermediate(drawn, self._counted("a curve"))
        return replace(drawn, thresholds=self.coordinates().thresholds)

    @property
    def fpr(self) -> Floats:
        """False positive rates, ascending from 0 to 1."""
        return self.curve.fpr

    @property
    def tpr(self) -> Floats:
        """True positive rates."""
        return self.curve.tpr

    @property
    def thresholds(self) -> Floats | None:
        """Threshold of each vertex; a case is called positive when its score reaches it."""
        return self.curve.thresholds

    def __iter__(self) -> Iterator[Any]:
        return iter(self.curve)

    def __len__(self) -> int:
        return len(self.curve)

    def points(self) -> CurvePoints:
        """All vertices as a table."""
        return self.curve.points()

    def simplified(self, count: int) -> CurvePoints:
        """At most ``count`` vertices, with the largest error."""
        return self.curve.simplified(count)

    @property
    def circumstances(self) -> str:
        """Who was analysed, in one line."""
        return "ready-made points" if self.tally is None else self.tally.sample.describe()

    def named_curve(self, curve: CurveName) -> CurvePoints:
        """Points of any curve by name: "roc", "troc", "pr", "det", "cost", "gain", "lift" or "hull"."""
        check_choice(curve, "curve", CURVES)
        if curve in ("gain", "lift"):
            return self.gain().points("gain" if curve == "gain" else "lift")
        shown: dict[str, Callable[[], Any]] = {
            "troc": self.troc, "pr": self.precision_recall, "det": self.det, "cost": self.cost, "hull": self.hull,
        }  # fmt: skip
        points: CurvePoints = self.points() if curve == "roc" else shown[curve]().points()
        return points

    def points_at(self, points: Sequence[OperatingPoint]) -> OperatingPoints:
        """Several operating points of this curve as one table."""
        from roclab.decisions.operating_point import OperatingPoints

        sample = None if self.tally is None else self.tally.sample
        return OperatingPoints(points=tuple(points), sample=sample)

    def walked(self, ties: Walk, *, drop_collinear: bool = False) -> RocCurve:
        """The curve with ties crossed straight, up first or right first."""
        from roclab.curves.roc import roc_curve

        if ties == self.ties and not drop_collinear and self.tally is not None:
            return self.curve
        return roc_curve(self._counted("other ties"), ties=ties, drop_collinear=drop_collinear)

    def mirrored(self) -> Roc:
        """The same score with the parts of the classes exchanged: mirrored about tpr = 1 - fpr, with the same AUC."""
        if self.tally is None:
            return Roc(tally=None, ties=self.ties, ready_made=self.curve.mirrored())
        cases = None if self.cases is None else self.cases.mirrored()
        return Roc(tally=self.tally.mirrored(), ties=self.ties, cases=cases, conventions=self.conventions)

    def hull(self) -> RocHull:
        """The convex hull, with its area."""
        from roclab.curves.hull import hull_of_curve, hull_of_tally

        if self.tally is None or self.ties != "expected":  # walks have corners that the tally does not
            return hull_of_curve(self.curve)
        return hull_of_tally(self.tally, self.curve)

    def troc(self) -> TrocCurve:
        """The tROC curve."""
        from roclab.curves.troc import troc_curve

        return troc_curve(self.curve)

    def precision_recall(self, *, skew: float | None = None) -> PrecisionRecallCurve:
        """The precision-recall curve, at the skew N/P of the data or another one."""
        from roclab.curves.precision_recall import precision_recall_curve

        return precision_recall_curve(self.curve, skew=skew)

    def det(self, *, ends: Ends = "drop") -> DetCurve:
        """The detection error trade-off curve."""
        from roclab.curves.det import det_curve

        return det_curve(self.curve, ends=ends)

    def cost(self) -> CostCurve:
        """The cost curve with its lower envelope."""
        from roclab.curves.cost import cost_curve

        return cost_curve(self.curve, self.hull())

    def gain(self, *, prevalence: float | None = None) -> GainCurve:
        """The cumulative gain and lift curve."""
        from roclab.curves.gain import gain_curve

        return gain_curve(self.curve, prevalence=prevalence)

    # -- figures ---------------------------------------------------------------------------------

    def plot(
        self,
        to: Any = None,
        /,
        *,
        band: BandKind | None = None,
        cutoff: str | None = None,
        level: float = 0.95,
        resampling: Resampling | int | None = None,
        rng: Any = None,
        **looks: Any,
    ) -> Any:
        """Draw the curve with its name and area: on new axes, on some (``to``), or into a file; needs matplotlib.

        ``band`` adds a confidence band, ``cutoff`` the best cut-off by a criterion; ``looks`` as in
        ``roclab.plots.draw_roc``, and ``colors``, ``names``, ``title``. A ``Picture`` comes back, which stands for its
        axes. ``r.plot("roc.png")`` also writes the file.

        >>> shown = roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2]).plot(cutoff="youden", label="marker")
        >>> [text.get_text() for text in shown.ax.get_legend().get_texts()][1]
        'youden (1 of 2) at 0.8: Se 0.6667, Sp 1.0000'
        """
        if self.tally is not None:
            # The area of the curve that is drawn: of ties crossed up first or right first, theirs.
            walked = () if self.ties == "expected" else (self.ties,)
            looks.setdefault("area", self.auc(*walked, level=level))
            looks.setdefault("label", self.tally.sample.score)
        if band is not None:
            drawn = {"resampling": resampling, "rng": rng}
            looks["band"] = self.band(kind=band, level=level, **drawn)
        if cutoff is not None:
            best = self.cutoff(cutoff).optima
            ties = [f" ({at + 1} of {len(best)})" for at in range(len(best))] if len(best) > 1 else [""]
            names = [f"{cutoff}{tie}" for tie in ties]
            looks["operating_points"] = dict(zip(names, best, strict=True))
        # Looked up by name: figures know results, results do not know figures; a curve only offers the way there.
        return importlib.import_module("roclab.plots.by_result").plot_roc(self, to, **looks)

    # -- as a result -----------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The vertices and the counts; the rows stay with the caller."""
        out: dict[str, Any] = plain({"curve": self.curve, "tally": self.tally})
        return out

    @classmethod
    def _fields_of(cls, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """The counts, from which the curve follows; points that were given as such."""
        curve, tally = data["curve"], data["tally"]
        if tally is not None:
            return {"tally": tally, "ties": curve["ties"]}
        from roclab.curves.roc import RocCurve
        from roclab.results.restoring import made

        return {"tally": None, "ties": curve["ties"], "ready_made": made(RocCurve, curve)}

    def rows(self) -> list[dict[str, Any]]:
        """One row per vertex."""
        return self.points().rows()

    def _repr_html_(self) -> str:
        area = "" if self.tally is None else f"<p>{html.escape(str(self.auc()))}</p>".replace("\n", "<br>")
        return f"{self.curve._repr_html_()}{area}"

    def __str__(self) -> str:
        if self.tally is None:
            return f"ROC curve through {len(self) - 2} ready-made points, trapezoid area {self.area():.4f}"
        return f"ROC curve with {len(self)} vertices\n{self.auc()}"

    def __repr__(self) -> str:
        return str(self)


class Rocs(dict[str, Roc]):
    """The curves of several scores by name, which can be drawn together."""

    def plot(self, to: Any = None, /, **looks: Any) -> Any:
        """All curves with their areas in one figure; as :meth:`Roc.plot`, ``colors`` and ``names`` one for each.

        >>> shown = roc([1, 1, 0, 0], {"a": [4, 2, 3, 1], "b": [4, 3, 2, 1]}).plot(names={"a": "first"})
        >>> [text.get_text().split(",")[0] for text in shown.ax.get_legend().get_texts()]
        ['first', 'b']
        """
        return importlib.import_module("roclab.plots.by_result").plot_rocs(self, to, **looks)
