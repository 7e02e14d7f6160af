"""Write row_costs.json: total costs and savings by empulse 0.13.1 (pip install empulse), for made-up cases."""

import json
from pathlib import Path

import numpy as np
from empulse.metrics import cost_loss, savings_score

rng = np.random.default_rng(7)
n = 60
y = (rng.random(n) < 0.3).astype(int)
score = np.round(0.6 * rng.random(n) + 0.4 * y * rng.random(n), 2)
costs = {
    "cost_fp": np.round(rng.gamma(2, 5, n) + 4, 2),
    "cost_fn": np.round(rng.lognormal(4, 1, n) + 6, 2),
    "cost_tp": np.round(rng.random(n) * 6, 2),
    "cost_tn": np.round(-rng.random(n), 2),
}
theirs = {f"{name[5:]}_cost": values for name, values in costs.items()}
cases = []
for threshold in (0.1, 0.25, 0.4, 0.6, 2.0):
    reported = (score >= threshold).astype(int)
    cases.append(
        {
            "threshold": threshold,
            "cost": float(cost_loss(y, reported, **theirs)),
            "savings": float(savings_score(y, reported, **theirs)),
        }
    )
found = {"y": y.tolist(), "score": score.tolist(), **{k: v.tolist() for k, v in costs.items()}, "cases": cases}
Path(__file__).with_name("row_costs.json").write_text(json.dumps(found) + "\n", encoding="utf-8")
