// Names beside dots that stand one above the other, each after a piece of its model's line.
import { s, say, set, textWidth } from './dom.js';
import { besidePoints } from './free_spots.js';

// How long that piece is, at best and at least, and what is left free around it.
const [KEY, LEAST_KEY, BESIDE] = [20, 8, 4];
// How far names stand from their dots, at best and at least.
const [AWAY, NEAR] = [12, 4];
// Dots that are further apart have their names placed on their own.
const APART = 56;

/** Rows in order of their height, divided where they are far apart. */
function clustered(rows) {
  const sorted = [...rows].sort((a, b) => a.y - b.y);
  const found = [];
  sorted.forEach((row, i) => {
    if (i && row.y - sorted[i - 1].y <= APART) found[found.length - 1].push(row);
    else found.push([row]);
  });
  return found;
}

/** Points all over a box, for what comes later to keep off. */
function filled([left, top, right, bottom]) {
  const points = [];
  for (let x = left; x <= right; x += 6) for (let y = top; y <= bottom; y += 6) points.push([x, y]);
  return points;
}

export function dotLabels(models) {
  const keys = models.map((_, m) => s('path', { class: 'line', 'data-model': m }));
  const labels = models.map(() => s('text', { class: 'label' }));
  const before = new Map();

  /** Put texts of { m, y, text, short } beside x, where they hide least of some points; return their boxes. */
  function place(rows, x, frame, drawn) {
    const shown = new Set(rows.map(({ m }) => m));
    models.forEach((_, m) => {
      if (!shown.has(m)) for (const part of [keys[m], labels[m]]) set(part, { visibility: 'hidden' });
    });
    // Where not even the names have room, numbers are shorter.
    const most = Math.max(frame.left + frame.width - x, x - frame.left) - 3 - NEAR;
    const long = rows.some(({ text }) => textWidth(text, true) > most);
    const told = rows.map(({ short, ...row }) => (long && short ? { ...row, text: short } : row));
    const taken = [...drawn, ...rows.map(({ y }) => [x, y])];
    const boxes = [];
    for (const cluster of clustered(told)) {
      const own = beside(cluster, x, frame, taken);
      taken.push(...own.flatMap(filled));
      boxes.push(...own);
    }
    return boxes;
  }

  function beside(cluster, x, frame, taken) {
    const bare = Math.max(...cluster.map(({ text }) => textWidth(text, true)));
    // Where there is little room the pieces of lines are shorter and nearer to the dots, and left out at last.
    const room = Math.max(frame.left + frame.width - x, x - frame.left) - 3 - bare;
    const tight = room < AWAY + KEY + BESIDE;
    const key = Math.min(KEY, room - NEAR - BESIDE);
    const lead = key < LEAST_KEY ? 0 : key + BESIDE;
    const ys = cluster.map(({ y }) => y);
    const who = `${cluster[0].m} ${cluster.length}`;
    const found = besidePoints(ys, lead + bare, x, frame, taken, before.get(who), tight ? NEAR : AWAY);
    before.set(who, found.place);
    cluster.forEach(({ m, text }, i) => {
      const y = found.at[i];
      set(keys[m], { d: `M${found.left} ${y}h${Math.max(key, 0)}`, visibility: lead ? 'visible' : 'hidden' });
      set(labels[m], { x: found.left + lead, y: y + 4, visibility: 'visible' });
      say(labels[m], text);
    });
    return found.at.map((y) => [found.left, y - 8, found.left + lead + bare, y + 8]);
  }

  return { nodes: [...keys, ...labels], place };
}
