// The condition bar: prevalence, costs, how unsure they are, and what dragging changes.
import { h, say, toolbar, unique } from './dom.js';
import { digits } from './numbers.js';
import { conditionText } from './words.js';

export function conditionBar(app) {
  const { state } = app;
  const fields = {};
  const put = (key, value) => {
    // A field being typed into keeps what was typed.
    if (document.activeElement !== fields[key].input || fields[key].fresh) fields[key].input.value = value;
    fields[key].input.removeAttribute('aria-invalid');
  };
  const field = (key, label, after, read, rule) => {
    const input = h('input', {
      type: 'text',
      inputmode: 'decimal',
      autocomplete: 'off',
      spellcheck: 'false',
      size: 6,
      'data-field': key,
      title: rule,
    });
    const change = () => {
      const value = Number(input.value.replace(',', '.').replace('%', ''));
      const ok = input.value.trim() !== '' && Number.isFinite(value) && read(value);
      if (ok) input.removeAttribute('aria-invalid');
      else {
        input.setAttribute('aria-invalid', 'true');
        app.announce(`${label}: ${rule}`);
      }
    };
    input.addEventListener('input', change);
    input.addEventListener('blur', () => app.refresh());
    fields[key] = { input };
    return h(
      'label',
      { class: 'field' },
      h('span', {}, label),
      h('span', { class: 'box' }, input, after ? h('span', { class: 'after' }, after) : null),
    );
  };
  const accept = (ok, change) => {
    if (ok) app.change(change);
    return ok;
  };
  const mode = unique('drag');
  const radio = (value, label) =>
    h(
      'label',
      {},
      h('input', {
        type: 'radio',
        name: mode,
        value,
        checked: app.view.drag === value,
        onchange: () => app.look({ drag: value }),
      }),
      label,
    );
  const radios = ['costs', 'prevalence'].map((value) => radio(value, value));
  const kinds = [
    ['certain', 'exactly this'],
    ['factor', 'within a factor of'],
    ['range', 'between'],
    ['bell', 'log-normal, 95 % within a factor of'],
    ...(app.summary.belief ? [['belief', 'as the author believes']] : []),
  ];
  const doubt = h(
    'select',
    { 'data-field': 'doubt', 'aria-label': 'How unsure the ratio is', onchange: () => app.setDoubt(doubt.value) },
    kinds.map(([value, label]) => h('option', { value }, label)),
  );
  // One field for all kinds: a factor, or both ends of a range.
  const spread = h('input', {
    type: 'text',
    inputmode: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    size: 6,
    'data-field': 'spread',
  });
  const spreadRule = () =>
    app.doubt() === 'range' ? 'two ratios, such as 2–8' : 'at least 1; 2 if the ratio may be half or double';
  spread.addEventListener('input', () => {
    const numbers = spread.value
      .replaceAll(',', '.')
      .split(/\s*(?:–|—|-|to|;)\s*/)
      .map((part) => (part.trim() === '' ? NaN : Number(part)));
    const range = app.doubt() === 'range';
    const ok = range
      ? numbers.length === 2 && numbers[0] > 0 && numbers[1] >= numbers[0] && numbers[1] < Infinity
      : numbers.length === 1 && numbers[0] >= 1 && numbers[0] < Infinity;
    if (!ok) {
      spread.setAttribute('aria-invalid', 'true');
      app.announce(`How unsure: ${spreadRule()}`);
    } else if (range) app.between(...numbers);
    else app.change({ below: numbers[0], above: numbers[0] });
  });
  spread.addEventListener('blur', () => app.refresh());
  fields.spread = { input: spread };
  const belief = h('p', { class: 'belief', hidden: true });
  const line = h('p', { class: 'as-text' });
  const node = h(
    'section',
    { class: 'bar', 'aria-label': 'Condition' },
    h(
      'div',
      { class: 'fields' },
      field('p', 'Prevalence', '%', (v) => accept(v > 0 && v < 100, { p: v / 100 }), 'a percentage between 0 and 100'),
      field('fn', 'A miss costs', app.summary.unit, (v) => accept(v > state.tp, { fn: v }), 'a cost above 0'),
      field('fp', 'A false alarm costs', app.summary.unit, (v) => accept(v > state.tn, { fp: v }), 'a cost above 0'),
      field(
        'ratio',
        'Ratio',
        ': 1',
        (v) => accept(v > 0, { fn: v * (app.state.fp - state.tn) + state.tp }),
        'a number above 0',
      ),
      h('div', { class: 'field' }, h('span', {}, 'The ratio is'), h('span', { class: 'box' }, doubt, spread)),
      h('fieldset', { class: 'field' }, h('legend', {}, 'Dragging changes'), h('span', { class: 'radios' }, radios)),
      toolbar(
        { class: 'buttons', 'aria-label': 'Condition' },
        h('button', { type: 'button', 'data-act': 'reset', onclick: () => app.reset() }, 'Reset'),
        h('button', { type: 'button', onclick: () => app.copied(app.link(), 'Link copied.') }, 'Copy link'),
      ),
    ),
    belief,
    line,
  );
  function update(f) {
    const now = app.state;
    put('p', digits(100 * now.p, 4).replaceAll(',', ''));
    put('fn', digits(now.fn, 4).replaceAll(',', ''));
    put('fp', digits(now.fp, 4).replaceAll(',', ''));
    put('ratio', digits((now.fn - now.tp) / (now.fp - now.tn), 4).replaceAll(',', ''));
    const kind = app.doubt();
    const gap = (now.fn - now.tp) / (now.fp - now.tn);
    const plain = (v, n = 4) => (v === Infinity ? 'any' : digits(v, n).replaceAll(',', ''));
    if (doubt.value !== kind) doubt.value = kind;
    spread.hidden = kind === 'certain' || kind === 'belief';
    spread.title = spreadRule();
    spread.setAttribute('aria-label', kind === 'range' ? 'Lowest and highest ratio' : 'Factor');
    put(
      'spread',
      kind === 'range'
        ? `${plain(gap / now.below)}–${plain(gap * now.above)}`
        : plain(Math.sqrt(now.below * now.above), 3),
    );
    belief.hidden = !now.belief;
    if (now.belief) {
      say(
        belief,
        `In force: the author's belief about conditions (${now.belief.text}). ` +
          'Any change replaces it; Reset brings it back.',
      );
    }
    say(line, `Condition: ${now.belief ? now.belief.text : conditionText(now, f)}`);
    for (const label of radios) label.firstChild.checked = label.firstChild.value === app.view.drag;
  }
  return { node, update };
}
