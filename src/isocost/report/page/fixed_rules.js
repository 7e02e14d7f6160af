// What rules that stay as they are cost on each resample, from the cases drawn: the twin of `inference/surety.py` for
// limits and second looks. Touches no document: it is tested against Python without a browser.
import { fromBase64, settled, singleOf, unpacked } from './resamples.js';
import { TRIVIAL, EVERYBODY } from './words.js';

const NO_RESAMPLES = 'No resamples were drawn.';

/** The cases of each resample, a count for each point of each model that has them; summed up when first asked for. */
export function drawnCases({ summary, resamples, models }) {
  const { drawn = null } = summary;
  if (!drawn || !resamples) return models.map(() => () => null);
  const tables = drawn.map((table) => remembered(() => unpacked(table, resamples.n)));
  return models.map((model) => {
    const t = drawn.findIndex((table) => table.models.includes(model.index));
    return remembered(() => countsOf(model, drawn[t], tables[t](), resamples.n));
  });
}

/** A value that is made when first asked for. */
function remembered(make) {
  let value;
  return () => (value ??= make());
}

/** False and true positives of a model's points on each resample, point by point. */
function countsOf(model, { models, at, negatives, places, weights }, times, n) {
  const points = at === 'hull' ? model : model.path;
  const bytes = fromBase64(places[models.indexOf(model.index)]);
  const size = points.fpr.length;
  const [fp, tp] = [new Float64Array(size * n), new Float64Array(size * n)];
  for (let c = 0; c < times.length / n; c++) {
    const from = (bytes[2 * c] | (bytes[2 * c + 1] << 8)) * n;
    const sums = c < negatives ? fp : tp;
    const weight = weights ? weights[c] : 1;
    for (let r = 0; r < n; r++) sums[from + r] += weight * times[c * n + r];
  }
  for (let i = n; i < size * n; i++) {
    fp[i] += fp[i - n];
    tp[i] += tp[i - n];
  }
  return { points, fp, tp, n };
}

/** The place of a point among others, which flag ever more; −1 if it is none of them. */
function placeOf({ fpr, tpr }, x, y) {
  let [low, high] = [0, fpr.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fpr[middle] + tpr[middle] < x + y) low = middle + 1;
    else high = middle;
  }
  return fpr[low] === x && tpr[low] === y ? low : -1;
}

/** Costs of a point on each resample at a pcf; null where the cases drawn do not tell. */
function costsOfPoint(counts, { fpr, tpr }, pcf, n) {
  if (fpr === tpr && (fpr === 0 || fpr === 1)) return new Float64Array(n).fill(fpr === 0 ? pcf : 1 - pcf);
  const v = counts ? placeOf(counts.points, fpr, tpr) : -1;
  if (v < 0) return null;
  const { fp, tp } = counts;
  const last = fp.length - n;
  return Float64Array.from({ length: n }, (_, r) => {
    const [alarms, caught] = [fp[v * n + r] / fp[last + r], tp[v * n + r] / tp[last + r]];
    return (1 - pcf) * alarms + pcf * (1 - caught);
  });
}

/** A weighted mean of two lists of costs; null where one is not known. */
function blended(first, second, share) {
  return first && second && first.map((cost, r) => (1 - share) * cost + share * second[r]);
}

/** Costs of a rule on each resample, of a mixture as its parts are mixed. */
export function costsOfRule(counts, rule, pcf, n) {
  if (!rule.parts) return costsOfPoint(counts, rule, pcf, n);
  const [first, second] = rule.parts.map((part) => costsOfPoint(counts, part, pcf, n));
  return blended(first, second, rule.other_probability);
}

/** Costs of a band on each resample: those of its two thresholds, each at a condition of its own. */
export function costsOfBand(counts, { flag_choice, review_choice }, weigh, n) {
  const sum = ({ fpr, tpr }) => fpr + tpr;
  const at = ({ fpr, tpr }) => tpr / (fpr + tpr);
  const outright = costsOfRule(counts, flag_choice, at(weigh.flag), n);
  const reached = costsOfRule(counts, review_choice, at(weigh.review), n);
  return blended(outright, reached, sum(weigh.review) / (sum(weigh.flag) + sum(weigh.review)));
}

/** Put into a decision how sure it is while its rules stay as they are; `costsOf` gives those of a model's rule. */
export function settledRules(d, data, prices, costsOf, unknown) {
  const nothing = (why) => ({ grade: null, share: null, interval: null, regret: null, doubts: [why], labels: null });
  if (!data.resamples) {
    d.surety = singleOf(data.summary).surety ?? nothing(NO_RESAMPLES);
    return;
  }
  const { n } = data.resamples;
  const costs = new Map();
  for (const rule of [d, ...d.alternatives.filter((rival) => rival.rule)]) {
    const m = data.models.findIndex((model) => model.name === rule.model);
    const found = TRIVIAL.includes(rule.model)
      ? new Float64Array(n).fill(rule.model === EVERYBODY ? 1 - prices.pcf : prices.pcf)
      : costsOf(data.drawn[m](), rule, n);
    if (!found) {
      d.surety = nothing(unknown);
      return;
    }
    costs.set(rule.model, found);
  }
  settled(d, data, prices, { costs });
}
