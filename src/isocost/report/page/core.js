// What to do at a condition: the page's twin of the library's `decide`, with the keys of `Decision.to_dict`.
// Touches no document: it is tested against Python without a browser.
import { QUANTITIES, isCertain, middle, prevalenceAt, ratioAt, reach } from './beliefs.js';
import { cautions } from './cautions.js';
import { pricing, trivialChoice, vertexChoice } from './choices.js';
import { drawnCases } from './fixed_rules.js';
import { lesserArea } from './isometrics.js';
import { pathOf } from './methods.js';
import { assured, countUpTo, decoded, singleOf } from './resamples.js';
import { uncertain } from './uncertain.js';
import { EVERYBODY, TRIVIAL } from './words.js';

// What a difference of two equal costs in [0, 1] may come out as.
const ROUNDING = 4 * Number.EPSILON;

/**
 * @typedef {object} State a pair [low, high] for each of `QUANTITIES`, every value in between equally likely
 * @property {?object} belief the author's distribution of conditions while that is in force
 *
 * @typedef {object} Model
 * @property {string} name
 * @property {number[]} fpr of the vertices of its hull, ascending
 * @property {number[]} tpr of the vertices of its hull
 * @property {number[]} switches t at which its best threshold changes, ascending
 * @property {object} inner the hull of its points that flag somebody but not everybody
 * @property {?object} possible the highest hull that buckets of scores allow, where they leave its own open
 * @property {object} path all its points, or as many as are drawn
 * @property {boolean} complete whether every threshold is a point of the path
 */

/** Rates and switches of points of a hull. */
function hullOf({ fp, tp, threshold, below, rule }, negatives, positives) {
  const fpr = fp.map((v) => v / negatives);
  const tpr = tp.map((v) => v / positives);
  const switches = [];
  for (let i = fp.length - 1; i > 0; i--) {
    const rise = (tp[i] - tp[i - 1]) * negatives;
    const run = (fp[i] - fp[i - 1]) * positives;
    switches.push(rise / (rise + run));
  }
  return { fp, tp, fpr, tpr, switches, cut: threshold, below, rule };
}

/** The points of a model that flag somebody but not everybody: its own, or the hull's between its ends. */
function innerOf({ hull, inner }) {
  if (inner !== 'hull') return inner;
  return Object.fromEntries(Object.entries(hull).map(([key, held]) => [key, held && held.slice(1, -1)]));
}

/** What a summary says, ready for arithmetic. */
export function prepare(summary) {
  const models = summary.models.map((m, index) => {
    const [n, p] = [m.hull.fp[m.hull.fp.length - 1], m.hull.tp[m.hull.tp.length - 1]];
    const path = pathOf(m.roc, m.thinned);
    const inner = innerOf(m);
    return {
      ...hullOf(m.hull, n, p),
      name: m.name,
      index,
      inner: inner && hullOf(inner, n, p),
      finer: m.finer && hullOf(m.finer, n, p),
      possible: m.possible && hullOf(m.possible, n, p),
      path,
      complete: m.roc.complete,
      about: m,
    };
  });
  const points = summary.winners.flatMap((win) => win.points.map((point) => ({ ...point, model: win.model })));
  const vertices = [...points].reverse().map((point) => {
    const model = point.models.length ? models[point.model] : null;
    return model
      ? { fpr: model.fpr[point.vertex], tpr: model.tpr[point.vertex] }
      : { fpr: point.model === EVERYBODY ? 1 : 0, tpr: point.model === EVERYBODY ? 1 : 0 };
  });
  const frontier = {
    fpr: vertices.map((v) => v.fpr),
    tpr: vertices.map((v) => v.tpr),
    switches: points
      .slice(1)
      .map((point) => point.t_low)
      .reverse(),
  };
  const thinned = models.some((model) => model.about.thinned);
  const resamples = decoded(summary.resamples, models.length);
  return { models, points, frontier, thinned, resamples, drawn: drawnCases({ summary, resamples, models }), summary };
}

/** The cheapest vertex of a hull at t; at a switch, the one with fewer flagged. */
export function bestVertex(hull, t) {
  return hull.switches.length - countUpTo(hull.switches, t);
}

/** Normalised cost of a model with its best threshold at t. */
export function optimalCost(model, t) {
  const v = bestVertex(model, t);
  return t * model.fpr[v] + (1 - t) * (1 - model.tpr[v]);
}

/** Which winning point holds t; at a switch the one above, which flags fewer cases. */
export function winningPoint(points, t) {
  let i = 0;
  while (i + 1 < points.length && points[i].t_high <= t) i++;
  return i;
}

function driftOf(t_low, t_high, { condition, hasUnit }) {
  const { prevalence: p, fpGap, fnGap } = condition;
  return {
    t: { t_low, t_high, pcf_low: 1 - t_high, pcf_high: 1 - t_low },
    cost_ratio: hasUnit ? [ratioAt(t_high, p), ratioAt(t_low, p)] : null,
    prevalence: hasUnit ? [prevalenceAt(t_high, fpGap, fnGap), prevalenceAt(t_low, fpGap, fnGap)] : null,
  };
}

/** Another model with its own rule, and what that costs more than the chosen one. */
export function alternative(rival, chosen, prices, { hidden = Infinity, identical = false } = {}) {
  const gap = prices.t * (rival.fpr - chosen.fpr) + prices.pcf * (chosen.tpr - rival.tpr);
  const extra = Math.abs(gap) <= ROUNDING ? 0 : gap;
  const low = Math.max(hidden - chosen.normalised_cost, 0);
  return {
    ...rival,
    normalised_cost: chosen.normalised_cost + extra,
    extra,
    extra_cost: prices.hasUnit ? extra * prices.unit : null,
    extra_low: extra - low > ROUNDING ? low : null,
    tpr_high: null,
    identical,
    remark: '',
    share: null,
    interval: null,
    extra_interval: null,
    review: null,
  };
}

function rivals(data, chosen, index, prices) {
  const { t, pcf } = prices;
  const found = data.models.flatMap((model, m) => {
    if (m === index) return [];
    const hull = model.inner ?? model;
    const rival = vertexChoice(model, hull, bestVertex(hull, t), prices);
    let hidden = Infinity;
    if (model.finer) {
      const v = bestVertex(model.finer, t);
      hidden = t * model.finer.fpr[v] + pcf * (1 - model.finer.tpr[v]);
    }
    const identical = index !== null && model.about.identical.includes(index);
    return [alternative(rival, chosen, prices, { hidden, identical })];
  });
  for (const name of TRIVIAL) {
    if (name !== chosen.model) found.push(alternative(trivialChoice(name, prices), chosen, prices));
  }
  return found.sort((a, b) => a.extra - b.extra);
}

/** Models, and trivial classifiers, that cost exactly the same at t. */
function tiesAt({ points, models }, at, index, t) {
  const beside = [];
  if (t === points[at].t_low && at > 0) beside.push(points[at - 1]);
  if (t === points[at].t_high && at + 1 < points.length) beside.push(points[at + 1]);
  const same = new Set([points[at], ...beside].flatMap((point) => point.models));
  same.delete(index);
  const trivial = beside.filter((point) => !point.models.length).map((point) => point.model);
  return [...[...same].sort((a, b) => a - b).map((m) => models[m].name), ...trivial];
}

/** Which model, which rule, what it costs, how sure that is, and where it would change: `Decision.to_dict`. */
export function decide(data, state) {
  const { summary } = data;
  const prices = pricing(data, state);
  const at = winningPoint(data.points, prices.t);
  const point = data.points[at];
  const index = point.models.length ? point.model : null;
  const model = index === null ? null : data.models[index];
  const chosen = model ? vertexChoice(model, model, point.vertex, prices) : trivialChoice(point.model, prices);
  const author = state.author ? singleOf(summary) : null;
  const d = {
    ...chosen,
    condition: prices.hasUnit ? prices.condition : null,
    prevalence: prices.prevalence(index),
    threshold_drift: driftOf(point.t_low, point.t_high, prices),
    normalised_cost_low: null,
    tpr_high: null,
    fpr_low: null,
    asked: asked(summary, state),
    tied: tiesAt(data, at, index, prices.t),
    alternatives: rivals(data, chosen, index, prices),
    model_drift: driftOf(...(model ? point.reach : [point.t_low, point.t_high]), prices),
    uncertain: null,
    current: null,
    review: null,
  };
  if (summary.open) leaveOpen(d, data, index, prices);
  d.uncertain = state.belief || author ? (author?.uncertain ?? null) : uncertain(data, d, state, prices);
  assured(d, data, prices, author);
  d.warnings = cautions(data, d, index);
  return d;
}

/** What thresholds inside buckets of scores could change about a decision: the twin of `_cheapest_certain`. */
function leaveOpen(d, data, index, prices) {
  const { t } = prices;
  const least = new Map(data.models.map((m) => [m.name, optimalCost(m.possible ?? m, t) - d.normalised_cost]));
  for (const rival of d.alternatives) {
    const low = least.get(rival.model) ?? Infinity;
    if (low < rival.extra - ROUNDING) rival.extra_low = low;
  }
  const saved = Math.min(...least.values());
  const holder = index ?? d.model;
  const settled = d.alternatives.every((rival) => rival.extra_low === null || rival.extra_low >= 0);
  const range = data.summary.open.settled.find((r) => r.model === holder && r.t_low <= t && t < r.t_high);
  d.tied = [];
  d.threshold_drift = null;
  d.model_drift = settled && range ? driftOf(range.t_low, range.t_high, prices) : null;
  d.normalised_cost_low = d.normalised_cost + (saved < -ROUNDING ? saved : 0);
}

/** What was asked, as the author asked it or as a hand has moved it. */
export function asked(summary, state) {
  const author = singleOf(summary).asked;
  if (state.author || state.belief) return author;
  const quantities = Object.fromEntries(
    QUANTITIES.map((name) => {
      const [low, high] = state[name];
      return [name, { low, high, mean: middle(state[name]), even: low !== high }];
    }),
  );
  return { ...author, assumed: false, over: '', quantities };
}

/** Everything the views show at a state. */
export function facts(data, state, decision = decide(data, state)) {
  const { t, pcf, condition } = pricing(data, state);
  const span = state.belief ?? (isCertain(state) ? { low: pcf, high: pcf } : reach(state));
  const rows = [{ ...decision, extra: 0, extra_cost: 0, share: decision.surety.share }, ...decision.alternatives];
  const byName = new Map(rows.map((row) => [row.model, row]));
  return {
    decision,
    t,
    pcf,
    p: condition.prevalence,
    costProportion: condition.fnGap / (condition.fpGap + condition.fnGap),
    span,
    unsure: span.high > span.low,
    rows,
    // One row a model, in the order of the models.
    byModel: data.models.map((model) => byName.get(model.name)),
    chosen: data.models.findIndex((model) => model.name === decision.model),
    lesser: lesserArea(decision.normalised_cost, t),
  };
}

/** Breaks and values over pcf of cost(a) − cost(b): straight lines in between. */
export function difference(a, b) {
  const edges = [0, 1];
  for (const m of [a, b]) for (const s of m.switches) edges.push(1 - s);
  edges.sort((x, y) => x - y);
  const pcf = edges.filter((x, i) => i === 0 || x > edges[i - 1]);
  return { pcf, value: pcf.map((z) => optimalCost(a, 1 - z) - optimalCost(b, 1 - z)) };
}
