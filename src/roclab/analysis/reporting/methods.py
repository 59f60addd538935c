"""Methods in words, each with its reference; only those that the report used."""

from __future__ import annotations

from collections.abc import Sequence

from roclab._core.undefined import Undefined
from roclab.analysis.reporting.content import PlaceOfUse, PromisePart, RatePart, ScoreReport
from roclab.inference.comparison.compare import Comparison
from roclab.inference.one_area.score import SCORE

__all__ = ["methods_of"]

_FAWCETT = "Fawcett T. An introduction to ROC analysis. Pattern Recognition Letters 2006;27:861-874."
_DELONG = (
    "DeLong ER, DeLong DM, Clarke-Pearson DL. Comparing the areas under two or more correlated receiver operating "
    "characteristic curves: a nonparametric approach. Biometrics 1988;44:837-845."
)
_MANN = "Mann HB, Whitney DR. On a test of whether one of two random variables is stochastically larger than the other. Annals of Mathematical Statistics 1947;18:50-60."  # noqa: E501
_OBUCHOWSKI = "Obuchowski NA. Nonparametric analysis of clustered ROC curve data. Biometrics 1997;53:567-578."
_YOUDEN = "Youden WJ. Index for rating diagnostic tests. Cancer 1950;3:32-35."
_COCHRAN = "Cochran WG. The combination of estimates from different experiments. Biometrics 1954;10:101-129."
_WILSON = "Wilson EB. Probable inference, the law of succession, and statistical inference. JASA 1927;22:209-212."
_EFRON = "Efron B. Estimating the error rate of a prediction rule: improvement on cross-validation. Journal of the American Statistical Association 1983;78:316-331."  # noqa: E501
_METZ = "Metz CE. Basic principles of ROC analysis. Seminars in Nuclear Medicine 1978;8:283-298."
_KOOPMAN = "Koopman PAR. Confidence intervals for the ratio of two binomial proportions. Biometrics 1984;40:513-517."
_NEWCOMBE = "Newcombe RG. Interval estimation for the difference between independent proportions: comparison of eleven methods. Statistics in Medicine 1998;17:873-890."  # noqa: E501
_COX = "Cox DR. Two further applications of a model for binary regression. Biometrika 1958;45:562-565."
_AUSTIN = "Austin PC, Steyerberg EW. The Integrated Calibration Index (ICI) and related metrics for quantifying the calibration of logistic regression models. Statistics in Medicine 2019;38:4051-4065."  # noqa: E501
_VICKERS = "Vickers AJ, Elkin EB. Decision curve analysis: a novel method for evaluating prediction models. Medical Decision Making 2006;26:565-574."  # noqa: E501
_HOLM = (
    "Holm S. A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 1979;6:65-70."
)
_BANDOS = "Bandos AI, Rockette HE, Gur D. A permutation test sensitive to differences in areas for comparing ROC curves from a paired design. Statistics in Medicine 2005;24:2873-2893."  # noqa: E501
_DRUMMOND = "Drummond C, Holte RC. Cost curves: an improved method for visualizing classifier performance. Machine Learning 2006;65:95-130."  # noqa: E501


_TANGO = "Tango T. Equivalence test and confidence interval for the difference in proportions for the paired-sample design. Statistics in Medicine 1998;17:891-908."  # noqa: E501
_KOSINSKI = "Kosinski AS. A weighted generalized score statistic for comparison of predictive values of diagnostic tests. Statistics in Medicine 2013;32:964-977."  # noqa: E501
_HARDT = "Hardt M, Price E, Srebro N. Equality of opportunity in supervised learning. NeurIPS 2016."
_WILKS = "Wilks SS. Determination of sample sizes for setting tolerance limits. Annals of Mathematical Statistics 1941;12:91-96."  # noqa: E501
_ANGELOPOULOS = "Angelopoulos AN, Bates S, Candès EJ, Jordan MI, Lei L. Learn then Test: calibrating predictive algorithms to achieve risk control. arXiv:2110.01052."  # noqa: E501


_OWN_INTERVAL = (
    "The roclab score interval is a method of this software and of no paper: all areas that a score test does not "
    "reject, with a variance fitted to the spreads of the placements."
)
_NOT_DELONG = "DeLong's interval, A ± z SE, is the option delong."


def methods_of(
    scores: Sequence[ScoreReport],
    comparison: Comparison | None,
    conditions: PlaceOfUse,
    *,
    level: float,
    folds: bool,
    groups: bool,
    clustered: bool,
    conventions: str = "",
    rates: RatePart | None = None,
    promise: PromisePart | None = None,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Sentences about what was done, and the works they rest on."""
    percent = f"{100 * level:g}%"
    intervals = ", ".join(dict.fromkeys(score.area.interval.method for score in scores))
    chance = {
        "score": "The p-value of AUC = 0.5 is that of the score test which belongs to it, two-sided: it never "
        "contradicts the interval.",
    }
    tests = dict.fromkeys(score.chance.method for score in scores if score.chance is not None)
    weighted = any(score.area.sample.weights == "importance" for score in scores)
    sentences = [
        (
            "A case is called positive when its score reaches the threshold, on the side named under “Data”. The ROC "
            "curve joins the rates at every distinct score; scores shared by both classes give one slanted piece.",
            _FAWCETT,
        ),
        *([(conventions, "")] if conventions else []),
        (
            "AUC: the chance that a positive case scores higher than a negative one, a tie counting one half "
            f"({'weighted ' if weighted else ''}Mann-Whitney). Its {percent} interval: {intervals}.",
            _MANN,
        ),
        *([(_OWN_INTERVAL, "")] if SCORE in intervals else []),
        *([(_NOT_DELONG, "")] if SCORE in intervals and not clustered else []),
        *((chance.get(test, f"The p-value of AUC = 0.5 is that of the test {test!r}."), "") for test in tests),
    ]
    sentences.append(
        (
            "Average precision: the precision at every positive case, averaged over them; its chance level is the "
            f"prevalence of these data. Its {percent} interval: {scores[0].precision.interval.method}.",
            "",
        )
    )
    if not clustered:
        sentences.append(
            ("Variances and covariances of areas are DeLong's, from the placements of the cases.", _DELONG)
        )
    bands = [score.band for score in scores if score.band is not None]
    if bands:
        sentences.append(
            (f"Bands hold the whole curve at once with {percent} confidence: {bands[0].method.split(', sup-t')[0]}, "
             "with the quantile of the largest standardised deviation.", "")
        )  # fmt: skip
    if comparison is not None:
        joint = "F" if comparison.test in ("score", "t") else "chi-squared"
        many = f" and the {joint} test that all areas are equal" if len(scores) > 2 else ""
        referred = ", referred to Welch's t" if comparison.test == "t" else ""
        sentences.append(
            (
                f"Areas are compared as {comparison.pairing} samples: differences with {percent} intervals"
                f"{referred}{many}. "
                f"Adjusted p-values follow {comparison.adjustment.capitalize()} over all pairs.",
                _HOLM,
            )
        )
        if comparison.test == "score":
            sentences.append(
                (
                    "Differences are judged by the roclab score test, a method of this software and of no paper: "
                    "with the variance that equal areas imply, which exchanging the scores case by case tells (the "
                    "exchange is that of Bandos and others); intervals agree with it and pass over into Welch's t. "
                    "DeLong's test is the option normal.",
                    _BANDOS,
                )
            )
    if clustered:
        sentences.append(
            (
                "Cases of one subject are treated as a cluster: errors of areas and differences are Obuchowski's; "
                "tests of AUC = 0.5, bands and binomial intervals, which take cases as independent, are left out.",
                _OBUCHOWSKI,
            )
        )
    sentences += [
        (
            "Youden's cut-off has the largest sensitivity + specificity - 1; “closest to corner” lies nearest to "
            "perfect rates on the ROC plot. Of equally good cut-offs the one with the fewest false positives is shown.",
            _YOUDEN,
        ),
        (
            "The cost cut-off has the lowest expected cost at the prevalence and costs named there; in ROC space it is "
            "where a line of slope (1 - prevalence) cost of a false positive / (prevalence x cost of a false negative) "
            "touches the curve.",
            _METZ,
        ),
        ("Cost curves show the expected cost at every mix of prevalence and costs, as a share of the largest.",
         _DRUMMOND),
    ]  # fmt: skip
    if any(line.sensitivity is not None for score in scores for line in score.cutoffs):
        sentences.append(
            (
                f"Intervals of sensitivity, specificity, accuracy and predictive values in these data are Wilson's "
                f"({percent}); they hold for a cut-off fixed beforehand. One chosen on the same data looks better than "
                "it will be on new cases.",
                _WILSON,
            )
        )
        sentences.append(
            (
                "Intervals of likelihood ratios are score intervals; those of predictive values at a given prevalence "
                "follow from them, the prevalence taken as known.",
                _KOOPMAN,
            )
        )
        sentences.append(
            (
                "The interval of Youden's J adds the squared distances of both rates to their Wilson limits; that of "
                "F1 follows from Wilson's for TP / (TP + FP + FN).",
                _NEWCOMBE,
            )
        )
    if any(line.left_out is not None and line.left_out.known for score in scores for line in score.cutoffs):
        sentences.append(
            (
                "Rates on cases left out are means over bootstrap samples in which the cut-off was chosen anew and "
                "judged on the cases that were not drawn.",
                _EFRON,
            )
        )
    if any(score.fixed for score in scores):
        sentences.append(
            (
                "Sensitivity at a fixed specificity (and the reverse) is read off the curve. Its interval is a score "
                "interval: all rates that, together with the fixed one, are compatible with both rates found at some "
                "threshold; so it allows for the cut-off having been found here.",
                _WILSON,
            )
        )
    judged = [score.name for score in scores if score.calibration is not None]
    if judged:
        sentences += [
            (
                f"Calibration takes {', '.join(judged)} as predicted probabilities. Brier score: mean squared distance "
                "between probability and outcome. Intercept (slope held at 1) and slope belong to the log odds of the "
                "outcome as a line of the predicted log odds: 0 and 1 are perfect.",
                _COX,
            ),
            (_ici_in_words(scores), _AUSTIN),
            (
                "Net benefit of treating from a threshold probability p on: TP/T - FP/T p/(1 - p), at a prevalence of "
                f"{conditions.prevalence:.10g}.",
                _VICKERS,
            ),
        ]
    if rates is not None and rates.differences:
        sentences += [
            (rates.methods, _TANGO),
            ("", _KOSINSKI),
        ]
    if rates is not None and rates.gaps:
        sentences.append(
            (
                "Gaps between groups: the limits of all pairs of groups by the studentized range, of which the largest "
                "are shown; a gap of equal groups has limits that begin at 0.",
                _HARDT,
            )
        )
    if promise is not None:
        sentences.append(
            (
                "Promised cut-offs of sensitivity and specificity rest on order statistics, those of predictive values "
                "on fixed sequences of tests: the bound holds in new cases with the confidence named.",
                _WILKS,
            )
        )
        if any("PPV" in str(row["promised"]) or "NPV" in str(row["promised"]) for row in promise.rows):
            sentences.append(("", _ANGELOPOULOS))
    if groups:
        sentences.append(
            (
                "Subgroups: the area within each group; that all are the same is tested by Cochran's Q, with the "
                "spreads of small groups drawn towards their mean.",
                _COCHRAN,
            )
        )
    if folds:
        sentences.append(("Folds: the area within each fold, and their mean over folds that hold both classes.", ""))
    if any(isinstance(score.area.standard_error, Undefined) for score in scores):
        sentences.append(("Where a standard error is undefined, the interval rests on exact binomial bounds.", ""))
    return tuple(text for text, _ in sentences if text), tuple(dict.fromkeys(work for _, work in sentences if work))


def _ici_in_words(scores: Sequence[ScoreReport]) -> str:
    text = (
        "ICI: mean distance over the cases between the predictions and a local linear regression of the outcome on "
        "them (the nearest 75% of the cases, tricube weights)"
    )
    drawn = [
        score.calibration.errors.ici_interval.method
        for score in scores
        if score.calibration is not None and score.calibration.errors.ici_interval.method != "none"
    ]
    if not drawn:
        return f"{text}."
    return (
        f"{text}; its interval takes the {drawn[0].split(', seed')[0]}) of cases of both classes together, with the "
        "noise that resampling adds taken off the lower end."
    )
