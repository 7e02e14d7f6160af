// What rules cost at every cost of a miss while the prevalence stays: straight pieces, and who is cheapest where.
// Touches no document: it is tested against Python without a browser.
import { ratioAt } from './beliefs.js';
import { hullWithin, keeps } from './limiting.js';
import { reviewLine } from './review_lines.js';
import { EVERYBODY, NOBODY, TRIVIAL } from './words.js';

// What a difference of two equal costs may come out as.
const SAME = 1e-12;

/** The cost of a model within limits at every pcf; null where no threshold keeps them. */
function limitedLine({ path }, limits, p) {
  const points = hullWithin(path, limits, p);
  if (!points.length) return null;
  const breaks = points.slice(1).map(([x, y], i) => {
    const [run, rise] = [x - points[i][0], y - points[i][1]];
    return run / (run + rise);
  });
  return { breaks, costAt: (z) => Math.min(...points.map(([x, y]) => (1 - z) * x + z * (1 - y))) };
}

/** Lines of all models within the limits of a state, or with its second looks; null where it has neither. */
export function costLines({ models }, { limits = null, review = null }, condition) {
  if (!limits && !review) return null;
  const p = condition.prevalence;
  const lines = models.map((model) => (review ? reviewLine(model, condition, review) : limitedLine(model, limits, p)));
  const trivial = TRIVIAL.filter((name) => !limits || keeps(limits, p, ...(name === EVERYBODY ? [1, 1] : [0, 0])));
  const fixed = trivial.map((name) => (name === NOBODY ? (z) => z : (z) => 1 - z));
  const all = [...lines.flatMap((line) => (line ? [line.costAt] : [])), ...fixed];
  let wins = null;
  return {
    lines,
    trivial,
    least: (z) => Math.min(...all.map((costAt) => costAt(z))),
    /** Who is cheapest where, found when first asked for. */
    get wins() {
      wins ??= winsOf(lines, trivial);
      return wins;
    },
  };
}

/** Who is cheapest from which pcf to which, ascending, with a single threshold. */
export function plainWins({ winners }) {
  return winners.map(({ model, t_low, t_high }) => ({ model, from: 1 - t_high, to: 1 - t_low, t_high })).reverse();
}

/** The cost of a miss that belongs to a pcf. */
export const missAt = (pcf, c) => c.cost_tp + ((pcf / (1 - pcf)) * c.alarms) / c.prevalence;

/** From which cost of a miss on a model wins: to the last digit what the sentences say of it. */
export const changeAt = ({ from, t_high = null }, c) =>
  t_high === null ? missAt(from, c) : c.cost_tp + ratioAt(t_high, c.prevalence) * c.fpGap;

/** What the lines of a state are of each model, in words. */
export function linesText({ limits, review }) {
  if (review) return `second looks${review.max_reviewed === null ? '' : ' within your limit on them'}`;
  return limits ? 'its best threshold within your limits' : 'its best threshold';
}

const ascending = (values) => [...new Set(values)].sort((a, b) => a - b);

/** Costs at ascending places, from those at the breaks of a line, between which it is straight. */
function costsAlong({ breaks, costAt }, zs) {
  const own = ascending([0, 1, ...breaks]);
  const known = own.map((z) => costAt(Math.min(Math.max(z, SAME), 1 - SAME)));
  let k = 0;
  return zs.map((z) => {
    while (k + 2 < own.length && own[k + 1] <= z) k += 1;
    const u = (z - own[k]) / (own[k + 1] - own[k]);
    return known[k] + u * (known[k + 1] - known[k]);
  });
}

/** Who is cheapest where among straight pieces, the trivial classifiers too: crossings are exact between breaks. */
export function winsOf(lines, trivial = TRIVIAL) {
  const rules = [
    ...lines.flatMap((line, m) => (line ? [{ model: m, ...line }] : [])),
    ...trivial.map((model) => ({ model, breaks: [], costAt: (z) => (model === NOBODY ? z : 1 - z) })),
  ];
  const zs = ascending([0, 0.5, 1, ...rules.flatMap((rule) => rule.breaks)]);
  const costs = rules.map((rule) => costsAlong(rule, zs));
  const found = [];
  const add = (model, from, to) => {
    const last = found[found.length - 1];
    if (last && last.model === model) last.to = to;
    else if (to > from) found.push({ model, from, to });
  };
  zs.slice(1).forEach((to, i) => {
    const ends = costs.map((cost) => [cost[i], cost[i + 1]]);
    // Along a piece the lowest line changes where the next one crosses it first.
    let [at, now] = [0, lowestOf(ends)];
    while (at < 1) {
      let [next, then] = [1, now];
      ends.forEach(([a, b], k) => {
        const [gap, slope] = [a - ends[now][0], b - a - (ends[now][1] - ends[now][0])];
        const u = slope < 0 ? -gap / slope : Infinity;
        if (u > at && u < next) [next, then] = [u, k];
      });
      add(rules[now].model, zs[i] + at * (to - zs[i]), zs[i] + next * (to - zs[i]));
      [at, now] = [next, then];
    }
  });
  return found;
}

/** The lowest of several pieces where they start, or just after. */
function lowestOf(ends) {
  let best = 0;
  ends.forEach(([a, b], k) => {
    const [least, then] = ends[best];
    if (a < least - SAME || (a <= least + SAME && b - a < then - least)) best = k;
  });
  return best;
}
