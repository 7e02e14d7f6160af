// The condition bar: prevalence, costs, how unsure they are, and what dragging changes.
import { h, say, unique } from './dom.js';
import { conditionText, digits } from './words.js';

export function conditionBar(app) {
  const { state } = app;
  const fields = {};
  const put = (key, value) => {
    // A field being typed into keeps what was typed.
    if (document.activeElement !== fields[key].input || fields[key].fresh) fields[key].input.value = value;
    fields[key].input.removeAttribute('aria-invalid');
  };
  const field = (key, label, after, read, rule) => {
    const input = h('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false', size: 6, 'data-field': key, title: rule });
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
    return h('label', { class: 'field' }, h('span', {}, label), h('span', { class: 'box' }, input, after ? h('span', { class: 'after' }, after) : null));
  };
  const accept = (ok, change) => {
    if (ok) app.change(change);
    return ok;
  };
  const mode = unique('drag');
  const radio = (value, label) => h('label', {}, h('input', { type: 'radio', name: mode, value, checked: app.view.drag === value, onchange: () => app.look({ drag: value }) }), label);
  const radios = ['costs', 'prevalence'].map((value) => radio(value, value));
  const belief = h('p', { class: 'belief', hidden: true });
  const line = h('p', { class: 'as-text' });
  const node = h('section', { class: 'bar', 'aria-label': 'Condition' },
    h('div', { class: 'fields' },
      field('p', 'Prevalence', '%', (v) => accept(v > 0 && v < 100, { p: v / 100 }), 'a percentage between 0 and 100'),
      field('fn', 'A miss costs', app.summary.unit, (v) => accept(v > state.tp, { fn: v }), 'a cost above 0'),
      field('fp', 'A false alarm costs', app.summary.unit, (v) => accept(v > state.tn, { fp: v }), 'a cost above 0'),
      field('ratio', 'Ratio', ': 1', (v) => accept(v > 0, { fn: v * (app.state.fp - state.tn) + state.tp }), 'a number above 0'),
      field('factor', 'Unsure by a factor of', null, (v) => accept(v >= 1, { below: v, above: v }), '1 if certain, 2 if the ratio may be half or double'),
      h('fieldset', { class: 'field' }, h('legend', {}, 'Dragging changes'), h('span', { class: 'radios' }, radios)),
      h('div', { class: 'buttons' },
        h('button', { type: 'button', 'data-act': 'reset', onclick: () => app.reset() }, 'Reset'),
        h('button', { type: 'button', onclick: () => app.copied(app.link(), 'Link copied.') }, 'Copy link'))),
    belief, line);
  function update(f) {
    const now = app.state;
    put('p', digits(100 * now.p, 4).replaceAll(',', ''));
    put('fn', digits(now.fn, 4).replaceAll(',', ''));
    put('fp', digits(now.fp, 4).replaceAll(',', ''));
    put('ratio', digits((now.fn - now.tp) / (now.fp - now.tn), 4).replaceAll(',', ''));
    const factor = (v) => (v === Infinity ? 'any' : digits(v, 3).replaceAll(',', ''));
    put('factor', now.belief ? '' : now.below === now.above ? factor(now.above) : `${factor(now.below)}–${factor(now.above)}`);
    belief.hidden = !now.belief;
    if (now.belief) say(belief, `In force: the author's belief about conditions (${now.belief.text}). Any change replaces it; Reset brings it back.`);
    say(line, `Condition: ${now.belief ? now.belief.text : conditionText(now, f)}`);
    for (const label of radios) label.firstChild.checked = label.firstChild.value === app.view.drag;
  }
  return { node, update };
}
