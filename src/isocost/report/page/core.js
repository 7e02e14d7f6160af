// What to do at a condition: the page's twin of the library's decision.
// Touches no document: it is tested against Python without a browser.
import { condition, prevalenceAt, range, ratioAt } from './beliefs.js';
import { lesserArea } from './isometrics.js';
import { pathOf } from './methods.js';
import {
  NOBODY,
  EVERYBODY,
  costsOf,
  countUpTo,
  decoded,
  interval,
  replicateAverages,
  replicateCosts,
  replicateMeans,
  shares,
} from './resamples.js';

/**
 * @typedef {object} State
 * @property {number} fp cost of a false alarm
 * @property {number} fn cost of a miss
 * @property {number} p prevalence
 * @property {number} tp cost of a case caught
 * @property {number} tn cost of a case left alone
 * @property {number} below by which factor the cost ratio may be lower
 * @property {number} above by which factor the cost ratio may be higher
 * @property {'flat'|'bell'} shape every PCF(+) in between equally likely, or the ratio log-normal with 95 % in between
 * @property {?object} belief the author's distribution of conditions while that is in force
 *
 * @typedef {object} Model
 * @property {string} name
 * @property {number[]} fpr of the vertices of its hull
 * @property {number[]} tpr of the vertices of its hull
 * @property {(?number)[]} cut thresholds of the vertices of its hull
 * @property {number[]} switches t at which its best threshold changes, ascending
 */

const CLEAR = 0.975;
const PROBABLE = 0.8;

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
    const path = pathOf(m.roc);
    return { name: m.name, positives: m.positives, negatives: m.negatives, fpr, tpr, cut: threshold, switches, path };
  });
  const points = summary.winners.flatMap((w) =>
    w.points.map((point) => ({ ...point, model: w.model, reach: w.reach })),
  );
  return { models, points, replicates: decoded(summary.replicates, models.length) };
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
  const ends = [
    row('Flag nobody', NOBODY, 0, 0, null, 0, state.p, t),
    row('Flag everybody', EVERYBODY, 1, 1, null, 0, state.p, t),
  ];
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
  const rivals = [...rows.filter((r) => !trivial(r)), ...ends]
    .filter((r) => r !== chosen)
    .sort((a, b) => a.extra - b.extra);
  const reach = {
    ratio: [ratioAt(point.reach[1], state.p), ratioAt(point.reach[0], state.p)],
    prevalence: [
      prevalenceAt(point.reach[1], state.fp - state.tn, state.fn - state.tp),
      prevalenceAt(point.reach[0], state.fp - state.tn, state.fn - state.tp),
    ],
    pcf: [1 - point.reach[1], 1 - point.reach[0]],
  };
  const grade = !draws
    ? null
    : chosen.share >= CLEAR - 1e-9
      ? 'clear'
      : chosen.share >= PROBABLE - 1e-9
        ? 'probable'
        : 'open';
  const gaps = [state.fn - state.tp, state.fp - state.tn];
  return {
    t,
    pcf,
    p: state.p,
    costProportion: gaps[0] / (gaps[0] + gaps[1]),
    unsure,
    span,
    rows,
    ends,
    chosen,
    rivals,
    reach,
    grade,
    thin: point.thin,
    follow: unsure ? inUnits(state.belief ? state.belief.follow : follow(data, span), inUnit) : null,
    alike: span.stake ? alike(data, 1 - span.mean, chosen) : null,
    expected: !unsure || Boolean(span.stake),
    lesser: lesserArea(chosen.cost, t),
  };
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
  return {
    name,
    model,
    fpr,
    tpr,
    cut,
    vertex,
    alone,
    flagged,
    precision: flagged > 0 ? (p * tpr) / flagged : null,
    cost: t * fpr + (1 - t) * (1 - tpr),
  };
}

/** Whether a row's best choice is to flag nobody or everybody. */
export function trivial(r) {
  return (r.fpr === 0 && r.tpr === 0) || (r.fpr === 1 && r.tpr === 1);
}

function scaled(pair, by) {
  return { low: by(pair.low), high: by(pair.high) };
}

/** The model with the lowest mean cost when each threshold may follow the condition. */
function follow(data, span) {
  const { nodes } = span;
  const mean = (model) =>
    nodes
      ? nodes.z.reduce((sum, z, i) => sum + nodes.weight[i] * optimalCost(model, 1 - z), 0)
      : meanCost(model, 1 - span.high, 1 - span.low);
  const best = data.models.map((model, m) => ({ model: m, mean: mean(model) })).sort((a, b) => a.mean - b.mean)[0];
  const { replicates } = data;
  if (replicates) {
    best.interval = interval(
      nodes
        ? replicateAverages(replicates, best.model, nodes)
        : replicateMeans(replicates, best.model, span.low, span.high),
    );
  }
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
