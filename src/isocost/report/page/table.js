// Thresholds at this condition: one row a model, and what happens to 1000 cases.
import { h, s, say, set } from './dom.js';
import { trivial } from './core.js';
import { digits, money, percent } from './numbers.js';
import { cut } from './words.js';

const COLUMNS = [
  'Model',
  'Flag when score is',
  'Caught',
  'False alarms',
  'Flagged',
  'Flags that are right',
  'Cost per 1000',
  'More than cheapest',
  'Cheapest in',
];

export function tableView(app) {
  const rows = [
    ...app.data.models.map((m, i) => ({ key: i, name: m.name })),
    { key: -1, name: 'Flag nobody' },
    { key: -2, name: 'Flag everybody' },
  ].map((entry) => {
    const button = h(
      'button',
      { type: 'button', class: 'expand', tabindex: -1, 'aria-expanded': 'false', onclick: () => toggle(entry.key) },
      entry.name,
    );
    const swatch =
      entry.key >= 0
        ? s(
            'svg',
            { class: 'swatch', width: 28, height: 10, 'aria-hidden': 'true' },
            s('line', { class: 'line', 'data-model': entry.key, x1: 0, x2: 28, y1: 5, y2: 5 }),
          )
        : null;
    const cells = COLUMNS.slice(1).map((label) => h('td', { 'data-label': label }));
    const counts = h('div', { class: 'matrix' });
    const more = h('tr', { class: 'more', hidden: true }, h('td', { colspan: COLUMNS.length }, counts));
    return {
      ...entry,
      button,
      cells,
      more,
      counts,
      tr: h(
        'tr',
        { class: entry.key < 0 ? 'aside' : null },
        h('th', { scope: 'row' }, h('span', { class: 'name' }, swatch, button)),
        cells,
      ),
    };
  });
  const heads = COLUMNS.map((label) => h('th', { scope: 'col' }, label));
  const body = h('tbody');
  const node = h(
    'table',
    { class: 'thresholds' },
    h('caption', { class: 'hidden' }, 'Thresholds at this condition'),
    h('thead', {}, h('tr', {}, heads)),
    body,
  );
  let order = '';

  node.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !event.target.classList.contains('expand')) return;
    event.preventDefault();
    const buttons = [...body.querySelectorAll('.expand')];
    const next = buttons[(buttons.indexOf(event.target) + step + buttons.length) % buttons.length];
    buttons.forEach((button) => set(button, { tabindex: button === next ? 0 : -1 }));
    next.focus();
  });

  function toggle(key) {
    const row = rows.find((r) => r.key === key);
    row.more.hidden = !row.more.hidden;
    set(row.button, { 'aria-expanded': String(!row.more.hidden) });
    app.refresh();
  }

  function update(f) {
    const found = new Map([...f.rows, ...f.ends].map((r) => [r.model, r]));
    const sorted = [...rows].sort(
      (a, b) =>
        (a.key < 0) - (b.key < 0) || (a.key < 0 ? b.key - a.key : found.get(a.key).extra - found.get(b.key).extra),
    );
    const now = sorted.map((r) => r.key).join();
    if (now !== order) {
      order = now;
      const active = document.activeElement;
      body.append(...sorted.flatMap((r) => [r.tr, r.more]));
      sorted.forEach((r, i) => set(r.button, { tabindex: i ? -1 : 0 }));
      if (active && active !== document.activeElement) active.focus();
    }
    say(heads[6], `${f.expected ? 'Cost' : 'Mean cost'} per 1000${app.summary.unit ? `, ${app.summary.unit}` : ''}`);
    for (const r of rows) {
      const row = found.get(r.key);
      r.tr.classList.toggle('best', row === f.chosen);
      values(row, f).forEach((text, i) => say(r.cells[i], text));
      if (!r.more.hidden) matrixOf(r, row);
    }
  }

  function values(row, f) {
    const nothing = row.model >= 0 && trivial(row);
    const score = row.model < 0 ? '–' : nothing ? (row.fpr ? 'anything' : 'never') : cut(row.cut, row.alone);
    return [
      score,
      percent(row.tpr),
      percent(row.fpr),
      percent(row.flagged),
      row.precision === null ? '–' : percent(row.precision),
      money(row.amount),
      extra(row, f),
      row.share === undefined ? '–' : percent(row.share),
    ];
  }

  function extra(row, f) {
    if (row === f.chosen) return 'cheapest';
    const put = (x) => `${x < 0 ? '−' : '+'}${money(Math.abs(x))}`;
    return row.extraInterval
      ? `${put(row.extraAmount)} [${put(row.extraInterval.low)}, ${put(row.extraInterval.high)}]`
      : put(row.extraAmount);
  }

  function matrixOf(r, row) {
    const p = app.state.p;
    const cells = [
      [p * row.tpr, 'caught'],
      [p * (1 - row.tpr), 'missed'],
      [(1 - p) * row.fpr, 'false alarms'],
      [(1 - p) * (1 - row.fpr), 'left alone'],
    ];
    const [tp, fn, fp, tn] = cells.map(([v, text]) => h('td', {}, h('b', {}, digits(1000 * v)), ` ${text}`));
    r.counts.textContent = '';
    r.counts.append(
      h(
        'table',
        {},
        h('caption', {}, `Of 1000 cases with ${row.name}`),
        h(
          'thead',
          {},
          h('tr', {}, h('td'), h('th', { scope: 'col' }, 'flagged'), h('th', { scope: 'col' }, 'not flagged')),
        ),
        h(
          'tbody',
          {},
          h('tr', {}, h('th', { scope: 'row' }, 'positive'), tp, fn),
          h('tr', {}, h('th', { scope: 'row' }, 'negative'), fp, tn),
        ),
      ),
    );
  }

  /** The table as CSV, with full digits. */
  function csv(f) {
    const quote = (v) => (/[",\n]/.test(v) ? `"${String(v).replaceAll('"', '""')}"` : v);
    const head = [
      'model',
      'threshold',
      'tpr',
      'fpr',
      'flagged',
      'precision',
      f.unsure ? 'mean_cost_per_1000' : 'cost_per_1000',
      'more_than_cheapest',
      'more_low',
      'more_high',
      'cheapest_share',
    ];
    const lines = [...f.rows, ...f.ends].map((r) => [
      r.name,
      r.cut,
      r.tpr,
      r.fpr,
      r.flagged,
      r.precision,
      r.amount,
      r.extraAmount,
      r.extraInterval && r.extraInterval.low,
      r.extraInterval && r.extraInterval.high,
      r.share,
    ]);
    return [head, ...lines]
      .map((line) => line.map((v) => (v === null || v === undefined ? '' : quote(v))).join(','))
      .join('\n');
  }

  return { node, update, csv };
}
