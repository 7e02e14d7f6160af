// What happens to 1000 cases and what it costs: counts, and a bill that adds up.
import { corners, means, middle } from './beliefs.js';

/** The outcomes of a case, in the order of their marks. */
export const OUTCOMES = ['caught', 'alarm', 'missed', 'left'];

/** How many of 1000 cases end in each outcome, not rounded. */
function outcomes({ fpr, tpr }, p) {
  return {
    caught: 1000 * p * tpr,
    alarm: 1000 * (1 - p) * fpr,
    missed: 1000 * p * (1 - tpr),
    left: 1000 * (1 - p) * (1 - fpr),
  };
}

/** Values rounded to multiples of a step, their sum to that of the whole: the largest remainders are rounded up. */
export function addingUp(values, step = 1) {
  const parts = values.map((value) => value / step);
  const whole = parts.map((part) => Math.floor(part + 1e-9));
  const total = Math.round(parts.reduce((sum, part) => sum + part, 0));
  const order = parts.map((part, i) => [part - whole[i], i]).sort(([a], [b]) => b - a);
  const missing = total - whole.reduce((sum, part) => sum + part, 0);
  for (let k = 0; k < missing; k++) whole[order[k % order.length][1]] += 1;
  return whole.map((part) => part * step);
}

/** The finest step in which a total is printed: whole units from 1000 on, three digits below. */
export function stepOf(total) {
  const size = Math.abs(total);
  if (!(size > 0)) return 1;
  return size >= 1000 ? 1 : 10 ** (Math.floor(Math.log10(size)) - 2);
}

/** Least and most a rule costs per 1000 over the corners of the ranges. */
export function overRanges({ fpr, tpr, review = null }, state) {
  const costs = corners(state).map(
    (end) => 1000 * (end.best + end.alarms * fpr + end.misses * (1 - tpr) + looks(review, end)),
  );
  return [Math.min(...costs), Math.max(...costs)];
}

/** What second looks cost a case at a prevalence. */
function looks(review, { prevalence: p }) {
  if (!review) return 0;
  const { flag_choice: flag, review_choice: reached, cost_review } = review;
  return cost_review * ((1 - p) * (reached.fpr - flag.fpr) + p * (reached.tpr - flag.tpr));
}

/** How many of 1000 cases end where, by what was done with them: not rounded, positives and negatives apart. */
function fates({ fpr, tpr, review = null }, p) {
  const [flag, reached] = review
    ? [review.flag_choice, review.review_choice]
    : [
        { fpr, tpr },
        { fpr, tpr },
      ];
  const [positives, negatives] = [1000 * p, 1000 * (1 - p)];
  return {
    caught: positives * flag.tpr,
    found: positives * (tpr - flag.tpr),
    overlooked: positives * (reached.tpr - tpr),
    missed: positives * (1 - reached.tpr),
    alarm: negatives * flag.fpr,
    accused: negatives * (fpr - flag.fpr),
    cleared: negatives * (reached.fpr - fpr),
    left: negatives * (1 - reached.fpr),
  };
}

/** Marks of each fate: whole numbers that sum to 1000. */
export function marks(row, state) {
  const n = fates(row, middle(state.prevalence));
  const names = Object.keys(n);
  const whole = addingUp(names.map((name) => Math.max(n[name], 0)));
  return Object.fromEntries(names.map((name, i) => [name, whole[i]]));
}

/** The lines of the bill of 1000 cases: how many, what each costs, and the money. Errors of second looks are errors. */
export function billOf(row, state) {
  const { cost_fp, cost_fn, cost_tp, cost_tn, prevalence } = means(state);
  const n = outcomes(row, prevalence);
  const { review = null } = row;
  if (!review) {
    const prices = { caught: cost_tp, alarm: cost_fp, missed: cost_fn, left: cost_tn };
    return OUTCOMES.map((kind) => ({ kind, count: n[kind], each: prices[kind], money: n[kind] * prices[kind] }));
  }
  const ends = fates(row, prevalence);
  const right = ends.found * cost_tp + ends.cleared * cost_tn;
  const seen = 1000 * review.reviewed;
  return [
    { kind: 'caught', count: ends.caught, each: cost_tp, money: ends.caught * cost_tp },
    { kind: 'alarm', count: n.alarm, each: cost_fp, money: n.alarm * cost_fp },
    {
      kind: 'review',
      count: seen,
      each: review.cost_review,
      money: seen * review.cost_review + right,
      wrong: ends.overlooked + ends.accused,
      right,
    },
    { kind: 'missed', count: n.missed, each: cost_fn, money: n.missed * cost_fn },
    { kind: 'left', count: ends.left, each: cost_tn, money: ends.left * cost_tn },
  ];
}
