// The cases drawn anew: the twin of inference/draws.py, which says how to read the arrays.
import { columnOf, heldIn, range, taken, upperHull } from './rules.js';

// Cumulated weights are held for so many places in all; of more, for some, and the rest is added up.
const MOST_HELD = 2 ** 23;

/* global atob */
const fromBase64 = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));

/** Whole numbers, column by column of n: of each column the least, and so many bits a number beyond it. */
export function unpacked({ least: lowest, bits, data }, n) {
  const bytes = fromBase64(data);
  const found = new Float64Array(lowest.length * n);
  let at = 0;
  lowest.forEach((low, c) => {
    for (let r = 0; r < n; r++) {
      let value = 0;
      for (let bit = 0; bit < bits[c]; bit++, at++) value += ((bytes[at >> 3] >> (at & 7)) & 1) * 2 ** bit;
      found[c * n + r] = low + value;
    }
  });
  return found;
}

const NUMBERS = { u1: 'getUint8', u2: 'getUint16', u4: 'getUint32', f4: 'getFloat32', f8: 'getFloat64' };

/** Numbers of a text, the lowest byte of each first. */
export function numbersIn({ kind, data }) {
  const bytes = fromBase64(data);
  const view = new DataView(bytes.buffer);
  const [size, read] = [Number(kind[1]), NUMBERS[kind]];
  const many = bytes.length / size;
  const found = kind[0] === 'f' ? new Float64Array(many) : new Int32Array(many);
  for (let i = 0; i < many; i++) found[i] = view[read](i * size, true);
  return found;
}

/** The multiplier of PCG64 and a number of 128 bits in hexadecimal, as eight parts of 16 bits, the lowest first. */
const parts16 = (hex) => Array.from(range(8), (i) => parseInt(hex.padStart(32, '0').slice(28 - 4 * i, 32 - 4 * i), 16));
const MULTIPLIER = parts16('2360ed051fc65da44385df649fccf645');

/** Words of 32 bits as NumPy's PCG64 gives them (O'Neill 2014, XSL-RR): the low half of each 64 bits first. */
function wordsOf({ state: start, inc }) {
  const [state, plus] = [parts16(start), parts16(inc)];
  const next = new Float64Array(8);
  let [high, waiting] = [0, false];
  return () => {
    if (waiting) {
      waiting = false;
      return high;
    }
    let carry = 0;
    for (let i = 0; i < 8; i++) {
      carry += plus[i];
      for (let j = 0; j <= i; j++) carry += state[j] * MULTIPLIER[i - j];
      next[i] = carry % 65536;
      carry = Math.floor(carry / 65536);
    }
    for (let i = 0; i < 8; i++) state[i] = next[i];
    let low = (state[0] ^ state[4]) | ((state[1] ^ state[5]) << 16);
    let top = (state[2] ^ state[6]) | ((state[3] ^ state[7]) << 16);
    const turn = state[7] >> 10;
    if (turn >= 32) [low, top] = [top, low];
    const by = turn & 31;
    const shifted = by ? [(low >>> by) | (top << (32 - by)), (top >>> by) | (low << (32 - by))] : [low, top];
    high = shifted[1] >>> 0;
    waiting = true;
    return shifted[0] >>> 0;
  };
}

/** Whole numbers from 0 up to `size`, all equally likely (Lemire 2019). */
function below(size, word) {
  if (size === 1) return 0;
  let product = word() * size;
  let left = product % 2 ** 32;
  if (left < size) {
    const least = (2 ** 32 - size) % size;
    while (left < least) {
      product = word() * size;
      left = product % 2 ** 32;
    }
  }
  return Math.floor(product / 2 ** 32);
}

/** How often each case is drawn on each resample: the negatives of all resamples first; null if the check differs. */
function drawnAgain(given, [negatives, positives]) {
  const word = wordsOf(given);
  const units = negatives + positives;
  const times = new Uint8Array(given.n * units);
  for (const [first, size] of [
    [0, negatives],
    [negatives, positives],
  ]) {
    for (let b = 0; b < given.n; b++) for (let i = 0; i < size; i++) times[b * units + first + below(size, word)]++;
  }
  let check = 0;
  for (let u = 0; u < units; u++) check += (u + 1) * times[(given.n - 1) * units + u];
  return check === given.check ? times : null;
}

/** How often units were drawn: two bits each, 3 for 3 or more, then how much more, a byte or two each. */
function drawnBefore({ n, times }, units) {
  const bytes = fromBase64(times);
  const found = new Int32Array(n * units);
  let more = 0;
  for (let i = 0; i < found.length; i++) {
    found[i] = (bytes[i >> 2] >> (2 * (i & 3))) & 3;
    if (found[i] === 3) more++;
  }
  const start = Math.ceil(found.length / 4);
  const wide = bytes.length - start > more;
  for (let i = 0, at = start; i < found.length; i++) {
    if (found[i] !== 3) continue;
    found[i] += bytes[at++];
    if (wide) found[i] += 256 * bytes[at++];
  }
  return found;
}

/** The rows of each class from the highest score of a model down, and how many of them each cut flags. */
function orderOf(block, negatives, thresholds) {
  const places = range(block.length);
  const parts = [places.slice(0, negatives), places.slice(negatives)].map((rows) => {
    const counts = new Int32Array(thresholds.length + 1);
    for (const r of rows) counts[block[r] + 1]++;
    for (let c = 1; c < counts.length; c++) counts[c] += counts[c - 1];
    return { rows: rows.sort((r, s) => block[r] - block[s] || r - s), upTo: counts };
  });
  const [negative, positive] = parts;
  return { block, negative, positive, thresholds, last: thresholds.length, cuts: risingCuts(positive.upTo) };
}

/** The cuts that can be the first of the cheapest: those whose last block holds positives, and both ends. */
export function risingCuts(positives) {
  const last = positives.length - 1;
  return range(last + 1).filter((c) => c === 0 || c === last || positives[c] > positives[c - 1]);
}

/** A function that adds up what a cut flags of one class on a resample. */
function summed({ n, cases }, { rows, upTo }, weight) {
  const [last, whole] = [upTo.length, !cases.mass && !cases.size];
  const step = Math.ceil((n * last) / MOST_HELD);
  const places = Math.ceil(last / step);
  const held = whole ? new Uint32Array(n * places) : new Float64Array(n * places);
  for (let b = 0; b < n; b++) {
    let total = 0;
    for (let c = 0, i = 0; c < last; c++) {
      for (; i < upTo[c]; i++) total += weight(b, rows[i]);
      if (c % step === 0) held[b * places + c / step] = total;
    }
  }
  if (step === 1) return (b, cut) => held[b * places + cut];
  return (b, cut) => {
    const near = Math.floor(cut / step);
    let total = held[b * places + near];
    for (let i = upTo[near * step]; i < upTo[cut]; i++) total += weight(b, rows[i]);
    return total;
  };
}

/** Cumulated weights of the rows of each class in the order of one model, on every resample. */
export class Counts {
  constructor(order, n, fp, tp) {
    Object.assign(this, { order, n, fp, tp });
    this.hulls = [];
    this.told = [];
  }

  /** The curve of a model on the data: counts of each cut, nobody first. */
  static of(fp, tp, thresholds) {
    const order = { thresholds, last: thresholds.length, cuts: risingCuts(tp) };
    return new Counts(
      order,
      1,
      (_, cut) => fp[cut],
      (_, cut) => tp[cut],
    );
  }

  /** What rules did that were chosen on a resample; of those with reviews as long as these stay what they are. */
  toldOf(b, { looks }) {
    if (looks !== this.looks) [this.looks, this.told] = [looks, []];
    return (this.told[b] ??= new Map());
  }

  /** Negatives and positives on a resample. */
  totals(b) {
    return [this.fp(b, this.order.last), this.tp(b, this.order.last)];
  }

  /** fpr and tpr of some cuts on a resample. */
  rates(b, cuts) {
    const { fp, tp } = this;
    const [n0, n1] = this.totals(b);
    const [x, y] = [new Float64Array(cuts.length), new Float64Array(cuts.length)];
    for (let i = 0; i < cuts.length; i++) {
      x[i] = fp(b, cuts[i]) / n0;
      y[i] = tp(b, cuts[i]) / n1;
    }
    return [x, y];
  }

  /** The cuts on the hull of those that keep the limits of a task on a resample, with their rates. */
  hull(b, task) {
    this.hulls[b] ??= this.hullOf(b, range(this.order.cuts.length));
    if (!task.lines.length) return this.hulls[b];
    if (task.limits !== this.limits) [this.limits, this.kept] = [task.limits, []];
    this.kept[b] ??= this.hullOf(b, Int32Array.from(this.within(b, task)));
    return this.kept[b];
  }

  hullOf(b, places) {
    const cuts = taken(this.order.cuts, places);
    const [x, y] = [this.fp, this.tp].map((flagged) => columnOf(cuts.length, (i) => flagged(b, cuts[i])));
    const vertices = upperHull(x, y);
    const found = taken(cuts, vertices);
    return [found, ...this.rates(b, found), vertices];
  }

  /** Places where limits leave vertices of a hull: those that keep them, and what keeps them on edges where one begins or ends to hold. */
  within(b, task) {
    const [, x, y, places] = this.hulls[b];
    const { cuts } = this.order;
    const [n0, n1] = this.totals(b);
    const found = [];
    // Which limits are broken at the vertex before, a bit each; between two that break the same one nothing keeps it.
    for (let i = 0, before = 0; i < places.length; i++) {
      let here = 0;
      for (let k = 0; k < task.lines.length; k++) if (!task.kept(x[i], y[i], [task.lines[k]])) here |= 1 << k;
      for (let c = places[i - 1] + 1; c < places[i] && here !== before && !(here & before); c++) {
        if (task.kept(this.fp(b, cuts[c]) / n0, this.tp(b, cuts[c]) / n1)) found.push(c);
      }
      if (!here) found.push(places[i]);
      before = here;
    }
    return found;
  }
}

/** Cases drawn on n resamples; with n = 1 and every case once, the data themselves. */
export class Draws {
  constructor(cases, times, n) {
    Object.assign(this, { cases, times, n });
  }

  /** What row r weighs on resample b. */
  weight(b, r) {
    const { unit, units, mass } = this.cases;
    const times = this.times[b * units + (unit ? unit[r] : r)];
    return mass ? times * mass[r] : times;
  }

  /** What row r weighs among the cases that resample b left out. */
  left(b, r) {
    const { unit, units, mass, size } = this.cases;
    const u = unit ? unit[r] : r;
    const times = this.times[b * units + u];
    const out = size ? size[u] * (1 - 1 / size[u]) ** times : Number(times === 0);
    return mass ? out * mass[r] : out;
  }

  /** Cumulated weights of every model on every resample. */
  get tables() {
    this.inside ??= this.counted((b, r) => this.weight(b, r));
    return this.inside;
  }

  /** The same of the cases that each resample left out. */
  get outside() {
    this.missed ??= this.counted((b, r) => this.left(b, r));
    return this.missed;
  }

  counted(weight) {
    return this.cases.orders.map((order) => {
      return new Counts(order, this.n, summed(this, order.negative, weight), summed(this, order.positive, weight));
    });
  }
}

/** A function that says what a cut flags, from what each block holds on each resample. */
function cumulated(parts, last, n) {
  const held = new Float64Array(n * (last + 1));
  for (let b = 0; b < n; b++) {
    const start = b * (last + 1);
    for (let c = 0; c < last; c++) held[start + c + 1] = held[start + c] + parts[b * last + c];
  }
  return (b, cut) => held[b * (last + 1) + cut];
}

/** Draws of which only how many cases fell into each block of each model is known. */
class TabledDraws {
  constructor(cases, n, tables) {
    Object.assign(this, { cases, n });
    const paths = tables.map((parts, k) => parts.map((part) => cumulated(numbersIn(part), cases.orders[k].last, n)));
    this.tables = paths.map(([fp, tp], k) => new Counts(cases.orders[k], n, fp, tp));
    this.outside = paths.map(([, , fp, tp], k) => new Counts(cases.orders[k], n, fp, tp));
  }
}

/** Tabled draws as a summary holds them. */
function tabledOf(given, thresholds) {
  const [{ counted }] = given.sets;
  const orders = thresholds.map((cuts, k) => {
    const rises = cumulated(numbersIn(counted[k][1]), cuts.length, 1);
    const ups = columnOf(cuts.length + 1, (c) => rises(0, c));
    return { thresholds: cuts, last: cuts.length, cuts: risingCuts(ups) };
  });
  const { sizes, seed, blocked } = given;
  const cases = { orders, sizes, seed, blocked, tabled: true };
  const [{ n, tables }] = given.sets;
  const drawn = new TabledDraws(cases, n, tables);
  return { cases, whole: new TabledDraws(cases, 1, counted), set: () => drawn, sets: 1 };
}

/** What a summary holds of the cases and their draws; `sets` are made when they are first needed. */
export function drawsOf(summary, models) {
  const given = summary.draws;
  if (!given) return null;
  const thresholds = models.map((model, k) => (given.threshold ? numbersIn(given.threshold[k]) : model.thresholds));
  if (given.sets[0].tables) return tabledOf(given, thresholds);
  const [negatives, positives] = given.rows;
  const rows = negatives + positives;
  const [unit, size, mass] = [given.unit, given.size, given.mass].map((packed) => packed && numbersIn(packed));
  const units = unit ? given.units : rows;
  const orders = given.block.map((packed, k) => orderOf(numbersIn(packed), negatives, thresholds[k]));
  const { sizes, seed, blocked } = given;
  const cases = { rows, negatives, positives, unit, units, size, mass, orders, sizes, seed, blocked, tabled: false };
  const whole = new Draws(cases, size ?? new Uint8Array(units).fill(1), 1);
  const made = new Map();
  const drawn = (i) => {
    const one = given.sets[i];
    const times = 'state' in one ? drawnAgain(one, given.rows) : drawnBefore(one, units);
    return times && new Draws(cases, times, one.n);
  };
  const set = (i) => heldIn(made, i, drawn);
  return { cases, whole, set, sets: given.sets.length };
}
