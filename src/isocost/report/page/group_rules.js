// Groups of cases at any costs: the twin of the library's `Groups`.
// Each group's cheapest rule, one for all, and what equal rates cost.
import { spanSaid } from './cost_words.js';
import { amount, digits, money, percent } from './numbers.js';

const EPSILON = Number.EPSILON;

/** What prices a group's rules, per case of the group; its prevalence is its own, or the condition's. */
function termsOf(row, condition, follows) {
  const p = follows === 'own' ? row.prevalence : condition.prevalence;
  return {
    p,
    best: condition.cost_tn * (1 - p) + condition.cost_tp * p,
    alarms: condition.fpGap * (1 - p),
    misses: condition.fnGap * p,
  };
}

/** Rates of counts; an absent class has the rate 0. */
function ratesOf({ fp, tp }, { negatives, positives }) {
  const rate = (counts, total) => counts.map((count) => (total > 0 ? Math.min(count / total, 1) : 0));
  return { fpr: rate(fp, negatives), tpr: rate(tp, positives) };
}

function costsOf({ fpr, tpr }, { best, alarms, misses }) {
  return fpr.map((x, v) => best + alarms * x + misses * (1 - tpr[v]));
}

/** The first of the least, up to so many roundings. */
function firstLeast(costs, roundings) {
  const most = Math.max(1, ...costs.map(Math.abs));
  const least = Math.min(...costs) + roundings * EPSILON * most;
  return costs.findIndex((cost) => cost <= least);
}

/** What Python said of the groups, at another condition; intervals do not follow. */
export function groupsAt(found, condition) {
  const { rows, follows } = found;
  const terms = rows.map((row) => termsOf(row, condition, follows));
  const hulls = rows.map((row) => ratesOf(row.hull, row));
  const costs = hulls.map((hull, g) => costsOf(hull, terms[g]));
  const shared = rows.map((row) => ratesOf(row.one.hull, row));
  const sharedCosts = shared.map((hull, g) => costsOf(hull, terms[g]));
  const totals = found.one.rules.map((_, v) => rows.reduce((sum, row, g) => sum + row.share * sharedCosts[g][v], 0));
  const one = firstLeast(totals, 64);
  const absent = (row, name, rate) => (row[name] > 0 ? rate : null);
  const chosen = rows.map((row, g) => {
    const v = firstLeast(costs[g], 8);
    const [fpr, tpr, cost] = [hulls[g].fpr[v], hulls[g].tpr[v], costs[g][v]];
    return {
      ...row,
      prevalence: terms[g].p,
      rule: row.hull.rule[v],
      fpr: absent(row, 'negatives', fpr),
      tpr: absent(row, 'positives', tpr),
      flagged: terms[g].p * tpr + (1 - terms[g].p) * fpr,
      cost,
      interval: null,
      extra_cost: Math.max(sharedCosts[g][one] - cost, 0),
      one: {
        ...row.one,
        fpr: absent(row, 'negatives', shared[g].fpr[one]),
        tpr: absent(row, 'positives', shared[g].tpr[one]),
        cost: sharedCosts[g][one],
      },
    };
  });
  const prices = found.prices.map(({ criterion }) => ({
    criterion,
    ...priceCurve(criterion, rows, terms, hulls, costs),
  }));
  return {
    ...found,
    rows: chosen.sort((a, b) => b.extra_cost - a.extra_cost),
    expected_cost: chosen.reduce((sum, row) => sum + row.share * row.cost, 0),
    extra_cost: chosen.reduce((sum, row) => sum + row.share * row.extra_cost, 0),
    interval: null,
    extra_interval: null,
    one: { ...found.one, rule: found.one.rules[one], expected_cost: totals[one] },
    prices,
  };
}

/** What equal rates cost at every tolerance, thresholds mixed at random: its breaks. */
function priceCurve(criterion, rows, terms, hulls, costs) {
  const needed = { tpr: ['positives'], fpr: ['negatives'], flagged: [] }[criterion];
  const rate = (g, v) => {
    const { fpr, tpr } = hulls[g];
    if (criterion === 'flagged') return terms[g].p * tpr[v] + (1 - terms[g].p) * fpr[v];
    return hulls[g][criterion][v];
  };
  const groups = rows.flatMap((row, g) => {
    if (needed.some((name) => !(row[name] > 0))) return [];
    return [leastCost(costs[g].map((cost, v) => ({ rate: rate(g, v), cost: row.share * cost })))];
  });
  const pieces = groups.length ? closedGap(groups) : [];
  const [closed, price] = [[0], [0]];
  pieces.forEach(({ length, slope }, k) => {
    const last = closed.length - 1;
    // Neighbouring pieces of one slope are one piece.
    const same = k > 0 && pieces[k - 1].slope >= slope * (1 - 8 * EPSILON);
    if (!same) {
      closed.push(closed[last]);
      price.push(price[last]);
    }
    closed[closed.length - 1] += length;
    price[price.length - 1] += length * slope;
  });
  const gap = closed[closed.length - 1];
  return { tolerance: closed.map((done) => gap - done).reverse(), price: price.reverse() };
}

/** The least cost of a group at each rate: the lower hull, and its cheapest stretch. */
function leastCost(points) {
  points.sort((a, b) => a.rate - b.rate || a.cost - b.cost);
  const hull = [];
  for (const point of points) {
    if (hull.length && hull[hull.length - 1].rate === point.rate) continue;
    while (hull.length > 1) {
      const [a, b] = hull.slice(-2);
      if ((b.rate - a.rate) * (point.cost - b.cost) > (b.cost - a.cost) * (point.rate - b.rate)) break;
      hull.pop();
    }
    hull.push(point);
  }
  const all = hull.map(({ cost }) => cost);
  const lowest = Math.min(...all);
  const reach = Math.max(...all) - lowest || 1;
  const cheap = hull.flatMap(({ cost }, v) =>
    cost <= lowest + 4 * EPSILON * Math.max(reach, Math.abs(lowest)) ? [v] : [],
  );
  return { hull, low: cheap[0], high: cheap[cheap.length - 1] };
}

/** Pieces of the way on which the gap between rates is closed, the cheaper end first. */
function closedGap(groups) {
  const lowest = Math.min(...groups.map(({ hull, high }) => hull[high].rate));
  const highest = Math.max(...groups.map(({ hull, low }) => hull[low].rate));
  if (highest <= lowest) return [];
  const edges = (from, to, sign) =>
    groups.flatMap((group) => {
      const some = group.hull.slice(from(group), to(group));
      if (sign < 0) some.reverse();
      return some.slice(1).map((point, v) => ({
        start: sign * some[v].rate,
        stop: sign * point.rate,
        rise: point.cost - some[v].cost,
      }));
    });
  const up = way(
    edges(
      ({ high }) => high,
      ({ hull }) => hull.length,
      1,
    ),
    lowest,
    highest,
  );
  const down = way(
    edges(
      () => 0,
      ({ low }) => low + 1,
      -1,
    ),
    -highest,
    -lowest,
  );
  const pieces = [...up, ...down].sort((a, b) => a.slope - b.slope);
  let left = highest - lowest;
  return pieces.flatMap(({ length, slope }) => {
    const taken = Math.min(length, left);
    left -= taken;
    return taken > 0 ? [{ length: taken, slope }] : [];
  });
}

/** Lengths and slopes of the sum of rising convex lines between two places. */
function way(edges, begin, end) {
  const changes = new Map([
    [begin, 0],
    [end, 0],
  ]);
  for (const { start, stop, rise } of edges) {
    if (start >= end || stop <= begin) continue;
    const slope = rise / (stop - start);
    const [from, to] = [Math.max(start, begin), Math.min(stop, end)];
    changes.set(from, (changes.get(from) ?? 0) + slope);
    changes.set(to, (changes.get(to) ?? 0) - slope);
  }
  const places = [...changes.keys()].sort((a, b) => a - b);
  let [sum, slope] = [0, 0];
  return places.slice(1).map((place, k) => {
    sum += changes.get(places[k]);
    // A sum of convex lines is convex: what falls is rounding.
    slope = Math.max(slope, sum);
    return { length: place - places[k], slope };
  });
}

/** A sign and its number stay on one line. */
const held = (text) => text.replaceAll('≥ ', '≥\u00a0').replaceAll(' %', '\u00a0%');

/** What is said about all groups together. */
export function groupSentences(found, unit, level) {
  const [each, more] = ['expected_cost', 'extra_cost'].map((key) => amount(1000 * found[key], unit));
  const text = `One threshold for each group costs ${each} per 1000 cases (${found.prevalence}).`;
  const sure = found.extra_interval ? ` (${spanSaid(found.extra_interval, unit)} at ${percent(level)})` : '';
  const said = [`${text} One for all, ${found.one.rule}, costs ${more} more per 1000 cases${sure}.`];
  const { few } = found;
  if (few.length) {
    const shown = few.slice(0, 5).join(', ') + (few.length > 5 ? ` and ${few.length - 5} more` : '');
    said.push(`Fewer than 20 positives or negatives in ${shown}: the intervals there are too narrow.`);
  }
  return said;
}

/** One group as texts, a smaller line after a line break. */
export function groupCells(row) {
  const p = row.prevalence;
  const [tpr, fpr] = [row.tpr ?? 0, row.fpr ?? 0];
  const counted = [
    [p * tpr, row.tpr],
    [p * (1 - tpr), row.tpr === null ? null : 1 - row.tpr],
    [(1 - p) * fpr, row.fpr],
    [(1 - p) * (1 - fpr), row.fpr === null ? null : 1 - row.fpr],
  ];
  return [
    row.group,
    digits(row.positives + row.negatives, 15),
    percent(p),
    held(row.rule.replace(/^flag /, '')),
    ...counted.map(([share, rate]) => (rate === null ? '–' : `${digits(1000 * share)}\n${percent(rate)}`)),
    percent(row.flagged),
    money(1000 * row.cost),
    row.interval ? spanSaid(row.interval, '') : '–',
    money(1000 * row.extra_cost),
  ];
}

/** What the picture of a group shows. */
export function pictureLabel(row) {
  return (
    `${row.group}: ${percent(row.tpr)} caught, ${percent(row.fpr)} false alarms; ` +
    `one threshold for all costs ${money(1000 * row.extra_cost)} more per 1000`
  );
}
