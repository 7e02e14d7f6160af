// What is chosen on given counts of cases, and what it costs: the choosing half of inference/confidence.py.
import { bestPair } from './review.js';
import { LIMITS, SLACK, TIE, bisected, columnOf, least, most, range, upperHull, weights } from './rules.js';

/** What is chosen, and what it costs per case: w0·F + w1·(1 − K) + review·R + base; rates are (F, K, R). */
export class Task {
  constructor(q) {
    const [w0, w1, base] = q.weights;
    const { prevalence, limits, promised = limits, aim, method, cut, randomised, reviews: review } = q;
    Object.assign(this, { w0, w1, base, prevalence, promised, aim, method, cut, review });
    this.highest = q.has_unit ? Math.max(q.mean.cost_fp, q.mean.cost_fn) : 1;
    this.kinds = LIMITS.filter((kind) => kind in limits);
    this.corners = q.corners.map(weights);
    this.scale = aim === 'most_caught' ? 1 : w0 + w1 + (review ? review.cost : 0);
    this.mixes = randomised && method === 'best' && !review && (this.kinds.length > 0 || aim === 'least_worst');
    this.simple = method === 'best' && !review && aim === 'cheapest';
    this.lines = this.kinds.map((kind) => this.line(kind, limits[kind]));
    this.limits = String(this.lines);
    // What is to be least, first things first.
    const cost = (rates) => this.cost(rates);
    // What bands do depends on more than their cuts.
    this.looks = review ? `${prevalence} ${review.fpr} ${review.tpr}` : '';
    const worst = ([f, k]) => most(this.corners.map(([a, b, c]) => a * f + b * (1 - k) + c));
    this.keys = { most_caught: [([, k]) => -k, ([f]) => f], least_worst: [worst, cost] }[aim] ?? [cost];
  }

  /** What rates cost: three numbers, or those of a column from one place on. */
  cost(rates, i = 0) {
    const paid = this.w0 * rates[i] + this.w1 * (1 - rates[i + 1]);
    return this.review ? paid + this.review.cost * rates[i + 2] : paid;
  }

  /** A limit at a value, as the three numbers of `marginOf`. */
  line(kind, v) {
    const p = this.prevalence ?? 0;
    if (kind === 'max_fpr') return [v, -1, 0];
    if (kind === 'min_tpr') return [-v, 0, 1];
    return kind === 'max_flagged' ? [v, p - 1, -p] : [0, (p - 1) * v, p * (1 - v)];
  }

  kept(f, k, lines = this.lines) {
    for (let i = 0; i < lines.length; i++) if (marginOf(lines[i], f, k) < -SLACK) return false;
    return true;
  }

  /** The best of some options that are kept, the first of equal ones; undefined if there is none. */
  first(options) {
    let left = options.filter(({ kept }) => kept);
    for (const key of this.keys) {
      if (left.length < 2) break;
      const values = left.map(({ rates }) => key(rates));
      const limit = least(values) + TIE * this.scale;
      left = left.filter((_, i) => values[i] <= limit);
    }
    return left[0];
  }
}

/** By how much a limit is kept: linear in the rates, not negative where it is. */
export const marginOf = (line, f, k) => line[0] + line[1] * f + line[2] * k;

/** A rule: two cuts, each of a model, and the shares of the second. */
export const pick = (model, cut, second = cut, other = model, f = 0, k = f) => ({ model, cut, other, second, f, k });

/** What a rule flags on a resample: negatives and positives, and the same between its two cuts. */
export function sumsOf(tables, b, { model, cut, other, second, f, k }) {
  const [x1, y1] = [tables[model].fp(b, cut), tables[model].tp(b, cut)];
  if (cut === second && model === other) return [x1, y1, 0, 0];
  const [x, y] = [tables[other].fp(b, second) - x1, tables[other].tp(b, second) - y1];
  return [x1 + f * x, y1 + k * y, x, y];
}

/** (F, K, R) of what is flagged of so many cases of each class. */
export const ratesFrom = ([f, k, x, y], [n0, n1], p) => [f / n0, k / n1, (1 - p) * (x / n0) + p * (y / n1)];

/** (F, K, R) of a rule on a resample. */
export const ratesOf = (tables, b, rule, p) => ratesFrom(sumsOf(tables, b, rule), tables[0].totals(b), p);

/** What is chosen on a resample, each with its rates there: the best rule of every model, then the whole choice. */
export function choose(tables, b, task, told = (rule) => ({ rule, rates: ratesOf(tables, b, rule, task.prevalence ?? 0) })) {
  const found = tables.map((table, k) => {
    const [rule, kept] = bestOfModel(table, k, b, task);
    const own = Object.assign(told(rule), { kept });
    return task.mixes ? better(task, [own, bestMixture([k], tables, b, task)]) : own;
  });
  const trivial = [0, 1].map((rate) => {
    return { rule: pick(0, rate ? tables[0].order.last : 0), rates: [rate, rate, 0], kept: task.kept(rate, rate) };
  });
  const mixed = task.mixes ? [bestMixture([...tables.keys()], tables, b, task)] : [];
  return [...found, better(task, [...trivial, ...found, ...mixed])];
}

/** The best of several rules, the first of equal ones; flag nobody if none keeps the limits. */
const better = (task, options) => task.first(options) ?? { rule: pick(0, 0), rates: [0, 0, 0], kept: false };

/** The best rule of one model on a resample, and whether it keeps the limits; flag nobody if none does. */
function bestOfModel(table, k, b, task) {
  if (task.review) return [bandOf(table, k, b, task), true];
  if (task.simple) {
    const [cuts, x, y] = table.hull(b, task);
    if (!cuts.length) return [pick(k, 0), false];
    return [pick(k, cuts[cheapest(x, y, [task.w0, task.w1], TIE * task.scale)[0]]), true];
  }
  if (task.method === 'best') {
    const { cuts } = table.order;
    const [x, y] = table.rates(b, cuts);
    const best = task.first(Array.from(cuts, (cut, i) => ({ cut, rates: [x[i], y[i], 0], kept: task.kept(x[i], y[i]) })));
    return [pick(k, best?.cut ?? 0), Boolean(best)];
  }
  const rule = task.method === 'rate_driven' ? quotaOf(table, k, b, task) : pick(k, cutAt(table.order.thresholds, task.cut));
  const [f, t] = ratesOf([table], b, { ...rule, model: 0, other: 0 }, 0);
  return [rule, task.kept(f, t)];
}

/** The first and the last of the places that cost the least. */
function cheapest(x, y, [w0, w1], tie) {
  let lowest = Infinity;
  for (let i = 0; i < x.length; i++) lowest = Math.min(lowest, w0 * x[i] - w1 * y[i]);
  let [first, last] = [0, x.length - 1];
  while (w0 * x[first] - w1 * y[first] > lowest + tie) first++;
  while (w0 * x[last] - w1 * y[last] > lowest + tie) last--;
  return [first, last];
}

/** The cut that flags what "at least this score" flags. */
export function cutAt(thresholds, score) {
  return bisected(0, thresholds.length, (c) => thresholds[c] < score);
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

/**
 * Where flagging begins and where reviewing begins: the cheapest pair of cuts. Its cost is the sum of two costs without reviews,
 * so each end is a vertex of the hull as long as a person can look at as many cases as lie between them.
 */
function bandOf(table, k, b, task) {
  const { review: look, w0, w1, prevalence: p } = task;
  const [tie, capacity] = [TIE * task.scale, look.max_reviewed ?? 1];
  const flagging = [w0 * (1 - look.fpr) - (1 - p) * look.cost, w1 * (1 - look.tpr) + p * look.cost];
  const reviewing = [w0 * look.fpr + (1 - p) * look.cost, w1 * look.tpr - p * look.cost];
  const [cuts, x, y] = table.hull(b, task);
  const share = (i) => (1 - p) * x[i] + p * y[i];
  // A review that is worth its price for no case: one threshold for all.
  const pays = flagging[0] * reviewing[1] > flagging[1] * reviewing[0];
  let [i, j] = [cheapest(x, y, flagging, tie)[1], cheapest(x, y, reviewing, tie)[0]];
  if (!pays || i > j) i = j = cheapest(x, y, [w0, w1], tie)[0];
  if (share(j) - share(i) <= capacity + SLACK) return pick(k, cuts[i], cuts[j], k, look.fpr, look.tpr);
  // Where these are too many, both ends lie between those two, at any cut.
  const some = range(cuts[j] - cuts[i] + 1).map((n) => n + cuts[i]);
  const [u, v] = table.rates(b, some);
  const cost = ([a, c]) => columnOf(u.length, (n) => a * u[n] - c * v[n]);
  const flagged = columnOf(u.length, (n) => (1 - p) * u[n] + p * v[n]);
  const [from, to] = bestPair(cost(flagging), cost(reviewing), flagged, capacity, tie);
  return pick(k, some[from], some[to], k, look.fpr, look.tpr);
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
  const lines = task.lines.map((line) => hull.map(({ x, y }) => -marginOf(line, x, y)));
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
  const options = crossed.map(([i, share]) => {
    const [one, two] = [hull[i], hull[i + 1]];
    const rates = [one.x + share * (two.x - one.x), one.y + share * (two.y - one.y), 0];
    return { rule: pick(one.k, one.cut, two.cut, two.k, share), rates, kept: task.kept(rates[0], rates[1]) };
  });
  return better(task, options);
}
