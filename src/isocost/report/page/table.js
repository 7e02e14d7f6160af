// Each model at its cheapest threshold: one row a model, and what happens to 1000 cases.
import { costSaid, estimateSaid } from './cost_words.js';
import { breakable, h, s, say, set } from './dom.js';
import { digits, money, percent } from './numbers.js';
import { inWords, trivialDeed } from './deed.js';
import { DEEDS, EVERYBODY, NOBODY, capital } from './words.js';

// Names of more letters take several lines.
const LENGTHY = 28;

function columnsOf({ words }) {
  return [
    'Model',
    `${words.Flag} at score`,
    `${words.Positives} caught`,
    `${words.Negatives} ${words.flagged}`,
    `All ${words.flagged}`,
    `Right when ${words.flagged}`,
    'Cost per 1000',
    'More than the cheapest',
    'Cheapest in',
  ];
}

export function tableView(app) {
  const columns = columnsOf(app.summary);
  const rows = [
    ...app.data.models.map(({ name }, index) => ({ key: name, name, index })),
    ...[NOBODY, EVERYBODY].map((key) => ({ key, name: capital(trivialDeed(key, app.summary.words)), index: -1 })),
  ].map((entry) => {
    const button = h(
      'button',
      { type: 'button', class: 'expand', tabindex: -1, 'aria-expanded': 'false', onclick: () => toggle(entry.key) },
      breakable(entry.name),
    );
    const drawn = entry.index >= 0 ? { class: 'line', 'data-model': entry.index } : { class: 'chance' };
    const swatch = s(
      'svg',
      { class: 'swatch', width: 28, height: 10, 'aria-hidden': 'true' },
      s('line', { ...drawn, x1: 0, x2: 28, y1: 5, y2: 5 }),
    );
    const cells = columns.slice(1).map((label) => h('td', { 'data-label': label }));
    const counts = h('div', { class: 'matrix' });
    const more = h('tr', { class: 'more', hidden: true }, h('td', { colspan: columns.length }, counts));
    return {
      ...entry,
      button,
      cells,
      more,
      counts,
      tr: h(
        'tr',
        { class: entry.index < 0 ? 'aside' : null },
        h('th', { scope: 'row' }, h('span', { class: 'name' }, swatch, button)),
        cells,
      ),
    };
  });
  const heads = columns.map((label, i) => h('span', { class: i === 7 ? 'head wide' : 'head' }, label));
  const lengthy = app.data.models.some(({ name }) => name.length > LENGTHY);
  const body = h('tbody');
  const node = h(
    'table',
    // Without resamples nobody knows how often a model is cheapest.
    { class: 'thresholds', 'data-unsure': app.data.resamples ? null : '', 'data-lengthy': lengthy },
    h('caption', { class: 'hidden' }, 'Each model at its cheapest threshold'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        heads.map((head) => h('th', { scope: 'col' }, head)),
      ),
    ),
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
    const found = new Map(f.rows.map((row) => [row.model, row]));
    const sorted = f.rows.map((row) => rows.find((r) => r.key === row.model));
    const now = sorted.map((r) => r.key).join();
    if (now !== order) {
      order = now;
      const active = document.activeElement;
      body.append(...sorted.flatMap((r) => [r.tr, r.more]));
      sorted.forEach((r, i) => set(r.button, { tabindex: i ? -1 : 0 }));
      if (active && active !== document.activeElement) active.focus();
    }
    const priced = f.decision.expected_cost !== null;
    const { unit } = app.summary;
    say(heads[6], priced ? `Cost per 1000${unit ? `, ${unit}` : ''}` : 'Mean normalised cost');
    for (const r of rows) {
      const row = found.get(r.key);
      // Flagging nobody or everybody may break the limits.
      r.tr.hidden = !row;
      if (!row) {
        r.more.hidden = true;
        continue;
      }
      r.tr.classList.toggle('best', row === f.rows[0]);
      values(row, f).forEach((text, i) => put(r.cells[i], text));
      r.cells[0].classList.toggle('long', r.cells[0].firstChild.textContent.length > 18);
      if (!r.more.hidden && row.tpr !== null) matrixOf(r, row, f.p);
    }
  }

  /** A text, or a text above a smaller one. */
  function put(cell, text) {
    const [first, second = ''] = text.split('\n');
    if (!cell.firstChild) cell.append(h('span'), h('small'));
    say(cell.firstChild, first);
    say(cell.lastChild, second);
    // Short ones are read in one go; two long numbers may stand below each other.
    cell.lastChild.className = second.length < 21 ? 'whole' : '';
  }

  function values(row, f) {
    const share = (v) => (v === null ? '–' : percent(v));
    return [
      ruleText(row),
      share(row.tpr),
      share(row.fpr),
      share(row.flagged),
      share(row.precision),
      costText(row),
      extra(row, f),
      share(row.share),
    ];
  }

  function ruleText(row) {
    if (row.model in DEEDS || !row.rule) return row.remark || '–';
    // What a point is told by stands in the columns after it.
    const short = (rule) => rule.replace('flag cases with score ', '').replace(/^(use .*) \(.*\)$/, '$1');
    const bare = (rule) => inWords(short(rule), app.speech);
    if (!(row.review?.reviewed > 0)) return bare(row.review ? row.review.without.rule : row.rule);
    const { flag_choice: flag, review_choice: reached } = row.review;
    return `${bare(flag.rule)}\nlooks ${bare(reached.rule)}`.replaceAll('≥ ', '≥\u00a0');
  }

  function costText(row) {
    if (row.normalised_cost === null) return '–';
    return row.per_1000 === null ? digits(row.normalised_cost, 4) : money(row.per_1000);
  }

  function extra(row, f) {
    if (row === f.rows[0]) return 'cheapest';
    if (row.extra === null) return '–';
    // A model that flags nobody costs what flagging nobody costs, on every resample.
    const never = [row.extra, ...(row.extra_interval ?? [NaN])].every((v) => Math.abs(v) < 1e-9);
    if (row.identical || never) return 'the same';
    // The head of the column tells the unit.
    const unit = row.extra_cost === null ? null : '';
    const extraCost = row.extra_cost ?? row.extra;
    const more = `${extraCost < 0 ? '' : '+'}${costSaid(extraCost, unit)}`;
    const [low, high] = (row.extra_interval ?? [0, 0]).map((end) => estimateSaid(end, unit));
    return low === high ? more : `${more}\n${low} to ${high}`;
  }

  function matrixOf(r, row, p) {
    const { words } = app.summary;
    const cells = [
      [p * row.tpr, 'caught'],
      [p * (1 - row.tpr), 'missed'],
      [(1 - p) * row.fpr, words.flagged === 'flagged' ? 'false alarms' : words.flagged],
      [(1 - p) * (1 - row.fpr), 'left alone'],
    ];
    const [tp, fn, fp, tn] = cells.map(([v, text]) => h('td', {}, h('b', {}, digits(1000 * v)), ` ${text}`));
    r.counts.textContent = '';
    r.counts.append(
      h(
        'table',
        {},
        h('caption', {}, `Of 1000 ${words.cases} with ${r.name}`),
        h(
          'thead',
          {},
          h('tr', {}, h('td'), h('th', { scope: 'col' }, words.flagged), h('th', { scope: 'col' }, 'left alone')),
        ),
        h(
          'tbody',
          {},
          h('tr', {}, h('th', { scope: 'row' }, words.positives), tp, fn),
          h('tr', {}, h('th', { scope: 'row' }, words.negatives), fp, tn),
        ),
      ),
    );
  }

  /** The table as CSV, with full digits. */
  function csv(f) {
    const quote = (v) => (/[",\n]/.test(v) ? `"${String(v).replaceAll('"', '""')}"` : v);
    const names = [
      'model',
      'rule',
      'threshold',
      'tpr',
      'fpr',
      'flagged',
      'precision',
      'normalised_cost',
      'expected_cost',
      'per_1000',
      'extra_cost',
      'share',
    ];
    const head = [...names, 'extra_low', 'extra_high'];
    const lines = f.rows.map((row) => [...names.map((name) => row[name]), ...(row.extra_interval ?? [null, null])]);
    return [head, ...lines]
      .map((line) => line.map((v) => (v === null || v === undefined ? '' : quote(v))).join(','))
      .join('\n');
  }

  return { node, update, csv };
}
