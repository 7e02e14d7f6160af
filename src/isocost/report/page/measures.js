// Summary measures, calibration, and how the report was made.
import { h, path, s, square, unitFrame } from './dom.js';
import { digits, share } from './numbers.js';
import { clearFrom } from './resamples.js';

export function measuresView(app) {
  const { measures, models } = app.summary;
  const bold = models.length > 1 ? ' The best of each row is bold.' : '';
  const notes = [];
  if (measures.some((row) => row.low)) {
    notes.push(
      ` Below each number its ${share(app.summary.level)} interval, where resamples give one; ` +
        'corrected for thresholds chosen on the same cases.',
    );
  }
  if (measures.some((row) => row.open)) {
    notes.push(
      ' Two numbers in place of one: scores were counted together in buckets, and the measure lies between them.',
    );
  }
  const open = (row, m) => (row.open ? row.open[m] : null);
  const ends = (row, m) => open(row, m) || (row.values[m] === null ? null : [row.values[m], row.values[m]]);
  const cell = (row, m) => {
    const pair = open(row, m);
    if (pair) {
      // As many digits as tell the two apart.
      let n = 4;
      while (n < 16 && digits(pair[0], n) === digits(pair[1], n)) n++;
      return `${digits(pair[0], n)} to ${digits(pair[1], n)}`;
    }
    return row.values[m] === null ? '–' : digits(row.values[m], 4);
  };
  const limits = (row, m) =>
    row.low && row.low[m] !== null ? h('small', {}, `${digits(row.low[m])} to ${digits(row.high[m])}`) : null;
  // Best for certain: no other model can be better.
  const best = (row, m) => {
    const own = ends(row, m);
    const others = models.map((_, i) => (i === m ? null : ends(row, i))).filter(Boolean);
    return (
      own !== null &&
      models.length > 1 &&
      others.every((other) => (row.better === 'higher' ? own[0] >= other[1] : own[1] <= other[0]))
    );
  };
  const node = h(
    'section',
    { class: 'wide' },
    h('h3', {}, 'Summary measures'),
    h('p', { class: 'hint' }, `Averages over conditions, not over yours alone.${bold}${notes.join('')}`),
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Summary measures' },
      h(
        'table',
        { class: 'measures' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, 'Measure'),
            models.map((m) => h('th', { scope: 'col', title: m.name }, m.short)),
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
              models.map((_, m) => h('td', {}, best(row, m) ? h('b', {}, cell(row, m)) : cell(row, m), limits(row, m))),
            ),
          ),
        ),
      ),
    ),
  );
  return { node, draw() {}, update() {} };
}

export function calibrationView(app) {
  const usable = app.summary.models.map((m, i) => [m, i]).filter(([m]) => m.calibration);
  if (!usable.length) {
    const why = 'Not drawn: it takes scores that are probabilities, between 0 and 1.';
    return {
      node: h('section', {}, h('h3', {}, 'Calibration'), h('p', { class: 'hint' }, why)),
      draw() {},
      update() {},
    };
  }
  const svg = s('svg', { class: 'panel', role: 'img', 'aria-label': 'Share of positives against score' });
  const tested = ({ name, calibration: { z } }) =>
    z === null ? `${name}: none, since every score is 0, 0.5 or 1` : `${name}: z\u00a0=\u00a0${digits(z)}`;
  const said = usable.map(([m]) => tested(m)).join('; ');
  const node = h(
    'section',
    {},
    h('h3', {}, 'Calibration'),
    h(
      'p',
      { class: 'hint' },
      'Share of positives against mean score, in tenths of the cases; on the diagonal a score is the probability it ' +
        `says. Spiegelhalter’s z, beyond ±1.96 if not calibrated: ${said}.`,
    ),
    svg,
  );
  function draw(width) {
    const { X, Y } = unitFrame(svg, square(Math.min(width - 66, 340)), 'mean score', 'share of positives');
    svg.append(s('line', { class: 'chance', x1: X(0), y1: Y(0), x2: X(1), y2: Y(1) }));
    for (const [model, m] of usable) {
      svg.append(
        s('path', { class: 'line', 'data-model': m, d: path(model.calibration.bins.map(([x, y]) => [X(x), Y(y)])) }),
      );
      // A lone dot has no line to be found by.
      const r = model.calibration.bins.length > 1 ? 2.5 : 5;
      for (const [x, y] of model.calibration.bins) {
        svg.append(s('circle', { class: 'dot', 'data-model': m, r, cx: X(x), cy: Y(y) }));
      }
    }
  }
  return { node, svg, name: 'calibration', title: 'Calibration', draw, update() {} };
}

export function methodView(app) {
  const { provenance, resamples, data, level } = app.summary;
  const terms = [
    [
      'PCF(+)',
      'share of the cost at stake that misses carry: cost of a miss × prevalence, divided by that plus ' +
        'cost of a false alarm × (1 − prevalence).',
    ],
    [
      'normalised cost',
      'expected cost divided by the cost of getting every case wrong: (1 − PCF)·FPR + PCF·(1 − TPR).',
    ],
    [
      'best threshold',
      'the point of the convex hull of the ROC curve that is cheapest at the condition. ' +
        'Flagging nobody and everybody are always allowed.',
    ],
    [
      'interval',
      resamples
        ? `middle ${share(level)} of ${resamples.n} resamples of the rows, drawn class by class, the same rows for ` +
          'all models. ' +
          'Thresholds look better on the cases they were chosen on than they are. The intervals are corrected for ' +
          'that, and can lie above the cost shown.'
        : data.rows
          ? 'none: the report was made without resamples.'
          : 'none: the report was made from counts or points, and resampling needs rows.',
    ],
    [
      'clear, leaning, open',
      `cheapest in at least ${share(clearFrom(level))}, at least 80 %, or less than 80 % of the resamples.`,
    ],
    [
      'range',
      'every value in it equally likely, and independent of the other ranges. A rule costs on average what it costs ' +
        'at the middles. The decision has the lowest expected cost.',
    ],
    ['regret', 'what a rule costs more than the best one at the same condition.'],
  ];
  const facts = [
    ['call', provenance.call],
    ['conditions', provenance.over],
    ['seed', resamples ? String(resamples.seed) : null],
    ['isocost', provenance.isocost],
    ['Python', provenance.python],
    ['numpy', provenance.numpy],
    ['data fingerprint', provenance.fingerprint],
    ...Object.entries(provenance.options),
  ];
  const list = (pairs) =>
    h(
      'dl',
      {},
      pairs.filter(([, v]) => v).flatMap(([k, v]) => [h('dt', {}, k), h('dd', {}, v)]),
    );
  return {
    node: h(
      'section',
      { class: 'wide' },
      h('h3', {}, 'Method and definitions'),
      list(terms),
      h('h3', {}, 'How to make this report again'),
      list(facts),
    ),
    draw() {},
    update() {},
  };
}
