// Resampled costs: what the same cases, drawn again, would have said.

import { backwards } from './cautions.js';
import { valueOfLabels } from './labels.js';
import { EVERYBODY, NOBODY } from './words.js';

// A cost as much as that of the cheaper trivial classifier; up to twice as much is held.
const SCALE = 32767;
const LEANING = 0.8;
// Equal costs come out equal up to the rounding of an interpolation.
const TIE = 64 * Number.EPSILON;

/** Costs of the resamples as numbers, model by model. */
export function decoded(resamples, count) {
  if (!resamples) return null;
  const { n, grid } = resamples;
  const moved = unpacked(resamples, n);
  const g = grid.length;
  const costs = new Float64Array(count * n * g);
  for (let m = 0; m < count; m++) {
    for (let r = 0; r < n; r++) {
      for (let j = 0, steps = 0; j < g; j++) {
        steps += moved[(m * g + j) * n + r];
        costs[(m * n + r) * g + j] = (steps / SCALE) * Math.min(grid[j], 1 - grid[j]);
      }
    }
  }
  return { n, grid, costs };
}

/** Whole numbers in columns of n, each as so many bits beyond the least of its column. */
export function unpacked({ least, bits, data }, n) {
  const bytes = fromBase64(data);
  const found = new Float64Array(least.length * n);
  let at = 0;
  least.forEach((lowest, c) => {
    for (let r = 0; r < n; r++) {
      let value = lowest;
      for (let bit = 0; bit < bits[c]; bit++, at++) value += ((bytes[at >> 3] >> (at & 7)) & 1) << bit;
      found[c * n + r] = value;
    }
  });
  return found;
}

/** Bytes of a base64 text (quickjs and strict sandboxes have no atob). */
export function fromBase64(text) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const value = new Int16Array(128).fill(-1);
  for (let i = 0; i < 64; i++) value[alphabet.charCodeAt(i)] = i;
  let end = text.length;
  while (end > 0 && text[end - 1] === '=') end--;
  const bytes = new Uint8Array((end * 3) >> 2);
  for (let i = 0, at = 0, bits = 0, held = 0; i < end; i++) {
    held = (held << 6) | value[text.charCodeAt(i)];
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (held >> bits) & 255;
    }
  }
  return bytes;
}

/** How many of the ascending values are ≤ x. */
export function countUpTo(values, x) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (values[mid] <= x) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** A value at a place between those of a grid. */
export function between(grid, values, x) {
  const j = Math.min(Math.max(countUpTo(grid, x) - 1, 0), grid.length - 2);
  const u = (x - grid[j]) / (grid[j + 1] - grid[j]);
  return (1 - u) * values[j] + u * values[j + 1];
}

/** Costs of one model's resamples at a pcf. */
export function resampledCosts(resamples, model, pcf) {
  const { n, grid, costs } = resamples;
  const g = grid.length;
  const j = Math.min(Math.max(countUpTo(grid, pcf) - 1, 0), g - 2);
  const u = (pcf - grid[j]) / (grid[j + 1] - grid[j]);
  const result = new Float64Array(n);
  for (let b = 0; b < n; b++) {
    const at = (model * n + b) * g + j;
    result[b] = (1 - u) * costs[at] + u * costs[at + 1];
  }
  return result;
}

/** Quantile by linear interpolation between sorted values. */
export function quantile(sorted, q) {
  const at = q * (sorted.length - 1);
  const i = Math.min(Math.floor(at), sorted.length - 2);
  return sorted.length === 1 ? sorted[0] : sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]);
}

/** The middle of resamples, as a pair. */
export function interval(values, level) {
  const sorted = Float64Array.from(values).sort();
  return [quantile(sorted, (1 - level) / 2), quantile(sorted, (1 + level) / 2)];
}

/** Band over the grid of the resamples of one model, or of the difference of two. */
export function band(resamples, level, a, b = null) {
  const { n, grid, costs } = resamples;
  const g = grid.length;
  const low = [];
  const high = [];
  const values = new Float64Array(n);
  for (let j = 0; j < g; j++) {
    for (let r = 0; r < n; r++) values[r] = costs[(a * n + r) * g + j] - (b === null ? 0 : costs[(b * n + r) * g + j]);
    const [from, to] = interval(values, level);
    low.push(from);
    high.push(to);
  }
  return { pcf: grid, low, high };
}

/** From which share of resamples a decision is clear. */
export const clearFrom = (level) => (1 + level) / 2;

function gradeOf(share, level) {
  if (share >= clearFrom(level) - 1e-9) return 'clear';
  return share >= LEANING - 1e-9 ? 'leaning' : 'open';
}

/** Costs of every model, and of flagging nobody and everybody, on each resample. */
export function costsAt({ models, resamples }, pcf) {
  const found = new Map(models.map((model, m) => [model.name, resampledCosts(resamples, m, pcf)]));
  found.set(NOBODY, new Float64Array(resamples.n).fill(pcf));
  found.set(EVERYBODY, new Float64Array(resamples.n).fill(1 - pcf));
  return found;
}

/** In which share of resamples each of several rules is cheapest; equal ones both are. */
export function shares(costs) {
  const least = leastOf(costs);
  return new Map([...costs].map(([name, own]) => [name, shareOf(own, least)]));
}

function leastOf(costs) {
  const all = [...costs.values()];
  return all[0].map((_, i) => Math.min(...all.map((cost) => cost[i])));
}

function shareOf(own, least) {
  let count = 0;
  for (let i = 0; i < own.length; i++) if (own[i] <= least[i] + TIE) count += 1;
  return count / own.length;
}

/** The author's decision with single thresholds, whether a person looks or not. */
export const singleOf = ({ single, decision }) => single ?? decision;

/** Put into a decision how sure it is, and intervals of it and of its alternatives; the author's own are Python's. */
export function assured(d, data, prices, author) {
  const { summary, resamples } = data;
  if (author || !resamples) {
    takenFrom(author ?? { surety: singleOf(summary).surety, alternatives: [] }, d);
    return;
  }
  const costs = costsAt(data, prices.pcf);
  const at = (values) => between(resamples.grid, values, prices.pcf);
  const places = new Map(data.models.map((model, m) => [model.name, m]));
  const lost = new Map(data.models.map((model, m) => [model.name, at(summary.resamples.loss[m])]));
  // Of a model the limits are the library's own, on the grid.
  const limits = (name) => {
    const m = places.get(name);
    return m === undefined ? null : ['low', 'high'].map((end) => at(summary.bands[m][end]));
  };
  const { slack } = summary.resamples;
  const room = new Map(slack ? data.models.map((model, m) => [model.name, at(slack[m])]) : []);
  settled(d, data, prices, { costs, lost, limits, room, saved: insideBlocks(d, data, costs, at) });
}

/** What thresholds inside blocks of scores save each model on the data; rivals have the most where that is open. */
function insideBlocks(d, { summary, models }, costs, at) {
  const saved = new Map();
  if (!summary.resamples.saved) return saved;
  models.forEach(({ name, possible }, m) => {
    if (name === d.model && possible) return;
    saved.set(name, at(summary.resamples.saved[m]));
    if (!possible) return;
    costs.set(
      name,
      costs.get(name).map((cost) => Math.max(cost - saved.get(name), 0)),
    );
  });
  return saved;
}

/** What blocks of scores leave open about how sure it is: the twin of `_blurred`. */
function blurred(d, costs, saved, part, level) {
  if (d.alternatives.some((rival) => rival.extra_low !== null && rival.extra_low < 0)) {
    return 'Scores are known only up to their block, and blocks leave open which model is cheapest.';
  }
  const moved = new Map(
    [...costs].map(([name, cost]) => {
      const by = (name === d.model ? 1 : -1) * (saved.get(name) ?? 0);
      return [name, cost.map((c) => c + by)];
    }),
  );
  const worst = shareOf(moved.get(d.model), leastOf(moved));
  return gradeOf(worst, level) === gradeOf(part, level)
    ? ''
    : 'Scores are known only up to their block, and blocks are too wide to tell.';
}

/** Put into a decision how sure another one of the same rules is. */
export function takenFrom({ surety, alternatives }, d) {
  d.surety = surety;
  const known = new Map(alternatives.map((rival) => [rival.model, rival]));
  for (const rival of d.alternatives) {
    const { share: part = null, interval: span = null, extra_interval = null } = known.get(rival.model) ?? {};
    Object.assign(rival, { share: part, interval: span, extra_interval });
  }
}

/** Put into a decision how sure it is, given what each rule costs on the same resamples. */
export function settled(d, { summary, models, resamples }, prices, known) {
  const { costs, lost = new Map(), limits = () => null, room = new Map(), saved = new Map() } = known;
  const { level } = summary;
  const own = costs.get(d.model);
  const least = leastOf(costs);
  const base = prices.hasUnit ? prices.condition.best : 0;
  const index = models.findIndex((model) => model.name === d.model);
  const names = [...costs.keys()];
  const worth = valueOfLabels(
    [...costs.values()],
    names.map((name) => lost.get(name) ?? 0),
    names.indexOf(d.model),
    { unit: 1000 * prices.unit, constant: 1000 * base, level: clearFrom(level), terms: summary.labels },
  );
  const span = (name) => (limits(name) ?? interval(costs.get(name), level)).map((end) => base + prices.unit * end);
  const part = shareOf(own, least);
  const doubts = backwards(models, index < 0 ? null : index).map(
    (name) => `The scores of ${name} seem to run the wrong way.`,
  );
  const grade = gradeOf(part, level);
  const why = saved.size ? blurred(d, costs, saved, part, level) : '';
  const counted = { n_resamples: resamples.n, level, interval: span(d.model) };
  d.surety = why
    ? { grade: null, share: null, ...counted, regret: null, worst_regret: null, doubts: [why], labels: null }
    : {
        grade: grade === 'clear' && doubts.length ? 'leaning' : grade,
        share: part,
        ...counted,
        regret: worth.expected / 1000,
        worst_regret: worth.worst / 1000,
        doubts,
        labels: { ...summary.labels, perfect: worth.perfect, good_enough: worth.good_enough, enough: worth.enough },
      };
  for (const rival of d.alternatives) {
    const cost = costs.get(rival.model);
    if (!cost) continue;
    rival.share = why ? null : shareOf(cost, least);
    rival.interval = span(rival.model);
    // What blocks leave open widens it, from the ends of blocks on.
    const ends = (saved.get(rival.model) ?? 0) - (saved.get(d.model) ?? 0);
    const [low, high] = interval(
      cost.map((c, i) => c - own[i] + ends),
      level,
    );
    const [below, above] = [room.get(rival.model) ?? 0, room.get(d.model) ?? 0];
    // Of two models no further than flagging nobody or everybody is from no cost at all.
    const top = room.has(rival.model) && room.has(d.model) ? Math.min(prices.pcf, 1 - prices.pcf) : 1;
    const within = (end) => Math.min(Math.max(end, -top), top);
    rival.extra_interval = [low - below, high + above].map((end) => prices.unit * within(end));
  }
}
