// What to do at a condition: the page's twin of the library's `decide`, with the keys of `Decision.to_dict`.
// Touches no document: it is tested against Python without a browser.
import { QUANTITIES, corners, isCertain, meanLeast, means, middle, prevalenceAt, ratioAt, reach } from './beliefs.js';
import { cautions } from './cautions.js';
import { drawnCases } from './fixed_rules.js';
import { lesserArea } from './isometrics.js';
import { pathOf } from './methods.js';
import { digits, thresholdText } from './numbers.js';
import { assured, countUpTo, decoded, singleOf } from './resamples.js';
import { EVERYBODY, NOBODY, SCORED, TRIVIAL } from './words.js';

// What a difference of two equal costs in [0, 1] may come out as.
const ROUNDING = 4 * Number.EPSILON;
const REGRET_ROUNDING = 64 * Number.EPSILON;
// With more uncertain quantities the means would take too long while a hand drags.
const MOST_UNSURE = 3;

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
    const model = models[point.models[0]];
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

/** What to do with a case at a point of a hull, in words. */
function ruleOf({ fpr, tpr, cut, below, rule }, v) {
  if (fpr[v] === 0 && tpr[v] === 0) return 'flag nobody';
  if (fpr[v] === 1 && tpr[v] === 1) return 'flag everybody';
  if (cut[v] === null) return rule[v];
  return `${SCORED}${thresholdText(Number(cut[v]), below[v] === null ? -Infinity : Number(below[v]))}`;
}

/** The conditions of a state: what prices a rule, and over what the prices are uncertain. */
export function pricing(data, state) {
  const { belief } = state;
  const condition = means(state);
  const hasUnit = !belief || belief.has_unit;
  const own = (index) => data.models[index ?? 0].about.prevalence;
  return {
    t: belief ? belief.t : condition.t,
    pcf: belief ? belief.pcf : condition.pcf,
    condition,
    hasUnit,
    unit: hasUnit ? condition.worst - condition.best : 1,
    // Shares of all cases refer to the condition, or else to each model's own data.
    prevalence: (index) => (hasUnit ? condition.prevalence : own(index)),
  };
}

/** A rule with everything that follows from its rates. */
export function choice(model, rule, threshold, fpr, tpr, prices, index = null) {
  const { condition, hasUnit, t, pcf } = prices;
  const p = prices.prevalence(index);
  const flagged = p === null ? null : p * tpr + (1 - p) * fpr;
  const expected = hasUnit ? condition.best + condition.alarms * fpr + condition.misses * (1 - tpr) : null;
  return {
    model,
    rule,
    threshold,
    fpr,
    tpr,
    flagged,
    precision: flagged > 0 ? (p * tpr) / flagged : null,
    normalised_cost: t * fpr + pcf * (1 - tpr),
    expected_cost: expected,
    per_1000: expected === null ? null : 1000 * expected,
    other_threshold: null,
    other_probability: null,
  };
}

export function trivialChoice(name, prices) {
  const rate = name === EVERYBODY ? 1 : 0;
  const ends = rate ? ['flag everybody', -Infinity] : ['flag nobody', Infinity];
  return choice(name, ...ends, rate, rate, prices);
}

export function vertexChoice(model, hull, v, prices) {
  return choice(model.name, ruleOf(hull, v), hull.cut[v], hull.fpr[v], hull.tpr[v], prices, model.index);
}

/** A vertex of a model's hull, mixed at random with another. */
export function mixedChoice(model, v, other, probability, prices) {
  const mix = (values) => values[v] + probability * (values[other] - values[v]);
  const words = `${ruleOf(model, v)}; but with probability ${digits(probability, 4)}, ${ruleOf(model, other)} instead`;
  const mixed = choice(model.name, words, model.cut[v], mix(model.fpr), mix(model.tpr), prices, model.index);
  const parts = [v, other].map((i) => ({ fpr: model.fpr[i], tpr: model.tpr[i] }));
  return { ...mixed, other_threshold: model.cut[other], other_probability: probability, parts };
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

/** What uncertain conditions leave open: regret, the safest rule, and what knowing the condition would save. */
function uncertain(data, d, state, prices) {
  const unsure = QUANTITIES.filter((name) => state[name][0] !== state[name][1]);
  if (isCertain(state) || unsure.length > MOST_UNSURE) return null;
  const { frontier, models } = data;
  const ends = corners(state);
  const cost = (end, fpr, tpr) => end.alarms * fpr + end.misses * (1 - tpr);
  const least = ends.map((end) => Math.min(...frontier.fpr.map((fpr, i) => cost(end, fpr, frontier.tpr[i]))));
  const slack = REGRET_ROUNDING * prices.unit;
  const regrets = ends.map((end, i) => positive(cost(end, d.fpr, d.tpr) - least[i], slack));
  const worst = regrets.indexOf(Math.max(...regrets));
  const followed = meanLeast(frontier, state);
  const own = positive(prices.unit * d.normalised_cost - followed, slack);
  const safest = data.thinned ? null : safestRule(models, ends, least, cost);
  const other = safest !== null && safest.regret < regrets[worst] - slack;
  const rechosen = models
    .map((model) => ({ model: model.name, mean: meanLeast(falling(model), state), mean_low: null }))
    .sort((a, b) => a.mean - b.mean);
  const found = {
    mean_regret: own,
    worst_regret: regrets[worst],
    worst_at: ends[worst],
    safest: other ? safest.choice(prices) : null,
    safest_regret: other ? positive(safest.regret, slack) : regrets[worst],
    information: own,
    rechosen,
    limits_kept: null,
  };
  const hidden = data.summary.open;
  if (!hidden) return found;
  // The same against the best that buckets of scores could hold.
  const lowest = ends.map((end) => Math.min(...hidden.fpr.map((fpr, i) => cost(end, fpr, hidden.tpr[i]))));
  const perfect = meanLeast(hidden, state);
  const paid = prices.unit * d.normalised_cost;
  const once = prices.unit * Math.min(...hidden.fpr.map((fpr, i) => prices.t * fpr + prices.pcf * (1 - hidden.tpr[i])));
  const highest = Math.max(...regrets.map((regret, i) => regret + least[i] - lowest[i]));
  const low = new Map(models.map((model) => [model.name, meanLeast(falling(model.possible ?? model), state)]));
  return {
    ...found,
    mean_regret_high: Math.max(paid - perfect, 0),
    worst_regret_high: highest,
    safest_regret_high: other ? safest.against(lowest) : highest,
    information_bounds: [Math.max(once - followed, 0), Math.max(paid - perfect, 0)],
    rechosen: rechosen.map((m) => ({ ...m, mean_low: ifLess(low.get(m.model), m.mean) })),
  };
}

const positive = (x, slack) => (x <= slack ? 0 : x);
const ifLess = (x, y) => (x < y - REGRET_ROUNDING ? x : null);

/** A hull with its switches as `meanLeast` takes them. */
function falling({ fpr, tpr, switches }) {
  return { fpr, tpr, switches: [...switches].reverse() };
}

/** The rule, of all points of all models, with the smallest worst regret; the first of equals. */
function safestRule(models, ends, least, cost) {
  const worst = (fpr, tpr, than = least) => Math.max(...ends.map((end, i) => cost(end, fpr, tpr) - than[i]));
  let best = { regret: Infinity };
  const consider = (fpr, tpr, made) => {
    const regret = worst(fpr, tpr);
    if (regret < best.regret) best = { regret, choice: made, against: (than) => worst(fpr, tpr, than) };
  };
  consider(0, 0, (prices) => trivialChoice(NOBODY, prices));
  consider(1, 1, (prices) => trivialChoice(EVERYBODY, prices));
  for (const model of models) {
    const { path } = model;
    path.fpr.forEach((fpr, v) => consider(fpr, path.tpr[v], (prices) => vertexChoice(model, path, v, prices)));
  }
  return best;
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
