// What happens to 1000 cases and what it costs: counts, and a bill that adds up.
import { corners, means, middle } from './beliefs.js';

/** The outcomes of a case, in the order of their marks. */
export const OUTCOMES = ['caught', 'alarm', 'missed', 'left'];

/** How many of 1000 cases end in each outcome, not rounded. */
export function outcomes({ fpr, tpr }, p) {
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

/** Money of each outcome of 1000 cases at the mean costs. */
export function bill(row, state) {
  const { cost_fp, cost_fn, cost_tp, cost_tn, prevalence } = means(state);
  const n = outcomes(row, prevalence);
  return {
    caught: n.caught * cost_tp,
    alarm: n.alarm * cost_fp,
    missed: n.missed * cost_fn,
    left: n.left * cost_tn,
  };
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

/** Marks of each outcome: whole numbers that sum to 1000. */
export function marks(row, state) {
  const n = outcomes(row, middle(state.prevalence));
  const whole = addingUp(OUTCOMES.map((name) => n[name]));
  return Object.fromEntries(OUTCOMES.map((name, i) => [name, whole[i]]));
}
