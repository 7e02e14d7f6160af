"""Slow and obvious resampling: rows drawn one by one, every threshold tried."""

import numpy as np


def resample(y, rng):
    """Rows drawn with replacement inside each class, as indices."""
    y = np.asarray(y)
    return np.concatenate([rng.choice(np.flatnonzero(y == label), size=np.sum(y == label)) for label in (0, 1)])


def lowest_cost(y, s, pcf):
    """Lowest cost at each pcf over all thresholds, and the threshold that has it."""
    y, s = np.asarray(y), np.asarray(s)
    cuts = np.concatenate([[np.inf], np.unique(s)[::-1]])
    fpr = np.array([np.mean(s[y == 0] >= cut) for cut in cuts])
    tpr = np.array([np.mean(s[y == 1] >= cut) for cut in cuts])
    costs = (1 - pcf)[:, None] * fpr + pcf[:, None] * (1 - tpr)
    best = costs.argmin(axis=1)
    return costs.min(axis=1), cuts[best]


def cost_at(y, s, cuts, pcf):
    """Cost at each pcf of flagging scores at or above the cut given for it."""
    y, s = np.asarray(y), np.asarray(s)
    fpr = np.array([np.mean(s[y == 0] >= cut) for cut in cuts])
    tpr = np.array([np.mean(s[y == 1] >= cut) for cut in cuts])
    return (1 - pcf) * fpr + pcf * (1 - tpr)


def bootstrap(y, s, pcf, n_resamples, rng):
    """Costs of each resample with its own thresholds, and with those of another resample."""
    y, s = np.asarray(y), np.asarray(s)
    own, cross = [], []
    for _ in range(n_resamples):
        here, there = resample(y, rng), resample(y, rng)
        own.append(lowest_cost(y[here], s[here], pcf)[0])
        _, cuts = lowest_cost(y[there], s[there], pcf)
        cross.append(cost_at(y[here], s[here], cuts, pcf))
    return np.array(own), np.array(cross)
