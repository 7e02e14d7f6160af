// For experts: every sentence, ROC space, cost space, calibration, measures, definitions.
import { h, onArrows, path, picture, s, say, set, stroke, t, tableOf, unique, unitSquare } from './dom.js';
import { digits } from './numbers.js';
import { smoothCut } from './rules.js';
import { middle } from './state.js';

const ZERO = [0, 0];
const RIGHT = [1, 0];
const UNIT_CORNERS = [ZERO, RIGHT, [1, 1]];
const lined = (text) => text.split('\n').map((line) => line.split(' | '));
const METHODS = lined(`best | Best threshold | Each model with the threshold that is cheapest at each condition (lower envelope).
smooth | Smooth risk curve | Each model with the threshold that is cheapest under a smooth risk curve, paid for on these cases.
rate_driven | Quota | The share flagged is the cost proportion, miss ÷ (miss + false alarm), whatever the scores say.
kendall | Kendall | What the quota costs beyond a perfect ranking: the loss of the order alone.
score_driven | Trust the scores | Flag when the score, read as a probability, is at least false alarm ÷ (miss + false alarm).`);
const TERMS =
  lined(`PCF(+) | share of the cost at stake that misses carry: cost of a miss × prevalence, divided by that plus cost of a false alarm × (1 − prevalence).
normalised cost | expected cost divided by the cost of getting every case wrong: (1 − PCF)·FPR + PCF·(1 − TPR).
best threshold | the point of the convex hull of the ROC curve that is cheapest at the condition. Flagging no one and flagging everyone are always allowed.
price | the cost to expect on new cases: the cases are drawn again, the whole choice is repeated on each draw and paid for on the cases left out.
clear, leaning, open | clear: no other choice is cheaper by more than 5 % of the cost (95 % sure); leaning: by at most 20 %; open: otherwise.
range | every value in it equally likely, and independent of the other ranges. A rule costs on average what it costs at the middles.`);

/** The normalised cost of a model when its threshold is set in some way, at a share of misses in the cost (PCF). */
function methodCost(app, m, method, pcf, p) {
  const { rules } = app.data;
  const cost = (fpr, tpr) => (1 - pcf) * fpr + pcf * (1 - tpr);
  if (method === 'best') return Math.min(...app.hulls[m].fpr.map((x, i) => cost(x, app.hulls[m].tpr[i])));
  if (method === 'smooth') {
    const i = rules.rowAt(m, smoothCut(app.data.smooth[m], { weights: [1 - pcf, pcf], scale: 1 }));
    return cost(rules.fpr[i], rules.tpr[i]);
  }
  const misses = pcf * (1 - p);
  const c = misses / (misses + (1 - pcf) * p);
  if (method === 'score_driven') {
    const i = rules.rowAt(m, 1 - c);
    return cost(rules.fpr[i], rules.tpr[i]);
  }
  const [i, j, u] = rules.atRate(rules.path(m), { prevalence: p, cut: 1 - c });
  const paid = cost(rules.fpr[i] + u * (rules.fpr[j] - rules.fpr[i]), rules.tpr[i] + u * (rules.tpr[j] - rules.tpr[i]));
  return method === 'rate_driven' ? paid : paid - cost(Math.max(c - p, 0) / (1 - p), Math.min(c / p, 1));
}

const lineOf = (app, m, points) => stroke(points, app.colour(app.ink, m), app.coloured().includes(m) ? 2.2 : 1, app.dash(m));
const section = (title, hint, ...children) =>
  h('section', {}, h('h3', {}, title), hint ? h('p', { class: 'quiet' }, hint) : null, children);

function legend(app) {
  const ends = [0, 28].map((x) => [x, 5]);
  const swatch = (m) => s('svg', { width: 28, height: 10, 'aria-hidden': 'true' }, lineOf(app, m, ends));
  const items = app.coloured().map((m) => h('li', {}, swatch(m), app.names[m]));
  const others = app.names.length - items.length;
  return [...items, ...(others > 0 ? [h('li', {}, `grey: ${others} more`)] : [])];
}

/** PCF, normalised cost and rates of the decision, for the pictures. */
function placeOf(app, f) {
  const p = middle(app.state.share);
  const r = app.state.ratio ? middle(app.state.ratio) : 1;
  const pcf = (p * r) / (p * r + 1 - p);
  return { p, pcf, t: 1 - pcf, answer: f.answer };
}

function rocView(app) {
  const holder = h('div', { class: 'picture roc' });
  const key = h('ul', { class: 'legend' });
  const hint =
    'Thin: every threshold; thick: the hull. Points on the dashed line cost the same as the decision; the shaded side costs more.';
  const node = section('ROC space', hint, holder, key);
  return {
    node,
    pictures: [['roc', 'ROC space', () => holder.firstChild]],
    update(f, width) {
      const { ink, data, hulls } = app;
      const { X, Y, at, diagonal, width: wide, height, drawn } = unitSquare(ink, width, 'false positive rate', 'true positive rate');
      const { answer, t: alarms } = placeOf(app, f);
      const parts = [];
      const cost = ([x, y]) => alarms * x + (1 - alarms) * (1 - y);
      const paid = answer && cost([answer.fpr, answer.tpr]);
      const line = answer && isoCost(paid, alarms);
      if (line) {
        const corners = UNIT_CORNERS.filter((corner) => cost(corner) > paid + 1e-9);
        const worse = path(at([line[0], ...corners, line[1]]));
        parts.push(s('path', { d: `${worse}Z`, fill: ink.shade }), stroke(at(line), ink.ink, 1.4, '5 4'));
      }
      parts.push(...drawn, diagonal);
      hulls.forEach((hull, m) => {
        const every = Array.from(data.rules.path(m), (i) => [data.rules.fpr[i], data.rules.tpr[i]]);
        const corners = hull.fpr.map((x, i) => [x, hull.tpr[i]]);
        parts.push(s('path', { d: path(at(every)), fill: 'none', stroke: app.colour(ink, m), 'stroke-width': 0.8, opacity: 0.6 }));
        parts.push(lineOf(app, m, at(corners)));
      });
      if (answer?.rule === 'band') {
        const ends = [answer.review.flag_from, answer.review.review_from];
        parts.push(...ends.map(({ fpr, tpr }) => s('rect', { x: X(fpr) - 5, y: Y(tpr) - 5, width: 10, height: 10, fill: ink.review })));
      }
      if (answer) {
        parts.push(s('circle', { cx: X(answer.fpr), cy: Y(answer.tpr), r: 7, fill: ink.card, stroke: ink.ink, 'stroke-width': 3 }));
      }
      holder.replaceChildren(picture(wide, height, 'ROC curves of all models and the decision', parts));
      key.replaceChildren(...legend(app));
    },
  };
}

function costView(app) {
  const holder = h('div', { class: 'picture cost', role: 'tabpanel' });
  const hint = h('p', { class: 'quiet' });
  let method = 'best';
  // Only a report that was asked for smooth thresholds holds them.
  const known = METHODS.filter(([key]) => key !== 'smooth' || app.data.smooth.every(Boolean));
  const lacks = (m, key) => app.summary.models[m].unavailable?.[key];
  const tabs = known.map(([key, label]) =>
    h('button', { type: 'button', role: 'tab', id: unique('method'), 'data-method': key, onclick: () => choose(key) }, label),
  );
  const choose = (key) => {
    method = key;
    app.refresh();
  };
  const list = h('div', { class: 'tabs small', role: 'tablist', 'aria-label': 'How thresholds are chosen' }, tabs);
  onArrows(list, tabs);
  return {
    node: h('section', {}, h('h3', {}, 'Cost space'), hint, list, holder),
    pictures: [['cost-space', 'Cost space', () => holder.firstChild]],
    update(f, width) {
      const { ink } = app;
      const { p, pcf } = placeOf(app, f);
      const places = Array.from({ length: 159 }, (_, i) => (i + 1) / 160);
      const usable = app.hulls.map((_, m) => m).filter((m) => !lacks(m, method));
      const costs = usable.map((m) => places.map((z) => methodCost(app, m, method, z, p)));
      const top = Math.max(method === 'kendall' ? 0.05 : 0.5, ...costs.flat());
      const { X, width: wide, height, drawn } = unitSquare(ink, width, 'PCF(+): the share of misses in the cost at stake', '');
      const side = wide - 70;
      const Y = (cost) => 10 + side * (1 - cost / top);
      const frame = drawn.filter((one) => one && one.getAttribute('text-anchor') !== 'end');
      const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].map((v) => t(50, Y(v * top) + 4, digits(v * top, 2), ink.muted, 13, null, 'end'));
      const half = Math.min(top, 0.5);
      const corners = [ZERO, [half, half], RIGHT].map(([z, cost]) => [X(z), Y(cost)]);
      const trivial = method === 'kendall' ? null : stroke(corners, ink.edge, 1, '2 3');
      const cursor = s('path', { d: `M${X(pcf).toFixed(1)} 10V${10 + side}`, stroke: ink.ink, 'stroke-width': 1.4 });
      const points = costs.map((line) => line.map((cost, i) => [X(places[i]), Y(cost)]));
      const lines = usable.map((m, k) => lineOf(app, m, points[k]));
      const [, name, about] = METHODS.find(([key]) => key === method);
      const label = `Normalised cost of each model at every condition: ${name}`;
      holder.replaceChildren(picture(wide, height, label, frame, ticks, trivial, lines, cursor));
      say(hint, `${about} Normalised cost, 1 is every case wrong; the line is your condition.`);
      tabs.forEach((tab) => {
        const on = tab.dataset.method === method;
        tab.disabled = tab.dataset.method !== 'best' && app.hulls.every((_, m) => lacks(m, tab.dataset.method));
        set(tab, { 'aria-selected': String(on), tabindex: on ? 0 : -1 });
        if (on) set(holder, { 'aria-labelledby': tab.id });
      });
    },
  };
}

function calibrationView(app) {
  const usable = app.summary.models.map((m, i) => [m, i]).filter(([m]) => m.calibration);
  const holder = h('div', { class: 'picture calibration' });
  const tested = ({ name, calibration: { z } }) =>
    z === null ? `${name}: none, since every score is 0, 0.5 or 1` : `${name}: z = ${digits(z)}`;
  const text = usable.length
    ? `Share of ${app.words.positives} against mean score, in tenths of the ${app.words.cases}; on the diagonal a score is the probability it states. Spiegelhalter’s z, beyond ±1.96 if not calibrated: ${usable.map(([m]) => tested(m)).join('; ')}.`
    : 'Not drawn: it takes scores that are probabilities, between 0 and 1.';
  return {
    node: h('section', {}, h('h3', {}, 'Calibration'), h('p', { class: 'quiet' }, text), holder),
    pictures: usable.length ? [['calibration', 'Calibration', () => holder.firstChild]] : [],
    update(_, width) {
      if (!usable.length) return;
      const { ink } = app;
      const { at, diagonal, width: wide, height, drawn } = unitSquare(ink, width, 'mean score', `share of ${app.words.positives}`);
      const lines = usable.flatMap(([{ calibration }, m]) => {
        const points = at(calibration.bins);
        const r = points.length > 1 ? 2.5 : 5;
        return [lineOf(app, m, points), ...points.map(([cx, cy]) => s('circle', { cx, cy, r, fill: app.colour(ink, m) }))];
      });
      holder.replaceChildren(picture(wide, height, `Share of ${app.words.positives} against score`, drawn, diagonal, lines));
    },
  };
}

function measuresView(app) {
  const { measures, models } = app.summary;
  const best = ({ better, values }, m) => {
    const ahead = (other) => other === null || (better === 'higher' ? values[m] >= other : values[m] <= other);
    return models.length > 1 && values[m] !== null && values.every(ahead);
  };
  const cell = (row, m) => {
    const text = row.values[m] === null ? '–' : digits(row.values[m], 4);
    return best(row, m) ? h('b', {}, text) : text;
  };
  const named = (row) => h('th', { scope: 'row', title: row.about }, `${row.name} `, h('small', {}, `${row.better} is better`));
  const heads = ['Measure', ...models.map((m) => h('th', { scope: 'col', title: m.name }, m.short))];
  const rows = measures.map((row) => [named(row), ...models.map((_, m) => cell(row, m))]);
  const hint = `Averages over conditions, not over yours alone.${models.length > 1 ? ' The best of each row is bold.' : ''}`;
  const table = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Summary measures' }, tableOf(heads, rows));
  const node = section('Summary measures', hint, table);
  node.classList.add('wide');
  return { node, pictures: [], update() {} };
}

function methodView(app) {
  const { provenance, data } = app.summary;
  const said = h('div', { class: 'every' });
  const facts = [
    ['call', provenance.call],
    ['isocost', provenance.isocost],
    ['Python', provenance.python],
    ['numpy', provenance.numpy],
    ['data fingerprint', provenance.fingerprint],
    ...Object.entries(provenance.options ?? {}),
  ];
  const entry = ([k, v]) => (v ? [h('dt', {}, k), h('dd', {}, String(v))] : []);
  const list = (pairs) => h('dl', {}, pairs.map(entry));
  const none = data.rows ? null : h('p', { class: 'quiet' }, 'The report was made from counts or points; resampling needs rows.');
  return {
    node: h(
      'section',
      { class: 'wide' },
      h('h3', {}, 'Every sentence of the decision'),
      said,
      h('h3', {}, 'Definitions'),
      list(TERMS),
      none,
      h('h3', {}, 'How to make this report again'),
      list(facts),
    ),
    pictures: [],
    update({ answer }) {
      const lines = Object.entries(answer?.says ?? {}).flatMap(([key, text]) => (key === 'headline' || !text ? [] : [text]));
      if (said.textContent !== lines.join('')) said.replaceChildren(...lines.map((text) => h('p', {}, text)));
    },
  };
}

/** The experts' drawer: its views are drawn when it is opened. */
export function expertsView(app) {
  const views = [rocView(app), costView(app), calibrationView(app), measuresView(app), methodView(app)];
  const nodes = views.map((view) => view.node);
  const node = h('details', { class: 'experts', ontoggle: () => app.refresh() }, h('summary', {}, 'For experts'));
  node.append(h('div', { class: 'grid' }, nodes));
  return {
    node,
    pictures: views.flatMap((view) => view.pictures),
    open() {
      node.open = true;
    },
    update(f) {
      if (!node.open) return;
      for (const view of views) view.update(f, app.widthOf(view.node, 400));
    },
  };
}

/** Where the line of equal cost meets the unit square of ROC space: share·x + (1 − share)·(1 − y) = cost. */
function isoCost(cost, share) {
  const [x, y] = [(v) => (cost - (1 - share) * (1 - v)) / share, (v) => 1 - (cost - share * v) / (1 - share)];
  const ends = [0, 1].flatMap((v) => [
    [v, y(v)],
    [x(v), v],
  ]);
  const inside = ends.filter((point) => point.every((v) => v >= -1e-12 && v <= 1 + 1e-12)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return inside.length < 2 ? null : [inside[0], inside[inside.length - 1]];
}
