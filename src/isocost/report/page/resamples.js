// Resampled costs: what the same cases, drawn again, would have said.

export const NOBODY = -1;
export const EVERYBODY = -2;
const LEVEL = 0.95;
const SCALE = 65535;

/** Costs of the resamples as numbers, model by model. */
export function decoded(replicates, count) {
  if (!replicates) return null;
  const bytes = fromBase64(replicates.data);
  const { n, grid } = replicates;
  const costs = new Float64Array(count * n * grid.length);
  for (let i = 0; i < costs.length; i++) {
    const z = grid[i % grid.length];
    costs[i] = ((bytes[2 * i] | (bytes[2 * i + 1] << 8)) / SCALE) * Math.min(z, 1 - z);
  }
  return { n, grid, costs };
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

/** Costs of one model's replicates at a pcf. */
export function replicateCosts(replicates, model, pcf) {
  const { n, grid, costs } = replicates;
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

/** Mean over pcf from low to high of one model's replicates. */
export function replicateMeans(replicates, model, low, high) {
  if (high <= low) return replicateCosts(replicates, model, low);
  const inner = replicates.grid.filter((z) => z > low && z < high);
  const edges = [low, ...inner, high];
  const result = new Float64Array(replicates.n);
  let before = replicateCosts(replicates, model, low);
  for (let i = 1; i < edges.length; i++) {
    const after = replicateCosts(replicates, model, edges[i]);
    for (let b = 0; b < result.length; b++) {
      result[b] += ((edges[i] - edges[i - 1]) * (before[b] + after[b])) / 2 / (high - low);
    }
    before = after;
  }
  return result;
}

/** Mean over weighted values of pcf of one model's replicates. */
export function replicateAverages(replicates, model, nodes) {
  const { n, grid, costs } = replicates;
  const g = grid.length;
  const share = new Float64Array(g);
  nodes.z.forEach((z, i) => {
    const j = Math.min(Math.max(countUpTo(grid, z) - 1, 0), g - 2);
    const u = (z - grid[j]) / (grid[j + 1] - grid[j]);
    share[j] += (1 - u) * nodes.weight[i];
    share[j + 1] += u * nodes.weight[i];
  });
  const result = new Float64Array(n);
  for (let b = 0; b < n; b++) for (let j = 0; j < g; j++) result[b] += share[j] * costs[(model * n + b) * g + j];
  return result;
}

/** Quantile by linear interpolation between sorted values. */
export function quantile(sorted, q) {
  const at = q * (sorted.length - 1);
  const i = Math.min(Math.floor(at), sorted.length - 2);
  return sorted.length === 1 ? sorted[0] : sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]);
}

/** The middle `LEVEL` of replicates. */
export function interval(values) {
  const sorted = Float64Array.from(values).sort();
  return { low: quantile(sorted, (1 - LEVEL) / 2), high: quantile(sorted, (1 + LEVEL) / 2) };
}

/** In which share of replicates each model, and flagging nobody or everybody, is cheapest; ties are split. */
export function shares(costs, pcf, n) {
  const result = { models: costs.map(() => 0), nobody: 0, everybody: 0 };
  const trivial = Math.min(pcf, 1 - pcf);
  // Costs are stored in steps of 1/65535 of the trivial cost.
  const step = (1.5 / SCALE) * trivial;
  for (let b = 0; b < n; b++) {
    let least = Infinity;
    for (const cost of costs) least = Math.min(least, cost[b]);
    if (least >= trivial - step) {
      result[pcf <= 0.5 ? 'nobody' : 'everybody'] += 1;
      continue;
    }
    const tied = [];
    costs.forEach((cost, m) => cost[b] <= least + step && tied.push(m));
    for (const m of tied) result.models[m] += 1 / tied.length;
  }
  return { models: result.models.map((v) => v / n), nobody: result.nobody / n, everybody: result.everybody / n };
}

/** Costs of a model's resamples, or of flagging nobody or everybody. */
export function costsOf(model, draws, pcf, n) {
  if (model >= 0) return draws[model];
  return new Float64Array(n).fill(model === NOBODY ? pcf : 1 - pcf);
}

/** Band over the grid of the replicates of one model, or of the difference of two. */
export function band(replicates, a, b = null) {
  const { n, grid, costs } = replicates;
  const g = grid.length;
  const low = [];
  const high = [];
  const values = new Float64Array(n);
  for (let j = 0; j < g; j++) {
    for (let r = 0; r < n; r++) values[r] = costs[(a * n + r) * g + j] - (b === null ? 0 : costs[(b * n + r) * g + j]);
    const middle = interval(values);
    low.push(middle.low);
    high.push(middle.high);
  }
  return { pcf: grid, low, high };
}

/** Stretches of the grid on which the band of a − b lies on one side of 0: where one model is cheaper at the level. */
export function separated(strip) {
  const found = [];
  let open = null;
  strip.pcf.forEach((z, j) => {
    const side = strip.high[j] < 0 ? 'a' : strip.low[j] > 0 ? 'b' : null;
    if (open && open.better === side) open.high = z;
    else {
      if (open && open.better) found.push(open);
      open = { low: z, high: z, better: side };
    }
  });
  if (open && open.better) found.push(open);
  return found.filter((s) => s.high > s.low);
}
