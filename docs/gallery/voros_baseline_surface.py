"""The ROC surface of flagging nobody.

Example 53 of Ratigan and Cowen's VOROS paper: at each t, the line of all classifiers that cost as much as flagging nobody. Half of the cube
lies below the surface, so the VOROS of flagging nobody is ½. [What it is worth](voros_baselines.md) at single conditions is another figure.
"""

from matplotlib.figure import Figure

import isocost as ic


def draw() -> Figure:
    """The saddle with its lines at two conditions."""
    return ic.plots.RocSurfaceDisplay(ic.measures.level_saddle(0.0, 0.0), t=[0.3, 0.7]).sized(5).plot().figure_
