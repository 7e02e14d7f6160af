// What choosing wrong costs, and how many more labelled cases would settle it: the twin of inference/label_value.py.

// What a chosen threshold loses at most, as a multiple of what it loses on average.
const TAIL_OF_CHOICE = 0.998181 ** 2 / 0.26355964;
// Times as many labels as there are: more are as good as never.
const MOST_LABELS = 1000;
const LABEL_STEPS = 400;

const averageOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The smallest of the sorted values that at least the share q of them does not exceed. */
function reachedBy(sorted, q) {
  return sorted[Math.max(0, Math.ceil(sorted.length * q - 1))];
}

/** The mean over resamples of the lowest cost after so many more labels. */
function costAfter({ costs, means, lost }, more, labelled) {
  const seen = Math.sqrt(more / (labelled + more));
  const rate = (labelled / (labelled + more)) ** (2 / 3);
  const middle = means.map((mean, a) => mean + lost[a] * rate);
  let total = 0;
  for (let r = 0; r < costs[0].length; r++) {
    let least = Infinity;
    for (let a = 0; a < costs.length; a++) {
      least = Math.min(least, middle[a] + seen * (costs[a][r] - means[a]));
    }
    total += least;
  }
  return total / costs[0].length;
}

/**
 * What today's action may lose, and what labels are worth, per 1000 cases.
 *
 * `costs` has the normalised costs of each action on every resample, `lost` what its chosen threshold loses, `today`
 * which one is chosen. `unit` is what a normalised cost of 1 is worth per 1000 cases, `constant` what is always paid.
 */
export function valueOfLabels(costs, lost, today, { unit, constant, level, terms }) {
  const { labelled } = terms;
  const actions = { costs, lost, means: costs.map(averageOf) };
  const least = [...costs[0]].map((_, r) => Math.min(...costs.map((cost) => cost[r])));
  const known = unit * averageOf(least);
  const first = costAfter(actions, 0, labelled);
  const behind = least.map((cost, r) => costs[today][r] - cost).sort((x, y) => x - y);
  const expected = unit * (actions.means[today] + lost[today]) - known;
  const perfect = unit * first - known;
  const goodEnough = terms.good_enough ?? 0.01 * (constant + expected + known);
  const of = (more) => unit * (first - costAfter(actions, more, labelled));
  const worst = unit * (reachedBy(behind, level) + TAIL_OF_CHOICE * lost[today]);
  const settle = (more) => perfect - of(more) <= goodEnough;
  const enough = terms.cost_per_label === null ? fewest(settle, labelled) : dearest(of, terms);
  return { expected, worst, perfect, good_enough: goodEnough, enough };
}

/** The smallest number after which no more is left than may be; null if none is. */
function fewest(settle, labelled) {
  let [low, high] = [-1, Math.floor(MOST_LABELS * labelled)];
  if (!settle(high)) return null;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (settle(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The number of labels that gains most after paying for them; there may be several tops. */
function dearest(of, { labelled, cost_per_label, cases }) {
  const net = (more) => (of(more) * cases) / 1000 - cost_per_label * more;
  let [best, most] = [0, net(0)];
  for (let i = 0; i < LABEL_STEPS; i++) {
    const more = Math.round((MOST_LABELS * labelled) ** (i / (LABEL_STEPS - 1)));
    const gained = net(more);
    if (gained > most) [best, most] = [more, gained];
  }
  return best;
}
