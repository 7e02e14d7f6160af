// Limits on who is flagged, folded below the situation.
import { h, say, unique } from './dom.js';
import { digits } from './numbers.js';
import { LIMIT_KINDS, whyNoLimits } from './limiting.js';

export function limitFields(app) {
  const { words } = app.summary;
  const why = whyNoLimits(app.data);
  const field = (kind, key, label, after, factor, needed) => {
    const [id, wrong] = [unique('limit'), unique('wrong')];
    const input = h('input', {
      type: 'text',
      id,
      inputmode: 'decimal',
      autocomplete: 'off',
      placeholder: 'none',
      'data-field': key,
      'aria-describedby': wrong,
      disabled: Boolean(why),
    });
    const error = h('p', { class: 'error', id: wrong });
    input.addEventListener('input', () => {
      const text = input.value.trim().replace('%', '').replace(',', '.');
      const value = text === '' ? null : Number(text) / factor;
      const ok = value === null || (value >= 0 && value <= 1);
      input.toggleAttribute('aria-invalid', !ok);
      if (!ok) input.setAttribute('aria-invalid', 'true');
      say(error, ok ? '' : needed);
      if (ok) app.limit({ [kind]: value });
    });
    return {
      kind,
      node: h(
        'div',
        { class: 'limit' },
        h('label', { for: id }, label),
        h('span', { class: 'box' }, input, h('span', { class: 'after' }, after)),
        error,
      ),
      put({ limits, review }) {
        // Limits and second looks are not asked for together.
        input.disabled = Boolean(why || review);
        if (document.activeElement === input) return;
        const value = limits?.[kind] ?? null;
        input.value = value === null ? '' : digits(factor * value, 4).replaceAll(',', '');
        input.removeAttribute('aria-invalid');
        say(error, '');
      },
    };
  };
  const fields = [
    field('max_flagged', 'cap', `${words.Flag} at most`, '/1000', 1000, 'Give a number from 0 to 1000.'),
    field(
      'min_precision',
      'prec',
      `Of those, ${words.positives} at least`,
      '%',
      100,
      'Give a percentage from 0 to 100.',
    ),
  ];
  const node = h(
    'details',
    { class: 'limits' },
    h('summary', {}, 'Limits'),
    why ? h('p', { class: 'sub' }, why) : null,
    fields.map(({ node: part }) => part),
  );
  return {
    node,
    update() {
      for (const part of fields) part.put(app.state);
      if (app.state.limits) node.open = true;
    },
  };
}

/** Limits with some changed; null where none is left. */
export function changedLimits(limits, change) {
  const next = { ...limits, ...change };
  return LIMIT_KINDS.every((kind) => (next[kind] ?? null) === null) ? null : next;
}
