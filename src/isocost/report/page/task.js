// What is chosen on given counts of cases, and what it costs: the choosing half of inference/confidence.py.
import { bestPair } from './review.js';
import { LIMITS, SLACK, TIE, columnOf, least, most, range, upperHull, weights } from './rules.js';

/** What is chosen, and what it costs per case: w0·F + w1·(1 − K) + review·R + base; rates are (F, K, R). */
export class Task {
  constructor(q) {
    const [w0, w1, base] = q.weights;
    const { prevalence, limits, promised = limits, aim, method, cut, randomised, reviews: review } = q;
    Object.assign(this, { w0, w1, base, prevalence, limits, promised, aim, method, cut, randomised, review });
    this.highest = q.has_unit ? Math.max(q.mean.cost_fp, q.mean.cost_fn) : 1;
    this.kinds = LIMITS.filter((kind) => kind in limits);
    this.corners = q.corners.map(weights);
    this.scale = aim === 'most_caught' ? 1 : w0 + w1 + (review ? review.cost : 0);
    this.mixes = randomised && method === 'best' && !review && (this.kinds.length > 0 || aim === 'least_worst');
    this.simple = method === 'best' && !review && !this.kinds.length && aim === 'cheapest';
  }

  cost([f, k, r]) {
    const paid = this.w0 * f + this.w1 * (1 - k);
    return this.review ? paid + this.review.cost * r : paid;
  }

  /** By how much a limit is kept, or another value of it: linear in the rates, not negative where it is. */
  margin(kind, f, k, v = this.limits[kind]) {
    const p = this.prevalence ?? 0;
    if (kind === 'max_fpr') return v - f;
    if (kind === 'min_tpr') return k - v;
    return kind === 'max_flagged' ? v - (1 - p) * f - p * k : p * k * (1 - v) - (1 - p) * f * v;
  }

  kept([f, k]) {
    return this.kinds.every((kind) => this.margin(kind, f, k) >= -SLACK);
  }

  /** The first of the cheapest of some places that keep the limits; −1 if there is none. */
  cheapest(x, y) {
    const [costs, { w0, w1, kinds }] = [new Float64Array(x.length).fill(Infinity), this];
    let lowest = Infinity;
    for (let i = 0; i < x.length; i++) {
      let kept = true;
      for (let n = 0; kept && n < kinds.length; n++) kept = this.margin(kinds[n], x[i], y[i]) >= -SLACK;
      if (!kept) continue;
      costs[i] = w0 * x[i] + w1 * (1 - y[i]);
      if (costs[i] < lowest) lowest = costs[i];
    }
    if (lowest === Infinity) return -1;
    const limit = lowest + TIE * this.scale;
    let first = 0;
    while (costs[first] > limit) first++;
    return first;
  }

  /** What is to be least, first things first. */
  keys(rates) {
    if (this.aim === 'most_caught') return [-rates[1], rates[0]];
    if (this.aim !== 'least_worst') return [this.cost(rates)];
    return [most(this.corners.map(([a, b, c]) => a * rates[0] + b * (1 - rates[1]) + c)), this.cost(rates)];
  }

  /** The place of the best of some rates that keep the limits, the first of equal ones; −1 if there is none. */
  first(rates, kept = rates.map((one) => this.kept(one))) {
    const keys = rates.map((one) => this.keys(one));
    let left = rates.flatMap((_, i) => (kept[i] ? [i] : []));
    for (let key = 0; left.length > 1 && key < keys[0].length; key++) {
      const limit = least(left.map((i) => keys[i][key])) + TIE * this.scale;
      left = left.filter((i) => keys[i][key] <= limit);
    }
    return left.length ? left[0] : -1;
  }
}

/** A rule: two cuts, each of a model, and the shares of the second. */
export const pick = (model, cut, second = cut, other = model, f = 0, k = f) => ({ model, cut, other, second, f, k });

/** What a rule flags on a resample: negatives and positives, and the same between its two cuts. */
export function sumsOf(at, { model, cut, other, second, f, k }) {
  const [x1, y1] = at(model, cut);
  if (cut === second && model === other) return [x1, y1, 0, 0];
  const [x2, y2] = at(other, second);
  return [x1 + f * (x2 - x1), y1 + k * (y2 - y1), x2 - x1, y2 - y1];
}

/** (F, K, R) of a rule on a resample. */
export function ratesOf(tables, b, rule, p) {
  const at = (k, cut) => [tables[k].fp(b, cut), tables[k].tp(b, cut)];
  const [f, k, x, y] = sumsOf(at, rule);
  const [n0, n1] = at(0, tables[0].order.last);
  return [f / n0, k / n1, (1 - p) * (x / n0) + p * (y / n1)];
}

/** What is chosen on a resample: the best rule of every model, then the whole choice. */
export function choose(tables, b, task) {
  const p = task.prevalence ?? 0;
  const found = tables.map((table, k) => {
    const [rule, kept] = bestOfModel(table, k, b, task);
    const own = { rule, rates: ratesOf(tables, b, rule, p), kept };
    return task.mixes ? better(task, [own, bestMixture([k], tables, b, task)]) : own;
  });
  const trivial = [0, 1].map((rate) => {
    const rates = [rate, rate, 0];
    return { rule: pick(0, rate ? tables[0].order.last : 0), rates, kept: task.kept(rates) };
  });
  const mixed = task.mixes ? [bestMixture([...tables.keys()], tables, b, task)] : [];
  return [...found, better(task, [...trivial, ...found, ...mixed])].map(({ rule }) => rule);
}

/** The best of several rules, the first of equal ones; flag nobody if none keeps the limits. */
function better(task, options) {
  const [rates, kept] = [options.map((one) => one.rates), options.map((one) => one.kept)];
  const best = task.first(rates, kept);
  return best < 0 ? { rule: pick(0, 0), rates: [0, 0, 0], kept: false } : { ...options[best], kept: true };
}

/** The best rule of one model on a resample, and whether it keeps the limits; flag nobody if none does. */
function bestOfModel(table, k, b, task) {
  if (task.review) return [bandOf(table, k, b, task), true];
  if (task.simple) return [pick(k, cheapestCut(table.hull(b), task)), true];
  if (task.method === 'best') {
    const { cuts } = table.order;
    const [x, y] = table.rates(b, cuts);
    const rates = () => Array.from(cuts, (_, i) => [x[i], y[i], 0]);
    const best = task.aim === 'cheapest' ? task.cheapest(x, y) : task.first(rates());
    return [pick(k, best < 0 ? 0 : cuts[best]), best >= 0];
  }
  const rule = task.method === 'rate_driven' ? quotaOf(table, k, b, task) : pick(k, cutAt(table.order.thresholds, task.cut));
  const [f, t] = sumsOf((_, cut) => [table.fp(b, cut), table.tp(b, cut)], rule);
  const { last } = table.order;
  return [rule, task.kept([f / table.fp(b, last), t / table.tp(b, last), 0])];
}

/** The first of the cheapest cuts of a hull. */
function cheapestCut([cuts, x, y], { w0, w1, scale }) {
  let lowest = Infinity;
  for (let i = 0; i < cuts.length; i++) lowest = Math.min(lowest, w0 * x[i] + w1 * (1 - y[i]));
  for (let i = 0; i < cuts.length; i++) if (w0 * x[i] + w1 * (1 - y[i]) <= lowest + TIE * scale) return cuts[i];
  return 0;
}

/** The cut that flags what "at least this score" flags. */
export function cutAt(thresholds, score) {
  let [low, high] = [0, thresholds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (thresholds[middle] >= score) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The two cuts between which a share of the cases is flagged. */
function quotaOf(table, k, b, task) {
  const [p, quota, { last }] = [task.prevalence ?? 0, 1 - (task.cut ?? 0), table.order];
  const [x, y] = table.rates(b, range(last + 1));
  const flagged = columnOf(last + 1, (c) => p * y[c] + (1 - p) * x[c]);
  let cut = last;
  while (flagged[cut] > quota + SLACK) cut--;
  if (cut === last || quota <= flagged[cut] + SLACK) return pick(k, cut);
  return pick(k, cut, cut + 1, k, (quota - flagged[cut]) / (flagged[cut + 1] - flagged[cut]));
}

/** Where flagging begins and where reviewing begins: the cheapest pair of cuts. */
function bandOf(table, k, b, task) {
  const { review: look, w0, w1 } = task;
  const p = task.prevalence ?? 0;
  const [x, y] = table.rates(b, range(table.order.last + 1));
  const [a1, b1] = [w0 * (1 - look.fpr) - (1 - p) * look.cost, w1 * (1 - look.tpr) + p * look.cost];
  const [a0, b0] = [w0 * look.fpr + (1 - p) * look.cost, w1 * look.tpr - p * look.cost];
  const [start, end, flagged] = [x, x, x].map(({ length }) => new Float64Array(length));
  for (let i = 0; i < x.length; i++) {
    start[i] = a1 * x[i] - b1 * y[i];
    end[i] = a0 * x[i] - b0 * y[i];
    flagged[i] = (1 - p) * x[i] + p * y[i];
  }
  const [i, j] = bestPair(start, end, flagged, look.max_reviewed ?? 1, TIE * task.scale);
  return pick(k, i, j, k, look.fpr, look.tpr);
}

/** The best random mixture of two rules of some models: where an edge of their hull crosses a line. */
function bestMixture(models, tables, b, task) {
  const points = models.flatMap((k) => {
    const [x, y] = tables[k].rates(b, tables[k].order.cuts);
    return Array.from(tables[k].order.cuts, (cut, i) => ({ k, cut, x: x[i], y: y[i] }));
  });
  const order = [...points.keys()].sort((i, j) => points[i].x - points[j].x || points[i].y - points[j].y || i - j);
  const sorted = order.map((i) => points[i]);
  const hull = upperHull(
    sorted.map(({ x }) => x),
    sorted.map(({ y }) => y),
  ).map((i) => sorted[i]);
  if (hull[0].y > 0) hull.unshift(points[0]);
  const lines = task.kinds.map((kind) => hull.map(({ x, y }) => -task.margin(kind, x, y)));
  if (task.aim === 'least_worst') {
    const costs = task.corners.map(([u, v, w]) => hull.map(({ x, y }) => u * x + v * (1 - y) + w));
    costs.forEach((one, i) => costs.slice(0, i).forEach((two) => lines.push(one.map((cost, n) => cost - two[n]))));
  }
  const crossed = lines.flatMap((line) =>
    line.slice(1).flatMap((to, i) => {
      const from = line[i];
      return Math.min(from, to) * Math.max(from, to) < 0 ? [[i, from / (from - to)]] : [];
    }),
  );
  const rates = crossed.map(([i, share]) => {
    const [one, two] = [hull[i], hull[i + 1]];
    return [one.x + share * (two.x - one.x), one.y + share * (two.y - one.y), 0];
  });
  const best = task.first(rates);
  if (best < 0) return { rule: pick(0, 0), rates: [0, 0, 0], kept: false };
  const [i, share] = crossed[best];
  const [one, two] = [hull[i], hull[i + 1]];
  return { rule: pick(one.k, one.cut, two.cut, two.k, share), rates: rates[best], kept: true };
}
