// The question, and every rule of every model in one table: the twin of decide/question.py and decide/rules.py.

export const LIMITS = ['max_flagged', 'min_precision', 'max_fpr', 'min_tpr'];
// Two costs that differ by less than this share of what is at stake are the same; a limit is kept up to a rounding.
export const TIE = 2 ** -46;
export const SLACK = 2 ** -50;
export const NOBODY = -2;
export const EVERYBODY = -1;
export const ALWAYS_NEGATIVE = 'always-negative';
export const ALWAYS_POSITIVE = 'always-positive';
// The next condition looked at beyond the end of a span.
const STEP = 1e-9;

/** A, B and C: a rule costs A·fpr + B·(1 − tpr) + C. */
export function weights(at) {
  if ('t' in at) return [at.t, 1 - at.t, 0];
  const p = at.prevalence;
  return [(at.cost_fp - at.cost_tn) * (1 - p), (at.cost_fn - at.cost_tp) * p, at.cost_tn * (1 - p) + at.cost_tp * p];
}

/** (e0, e1) of each limit for some rates: kept at prevalence p where e0 + e1·p ≤ 0. */
export function excess(limits, fpr, tpr) {
  const column = (value) => columnOf(fpr.length, value);
  const forms = {
    max_flagged: (m) => [column((i) => fpr[i] - m), column((i) => tpr[i] - fpr[i])],
    min_precision: (q) => [column((i) => q * fpr[i]), column((i) => q * (tpr[i] - fpr[i]) - tpr[i])],
    max_fpr: (m) => [column((i) => fpr[i] - m), column(() => 0)],
    min_tpr: (m) => [column((i) => m - tpr[i]), column(() => 0)],
  };
  return LIMITS.filter((kind) => kind in limits).map((kind) => forms[kind](limits[kind]));
}

/** The threshold of the least cost under a smooth risk curve; of equal ones the one that flags fewest. */
export function smoothCut({ thresholds, fpr, tpr }, { weights: [a, b], scale }) {
  const cost = columnOf(fpr.length, (i) => a * fpr[i] + b * (1 - tpr[i]));
  const most = cost.reduce((x, y) => Math.min(x, y)) + TIE * scale;
  return thresholds[cost.findIndex((paid) => paid <= most)];
}

const COLUMNS = {
  model: Int32Array,
  threshold: Float64Array,
  below: Float64Array,
  fpr: Float64Array,
  tpr: Float64Array,
  other: Int32Array,
  share: Float64Array,
};

/**
 * One row per rule; the order of the rows is the order in which ties are broken: flag nobody, flag everybody, then each
 * model's rules in the order given, those that flag fewest first, then mixtures. A mixture follows `other`, a row, with
 * probability `share`; other = −1 for none.
 */
export class Rules {
  constructor(columns, names, order = null) {
    Object.assign(this, columns, { names, size: columns.model.length, held: order });
    // Made once for the rows of all questions without limits, and for the rows of a model.
    [this.every, this.paths, this.hulls, this.owned] = [range(this.size), new Map(), new WeakMap(), new WeakMap()];
  }

  /**
   * The rules of models: thresholds descending, the next lower score of each, and the negatives (fp) and positives (tp)
   * flagged from each on.
   */
  static of(models) {
    const rows = [
      [NOBODY, Infinity, NaN, 0, 0, -1, 0],
      [EVERYBODY, -Infinity, NaN, 1, 1, -1, 0],
    ];
    models.forEach(({ thresholds, below, fp, tp, negatives, positives }, m) => {
      const next = (cut, i) => (Math.abs(cut) === Infinity ? NaN : below[i]);
      const rates = (i) => [fp[i] / negatives, tp[i] / positives];
      const own = Array.from(thresholds, (cut, i) => [m, cut, next(cut, i), ...rates(i), -1, 0]);
      const inner = own.filter((row) => row[3] + row[4] > 0 && row[3] + row[4] < 2);
      // A constant score: all it can do is to flag everybody.
      for (const row of inner.length ? inner : own.filter((one) => one[3] + one[4] > 0)) rows.push(row);
    });
    const columns = Object.entries(COLUMNS).map(([key, kind], c) => [key, kind.from(rows, (row) => row[c])]);
    const names = models.map(({ name }) => name);
    return new Rules(Object.fromEntries(columns), names);
  }

  /** All rows by ascending fpr, of equal ones the highest tpr, then the first. */
  get order() {
    const { fpr, tpr } = this;
    this.held ??= range(this.size).sort((i, j) => fpr[i] - fpr[j] || tpr[j] - tpr[i] || i - j);
    return this.held;
  }

  /** Some rows, ascending, each as the rule of its owner. */
  only(rows, owners = this.owners()) {
    const columns = Object.fromEntries(Object.keys(COLUMNS).map((key) => [key, taken(this[key], rows)]));
    const place = new Int32Array(this.size).fill(-1);
    for (let k = 0; k < rows.length; k++) place[rows[k]] = k;
    const order = taken(place, this.order).filter((k) => k >= 0);
    return new Rules({ ...columns, model: taken(owners, rows) }, this.names, order);
  }

  /** The table with mixtures (row, other row, probability of the other) added; a row with itself is that row again. */
  plus(mixed, models = null) {
    const [size, extra] = [this.size, mixed.length];
    const columns = Object.entries(COLUMNS).map(([key, Kind]) => {
      const column = new Kind(size + extra);
      column.set(this[key]);
      mixed.forEach(([i], k) => (column[size + k] = this[key][i]));
      return [key, column];
    });
    const more = Object.fromEntries(columns);
    mixed.forEach(([i, j, u], k) => {
      for (const key of ['fpr', 'tpr']) more[key][size + k] = this[key][i] + u * (this[key][j] - this[key][i]);
      more.other[size + k] = i === j ? -1 : j;
      more.share[size + k] = u;
      if (models) more.model[size + k] = models[k];
    });
    const added = range(extra).map((k) => k + size);
    return new Rules(more, this.names, merged(this.order, added, more));
  }

  /** The row that mixture i follows where it does not follow the other: of those with its threshold, the nearest to where it lies. */
  mixedFrom(i) {
    const { model, threshold, other, share } = this;
    const [fpr, tpr] = [this.fpr, this.tpr].map((rate) => (rate[i] - share[i] * rate[other[i]]) / (1 - share[i]));
    const own = range(this.size).filter(
      (k) => Object.is(threshold[k], threshold[i]) && other[k] < 0 && (model[k] === model[i] || model[k] < 0),
    );
    const far = (k) => Math.abs(this.fpr[k] - fpr) + Math.abs(this.tpr[k] - tpr);
    return own.reduce((best, k) => (far(k) < far(best) ? k : best), own[0]);
  }

  /** What each rule costs per case. */
  cost(at) {
    const [a, b, c] = weights(at);
    const { fpr, tpr } = this;
    return columnOf(this.size, (i) => a * fpr[i] + b * (1 - tpr[i]) + c);
  }

  /** Those of some rows that are the cheapest at some costs, by ascending fpr; of equal points the first row. */
  hull(rows) {
    if (this.hulls.has(rows)) return this.hulls.get(rows);
    const { fpr, tpr, order } = this;
    const among = new Uint8Array(this.size);
    for (let n = 0; n < rows.length; n++) among[rows[n]] = 1;
    // Of points above each other the highest alone, and none that stands no higher than one before.
    const steps = [];
    let highest = -1;
    for (let n = 0; n < order.length; n++) {
      if (!among[order[n]] || tpr[order[n]] <= highest) continue;
      steps.push(order[n]);
      highest = tpr[order[n]];
    }
    const found = [];
    for (const k of steps) {
      while (found.length > 1) {
        const a = found[found.length - 2];
        const b = found[found.length - 1];
        if ((tpr[b] - tpr[a]) * (fpr[k] - fpr[a]) - (tpr[k] - tpr[a]) * (fpr[b] - fpr[a]) > SLACK) break;
        found.pop();
      }
      found.push(k);
    }
    this.hulls.set(rows, found);
    return found;
  }

  /** The t at which the cheapest of neighbouring vertices changes, descending. */
  switches(vertices) {
    const rise = (k) => this.tpr[vertices[k + 1]] - this.tpr[vertices[k]];
    const run = (k) => this.fpr[vertices[k + 1]] - this.fpr[vertices[k]];
    return vertices.slice(1).map((_, k) => rise(k) / (rise(k) + run(k)));
  }

  /** Those of some rows that lie on their hull, all of equal ones. */
  front(rows) {
    const { fpr, tpr } = this;
    const v = this.hull(rows);
    return rows.filter((i) => {
      const k = Math.min(Math.max(countUpTo(v, fpr, fpr[i]) - 1, 0), Math.max(v.length - 2, 0));
      const a = v[k];
      const b = v[Math.min(k + 1, v.length - 1)];
      const below = (tpr[b] - tpr[a]) * (fpr[i] - fpr[a]) - (tpr[i] - tpr[a]) * (fpr[b] - fpr[a]);
      return below <= SLACK && (a !== b || tpr[i] >= tpr[a]);
    });
  }

  /** Which rules keep every limit, at the mean prevalence. */
  kept(q) {
    const p = q.prevalence ?? 0;
    return keeping(excess(q.limits, this.fpr, this.tpr), p, this.size);
  }

  /** Where an edge of the hull of some rows crosses the line of a limit, or of two corners that cost the same. */
  mixtures(q, groups) {
    const p = q.prevalence ?? 0;
    const found = new Map();
    for (const rows of groups) {
      // From flagging nobody up to the first vertex, which may catch some without a false alarm.
      const vertices = [...new Set([0, ...this.hull(rows)])];
      const lines = linesOf(q, p, this.only(vertices, this.model));
      for (const line of lines) {
        for (let k = 1; k < vertices.length; k++) {
          const [i, j, from, to] = [vertices[k - 1], vertices[k], line[k - 1], line[k]];
          if (!(Math.min(from, to) < 0 && Math.max(from, to) > 0)) continue;
          found.set(`${i} ${j} ${from / (from - to)}`, [i, j, from / (from - to)]);
        }
      }
    }
    return [...found.values()];
  }

  /** The rows of a model by falling threshold, from flagging nobody to flagging everybody, each of these once. */
  path(m) {
    return heldIn(this.paths, m, () => {
      const [start, end] = this.between(m);
      // A constant score has one rule, which flags everybody.
      const own = this.fpr[start] + this.tpr[start] < 2 ? end - start : 0;
      return Int32Array.from([0, ...range(own).map((k) => start + k), 1]);
    });
  }

  /** Those of some rows that are rules of each model. */
  ownRows(rows) {
    return heldIn(this.owned, rows, () => this.names.map((_, m) => rows.filter((i) => this.model[i] === m)));
  }

  /** From which row to which a model's own rules stand; models come one after the other. */
  between(m) {
    const start = this.model.indexOf(m);
    let end = start;
    while (end < this.size && this.model[end] === m && this.other[end] < 0) end++;
    return [start, end];
  }

  /** The row that flags what "score ≥ cut" flags. */
  rowAt(m, cut) {
    const [start, end] = this.between(m);
    if (cut <= this.below[end - 1]) return 1;
    let found = 0;
    for (let i = start; i < end && this.threshold[i] >= cut; i++) found = i;
    return found;
  }

  /** The table with what may be mixed or what a method sets, and which rows may be chosen. */
  allowed(q) {
    const models = this.names.map((_, m) => m);
    if (q.method === 'best') {
      const groups = () => [this.every, ...models.map((m) => this.path(m))];
      const table = q.randomised ? this.plus(this.mixtures(q, groups())) : this;
      return [table, table.every];
    }
    const cuts = models.map((m) => (q.method === 'smooth' ? smoothCut(q.smooth[m], q) : (q.cut ?? 0)));
    const rows = models.map((m) => {
      if (q.method === 'rate_driven') return this.atRate(this.path(m), q);
      const i = this.rowAt(m, cuts[m]);
      return [i, i, 0];
    });
    const table = this.plus(rows, models);
    if (q.method !== 'rate_driven') table.threshold.set(cuts, this.size);
    // The lowest score has none below it.
    for (const m of models) if (rows[m][0] === 1) table.below[this.size + m] = -Infinity;
    return [table, Int32Array.from([0, 1, ...models.map((m) => this.size + m)])];
  }

  /** The two rows between which a quota of cases is flagged, and the probability of the second. */
  atRate(path, { prevalence: p, cut }) {
    const flagged = columnOf(path.length, (k) => p * this.tpr[path[k]] + (1 - p) * this.fpr[path[k]]);
    let k = path.length - 1;
    while (flagged[k] > 1 - cut + SLACK) k--;
    if (k + 1 === path.length || 1 - cut <= flagged[k] + SLACK) return [path[k], path[k], 0];
    return [path[k], path[k + 1], (1 - cut - flagged[k]) / (flagged[k + 1] - flagged[k])];
  }

  /** Whose rule each row is; a mixture of two models, or of none, belongs to none and has a number after all models. */
  owners() {
    const found = this.model.slice();
    for (let i = 0; i < this.size; i++) {
      if (this.other[i] < 0) continue;
      const [one, two] = [this.model[i], this.model[this.other[i]]];
      const among = one === two || one < 0 || two < 0;
      found[i] = among && Math.max(one, two) >= 0 ? Math.max(one, two) : this.names.length;
    }
    return found;
  }

  /** How far t may move until row i is not the best of some rows, and until no rule of its model is. */
  spansOfT(rows, i, t) {
    const { fpr, tpr } = this;
    const v = this.hull(rows);
    const ends = [1, ...this.switches(v), 0];
    const k = v.findIndex((j) => Math.abs(fpr[j] - fpr[i]) <= TIE && Math.abs(tpr[j] - tpr[i]) <= TIE);
    const all = this.ownedSpan(rows, v, ends, i, t);
    // On an edge it is as good as its ends at one t.
    return k < 0 ? [[t, t], all] : [[Math.min(ends[k + 1], t), Math.max(ends[k], t)], all];
  }

  /** The t around one over which a rule of row i's model is as good as the best. */
  ownedSpan(rows, v, ends, i, t) {
    const { fpr, tpr } = this;
    const owner = this.owners();
    const among = new Uint8Array(this.size);
    for (let n = 0; n < rows.length; n++) if (owner[rows[n]] === owner[i]) among[rows[n]] = 1;
    // The highest of its points at each fpr.
    const own = this.order.filter((j) => among[j]).filter((j, n, held) => n === 0 || fpr[j] > fpr[held[n - 1]]);
    const mine = v.map((j) => {
      const at = own[countUpTo(own, fpr, fpr[j] + TIE) - 1];
      return at !== undefined && Math.abs(fpr[at] - fpr[j]) <= TIE && Math.abs(tpr[at] - tpr[j]) <= TIE;
    });
    const touching = [...v.keys()].filter((k) => ends[k + 1] - TIE <= t && t <= ends[k] + TIE && mine[k]);
    if (!touching.length) return [t, t];
    let [from, to] = [touching[0], touching[touching.length - 1]];
    while (from > 0 && mine[from - 1]) from--;
    while (to + 1 < v.length && mine[to + 1]) to++;
    return [Math.min(ends[to + 1], t), Math.max(ends[from], t)];
  }

  /** How far the prevalence may move until row i is not the best within the limits, and until no rule of its model. */
  spansOfPrevalence(rows, i, q) {
    const { fpr, tpr } = this;
    const [alarm, miss] = q.gaps.map((gap) => gap / (q.gaps[0] + q.gaps[1]));
    const moving = q.limits.max_flagged !== undefined || q.limits.min_precision !== undefined;
    const kept = this.kept(q);
    // Limits that do not move: only rules on the hull of those that keep them are ever the best.
    const few = moving ? this.leanest(rows, alarm, miss) : this.front(rows.filter((k) => kept[k]));
    const held = Int32Array.from(new Set(few).add(i)).sort();
    const table = this.only(held);
    const costs = [
      columnOf(held.length, (k) => alarm * fpr[held[k]]),
      columnOf(held.length, (k) => miss * (1 - tpr[held[k]]) - alarm * fpr[held[k]]),
    ];
    const while_kept = keptWhile(excess(q.limits, table.fpr, table.tpr), table.size);
    const mine = held.indexOf(i);
    const [low, high] = span(mine, q.prevalence ?? 0, costs, while_kept);
    const follow = (end, step) => table.followed(mine, end, step, costs, while_kept);
    return [
      [low, high],
      [follow(low, -STEP), follow(high, STEP)],
    ];
  }

  /** Of rows that catch the same those with the fewest false alarms: more never cost less, nor keep a limit better. */
  leanest(rows, alarm, miss) {
    const { fpr, tpr } = this;
    // Where an error costs nothing all rows count.
    if (!(alarm > 0 && miss > 0)) return rows;
    if (rows.length === this.lean?.of) return this.lean.rows;
    const fewest = new Map();
    for (let n = 0; n < rows.length; n++) {
      const i = rows[n];
      if (!(fewest.get(tpr[i]) <= fpr[i])) fewest.set(tpr[i], fpr[i]);
    }
    const found = rows.filter((i) => fpr[i] === fewest.get(tpr[i]));
    if (rows.length === this.size) this.lean = { of: this.size, rows: found };
    return found;
  }

  /** Follow the best rule of row i's model from one span to the next, as long as it is the best of all. */
  followed(i, start, step, costs, kept) {
    for (let end = start; ;) {
      const x = end + step;
      if (!(x > 0 && x < 1)) return Math.min(Math.max(x, 0), 1);
      const best = this.bestOwn(i, x, costs, kept);
      if (best < 0) return end;
      const reached = span(best, x, costs, kept)[step > 0 ? 1 : 0];
      end = step > 0 ? Math.max(reached, x) : Math.min(reached, x);
    }
  }

  /** The best rule of row i's model at x if none of another model is better; else −1. */
  bestOwn(i, x, [c0, c1], [low, high]) {
    let [lowest, own, best] = [Infinity, Infinity, -1];
    for (let k = 0; k < this.size; k++) {
      if (!(low[k] <= x && x <= high[k])) continue;
      const cost = c0[k] + c1[k] * x;
      if (cost < lowest) lowest = cost;
      if (cost < own - TIE && this.model[k] === this.model[i]) [own, best] = [cost, k];
    }
    return own > lowest + TIE ? -1 : best;
  }
}

/** Two lists of rows in order, as one. */
function merged(held, more, { fpr, tpr }) {
  const before = (i, j) => fpr[i] - fpr[j] || tpr[j] - tpr[i] || i - j;
  const rest = more.sort(before);
  const found = new Int32Array(held.length + rest.length);
  for (let i = 0, j = 0; i + j < found.length;) {
    const one = j === rest.length || (i < held.length && before(held[i], rest[j]) < 0);
    found[i + j] = one ? held[i] : rest[j];
    if (one) i++;
    else j++;
  }
  return found;
}

/** The first place from which on something holds, or the last of all. */
export function bisected(from, to, holds) {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How many of some rows, ascending in a column, are ≤ x. */
const countUpTo = (rows, column, x) => bisected(0, rows.length, (k) => column[rows[k]] > x);

/** Which rows keep limits (e0, e1) at x. */
function keeping(limits, x, size) {
  const kept = new Uint8Array(size).fill(1);
  for (const [e0, e1] of limits) for (let i = 0; i < size; i++) if (!(e0[i] + e1[i] * x <= SLACK)) kept[i] = 0;
  return kept;
}

/** The values of rows on the lines that a best mixture lies on. */
function linesOf(q, p, rules) {
  const { fpr, tpr } = rules;
  const limits = excess(q.limits, fpr, tpr).map(([e0, e1]) => columnOf(rules.size, (i) => e0[i] + e1[i] * p));
  const costs = q.aim === 'least_worst' ? q.corners.map((at) => rules.cost(at)) : [];
  const pairs = costs.flatMap((one, k) => costs.slice(0, k).map((two) => one.map((cost, i) => cost - two[i])));
  return [...limits, ...pairs];
}

/** The row whose keys are the least, the first key before the second; of equal rows the first. */
export function first(rows, keys, scale) {
  let left = rows;
  for (const key of keys) {
    let lowest = Infinity;
    for (let k = 0; k < left.length; k++) if (key[left[k]] < lowest) lowest = key[left[k]];
    left = left.filter((i) => key[i] <= lowest + TIE * scale);
  }
  return left[0];
}

/** Cut columns of intervals to where c0 + c1·x ≤ 0. */
function where(c0, c1, low, high, i) {
  if (c1 < 0) low[i] = Math.max(low[i], -c0 / c1);
  else if (c1 > 0) high[i] = Math.min(high[i], -c0 / c1);
  else if (c0 > 0) [low[i], high[i]] = [2, -1];
}

/** From which x to which each row keeps limits (e0, e1): where e0 + e1·x ≤ 0. */
export function keptWhile(limits, size) {
  const [low, high] = [new Float64Array(size), new Float64Array(size).fill(1)];
  for (const [e0, e1] of limits) for (let i = 0; i < size; i++) where(e0[i] - SLACK, e1[i], low, high, i);
  return [low, high];
}

/** How far x in [0, 1] may move from `at` until row i breaks a limit, or a row that keeps them is cheaper. */
function span(i, at, [c0, c1], [lows, highs]) {
  let [from, to] = [lows[i], highs[i]];
  for (let k = 0; k < c0.length; k++) {
    let [low, high] = [lows[k], highs[k]];
    const d0 = c0[k] - c0[i];
    const d1 = c1[k] - c1[i];
    if (Math.max(Math.abs(d0), Math.abs(d0 + d1)) <= TIE || (d1 === 0 && d0 > 0)) continue;
    // Where it is cheaper; a row that keeps the limits here is not cheaper here, whatever rounding says.
    const inside = low <= at && at <= high;
    const even = -d0 / d1;
    if (d1 < 0) low = Math.max(low, inside ? Math.max(even, at) : even);
    if (d1 > 0) high = Math.min(high, inside ? Math.min(even, at) : even);
    if (!(low < high)) continue;
    if (high <= at) from = Math.max(from, high);
    if (low >= at) to = Math.min(to, low);
  }
  return [from, to];
}

/** The cost ratios of a span of t at a prevalence. */
export function ratiosOf([low, high], p) {
  if (p === null || !(p > 0 && p < 1)) return null;
  return [high, low].map((t) => (t === 0 ? Infinity : (((1 - t) / t) * (1 - p)) / p));
}

export const QUANTITIES = ['cost_fp', 'cost_fn', 'prevalence', 'cost_tp', 'cost_tn'];
const EQUAL_COSTS = { cost_fp: [1, 1], cost_fn: [1, 1], cost_tp: [0, 0], cost_tn: [0, 0] };
const middleOf = ([low, high]) => (low === high ? low : (low + high) / 2);
const quantityOf = ([low, high]) => ({ low, high, mean: middleOf([low, high]) });

/**
 * The question of a state: a pair [low, high] for each quantity, or `t` alone; `limits`, `sure`, `randomised`, `aim`,
 * `method`, `threshold`, `review`, `current`, `costs_given`, `good_enough`, `words` and `belief`.
 */
export function questionOf(state) {
  const { costs_given = true, limits = {}, randomised = false, method = 'best', threshold = null } = state;
  const { review: reviews = null, current = null, sure = null, good_enough = null, words, belief = null } = state;
  const some = LIMITS.filter((kind) => (limits[kind] ?? null) !== null);
  const free = !costs_given && some.length > 0;
  const worst = state.aim === 'least_worst';
  const given = { ...state, ...(costs_given ? {} : EQUAL_COSTS) };
  const names = free ? [] : given.t ? ['t'] : QUANTITIES;
  const found = belief?.quantities ?? Object.fromEntries(names.map((name) => [name, quantityOf(given[name])]));
  return settled({
    quantities: found,
    limits: Object.fromEntries(some.map((kind) => [kind, limits[kind]])),
    aim: worst ? 'least_worst' : free ? 'most_caught' : 'cheapest',
    prevalence: found.prevalence?.mean ?? (given.prevalence ? middleOf(given.prevalence) : null),
    costs_given,
    ...{ method, threshold, randomised, reviews, current, sure, good_enough, words, belief },
  });
}

/** What follows from a question: the properties of `Question`. */
export function settled(question) {
  const { quantities, prevalence: p } = question;
  const names = Object.keys(quantities);
  const mean = Object.fromEntries(names.map((n) => [n, quantities[n].mean]));
  const has_unit = 'cost_fn' in mean;
  const gaps = gapsOf(mean, p);
  const corners = names.reduce(
    (found, n) => {
      const { low, high } = quantities[n];
      return found.flatMap((at) => (low === high ? [low] : [low, high]).map((v) => ({ ...at, [n]: v })));
    },
    [{}],
  );
  const own = ['best', 'smooth', 'fixed'].includes(question.method);
  const weight = names.length ? weights(mean) : [1, 1, 0];
  return {
    ...question,
    mean,
    has_unit,
    priced: names.length > 0,
    weights: weight,
    scale: weight[0] + weight[1],
    gaps,
    // Those at which nothing can go wrong left out.
    corners: names.length ? corners.filter((at) => weights(at)[0] + weights(at)[1] > 0) : [],
    certain: names.every((n) => quantities[n].low === quantities[n].high),
    cut: own ? question.threshold : gaps[0] / (gaps[0] + gaps[1]),
  };
}

/** What a false alarm and a miss cost more than being right, up to a factor; 1 and 1 where that is not known. */
function gapsOf(mean, p) {
  if ('cost_fn' in mean) return [mean.cost_fp - mean.cost_tn, mean.cost_fn - mean.cost_tp];
  if (!('t' in mean) || p === null) return [1, 1];
  const [alarm, miss] = [mean.t * p, (1 - mean.t) * (1 - p)];
  return alarm + miss > 0 ? [alarm, miss] : [1, 1];
}

/** The question as `Question.to_dict` has it: means, ends, and each limit as a row of its own. */
export function askedOf(q) {
  const ends = ([name, { low, high, mean }]) => [name, { low, high, mean, certain: low === high }];
  const ratio = q.gaps[0] > 0 ? q.gaps[1] / q.gaps[0] : Infinity;
  const { certain, priced, has_unit, costs_given, aim, method, threshold, randomised } = q;
  const { reviews, current, sure, good_enough, prevalence, words } = q;
  return {
    quantities: Object.fromEntries(Object.entries(q.quantities).map(ends)),
    limits: LIMITS.filter((kind) => kind in q.limits).map((kind) => ({ kind, value: q.limits[kind] })),
    ratio: has_unit && certain ? ratio : null,
    ...{ certain, priced, has_unit, costs_given, aim, method, threshold, randomised },
    ...{ reviews, current, sure, good_enough, prevalence, words },
  };
}

/** What a map holds under a key, made where it holds nothing yet. */
export function heldIn(map, key, made) {
  if (!map.has(key)) map.set(key, made(key));
  return map.get(key);
}

/** 0 … n − 1. */
export function range(n) {
  const found = new Int32Array(n);
  for (let i = 0; i < n; i++) found[i] = i;
  return found;
}

/** Some entries of a column. */
export function taken(column, rows) {
  const found = new column.constructor(rows.length);
  for (let k = 0; k < rows.length; k++) found[k] = column[rows[k]];
  return found;
}

/** A column made of each place. */
export function columnOf(size, value) {
  const found = new Float64Array(size);
  for (let i = 0; i < size; i++) found[i] = value(i);
  return found;
}

export const sum = (values) => values.reduce((a, b) => a + b, 0);
export const least = (values) => values.reduce((a, b) => Math.min(a, b), Infinity);
export const most = (values) => values.reduce((a, b) => Math.max(a, b), -Infinity);

/** The vertices of the upper hull of points by ascending x, then y. */
export function upperHull(x, y) {
  const found = [];
  for (let i = 0; i < x.length; i++) {
    if (i && x[i] === x[i - 1] && y[i] === y[i - 1]) continue;
    while (found.length > 1) {
      const a = found[found.length - 2];
      const c = found[found.length - 1];
      const turn = (x[c] - x[a]) * (y[i] - y[a]) - (y[c] - y[a]) * (x[i] - x[a]);
      // Rounding is forgiven only to a point between its neighbours: one that stands above both is a vertex.
      const between = y[a] <= y[c] && y[c] <= y[i];
      if (turn < (between ? -4 * Number.EPSILON * (x[i] - x[a] + y[i] - y[a]) : 0)) break;
      found.pop();
    }
    found.push(i);
  }
  return found;
}
