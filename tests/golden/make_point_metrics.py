"""Write point_metrics.json: metrics of confusion matrices by scikit-learn and SciPy.

Run by hand: python tests/golden/make_point_metrics.py
"""

import json
import math
from pathlib import Path

import numpy as np
import scipy
import sklearn
from scipy.stats import chi2_contingency
from sklearn import metrics

TABLES = [(16, 4, 4, 6), (3, 17, 1, 99), (50, 1, 400, 2000), (7, 7, 7, 7), (1, 9, 30, 60)]


def values(tp, fn, fp, tn):
    """Return each metric that one of the two packages has."""
    y_true = np.repeat([1, 1, 0, 0], [tp, fn, fp, tn])
    y_pred = np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])
    chi = chi2_contingency([[tp, fn], [fp, tn]], correction=False).statistic
    return {
        "accuracy": metrics.accuracy_score(y_true, y_pred),
        "precision": metrics.precision_score(y_true, y_pred),
        "recall": metrics.recall_score(y_true, y_pred),
        "specificity": metrics.recall_score(y_true, y_pred, pos_label=0),
        "balanced_accuracy": metrics.balanced_accuracy_score(y_true, y_pred),
        "youden": metrics.balanced_accuracy_score(y_true, y_pred, adjusted=True),
        "kappa": metrics.cohen_kappa_score(y_true, y_pred),
        "f_measure": metrics.f1_score(y_true, y_pred),
        "g_measure": metrics.jaccard_score(y_true, y_pred),
        "mcc": metrics.matthews_corrcoef(y_true, y_pred),
        "information_gain": metrics.mutual_info_score(y_true, y_pred) / math.log(2),
        "chi_squared": chi / y_true.size,
        "f_beta_2": metrics.fbeta_score(y_true, y_pred, beta=2),
        "f_beta_0.5": metrics.fbeta_score(y_true, y_pred, beta=0.5),
    }


if __name__ == "__main__":
    rows = [{"table": table, "values": {k: float(v) for k, v in values(*table).items()}} for table in TABLES]
    made = {"made_with": {"scikit-learn": sklearn.__version__, "scipy": scipy.__version__}, "rows": rows}
    Path(__file__).with_name("point_metrics.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
