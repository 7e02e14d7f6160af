// What a curious reader asks next: lesser classifiers, isometrics, measures, calibration, method.
import { axes, h, path, s, say, set, short } from './dom.js';
import { METRICS, contour, isoCost, lesserArea, optimalCost } from './core.js';
import { digits } from './words.js';

const square = (side) => ({ left: 50, top: 10, width: side, height: side });

function unitFrame(svg, frame, xTitle, yTitle) {
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1];
  const X = (v) => frame.left + v * frame.width;
  const Y = (v) => frame.top + (1 - v) * frame.height;
  set(svg, { viewBox: `0 0 ${frame.width + 62} ${frame.height + 54}`, width: frame.width + 62, height: frame.height + 54 });
  svg.textContent = '';
  svg.append(axes(frame, { ticks: ticks.map((v) => [X(v), String(v)]), title: xTitle }, { ticks: ticks.map((v) => [Y(v), String(v)]), title: yTitle }));
  return { X, Y };
}

function lesserView(app) {
  const svg = s('svg', { class: 'panel', role: 'img', 'aria-label': 'Area of lesser classifiers of each model at every condition' });
  const node = h('section', {}, h('h3', {}, 'Lesser classifiers'), h('p', { class: 'hint' }, 'The share of all conceivable classifiers that are no better than the model; its mean over all conditions is the VOROS.'), svg);
  let cursor;
  let at;
  function draw(width) {
    const frame = square(Math.min(width - 66, 340));
    at = unitFrame(svg, frame, 'PCF(+)', 'area of lesser classifiers');
    app.data.models.forEach((model, m) => {
      const points = [];
      for (let i = 1; i < 200; i++) points.push([at.X(i / 200), at.Y(lesserArea(optimalCost(model, 1 - i / 200), 1 - i / 200))]);
      svg.append(s('path', { class: 'line', 'data-model': m, d: path(points) }));
    });
    cursor = s('line', { class: 'cursor', y1: at.Y(0), y2: at.Y(1) });
    svg.append(cursor);
  }
  return { node, svg, name: 'lesser', title: 'Lesser classifiers', draw, update: (f) => set(cursor, { x1: at.X(f.pcf), x2: at.X(f.pcf) }) };
}

function surfaceView(app) {
  const canvas = h('canvas', { class: 'surface', role: 'slider', tabindex: 0, 'aria-label': 'ROC surface of the chosen model, turned by', 'aria-valuemin': -180, 'aria-valuemax': 180 });
  const node = h('section', {}, h('h3', {}, 'ROC surface'), h('p', { class: 'hint' }, 'Lines of equal cost through the optimum, stacked over t = 1 − PCF(+). The volume on their worse side is the VOROS; the outlined slice is this condition. Drag to turn it, or use the arrow keys.'), canvas);
  let turn = -0.7;
  let size = 320;
  let latest = null;
  function turnTo(angle) {
    turn = Math.atan2(Math.sin(angle), Math.cos(angle));
    const degrees = Math.round((turn * 180) / Math.PI);
    set(canvas, { 'aria-valuenow': degrees, 'aria-valuetext': `${degrees} degrees` });
    if (latest) update(latest);
  }
  turnTo(turn);
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageUp: 45, PageDown: -45 }[event.key];
    if (!step && event.key !== 'Home') return;
    event.preventDefault();
    turnTo(event.key === 'Home' ? -0.7 : turn + (step * (event.shiftKey ? 3 : 1) * Math.PI) / 180);
  });
  canvas.addEventListener('pointerdown', (event) => {
    const [start, from] = [event.clientX, turn];
    const move = (e) => turnTo(from + (e.clientX - start) / 150);
    const stop = () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', stop);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', stop);
  });
  const sheets = new Map();
  /** The lines of a model's surface, worked out once. */
  function sheet(m) {
    if (!sheets.has(m)) {
      const found = [];
      for (let i = 1; i < 100; i++) {
        const ends = isoCost(optimalCost(app.data.models[m], i / 100), i / 100);
        if (ends) found.push({ ends, t: i / 100 });
      }
      sheets.set(m, found);
    }
    return sheets.get(m);
  }
  function draw(width) {
    size = Math.min(width - 10, 360);
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    set(canvas, { width: Math.round(size * ratio), height: Math.round(size * ratio) });
    canvas.style.width = `${size}px`;
    canvas.style.height = `${size}px`;
  }
  function update(f) {
    latest = f;
    const pen = canvas.getContext('2d');
    const scale = canvas.width / size;
    const style = getComputedStyle(canvas);
    const m = f.chosen.model >= 0 ? f.chosen.model : f.follow ? f.follow.model : 0;
    const model = app.data.models[m];
    const colour = style.getPropertyValue(app.looks()[m].colour) || style.getPropertyValue('--grey');
    const [c, n] = [Math.cos(turn), Math.sin(turn)];
    const at = (x, y, t) => {
      const [u, v] = [x - 0.5, y - 0.5];
      const [a, b] = [u * c - v * n, u * n + v * c];
      return [size / 2 + a * size * 0.55, size / 2 + b * size * 0.24 + (0.5 - t) * size * 0.5];
    };
    const line = (points, close) => {
      pen.beginPath();
      points.forEach((p, i) => (i ? pen.lineTo(...at(...p)) : pen.moveTo(...at(...p))));
      if (close) pen.closePath();
    };
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, size, size);
    pen.lineWidth = 1;
    pen.strokeStyle = style.getPropertyValue('--edge');
    for (const t of [0, 1]) {
      line([[0, 0, t], [1, 0, t], [1, 1, t], [0, 1, t]], true);
      pen.stroke();
    }
    for (const [x, y] of [[0, 0], [1, 0], [1, 1], [0, 1]]) {
      line([[x, y, 0], [x, y, 1]]);
      pen.stroke();
    }
    pen.strokeStyle = colour;
    pen.globalAlpha = 0.5;
    pen.beginPath();
    for (const { ends, t } of sheet(m)) {
      pen.moveTo(...at(...ends[0], t));
      pen.lineTo(...at(...ends[1], t));
    }
    pen.stroke();
    pen.globalAlpha = 1;
    pen.strokeStyle = style.getPropertyValue('--ink');
    pen.lineWidth = 1.6;
    line([[0, 0, f.t], [1, 0, f.t], [1, 1, f.t], [0, 1, f.t]], true);
    pen.stroke();
    const ends = isoCost(optimalCost(model, f.t), f.t);
    if (ends) {
      pen.lineWidth = 3;
      line(ends.map(([x, y]) => [x, y, f.t]));
      pen.stroke();
    }
    pen.fillStyle = style.getPropertyValue('--ink');
    pen.font = '12px system-ui, sans-serif';
    pen.textAlign = 'center';
    // An axis is named at whichever of its edges is in front.
    const front = (p, q) => (at(...p)[1] > at(...q)[1] ? p : q);
    const names = [['FPR', front([0.5, -0.16, 0], [0.5, 1.16, 0])], ['TPR', front([-0.16, 0.5, 0], [1.16, 0.5, 0])], ['t = 0', [-0.09, -0.09, 0]], ['t = 1', [-0.09, -0.09, 1]]];
    for (const [text, place] of names) pen.fillText(text, ...at(...place));
  }
  return { node, canvas, name: 'surface', title: 'ROC surface', draw, update };
}

function isometricsView(app) {
  const names = Object.keys(METRICS);
  const pick = h('select', { 'aria-label': 'Metric', onchange: () => app.refresh() }, names.map((name) => h('option', { value: name }, name)));
  const svg = s('svg', { class: 'panel', role: 'img', 'aria-label': 'Lines on which the metric is constant' });
  const node = h('section', {}, h('h3', {}, 'Isometrics of ', pick), h('p', { class: 'hint' }, 'Points of ROC space on one line have the same value at this prevalence; the dots are the models at this condition.'), svg);
  let side = 300;
  let drawn = null;
  let dots = [];
  let at = null;
  function lines(p) {
    at = unitFrame(svg, square(side), 'FPR', 'TPR');
    const metric = METRICS[pick.value];
    const top = metric(0.0001, 1, p);
    const bottom = metric(1, 0.0001, p);
    for (let i = 1; i < 10; i++) {
      const level = bottom + ((top - bottom) * i) / 10;
      const segments = contour((x, y) => metric(x, y, p), level);
      if (!segments.length) continue;
      svg.append(s('path', { class: 'contour', d: segments.map(([[ax, ay], [bx, by]]) => `M${at.X(ax).toFixed(1)} ${at.Y(ay).toFixed(1)}L${at.X(bx).toFixed(1)} ${at.Y(by).toFixed(1)}`).join('') }));
      const [x, y] = segments[Math.floor(segments.length / 2)][0];
      svg.append(s('text', { class: 'aside halo', x: at.X(x), y: at.Y(y), 'text-anchor': 'middle' }, digits(level, 2)));
    }
    dots = app.data.models.map((_, m) => s('circle', { class: 'dot', 'data-model': m, r: 4 }, s('title', {})));
    svg.append(...dots);
    app.paint();
  }
  function update(f) {
    // The lines depend on the metric and the prevalence only.
    const now = `${pick.value} ${app.state.p} ${side}`;
    if (now !== drawn) lines(app.state.p);
    drawn = now;
    const metric = METRICS[pick.value];
    f.rows.forEach((r) => {
      set(dots[r.model], { cx: at.X(r.fpr), cy: at.Y(r.tpr) });
      say(dots[r.model].firstChild, `${r.name}: ${digits(metric(r.fpr, r.tpr, app.state.p))}`);
    });
  }
  return { node, svg, name: 'isometrics', title: 'Isometrics', draw: (width) => (side = Math.min(width - 66, 340)), update };
}

function measuresView(app) {
  const { measures, models } = app.summary;
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
  const limits = (row, m) => (row.low && row.low[m] !== null ? h('small', {}, `${digits(row.low[m])} to ${digits(row.high[m])}`) : null);
  // Best for certain: no other model can be better.
  const best = (row, m) => {
    const own = ends(row, m);
    const others = models.map((_, i) => (i === m ? null : ends(row, i))).filter(Boolean);
    return own !== null && others.every((other) => (row.better === 'higher' ? own[0] >= other[1] : own[1] <= other[0]));
  };
  const node = h('section', { class: 'wide' }, h('h3', {}, 'Summary measures'), h('p', { class: 'hint' }, `Averages over conditions, not over yours alone. The best of each row is bold.${measures.some((row) => row.low) ? ' Below each number its 95 % interval, where resamples give one; corrected for thresholds chosen on the same cases.' : ''}${measures.some((row) => row.open) ? ' Two numbers in place of one: scores were counted together in buckets, and the measure lies between them.' : ''}`),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Summary measures' }, h('table', { class: 'measures' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Measure'), models.map((m) => h('th', { scope: 'col' }, short(m.name))))), h('tbody', {}, measures.map((row) => h('tr', {}, h('th', { scope: 'row', title: row.about }, `${row.name} `, h('small', {}, `${row.better} is better`)), models.map((_, m) => h('td', {}, best(row, m) ? h('b', {}, cell(row, m)) : cell(row, m), limits(row, m)))))))));
  return { node, draw() {}, update() {} };
}

function calibrationView(app) {
  const usable = app.summary.models.map((m, i) => [m, i]).filter(([m]) => m.calibration);
  if (!usable.length) return null;
  const svg = s('svg', { class: 'panel', role: 'img', 'aria-label': 'Share of positives against score' });
  const said = usable.map(([m]) => `${m.name}: z = ${digits(m.calibration.z).replace('-', '−')}`).join('; ');
  const node = h('section', {}, h('h3', {}, 'Calibration'), h('p', { class: 'hint' }, `Share of positives against mean score, in tenths of the cases; on the diagonal a score is the probability it says. Spiegelhalter's z, beyond ±1.96 if not calibrated: ${said}.`), svg);
  function draw(width) {
    const { X, Y } = unitFrame(svg, square(Math.min(width - 66, 340)), 'mean score', 'share of positives');
    svg.append(s('line', { class: 'chance', x1: X(0), y1: Y(0), x2: X(1), y2: Y(1) }));
    for (const [model, m] of usable) {
      svg.append(s('path', { class: 'line', 'data-model': m, d: path(model.calibration.bins.map(([x, y]) => [X(x), Y(y)])) }));
      for (const [x, y] of model.calibration.bins) svg.append(s('circle', { class: 'dot', 'data-model': m, r: 2.5, cx: X(x), cy: Y(y) }));
    }
  }
  return { node, svg, name: 'calibration', title: 'Calibration', draw, update() {} };
}

function methodView(app) {
  const { provenance, replicates, data } = app.summary;
  const terms = [
    ['PCF(+)', 'share of the cost at stake that misses carry: cost of a miss × prevalence, divided by that plus cost of a false alarm × (1 − prevalence).'],
    ['normalised cost', 'expected cost divided by the cost of getting every case wrong: (1 − PCF)·FPR + PCF·(1 − TPR).'],
    ['best threshold', 'the point of the convex hull of the ROC curve that is cheapest at the condition; flagging nobody and everybody are always allowed.'],
    ['interval', replicates ? `middle 95 % of ${replicates.n} resamples of the rows, drawn class by class, the same rows for all models. It is about the cost with the truly best threshold: thresholds look better on the cases they were chosen on than they are, and the intervals are corrected for that, so they can lie above the cost shown.` : `none: ${data.rows ? 'the report was made without resamples' : 'the report was made from counts or points, and resampling needs rows'}.`],
    ['clear, probable, open', 'cheapest in at least 97.5 %, at least 80 %, or less than 80 % of the resamples.'],
    ['range of conditions', 'every PCF(+) in it equally likely, while what is at stake in all (the cost of getting every case wrong) stays as it is in the middle; the decision is the one model and threshold that is cheapest on average.'],
    ['log-normal cost', 'the cost of a miss is log-normal around the one given, the rest is certain; the decision has the lowest expected cost.'],
  ];
  const facts = [['call', provenance.call], ['conditions', provenance.over], ['seed', replicates ? String(replicates.seed) : null], ['isocost', provenance.isocost], ['Python', provenance.python], ['numpy', provenance.numpy], ['data fingerprint', provenance.fingerprint], ...Object.entries(provenance.options)];
  const list = (pairs) => h('dl', {}, pairs.filter(([, v]) => v).flatMap(([k, v]) => [h('dt', {}, k), h('dd', {}, v)]));
  return { node: h('section', { class: 'wide' }, h('h3', {}, 'Method and definitions'), list(terms), h('h3', {}, 'How to make this report again'), list(facts)), draw() {}, update() {} };
}

/** All details, drawn when they are opened. */
export function detailsView(app) {
  const views = [lesserView(app), surfaceView(app), isometricsView(app), calibrationView(app), measuresView(app), methodView(app)].filter(Boolean);
  const grid = h('div', { class: 'details-grid' }, views.map((view) => view.node));
  const node = h('details', { class: 'details', ontoggle: () => app.redraw() }, h('summary', {}, h('span', { class: 'h2' }, 'Details'), ' lesser classifiers, isometrics, measures, calibration, method'), grid);
  const show = () => {
    if (node.open) return;
    node.open = true;
    app.redraw();
  };
  return {
    node,
    panels: views.filter((view) => view.name).map((view) => ({ ...view, show })),
    draw() {
      if (node.open) for (const view of views) view.draw(view.node.clientWidth || 600);
    },
    update(f) {
      if (node.open) for (const view of views) view.update(f);
    },
  };
}
