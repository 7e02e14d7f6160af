// The condition bar: prevalence and costs, each a number or a range, and what dragging changes.
import { means } from './beliefs.js';
import { h, say, toolbar, unique } from './dom.js';
import { digits } from './numbers.js';
import { conditionText } from './words.js';

/** A number as people type it: 0.3, 0,3, 30 %, 5k, 4,000. */
function typed(text) {
  const bare = text.replace(/[%\s]/g, '');
  // A comma before three digits parts thousands, any other is a decimal one.
  const plain = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?k?$/.test(bare) ? bare.replaceAll(',', '') : bare.replace(',', '.');
  const [, number, thousand] = /^(\d*\.?\d*(?:e[+-]?\d+)?)(k?)$/i.exec(plain) ?? [];
  return number ? Number(number) * (thousand ? 1000 : 1) : NaN;
}

/** Both ends of a number or a range: 25–35, 25 to 35, 25-35. Null if it is neither. */
export function typedPair(text) {
  const parts = text.split(/\s*(?:–|—|\bto\b|(?<![e])-)\s*/i);
  const [low, high = low] = parts.map(typed);
  return parts.length <= 2 && Number.isFinite(low) && Number.isFinite(high) && low <= high ? [low, high] : null;
}

export function conditionBar(app) {
  const { state } = app;
  const fields = {};
  const plain = (v) => digits(v, 4).replaceAll(',', '');
  const put = (key, pair) => {
    const { input } = fields[key];
    const [low, high] = pair.map(plain);
    // A field being typed into keeps what was typed.
    if (document.activeElement !== input) input.value = low === high ? low : `${low}–${high}`;
    input.removeAttribute('aria-invalid');
  };
  const field = (key, label, after, read, needed) => {
    const input = h('input', {
      type: 'text',
      inputmode: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      size: 7,
      'data-field': key,
      title: needed,
    });
    input.addEventListener('input', () => {
      const pair = typedPair(input.value.trim());
      if (pair && read(pair)) return;
      input.setAttribute('aria-invalid', 'true');
      app.announce(`${label}: ${needed}`);
    });
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
  const radios = ['costs', 'prevalence'].map((value) =>
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
      value,
    ),
  );
  const belief = h('p', { class: 'belief', hidden: true });
  const line = h('p', { class: 'as-text' });
  const node = h(
    'section',
    { class: 'bar', 'aria-label': 'Condition' },
    h(
      'div',
      { class: 'fields' },
      field(
        'p',
        'Prevalence',
        '%',
        ([low, high]) => accept(low > 0 && high < 100, { prevalence: [low / 100, high / 100] }),
        'a percentage between 0 and 100, or a range such as 25–35',
      ),
      field(
        'fn',
        'A miss costs',
        app.summary.unit,
        (pair) => accept(pair[0] > state.cost_tp[1], { cost_fn: pair }),
        'a cost above 0, or a range such as 4–16',
      ),
      field(
        'fp',
        'A false alarm costs',
        app.summary.unit,
        (pair) => accept(pair[0] > state.cost_tn[1], { cost_fp: pair }),
        'a cost above 0, or a range such as 1–2',
      ),
      field(
        'ratio',
        'Ratio',
        ': 1',
        (pair) => {
          const { fpGap, cost_tp } = means(app.state);
          return accept(pair[0] > 0, { cost_fn: pair.map((v) => v * fpGap + cost_tp) });
        },
        'a number above 0, or a range such as 2–8',
      ),
      h('fieldset', { class: 'field' }, h('legend', {}, 'Dragging changes'), h('span', { class: 'radios' }, radios)),
      toolbar(
        { class: 'buttons', 'aria-label': 'Condition' },
        h('button', { type: 'button', 'data-act': 'reset', onclick: () => app.reset() }, 'Reset'),
        h('button', { type: 'button', onclick: () => app.copied(app.link(), 'Link copied.') }, 'Copy link'),
      ),
    ),
    h('p', { class: 'hint' }, 'Unsure? Type a range, such as 4–16: every value in it is taken as equally likely.'),
    belief,
    line,
  );
  function update(f) {
    const now = app.state;
    put(
      'p',
      now.prevalence.map((v) => 100 * v),
    );
    put('fn', now.cost_fn);
    put('fp', now.cost_fp);
    const { fpGap, cost_tp } = means(now);
    put(
      'ratio',
      now.cost_fn.map((v) => (v - cost_tp) / fpGap),
    );
    belief.hidden = !now.belief;
    if (now.belief) {
      say(
        belief,
        `In force: the author's belief about conditions (${now.belief.text}). ` +
          'Any change replaces it; Reset brings it back.',
      );
    }
    say(line, `Condition: ${conditionText(f.decision)}`);
    for (const label of radios) label.firstChild.checked = label.firstChild.value === app.view.drag;
  }
  return { node, update };
}
