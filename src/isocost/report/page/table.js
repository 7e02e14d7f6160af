// All models: the rule of each, what it does and what it costs; and groups of cases below.
import { breakable, h, tableOf } from './dom.js';
import { percent, rough, roughSpan, started, thresholdText } from './numbers.js';

const dash = (value, shown) => (value === null || value === undefined ? '–' : shown(value));
const numberOfText = (v) => (v === 'Infinity' ? Infinity : v === '-Infinity' ? -Infinity : v);

/** A rule in a few words. */
export function ruleText(row, words) {
  const cut = (one) =>
    thresholdText(numberOfText(one.threshold), one.below === null || one.below === undefined ? -Infinity : numberOfText(one.below));
  if (row.rule === 'none') return 'no rule keeps the limits';
  if (row.rule === 'nobody' || row.threshold === 'Infinity') return `${words.flag} nobody`;
  if (row.rule === 'everybody' || row.threshold === '-Infinity') return `${words.flag} everybody`;
  if (row.rule === 'band') {
    const { flag_from, review_from } = row.review;
    const outright = flag_from.rule === 'nobody' ? `${words.flag} nobody outright` : `${cut(flag_from)} or more`;
    return `${outright}; a person looks ${review_from.rule === 'everybody' ? 'at all others' : `from ${cut(review_from)}`}`;
  }
  if (row.rule === 'point') return 'operating point';
  const own = `${cut(row)} or more`;
  return row.rule === 'mix' ? `${own}, mixed` : own;
}

/** The rows of the table as texts, the choice first. */
export function tableRows(app, f) {
  const { answer } = f;
  const { words } = app;
  const price = answer.confidence?.price ?? answer.expected_cost;
  const unit = app.unit();
  const trivial = (row) => app.data.names.indexOf(row.model) < 0;
  const line = (row, cost, more, name) => ({
    row,
    cells: [
      name ?? (trivial(row) ? 'no model' : app.names[app.data.names.indexOf(row.model)]),
      ruleText(row, words),
      dash(row.flagged, percent),
      dash(row.tpr, percent),
      dash(row.precision, percent),
      dash(cost, (v) => rough(1000 * v, unit)),
      more,
    ],
  });
  const span = (pair) => {
    const [low, high] = pair.map((v) => 1000 * v);
    if (low >= 0) return `${roughSpan([low, high], unit)} more`;
    return `${rough(-low, unit)} less to ${rough(Math.max(high, 0), unit)} more`;
  };
  const rows = [line(answer, price, '–')];
  for (const one of answer.alternatives) {
    const cost = one.rule === 'none' || price === null ? null : price + (one.extra_cost ?? one.extra ?? 0);
    const more = one.extra_interval ? span(one.extra_interval) : dash(one.extra_cost ?? one.extra, (v) => `${rough(1000 * v, unit)} more`);
    rows.push(line(one, cost, one.identical ? 'flags the same' : more));
  }
  if (answer.current && !answer.current.same) {
    const own = {
      ...answer.current,
      rule: 'score',
      below: null,
      precision: answer.current.flagged ? (answer.question.quantities.prevalence.mean * answer.current.tpr) / answer.current.flagged : null,
    };
    const rule = trivial(own) ? { ...own, rule: own.model === 'always-negative' ? 'nobody' : 'everybody' } : own;
    const { saving_interval: pair } = answer.current;
    rows.push(line(rule, own.expected_cost, pair ? span(pair) : '–', 'today'));
  }
  return rows;
}

export const tableHeads = (app) => {
  const { words } = app;
  return [
    'Model',
    'Rule',
    started(words.flagged),
    `${started(words.positives)} caught`,
    `Of those ${words.flagged}, ${words.positives}`,
    'Cost per 1,000',
    'Against the choice',
  ];
};

/** The table as a file. */
export function csvOf(app, f) {
  const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = [tableHeads(app), ...tableRows(app, f).map(({ cells }) => cells)];
  return rows.map((row) => row.map(cell).join(',')).join('\r\n');
}

export function tableView(app, groups) {
  const [holder, heads] = [h('div', { class: 'models' }), tableHeads(app)];
  const note = h(
    'p',
    { class: 'quiet', hidden: true },
    'Groups are shown at the costs the report was made with, with one rule for each group and without second looks.',
  );
  const node = h('div', {}, holder, groups ? [note, groups] : null);
  return {
    node,
    pictures: [],
    update(f) {
      if (groups) note.hidden = app.state === app.author;
      if (!f.answer || f.state === 'ask') {
        holder.replaceChildren(h('p', { class: 'quiet' }, 'Costs first: until then no model is cheaper than another.'));
        return;
      }
      const rows = tableRows(app, f).map(({ row, cells: [name, ...rest] }) => {
        const swatch = h('i', { class: 'swatch' });
        swatch.style.background = app.colour(app.ink, app.data.names.indexOf(row.model));
        return [[swatch, ...breakable(name)], ...rest.map((text, k) => h('td', { 'data-head': heads[k + 1] }, text))];
      });
      const table = tableOf(heads, rows);
      table.tBodies[0].firstChild.classList.add('chosen');
      holder.replaceChildren(table);
    },
  };
}
