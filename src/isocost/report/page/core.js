// Arithmetic of the page. Touches no document, so that it can be tested against Python without a browser.

/**
 * @typedef {{fp: number, fn: number, p: number, tp: number, tn: number, below: number, above: number, shape: ('flat'|'bell'), belief: object|null}} State
 * Costs of a false alarm and of a miss, prevalence, costs of right decisions, by which factors the cost ratio may be lower or higher,
 * whether every PCF(+) in between is equally likely or the ratio is log-normal with 95 % in between, and the author's distribution of
 * conditions while that is in force.
 * @typedef {{name: string, positives: number, negatives: number, fpr: number[], tpr: number[], cut: (number|null)[], switches: number[]}} Model
 * @typedef {{t_low: number, t_high: number, model: number, vertex: number, reach: number[], thin: boolean}} Point
 */

export const NOBODY = -1;
export const EVERYBODY = -2;
const LEVEL = 0.95;
const CLEAR = 0.975;
const PROBABLE = 0.8;
const SCALE = 65535;
// The middle 95 % of a normal distribution lie within so many standard deviations.
const NORMAL = 1.959963984540054;
const STEP = 0.01;

/** What a summary says, ready for arithmetic. */
export function prepare(summary) {
  const models = summary.models.map((m) => {
    const { fp, tp, threshold } = m.hull;
    const n = fp.length;
    const fpr = fp.map((v) => v / fp[n - 1]);
    const tpr = tp.map((v) => v / tp[n - 1]);
    const switches = [];
    for (let i = n - 1; i > 0; i--) {
      const rise = (tp[i] - tp[i - 1]) * fp[n - 1];
      const run = (fp[i] - fp[i - 1]) * tp[n - 1];
      switches.push(rise / (rise + run));
    }
    return { name: m.name, positives: m.positives, negatives: m.negatives, fp, tp, fpr, tpr, cut: threshold, switches };
  });
  const points = summary.winners.flatMap((w) => w.points.map((point) => ({ ...point, model: w.model, reach: w.reach })));
  return { models, points, replicates: decoded(summary.replicates, models.length) };
}

function decoded(replicates, count) {
  if (!replicates) return null;
  const bytes = fromBase64(replicates.data);
  const { n, grid } = replicates;
  const costs = new Float64Array(count * n * grid.length);
  for (let i = 0; i < costs.length; i++) {
    const z = grid[i % grid.length];
    costs[i] = ((bytes[2 * i] | (bytes[2 * i + 1] << 8)) / SCALE) * Math.min(z, 1 - z);
  }
  return { n, grid, costs };
}

/** Bytes of a base64 text (quickjs and strict sandboxes have no atob). */
export function fromBase64(text) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const value = new Int16Array(128).fill(-1);
  for (let i = 0; i < 64; i++) value[alphabet.charCodeAt(i)] = i;
  let end = text.length;
  while (end > 0 && text[end - 1] === '=') end--;
  const bytes = new Uint8Array((end * 3) >> 2);
  for (let i = 0, at = 0, bits = 0, held = 0; i < end; i++) {
    held = (held << 6) | value[text.charCodeAt(i)];
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (held >> bits) & 255;
    }
  }
  return bytes;
}

/** t, pcf and the scale of costs at a state. */
export function condition(state) {
  const alarms = (state.fp - state.tn) * (1 - state.p);
  const misses = (state.fn - state.tp) * state.p;
  const scale = alarms + misses;
  return { t: alarms / scale, pcf: misses / scale, scale, floor: state.tn * (1 - state.p) + state.tp * state.p };
}

/** How many of the ascending values are ≤ x. */
export function countUpTo(values, x) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (values[mid] <= x) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** The cheapest vertex of a model's hull at t; at a switch, the one with fewer flagged. */
export function bestVertex(model, t) {
  return model.switches.length - countUpTo(model.switches, t);
}

/** Normalised cost of a model with its best threshold at t. */
export function optimalCost(model, t) {
  const v = bestVertex(model, t);
  return t * model.fpr[v] + (1 - t) * (1 - model.tpr[v]);
}

/** Mean of `optimalCost` over t from low to high, every t equally likely. */
export function meanCost(model, low, high) {
  if (high <= low) return optimalCost(model, low);
  const edges = [low, ...model.switches.filter((s) => s > low && s < high), high];
  let sum = 0;
  for (let i = 1; i < edges.length; i++) {
    // Straight between switches, so the trapezium is exact.
    const v = bestVertex(model, (edges[i - 1] + edges[i]) / 2);
    const at = (t) => t * model.fpr[v] + (1 - t) * (1 - model.tpr[v]);
    sum += ((edges[i] - edges[i - 1]) * (at(edges[i - 1]) + at(edges[i]))) / 2;
  }
  return sum / (high - low);
}

/** Which winning point holds t; at a switch the one above, which flags fewer cases. */
export function winningPoint(points, t) {
  let i = 0;
  while (i + 1 < points.length && points[i].t_high <= t) i++;
  return points[i];
}

/** Share of ROC space that is no better than a normalised cost at t. */
export function lesserArea(cost, t) {
  const small = Math.min(t, 1 - t);
  const large = 1 - small;
  if (small > 0 && cost >= large) return (((1 - cost) / small) * ((1 - cost) / large)) / 2;
  if (small > 0 && cost <= small) return 1 - ((cost / small) * (cost / large)) / 2;
  return 1 - (2 * cost - small) / (2 * large);
}

/** Cost ratio fn/fp at which t is reached, at prevalence p. */
export function ratioAt(t, p) {
  return t <= 0 ? Infinity : (((1 - t) / t) * (1 - p)) / p;
}

/** Prevalence at which t is reached, at gaps of cost. */
export function prevalenceAt(t, fp, fn) {
  const misses = fp * (1 - t);
  return misses / (misses + fn * t);
}

/** pcf of a cost ratio at prevalence p. */
export function pcfOf(ratio, p) {
  if (ratio === Infinity) return 1;
  return (ratio * p) / (ratio * p + 1 - p);
}

/**
 * Values of pcf and their weights when a miss has log-normal cost, and the mean cost of getting a case wrong in units of what false alarms
 * carry of it. Dear conditions weigh more: each counts as much as is at stake. By the trapezoidal rule, superb for a normal density.
 */
export function bell(odds, sigma) {
  const z = [];
  const weight = [];
  let [sum, mass] = [0, 0];
  for (let k = -Math.round(8.5 / STEP); k <= Math.round((8.5 + sigma) / STEP); k++) {
    const u = k * STEP;
    const ratio = Math.exp(Math.log(odds) + sigma * u);
    const density = Math.exp((-u * u) / 2);
    z.push(ratio / (1 + ratio));
    weight.push(density * (1 + ratio));
    sum += density * (1 + ratio);
    mass += density;
  }
  return { z, weight: weight.map((w) => w / sum), stake: sum / mass };
}

/** Whether the cost ratio of a state is log-normal. */
export function isBell(state) {
  return !state.belief && state.shape === 'bell' && state.below * state.above > 1;
}

/**
 * What is known of an unsure condition: low, high and mean of pcf (low = high when it is sure). A fixed choice costs on average what it
 * costs at `centre`, in units of `stake`, the mean cost of getting a case wrong; where that is not known (null) it is held at the
 * condition's own, and the centre is the mean.
 */
export function range(state) {
  if (state.belief) return state.belief;
  const { pcf, scale, t } = condition(state);
  const odds = pcf / (1 - pcf);
  const at = (o) => (o === Infinity ? 1 : o / (1 + o));
  if (isBell(state)) {
    const factor = Math.sqrt(state.below * state.above);
    const sigma = Math.log(factor) / NORMAL;
    const nodes = bell(odds, sigma);
    let [mean, centre] = [0, 0];
    nodes.z.forEach((z, i) => {
      mean += z * nodes.weight[i] * (1 - z) * nodes.stake;
      centre += z * nodes.weight[i];
    });
    return { low: at(odds / factor), high: at(odds * factor), mean, centre, stake: t * scale * nodes.stake, sigma, nodes };
  }
  const [low, high] = [state.below > 1 ? at(odds / state.below) : pcf, state.above > 1 ? at(odds * state.above) : pcf];
  return { low, high, mean: (low + high) / 2, centre: (low + high) / 2, stake: null };
}

/** Costs of one model's replicates at a pcf. */
export function replicateCosts(replicates, model, pcf) {
  const { n, grid, costs } = replicates;
  const g = grid.length;
  const j = Math.min(Math.max(countUpTo(grid, pcf) - 1, 0), g - 2);
  const u = (pcf - grid[j]) / (grid[j + 1] - grid[j]);
  const result = new Float64Array(n);
  for (let b = 0; b < n; b++) {
    const at = (model * n + b) * g + j;
    result[b] = (1 - u) * costs[at] + u * costs[at + 1];
  }
  return result;
}

/** Mean over pcf from low to high of one model's replicates. */
export function replicateMeans(replicates, model, low, high) {
  if (high <= low) return replicateCosts(replicates, model, low);
  const inner = replicates.grid.filter((z) => z > low && z < high);
  const edges = [low, ...inner, high];
  const result = new Float64Array(replicates.n);
  let before = replicateCosts(replicates, model, low);
  for (let i = 1; i < edges.length; i++) {
    const after = replicateCosts(replicates, model, edges[i]);
    for (let b = 0; b < result.length; b++) result[b] += ((edges[i] - edges[i - 1]) * (before[b] + after[b])) / 2 / (high - low);
    before = after;
  }
  return result;
}

/** Mean over weighted values of pcf of one model's replicates. */
export function replicateAverages(replicates, model, nodes) {
  const { n, grid, costs } = replicates;
  const g = grid.length;
  const share = new Float64Array(g);
  nodes.z.forEach((z, i) => {
    const j = Math.min(Math.max(countUpTo(grid, z) - 1, 0), g - 2);
    const u = (z - grid[j]) / (grid[j + 1] - grid[j]);
    share[j] += (1 - u) * nodes.weight[i];
    share[j + 1] += u * nodes.weight[i];
  });
  const result = new Float64Array(n);
  for (let b = 0; b < n; b++) for (let j = 0; j < g; j++) result[b] += share[j] * costs[(model * n + b) * g + j];
  return result;
}

/** Quantile by linear interpolation between sorted values. */
export function quantile(sorted, q) {
  const at = q * (sorted.length - 1);
  const i = Math.min(Math.floor(at), sorted.length - 2);
  return sorted.length === 1 ? sorted[0] : sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]);
}

/** The middle `LEVEL` of replicates. */
export function interval(values) {
  const sorted = Float64Array.from(values).sort();
  return { low: quantile(sorted, (1 - LEVEL) / 2), high: quantile(sorted, (1 + LEVEL) / 2) };
}

/** In which share of replicates each model, and flagging nobody or everybody, is cheapest; ties are split. */
export function shares(costs, pcf, n) {
  const result = { models: costs.map(() => 0), nobody: 0, everybody: 0 };
  const trivial = Math.min(pcf, 1 - pcf);
  // Costs are stored in steps of 1/65535 of the trivial cost.
  const step = (1.5 / SCALE) * trivial;
  for (let b = 0; b < n; b++) {
    let least = Infinity;
    for (const cost of costs) least = Math.min(least, cost[b]);
    if (least >= trivial - step) {
      result[pcf <= 0.5 ? 'nobody' : 'everybody'] += 1;
      continue;
    }
    const tied = [];
    costs.forEach((cost, m) => cost[b] <= least + step && tied.push(m));
    for (const m of tied) result.models[m] += 1 / tied.length;
  }
  return { models: result.models.map((v) => v / n), nobody: result.nobody / n, everybody: result.everybody / n };
}

/** Everything said at a state: who to deploy, at which threshold, against whom, how sure. */
export function facts(data, state) {
  const here = condition(state);
  const span = range(state);
  const unsure = span.high > span.low;
  // A fixed threshold's cost is linear in t: its mean over a range is its cost at the mean.
  const pcf = unsure ? span.centre : here.pcf;
  const t = unsure ? 1 - pcf : here.t;
  const amount = { factor: 1000 * (span.stake ?? here.scale), floor: 1000 * here.floor };
  const inUnit = (cost) => amount.floor + amount.factor * cost;
  const { replicates } = data;
  const draws = replicates ? data.models.map((_, m) => replicateCosts(replicates, m, pcf)) : null;
  const cheapest = draws ? shares(draws, pcf, replicates.n) : null;
  const rows = data.models.map((model, m) => {
    const v = bestVertex(model, t);
    return row(model.name, m, model.fpr[v], model.tpr[v], model.cut[v], v, state.p, t, model.fpr.length <= 3);
  });
  const ends = [row('Flag nobody', NOBODY, 0, 0, null, 0, state.p, t), row('Flag everybody', EVERYBODY, 1, 1, null, 0, state.p, t)];
  const point = winningPoint(data.points, t);
  const chosen = point.model < 0 ? ends[-1 - point.model] : rows[point.model];
  for (const r of [...rows, ...ends]) {
    r.amount = inUnit(r.cost);
    // The difference of the points themselves is exact where they are equal.
    r.extra = Math.max(t * (r.fpr - chosen.fpr) + (1 - t) * (chosen.tpr - r.tpr), 0);
    r.extraAmount = amount.factor * r.extra;
    if (!draws) continue;
    r.share = r.model >= 0 ? cheapest.models[r.model] : cheapest[r.model === NOBODY ? 'nobody' : 'everybody'];
    const own = costsOf(r.model, draws, pcf, replicates.n);
    const best = costsOf(chosen.model, draws, pcf, replicates.n);
    r.interval = scaled(interval(own), inUnit);
    r.extraInterval = r === chosen ? null : scaled(interval(own.map((c, b) => c - best[b])), (d) => amount.factor * d);
  }
  const rivals = [...rows.filter((r) => !trivial(r)), ...ends].filter((r) => r !== chosen).sort((a, b) => a.extra - b.extra);
  const reach = { ratio: [ratioAt(point.reach[1], state.p), ratioAt(point.reach[0], state.p)],
    prevalence: [prevalenceAt(point.reach[1], state.fp - state.tn, state.fn - state.tp), prevalenceAt(point.reach[0], state.fp - state.tn, state.fn - state.tp)],
    pcf: [1 - point.reach[1], 1 - point.reach[0]] };
  const grade = !draws ? null : chosen.share >= CLEAR - 1e-9 ? 'clear' : chosen.share >= PROBABLE - 1e-9 ? 'probable' : 'open';
  return { t, pcf, unsure, span, rows, ends, chosen, rivals, reach, grade, thin: point.thin,
    follow: unsure ? inUnits(state.belief ? state.belief.follow : follow(data, span), inUnit) : null,
    alike: span.stake ? alike(data, 1 - span.mean, chosen) : null, expected: !unsure || Boolean(span.stake), lesser: lesserArea(chosen.cost, t) };
}

function inUnits(found, inUnit) {
  const { interval: span } = found;
  // Python keeps pairs, this file objects.
  const pair = span ? { low: span.low ?? span[0], high: span.high ?? span[1] } : null;
  return { ...found, amount: inUnit(found.mean), interval: pair && scaled(pair, inUnit) };
}

/** What would be chosen if all conditions weighed alike; null if that is the same. */
function alike(data, t, chosen) {
  const point = winningPoint(data.points, t);
  const end = -1 - point.model;
  let best = row('', point.model, end, end, null, 0, 0.5, t);
  if (point.model >= 0) {
    const model = data.models[point.model];
    const v = bestVertex(model, t);
    best = row(model.name, point.model, model.fpr[v], model.tpr[v], model.cut[v], v, 0.5, t, model.fpr.length <= 3);
  }
  return best.fpr === chosen.fpr && best.tpr === chosen.tpr ? null : best;
}

function row(name, model, fpr, tpr, cut, vertex, p, t, alone = true) {
  const flagged = p * tpr + (1 - p) * fpr;
  return { name, model, fpr, tpr, cut, vertex, alone, flagged, precision: flagged > 0 ? (p * tpr) / flagged : null, cost: t * fpr + (1 - t) * (1 - tpr) };
}

/** Whether a row's best choice is to flag nobody or everybody. */
export function trivial(r) {
  return (r.fpr === 0 && r.tpr === 0) || (r.fpr === 1 && r.tpr === 1);
}

function costsOf(model, draws, pcf, n) {
  if (model >= 0) return draws[model];
  return new Float64Array(n).fill(model === NOBODY ? pcf : 1 - pcf);
}

function scaled(pair, by) {
  return { low: by(pair.low), high: by(pair.high) };
}

/** The model with the lowest mean cost when each threshold may follow the condition. */
function follow(data, span) {
  const { nodes } = span;
  const mean = (model) => (nodes ? nodes.z.reduce((sum, z, i) => sum + nodes.weight[i] * optimalCost(model, 1 - z), 0) : meanCost(model, 1 - span.high, 1 - span.low));
  const best = data.models.map((model, m) => ({ model: m, mean: mean(model) })).sort((a, b) => a.mean - b.mean)[0];
  const { replicates } = data;
  if (replicates) best.interval = interval(nodes ? replicateAverages(replicates, best.model, nodes) : replicateMeans(replicates, best.model, span.low, span.high));
  return best;
}

/** Breaks and values over pcf of cost(a) − cost(b): straight lines in between. */
export function difference(a, b) {
  const edges = [0, 1];
  for (const m of [a, b]) for (const s of m.switches) edges.push(1 - s);
  edges.sort((x, y) => x - y);
  const pcf = edges.filter((x, i) => i === 0 || x > edges[i - 1]);
  return { pcf, value: pcf.map((z) => optimalCost(a, 1 - z) - optimalCost(b, 1 - z)) };
}

/** Band over the grid of the replicates of one model, or of the difference of two. */
export function band(replicates, a, b = null) {
  const { n, grid, costs } = replicates;
  const g = grid.length;
  const low = [];
  const high = [];
  const values = new Float64Array(n);
  for (let j = 0; j < g; j++) {
    for (let r = 0; r < n; r++) values[r] = costs[(a * n + r) * g + j] - (b === null ? 0 : costs[(b * n + r) * g + j]);
    const middle = interval(values);
    low.push(middle.low);
    high.push(middle.high);
  }
  return { pcf: grid, low, high };
}

/** Stretches of the grid on which the band of a − b lies on one side of 0: where one model is cheaper at the level. */
export function separated(strip) {
  const found = [];
  let open = null;
  strip.pcf.forEach((z, j) => {
    const side = strip.high[j] < 0 ? 'a' : strip.low[j] > 0 ? 'b' : null;
    if (open && open.better === side) open.high = z;
    else {
      if (open && open.better) found.push(open);
      open = { low: z, high: z, better: side };
    }
  });
  if (open && open.better) found.push(open);
  return found.filter((s) => s.high > s.low);
}

/** Metrics of a ROC point at prevalence p, for their isometrics. */
export const METRICS = {
  accuracy: (x, y, p) => p * y + (1 - p) * (1 - x),
  precision: (x, y, p) => (p * y) / (p * y + (1 - p) * x),
  'F1 measure': (x, y, p) => (2 * p * y) / (p * y + (1 - p) * x + p),
  'weighted relative accuracy': (x, y, p) => p * (1 - p) * (y - x),
  'Matthews correlation': (x, y, p) => {
    const f = p * y + (1 - p) * x;
    return ((y - x) * Math.sqrt(p * (1 - p))) / Math.sqrt(f * (1 - f));
  },
};

/** Segments on which a function over the unit square takes a value: marching squares on n × n cells. */
export function contour(f, level, n = 64) {
  const value = [];
  for (let j = 0; j <= n; j++) for (let i = 0; i <= n; i++) value.push(f(i / n, j / n));
  const segments = [];
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const corner = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
      const v = corner.map(([a, b]) => value[b * (n + 1) + a] - level);
      if (v.some(Number.isNaN)) continue;
      const cuts = [];
      for (let k = 0; k < 4; k++) {
        const [from, to] = [v[k], v[(k + 1) % 4]];
        if (from > 0 === to > 0) continue;
        const u = from / (from - to);
        const [a, b] = [corner[k], corner[(k + 1) % 4]];
        cuts.push([(a[0] + u * (b[0] - a[0])) / n, (a[1] + u * (b[1] - a[1])) / n]);
      }
      for (let k = 0; k + 1 < cuts.length; k += 2) segments.push([cuts[k], cuts[k + 1]]);
    }
  }
  return segments;
}

/** Where the line of equal cost meets the unit square of ROC space. */
export function isoCost(cost, t) {
  const found = [];
  const add = (x, y) => {
    if (x >= -1e-12 && x <= 1 + 1e-12 && y >= -1e-12 && y <= 1 + 1e-12) found.push([Math.min(Math.max(x, 0), 1), Math.min(Math.max(y, 0), 1)]);
  };
  // t·x + (1-t)(1-y) = cost
  if (t < 1) {
    add(0, 1 - cost / (1 - t));
    add(1, 1 - (cost - t) / (1 - t));
  }
  if (t > 0) {
    add((cost - (1 - t)) / t, 0);
    add(cost / t, 1);
  }
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return found.length < 2 ? null : [found[0], found[found.length - 1]];
}
