// Flag, clear, or have a person look: the twin of `review_band` and `review_curve`, with their keys.
// Touches no document: it is tested against Python without a browser.
import { mixedChoice, vertexChoice } from './choices.js';
import { bestVertex } from './core.js';

// Shares are compared up to the rounding of a division, as limits are everywhere.
export const SLACK = 4 * Number.EPSILON;

/** What a review can gain at most, whatever the model; 0 for a reviewer no better than chance. */
export function mostGained({ fpGap: a, fnGap: b }, { reviewer_fpr: e, reviewer_tpr: d }) {
  return Math.max((a * b * (d - e)) / (a + b), 0);
}

/** The calibrated risks between which a review gains more than its price; null if nowhere. */
function risks(condition, asked) {
  const { fpGap: a, fnGap: b } = condition;
  const { cost_review: price, reviewer_fpr: e, reviewer_tpr: d } = asked;
  if (!(price < mostGained(condition, asked))) return null;
  return [(price + a * e) / (b * d + a * e), (a * (1 - e) - price) / (a * (1 - e) + b * (1 - d))];
}

/** What fpr and tpr weigh where flagging begins, and where reviewing begins. */
export function weightsOf({ fpGap: a, fnGap: b, prevalence: p }, { cost_review: r, reviewer_fpr: e, reviewer_tpr: d }) {
  return {
    flag: { fpr: (1 - p) * (a * (1 - e) - r), tpr: p * (b * (1 - d) + r) },
    review: { fpr: (1 - p) * (a * e + r), tpr: p * (b * d - r) },
  };
}

/**
 * The edges of a hull, each a stretch of scores: the share of all cases it holds, and what a review of one of
 * them gains, its price aside. Edges before `best` are flagged without review, those after it cleared.
 */
function edgesOf(hull, condition, asked) {
  const { fpGap: a, fnGap: b, prevalence: p } = condition;
  const { reviewer_fpr: e, reviewer_tpr: d } = asked;
  const { fp, tp } = hull;
  const last = fp.length - 1;
  const best = bestVertex(hull, condition.t);
  const most = mostGained(condition, asked);
  const [share, gain, rounding] = [[], [], []];
  for (let i = 0; i < last; i++) {
    const negative = (1 - p) * ((fp[i + 1] - fp[i]) / fp[last]);
    const positive = p * ((tp[i + 1] - tp[i]) / tp[last]);
    const held = negative + positive;
    const [alarms, misses] = held > 0 ? [(a * negative) / held, (b * positive) / held] : [0, 0];
    const gained = i < best ? alarms * (1 - e) - misses * (1 - d) : misses * d - alarms * e;
    share.push(held);
    gain.push(held > 0 ? Math.min(gained, most) : 0);
    rounding.push(8 * Number.EPSILON * (alarms + misses));
  }
  // Gains fall away from the best vertex: neighbours that are equal up to rounding must not change places.
  for (let i = best - 2; i >= 0; i--) gain[i] = Math.min(gain[i], gain[i + 1]);
  for (let i = best + 1; i < last; i++) gain[i] = Math.min(gain[i], gain[i - 1]);
  const beside = [best - 1, best].filter((i) => i >= 0 && i < last && gain[i] > rounding[i]);
  return { best, share, gain, rounding, worth: Math.max(0, ...beside.map((i) => gain[i])) };
}

/** The edges that gain more than the price, best first; of equal ones those that are flagged otherwise. */
function paying({ best, gain, rounding }, price) {
  const found = [];
  for (let i = 0; i < gain.length; i++) {
    if (gain[i] > price + rounding[i] + 4 * Number.EPSILON * price) found.push(i);
  }
  // From the best vertex outwards on both sides: in this order equal gains keep the band in one piece.
  const outwards = (i) => (i < best ? best - i : i - best + 1);
  return found.sort((i, j) => gain[j] - gain[i] || (i >= best) - (j >= best) || outwards(i) - outwards(j));
}

/** The edges that fit under the limit, best first, the share they fill and what they save; `order`: all that pay. */
function filledBy(edges, { cost_review: price, max_reviewed: most }) {
  const order = paying(edges, price);
  let [fits, filled, saving] = [0, 0, 0];
  while (fits < order.length && (most === null || filled + edges.share[order[fits]] <= most + SLACK)) {
    filled += edges.share[order[fits]];
    saving += edges.share[order[fits]] * (edges.gain[order[fits]] - price);
    fits += 1;
  }
  return { order, fits, filled, saving };
}

/** What a case costs with the best mixture of thresholds on a hull: no pair of points below it is cheaper. */
function mixtureCost(hull, condition, asked) {
  const edges = edgesOf(hull, condition, asked);
  const { order, fits, filled, saving } = filledBy(edges, asked);
  const more = fits === order.length ? 0 : Math.max(asked.max_reviewed - filled, 0);
  const last = more > SLACK ? more * (edges.gain[order[fits]] - asked.cost_review) : 0;
  const alone = { fpr: hull.fpr[edges.best], tpr: hull.tpr[edges.best] };
  return spread(alone, alone, condition, asked).expected_cost - saving - last;
}

/**
 * The cheapest two thresholds with a person between them. A limit is kept by two fixed thresholds where the page has
 * all points of the model, unless `randomised`; else by mixing two thresholds at random, which needs the hull alone.
 * @param {object} prices as `decide` makes them: the condition, and what shares of cases refer to
 * @param {{cost_review: number, max_reviewed: ?number, reviewer_fpr: number, reviewer_tpr: number}} asked
 */
export function reviewBand(model, prices, asked) {
  const { condition } = prices;
  const { cost_review: price, max_reviewed: most } = asked;
  const edges = edgesOf(model, condition, asked);
  const { best } = edges;
  const at = (v) => vertexChoice(model, model, v, prices);
  const without = at(best);
  const { order, fits, filled, saving } = filledBy(edges, asked);
  const before = order.slice(0, fits).filter((i) => i < best).length;
  const [flag, review] = [best - before, best + fits - before];
  const found = { flag: at(flag), review: at(review), without, saving, worth: edges.worth, capacity: 0 };
  if (fits === order.length) return bandOf(model, prices, asked, found);
  // The limit is reached: of the next edge only a part can be reviewed.
  const edge = order[fits];
  found.capacity = edges.gain[edge] - price;
  const left = Math.max(most - filled, 0);
  if (asked.randomised || model.about.thinned) {
    if (left > SLACK) {
      const share = left / edges.share[edge];
      found.saving += left * found.capacity;
      if (edge < best) found.flag = mixedChoice(model, flag, flag - 1, share, prices);
      else found.review = mixedChoice(model, review, review + 1, share, prices);
    }
  } else if (most > 0) {
    const [first, last] = cheapestPair(model.path, condition, asked);
    const alone = first === last;
    found.flag = alone ? without : vertexChoice(model, model.path, first, prices);
    found.review = alone ? without : vertexChoice(model, model.path, last, prices);
    found.saving = without.expected_cost - spread(found.flag, found.review, condition, asked).expected_cost;
  }
  return bandOf(model, prices, asked, found);
}

/** Shares, rates and cost of a band that begins to flag and to review with these rules. */
function spread(flag, review, condition, { cost_review: price, reviewer_fpr: e, reviewer_tpr: d }) {
  const p = condition.prevalence;
  const fpr = flag.fpr + e * (review.fpr - flag.fpr);
  const tpr = flag.tpr + d * (review.tpr - flag.tpr);
  const reviewed = Math.max((1 - p) * (review.fpr - flag.fpr) + p * (review.tpr - flag.tpr), 0);
  const flagged = (1 - p) * flag.fpr + p * flag.tpr;
  const expected_cost = condition.best + condition.alarms * fpr + condition.misses * (1 - tpr) + price * reviewed;
  return { reviewed, flagged, cleared: Math.max(1 - flagged - reviewed, 0), fpr, tpr, expected_cost };
}

function bandOf(model, { condition }, asked, { flag, review, without, saving, worth, capacity }) {
  const { cost_review, max_reviewed, reviewer_fpr, reviewer_tpr } = asked;
  const paid = spread(flag, review, condition, asked);
  const [probability_low, probability_high] = risks(condition, asked) ?? [null, null];
  const all = condition.best + condition.alarms * reviewer_fpr + condition.misses * (1 - reviewer_tpr) + cost_review;
  return {
    review_from: review.threshold,
    flag_from: flag.threshold,
    ...paid,
    expected_cost_without: without.expected_cost,
    saving: Math.max(saving, 0),
    expected_cost_all_reviewed: all,
    worth_up_to: worth,
    price_of_capacity: capacity,
    probability_low,
    probability_high,
    flag_choice: flag,
    review_choice: review,
    without,
    model: model.name,
    condition,
    cost_review,
    max_reviewed,
    reviewer_fpr,
    reviewer_tpr,
    expected_cost_low: finerCost(model, condition, asked, paid.expected_cost, capacity),
    randomised: flag.other_threshold !== null || review.other_threshold !== null,
  };
}

/** What thresholds inside groups of scores could cost at least, if that is less than the band; else null. */
function finerCost(model, condition, asked, cost, capacity) {
  const limited = capacity > 0 && !asked.randomised && !model.about.thinned;
  if (!model.possible && (!limited || model.complete)) return null;
  const low = mixtureCost(model.possible ?? model, condition, asked);
  const rounding = 16 * Number.EPSILON * (condition.worst - condition.best + asked.cost_review);
  return low < cost - rounding ? low : null;
}

/** The points of a path where flagging and where reviewing begins: the cheapest pair that keeps the limit. */
function cheapestPair({ fpr, tpr }, condition, asked) {
  const { prevalence: p, worst, best } = condition;
  const weigh = weightsOf(condition, asked);
  const costs = ({ fpr: a, tpr: b }) => fpr.map((x, i) => a * x - b * tpr[i]);
  const [flag, review] = [costs(weigh.flag), costs(weigh.review)];
  const reached = fpr.map((x, i) => (1 - p) * x + p * tpr[i]);
  const rounding = 16 * Number.EPSILON * (worst - best + asked.cost_review);
  // The least of a window whose ends only move on: what can no longer be the least has left the queue.
  const queue = [];
  let [head, least] = [0, Infinity];
  const total = fpr.map((_, j) => {
    while (queue.length > head && flag[queue[queue.length - 1]] >= flag[j]) queue.pop();
    queue.push(j);
    while (reached[queue[head]] < reached[j] - asked.max_reviewed - SLACK) head += 1;
    const cost = review[j] + flag[queue[head]];
    least = Math.min(least, cost);
    return cost;
  });
  // Of equally cheap pairs the one that reviews fewest, then the one that flags fewest.
  const pairs = [];
  for (let j = 0; j < total.length; j++) {
    if (total[j] > least + rounding) continue;
    let i = j;
    while (flag[i] + review[j] > least + rounding) i -= 1;
    pairs.push({ i, j, reviewed: reached[j] - reached[i] });
  }
  const fewest = Math.min(...pairs.map((pair) => pair.reviewed)) + SLACK;
  const [{ i, j }] = pairs.filter((pair) => pair.reviewed <= fewest).sort((x, y) => reached[x.i] - reached[y.i]);
  return [i, j];
}

/** Two points (pcf, normalised cost) on whose chord the cost with reviews lies; null if no review can pay. */
export function chordOf(band) {
  const { condition } = band;
  if (!(band.cost_review < mostGained(condition, band)) || !(condition.prevalence > 0 && condition.prevalence < 1)) {
    return null;
  }
  const weigh = weightsOf(condition, band);
  return [
    [weigh.flag, band.flag_choice],
    [weigh.review, band.review_choice],
  ].map(([{ fpr, tpr }, rule]) => {
    const t = fpr / (fpr + tpr);
    return [1 - t, t * rule.fpr + (1 - t) * (1 - rule.tpr)];
  });
}

/** What a case costs at every price of a review, without limit: straight between breaks, constant after the last. */
export function reviewCurve(model, condition, asked) {
  const edges = edgesOf(model, condition, asked);
  const { best, gain, rounding, share } = edges;
  const order = paying(edges, 0);
  // Gains that are equal up to rounding are one break.
  const apart = (k) => k === 0 || gain[order[k - 1]] - gain[order[k]] > rounding[order[k]];
  const first = order.map((_, k) => k).filter(apart);
  const held = [...first, order.length].reverse();
  const breaks = [0, ...first.map((k) => gain[order[k]]).reverse()];
  const at = (v) => ({ fpr: model.fpr[v], tpr: model.tpr[v] });
  const found = { breaks, costs: [], reviewed: [], review_from: [], flag_from: [] };
  held.forEach((count, k) => {
    const taken = order.slice(0, count);
    const flag = best - taken.filter((i) => i < best).length;
    const band = spread(at(flag), at(flag + count), condition, { ...asked, cost_review: 0 });
    const seen = taken.reduce((sum, i) => sum + share[i], 0);
    found.costs.push(band.expected_cost + breaks[k] * seen);
    found.reviewed.push(seen);
    found.review_from.push(model.cut[flag + count]);
    found.flag_from.push(model.cut[flag]);
  });
  const alone = spread(at(best), at(best), condition, { ...asked, cost_review: 0 });
  const worth_up_to = breaks[breaks.length - 1];
  return { ...found, worth_up_to, expected_cost_without: alone.expected_cost, model: model.name };
}
