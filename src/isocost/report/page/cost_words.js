// How a cost of a case is said: per 1000 cases in the unit, or normalised where costs have no unit.
// The twin of decision/cost_wording.py, letter for letter.
import { amount, digits, rough, roughSpan } from './numbers.js';

// Ends closer than this part of them are one number.
const SAME_ENDS = 1e-9;

/** The unit in which the costs of a decision are said; null where they are normalised. */
export const unitSaid = (d) => (d.expected_cost === null ? null : d.asked.unit);

/** A cost or a difference of two, to whole units from 1000 on. */
export function costSaid(perCase, unit) {
  return unit === null ? digits(perCase, 4) : amount(1000 * perCase, unit);
}

/** What is known within limits only, such as a regret over resamples: with three digits. */
export function estimateSaid(perCase, unit) {
  return unit === null ? digits(perCase, 4) : rough(1000 * perCase, unit);
}

/** An interval of costs, with three digits; a word for the unit stands once. */
export function spanSaid(ends, unit) {
  if (unit === null) return ends.map((end) => digits(end, 4)).join(' to ');
  return roughSpan(
    ends.map((end) => 1000 * end),
    unit,
  );
}

/** Whether an interval is one: what nobody is flagged for costs the same on all data. */
export function varies([low, high]) {
  return Math.abs(high - low) >= SAME_ENDS * Math.abs(high) && high !== low;
}
