// What uncertain conditions leave open about a rule, and the question that would help: the twin of decide/uncertain.py and decide/ask.py.
import { TIE, excess, first, heldIn, keptWhile, least, most, range, taken, weights } from './rules.js';

// How many nodes stand for each uncertain quantity beside the one that is integrated exactly, by how many there are.
const NODES = [1, 32, 32, 12, 8, 6];
// Integrated exactly is the first of these that is a range: the cost ratio moves the choice most.
const EXACT_FIRST = ['t', 'cost_fn', 'cost_fp', 'cost_tp', 'cost_tn', 'prevalence'];
const GAUSS = new Map();

/** Nodes on [−1, 1] and weights of the Gauss rule of n nodes. */
function gaussRule(n) {
  return heldIn(GAUSS, n, () =>
    Array.from(range(n), (i) => {
      let [x, slope] = [-Math.cos((Math.PI * (i + 0.75)) / (n + 0.5)), 0];
      for (let step = 0; step < 20; step++) {
        let [before, here] = [1, x];
        for (let k = 2; k <= n; k++) [before, here] = [here, ((2 * k - 1) * x * here - (k - 1) * before) / k];
        slope = (n * (x * here - before)) / (x * x - 1);
        x -= here / slope;
      }
      return [x, 2 / ((1 - x * x) * slope * slope)];
    }),
  );
}

/** Values and weights of an uncertain quantity: a Gauss rule over its range. */
function nodesOf({ low, high }, n) {
  return gaussRule(n).map(([x, w]) => [low + ((x + 1) / 2) * (high - low), w / 2]);
}

/** P(X ≤ x) and E[X; X ≤ x], as two functions. */
function upTo({ low, high }) {
  const mass = (x) => (Math.min(Math.max(x, low), high) - low) / (high - low);
  return [mass, (x) => (mass(x) * (Math.min(Math.max(x, low), high) + low)) / 2];
}

/** One quantity to be integrated exactly, and a, b and c at 0 and their slopes in it at nodes of the others. */
function gridOf(q) {
  const unsure = EXACT_FIRST.filter((n) => n in q.quantities && q.quantities[n].low !== q.quantities[n].high);
  const [exact, ...others] = unsure;
  let nodes = [[q.mean, 1]];
  for (const n of others) {
    const values = nodesOf(q.quantities[n], NODES[others.length]);
    nodes = nodes.flatMap(([at, share]) => values.map(([value, w]) => [{ ...at, [n]: value }, share * w]));
  }
  const lines = nodes.map(([at, share]) => {
    const start = weights({ ...at, [exact]: 0 });
    return [share, ...start, ...weights({ ...at, [exact]: 1 }).map((w, k) => w - start[k])];
  });
  const [massTo, partTo] = upTo(q.quantities[exact]);
  return { lines, massTo, partTo, mean: q.quantities[exact].mean, rising: ['t', 'cost_fp', 'cost_tp'].includes(exact) };
}

/** The mean over the conditions of the cost of the best rule at each: exact in one quantity, by nodes in the others. */
function meanLeast(rules, rows, { lines, massTo, partTo, mean, rising }) {
  const hull = rising ? rules.hull(rows).slice().reverse() : rules.hull(rows);
  const [x, y] = [hull.map((i) => rules.fpr[i]), hull.map((i) => rules.tpr[i])];
  const switches = rules.switches(hull);
  let total = 0;
  for (const [share, a0, b0, c0, a1, b1, c1] of lines) {
    // The best vertex changes where a/(a + b) is a switch; by ascending value of the quantity.
    let [mass, part, highest, cost] = [0, 0, -Infinity, 0];
    for (let k = 0; k < x.length; k++) {
      let [massHere, partHere] = [1, mean];
      if (k < switches.length) {
        const s = switches[k];
        const over = b0 * s - a0 * (1 - s);
        const under = a1 * (1 - s) - b1 * s;
        const change = under === 0 ? (over > 0 === rising ? Infinity : -Infinity) : over / under;
        if (change > highest) highest = change;
        massHere = massTo(highest);
        partHere = partTo(highest);
      }
      const [m, v] = [massHere - mass, partHere - part];
      cost += (a0 * m + a1 * v) * x[k] + (b0 * m + b1 * v) * (1 - y[k]);
      mass = massHere;
      part = partHere;
    }
    total += share * (cost + c0 + c1 * mean);
  }
  return total;
}

/** Regrets of row i among rows that keep the limits; costs per case in the unit, normalised without one. */
export function uncertain(rules, rows, i, q) {
  const costs = q.corners.map((at) => taken(rules.cost(at), rows));
  const best = costs.map(least);
  const worst = new Float64Array(rows.length).fill(-Infinity);
  costs.forEach((cost, c) => {
    for (let k = 0; k < rows.length; k++) worst[k] = Math.max(worst[k], cost[k] - best[c]);
  });
  const { scale } = q;
  const none = (x) => (x <= TIE * scale ? 0 : x);
  const grid = gridOf(q);
  const mine = rows.indexOf(i);
  const safest = first(range(rows.length), [worst], scale);
  const at = costs.findIndex((cost, c) => cost[mine] - best[c] >= worst[mine] - TIE * scale);
  const [[low], [high]] = keptWhile(excess(q.limits, [rules.fpr[i]], [rules.tpr[i]]), 1);
  const own = rules.ownRows(rows);
  return {
    mean_regret: none(rules.cost(q.mean)[i] - meanLeast(rules, rows, grid)),
    worst_regret: none(worst[mine]),
    worst_at: q.corners[at],
    worst_cost: most(costs.map((cost) => cost[mine])),
    safest: worst[safest] < worst[mine] - TIE * scale ? rows[safest] : null,
    safest_regret: none(worst[safest]),
    rechosen: own.flatMap((held, m) => (held.length ? [{ model: rules.names[m], mean: meanLeast(rules, held, grid) }] : [])),
    limits_kept: Object.keys(q.limits).length && q.has_unit && (low !== 0 || high !== 1) ? [low, high] : null,
  };
}

// A question that saves less is not worth asking.
const SLIGHT = 1e-12;

/** The first place of the least, but for rounding. */
const firstLeast = (values, slack) => {
  const lowest = Math.min(...values);
  return values.findIndex((value) => value <= lowest + slack);
};

/**
 * The exchange rate to ask about, what the answer is worth, and the two rules it decides between; null if no rule is left.
 * Everything is counted in false alarms per case: a rule costs p + q·x when a miss is worth x of them, and the best
 * question lies where two rules of the lower envelope cost the same.
 *
 * @param {object} rules the table of all rules
 * @param {number[]} rows those that may be used
 * @param {number} share of positives
 * @param {number[]} range of x
 */
export function costQuestion(rules, rows, share, [low, high]) {
  const every = rules.hull(rows).map((row) => ({ row, p: (1 - share) * rules.fpr[row], q: share * (1 - rules.tpr[row]) }));
  const rate = (one, other) => (other.p - one.p) / (one.q - other.q);
  const lines = every.filter((line, k) => {
    const next = every[k + 1];
    return (!k || rate(every[k - 1], line) < high) && (!next || rate(line, next) > low);
  });
  if (!lines.length) return null;
  /** What switching from one rule to another saves, from their exchange rate on. */
  const saved = (one, other) => {
    const at = Math.min(Math.max(rate(one, other), low), high);
    const [mass, part] = [(at - low) / (high - low), (at * at - low * low) / (2 * (high - low))];
    return (one.p - other.p) * mass + (one.q - other.q) * part;
  };
  const end = lines.map(({ p, q }) => p + (q * (low + high)) / 2);
  const slack = (SLIGHT / 10) * Math.max(1, ...end);
  const from = lines.map((line, j) => {
    const ways = lines.slice(0, j).map((one) => saved(one, line));
    const i = firstLeast(ways, slack);
    return i >= 0 && ways[i] < -slack ? { i, cost: ways[i] + end[j] } : { i: -1, cost: end[j] };
  });
  const now = Math.min(...end);
  const costs = from.map(({ cost }) => cost);
  const more = firstLeast(costs, slack);
  const less = from[more].i;
  const perfect = lines.slice(1).reduce((sum, line, k) => sum + saved(lines[k], line), end[end.length - 1]);
  const slight = SLIGHT * Math.max(1, now);
  const [before, after] = [now, Math.min(...costs)].map((cost) => (cost - perfect < slight ? 0 : cost - perfect));
  const nothing = less < 0 || before - after < slight;
  const at = nothing ? null : rate(lines[less], lines[more]);
  return {
    at,
    worth: nothing ? 0 : before - after,
    chance_more: nothing ? null : (high - at) / (high - low),
    regret_now: before,
    regret_after: after,
    less: nothing ? null : lines[less].row,
    more: nothing ? null : lines[more].row,
  };
}
