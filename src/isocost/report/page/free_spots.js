// Where a text hides least of what is drawn.

/** Points along a line, no further apart than a few pixels. */
export function along(points, step = 6) {
  const found = [];
  points.forEach(([x, y], i) => {
    const [px, py] = points[i - 1] ?? [x, y];
    const pieces = Math.max(1, Math.ceil(Math.hypot(x - px, y - py) / step));
    for (let k = 1; k <= pieces; k++) found.push([px + ((x - px) * k) / pieces, py + ((y - py) * k) / pieces]);
  });
  return found;
}

/** A line that nowhere goes higher than an edge: cut where it does, and level in between. */
export function heldBelow(edge, points) {
  const found = [];
  points.forEach(([x, y], i) => {
    const [px, py] = points[i - 1] ?? [x, y];
    if (py < edge !== y < edge) found.push([px + ((edge - py) / (y - py)) * (x - px), edge]);
    found.push([x, Math.max(y, edge)]);
  });
  return found;
}

/** How many points lie in a box of [left, top, right, bottom]. */
export function hidden(box, points) {
  let count = 0;
  for (const [x, y] of points) if (x > box[0] && x < box[2] && y > box[1] && y < box[3]) count += 1;
  return count;
}

/** Whether two boxes touch, or stand closer than some pixels. */
export const touching = (a, b, gap = 0) =>
  a[0] < b[2] + gap && b[0] < a[2] + gap && a[1] < b[3] + gap && b[1] < a[3] + gap;

/** The place nearest a wanted one, between two ends, that is some pixels clear of another; else the wanted one. */
export function clearOf(wanted, other, reach, [from, to]) {
  if (Math.abs(wanted - other) >= reach) return wanted;
  const sides = [other - reach, other + reach].sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted));
  return sides.find((at) => at >= from && at <= to) ?? wanted;
}

/** Whether a box lies inside a frame, some pixels from its edge. */
export function insideFrame(box, { left, top, width, height }, edge = 2) {
  return (
    box[0] >= left + edge && box[1] >= top + edge && box[2] <= left + width - edge && box[3] <= top + height - edge
  );
}

/** The first box inside a frame that touches nothing taken; one that is off the lines, too, if there is one. */
export function freePlace(boxes, frame, taken, lines, gap = 0) {
  const free = boxes.filter(
    (box) => insideFrame(box, frame, Math.max(gap, 2)) && !taken.some((other) => touching(box, other, gap)),
  );
  return free.find((box) => !lines.some((line) => touching(box, line))) ?? free[0];
}

/** The box that hides least of some points, or comes closer to least than some pixels; the first of several. */
export function freest(boxes, points, near) {
  let [best, least] = [undefined, Infinity];
  for (const box of boxes) {
    const [left, top, right, bottom] = box;
    const hides = hidden([left - near, top - near, right + near, bottom + near], points);
    if (hides < least) [best, least] = [box, hides];
    if (!least) break;
  }
  return best;
}

/** The middle of a box. */
export const middleOf = (box) => [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];

/** The box of a text around a middle. */
export function boxAround([x, y], width, height) {
  return [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
}

/** The largest square of equal cells in a grid of n × n, for each kind of cell: its middle and side, in cells. */
export function largestSquares(kindAt, n) {
  const side = new Uint16Array((n + 1) * (n + 1));
  const found = new Map();
  for (let j = 1; j <= n; j++) {
    for (let i = 1; i <= n; i++) {
      const kind = kindAt(i - 1, j - 1);
      const same = (di, dj) => i > di && j > dj && kindAt(i - 1 - di, j - 1 - dj) === kind;
      const at = j * (n + 1) + i;
      const all = same(1, 0) && same(0, 1) && same(1, 1);
      side[at] = all ? 1 + Math.min(side[at - 1], side[at - n - 1], side[at - n - 2]) : 1;
      if (side[at] > (found.get(kind)?.side ?? 0)) {
        found.set(kind, { side: side[at], i: i - side[at] / 2, j: j - side[at] / 2 });
      }
    }
  }
  return found;
}

const GAP = 16;
const HALF = 9;
const [ABOVE, BELOW] = [-12, 13];

/** Heights near wanted ones, in their order, a line apart and not beyond an end. */
function linesNear(wanted, lowest) {
  const at = [...wanted];
  for (let i = 1; i < at.length; i++) at[i] = Math.max(at[i], at[i - 1] + GAP);
  for (let i = at.length - 1; i >= 0; i--) at[i] = Math.min(at[i], i === at.length - 1 ? lowest : at[i + 1] - GAP);
  return at;
}

/**
 * Where labels of points that stand one above the other are read best: on either side of them, some pixels away, at
 * their height, above or below, or at the foot or the head of the frame. Of these the place that hides least; `before`,
 * the place they had, is kept while it is about as good.
 */
export function besidePoints(ys, size, x, frame, drawn, before, away = 12) {
  const bottom = frame.top + frame.height;
  const lowest = bottom - HALF;
  const stacked = (from) => ys.map((_, i) => from + GAP * i);
  const boxAt = (left, y) => [left - 2, y - HALF, left + size + 2, y + HALF];
  const heights = {
    own: linesNear(ys, lowest),
    above: linesNear(
      ys.map((y) => y + ABOVE),
      lowest,
    ),
    below: linesNear(
      ys.map((y) => y + BELOW),
      lowest,
    ),
    over: stacked(ys[0] + ABOVE - GAP * (ys.length - 1)),
    under: stacked(ys[ys.length - 1] + BELOW),
    foot: stacked(bottom - 12 - GAP * (ys.length - 1)),
    aloft: stacked(ys[0] - 5 * GAP - GAP * (ys.length - 1)),
    head: stacked(frame.top + 14),
  };
  const held = (left) => Math.max(Math.min(left, frame.left + frame.width - size - 3), frame.left + 3);
  const sides = { right: held(x + away), left: held(x - away - size) };
  let [best, least] = [null, Infinity];
  for (const [side, left] of Object.entries(sides)) {
    const near = drawn.filter(([px]) => px > left - 2 && px < left + size + 2);
    for (const [height, at] of Object.entries(heights)) {
      const place = `${side} ${height}`;
      let bad = place === before ? -4 : 0;
      // A place that is worse already needs no further look.
      for (let i = 0; i < at.length && bad < least; i++) {
        const box = boxAt(left, at[i]);
        const over = box[0] < x + 4 && box[2] > x - 4 ? 20 : 0;
        bad += Math.abs(at[i] - ys[i]) / 20 + over + (insideFrame(box, frame, 0) ? 0 : 60);
        if (bad < least) bad += hidden(box, near);
      }
      if (bad < least) [best, least] = [{ place, left, at }, bad];
    }
  }
  return best;
}
