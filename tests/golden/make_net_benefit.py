"""Write net_benefit.csv: decision curves of the shipped German credit predictions by dcurves 1.1.7 (pip install dcurves).

Each row is one model at one threshold probability, once with the data's own prevalence and once with 10 %. "all" and "none" are
the trivial strategies.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from dcurves import dca

from isocost.datasets import load_german_credit_predictions

y_true, scores = load_german_credit_predictions()
data = pd.DataFrame({"bad": y_true.astype(int), **scores})
# Round numbers, and scores themselves: there it shows that a score equal to the threshold is flagged.
thresholds = np.unique(np.concatenate([np.arange(0, 100, 4) / 100, np.sort(scores["random_forest"])[100::300]]))
parts = []
for prevalence in (None, 0.1):
    made = dca(data=data, outcome="bad", modelnames=list(scores), thresholds=thresholds.tolist(), prevalence=prevalence)
    made["given_prevalence"] = np.nan if prevalence is None else prevalence
    parts.append(made)
table = pd.concat(parts)[["model", "threshold", "given_prevalence", "net_benefit", "net_intervention_avoided"]]
table.to_csv(Path(__file__).with_name("net_benefit.csv"), index=False, float_format="%.17g")
