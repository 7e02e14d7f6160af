// At which cost of a miss the cheapest model changes, in words.
import { trivialDeed } from './deed.js';
import { h, s } from './dom.js';
import { rough } from './numbers.js';
import { TRIVIAL } from './words.js';

// Sentences that are shown, those nearest to the reader's cost.
const MOST = 6;

export function crossingsView(app) {
  const { words, unit } = app.summary;
  const node = h('ul', { class: 'crossings' });
  const called = (model) => (TRIVIAL.includes(model) ? trivialDeed(model, words) : app.names[model]);
  let said = null;

  /** A piece of the line of the model that wins from there on. */
  function swatch(model) {
    const own = TRIVIAL.includes(model) ? {} : { 'data-model': model, 'data-slot': app.looks()[model].slot };
    const line = s('line', { class: 'line', ...own, x1: 0, x2: 28, y1: 5, y2: 5 });
    return s('svg', { class: 'swatch', width: 28, height: 10, 'aria-hidden': 'true' }, line);
  }

  /** Name where the cheapest changes: `wins` by pcf, `missAt` the cost of a miss a win takes, `most` the end. */
  function update(wins, now, most, missAt) {
    const near = wins
      .slice(1)
      .map((win, i) => ({ win, before: wins[i], miss: missAt(win) }))
      .filter(({ miss }) => miss > 0 && miss <= most)
      .sort((a, b) => Math.abs(Math.log(a.miss / now)) - Math.abs(Math.log(b.miss / now)))
      .slice(0, MOST)
      .sort((a, b) => a.miss - b.miss);
    const lines = near.map(
      ({ win, before, miss }) => `above ${rough(miss, unit)}: ${called(win.model)} instead of ${called(before.model)}`,
    );
    if (lines.join('\n') === said) return;
    said = lines.join('\n');
    node.replaceChildren(...near.map(({ win }, i) => h('li', {}, swatch(win.model), h('span', {}, lines[i]))));
  }

  return { node, update };
}
