// How sure a decision is: the twin of inference/confidence.py, which says what is computed and why.
import { ALWAYS_NEGATIVE, ALWAYS_POSITIVE, TIE, columnOf, least, most, range } from './rules.js';
import { Task, choose, cutAt, marginOf, pick, ratesFrom, ratesOf, sumsOf } from './task.js';

const C = 4 / (3 + 2 ** (2 / 3));
const A = 1.5 + 2 ** (-5 / 3);
const JUDGES = 3;
// What so many rules did on a resample is held.
const MOST_TOLD = 8;
const CLEAR = 0.05;
const LEANING = 4;
const FEW = 30;
const TOO_FEW = 5;
// Limits that hold with a smaller chance are not called clear.
export const SURE = 0.9;
// How near a border an end of an interval, a price and a chance are looked at with more draws.
const NEAR = { end: 0.15, price: 0.1, chance: 0.06 };
const LABELS = { most: 40, moved: 0.51, spare: 1.3, steps: 400 };

/** A rule with its rates on the resample it was chosen on and on the next ones, three each, and what it flags of the cases left out. */
function judged({ n, tables, outside }, b, rule, task) {
  const held = tables[rule.model].toldOf(b, task);
  const whole = task.review || (rule.cut === rule.second && rule.model === rule.other);
  const key = rule.cut * (tables[rule.model].order.last + 1) + rule.second;
  if (whole && held.has(key)) return held.get(key);
  const rates = new Float64Array(3 * (JUDGES + 1));
  for (let lag = 0; lag <= JUDGES; lag++) rates.set(ratesOf(tables, (b + lag) % n, rule, task.prevalence ?? 0), 3 * lag);
  const found = { rule, rates, left: sumsOf(outside, b, rule) };
  if (held.size >= MOST_TOLD) held.clear();
  if (whole) held.set(key, found);
  return found;
}

/** What is chosen on a resample, and what that did. */
function chosenOn(draws, b, task) {
  const told = (rule) => judged(draws, b, rule, task);
  return choose(draws.tables, b, task, told).map((one) => (one.left ? one : told(one.rule)));
}

/** The stories of every model's best rule and of the whole choice: rates here, left out, own, with others' rules. */
function tell(draws, task, whole, exact) {
  const p = task.prevalence ?? 0;
  const { n, outside } = draws;
  const found = Array.from(range(n), (b) => chosenOn(draws, b, task));
  const sizes = [0, 1].map((kind) => found.reduce((total, _, b) => total + outside[0].totals(b)[kind], 0));
  const ofEnds = choose(whole.tables, 0, task);
  const data = exact ?? whole.tables;
  return choose(data, 0, task).map(({ rule }, i) => {
    const [own, cross, total] = [new Float64Array(3 * n), new Float64Array(3 * n), [0, 0, 0, 0]];
    for (let b = 0; b < n; b++) {
      for (let lag = 1; lag <= JUDGES; lag++) {
        const { rates } = found[(b - lag + n * JUDGES) % n][i];
        for (let r = 0; r < 3; r++) cross[3 * b + r] += rates[3 * lag + r] / JUDGES;
      }
      const { rates, left } = found[b][i];
      for (let r = 0; r < 3; r++) own[3 * b + r] = rates[r];
      for (let r = 0; r < 4; r++) total[r] += left[r];
    }
    const here = ratesOf(data, 0, rule, p);
    let out = ratesFrom(total, sizes, p);
    // What thresholds inside blocks save, which no resample varies.
    let inside = 0;
    if (exact) {
      const coarse = ratesOf(whole.tables, 0, ofEnds[i].rule, p);
      out = out.map((rate, r) => here[r] + (rate - coarse[r]));
      inside = task.cost(coarse) - task.cost(here);
    }
    return { here, out, own, cross, rule, inside };
  });
}

/** The story of a rule that stays as it is. */
function fixedStory(draws, data, [k, score], p) {
  const cut = cutAt(draws.cases.orders[k].thresholds, score);
  const own = new Float64Array(3 * draws.n);
  for (let b = 0; b < draws.n; b++) own.set(ratesOf(draws.tables, b, pick(k, cut), p), 3 * b);
  const rule = pick(k, cutAt(data[k].order.thresholds, score));
  const here = ratesOf(data, 0, rule, p);
  return { here, out: here, own, cross: own, rule };
}

/** The story of flagging everybody, or nobody. */
function constantStory(rate, n, cut) {
  const rates = [rate, rate, 0];
  const every = columnOf(3 * n, (i) => rates[i % 3]);
  return { here: rates, out: rates, own: every, cross: every, rule: pick(0, cut) };
}

/** The four numbers of something linear in the rates of a story. */
function priced({ here, out, own, cross }, value) {
  const each = (rates) => columnOf(rates.length / 3, (b) => value(rates, 3 * b));
  return [value(here), value(out), each(own), each(cross)];
}

const minus = (one, two) => one.map((part, i) => (i < 2 ? part - two[i] : part.map((v, b) => v - two[i][b])));

/** Estimate, low, high and the deviations of anything linear in rates: a price, a difference, the margin to a limit. */
function ends([here, out, own, cross], level) {
  const estimate = here + C * (out - here);
  const u = cross.map((v, b) => A * v - (A - 1) * own[b]);
  const mean = u.reduce((x, y) => x + y, 0) / u.length;
  const deviations = u.map((v) => v - mean);
  const sorted = deviations.slice().sort();
  const tail = (1 - level) / 2;
  const slack = (1 - C) * Math.abs(out - here);
  const [low, high] = [tail, 1 - tail].map((share) => quantile(sorted, share));
  return [estimate, estimate + low - slack, estimate + high + slack, deviations];
}

/** Quantile by linear interpolation between sorted values. */
export function quantile(sorted, share) {
  const at = share * (sorted.length - 1);
  const i = Math.min(Math.floor(at), sorted.length - 2);
  return sorted.length === 1 ? sorted[0] : sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]);
}

/** How many more labels bring the bound on the loss below `enough` with about 80 %, and which rival needs them. */
export function moreLabels(ahead, half, enough, cases) {
  const largest = (values) => values.indexOf(most(values));
  let binding = largest(ahead.map((v, i) => v + half[i]));
  for (let step = 0; step < LABELS.steps; step++) {
    const f = step + 1 === LABELS.steps ? 1 + LABELS.most : 1.05 * ((1 + LABELS.most) / 1.05) ** (step / (LABELS.steps - 1));
    const late = ahead.map((v, i) => {
      const moved = Math.min(v + LABELS.moved * half[i] * Math.sqrt(1 - 1 / f), 0);
      return Math.max(v, 0) / Math.sqrt(f) + half[i] / Math.sqrt(f) + moved;
    });
    if (most(late) <= enough) return [Math.ceil(LABELS.spare * cases * (f - 1)), binding];
    binding = largest(late);
  }
  return [null, binding];
}

/** What a rule does with each row: 0 for nothing, 2 for flagging, 1 for what lies between its cuts. */
function actionsOf({ orders, rows }, data, { rule: { model, cut, other, second } }) {
  const found = new Uint8Array(rows);
  for (const [k, c] of [
    [model, cut],
    [other, second],
  ]) {
    const { thresholds } = data[k].order;
    const { block, last, thresholds: held } = orders[k];
    const at = c === 0 ? 0 : c === thresholds.length ? last : cutAt(held, thresholds[c - 1]);
    for (let r = 0; r < rows; r++) if (block[r] < at) found[r]++;
  }
  return found;
}

/** Whether two rules do the same with every case here. */
function doSame(cases, data, one, two) {
  if (!one.here.every((rate, i) => rate === two.here[i])) return false;
  if (cases.tabled) return true;
  const [mine, other] = [one, two].map((story) => actionsOf(cases, data, story));
  return mine.every((action, r) => action === other[r]);
}

/** The share of the cases with which two rules do different things; null if that is not known. */
function differing(whole, data, one, two) {
  if (whole.cases.tabled) return null;
  const [mine, other] = [one, two].map((story) => actionsOf(whole.cases, data, story));
  let [differ, total] = [0, 0];
  for (let r = 0; r < mine.length; r++) {
    const weight = whole.weight(0, r);
    total += weight;
    if (mine[r] !== other[r]) differ += weight;
  }
  return differ / total;
}

/** How sure a choice is from draws: `confidence`, and what changes in the decision, as `Certainty` in Python. */
export function assess(draws, q, { whole, exact, level, current, cautions }) {
  const task = new Task(q);
  const { cases } = draws;
  const [positives, negatives] = cases.sizes;
  const names = q.names;
  const data = exact ?? whole.tables;
  const stories = tell(draws, task, whole, exact);
  const chosen = stories.pop();
  const margins = task.kinds.map((kind) => {
    const line = task.line(kind, task.promised[kind]);
    const four = priced(chosen, (rates, i = 0) => marginOf(line, rates[i], rates[i + 1]));
    // At least as likely as a tighter limit proves.
    return [kind, Math.max(q.sure ?? 0, chance(four, level))];
  });
  const { model: k, cut, other, second } = chosen.rule;
  const trivial = new Map([
    [ALWAYS_POSITIVE, constantStory(1, draws.n, data[0].order.last)],
    [ALWAYS_NEGATIVE, constantStory(0, draws.n, 0)],
  ]);
  const single = second === cut && other === k;
  let model = single && cut === 0 ? ALWAYS_NEGATIVE : single && cut === data[k].order.last ? ALWAYS_POSITIVE : names[k];
  const shared = {
    limits_hold: Object.fromEntries(margins),
    ...{ n_resamples: draws.n, level, seed: cases.seed, positives, negatives, cautions },
  };
  if (task.aim === 'most_caught') return { confidence: completed(unpriced(shared)), model, extras: new Map(), saving: null };
  const cost = (rates, i) => task.cost(rates, i);
  let [estimate, low, high] = ends(priced(chosen, cost), level);
  low = Math.max(low, 0);
  const [f, t, r] = chosen.here;
  // No error here: the rule of three.
  if (f === 0 && t === 1 && r === 0) high = Math.max(high, 3 * Math.max(task.w0 / negatives, task.w1 / positives));
  const pays = estimate < Math.min(task.w0, task.w1);
  let [mine, best_model] = [chosen, null];
  if (!pays && !task.kinds.length && task.aim === 'cheapest') {
    model = task.w1 <= task.w0 + TIE * task.scale ? ALWAYS_NEGATIVE : ALWAYS_POSITIVE;
    mine = trivial.get(model);
    best_model = { model: names[k], price: task.base + estimate, interval: [task.base + low, task.base + high] };
    estimate = low = high = cost(mine.here);
  }
  const [price, interval] = [task.base + estimate, [task.base + low, task.base + high]];
  const ungraded = (withheld) => {
    const confidence = completed(unpriced({ ...shared, price, interval, withheld }));
    return { confidence, model, extras: new Map(), saving: null };
  };
  if (!q.costs_given) return ungraded(null);
  const rivals = new Map(names.map((name, i) => [name, stories[i]]));
  const others = [...rivals, ...trivial].filter(([name, story]) => name !== model && task.kept(...story.here.slice(0, 2)));
  const base = priced(mine, cost);
  const compared = others.map(([name, story]) => {
    const found = ends(minus(priced(story, cost), base), level);
    let [extra, less, more] = found;
    if (rivals.has(name) && rivals.has(model) && doSame(cases, data, story, mine)) {
      [extra, more] = [0, (3 / (positives + negatives)) * task.highest];
      less = -more;
    }
    return { name, extra, less, more: Math.max(more, 0), deviations: found[3] };
  });
  const worst_loss = Math.max(0, ...compared.map(({ less }) => -less));
  const good_enough = q.good_enough ?? CLEAR * estimate;
  let grade = graded(worst_loss, good_enough);
  // Blocks cannot grade where thresholds inside them save more than what is good enough, or as much more or less changes the grade.
  const coarse = most([chosen, ...stories].map((story) => story.inside));
  const moved = [worst_loss - coarse, worst_loss + coarse].map((loss) => graded(loss, good_enough));
  if (coarse > good_enough || moved[0] !== moved[1]) return ungraded('blocks');
  const few = Math.min(positives, negatives) < FEW;
  if (grade === 'clear' && (few || margins.some(([, held]) => held < SURE) || cautions.length)) grade = 'leaning';
  let labels = { enough: 0, on_differences: 0 };
  if (worst_loss > good_enough) {
    const [ahead, half] = [compared.map(({ extra }) => -extra), compared.map(({ extra, less }) => extra - less)];
    const [enough, binding] = moreLabels(ahead, half, good_enough, positives + negatives);
    const share = differing(whole, data, mine, others[binding][1]);
    labels = { enough, on_differences: enough === null || share === null ? null : Math.ceil(enough * share) };
  }
  const lowest = compared.reduce((one, two) => (two.less < (one?.less ?? Infinity) ? two : one), null);
  const near = rivals.has(model) ? compared.filter(({ name }) => rivals.has(name)) : [];
  const within = ({ less, more }) => Math.max(-less, more);
  const closest = near.reduce((one, two) => (one && within(one) <= within(two) ? one : two), null);
  const either = closest && within(closest) <= good_enough ? { model: closest.name, within: within(closest) } : null;
  const confidence = {
    ...{ price, interval, worst_loss, good_enough, grade, labels, pays, ...shared },
    ...{ rival: lowest && lowest.name, either, best_model, withheld: null },
  };
  const extras = new Map(compared.map(({ name, extra, less, more }) => [name, [Math.max(extra, 0), less, more]]));
  let saving = null;
  if (current) {
    const [name, score] = current;
    const now = trivial.get(name) ?? fixedStory(draws, data, [names.indexOf(name), score], task.prevalence ?? 0);
    saving = { saving: null, interval: null, same: true };
    if (!doSame(cases, data, now, mine)) {
      const [saved, from, to] = ends(minus(priced(now, cost), base), level);
      saving = { saving: saved, interval: [from, to], same: false };
    }
  }
  const differences = lowest && lowest.deviations.map((v) => lowest.extra + v);
  return { confidence: completed(confidence), model, extras, saving, differences };
}

/** The grade of a bound on the loss. */
const graded = (loss, enough) => (loss <= enough ? 'clear' : loss <= LEANING * enough ? 'leaning' : 'open');

function unpriced({ price = null, interval = null, withheld = null, ...shared }) {
  const none = { worst_loss: null, good_enough: null, grade: null, labels: null, pays: null };
  return { price, interval, ...none, ...shared, rival: null, either: null, best_model: null, withheld };
}

/** What sentences need beside it. */
function completed(found) {
  const { worst_loss, price, limits_hold, level, positives, negatives, withheld } = found;
  const chances = Object.values(limits_hold);
  return {
    ...found,
    worst_share: worst_loss === null || !price ? null : worst_loss / price,
    broken: chances.length ? 1 - least(chances) : null,
    one_sided: (1 + level) / 2,
    cases: positives + negatives,
    too_few: withheld === null && Math.min(positives, negatives) < TOO_FEW,
  };
}

/** How often a margin is not negative, on new cases. */
function chance(four, level) {
  const [estimate, , , deviations] = ends(four, level);
  return deviations.filter((v) => estimate + v >= 0).length / deviations.length;
}

/** Whether more draws matter: labels are asked for, or the bound on the loss or the price lies near a border between answers. */
function worthMore({ confidence: sure, extras }, { w0, w1, base }) {
  if (sure.good_enough === null) return false;
  const [price, trivial] = [sure.best_model ? sure.best_model.price : sure.price, Math.min(w0, w1)];
  const pays = Math.abs(price - base - trivial) <= NEAR.price * trivial;
  const limits = Object.values(sure.limits_hold).some((held) => Math.abs(held - SURE) <= NEAR.chance);
  return pays || limits || [...extras.values()].some(([, low, high]) => -low > sure.good_enough - NEAR.end * (high - low));
}

/** How sure a choice is, with the first draws or, unless it has to be quick, with more where they matter. */
export function certaintyOf(held, q, given, quick = false) {
  const first = held.set(0) && assess(held.set(0), q, given);
  if (!first || quick || held.sets < 2 || !worthMore(first, new Task(q))) return first;
  return assess(held.set(1), q, given);
}

/** What is said where no cases are drawn: too few, too many or none, wherever the question moves. */
export function undrawn(opened) {
  if (!opened?.too_few && !opened?.withheld) return null;
  const { n_resamples, level, seed, positives, negatives, cautions, withheld } = opened;
  const shared = { n_resamples, level, seed, positives, negatives, cautions, withheld };
  const confidence = completed(unpriced({ limits_hold: {}, ...shared }));
  return { confidence: { ...confidence, surer: null }, model: '', extras: new Map(), saving: null };
}
