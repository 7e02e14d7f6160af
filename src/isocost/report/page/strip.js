// The answer, always in sight: what to do, what it costs, how sure that is; below it what else to know.
import { QUANTITIES, isCertain } from './beliefs.js';
import { overRanges } from './bill.js';
import { spanSaid, varies } from './cost_words.js';
import { certainty, deed, notes, price1000 } from './deed.js';
import { h, s, say, sentence, set, tell } from './dom.js';
import { roughSpan, share } from './numbers.js';
import { clearFrom } from './resamples.js';
import { partOfRanges } from './stripes.js';

const METER = 86;
// Prices, deeds and advice of more letters are set smaller.
const [LONG_PRICE, LONG_DEED, LONG_TODO] = [11, 84, 165];

/** A bar of the share of resamples, with marks where leaning and clear begin. */
function meter(level) {
  const fill = s('rect', { class: 'meter-fill', y: 4, height: 6, rx: 3, width: 0 });
  const svg = s(
    'svg',
    {
      class: 'meter',
      width: METER,
      height: 14,
      viewBox: `0 0 ${METER} 14`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    },
    s('rect', { class: 'meter-track', y: 4, width: METER, height: 6, rx: 3 }),
    fill,
    [0.8, clearFrom(level)].map((at) =>
      s('line', { class: 'meter-mark', x1: METER * at, x2: METER * at, y1: 1, y2: 13 }),
    ),
  );
  return {
    node: svg,
    update(part) {
      svg.style.display = part === null ? 'none' : '';
      set(fill, { width: (METER * (part ?? 0)).toFixed(1) });
    },
  };
}

/** The part of the stated ranges in which the decided model is cheapest; null where nothing was given as a range. */
export function within(data, state, d) {
  if (state.belief || state.limits || isCertain(state)) return null;
  const own = data.models.findIndex((model) => model.name === d.model);
  const stretches = data.points
    .filter((point) => (own < 0 ? point.model === d.model : point.models.includes(own)))
    .map((point) => [point.t_low, point.t_high]);
  return partOfRanges(stretches, state);
}

export function answerStrip(app) {
  const { unit, words } = app.summary;
  const who = h('b', { class: 'who' });
  const [before, after] = [h('span'), h('span')];
  const doing = h('p', { class: 'deed' }, before, who, after);
  const [number, per] = [h('span', { class: 'number' }), h('small', {}, ' per 1000')];
  const [fromData, fromRanges] = [h('span', { class: 'from-data' }), h('span', { class: 'from-ranges' })];
  const priceOf = h('p', { class: 'eyebrow' });
  const [word, often] = [h('span', { class: 'word' }), h('span', { class: 'often' })];
  const gauge = meter(app.summary.level);
  const [todo, todoBelow] = [h('p', { class: 'todo' }), h('p', { class: 'todo below' })];
  // On phones the strip has no room for it.
  const rangesBelow = h('p', { class: 'ranges below' });
  const node = h(
    'section',
    { class: 'answer', 'aria-label': 'Answer' },
    h(
      'div',
      { class: 'wrap' },
      h('div', { class: 'what' }, h('p', { class: 'eyebrow' }, 'Cheapest for your situation'), doing),
      h(
        'div',
        { class: 'cost-of-it' },
        priceOf,
        h('p', { class: 'money' }, number, per),
        h('p', { class: 'spans' }, fromData, fromRanges),
      ),
      h(
        'div',
        { class: 'how-sure' },
        h('p', { class: 'eyebrow' }, 'How sure, and what to do'),
        h('p', { class: 'sure' }, word, gauge.node, often),
        todo,
      ),
    ),
  );
  const list = h('ul', { class: 'notes-list' });
  const noted = h('section', { class: 'notes wrap', 'aria-label': 'What else to know' }, todoBelow, rangesBelow, list);
  let listed = null;
  function spans(d) {
    const { interval = null, level = 0.9 } = d.surety ?? {};
    // The price itself says the unit; of a long one once is enough.
    const short = node.hasAttribute('data-long') ? '' : unit;
    const found = interval && varies(interval);
    const span = found && spanSaid(interval, d.per_1000 === null ? null : short);
    say(fromData, found ? `${share(level)} from the data: ${span}` : '');
    const wide = !app.state.belief && QUANTITIES.some((name) => app.state[name][0] !== app.state[name][1]);
    const over = wide ? overRanges(d, app.state) : null;
    say(fromRanges, wide ? `over your ranges: ${roughSpan(over, short)}` : '');
    tell(rangesBelow, wide ? `Over your ranges it costs ${roughSpan(over, unit)} per 1000.` : '', unit);
    rangesBelow.hidden = !wide;
  }
  function update(f) {
    const { answer: d } = f;
    const chosen = app.data.models.findIndex((model) => model.name === d.model);
    const parts = deed(d, app.speech);
    [before, who, after].forEach((part, i) => say(part, parts[i]));
    node.toggleAttribute('data-wordy', parts.join('').length > LONG_DEED);
    const whole = chosen < 0 ? '' : d.model;
    if (who.title !== whole) who.title = whole;
    who.style.setProperty('--own', chosen < 0 ? 'transparent' : `var(${app.looks()[chosen].colour})`);
    say(priceOf, d.per_1000 === null ? 'Mean normalised cost' : `Expected cost per 1000 ${words.cases}`);
    const price = price1000(d);
    say(number, price);
    node.toggleAttribute('data-long', price.length > LONG_PRICE);
    per.hidden = d.per_1000 === null;
    set(node, {
      'data-model': d.model,
      'data-threshold': d.threshold === null ? '' : d.threshold,
      'data-per-1000': d.per_1000 ?? '',
    });
    spans(d);
    const found = certainty(d, app.speech);
    node.dataset.grade = found.grade;
    node.toggleAttribute('data-much', found.todo.length > LONG_TODO);
    say(word, found.word);
    say(often, found.often);
    // How often a tie is cheapest says nothing of which to take.
    gauge.update(['none', 'same'].includes(found.grade) ? null : d.surety.share);
    for (const part of [todo, todoBelow]) tell(part, found.todo, unit);
    const now = notes(d, app.speech, d.asked.reviews ? null : within(app.data, app.state, d));
    const joined = JSON.stringify(now);
    if (joined === listed) return;
    listed = joined;
    list.replaceChildren(
      ...now.map(([text, warns]) => h('li', { class: warns ? 'warns' : null }, sentence(text, unit))),
    );
  }
  return { node, noted, update };
}
