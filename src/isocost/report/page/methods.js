// What a model costs when its threshold is not the best one: set by the scores themselves, or by a quota.
import { countUpTo } from './resamples.js';

/** Cost proportion cost_fn/(cost_fn + cost_fp), net of correct answers, that goes with a pcf at prevalence p. */
export function costProportion(pcf, p) {
  const misses = pcf * (1 - p);
  return misses / (misses + (1 - pcf) * p);
}

/** Points of a model along its curve, ready for `methodCost` and for words; thresholds fall along it. */
export function pathOf({ fp, tp, threshold, below, rule, probabilities }, thinned = false) {
  const last = fp.length - 1;
  return {
    fpr: fp.map((v) => v / fp[last]),
    tpr: tp.map((v) => v / tp[last]),
    cut: threshold,
    // Where scores in between are left out, thresholds are written as they are.
    below: threshold.map((_, i) => (thinned ? null : (below?.[i] ?? threshold[i + 1] ?? null))),
    rule,
    // Ascending, for the search: a score s is flagged from the place 1 − s on.
    place: probabilities && threshold.slice(1).map((s) => 1 - s),
  };
}

/** Share of cases flagged at each point of a path. */
export function rates(path, p) {
  return path.fpr.map((fpr, i) => (1 - p) * fpr + p * path.tpr[i]);
}

/** The mix of points that flags the share c of cases. */
function byRate(path, c, rate) {
  const j = Math.min(Math.max(countUpTo(rate, c) - 1, 0), rate.length - 2);
  const u = rate[j + 1] > rate[j] ? Math.min((c - rate[j]) / (rate[j + 1] - rate[j]), 1) : 0;
  const at = (values) => values[j] + u * (values[j + 1] - values[j]);
  return { fpr: at(path.fpr), tpr: at(path.tpr) };
}

/**
 * Normalised cost of a path at a pcf and a prevalence: 'score_driven' flags every score from 1 − c on, 'rate_driven'
 * the share c of cases, c the cost proportion; 'kendall' is what the latter costs beyond a perfect ranking.
 */
export function methodCost(path, method, pcf, p, { c = costProportion(pcf, p), rate = null } = {}) {
  const cost = (fpr, tpr) => (1 - pcf) * fpr + pcf * (1 - tpr);
  if (method === 'score_driven') {
    const i = countUpTo(path.place, c);
    return cost(path.fpr[i], path.tpr[i]);
  }
  const point = byRate(path, c, rate ?? rates(path, p));
  const paid = cost(point.fpr, point.tpr);
  if (method === 'rate_driven') return paid;
  return paid - cost(Math.max(c - p, 0) / (1 - p), Math.min(c / p, 1));
}
