# The public names, each with its home: the one list of them.

from isocost import compare as compare
from isocost import conditions as conditions
from isocost import curves as curves
from isocost import decide as decide
from isocost import errors as errors
from isocost import groups as groups
from isocost import inference as inference
from isocost import integrations as integrations
from isocost import measures as measures
from isocost import metrics as metrics
from isocost import monitor as monitor
from isocost import plots as plots
from isocost.compare import Comparison as Comparison
from isocost.compare.classes import ClassComparison as ClassComparison
from isocost.compare.classes import CostMatrix as CostMatrix
from isocost.conditions import Condition as Condition
from isocost.conditions import Conditions as Conditions
from isocost.curves import CostCurve as CostCurve
from isocost.curves import RocCurve as RocCurve
from isocost.curves import cost_curve as cost_curve
from isocost.data.counts import ScoreCounts as ScoreCounts
from isocost.data.joint import JointCounts as JointCounts
from isocost.decide.amounts import RowCosts as RowCosts
from isocost.decide.decision import Decision as Decision
from isocost.decide.decision import best_threshold as best_threshold
from isocost.decide.limits import limit_confidence as limit_confidence
from isocost.decide.question import Question as Question
from isocost.errors import IsocostError as IsocostError
from isocost.groups.groups import Groups as Groups
from isocost.inference import Bootstrap as Bootstrap
from isocost.inference.bootstrap import bootstrap as bootstrap
from isocost.inference.delong import delong as delong
from isocost.inference.study import cases_needed as cases_needed
from isocost.measures import registered_measures as registered_measures
from isocost.measures.areas import auc as auc
from isocost.measures.costs import h_measure as h_measure
from isocost.measures.voros import voros as voros
from isocost.monitor import estimate_prevalence as estimate_prevalence
from isocost.monitor import load_decision as load_decision
from isocost.monitor.challenge import challenge as challenge
from isocost.monitor.check import check as check
from isocost.monitor.watch import watch as watch

__version__: str
