// What equal rates cost at one tolerance: straight between the breaks that Python found.
import { amount, digits } from './numbers.js';

export const RATES = { tpr: 'tpr', fpr: 'fpr', flagged: 'flagged share' };

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
  const each = prices.map(([criterion, price]) => `${RATES[criterion]} ${amount(1000 * price, unit)}`);
  return `Within ${digits(100 * tolerance)} points equal, per 1000 cases: ${each.join(', ')}.`;
}
