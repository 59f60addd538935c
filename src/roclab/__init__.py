"""roclab: ROC analysis from the first curve to the final decision.

>>> import roclab as rl
>>> rl.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).area
0.75

Names are imported when first used, so that ``import roclab`` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from roclab._homes import HOMES

if TYPE_CHECKING:
    from roclab import datasets as datasets
    from roclab import errors as errors
    from roclab import names as names
    from roclab import plots as plots
    from roclab.analysis.area_table import AreaTable as AreaTable
    from roclab.analysis.area_table import area_table as area_table
    from roclab.analysis.auc import auc as auc
    from roclab.analysis.average import average as average
    from roclab.analysis.bench.ask import bench as bench
    from roclab.analysis.bench.ask import bench_of_scores as bench_of_scores
    from roclab.analysis.bench.choice import BenchChoice as BenchChoice
    from roclab.analysis.bench.choice import FittedHybrid as FittedHybrid
    from roclab.analysis.bench.matrix import BenchMatrix as BenchMatrix
    from roclab.analysis.bench.matrix import CellCases as CellCases
    from roclab.analysis.bench.result import Bench as Bench
    from roclab.analysis.bench.tables import BalanceExperiments as BalanceExperiments
    from roclab.analysis.bench.tables import BenchTable as BenchTable
    from roclab.analysis.bench.tables import FoldTable as FoldTable
    from roclab.analysis.cad import cad_stages as cad_stages
    from roclab.analysis.cad_results import CadStage as CadStage
    from roclab.analysis.cad_results import CadStages as CadStages
    from roclab.analysis.chosen_rules import Selected as Selected
    from roclab.analysis.chosen_rules import chain as chain
    from roclab.analysis.chosen_rules import hybrid as hybrid
    from roclab.analysis.cluster import choose_beta as choose_beta
    from roclab.analysis.cluster import fuzzy_cmeans as fuzzy_cmeans
    from roclab.analysis.cluster import robust_cmeans as robust_cmeans
    from roclab.analysis.combine import CombinedCalls as CombinedCalls
    from roclab.analysis.combine import combine as combine
    from roclab.analysis.combine import interpolate as interpolate
    from roclab.analysis.compare import compare as compare
    from roclab.analysis.compare import compare_published as compare_published
    from roclab.analysis.compare_curves import CurveComparison as CurveComparison
    from roclab.analysis.compare_curves import compare_curves as compare_curves
    from roclab.analysis.compare_groups import compare_groups as compare_groups
    from roclab.analysis.compare_predictions import compare_predictions as compare_predictions
    from roclab.analysis.confusion import confusion as confusion
    from roclab.analysis.costs import CostComparisons as CostComparisons
    from roclab.analysis.costs import HMeasures as HMeasures
    from roclab.analysis.costs import LcIndices as LcIndices
    from roclab.analysis.costs import compare_classifier_costs as compare_classifier_costs
    from roclab.analysis.costs import h_measures as h_measures
    from roclab.analysis.costs import lc_index as lc_index
    from roclab.analysis.costs import net_benefit as net_benefit
    from roclab.analysis.cutoff import cutoff as cutoff
    from roclab.analysis.cutoff import cutoff_stability as cutoff_stability
    from roclab.analysis.cutoff import cutoff_table as cutoff_table
    from roclab.analysis.cutoff import cutoffs as cutoffs
    from roclab.analysis.cutoff import grey_zone as grey_zone
    from roclab.analysis.cutoff import smooth_cutoff as smooth_cutoff
    from roclab.analysis.cutoff_results import BestCutoff as BestCutoff
    from roclab.analysis.cutoff_results import CutoffTable as CutoffTable
    from roclab.analysis.cutoff_results import PredictedCalls as PredictedCalls
    from roclab.analysis.dce.ask import dce_apply as dce_apply
    from roclab.analysis.dce.ask import dce_mask as dce_mask
    from roclab.analysis.dce.ask import dce_motion as dce_motion
    from roclab.analysis.dce.ask import dce_series as dce_series
    from roclab.analysis.dce.ask import dce_subtraction as dce_subtraction
    from roclab.analysis.dce.ask import phantom_breast as phantom_breast
    from roclab.analysis.dce.ask import read_dce_model as read_dce_model
    from roclab.analysis.dce.ask import write_dce_model as write_dce_model
    from roclab.analysis.dce.case_table import dce_cases as dce_cases
    from roclab.analysis.dce.evaluate import dce_evaluate as dce_evaluate
    from roclab.analysis.dce.evaluation import DceEvaluation as DceEvaluation
    from roclab.analysis.dce.evaluation import ImageMeasure as ImageMeasure
    from roclab.analysis.dce.figure import DceFigure as DceFigure
    from roclab.analysis.dce.figure import dce_figure as dce_figure
    from roclab.analysis.dce.learning import DceLearningCurve as DceLearningCurve
    from roclab.analysis.dce.learning import dce_learning_curve as dce_learning_curve
    from roclab.analysis.dce.montage import DceMontage as DceMontage
    from roclab.analysis.dce.montage import dce_montage as dce_montage
    from roclab.analysis.dce.regions import DceRegions as DceRegions
    from roclab.analysis.dce.train import LeaveOneOut as LeaveOneOut
    from roclab.analysis.dce.train import dce_leave_one_out as dce_leave_one_out
    from roclab.analysis.dce.train import dce_train as dce_train
    from roclab.analysis.froc import froc as froc
    from roclab.analysis.froc_results import Froc as Froc
    from roclab.analysis.froc_results import FrocComparison as FrocComparison
    from roclab.analysis.group_areas import GroupAreas as GroupAreas
    from roclab.analysis.hull import BestClassifier as BestClassifier
    from roclab.analysis.hull import HullRanges as HullRanges
    from roclab.analysis.hull import best_classifier as best_classifier
    from roclab.analysis.hull import hull as hull
    from roclab.analysis.hull import hull_ranges as hull_ranges
    from roclab.analysis.hull import what_joins as what_joins
    from roclab.analysis.logistic import LogisticAnalysis as LogisticAnalysis
    from roclab.analysis.logistic import ScoredCases as ScoredCases
    from roclab.analysis.logistic import logistic as logistic
    from roclab.analysis.lungs import nodules as nodules
    from roclab.analysis.lungs import phantom as phantom
    from roclab.analysis.lungs import phantom_chest as phantom_chest
    from roclab.analysis.lungs import segment as segment
    from roclab.analysis.lungs import segment_lungs as segment_lungs
    from roclab.analysis.multiclass import compare_multiclass as compare_multiclass
    from roclab.analysis.multiclass import multiclass as multiclass
    from roclab.analysis.multiclass import multiclass_confusion as multiclass_confusion
    from roclab.analysis.multiclass import multilabel as multilabel
    from roclab.analysis.pilot import plan_from_pilot as plan_from_pilot
    from roclab.analysis.points import dominance as dominance
    from roclab.analysis.points import pareto_front as pareto_front
    from roclab.analysis.points import read_points as read_points
    from roclab.analysis.power import Plan as Plan
    from roclab.analysis.power import plan_one_area as plan_one_area
    from roclab.analysis.power import plan_two_areas as plan_two_areas
    from roclab.analysis.rank_test import cdf_band as cdf_band
    from roclab.analysis.rank_test import kolmogorov as kolmogorov
    from roclab.analysis.rank_test import kruskal_wallis as kruskal_wallis
    from roclab.analysis.rank_test import mann_whitney as mann_whitney
    from roclab.analysis.rank_test import smirnov as smirnov
    from roclab.analysis.rank_test import smirnov_of_groups as smirnov_of_groups
    from roclab.analysis.readers import readers as readers
    from roclab.analysis.readers_size import readers_size as readers_size
    from roclab.analysis.readers_size import simulate_readers as simulate_readers
    from roclab.analysis.recalibrate import Recalibration as Recalibration
    from roclab.analysis.recalibrate import recalibrate as recalibrate
    from roclab.analysis.reporting.build import build_report as build_report
    from roclab.analysis.reporting.content import Report as Report
    from roclab.analysis.reporting.content import ScoreReport as ScoreReport
    from roclab.analysis.roc import Roc as Roc
    from roclab.analysis.roc import roc as roc
    from roclab.analysis.roc import rocs as rocs
    from roclab.analysis.screen import Screening as Screening
    from roclab.analysis.screen import screen as screen
    from roclab.analysis.tally import merge as merge
    from roclab.analysis.tally import tally as tally
    from roclab.analysis.ties import ties as ties
    from roclab.averaging.precision_recall import AveragePrecisionRecall as AveragePrecisionRecall
    from roclab.averaging.result import AverageCurve as AverageCurve
    from roclab.benching.detectors import Detector as Detector
    from roclab.combining.hybrid import HybridPoint as HybridPoint
    from roclab.combining.interpolate import CoinFlip as CoinFlip
    from roclab.curves.cost import CostCurve as CostCurve
    from roclab.curves.det import DetCurve as DetCurve
    from roclab.curves.gain import GainCurve as GainCurve
    from roclab.curves.hull import RocHull as RocHull
    from roclab.curves.points import CurvePoints as CurvePoints
    from roclab.curves.precision_recall import PrecisionRecallCurve as PrecisionRecallCurve
    from roclab.curves.precision_recall import PrecisionRecallSummary as PrecisionRecallSummary
    from roclab.curves.roc import RocCurve as RocCurve
    from roclab.curves.troc import TrocCurve as TrocCurve
    from roclab.data.cases import Cases as Cases
    from roclab.data.classes import ClassScores as ClassScores
    from roclab.data.read import Columns as Columns
    from roclab.data.read import read_cases as read_cases
    from roclab.data.read import read_classes as read_classes
    from roclab.data.read import read_columns as read_columns
    from roclab.data.tally import Tally as Tally
    from roclab.decisions.calibration import Calibration as Calibration
    from roclab.decisions.confusion import ConfusionMatrix as ConfusionMatrix
    from roclab.decisions.coordinates import Coordinates as Coordinates
    from roclab.decisions.coordinates import CoordinateTable as CoordinateTable
    from roclab.decisions.cutoff_bootstrap import CutoffBootstrap as CutoffBootstrap
    from roclab.decisions.cutoff_bootstrap import Optimism as Optimism
    from roclab.decisions.cutoffs import Cutoff as Cutoff
    from roclab.decisions.cutoffs import CutoffResult as CutoffResult
    from roclab.decisions.dominance import Crossing as Crossing
    from roclab.decisions.dominance import Dominance as Dominance
    from roclab.decisions.dominance import FrontPoint as FrontPoint
    from roclab.decisions.dominance import Lead as Lead
    from roclab.decisions.dominance import ParetoFront as ParetoFront
    from roclab.decisions.grey_zone import GreyZone as GreyZone
    from roclab.decisions.h_measure import HMeasure as HMeasure
    from roclab.decisions.hull_table import HullChange as HullChange
    from roclab.decisions.hull_table import HullRange as HullRange
    from roclab.decisions.hull_table import HullTable as HullTable
    from roclab.decisions.hull_table import HullVertex as HullVertex
    from roclab.decisions.hull_table import HullVertices as HullVertices
    from roclab.decisions.hull_table import RocPoint as RocPoint
    from roclab.decisions.interval_ratios import IntervalRatios as IntervalRatios
    from roclab.decisions.intervals import MetricIntervals as MetricIntervals
    from roclab.decisions.net_benefit import DecisionCurve as DecisionCurve
    from roclab.decisions.operating_point import OperatingPoint as OperatingPoint
    from roclab.decisions.operating_point import OperatingPoints as OperatingPoints
    from roclab.decisions.paired_losses import PredictionComparison as PredictionComparison
    from roclab.decisions.smooth_cutoffs import SmoothCutoff as SmoothCutoff
    from roclab.decisions.ties import TieAnalysis as TieAnalysis
    from roclab.engines.estimates import CountedArea as CountedArea
    from roclab.engines.estimates import NumericalError as NumericalError
    from roclab.engines.portable import PortableTally as PortableTally
    from roclab.fuzzy.choose_beta import BetaChoice as BetaChoice
    from roclab.fuzzy.cmeans import FuzzyClusters as FuzzyClusters
    from roclab.fuzzy.matching import MatchedClusters as MatchedClusters
    from roclab.fuzzy.matching import PenaltySurface as PenaltySurface
    from roclab.fuzzy.matching import match_clusters as match_clusters
    from roclab.fuzzy.matching import penalty_surface as penalty_surface
    from roclab.fuzzy.robust import RobustClusters as RobustClusters
    from roclab.imaging.dce.case import DceCase as DceCase
    from roclab.imaging.dce.confidence import Confidence as Confidence
    from roclab.imaging.dce.masks import BreastMask as BreastMask
    from roclab.imaging.dce.model import DataPlane as DataPlane
    from roclab.imaging.dce.model import DceModel as DceModel
    from roclab.imaging.dce.motion import MotionCheck as MotionCheck
    from roclab.imaging.dce.series import DceSeries as DceSeries
    from roclab.imaging.dicom import write_dicom as write_dicom
    from roclab.imaging.lungs.candidates import Candidates as Candidates
    from roclab.imaging.lungs.segment import Lungs as Lungs
    from roclab.imaging.phantoms.breast import BreastPhantom as BreastPhantom
    from roclab.imaging.phantoms.chest import ChestPhantom as ChestPhantom
    from roclab.imaging.volumes import Volume as Volume
    from roclab.imaging.volumes import read_volume as read_volume
    from roclab.imaging.volumes import write_volume as write_volume
    from roclab.inference.comparison.compare import Comparison as Comparison
    from roclab.inference.comparison.contrasts import Difference as Difference
    from roclab.inference.comparison.margins import MarginTest as MarginTest
    from roclab.inference.comparison.published import PublishedArea as PublishedArea
    from roclab.inference.comparison.resampled import SplitMean as SplitMean
    from roclab.inference.one_area.bootstrap import Resampling as Resampling
    from roclab.inference.one_curve.bands import Band as Band
    from roclab.inference.one_curve.bands import Rectangle as Rectangle
    from roclab.inference.one_curve.thresholds import ThresholdEstimate as ThresholdEstimate
    from roclab.many_classes.confusion import MulticlassConfusion as MulticlassConfusion
    from roclab.many_classes.result import MulticlassAreas as MulticlassAreas
    from roclab.ranks.discrete import ConoverStep as ConoverStep
    from roclab.ranks.discrete import DiscreteKolmogorov as DiscreteKolmogorov
    from roclab.ranks.kolmogorov import CdfBand as CdfBand
    from roclab.ranks.kolmogorov import Kolmogorov as Kolmogorov
    from roclab.ranks.kolmogorov import Smirnov as Smirnov
    from roclab.ranks.kruskal_wallis import KruskalWallis as KruskalWallis
    from roclab.ranks.mann_whitney import MannWhitney as MannWhitney
    from roclab.ranks.smirnov_groups import SmirnovOfGroups as SmirnovOfGroups
    from roclab.reading_studies.components import VarianceComponents as VarianceComponents
    from roclab.reading_studies.curves import ReaderCurves as ReaderCurves
    from roclab.reading_studies.readings import Readings as Readings
    from roclab.reading_studies.result import ReaderArea as ReaderArea
    from roclab.reading_studies.result import ReaderStudy as ReaderStudy
    from roclab.reading_studies.roe_metz import RoeMetz as RoeMetz
    from roclab.reading_studies.sizing import ReaderPlan as ReaderPlan
    from roclab.reading_studies.sizing import ReaderPlanCell as ReaderPlanCell
    from roclab.report.write import write_report as write_report
    from roclab.results import AreaEstimate as AreaEstimate
    from roclab.results import ByGroup as ByGroup
    from roclab.results import Interval as Interval
    from roclab.results import RateEstimate as RateEstimate
    from roclab.results import Sample as Sample
    from roclab.results import Several as Several
    from roclab.results import TestResult as TestResult
    from roclab.results import Undefined as Undefined
    from roclab.smooth.given import GivenCurve as GivenCurve
    from roclab.smooth.given import curve_of_densities as curve_of_densities
    from roclab.smooth.model import ClassDensities as ClassDensities
    from roclab.smooth.model import SmoothPoint as SmoothPoint
    from roclab.smooth.model import SmoothRoc as SmoothRoc

__version__ = "0.1.0"

_ROOMS = ("datasets", "errors", "names", "plots")

__all__ = sorted([*HOMES, *_ROOMS, "__version__"])


def __getattr__(name: str) -> Any:
    import importlib

    if name in _ROOMS:
        return importlib.import_module(f"roclab.{name}")
    if name not in HOMES:
        raise AttributeError(f"module 'roclab' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"roclab.{HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
