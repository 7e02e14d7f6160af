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

/** Where a line whose x is a function of y meets an x between two of its points. */
function meeting(xAt, x, a, b) {
  let [low, high] = [a[1], b[1]];
  for (let i = 0; i < 60 && low !== high; i++) {
    const half = (low + high) / 2;
    if (xAt(half) < x === a[0] < x) low = half;
    else high = half;
  }
  return [x, low];
}

/** The pieces of such a line that lie between two x; they reach them. */
function piecesBetween(points, xAt, ends) {
  const pieces = [];
  let piece = [];
  const cut = () => {
    if (piece.length > 1) pieces.push(piece);
    piece = [];
  };
  points.forEach((point, i) => {
    const before = points[i - 1] ?? point;
    const met = ends.filter((x) => before[0] < x !== point[0] < x).map((x) => meeting(xAt, x, before, point));
    if (before[0] > point[0]) met.reverse();
    for (const end of met) {
      piece.push(end);
      if (piece.length > 1) cut();
    }
    if (point[0] >= ends[0] && point[0] <= ends[1]) piece.push(point);
  });
  cut();
  return pieces;
}

/** Round levels of cost over which contours are drawn: 1, 2 and 5 times a power of ten. */
export function levels(unit) {
  const found = [];
  for (let power = Math.floor(Math.log10(unit * 0.03)); power <= Math.ceil(Math.log10(unit)); power++) {
    for (const k of [1, 2, 5]) {
      const level = k * 10 ** power;
      if (level >= unit * 0.04 && level <= unit * 0.9) found.push(level);
    }
  }
  return found;
}

/**
 * Where 1000 cases cost a level: pieces of [ln(ratio), logit(prevalence)] inside the rectangle. At one prevalence the
 * cheapest rule costs more the higher the ratio, so there is one ratio at most; once everybody is flagged the ratio
 * makes no difference, and the line is level.
 */
export function equalCost({ frontier }, level, { fpGap, cost_tn, cost_tp }, xs, ys) {
  const { fpr, tpr, switches } = frontier;
  const paid = level / 1000;
  // What a negative case may cost with the cheapest rule, in false alarms; and back.
  const alarmsAt = (y) => (paid - cost_tn + (paid - cost_tp) * Math.exp(y)) / fpGap;
  const placeOf = (alarms) => Math.log((cost_tn + fpGap * alarms - paid) / (paid - cost_tp));
  const last = tpr.findIndex((rate) => rate === 1);
  const most = fpr[last];
  const bends = switches.slice(0, last).map((t, v) => fpr[v] + ((1 - t) / t) * (1 - tpr[v]));
  const xAt = (y) => {
    const alarms = Math.min(alarmsAt(y), most);
    const v = Math.min(countUpTo(bends, alarms), last - 1);
    return Math.log((alarms - fpr[v]) / (1 - tpr[v])) - y;
  };
  const inside = (y) => y > ys[0] && y < ys[1];
  const places = bends.map(placeOf).filter(inside);
  for (let i = 0; i <= 120; i++) places.push(ys[0] + ((ys[1] - ys[0]) * i) / 120);
  places.sort((a, b) => a - b);
  const run = places
    .filter((y) => alarmsAt(y) > 0 && alarmsAt(y) <= most * (1 + 1e-12))
    .map((y) => [xAt(y), y])
    .filter(([x]) => Number.isFinite(x));
  const end = placeOf(most);
  const pieces = piecesBetween(run, xAt, xs);
  const from = Math.max(xAt(end), xs[0]);
  if (!inside(end) || !(from < xs[1])) return pieces;
  const near = ([x, y]) => Math.abs(x - from) < 1e-6 && Math.abs(y - end) < 1e-6;
  const joined = pieces.find((piece) => near(piece[piece.length - 1]));
  if (!joined) pieces.push([[from, end]]);
  (joined ?? pieces[pieces.length - 1]).push([xs[1], end]);
  return pieces;
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
