// Which model wins where: cost ratio against prevalence, with the reader's situation to drag.
import { logit, means } from './beliefs.js';
import { draggable, h, onArrows, path, s, say, set, textWidth, unique } from './dom.js';
import { boxAround, freePlace, insideFrame, largestSquares, middleOf, touching } from './free_spots.js';
import { contour } from './isometrics.js';
import { gridWithin } from './limiting.js';
import { digits, money, percent } from './numbers.js';
import { regionsOf } from './regions.js';
import { gridReviewed } from './review_lines.js';
import { equalCost, levels, oddsOf, stripe } from './stripes.js';
import { unsettled } from './strips.js';
import { TRIVIAL } from './words.js';
import { trivialDeed } from './deed.js';

const RATIOS_SHOWN = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000,
];
const SHARES_SHOWN = [
  1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95,
  0.98, 0.99, 0.995, 0.998, 0.999,
];
// Lines of this many points, and names as high as this, have room to be read.
const LEAST_POINTS = 12;
const [CHIP, AMOUNT] = [20, 17];
// Where along a stripe its name may stand, from the middle of the map: the best first.
const ALONG = [0.2, 0.1, 0.3, 0, 0.38, -0.1, -0.2, 0.45, -0.3, 0.15, 0.25, 0.34, 0.05, -0.05, -0.15, -0.25, -0.38];
const REACH_X = Math.log(12);
const REACH_Y = 2.5;
// Cells of the map within limits or with second looks, along each axis.
const CELLS = 60;
// Milliseconds without a change after which cells with second looks are drawn anew.
const CELLS_REST = 150;
// Below this share of resamples the winner is not settled.
const UNSURE = 0.8;

export function mapView(app) {
  const { words, unit } = app.summary;
  const svg = s('svg', { class: 'panel map', role: 'group', 'aria-label': 'Map of the cheapest model' });
  const hatched = unsettled(app.data, UNSURE);
  const [about, boxed] = [h('span'), h('span', {}, ' The dashed box is your ranges.')];
  const node = h(
    'section',
    { class: 'view' },
    h('h2', {}, 'Which model wins where'),
    h('p', { class: 'sub' }, h('span', { class: 'by-hand' }, 'Drag the cross. '), about, boxed),
    h('div', { class: 'plot' }, svg),
  );
  const pattern = unique('unsettled');
  let frame;
  let parts;
  let xs;
  let ys;
  let drawnFor = null;
  let drawnWidth = 0;
  let waiting = null;
  // Boxes of names and amounts.
  let named = [];
  // Boxes around the two lines of the cross, when names were placed.
  let arms = [];
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
    // Small shares are long texts.
    const least = SHARES_SHOWN.find((v) => logit(v) >= ys[0]);
    const left = Math.max(46, Math.ceil(textWidth(`${digits(100 * least)} %`)) + 12);
    drawnWidth = width;
    frame = { left, top: 26, width: width - left - 18, height: Math.min((width - left - 18) * 1.02, 430) };
    const height = frame.top + frame.height + 48;
    set(svg, { viewBox: `0 0 ${width} ${height}`, width, height });
    svg.textContent = '';
    parts = {
      base: s('g'),
      across: s('line', { class: 'crosshair' }),
      down: s('line', { class: 'crosshair' }),
      box: s('rect', { class: 'box-of-ranges', rx: 2 }),
      chips: s('g'),
      said: s('g', {}, s('rect', { class: 'chip', height: 18, rx: 5 }), s('text', { class: 'strong' })),
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
      parts.chips,
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

  /** Draw anew; cells with second looks only when a slider rests, unless there is nothing to see yet. */
  function refill(condition) {
    clearTimeout(waiting);
    if (drawnFor === null || !app.state.review) fill(condition);
    else waiting = setTimeout(() => fill(means(app.state)), CELLS_REST);
  }

  function describe({ lines, veiled }) {
    const { limits, review } = app.state;
    const texts = [
      veiled ? 'Hatched: the data do not settle it.' : '',
      limits ? 'Your limits hold everywhere.' : '',
      review ? `Second looks are counted in${review.max_reviewed === null ? '' : ', within your limit on them'}.` : '',
      lines.some(({ pieces }) => pieces.length) ? `Thin lines: equal cost per 1000${unit ? `, ${unit}` : ''}.` : '',
    ];
    say(about, texts.filter(Boolean).join(' '));
  }

  /** Stripes, contours, names and axes: all that does not move with the cross. */
  function fill(condition) {
    parts.base.textContent = '';
    parts.chips.textContent = '';
    const found = app.state.limits || app.state.review ? cells(condition) : stripes(condition);
    describe(found);
    // The cross has a place of its own, and its lines are not hidden if possible, as long as it stands there.
    const cross = [X(held(xs, Math.log(condition.fnGap / condition.fpGap))), Y(held(ys, logit(condition.prevalence)))];
    const taken = [[cross[0] - 20, cross[1] - 20, cross[0] + 110, cross[1] + 36]];
    const { left, top, width, height } = frame;
    arms = [
      [left, cross[1] - 3, left + width, cross[1] + 3],
      [cross[0] - 3, top, cross[0] + 3, top + height],
    ];
    namesOf(found.spots, taken);
    contours(found.lines, taken);
    named = taken.slice(1);
    axesOf();
    app.paint();
  }

  const titleOf = (who) => (TRIVIAL.includes(who) ? trivialDeed(who, words) : app.names[who]);

  /** Exact stripes; names go along them, from the middle towards the upper left. */
  function stripes(condition) {
    const whole = xs[1] - xs[0] + ys[1] - ys[0];
    const spots = [];
    for (const win of app.summary.winners) {
      const [from, to] = [oddsOf(win.t_high), oddsOf(win.t_low)];
      const polygon = stripe(xs, ys, from, to);
      if (polygon.length < 3) continue;
      const kind = TRIVIAL.includes(win.model) ? 'win none' : 'win';
      parts.base.append(s('path', { class: kind, 'data-model': win.model, d: area(polygon) }));
      const [low, high] = [Math.max(from, xs[0] + ys[0]), Math.min(to, xs[1] + ys[1])];
      const u = ((low + high) / 2 - xs[0] - ys[0]) / whole;
      const places = ALONG.map((step) => [
        frame.left + (u - step) * frame.width,
        frame.top + (1 - u - (step * (xs[1] - xs[0])) / (ys[1] - ys[0])) * frame.height,
      ]);
      spots.push({
        text: titleOf(win.model),
        room: ((high - low) / whole) * Math.hypot(frame.width, frame.height),
        places,
      });
    }
    let veiled = false;
    for (const [low, high] of hatched) {
      const polygon = stripe(xs, ys, oddsOf(1 - low), oddsOf(1 - high));
      if (polygon.length < 3) continue;
      veiled = true;
      parts.base.append(s('path', { class: 'over', d: area(polygon), fill: `url(#${pattern})` }));
    }
    const costs = app.facts.decision.condition ? levels(1000 * condition.fpGap) : [];
    const lines = costs.map((level) => ({
      level,
      pieces: equalCost(app.data, level, condition, xs, ys).map((piece) => piece.map(([x, y]) => [X(x), Y(y)])),
    }));
    return { lines, spots, veiled };
  }

  /** Cells where no stripe is straight: with contours through them, and each name in its largest square. */
  function cells(condition) {
    const { limits, review } = app.state;
    const asked = [condition, xs, ys, CELLS];
    const grid = limits ? gridWithin(app.data, limits, ...asked) : gridReviewed(app.data, review, ...asked);
    const at = (i, j) => grid[j * (CELLS + 1) + i];
    const [w, high] = [frame.width / CELLS, frame.height / CELLS];
    const place = (i, j) => [frame.left + i * w, frame.top + frame.height - j * high];
    for (const [who, polygons] of regionsOf(grid, CELLS)) {
      const kind = TRIVIAL.includes(who) ? 'win cell none' : 'win cell';
      const d = polygons.map((polygon) => `${path(polygon.map(([i, j]) => place(i, j)))}Z`).join('');
      parts.base.append(s('path', { class: kind, 'data-model': who, d }));
    }
    const squares = largestSquares((i, j) => at(i, j).who, CELLS);
    const spots = [...squares]
      .filter(([who]) => who !== null)
      .map(([who, { side, i, j }]) => ({
        text: titleOf(who),
        room: side * Math.min(w, high),
        places: [0, 0.3, -0.3].flatMap((u) => [0, -0.3, 0.3].map((v) => place(i + v * side, j + u * side))),
      }));
    const lines = levels(1000 * condition.fpGap).map((level) => {
      const found = contour((u, v) => at(Math.round(u * CELLS), Math.round(v * CELLS)).cost, level, CELLS);
      return { level, pieces: found.map((ends) => ends.map(([u, v]) => place(u * CELLS, v * CELLS))) };
    });
    return { lines, spots };
  }

  function chip(box, text, kind) {
    const [x, y] = middleOf(box);
    const size = { x: box[0], y: box[1], width: box[2] - box[0], height: box[3] - box[1] };
    parts.chips.append(
      s('rect', { class: 'chip', ...size, rx: 5 }),
      s('text', { class: kind, x, y: y + 4, 'text-anchor': 'middle' }, text),
    );
  }

  /** Lines of equal cost, their amounts where no name stands; the line passes through the middle of its amount. */
  function contours(lines, taken) {
    for (const { level, pieces } of lines) {
      parts.base.append(s('path', { class: 'contour', d: pieces.map(path).join('') }));
      const points = pieces.length > LEAST_POINTS ? pieces.map(([start]) => start) : longest(pieces);
      if (points.length < LEAST_POINTS) continue;
      const text = money(level);
      const boxes = [0.9, 0.8, 0.7, 0.55, 0.4, 0.25, 0.85, 0.75, 0.6, 0.5, 0.3, 0.15].map((u) =>
        boxAround(points[Math.floor(points.length * u)], textWidth(text) + 8, AMOUNT),
      );
      const box = freePlace(boxes, frame, taken, arms, 4);
      if (!box) continue;
      chip(box, text, 'aside');
      taken.push(box);
    }
  }

  const longest = (pieces) => pieces.reduce((a, b) => (b.length > a.length ? b : a), []);

  /** Names where they fit and do not touch, those with most room first. */
  function namesOf(spots, taken) {
    for (const { text, places, room } of [...spots].sort((a, b) => b.room - a.room)) {
      if (room < CHIP + 6) continue;
      const boxes = places.map((place) => boxAround(place, textWidth(text, true) + 12, CHIP));
      const box = freePlace(boxes, frame, taken, arms);
      if (!box) continue;
      taken.push(box);
      chip(box, text, 'chip-text');
    }
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
    const room = Math.max(36, textWidth(`${ratios[ratios.length - 1]}×`) + 10);
    for (const r of apart(ratios, (v) => X(Math.log(v)), room)) {
      const x = X(Math.log(r));
      g.append(
        s('line', { class: 'tick', x1: x, x2: x, y1: top + height, y2: top + height + 4 }),
        s('text', { x, y: top + height + 17, 'text-anchor': 'middle' }, r < 1 ? `1/${Math.round(1 / r)}` : `${r}×`),
      );
    }
    const shares = SHARES_SHOWN.filter((v) => logit(v) >= ys[0] && logit(v) <= ys[1]);
    for (const p of apart(shares, (v) => Y(logit(v)), 22)) {
      const y = Y(logit(p));
      g.append(
        s('line', { class: 'tick', x1: left - 4, x2: left, y1: y, y2: y }),
        s('text', { x: left - 7, y: y + 4, 'text-anchor': 'end' }, `${digits(100 * p)} %`),
      );
    }
    const ratio = `cost of ${words.miss} ÷ cost of a false alarm`;
    g.append(
      s('rect', { class: 'frame', x: left, y: top, width, height }),
      s(
        'text',
        { class: 'title', x: left + width / 2, y: top + height + 38, 'text-anchor': 'middle' },
        textWidth(ratio) > width + 36 ? 'cost of a miss ÷ cost of a false alarm' : ratio,
      ),
      s('text', { class: 'title', x: 4, y: 12 }, `share of ${words.positives}`),
    );
    parts.base.append(g);
  }

  function update(f, spoken) {
    const condition = means(app.state);
    if (outside(condition)) draw(drawnWidth);
    const fixed = [
      condition.fpGap,
      condition.cost_tp,
      condition.cost_tn,
      Boolean(f.decision.condition),
      app.state.limits,
      app.state.review,
    ];
    const now = JSON.stringify(fixed);
    if (now !== drawnFor) refill(condition);
    drawnFor = now;
    const ratio = condition.fnGap / condition.fpGap;
    const [x, y] = [X(held(xs, Math.log(ratio))), Y(held(ys, logit(condition.prevalence)))];
    set(parts.handle, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    set(parts.across, { x1: frame.left, x2: frame.left + frame.width, y1: y, y2: y });
    set(parts.down, { x1: x, x2: x, y1: frame.top, y2: frame.top + frame.height });
    ranges();
    tell(x, y, `${digits(ratio)}× at ${percent(condition.prevalence)}`);
    set(parts.handle, {
      'aria-valuemin': Math.exp(xs[0]).toFixed(4),
      'aria-valuemax': Math.exp(xs[1]).toFixed(4),
      'aria-valuenow': Math.min(Math.max(ratio, Math.exp(xs[0])), Math.exp(xs[1])).toFixed(4),
      'aria-valuetext': `${digits(ratio)} to 1, ${percent(condition.prevalence)} ${words.positives}. ${spoken}`,
    });
  }

  /** What the cross stands for, beside it and inside the frame. */
  function tell(x, y, text) {
    const [ground, label] = parts.said.childNodes;
    const size = textWidth(text, true) + 12;
    const places = [12, -30, 30, -48, 52, -70].flatMap((down) =>
      [x + 12, x - 12 - size, x + 34].map((left) => [left, y + down, left + size, y + down + 18]),
    );
    const inside = places.filter((box) => insideFrame(box, frame));
    const free = inside.find((box) => !named.some((other) => touching(box, other)));
    const [left, top] = free ?? inside[0] ?? places[0];
    set(ground, { x: left, y: top, width: size });
    set(label, { x: left + 6, y: top + 13 });
    // A name that has to lie below it is left out for as long.
    const below = (box) => !free && touching(box, [left, top, left + size, top + 18]);
    [...parts.chips.children].forEach((part, i) => (part.style.display = below(named[i >> 1]) ? 'none' : ''));
    say(label, text);
  }

  function ranges() {
    const { cost_fp, cost_fn, cost_tp, cost_tn, prevalence } = app.state;
    const wide = [cost_fp, cost_fn, prevalence].some(([low, high]) => low !== high) && !app.state.belief;
    for (const part of [parts.box, boxed]) part.style.display = wide ? '' : 'none';
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
