// Counts as the pictures show them, and numbers as people type them.
import { digits } from './numbers.js';

/** How many cases: whole from 10 on. */
export const count = (x) => (x >= 9.95 ? parted3(String(Math.round(x))) : digits(x, 2));
const parted3 = (text) => text.replace(/\B(?=(\d{3})+$)/g, ',');

/** A number: 0.3, 0,3, 30 %, 5k, 4,000, 10 000. */
function typedNumber(text) {
  const bare = text
    .trim()
    .replace(/[%×]|x$/gi, '')
    .trim();
  // A comma or a space before three digits parts thousands; any other comma is a decimal one.
  const plainText = /^[1-9]\d{0,2}([, \u00a0\u202f]\d{3})+(\.\d*)?k?$/i.test(bare)
    ? bare.replace(/[, \u00a0\u202f]/g, '')
    : bare.replace(',', '.');
  const [, number, thousand] = /^(\d+\.?\d*|\.\d+)(k?)$/i.exec(plainText) ?? [];
  return number ? Number(number) * (thousand ? 1000 : 1) : NaN;
}

/** Both ends of a number or a range: 5, 4–8, 4-8, 4:8, 4~8, 4 to 8. Null if it is neither. */
export function typedPair(text) {
  const parts = text.split(/\s*(?:[–—:~-]|\bto\b)\s*/i);
  const [low, high = low] = parts.map(typedNumber);
  return parts.length <= 2 && Number.isFinite(low) && Number.isFinite(high) && low <= high ? [low, high] : null;
}

/** A text with a capital first letter. */
export const started = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A pair as it is typed: one number, or two with a dash. */
export const pairText = ([low, high], n = 3) => (low === high ? digits(low, n) : `${digits(low, n)}–${digits(high, n)}`);
