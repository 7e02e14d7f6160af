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
    // From cut to cut both rates rise: some limits hold up to a place, one from a place on; a precision does so along a hull alone.
    const linesOf = (holds) => this.kinds.filter(holds).map((kind) => this.line(kind, limits[kind]));
    this.lines = linesOf(() => true);
    this.lower = linesOf((kind) => kind === 'min_tpr');
    this.upper = linesOf((kind) => kind !== 'min_tpr');
    this.rising = linesOf((kind) => kind.startsWith('max'));
  }

  cost([f, k, r]) {
    const paid = this.w0 * f + this.w1 * (1 - k);
    return this.review ? paid + this.review.cost * r : paid;
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

  /** What is to be least, first things first. */
  keys(rates) {
    if (this.aim === 'most_caught') return [-rates[1], rates[0]];
    if (this.aim !== 'least_worst') return [this.cost(rates)];
    return [most(this.corners.map(([a, b, c]) => a * rates[0] + b * (1 - rates[1]) + c)), this.cost(rates)];
  }

  /** The place of the best of some rates that keep the limits, the first of equal ones; −1 if there is none. */
  first(rates, kept = rates.map(([f, k]) => this.kept(f, k))) {
    const keys = rates.map((one) => this.keys(one));
    let left = rates.flatMap((_, i) => (kept[i] ? [i] : []));
    for (let key = 0; left.length > 1 && key < keys[0].length; key++) {
      const limit = least(left.map((i) => keys[i][key])) + TIE * this.scale;
      left = left.filter((i) => keys[i][key] <= limit);
    }
    return left.length ? left[0] : -1;
  }
}

/** By how much a limit is kept: linear in the rates, not negative where it is. */
export const marginOf = ([c0, cf, ck], f, k) => c0 + cf * f + ck * k;

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
    return { rule: pick(0, rate ? tables[0].order.last : 0), rates, kept: task.kept(rate, rate) };
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
  if (task.simple) {
    const cut = cheapestCut(table, b, task);
    return [pick(k, Math.max(cut, 0)), cut >= 0];
  }
  if (task.method === 'best') {
    const { cuts } = table.order;
    const [x, y] = table.rates(b, cuts);
    const best = task.first(Array.from(cuts, (_, i) => [x[i], y[i], 0]));
    return [pick(k, best < 0 ? 0 : cuts[best]), best >= 0];
  }
  const rule = task.method === 'rate_driven' ? quotaOf(table, k, b, task) : pick(k, cutAt(table.order.thresholds, task.cut));
  const [f, t] = sumsOf((_, cut) => [table.fp(b, cut), table.tp(b, cut)], rule);
  const { last } = table.order;
  return [rule, task.kept(f / table.fp(b, last), t / table.tp(b, last))];
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

/**
 * The first of the cheapest cuts that keep the limits; −1 if there is none. Where the cheapest vertex of the hull breaks one,
 * the best cut lies on or below the edge on which that limit begins to hold: what is beyond costs more.
 */
function cheapestCut(table, b, task) {
  const { w0, w1, upper, lower } = task;
  const tie = TIE * task.scale;
  const [vertices, x, y, places] = table.hull(b);
  let [i] = cheapest(x, y, [w0, w1], tie);
  if (task.kept(x[i], y[i])) return vertices[i];
  const [step, lines] = task.kept(x[i], y[i], lower) ? [-1, upper] : [1, lower];
  while (!task.kept(x[i], y[i], lines)) i += step;
  const { last, cuts } = table.order;
  const [n0, n1] = [table.fp(b, last), table.tp(b, last)];
  const kept = (c, some) => task.kept(table.fp(b, cuts[c]) / n0, table.tp(b, cuts[c]) / n1, some);
  let [from, to] = [places[Math.min(i, i - step)], places[Math.max(i, i - step)]];
  if (step > 0) from = bisected(from, to, (c) => kept(c, lower));
  else to = bisected(from, to, (c) => !kept(c, task.rising));
  let [best, lowest] = [-1, Infinity];
  for (let c = from; c <= to; c++) {
    const cost = (w0 * table.fp(b, cuts[c])) / n0 - (w1 * table.tp(b, cuts[c])) / n1;
    if (cost < lowest - tie && kept(c)) [best, lowest] = [cuts[c], cost];
  }
  return best;
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
  const [cuts, x, y] = table.hull(b);
  const share = (i) => (1 - p) * x[i] + p * y[i];
  // A review that is worth its price for no case: one threshold for all.
  const pays = flagging[0] * reviewing[1] > flagging[1] * reviewing[0];
  let [i, j] = [cheapest(x, y, flagging, tie)[1], cheapest(x, y, reviewing, tie)[0]];
  if (!pays || i > j) i = j = cheapest(x, y, [w0, w1], tie)[0];
  if (share(j) - share(i) <= capacity + SLACK) return pick(k, cuts[i], cuts[j], k, look.fpr, look.tpr);
  const [u, v] = table.rates(b, range(table.order.last + 1));
  const cost = ([a, c]) => columnOf(u.length, (n) => a * u[n] - c * v[n]);
  const flagged = columnOf(u.length, (n) => (1 - p) * u[n] + p * v[n]);
  return pick(k, ...bestPair(cost(flagging), cost(reviewing), flagged, capacity, tie), k, look.fpr, look.tpr);
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
