// What uncertain conditions leave open: the twin of decision/uncertain.py.
import { QUANTITIES, corners, isCertain, meanLeast } from './beliefs.js';
import { trivialChoice, vertexChoice } from './choices.js';
import { EVERYBODY, NOBODY } from './words.js';

const REGRET_ROUNDING = 64 * Number.EPSILON;
// With more uncertain quantities the means would take too long while a hand drags.
const MOST_UNSURE = 3;

/** What uncertain conditions leave open: regret, the safest rule, and what knowing the condition would save. */
export function uncertain(data, d, state, prices) {
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
    safest_regret_low: null,
  };
  if (safest !== null) {
    const lowest = Math.max(leastInside(models, ends, least, cost), 0);
    if (lowest < found.safest_regret - slack) found.safest_regret_low = lowest;
  }
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
    mean_regret_high: positive(paid - perfect, slack),
    worst_regret_high: highest,
    safest_regret_high: other ? safest.against(lowest) : highest,
    information_bounds: [positive(once - followed, slack), positive(paid - perfect, slack)],
    rechosen: rechosen.map((m) => ({ ...m, mean_low: ifLess(low.get(m.model), m.mean) })),
  };
}

const positive = (x, slack) => (x <= slack ? 0 : x);
const ifLess = (x, y) => (x < y - REGRET_ROUNDING ? x : null);

/** A hull with its switches as `meanLeast` takes them. */
function falling({ fpr, tpr, switches }) {
  return { fpr, tpr, switches: [...switches].reverse() };
}

/** The smallest worst regret that a threshold inside a bucket of scores could have: at the upper left of each. */
function leastInside(models, ends, least, cost) {
  const worst = (fpr, tpr) => Math.max(...ends.map((end, i) => cost(end, fpr, tpr) - least[i]));
  return Math.min(
    ...models.flatMap(({ path, about }) => (about.roc.wide ?? []).map((v) => worst(path.fpr[v - 1], path.tpr[v]))),
  );
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
