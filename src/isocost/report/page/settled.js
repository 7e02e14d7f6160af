// What is asked, and what follows from it: the twin of decide/question.py.
import { LIMITS, weights } from './rules.js';

const QUANTITIES = ['cost_fp', 'cost_fn', 'prevalence', 'cost_tp', 'cost_tn'];
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
