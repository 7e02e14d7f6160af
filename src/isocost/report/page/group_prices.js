// What equal rates cost at one tolerance: straight between the breaks that Python found.
import { amount, digits } from './numbers.js';

// What is to be equal, as in group_section.py.
const EQUAL = { tpr: 'share caught', fpr: 'share of false alarms', flagged: 'share flagged' };

/** The price per case at a tolerance; 0 beyond the last break. */
export function priceAt({ tolerance, price }, at) {
  const after = tolerance.findIndex((t) => t > at);
  if (after < 0) return price[price.length - 1];
  if (after === 0) return price[0];
  const [from, to] = [tolerance[after - 1], tolerance[after]];
  return price[after - 1] + ((at - from) / (to - from)) * (price[after] - price[after - 1]);
}

/** The prices of several criteria, in words. */
export function pricesText(prices, tolerance, unit) {
  const each = prices.map(([criterion, price]) => `${EQUAL[criterion]} ${amount(1000 * price, unit)}`);
  const points = digits(100 * tolerance);
  const many = `${points} point${points === '1' ? '' : 's'}`;
  return `With a tolerance of ${many}, per 1000 cases: ${each.join(', ')}.`;
}

/** What equal rates cost, and from which tolerance on they are free. */
export function priceText({ criterion, tolerance, price }, unit) {
  const equal = `An equal ${EQUAL[criterion]}`;
  if (price[0] === 0) return `${equal} costs nothing.`;
  const free = `nothing from ${digits(100 * tolerance[tolerance.length - 1])} points of tolerance on`;
  return `${equal} costs ${amount(1000 * price[0], unit)} per 1000 cases, and ${free}.`;
}
