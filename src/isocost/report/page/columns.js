// Columns of numbers.

/** 0 … n − 1. */
export function range(n) {
  const found = new Int32Array(n);
  for (let i = 0; i < n; i++) found[i] = i;
  return found;
}

/** Some entries of a column. */
export function taken(column, rows) {
  const found = new column.constructor(rows.length);
  for (let k = 0; k < rows.length; k++) found[k] = column[rows[k]];
  return found;
}

/** A column made of each place. */
export function columnOf(size, value) {
  const found = new Float64Array(size);
  for (let i = 0; i < size; i++) found[i] = value(i);
  return found;
}

export const sum = (values) => values.reduce((a, b) => a + b, 0);
export const least = (values) => values.reduce((a, b) => Math.min(a, b), Infinity);
export const most = (values) => values.reduce((a, b) => Math.max(a, b), -Infinity);

/** The vertices of the upper hull of points by ascending x, then y. */
export function upperHull(x, y) {
  const found = [];
  for (let i = 0; i < x.length; i++) {
    if (i && x[i] === x[i - 1] && y[i] === y[i - 1]) continue;
    while (found.length > 1) {
      const a = found[found.length - 2];
      const c = found[found.length - 1];
      const turn = (x[c] - x[a]) * (y[i] - y[a]) - (y[c] - y[a]) * (x[i] - x[a]);
      // Rounding is forgiven only to a point between its neighbours: one that stands above both is a vertex.
      const between = y[a] <= y[c] && y[c] <= y[i];
      if (turn < (between ? -4 * Number.EPSILON * (x[i] - x[a] + y[i] - y[a]) : 0)) break;
      found.pop();
    }
    found.push(i);
  }
  return found;
}
