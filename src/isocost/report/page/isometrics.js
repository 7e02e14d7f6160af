// Lines and areas of ROC space: what costs the same, what is no better, where a metric is constant.

/** Metrics of a ROC point at prevalence p, for their isometrics. */
export const METRICS = {
  accuracy: (x, y, p) => p * y + (1 - p) * (1 - x),
  precision: (x, y, p) => (p * y) / (p * y + (1 - p) * x),
  'F1 measure': (x, y, p) => (2 * p * y) / (p * y + (1 - p) * x + p),
  'weighted relative accuracy': (x, y, p) => p * (1 - p) * (y - x),
  'Matthews correlation': (x, y, p) => {
    const f = p * y + (1 - p) * x;
    return ((y - x) * Math.sqrt(p * (1 - p))) / Math.sqrt(f * (1 - f));
  },
};

/** Segments on which a function over the unit square takes a value: marching squares on n × n cells. */
export function contour(f, level, n = 64) {
  const value = [];
  for (let j = 0; j <= n; j++) for (let i = 0; i <= n; i++) value.push(f(i / n, j / n));
  const segments = [];
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const corner = [
        [i, j],
        [i + 1, j],
        [i + 1, j + 1],
        [i, j + 1],
      ];
      const v = corner.map(([a, b]) => value[b * (n + 1) + a] - level);
      if (v.some(Number.isNaN)) continue;
      const cuts = [];
      for (let k = 0; k < 4; k++) {
        const [from, to] = [v[k], v[(k + 1) % 4]];
        if (from > 0 === to > 0) continue;
        const u = from / (from - to);
        const [a, b] = [corner[k], corner[(k + 1) % 4]];
        cuts.push([(a[0] + u * (b[0] - a[0])) / n, (a[1] + u * (b[1] - a[1])) / n]);
      }
      for (let k = 0; k + 1 < cuts.length; k += 2) segments.push([cuts[k], cuts[k + 1]]);
    }
  }
  return segments;
}

/** Where the line of equal cost meets the unit square of ROC space. */
export function isoCost(cost, t) {
  const found = [];
  const add = (x, y) => {
    if (x >= -1e-12 && x <= 1 + 1e-12 && y >= -1e-12 && y <= 1 + 1e-12) {
      found.push([Math.min(Math.max(x, 0), 1), Math.min(Math.max(y, 0), 1)]);
    }
  };
  // t·x + (1-t)(1-y) = cost
  if (t < 1) {
    add(0, 1 - cost / (1 - t));
    add(1, 1 - (cost - t) / (1 - t));
  }
  if (t > 0) {
    add((cost - (1 - t)) / t, 0);
    add(cost / t, 1);
  }
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return found.length < 2 ? null : [found[0], found[found.length - 1]];
}
