// How much dearer than the cheapest: bands of differences on the same resamples.
import { winningPoint } from './core.js';
import { between, interval } from './resamples.js';
import { NOBODY, TRIVIAL } from './words.js';

/** Bands of what a model costs more than the cheapest one at each pcf of the grid, paired; worked out once a model. */
export function pairedBands(data, level) {
  const known = new Map();
  const { resamples, points } = data;
  const winner = resamples && resamples.grid.map((z) => points[winningPoint(points, 1 - z)].model);
  const open = (m, j) => (TRIVIAL.includes(m) ? 0 : (data.summary.resamples.slack?.[m][j] ?? 0));
  return (m) => {
    if (!known.has(m)) {
      const { n, grid, costs } = resamples;
      const g = grid.length;
      const values = new Float64Array(n);
      const ends = grid.map((z, j) => {
        const w = winner[j];
        const fixed = w === NOBODY ? z : 1 - z;
        for (let r = 0; r < n; r++) {
          values[r] = costs[(m * n + r) * g + j] - (TRIVIAL.includes(w) ? fixed : costs[(w * n + r) * g + j]);
        }
        const [low, high] = interval(values, level);
        return m === w ? [low, high] : [low - open(m, j), high + open(w, j)];
      });
      known.set(m, { pcf: grid, low: ends.map(([low]) => low), high: ends.map(([, high]) => high) });
    }
    return known.get(m);
  };
}

/** The part of a band between two places; empty where the second is not beyond the first. */
export function bandWithin({ pcf, low, high }, from, to) {
  const inside = to > from ? [from, ...pcf.filter((z) => z > from && z < to), to] : [];
  const at = (values) => inside.map((z) => between(pcf, values, z));
  return { pcf: inside, low: at(low), high: at(high) };
}
