// Numbers as they are printed: the twin of numbers.py, letter for letter; and numbers as people type them.

// A threshold below 0.001 with more decimals than this is written with a power of ten, as is one too large for whole
// digits.
const MOST_DECIMALS = 15;
const SMALL_SIZE = -2;
const LARGE = 1e15;
// What is smaller is 0, with no sign before it.
const SMALLEST = 1e-12;

/** Digits m and places k of a written number: it is m / 10^k, m without trailing zeros. */
function parsed(text) {
  const [, sign, whole, part = '', power = '0'] = /^(-?)(\d+)\.?(\d*)(?:e([+-]?\d+))?$/.exec(text);
  const m = BigInt(`${sign}${whole}${part}`);
  return trimmed(m, part.length - Number(power));
}

function trimmed(m, k) {
  if (m === 0n) return { m, k: 0 };
  while (m % 10n === 0n) {
    m /= 10n;
    k -= 1;
  }
  return { m, k };
}

/** m / 10^k without a power of ten. */
function spelt({ m, k }) {
  const text = String(m < 0n ? -m : m);
  const sign = m < 0n ? '-' : '';
  if (k <= 0) return `${sign}${text}${'0'.repeat(-k)}`;
  const padded = text.padStart(k + 1, '0');
  return `${sign}${padded.slice(0, -k)}.${padded.slice(-k)}`;
}

/** A number without the last digits of a float, which differ between ways of computing it. */
const withoutNoise = (x, n = 3) => parsed(x.toExponential(Math.max(n - 1, 12)));

/** The same with at most so many decimals, or to tens where that is negative; halves round away from 0. */
function toPlace({ m, k }, decimals) {
  if (k <= decimals) return { m, k };
  const unit = 10n ** BigInt(k - decimals);
  return trimmed((m + (m < 0n ? -unit : unit) / 2n) / unit, decimals);
}

/** So many significant digits of a number. */
function significant(x, n) {
  const { m, k } = withoutNoise(x, n);
  return spelt(toPlace({ m, k }, k - String(m < 0n ? -m : m).length + n));
}

/** A number with so many decimals. */
function fixed(x, decimals) {
  const [whole, part = ''] = spelt(toPlace(withoutNoise(x), decimals)).split('.');
  return decimals ? `${whole}.${part.padEnd(decimals, '0')}` : whole;
}

/** A number with so many significant digits, never in powers of ten; halves round away from 0. */
export function digits(x, n = 3) {
  if (Math.abs(x) < SMALLEST) return '0';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : x < 0 ? '−∞' : 'unknown';
  const text = significant(Math.abs(x), n);
  const grouped = Number(text) >= 10_000 ? text.replace(/\B(?=(\d{3})+$)/g, ',') : text;
  return x < 0 ? `−${grouped}` : grouped;
}

/** A cost: three digits, or to whole units from 1000 on. */
export function money(x) {
  const size = Math.abs(x);
  return digits(x, size >= 1000 && size < Infinity ? Math.max(4, Math.min(15, Math.ceil(Math.log10(size + 1)))) : 3);
}

/** An amount in the unit: a sign goes before it, a word after it. */
export function amount(x, unit = '') {
  if (/^[^\p{L}\p{N}_\s]{1,2}$/u.test(unit)) return `${x <= -SMALLEST ? '−' : ''}${unit}${money(Math.abs(x))}`;
  return unit ? `${money(x)} ${unit}` : money(x);
}

/** An amount with three digits, for limits and intervals. */
export function rough(x, unit = '') {
  return amount(Number.isFinite(x) ? Number(significant(x, 3)) : x, unit);
}

/** Two rough amounts; a word for the unit stands once. */
export function roughSpan([low, high], unit = '') {
  const [a, b] = [low, high].map((x) => rough(x, unit));
  return `${unit && a.endsWith(` ${unit}`) ? a.slice(0, -unit.length - 1) : a} to ${b}`;
}

/** A share as a percentage: more digits next to 0 and 100. */
export function percent(x) {
  const y = 100 * x;
  const far = Math.min(Math.abs(y), Math.abs(100 - y));
  if (far < 1e-10) return `${Math.round(y)} %`;
  if (far >= 10) return `${fixed(y, 0)} %`;
  if (far >= 0.1) return `${fixed(y, 1)} %`;
  return y < 50 ? `${digits(y, 2)} %` : `${fixed(y, 3)} %`;
}

/** A share as a percentage with three digits, for limits. */
export function share(x) {
  return `${digits(100 * x)} %`;
}

/**
 * A threshold as the shortest decimal, the largest of those, above the next lower score and not above the threshold.
 * Typed back, it flags exactly the cases that the threshold itself flags.
 */
export function thresholdText(x, below = -Infinity) {
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '-∞';
  const written = parsed(String(x));
  if (below === -Infinity || below === Infinity || Math.abs(x) >= LARGE) return plain(written);
  for (let places = 0; places < written.k; places++) {
    const found = floored(written, places);
    if (Number(spelt(found)) > below) return plain(found);
  }
  return plain(written);
}

/** The largest number with so many decimals that is not above m / 10^k. */
function floored({ m, k }, places) {
  const step = 10n ** BigInt(k - places);
  const down = m < 0n && m % step !== 0n ? m / step - 1n : m / step;
  return trimmed(down, places);
}

function plain({ m, k }) {
  const text = String(m < 0n ? -m : m);
  // m has no trailing zeros: its digits times 10^-k.
  const size = text.length - k;
  if ((k <= MOST_DECIMALS || size >= SMALL_SIZE) && size <= 15) return spelt({ m, k });
  const tail = text.length > 1 ? `.${text.slice(1)}` : '';
  return `${m < 0n ? '-' : ''}${text[0]}${tail}e${size - 1}`;
}

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
