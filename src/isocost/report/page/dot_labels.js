// Names beside dots that stand one above the other, each after a piece of its model's line.
import { s, say, set, textWidth } from './dom.js';
import { besidePoints } from './free_spots.js';

// How long that piece is.
const KEY = 20;

export function dotLabels(models) {
  const keys = models.map((_, m) => s('path', { class: 'line', 'data-model': m }));
  const labels = models.map(() => s('text', { class: 'label' }));
  let before = null;

  /** Put texts of { m, y, text } beside x, where they hide least of some points; return their boxes. */
  function place(rows, x, frame, drawn) {
    const shown = new Set(rows.map(({ m }) => m));
    models.forEach((_, m) => {
      if (!shown.has(m)) for (const part of [keys[m], labels[m]]) set(part, { visibility: 'hidden' });
    });
    if (!rows.length) return [];
    const sorted = [...rows].sort((a, b) => a.y - b.y);
    const bare = Math.max(...sorted.map(({ text }) => textWidth(text, true)));
    // Where there is little room, names stand without their lines.
    const room = Math.max(frame.left + frame.width - x, x - frame.left) - 15;
    const key = KEY + 6 + bare > room ? 0 : KEY + 6;
    const ys = sorted.map(({ y }) => y);
    const found = besidePoints(ys, key + bare, x, frame, [...drawn, ...ys.map((y) => [x, y])], before);
    before = found.place;
    sorted.forEach(({ m, text }, i) => {
      const y = found.at[i];
      set(keys[m], { d: `M${found.left} ${y}h${KEY}`, visibility: key ? 'visible' : 'hidden' });
      set(labels[m], { x: found.left + key, y: y + 4, visibility: 'visible' });
      say(labels[m], text);
    });
    return found.at.map((y) => [found.left, y - 8, found.left + key + bare, y + 8]);
  }

  return { nodes: [...keys, ...labels], place };
}
