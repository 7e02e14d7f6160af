// Which model wins where over cost ratio and prevalence: exact stripes, contours of equal cost, and the part of a box.
import { QUANTITIES, gaussRule, logit, middle, priced, reach } from './beliefs.js';
import { countUpTo } from './resamples.js';

const FAR = 60;

/** Log-odds of the pcf of a t, with finite ends. */
export const oddsOf = (t) => (t <= 0 ? FAR : t >= 1 ? -FAR : logit(1 - t));

/** The part of a polygon in which a linear function is not negative. */
function clipped(polygon, f) {
  const found = [];
  polygon.forEach((a, i) => {
    const b = polygon[(i + 1) % polygon.length];
    const [va, vb] = [f(a), f(b)];
    if (va >= 0) found.push(a);
    if (va >= 0 !== vb >= 0) {
      const u = va / (va - vb);
      found.push([a[0] + u * (b[0] - a[0]), a[1] + u * (b[1] - a[1])]);
    }
  });
  return found;
}

/** Where, in a rectangle of ln(ratio) × logit(prevalence), the log-odds of pcf, their sum, lie between two. */
export function stripe([x0, x1], [y0, y1], from, to) {
  const corners = [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
  const above = clipped(corners, ([x, y]) => x + y - from);
  return clipped(above, ([x, y]) => to - x - y);
}

/**
 * Where 1000 cases cost a level: pieces of [ln(ratio), logit(prevalence)] inside the rectangle. Along one
 * u = ln(ratio) + logit(prevalence) the cheapest rule is fixed, and its cost is linear in the prevalence.
 */
export function equalCost({ frontier }, level, { fpGap, cost_tn, cost_tp }, xs, ys) {
  const ascending = [...frontier.switches].reverse();
  const least = (u) => {
    const v = ascending.length - countUpTo(ascending, 1 / (1 + Math.exp(u)));
    return frontier.fpr[v] + Math.exp(u) * (1 - frontier.tpr[v]);
  };
  const [from, to] = [xs[0] + ys[0], xs[1] + ys[1]];
  const places = frontier.switches.map(oddsOf).filter((u) => u > from && u < to);
  for (let i = 0; i <= 160; i++) places.push(from + ((to - from) * i) / 160);
  places.sort((a, b) => a - b);
  const pieces = [];
  let piece = [];
  for (const u of places) {
    const negative = cost_tn + fpGap * least(u);
    const p = (negative - level / 1000) / (negative - cost_tp);
    const y = p > 0 && p < 1 ? logit(p) : NaN;
    const x = u - y;
    if (x >= xs[0] && x <= xs[1] && y >= ys[0] && y <= ys[1]) piece.push([x, y]);
    else if (piece.length) {
      pieces.push(piece);
      piece = [];
    }
  }
  return [...pieces, piece].filter((points) => points.length > 1);
}

/** P(t ≤ s) when the cost of a miss is uniform on a pair and the rest is known. */
function below(s, [low, high], { cost_fp, cost_tn, cost_tp, prevalence }) {
  // t ≤ s from this cost of a miss on.
  const from = cost_tp + ((1 - s) * (cost_fp - cost_tn) * (1 - prevalence)) / (s * prevalence);
  if (s <= 0) return 0;
  if (low === high) return low >= from ? 1 : 0;
  return Math.min(Math.max((high - from) / (high - low), 0), 1);
}

/**
 * In which part of the stated ranges one of some stretches [t_low, t_high) holds: exact in the cost of a miss, by the
 * Gauss rule in the other quantities; exactly 1 where the stretches cover all that the ranges reach.
 */
export function partOfRanges(stretches, state) {
  const { low, high } = reach(state);
  const joined = [];
  for (const [a, b] of stretches) {
    const last = joined[joined.length - 1];
    if (last && last[1] === a) last[1] = b;
    else joined.push([a, b]);
  }
  if (joined.some(([a, b]) => a <= 1 - high && b >= 1 - low)) return 1;
  const { nodes, weights } = gaussRule();
  const values = Object.fromEntries(QUANTITIES.map((name) => [name, middle(state[name])]));
  const others = QUANTITIES.filter((name) => name !== 'cost_fn' && state[name][0] !== state[name][1]).slice(0, 2);
  const visit = (depth) => {
    if (depth === others.length) {
      return joined.reduce((sum, [a, b]) => sum + below(b, state.cost_fn, values) - below(a, state.cost_fn, values), 0);
    }
    const [from, to] = state[others[depth]];
    return nodes.reduce((sum, node, i) => {
      values[others[depth]] = from + node * (to - from);
      return sum + weights[i] * visit(depth + 1);
    }, 0);
  };
  return Math.min(Math.max(visit(0), 0), 1);
}

/** Ratio and prevalence of a condition as the map places them. */
export function mapPlace(condition) {
  const { fnGap, fpGap, prevalence } = priced(condition);
  return [Math.log(fnGap / fpGap), logit(prevalence)];
}
