"""Life after deployment, slow and plain: exact binomial limits by summing and halving, sums over steps of scores."""

import math
from itertools import pairwise

import numpy as np


def binomial_tail(count, cases, share):
    """P(Bin(cases, share) ≤ count), term by term."""
    return math.fsum(math.comb(cases, k) * share**k * (1 - share) ** (cases - k) for k in range(count + 1))


def upper_share(count, cases, alpha):
    """The largest share at which so few are seen with a chance above alpha, by halving."""
    if count >= cases:
        return 1.0
    low, high = count / cases, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if binomial_tail(count, cases, middle) > alpha else (low, middle)
    return high


def lower_share(count, cases, alpha):
    """The smallest such share for so many."""
    return 1 - upper_share(cases - count, cases, alpha)


def of_cells(counts, cases, values, alpha):
    """A sum of value × share over cells, and its limits: each cell's further end, combined by the root of squares."""
    estimate, below, above = 0.0, 0.0, 0.0
    for count, value in zip(counts, values, strict=True):
        share = count / cases
        rise, fall = upper_share(count, cases, alpha) - share, share - lower_share(count, cases, alpha)
        estimate += value * share
        above += (value * (rise if value > 0 else fall)) ** 2
        below += (value * (fall if value > 0 else rise)) ** 2
    return estimate, estimate - math.sqrt(below), estimate + math.sqrt(above)


def checked(y, flag, limit, *, costs=(1, 5, 0, 0), alpha=0.05, other=None):
    """One value with its limits; costs are those of fp, fn, tp and tn."""
    y, flag = np.asarray(y, bool), np.asarray(flag, bool)
    fp, fn, tp, tn = costs
    cases, flagged = y.size, int(flag.sum())
    counts = {
        "max_fpr": (int((flag & ~y).sum()), int((~y).sum())),
        "min_tpr": (int((flag & y).sum()), int(y.sum())),
        "min_precision": (int((flag & y).sum()), flagged),
        "max_flagged": (flagged, cases),
    }
    if limit in counts:
        count, of = counts[limit]
        return (
            count / of if of else math.nan,
            lower_share(count, of, alpha) if of else 0.0,
            upper_share(count, of, alpha),
        )
    if limit == "max_cost":
        cells = [(flag & ~y, fp), (~flag & y, fn), (flag & y, tp), (~flag & ~y, tn)]
    else:
        other = np.asarray(other, bool)
        cells = [
            (flag & ~other & ~y, fp - tn), (~flag & other & ~y, tn - fp), (~flag & other & y, fn - tp), (flag & ~other & y, tp - fn),
        ]  # fmt: skip
    return of_cells([int(rows.sum()) for rows, _ in cells], cases, [1000 * value for _, value in cells], alpha)


def steps_of(y, scores, thresholds, most=20):
    """Cuts, descending, by trying every score, and the reference's counts in each step; the last step is below all cuts."""
    y, scores = np.asarray(y, bool), np.asarray(scores, float)
    ups, downs = int(y.sum()), int((~y).sum())
    count = min(most, max(3, min(ups, downs) // 10))
    cuts = set(thresholds)
    for j in range(1, count):
        for score in sorted(set(scores.tolist()), reverse=True):
            caught, alarms = int((scores[y] >= score).sum()), int((scores[~y] >= score).sum())
            if (caught * downs + alarms * ups) * count >= 2 * j * ups * downs:
                cuts.add(score)
                break
    cuts = sorted(cuts, reverse=True)
    return cuts, in_steps(cuts, scores[y]), in_steps(cuts, scores[~y])


def in_steps(cuts, scores):
    """How many scores fall into each step."""
    ends = [math.inf, *cuts, -math.inf]
    return [sum(1 for s in scores if low <= s and (s < high or high == math.inf)) for high, low in pairwise(ends)]


class Watched:
    """A rule of one threshold: counts of the reference, costs, and where the threshold is."""

    def __init__(self, cuts, positives, negatives, threshold, costs, prevalence):
        """Take what a rule file holds."""
        self.cuts, self.ups, self.downs = list(cuts), np.array(positives), np.array(negatives)
        self.costs, self.prevalence, self.steps = costs, prevalence, len(positives)
        self.at = [math.inf, *cuts, -math.inf].index(threshold)
        self.p = (self.ups + 0.5) / (self.ups.sum() + self.steps / 2)
        self.q = (self.downs + 0.5) / (self.downs.sum() + self.steps / 2)

    def gap(self, place):
        """+1 where the rule that flags so many steps flags more than the one in use, -1 where it flags fewer."""
        return np.array([float(self.at <= k < place) - float(place <= k < self.at) for k in range(self.steps)])

    def share(self, seen):
        """The share of positives that makes the counts most likely, by halving."""
        low, high = 0.0, 1.0
        for _ in range(60):
            pi = (low + high) / 2
            slope = sum(m * (p - q) / (pi * p + (1 - pi) * q) for m, p, q in zip(seen, self.p, self.q, strict=True))
            low, high = (pi, high) if slope > 0 else (low, pi)
        return (low + high) / 2

    def shares_moved(self, seen):
        """Of each place of the threshold the saving per 1000, and its noise from new cases and from the reference."""
        fp, fn, tp, tn = self.costs
        pi, p, q, cases = self.share(seen), self.p, self.q, sum(seen)
        d, f = p - q, pi * p + (1 - pi) * q
        information = max(sum(m * (x / y) ** 2 for m, x, y in zip(seen, d, f, strict=True)), 1e-9)
        found = []
        for place in range(self.steps + 1):
            gap = 1000 * self.gap(place)
            up, down = gap * (fn - tp), -gap * (fp - tn)
            saving = float(np.sum(pi * p * up + (1 - pi) * q * down))
            change = float(np.sum(p * up) - np.sum(q * down))
            new = abs(change) * math.sqrt(cases * float(np.sum(d * d / f))) / information
            gp = change * np.array(seen) * q / f**2 / information + pi * up
            gq = -change * np.array(seen) * p / f**2 / information + (1 - pi) * down
            found.append((saving, new, self.noise(gp, gq)))
        return pi, found

    def risks_hold(self, seen):
        """The same if the risk at each score stayed as it was."""
        fp, fn, tp, tn = self.costs
        risk = self.prevalence * self.p / (self.prevalence * self.p + (1 - self.prevalence) * self.q)
        share, cases = np.array(seen) / sum(seen), sum(seen)
        both = fp - tn + fn - tp
        found = []
        for place in range(self.steps + 1):
            gap = 1000 * self.gap(place)
            line = gap * (both * risk - (fp - tn))
            saving = float(line @ share)
            new = math.sqrt(max(float(line**2 @ share) - saving**2, 0) / cases)
            moved = gap * both * share * risk * (1 - risk)
            found.append((saving, new, self.noise(moved / self.p, -moved / self.q)))
        return float(share @ risk), found

    def noise(self, gp, gq):
        """The noise of the reference, by the slopes in its shares."""
        ups = float(self.p @ gp**2 - (self.p @ gp) ** 2) / self.ups.sum()
        downs = float(self.q @ gq**2 - (self.q @ gq) ** 2) / self.downs.sum()
        return math.sqrt(max(ups + downs, 0.0))

    def measured(self, cases, labelled, positive, base, slope, z):
        """Of one region: the sum of base + slope × risk over its cases, with Wilson's ends; steps without labels on purpose are bounded."""
        total, known = sum(cases), 0
        region = [k for k in range(self.steps) if base[k] != 0 or slope[k] != 0]
        known, hits, inside = (sum(values[k] for k in region) for values in (labelled, positive, cases))
        blind = 0 if known else inside
        run = []
        for k in [*region, None] if known else []:
            if k is not None and labelled[k] == 0:
                run.append(cases[k])
            else:
                blind += sum(run) if known * sum(run) >= 5 * inside else 0
                run = []
        seen, unseen = (inside - blind) / total, blind / total
        b, v = base[region[0]], slope[region[0]]
        if not known:
            return None, unseen * min(b, b + v), unseen * max(b, b + v)
        share = hits / known
        middle = (share + z * z / (2 * known)) / (1 + z * z / known)
        reach = z / (1 + z * z / known) * math.sqrt(share * (1 - share) / known + z * z / (4 * known * known))
        value, ends = seen * (b + v * share), sorted(seen * (b + v * end) for end in (middle - reach, middle + reach))
        slack = z * z * seen * (1 - seen) / total * (b + v * share) ** 2
        low, high = value - math.sqrt((value - ends[0]) ** 2 + slack), value + math.sqrt((ends[1] - value) ** 2 + slack)
        return (None if blind else value), low + unseen * min(b, b + v), high + unseen * max(b, b + v)
