// Flag, clear, or have a person look: the twin of decide/review.py.
import { SLACK, TIE, least, taken, weights } from './rules.js';

/** What an alarm and a miss cost where flagging begins, and where reviewing begins. */
export function reviewWeights({ reviews: look, prevalence: p, gaps: [a, b] }) {
  return [
    [(1 - p) * (a * (1 - look.fpr) - look.cost), p * (b * (1 - look.tpr) + look.cost)],
    [(1 - p) * (a * look.fpr + look.cost), p * (b * look.tpr - look.cost)],
  ];
}

/** Where flagging and reviewing begin, over all pairs of thresholds of model m; ends may be nobody, everybody. */
export function reviewBand(rules, m, q) {
  const [look, p, [a, b]] = [q.reviews, q.prevalence, q.gaps];
  const path = rules.path(m);
  const [x, y] = [taken(rules.fpr, path), taken(rules.tpr, path)];
  const [[a1, b1], [a0, b0]] = reviewWeights(q);
  const start = x.map((fpr, i) => a1 * fpr - b1 * y[i]);
  const end = x.map((fpr, i) => a0 * fpr - b0 * y[i]);
  const flagged = x.map((fpr, i) => (1 - p) * fpr + p * y[i]);
  const [i, j] = bestPair(start, end, flagged, look.max_reviewed ?? 1, TIE * (a * (1 - p) + b * p + look.cost));
  const reviewed = Math.max((1 - p) * (x[j] - x[i]) + p * (y[j] - y[i]), 0);
  const [fpr, tpr] = [x[i] + look.fpr * (x[j] - x[i]), y[i] + look.tpr * (y[j] - y[i])];
  const constant = weights(q.mean)[2];
  const cost = constant + a * (1 - p) * fpr + b * p * (1 - tpr) + look.cost * reviewed;
  const single = least(x.map((rate, k) => a * (1 - p) * rate + b * p * (1 - y[k]))) + constant;
  return {
    flag_row: path[i],
    review_row: path[j],
    reviewed,
    fpr,
    tpr,
    flagged: flagged[i],
    expected_cost: cost,
    saving: Math.max(single - cost, 0),
    worth_up_to: worthUpTo(rules, path, q),
  };
}

/** The cheapest pair of places, one before the other; of equal ones that which reviews, then flags, the fewest. */
export function bestPair(start, end, flagged, widest, tie) {
  const last = reach(flagged, widest);
  const low = leastBetween(end, last);
  let limit = Infinity;
  for (let i = 0; i < start.length; i++) limit = Math.min(limit, start[i] + low[i]);
  limit += tie;
  const pairs = [];
  for (let i = 0; i < start.length; i++) {
    if (start[i] + low[i] > limit) continue;
    let j = i;
    while (start[i] + end[j] > limit) j++;
    pairs.push([flagged[j] - flagged[i], i, j]);
  }
  const fewest = least(pairs.map(([share]) => share)) + SLACK;
  return pairs.find(([share]) => share <= fewest).slice(1);
}

/** The last place of each window that reviews no more than `most`. */
function reach(flagged, widest) {
  const found = new Int32Array(flagged.length);
  for (let i = 0, j = 0; i < flagged.length; i++) {
    while (j + 1 < flagged.length && flagged[j + 1] <= flagged[i] + widest + SLACK) j++;
    found[i] = j;
  }
  return found;
}

/** The least of values[i … last[i]] for each i; `last` never falls. */
function leastBetween(values, last) {
  const [queue, found] = [new Int32Array(values.length), new Float64Array(values.length)];
  for (let i = 0, head = 0, tail = 0, next = 0; i < last.length; i++) {
    for (; next <= last[i]; next++) {
      while (tail > head && values[queue[tail - 1]] >= values[next]) tail--;
      queue[tail++] = next;
    }
    while (queue[head] < i) head++;
    found[i] = values[queue[head]];
  }
  return found;
}

/** The highest price at which a review still pays: the gain on the edges beside the best single rule. */
function worthUpTo(rules, path, q) {
  const [look, p, [a, b]] = [q.reviews, q.prevalence, q.gaps];
  const hull = rules.hull(path);
  const costs = hull.map((i) => a * (1 - p) * rules.fpr[i] + b * p * (1 - rules.tpr[i]));
  const limit = least(costs) + TIE * (a * (1 - p) + b * p);
  const best = costs.findIndex((cost) => cost <= limit);
  const gain = (k, sign) => {
    const [run, rise] = [rules.fpr, rules.tpr].map((rates) => rates[hull[k + 1]] - rates[hull[k]]);
    const [alarms, misses, share] = [a * (1 - p) * run, b * p * rise, (1 - p) * run + p * rise || 1];
    return (sign > 0 ? alarms * (1 - look.fpr) - misses * (1 - look.tpr) : misses * look.tpr - alarms * look.fpr) / share;
  };
  const gains = [...(best > 0 ? [gain(best - 1, 1)] : []), ...(best + 1 < hull.length ? [gain(best, -1)] : [])];
  return Math.max(0, ...gains);
}
