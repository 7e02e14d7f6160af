// Regions of a grid where each of several costs is least: whole cells, and parts of cells cut along equal cost.
// Touches no document: it is tested without a browser.

/** The costs on the way from one corner to another; where one is not known, those of the corner that knows it. */
function mixed(a, b, u) {
  const between = (x, y) => (Number.isFinite(x) && Number.isFinite(y) ? x + u * (y - x) : Number.isFinite(x) ? x : y);
  return {
    x: a.x + u * (b.x - a.x),
    y: a.y + u * (b.y - a.y),
    costs: new Map([...a.costs].map(([who, cost]) => [who, between(cost, b.costs.get(who))])),
  };
}

/** The part of a polygon in which one cost is not above another: both are straight between corners. */
function cheaper(polygon, who, other) {
  const above = ({ costs }) => {
    const gap = costs.get(other) - costs.get(who);
    return Number.isNaN(gap) ? 0 : gap;
  };
  return polygon.flatMap((from, k) => {
    const to = polygon[(k + 1) % polygon.length];
    const [g, next] = [above(from), above(to)];
    const kept = g >= 0 ? [from] : [];
    if (g >= 0 === next >= 0) return kept;
    const u = Number.isFinite(g) && Number.isFinite(next) ? g / (g - next) : 0.5;
    return [...kept, mixed(from, to, u)];
  });
}

/**
 * Polygons of each winner on a grid of n × n cells, in cells from the lower left. Each corner has its winner `who` and
 * the costs of all as a Map; neighbouring cells of one winner are joined along a row.
 */
export function regionsOf(grid, n) {
  const at = (i, j) => grid[j * (n + 1) + i];
  const found = new Map();
  const add = (who, polygon) => found.set(who, [...(found.get(who) ?? []), polygon]);
  const whole = (i, j) => {
    const { who } = at(i, j);
    return at(i + 1, j).who === who && at(i, j + 1).who === who && at(i + 1, j + 1).who === who;
  };
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      if (!whole(i, j)) {
        cut(i, j);
        continue;
      }
      const { who } = at(i, j);
      const from = i;
      while (i + 1 < n && whole(i + 1, j) && at(i + 1, j).who === who) i += 1;
      add(who, [
        [from, j],
        [i + 1, j],
        [i + 1, j + 1],
        [from, j + 1],
      ]);
    }
  }

  function cut(i, j) {
    const corners = [
      [i, j],
      [i + 1, j],
      [i + 1, j + 1],
      [i, j + 1],
    ];
    const square = corners.map(([x, y]) => ({ x, y, costs: at(x, y).costs }));
    const winners = [...new Set(corners.map(([x, y]) => at(x, y).who))];
    for (const who of winners) {
      const part = winners.reduce((left, other) => (other === who ? left : cheaper(left, who, other)), square);
      if (part.length > 2) {
        add(
          who,
          part.map(({ x, y }) => [x, y]),
        );
      }
    }
  }
  return found;
}
