// A rule of one model with everything that follows from its rates, and what prices it: the twin of decision/choice.py.
import { means } from './beliefs.js';
import { digits, thresholdText } from './numbers.js';
import { EVERYBODY, SCORED } from './words.js';

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

/** Flagging nobody, or everybody. */
export function trivialChoice(name, prices) {
  const rate = name === EVERYBODY ? 1 : 0;
  const ends = rate ? ['flag everybody', -Infinity] : ['flag nobody', Infinity];
  return choice(name, ...ends, rate, rate, prices);
}

/** A point of a hull of a model. */
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
