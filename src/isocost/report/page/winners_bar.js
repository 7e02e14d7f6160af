// The bar below the money chart: who is cheapest where, with names where there is room.
import { trivialDeed } from './deed.js';
import { s, textWidth } from './dom.js';
import { TRIVIAL } from './words.js';

const BAR_HIGH = 18;
// Below the frame of the chart.
const BAR_DROP = 5;
/** How far the bar reaches below the frame. */
export const BAR_ROOM = BAR_HIGH + BAR_DROP - 1;

/** Rectangles and names of the winners from one pcf to another; `place` says where a pcf lies. */
export function winnersBar(app, wins, [first, last], place, bottom) {
  const y = bottom + BAR_DROP;
  const [made, named] = [[], []];
  for (const win of wins) {
    const [from, to] = [Math.max(win.from, first), Math.min(win.to, last)];
    if (!(to > from)) continue;
    const [a, b] = [place(from), place(to)];
    const none = TRIVIAL.includes(win.model);
    const slot = none ? '' : app.looks()[win.model].slot;
    const size = { x: a, y, width: Math.max(b - a, 0), height: BAR_HIGH };
    made.push(s('rect', { class: none ? 'win none' : 'win', 'data-model': win.model, 'data-slot': slot, ...size }));
    const text = none ? trivialDeed(win.model, app.summary.words) : app.names[win.model];
    const wide = textWidth(text, true) + 10;
    if (wide > b - a - 4) continue;
    named.push(
      s('rect', { class: 'chip', x: (a + b - wide) / 2, y: y + 1.5, width: wide, height: BAR_HIGH - 3, rx: 4 }),
      s('text', { class: 'chip-text', x: (a + b) / 2, y: y + 13, 'text-anchor': 'middle' }, text),
    );
  }
  return { made, named };
}
