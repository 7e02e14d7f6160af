// The one decision with a person between two thresholds: the twin of decision/reviewing.py.
import { choice, pricing, trivialChoice } from './choices.js';
import { asked, decide } from './core.js';
import { cautions } from './cautions.js';
import { costsOfBand, costsOfRule, settledRules } from './fixed_rules.js';
import { decideWithin } from './limiting.js';
import { takenFrom } from './resamples.js';
import { SLACK, mostGained, reviewBand, weightsOf } from './review.js';
import { bandRule } from './review_words.js';
import { TRIVIAL } from './words.js';

const NOT_RESAMPLED =
  'The page does not hold the cases drawn there. `isocost choose` with --cost-review says how sure it is.';

/** What to do at a state: with reviews where the state has a price for them, within limits where it has some. */
export function decideAt(data, state) {
  if (state.review) return decideWithReviews(data, state);
  return state.limits ? decideWithin(data, state) : decide(data, state);
}

/** Why no person can look, whatever the price; empty if one can. */
export function whyNoReview({ models }, state) {
  if (state.belief && !state.belief.has_unit) {
    return 'Reviews cost money, and these conditions do not say what errors cost.';
  }
  if (state.limits) return 'Second looks cannot be combined with limits: clear the limits first.';
  const without = models.find((model) => model.about.unavailable.review);
  return without ? `${without.name}: ${without.about.unavailable.review}.` : '';
}

/** The cheapest model with its review band; of equals the one that reviews fewest, then the one that flags fewest. */
function decideWithReviews(data, state) {
  const prices = pricing(data, state);
  const { condition, unit } = prices;
  const rules = TRIVIAL.map((name) => ({ ...trivialChoice(name, prices), band: null }));
  for (const model of data.models) rules.push(afterReview(model, reviewBand(model, prices, state.review), prices));
  const slack = 16 * Number.EPSILON * (unit + state.review.cost_review);
  const least = Math.min(...rules.map((rule) => rule.expected_cost));
  const cheapest = rules.filter((rule) => rule.expected_cost <= least + slack);
  let fewest = cheapest;
  for (const share of [(rule) => rule.band?.reviewed ?? 0, (rule) => rule.flagged]) {
    const lowest = Math.min(...fewest.map(share));
    fewest = fewest.filter((rule) => share(rule) <= lowest + SLACK);
  }
  const [first] = fewest;
  const { band, ...chosen } = first;
  const index = data.models.findIndex((model) => model.name === chosen.model);
  const same = index < 0 ? [] : data.models[index].about.identical.map((m) => data.models[m].name);
  const rivals = rules.filter((rule) => rule !== first).sort((a, b) => a.expected_cost - b.expected_cost);
  const d = {
    ...chosen,
    condition,
    prevalence: condition.prevalence,
    threshold_drift: null,
    normalised_cost_low: null,
    tpr_high: null,
    fpr_low: null,
    asked: { ...asked(data.summary, state), reviews: state.review },
    tied: cheapest.filter((rule) => rule !== first).map((rule) => rule.model),
    alternatives: rivals.map((rival) => rivalBand(rival, chosen, same, unit, slack)),
    model_drift: null,
    uncertain: null,
    current: null,
    review: band,
  };
  openBands(d, data, rules, unit);
  const weigh = state.review.cost_review < mostGained(condition, state.review) && weightsOf(condition, state.review);
  const costsOf = (counts, rule, n) =>
    weigh ? costsOfBand(counts, rule.review, weigh, n) : costsOfRule(counts, rule.review.flag_choice, prices.pcf, n);
  if (areAuthors(data.summary, state)) takenFrom(data.summary.decision, d);
  else settledRules(d, data, prices, costsOf, NOT_RESAMPLED);
  d.warnings = cautions(data, d, index < 0 ? null : index);
  return d;
}

/** Say of a decision what thresholds inside groups of scores could change about it. */
function openBands(d, { summary }, rules, unit) {
  const least = new Map();
  for (const { model, band } of rules) {
    if ((band?.expected_cost_low ?? null) !== null) least.set(model, band.expected_cost_low - d.expected_cost);
  }
  if (!summary.open && !least.size) return;
  for (const rival of d.alternatives) if (least.has(rival.model)) rival.extra_low = least.get(rival.model) / unit;
  d.tied = least.has(d.model) ? [] : d.tied.filter((name) => !least.has(name));
  d.normalised_cost_low = d.normalised_cost + Math.min(0, ...least.values()) / unit;
}

/** Whether both conditions and terms of looks are the author's: how sure that is, Python has said. */
function areAuthors({ opened }, { author, review }) {
  return Boolean(author && opened.review) && Object.entries(opened.review).every(([name, v]) => review[name] === v);
}

/** A band as a rule: its rates are those in the end, its cost includes the reviews. */
function afterReview(model, band, prices) {
  const { expected_cost } = band;
  return {
    ...choice(model.name, bandRule(band), band.flag_from, band.fpr, band.tpr, prices, model.index),
    normalised_cost: (expected_cost - prices.condition.best) / prices.unit,
    expected_cost,
    per_1000: 1000 * expected_cost,
    other_threshold: band.flag_choice.other_threshold,
    other_probability: band.flag_choice.other_probability,
    band,
  };
}

function rivalBand({ band: review, ...rival }, chosen, same, unit, slack) {
  const more = rival.expected_cost - chosen.expected_cost;
  const extra_cost = more <= slack ? 0 : more;
  return {
    ...rival,
    extra: extra_cost / unit,
    extra_cost,
    extra_low: null,
    tpr_high: null,
    identical: same.includes(rival.model),
    remark: '',
    share: null,
    interval: null,
    extra_interval: null,
    review,
  };
}
