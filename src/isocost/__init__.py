"""Which classifier to deploy, at which threshold, when costs and class balance are uncertain.

>>> import isocost as ic
>>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
>>> ic.best_threshold(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)).threshold
0.6
"""

from isocost._front import attach as _attach

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = _attach(__name__)
