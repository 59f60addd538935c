"""The command that draws a figure of the gallery, where there is one."""

from __future__ import annotations

__all__ = ["COMMANDS"]

_DATA = "example --label outcome --positive deteriorated"
_LACTATE = f"{_DATA} --score lactate"
_THREE = f"{_DATA} --score procalcitonin --score lactate --score concern"
_WARDS = f"{_LACTATE} --fold ward --figure average"
_GRAPES = "wines --label grape --score barbera --score barolo --score gamay"

COMMANDS = {
    "roc": f"{_DATA} --score procalcitonin --band pointwise",
    "roc_points": f"{_LACTATE} --cutoff youden --at-threshold 1.5 --labels 6 --percent",
    "roc_partial": f"{_LACTATE} --fpr 0 0.2",
    "roc_crosses": f"{_DATA} --score concern --band thresholds",
    "roc_several": _THREE,
    "roc_bands": f"{_DATA} --score procalcitonin --score concern --band pointwise "
    "--specificity-axis --digits 2 --rename procalcitonin=Procalcitonin",
    "troc": f"{_DATA} --score procalcitonin --score concern --figure troc",
    "troc_mirror": f"{_LACTATE} --figure troc --mirror",
    "pr_band": f"{_LACTATE} --figure pr --band pointwise",
    "precision_recall": f"{_DATA} --score procalcitonin --score concern --figure pr --replicates 200 --seed 1",
    "det": f"{_THREE} --figure det",
    "gain": f"{_DATA} --score procalcitonin --score lactate --figure gain",
    "lift": f"{_DATA} --score procalcitonin --score lactate --figure lift --percent",
    "smooth": f"{_LACTATE} --figure smooth --estimator binormal --estimator kernel_k2",
    "smooth_models": f"{_DATA} --score procalcitonin --figure smooth --estimator binormal --estimator box_cox",
    "average_vertical": _WARDS,
    "average_threshold": f"{_WARDS} --how threshold",
    "average_pooled": f"{_WARDS} --how pooled",
    "average_band": f"{_WARDS} --spread-as band",
    "average_boxes": f"{_WARDS} --spread-as boxes",
    "multiclass": f"{_GRAPES} --figure multiclass",
    "histogram": f"{_DATA} --score procalcitonin --figure distribution --log --cutoff youden",
    "density": f"{_LACTATE} --figure distribution --kind density",
    "dots": f"{_LACTATE} --figure distribution --kind dots --cutoff youden",
    "densities": f"{_LACTATE} --figure distribution --estimator normal --estimator box_cox",
    "box_cox": f"{_LACTATE} --figure box_cox --size double",
    "likelihood": f"{_LACTATE} --figure likelihood --at-threshold 1 --at-threshold 2 --at-threshold 3 --at-threshold 4",
    "predictive": f"{_LACTATE} --figure predictive --at-threshold 2 --prevalence 0.1",
    "fagan": f"{_LACTATE} --figure fagan --at-threshold 2 --prevalence 0.1",
    "metrics": f"{_LACTATE} --figure metrics --metric sensitivity --metric ppv --cutoff youden",
    "trade_off": f"{_LACTATE} --figure metrics --x for --y ppv --cutoff youden",
    "rate_differences": f"{_DATA} --score procalcitonin --score lactate --at-threshold 1.5 --at-threshold 2 "
    "--figure rates --size double",
    "rate_gaps": f"{_LACTATE} --by ward --at-threshold 2 --figure gaps --size double",
    "risk_coverage": f"{_DATA} --score procalcitonin --at-threshold 1 --figure risk_coverage",
    "model_based": "wines --label oak --score barbera --figure model_based --seed 1",
    "stability": f"{_LACTATE} --figure stability --cutoff youden --replicates 200 --seed 1",
    "calibration": "wines --label oak --score barbera --figure calibration",
    "cdf": "example --figure cdf --score lactate --cdf normal:2,1",
    "design": "VI --figure design",
    "exponential": "--figure exponential --curve 2 0.5 --curve 4 0 --curve 4 0.5 --curve 4 1 --curve 9 0.5",
    "penalty": "--figure penalty --fuzziness 2",
    "iso_roc": f"{_DATA} --score procalcitonin --figure iso --prevalence 0.3",
    "iso_troc": f"{_DATA} --score procalcitonin --figure iso --prevalence 0.3 --troc-space",
    "iso_precision": f"{_LACTATE} --figure iso --iso precision --prevalence 0.3",
    "hull": f"{_DATA} --score lactate --score concern --figure hull",
    "hull_scenarios": f"{_THREE} --figure hull --scenario screening 0.02 1 20 --scenario ward 0.3 1 2",
    "pareto": f"{_THREE} --figure pareto",
    "fronts": f"{_DATA} --score lactate --score concern --figure pareto --set each",
    "hulls": f"{_DATA} --score lactate --score concern --figure hull --set each",
    "crossings": f"{_DATA} --score lactate --score concern --figure crossings",
    "combination": f"{_DATA} --score lactate --score procalcitonin --at-threshold 2 --at-threshold 0.5 "
    "--figure combination",
    "interpolation": f"{_DATA} --score lactate --score procalcitonin --at-threshold 2 --at-threshold 0.5 "
    "--at-fpr 0.3 --figure combination",
    "cost": f"{_DATA} --score procalcitonin --figure cost",
    "lc_index": f"{_DATA} --score lactate --score concern --figure lc --prevalence 0.3 --shares 0.1 0.4 0.9",
    "decision": "wines --label oak --score barbera --score barolo --figure decision",
    "forest": f"{_THREE} --figure forest --size double",
    "forest_groups": f"{_LACTATE} --by ward --figure forest --size double",
    "comparison": f"{_THREE} --figure comparison",
    "differences": f"{_THREE} --figure differences --size double",
    "readers": "readings --figure readers",
    "reader_forest": "readings --figure reader_forest --size double",
    "interaction": "readings --figure interaction",
    "components": "readings --figure components",
}
