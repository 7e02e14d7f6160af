// Which model wins where: cost ratio against prevalence, with the reader's situation to drag.
import { logit, means } from './beliefs.js';
import { draggable, h, onArrows, path, s, say, set, textWidth, unique } from './dom.js';
import { contour } from './isometrics.js';
import { gridWithin } from './limiting.js';
import { digits, money, percent } from './numbers.js';
import { equalCost, oddsOf, stripe } from './stripes.js';
import { unsettled } from './strips.js';
import { TRIVIAL } from './words.js';
import { trivialDeed } from './deed.js';

const RATIOS_SHOWN = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000,
];
const SHARES_SHOWN = [
  1e-5, 3e-5, 1e-4, 3e-4, 0.001, 0.003, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 0.997,
];
const REACH_X = Math.log(12);
const REACH_Y = 2.5;
// Cells of the map within limits, along each axis.
const CELLS = 60;
// Below this share of resamples the winner is not settled.
const UNSURE = 0.8;

/** Round levels of cost over which contours are drawn: 1, 2 and 5 times a power of ten. */
function levels(unit) {
  const found = [];
  for (let power = Math.floor(Math.log10(unit * 0.03)); power <= Math.ceil(Math.log10(unit)); power++) {
    for (const k of [1, 2, 5]) {
      const level = k * 10 ** power;
      if (level >= unit * 0.04 && level <= unit * 0.9) found.push(level);
    }
  }
  return found;
}

export function mapView(app) {
  const { words, unit } = app.summary;
  const svg = s('svg', { class: 'panel map', role: 'group', 'aria-label': 'Map of the cheapest model' });
  const hatched = unsettled(app.data, UNSURE);
  const node = h(
    'section',
    { class: 'view' },
    h('h2', {}, 'Which model wins where'),
    h(
      'p',
      { class: 'sub' },
      'Drag the cross.',
      app.data.resamples ? ' Pale and hatched: the data do not settle it.' : null,
      ` Thin lines: equal cost per 1000${unit ? `, ${unit}` : ''}. The dashed box is your ranges.`,
    ),
    h('div', { class: 'plot' }, svg),
  );
  const pattern = unique('unsettled');
  let frame;
  let parts;
  let xs;
  let ys;
  let drawnFor = null;
  const X = (v) => frame.left + ((v - xs[0]) / (xs[1] - xs[0])) * frame.width;
  const Y = (v) => frame.top + (1 - (v - ys[0]) / (ys[1] - ys[0])) * frame.height;
  const held = ([from, to], v) => Math.min(Math.max(v, from), to);

  /** The part of the world that is shown: around the author's situation, further if the reader goes there. */
  function reachTo(condition) {
    const [x, y] = [Math.log(condition.fnGap / condition.fpGap), logit(condition.prevalence)];
    xs = [Math.min(xs?.[0] ?? Infinity, x - REACH_X), Math.max(xs?.[1] ?? -Infinity, x + REACH_X)];
    ys = [Math.min(ys?.[0] ?? Infinity, y - REACH_Y), Math.max(ys?.[1] ?? -Infinity, y + REACH_Y)];
  }
  const outside = (condition) => {
    const [x, y] = [Math.log(condition.fnGap / condition.fpGap), logit(condition.prevalence)];
    return x < xs[0] || x > xs[1] || y < ys[0] || y > ys[1];
  };

  function draw(width) {
    if (!xs) reachTo(means(app.author));
    if (outside(means(app.state))) reachTo(means(app.state));
    frame = { left: 46, top: 10, width: width - 54, height: Math.min((width - 54) * 1.02, 430) };
    const height = frame.top + frame.height + 48;
    set(svg, { viewBox: `0 0 ${width} ${height}`, width, height });
    svg.textContent = '';
    parts = {
      base: s('g'),
      across: s('line', { class: 'crosshair' }),
      down: s('line', { class: 'crosshair' }),
      box: s('rect', { class: 'box-of-ranges', rx: 2 }),
      said: s('text', { class: 'strong halo' }),
      handle: s(
        'g',
        {
          class: 'cross',
          tabindex: 0,
          role: 'slider',
          'aria-label': `Your situation: sideways cost of ${words.miss}, upwards share of ${words.positives}`,
        },
        s('circle', { class: 'grip', r: 18 }),
        s('circle', { class: 'handle', r: 8 }),
        s('circle', { class: 'point', r: 2.6 }),
      ),
    };
    svg.append(
      s(
        'defs',
        {},
        s(
          'pattern',
          { id: pattern, width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
          s('rect', { class: 'veil', width: 6, height: 6 }),
          s('rect', { class: 'veil-line', width: 1.5, height: 6 }),
        ),
      ),
      parts.base,
      parts.across,
      parts.down,
      parts.box,
      parts.said,
      parts.handle,
    );
    drawnFor = null;
    draggable(svg, svg, (point, event) => {
      parts.handle.focus({ preventScroll: true });
      const follow = ([px, py]) => {
        const ratio = Math.exp(held(xs, xs[0] + ((px - frame.left) / frame.width) * (xs[1] - xs[0])));
        const odds = held(ys, ys[0] + (1 - (py - frame.top) / frame.height) * (ys[1] - ys[0]));
        app.moveSituation({ ratio, prevalence: 1 / (1 + Math.exp(-odds)) });
      };
      if (!event.target.closest('.cross')) follow(point);
      return follow;
    });
    onArrows(parts.handle, (dx, dy) => {
      const now = means(app.state);
      app.moveSituation({
        ratio: (now.fnGap / now.fpGap) * Math.exp(dx),
        prevalence: 1 / (1 + Math.exp(-(logit(now.prevalence) + dy))),
      });
    });
  }

  const area = (points) => `${path(points.map(([x, y]) => [X(x), Y(y)]))}Z`;

  /** Stripes, contours, names and axes: all that does not move with the cross. */
  function fill(condition) {
    const { base } = parts;
    base.textContent = '';
    if (app.state.limits) {
      cells(condition);
      axesOf();
      app.paint();
      return;
    }
    const labels = [];
    for (const win of app.summary.winners) {
      const [from, to] = [oddsOf(win.t_high), oddsOf(win.t_low)];
      const polygon = stripe(xs, ys, from, to);
      if (polygon.length < 3) continue;
      const none = TRIVIAL.includes(win.model);
      base.append(s('path', { class: none ? 'win none' : 'win', 'data-model': win.model, d: area(polygon) }));
      const [low, high] = [Math.max(from, xs[0] + ys[0]), Math.min(to, xs[1] + ys[1])];
      const text = none ? trivialDeed(win.model, words) : app.names[win.model];
      labels.push({ text, at: (low + high) / 2, room: high - low });
    }
    for (const [low, high] of hatched) {
      const polygon = stripe(xs, ys, oddsOf(1 - low), oddsOf(1 - high));
      if (polygon.length > 2) base.append(s('path', { class: 'over', d: area(polygon), fill: `url(#${pattern})` }));
    }
    const { boxes, chips } = namesOf(labels);
    contours(condition, boxes);
    base.append(...chips);
    axesOf();
    app.paint();
  }

  /** Within limits no stripe is straight: cells, with contours through them. */
  function cells(condition) {
    const grid = gridWithin(app.data, app.state.limits, condition, xs, ys, CELLS);
    const at = (i, j) => grid[j * (CELLS + 1) + i];
    const [w, hgt] = [frame.width / CELLS, frame.height / CELLS];
    for (let j = 0; j < CELLS; j++) {
      for (let from = 0, i = 1; i <= CELLS; i++) {
        const { who } = at(from, j);
        if (i < CELLS && at(i, j).who === who) continue;
        const place = { x: frame.left + from * w, y: frame.top + frame.height - (j + 1) * hgt };
        const size = { width: (i - from) * w + 0.4, height: hgt + 0.4 };
        const kind = TRIVIAL.includes(who) ? 'win cell none' : 'win cell';
        parts.base.append(s('rect', { class: kind, 'data-model': who, ...place, ...size }));
        from = i;
      }
    }
    for (const level of levels(1000 * condition.fpGap)) {
      const pieces = contour((u, v) => at(Math.round(u * CELLS), Math.round(v * CELLS)).cost, level, CELLS);
      const d = pieces.map((ends) =>
        path(ends.map(([u, v]) => [frame.left + u * frame.width, frame.top + (1 - v) * frame.height])),
      );
      parts.base.append(s('path', { class: 'contour', d: d.join('') }));
    }
  }

  /** Lines of equal cost, their amounts where no name stands. */
  function contours(condition, taken) {
    if (!app.facts.decision.condition) return;
    const chips = [];
    for (const level of levels(1000 * condition.fpGap)) {
      const pieces = equalCost(app.data, level, condition, xs, ys).map((piece) => piece.map(([x, y]) => [X(x), Y(y)]));
      parts.base.append(s('path', { class: 'contour', d: pieces.map(path).join('') }));
      const longest = pieces.sort((a, b) => b.length - a.length)[0];
      if (!longest || longest.length < 12) continue;
      const inside = longest.filter(
        ([x, y]) =>
          x > frame.left + 30 &&
          x < frame.left + frame.width - 34 &&
          y > frame.top + 12 &&
          y < frame.top + frame.height - 12,
      );
      const size = textWidth(money(level)) + 8;
      const free = ([x, y]) =>
        taken.every((box) => x + size / 2 < box[0] || x - size / 2 > box[2] || y + 9 < box[1] || y - 9 > box[3]);
      const spot = [0.9, 0.8, 0.7, 0.55, 0.4]
        .map((u) => inside[Math.floor(inside.length * u)])
        .find((at) => at && free(at));
      if (!spot) continue;
      chips.push([spot, money(level)]);
      taken.push([spot[0] - size / 2, spot[1] - 9, spot[0] + size / 2, spot[1] + 9]);
    }
    for (const [[x, y], text] of chips) {
      const size = textWidth(text) + 8;
      parts.base.append(
        s('rect', { class: 'chip', x: x - size / 2, y: y - 9, width: size, height: 17, rx: 4 }),
        s('text', { class: 'aside', x, y: y + 4, 'text-anchor': 'middle' }, text),
      );
    }
  }

  /** Names stand inside their stripe, one below the other where they would touch. */
  function namesOf(labels) {
    const whole = xs[1] - xs[0] + ys[1] - ys[0];
    const placed = [];
    const chips = [];
    for (const { text, at, room } of [...labels].sort((a, b) => b.room - a.room)) {
      if ((room / whole) * Math.hypot(frame.width, frame.height) < 26) continue;
      const u = (at - xs[0] - ys[0]) / whole;
      const size = textWidth(text, true) + 12;
      // Along the stripe, from the middle towards the upper left.
      for (const step of [0.2, 0.1, 0.3, 0, 0.38, -0.1, -0.2]) {
        const x = frame.left + (u - step) * frame.width;
        const y = frame.top + (1 - u - (step * (xs[1] - xs[0])) / (ys[1] - ys[0])) * frame.height;
        const box = [x - size / 2, y - 11, x + size / 2, y + 11];
        const fits =
          box[0] > frame.left + 2 &&
          box[2] < frame.left + frame.width - 2 &&
          box[1] > frame.top + 2 &&
          box[3] < frame.top + frame.height - 2;
        const free = placed.every(
          (other) => box[2] < other[0] || box[0] > other[2] || box[3] < other[1] || box[1] > other[3],
        );
        if (!fits || !free) continue;
        placed.push(box);
        chips.push(
          s('rect', { class: 'chip', x: box[0], y: y - 10, width: size, height: 20, rx: 5 }),
          s('text', { class: 'chip-text', x, y: y + 4, 'text-anchor': 'middle' }, text),
        );
        break;
      }
    }
    return { boxes: placed, chips };
  }

  function axesOf() {
    const { left, top, width, height } = frame;
    const g = s('g', { class: 'axes' });
    const apart = (values, at, gap) => {
      let last = -Infinity;
      return values.filter((v) => {
        const place = at(v);
        if (Math.abs(place - last) < gap) return false;
        last = place;
        return true;
      });
    };
    const ratios = RATIOS_SHOWN.filter((r) => Math.log(r) >= xs[0] && Math.log(r) <= xs[1]);
    for (const r of apart(ratios, (v) => X(Math.log(v)), 40)) {
      const x = X(Math.log(r));
      g.append(
        s('line', { class: 'tick', x1: x, x2: x, y1: top + height, y2: top + height + 4 }),
        s('text', { x, y: top + height + 17, 'text-anchor': 'middle' }, r < 1 ? `1/${Math.round(1 / r)}` : `${r}×`),
      );
    }
    for (const p of apart(
      SHARES_SHOWN.filter((v) => logit(v) >= ys[0] && logit(v) <= ys[1]),
      (v) => Y(logit(v)),
      22,
    )) {
      const y = Y(logit(p));
      g.append(
        s('line', { class: 'tick', x1: left - 4, x2: left, y1: y, y2: y }),
        s('text', { x: left - 7, y: y + 4, 'text-anchor': 'end' }, `${digits(100 * p)} %`),
      );
    }
    g.append(
      s('rect', { class: 'frame', x: left, y: top, width, height }),
      s(
        'text',
        { class: 'title', x: left + width / 2, y: top + height + 38, 'text-anchor': 'middle' },
        'cost of a miss ÷ cost of a false alarm',
      ),
    );
    parts.base.append(g);
  }

  function update(f, spoken) {
    const condition = means(app.state);
    if (outside(condition)) draw(frame.width + 54);
    const fixed = [
      condition.fpGap,
      condition.cost_tp,
      condition.cost_tn,
      Boolean(f.decision.condition),
      app.state.limits,
    ];
    const now = JSON.stringify(fixed);
    if (now !== drawnFor) fill(condition);
    drawnFor = now;
    const ratio = condition.fnGap / condition.fpGap;
    const [x, y] = [X(held(xs, Math.log(ratio))), Y(held(ys, logit(condition.prevalence)))];
    set(parts.handle, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    set(parts.across, { x1: frame.left, x2: frame.left + frame.width, y1: y, y2: y });
    set(parts.down, { x1: x, x2: x, y1: frame.top, y2: frame.top + frame.height });
    ranges();
    say(parts.said, `${digits(ratio)}× at ${percent(condition.prevalence)}`);
    const far = x > frame.left + frame.width * 0.6;
    set(parts.said, {
      x: far ? x - 14 : x + 14,
      y: y > frame.top + frame.height - 40 ? y - 14 : y + 24,
      'text-anchor': far ? 'end' : 'start',
    });
    set(parts.handle, {
      'aria-valuemin': Math.exp(xs[0]).toFixed(4),
      'aria-valuemax': Math.exp(xs[1]).toFixed(4),
      'aria-valuenow': Math.min(Math.max(ratio, Math.exp(xs[0])), Math.exp(xs[1])).toFixed(4),
      'aria-valuetext': `${digits(ratio)} to 1, ${percent(condition.prevalence)} ${words.positives}. ${spoken}`,
    });
  }

  function ranges() {
    const { cost_fp, cost_fn, cost_tp, cost_tn, prevalence } = app.state;
    const wide = [cost_fp, cost_fn, prevalence].some(([low, high]) => low !== high) && !app.state.belief;
    parts.box.style.display = wide ? '' : 'none';
    if (!wide) return;
    const ratios = [
      (cost_fn[0] - cost_tp[1]) / (cost_fp[1] - cost_tn[0]),
      (cost_fn[1] - cost_tp[0]) / (cost_fp[0] - cost_tn[1]),
    ];
    const [x0, x1] = ratios.map((v) => X(held(xs, Math.log(v))));
    const [y1, y0] = prevalence.map((v) => Y(held(ys, logit(v))));
    set(parts.box, { x: x0, y: y0, width: Math.max(x1 - x0, 3), height: Math.max(y1 - y0, 3) });
  }

  return { node, svg, draw, update, name: 'map', title: 'Which model wins where' };
}
