// For experts: every sentence, ROC space, cost space, equal-value lines, calibration, measures, definitions.
import { h, path, picture, s, say, set, stroke, t, unique, unitSquare } from './dom.js';
import { METRICS, contour, isoCost } from './isometrics.js';
import { digits, share } from './numbers.js';
import { smoothCut } from './rules.js';
import { middle } from './state.js';

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
  const swatch = (m) =>
    s(
      'svg',
      { width: 28, height: 10, 'aria-hidden': 'true' },
      lineOf(app, m, [
        [0, 5],
        [28, 5],
      ]),
    );
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
      const { X, Y, width: wide, height, drawn } = unitSquare(ink, width, 'false positive rate', 'true positive rate');
      const { answer, t: at } = placeOf(app, f);
      const parts = [];
      if (answer) {
        const cost = at * answer.fpr + (1 - at) * (1 - answer.tpr);
        const line = isoCost(cost, at);
        if (line) {
          const corners = [
            [0, 0],
            [1, 0],
            [1, 1],
          ].filter(([x, y]) => at * x + (1 - at) * (1 - y) > cost + 1e-9);
          const worse = [line[0], ...corners, line[1]].map(([x, y]) => [X(x), Y(y)]);
          parts.push(
            s('path', { d: `${path(worse)}Z`, fill: ink.shade }),
            stroke(
              line.map(([x, y]) => [X(x), Y(y)]),
              ink.ink,
              1.4,
              '5 4',
            ),
          );
        }
      }
      parts.push(
        ...drawn,
        stroke(
          [
            [0, 0],
            [1, 1],
          ].map(([x, y]) => [X(x), Y(y)]),
          ink.edge,
          1,
          '2 3',
        ),
      );
      hulls.forEach((hull, m) => {
        const every = Array.from(data.rules.path(m), (i) => [X(data.rules.fpr[i]), Y(data.rules.tpr[i])]);
        parts.push(s('path', { d: path(every), fill: 'none', stroke: app.colour(ink, m), 'stroke-width': 0.8, opacity: 0.6 }));
        parts.push(
          lineOf(
            app,
            m,
            hull.fpr.map((x, i) => [X(x), Y(hull.tpr[i])]),
          ),
        );
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
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const now = known.findIndex(([key]) => key === method);
    const next = (now + step + known.length) % known.length;
    choose(known[next][0]);
    tabs[next].focus();
  });
  return {
    node: h('section', {}, h('h3', {}, 'Cost space'), hint, list, holder),
    pictures: [['cost-space', 'Cost space', () => holder.firstChild]],
    update(f, width) {
      const { ink } = app;
      const { p, pcf } = placeOf(app, f);
      const places = Array.from({ length: 161 }, (_, i) => i / 160);
      const usable = app.hulls.map((_, m) => m).filter((m) => !lacks(m, method));
      const curves = usable.map((m) => [m, places.filter((z) => z > 0 && z < 1).map((z) => [z, methodCost(app, m, method, z, p)])]);
      const top = Math.max(method === 'kendall' ? 0.05 : 0.5, ...curves.flatMap(([, line]) => line.map(([, cost]) => cost)));
      const { X, width: wide, height, drawn } = unitSquare(ink, width, 'PCF(+): the share of misses in the cost at stake', '');
      const side = wide - 70;
      const Y = (cost) => 10 + side * (1 - cost / top);
      const frame = drawn.filter((one) => one && one.getAttribute('text-anchor') !== 'end');
      const ticks = [0, 0.25, 0.5, 0.75, 1].map((v) => t(50, Y(v * top) + 4, digits(v * top, 2), ink.muted, 13, null, 'end'));
      const trivial =
        method === 'kendall'
          ? []
          : [
              s('path', {
                d: path([
                  [X(0), Y(0)],
                  [X(Math.min(top, 0.5)), Y(Math.min(top, 0.5))],
                  [X(1), Y(0)],
                ]),
                fill: 'none',
                stroke: ink.edge,
                'stroke-dasharray': '2 3',
              }),
            ];
      const cursor = s('path', { d: `M${X(pcf).toFixed(1)} 10V${10 + side}`, stroke: ink.ink, 'stroke-width': 1.4 });
      holder.replaceChildren(
        picture(
          wide,
          height,
          `Normalised cost of each model at every condition: ${METHODS.find(([key]) => key === method)[1]}`,
          frame,
          ticks,
          trivial,
          curves.map(([m, line]) =>
            lineOf(
              app,
              m,
              line.map(([z, cost]) => [X(z), Y(cost)]),
            ),
          ),
          cursor,
        ),
      );
      say(hint, `${METHODS.find(([key]) => key === method)[2]} Normalised cost, 1 is every case wrong; the line is your condition.`);
      tabs.forEach((tab) => {
        const on = tab.dataset.method === method;
        tab.disabled = tab.dataset.method !== 'best' && app.hulls.every((_, m) => lacks(m, tab.dataset.method));
        set(tab, { 'aria-selected': String(on), tabindex: on ? 0 : -1 });
        if (on) set(holder, { 'aria-labelledby': tab.id });
      });
    },
  };
}

function isometricsView(app) {
  const pick = h(
    'select',
    { 'aria-label': 'Metric', onchange: () => app.refresh() },
    Object.keys(METRICS).map((name) => h('option', { value: name }, name)),
  );
  const holder = h('div', { class: 'picture isometrics' });
  let [drawn, held] = [null, []];
  return {
    node: h(
      'section',
      {},
      h('h3', {}, 'Isometrics of ', pick),
      h(
        'p',
        { class: 'quiet' },
        'Points of ROC space on one line have the same value at this prevalence. The dots are the models at this condition.',
      ),
      holder,
    ),
    pictures: [['isometrics', 'Isometrics', () => holder.firstChild]],
    update(f, width) {
      const { ink } = app;
      const { p } = placeOf(app, f);
      const { X, Y, width: wide, height, drawn: frame } = unitSquare(ink, width, 'false positive rate', 'true positive rate');
      const key = `${pick.value} ${p} ${wide} ${ink.bg}`;
      if (key !== drawn) {
        drawn = key;
        held = contours(METRICS[pick.value], p, ink, X, Y);
      }
      const rows = f.answer
        ? [f.answer, ...f.answer.alternatives].filter((row) => row.fpr !== undefined && app.data.names.includes(row.model))
        : [];
      const dots = rows.map((row) =>
        s(
          'circle',
          { cx: X(row.fpr), cy: Y(row.tpr), r: 4.5, fill: app.colour(ink, app.data.names.indexOf(row.model)) },
          s('title', {}, `${row.model}: ${digits(METRICS[pick.value](row.fpr, row.tpr, p))}`),
        ),
      );
      holder.replaceChildren(picture(wide, height, `Lines on which ${pick.value} is constant`, frame, held, dots));
    },
  };
}

function contours(metric, p, ink, X, Y) {
  const [top, bottom] = [metric(0.0001, 1, p), metric(1, 0.0001, p)];
  return Array.from({ length: 9 }, (_, i) => bottom + ((top - bottom) * (i + 1)) / 10).flatMap((level) => {
    const segments = contour((x, y) => metric(x, y, p), level);
    if (!segments.length) return [];
    const d = segments
      .map(([[ax, ay], [bx, by]]) =>
        path([
          [X(ax), Y(ay)],
          [X(bx), Y(by)],
        ]),
      )
      .join('');
    const [x, y] = segments[Math.floor(segments.length / 2)][0];
    return [
      s('path', { d, stroke: ink.edge, fill: 'none' }),
      t(X(x), Y(y), digits(level, 2), {
        size: 12,
        anchor: 'middle',
        fill: ink.muted,
        stroke: ink.bg,
        'stroke-width': 3,
        'paint-order': 'stroke',
      }),
    ];
  });
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
      const { X, Y, width: wide, height, drawn } = unitSquare(ink, width, 'mean score', `share of ${app.words.positives}`);
      const lines = usable.flatMap(
        ([
          {
            calibration: { bins },
          },
          m,
        ]) => [
          lineOf(
            app,
            m,
            bins.map(([x, y]) => [X(x), Y(y)]),
          ),
          ...bins.map(([x, y]) => s('circle', { cx: X(x), cy: Y(y), r: bins.length > 1 ? 2.5 : 5, fill: app.colour(ink, m) })),
        ],
      );
      const diagonal = stroke(
        [
          [0, 0],
          [1, 1],
        ].map(([x, y]) => [X(x), Y(y)]),
        ink.edge,
        1,
        '2 3',
      );
      holder.replaceChildren(picture(wide, height, `Share of ${app.words.positives} against score`, drawn, diagonal, lines));
    },
  };
}

function measuresView(app) {
  const { measures, models, level } = app.summary;
  const limits = (row, m) => (row.low && row.low[m] !== null ? h('small', {}, `${digits(row.low[m])} to ${digits(row.high[m])}`) : null);
  const best = (row, m) => {
    const own = row.values[m];
    const better = (a, b) => (row.better === 'higher' ? a >= b : a <= b);
    return models.length > 1 && own !== null && row.values.every((other) => other === null || better(own, other));
  };
  const cell = (row, m) => {
    const text = row.values[m] === null ? '–' : digits(row.values[m], 4);
    return h('td', {}, best(row, m) ? h('b', {}, text) : text, ' ', limits(row, m));
  };
  const intervals = measures.some((row) => row.low) ? ` Below each number its ${share(level)} interval.` : '';
  const table = h(
    'table',
    {},
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, 'Measure'),
        models.map((m) => h('th', { scope: 'col', title: m.name }, m.short ?? m.name)),
      ),
    ),
    h(
      'tbody',
      {},
      measures.map((row) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row', title: row.about }, `${row.name} `, h('small', {}, `${row.better} is better`)),
          models.map((_, m) => cell(row, m)),
        ),
      ),
    ),
  );
  const node = h(
    'section',
    { class: 'wide' },
    h('h3', {}, 'Summary measures'),
    h(
      'p',
      { class: 'quiet' },
      `Averages over conditions, not over yours alone.${models.length > 1 ? ' The best of each row is bold.' : ''}${intervals}`,
    ),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Summary measures' }, table),
  );
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
  const list = (pairs) =>
    h(
      'dl',
      {},
      pairs.filter(([, v]) => v).flatMap(([k, v]) => [h('dt', {}, k), h('dd', {}, String(v))]),
    );
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
      const lines = answer
        ? Object.entries(answer.says)
            .filter(([key, text]) => text && key !== 'headline')
            .map(([, text]) => text)
        : [];
      if (said.textContent !== lines.join('')) said.replaceChildren(...lines.map((text) => h('p', {}, text)));
    },
  };
}

/** The experts' drawer: its views are drawn when it is opened. */
export function expertsView(app) {
  const views = [rocView(app), costView(app), isometricsView(app), calibrationView(app), measuresView(app), methodView(app)];
  const node = h(
    'details',
    { class: 'experts', ontoggle: () => app.refresh() },
    h('summary', {}, 'For experts'),
    h(
      'div',
      { class: 'grid' },
      views.map((view) => view.node),
    ),
  );
  return {
    node,
    pictures: views.flatMap((view) => view.pictures),
    open() {
      node.open = true;
    },
    update(f) {
      if (!node.open) return;
      for (const view of views) view.update(f, app.room(view.node, 400));
    },
  };
}
