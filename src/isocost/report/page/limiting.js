// The one decision within limits on who is flagged: the twin of decision/limits.py, where every point is at hand.
import { pricing, trivialChoice, vertexChoice } from './choices.js';
import { alternative, asked, decide } from './core.js';
import { cautions } from './cautions.js';
import { costsOfRule, settledRules } from './fixed_rules.js';
import { EVERYBODY, TRIVIAL } from './words.js';

/** The limits of the page in the order in which the library says them. */
export const LIMIT_KINDS = ['max_flagged', 'min_precision'];
// Rates are quotients of counts: equality with a limit is meant up to the rounding of one division.
const KEPT = 4 * Number.EPSILON;
// A mixture lies on the line of its limit up to rounding.
const MIXED = 1e-12;
const NOT_DRAWN =
  'The page does not hold the cases drawn there. `isocost choose` with the same limits says how sure it is.';
const NONE_KEEPS = 'No threshold keeps your limits here: this is the answer without them.';

/** Whether a point keeps limits at a prevalence. */
export function keeps(limits, p, fpr, tpr) {
  return excesses(limits, p, fpr, tpr).every((excess) => excess <= KEPT);
}

/** Why the page cannot keep limits; empty if it can. */
export function whyNoLimits({ models }) {
  const open = models.find(({ about }) => about.roc.within > 0 || about.roc.wide?.length);
  return open
    ? `The scores of ${open.name} were counted in buckets: make the report from the scores themselves to set limits.`
    : '';
}

/** How far a point is beyond each limit, as a share of cases or of flagged ones; not above 0 where it is kept. */
function excesses({ max_flagged: most = null, min_precision: least = null }, p, fpr, tpr) {
  return [
    most === null ? null : p * tpr + (1 - p) * fpr - most,
    least === null ? null : least * (1 - p) * fpr - (1 - least) * p * tpr,
  ].filter((excess) => excess !== null);
}

/** What no threshold of a model within limits undercuts: the cheapest mixture of two, at random, that keeps them. */
export function leastMixed({ fpr, tpr }, limits, p, { t, pcf }) {
  let least = Infinity;
  const consider = (x, y) => {
    if (excesses(limits, p, x, y).every((excess) => excess <= MIXED)) least = Math.min(least, t * x + pcf * (1 - y));
  };
  for (let v = 0; v < fpr.length; v++) {
    consider(fpr[v], tpr[v]);
    if (v === 0) continue;
    const [before, here] = [v - 1, v].map((i) => excesses(limits, p, fpr[i], tpr[i]));
    before.forEach((excess, k) => {
      if (excess <= 0 === here[k] <= 0) return;
      const u = excess / (excess - here[k]);
      consider(fpr[v - 1] + u * (fpr[v] - fpr[v - 1]), tpr[v - 1] + u * (tpr[v] - tpr[v - 1]));
    });
  }
  return least;
}

/** The cheapest point of a model within limits, a trivial one only where no other is; −1 if none catches. */
export function cheapestWithin({ fpr, tpr }, limits, p, { t, pcf }) {
  const found = { some: -1, any: -1 };
  const least = { some: Infinity, any: Infinity };
  let caught = false;
  for (let v = 0; v < fpr.length; v++) {
    if (!keeps(limits, p, fpr[v], tpr[v])) continue;
    caught ||= tpr[v] > 0;
    const cost = t * fpr[v] + pcf * (1 - tpr[v]);
    const inner = (fpr[v] > 0 || tpr[v] > 0) && (fpr[v] < 1 || tpr[v] < 1);
    for (const kind of inner ? ['some', 'any'] : ['any']) {
      if (!(cost < least[kind])) continue;
      least[kind] = cost;
      found[kind] = v;
    }
  }
  if (limits.min_precision > 0 && !caught) return -1;
  return found.some >= 0 ? found.some : found.any;
}

/** What to do at a state within its limits, or without them, and saying so, where no threshold keeps them. */
export function decideWithin(data, state) {
  const { limits } = state;
  const prices = pricing(data, state);
  const rules = TRIVIAL.map((name) => [name, name === EVERYBODY ? 1 : 0])
    .filter(([, rate]) => keeps(limits, prices.prevalence(null), rate, rate))
    .map(([name]) => ({ index: null, rule: trivialChoice(name, prices) }));
  const without = [];
  for (const model of data.models) {
    const v = cheapestWithin(model.path, limits, prices.prevalence(model.index), prices);
    if (v < 0) without.push(model);
    else {
      const rule = vertexChoice(model, model.path, v, prices);
      // A threshold that is not held may be cheaper, but not than the best mixture.
      const known = !model.about.thinned;
      const mixed = model.possible ?? model;
      const hidden = known ? Infinity : leastMixed(mixed, limits, prices.prevalence(model.index), prices);
      rules.push({ index: model.index, rule, hidden });
    }
  }
  if (without.length === data.models.length) {
    const plain = decide(data, state);
    return { ...plain, warnings: [NONE_KEEPS, ...plain.warnings] };
  }
  const least = Math.min(...rules.map(({ rule }) => rule.normalised_cost));
  const isBest = ({ rule }) => rule.normalised_cost - least <= KEPT;
  const first = rules.find(isBest);
  const chosen = first.rule;
  const same = (m) => first.index !== null && m !== null && data.models[m].about.identical.includes(first.index);
  const rest = rules.filter((entry) => entry !== first).sort((a, b) => a.rule.normalised_cost - b.rule.normalised_cost);
  const given = LIMIT_KINDS.filter((kind) => (limits[kind] ?? null) !== null).map((kind) => [kind, limits[kind]]);
  const d = {
    ...chosen,
    condition: prices.hasUnit ? prices.condition : null,
    prevalence: prices.prevalence(first.index),
    threshold_drift: null,
    normalised_cost_low: lowest(first),
    tpr_high: null,
    fpr_low: null,
    asked: { ...asked(data.summary, state), limits: Object.fromEntries(given) },
    tied: rules.filter((entry) => entry !== first && isBest(entry)).map(({ rule }) => rule.model),
    alternatives: [
      ...rest.map(({ rule, index, hidden }) => alternative(rule, chosen, prices, { hidden, identical: same(index) })),
      ...without.map((model) => lacking(model.name)),
    ],
    model_drift: null,
    uncertain: null,
    current: null,
    review: null,
  };
  settledRules(d, data, prices, (counts, rule, n) => costsOfRule(counts, rule, prices.pcf, n), NOT_DRAWN);
  d.warnings = cautions(data, d, first.index);
  return d;
}

/** What a threshold that the page does not hold could bring the cost down to; null where it holds all. */
function lowest({ rule, hidden = Infinity }) {
  return hidden < rule.normalised_cost - KEPT ? hidden : null;
}

/** A model none of whose thresholds keeps the limits. */
function lacking(model) {
  const nothing = ['threshold', 'fpr', 'tpr', 'flagged', 'precision', 'normalised_cost', 'expected_cost', 'per_1000'];
  return {
    ...Object.fromEntries(nothing.map((name) => [name, null])),
    model,
    rule: '',
    extra: null,
    extra_cost: null,
    extra_low: null,
    tpr_high: null,
    identical: false,
    remark: 'no threshold keeps the limits',
    share: null,
    interval: null,
    extra_interval: null,
    review: null,
  };
}

/**
 * Who is cheapest within limits on a grid of ln(ratio) × logit(prevalence): for each corner the model's place, or the
 * name of a trivial classifier, and what 1000 cases cost. Of each model only points that can be cheapest are tried.
 */
export function gridWithin({ models }, limits, { fpGap, cost_tn, cost_tp }, [x0, x1], [y0, y1], n) {
  const found = [];
  for (let j = 0; j <= n; j++) {
    const p = 1 / (1 + Math.exp(-(y0 + ((y1 - y0) * j) / n)));
    const own = models.map(({ path }) => hullWithin(path, limits, p));
    const ends = TRIVIAL.map((name) => [name, name === EVERYBODY ? 1 : 0]).filter(([, r]) => keeps(limits, p, r, r));
    for (let i = 0; i <= n; i++) {
      const ratio = Math.exp(x0 + ((x1 - x0) * i) / n);
      const cost = (fpr, tpr) => (1 - p) * fpr + ratio * p * (1 - tpr);
      // Where nothing keeps the limits there is no winner.
      const costs = new Map([null, ...TRIVIAL, ...models.keys()].map((name) => [name, Infinity]));
      let [who, least] = [null, Infinity];
      const consider = (name, fpr, tpr) => {
        const paid = cost(fpr, tpr);
        costs.set(name, Math.min(costs.get(name), paid));
        if (paid < least - KEPT) [who, least] = [name, paid];
      };
      for (const [name, rate] of ends) consider(name, rate, rate);
      own.forEach((points, m) => points.forEach(([fpr, tpr]) => consider(m, fpr, tpr)));
      found.push({ who, costs, cost: 1000 * (cost_tn * (1 - p) + cost_tp * p + fpGap * least) });
    }
  }
  return found;
}

/** The upper hull of the points of a path that keep limits at a prevalence. */
export function hullWithin({ fpr, tpr }, limits, p) {
  const hull = [];
  for (let v = 0; v < fpr.length; v++) {
    if (!keeps(limits, p, fpr[v], tpr[v])) continue;
    const point = [fpr[v], tpr[v]];
    while (hull.length > 1 && !turnsRight(hull[hull.length - 2], hull[hull.length - 1], point)) hull.pop();
    hull.push(point);
  }
  return hull;
}

function turnsRight(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0;
}
