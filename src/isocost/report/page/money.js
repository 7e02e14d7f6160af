// What each model would cost: money per 1000 cases against the cost of a miss, above the cheapest, or normalised.
import { means } from './beliefs.js';
import { optimalCost } from './core.js';
import { changeAt, costLines, linesText, missAt, plainWins } from './cost_lines.js';
import { crossingsView } from './crossings.js';
import { trivialDeed } from './deed.js';
import {
  apart,
  axes,
  bandPath,
  draggable,
  h,
  onSteps,
  path,
  roundUp,
  s,
  say,
  set,
  steps,
  textWidth,
  unique,
} from './dom.js';
import { dotLabels } from './dot_labels.js';
import { along, freest, heldBelow, touching } from './free_spots.js';
import { amount, compact, digits, money, share } from './numbers.js';
import { bandWithin, pairedBands } from './paired_bands.js';
import { BAR_ROOM, winnersBar } from './winners_bar.js';
import { NOBODY, EVERYBODY } from './words.js';

// Milliseconds without a move after which lines with second looks are drawn anew.
const LINES_REST = 100;

export const SCALES = ['money', 'above', 'normalised'];
// How far above the frame a line that leaves it is followed.
const OVERSHOOT = 20;
// A line closer to a name than this seems to strike it out.
const STRIKES = 2.5;

export function moneyView(app) {
  const { words, unit, level } = app.summary;
  const group = unique('scale');
  const radios = SCALES.map((key) =>
    h(
      'label',
      {},
      h('input', { type: 'radio', name: group, value: key, onchange: () => app.look({ y: key }) }),
      { money: unit || 'cost', above: 'above the cheapest', normalised: 'normalised' }[key],
    ),
  );
  const svg = s('svg', { class: 'panel money-chart', role: 'group', 'aria-label': 'What each model would cost' });
  const crossings = crossingsView(app);
  const sub = h('p', { class: 'sub' });
  const node = h(
    'section',
    { class: 'view' },
    h('h2', {}, 'What each model would cost'),
    sub,
    h('div', { class: 'switch', role: 'radiogroup', 'aria-label': 'What the chart shows' }, radios),
    h('div', { class: 'plot' }, svg),
    crossings.node,
  );
  const paired = pairedBands(app.data, level);
  let frame;
  let parts;
  // The axis of the cost of a miss.
  let [start, most] = [0, null];
  // Highest and lowest on the axis; gains lie below 0.
  let [peak, foot] = [1, 0];
  let drawnFor = null;
  let scaled = null;
  let waiting = null;
  // Points of what is drawn, which texts should not hide; where names of trivial rules may stand.
  let drawn = [];
  let asidePlaces = [];
  // Normalised, x is the pcf; else the cost of a miss.
  const normalised = () => app.view.y === 'normalised' || !app.facts.decision.condition;
  const X = (v) => frame.left + (normalised() ? v : (v - start) / (most - start)) * frame.width;
  const Y = (v) => frame.top + ((peak - v) / (peak - foot)) * frame.height;
  const pcfAt = (miss, c) => {
    const misses = (miss - c.cost_tp) * c.prevalence;
    return misses / (misses + c.alarms);
  };
  // Within limits or with second looks each model has another line, or none, and so has the cheapest.
  let other = null;
  // A model in use flags somebody, but not everybody: those two have lines of their own.
  const used = (m) => app.data.models[m].inner ?? app.data.models[m];
  const costAt = (m, z) => (other ? (other.lines[m]?.costAt(z) ?? Infinity) : optimalCost(used(m), 1 - z));
  const winsHere = () => other?.wins ?? plainWins(app.summary);
  const kept = (name) => !other || other.trivial.includes(name);
  const least = (pcf) => {
    if (other) return other.least(pcf);
    const { frontier } = app.data;
    let best = Infinity;
    for (let v = 0; v < frontier.fpr.length; v++) {
      best = Math.min(best, (1 - pcf) * frontier.fpr[v] + pcf * (1 - frontier.tpr[v]));
    }
    return best;
  };

  /** The most a miss may cost on the axis: kept while the reader stays well inside. */
  function fit(c) {
    // Where catches earn, a miss may earn a little too.
    start = c.cost_fn < 0 ? c.cost_tp : 0;
    const far = Math.max(c.cost_fn, app.state.cost_fn[1]);
    if (most !== null && far <= most * 0.97 && c.cost_fn >= most / 15) return;
    const raw = 3 * c.cost_fn > far * 1.05 ? 3 * c.cost_fn : far * 1.3;
    // Where a miss costs nothing, a catch earns something.
    most = roundUp(raw > 0 ? raw : c.cost_fn - c.cost_tp);
  }

  function draw(width) {
    // On a phone every pixel beside the labels counts.
    const [left, right] = width < 400 ? [46, 14] : [56, 20];
    frame = { left, top: 50, width: width - left - right, height: Math.min(330, Math.max(220, width * 0.62)) };
    drawnFor = null;
    scaled = null;
    radios.forEach(
      ({ firstChild: radio }) => (radio.checked = radio.value === (normalised() ? 'normalised' : app.view.y)),
    );
    for (const { firstChild: radio } of radios) {
      radio.disabled = !app.facts.decision.condition && radio.value !== 'normalised';
    }
    const height = frame.top + frame.height + 68;
    set(svg, { viewBox: `0 0 ${width} ${height}`, width, height });
    svg.textContent = '';
    const clip = unique('clip');
    const bottom = frame.top + frame.height;
    const lines = s('g', { 'clip-path': `url(#${clip})` });
    parts = {
      range: s('rect', { class: 'range', y: frame.top, height: frame.height }),
      axes: s('g'),
      lines,
      bands: app.data.models.map((_, m) => s('path', { class: 'band', 'data-model': m })),
      trivial: [NOBODY, EVERYBODY].map(() => s('path', { class: 'chance' })),
      asides: [NOBODY, EVERYBODY].map((name) => s('text', { class: 'aside halo' }, trivialDeed(name, words))),
      curves: app.data.models.map((_, m) => s('path', { class: 'line', 'data-model': m })),
      winners: s('g'),
      names: s('g'),
      cursor: s('line', { class: 'cursor', y1: frame.top - 14, y2: bottom + BAR_ROOM }),
      dots: app.data.models.map((_, m) => s('circle', { class: 'dot', r: 4, 'data-model': m })),
      labels: dotLabels(app.data.models),
      knob: s('circle', {
        class: 'handle',
        r: 8,
        cy: frame.top - 14,
        tabindex: 0,
        role: 'slider',
        'aria-label': `Cost of ${words.miss}`,
        'aria-orientation': 'horizontal',
      }),
    };
    lines.append(...parts.bands, ...parts.trivial, ...parts.curves);
    svg.append(
      s(
        'defs',
        {},
        s(
          'clipPath',
          { id: clip },
          s('rect', { x: frame.left, y: frame.top, width: frame.width, height: frame.height }),
        ),
      ),
      parts.range,
      parts.axes,
      lines,
      parts.winners,
      parts.cursor,
      parts.names,
      ...parts.asides,
      ...parts.labels.nodes,
      ...parts.dots,
      parts.knob,
    );
    onSteps(parts.knob, app.nudgeMiss);
    draggable(svg, svg, (point) => {
      parts.knob.focus({ preventScroll: true });
      const follow = ([px]) => {
        const u = Math.min(Math.max((px - frame.left) / frame.width, 0.004), normalised() ? 0.996 : 0.96);
        if (normalised()) app.moveTo(u);
        else app.moveSituation({ miss: start + u * (most - start) });
      };
      follow(point);
      return follow;
    });
  }

  /** Lines, bands and axes for a prevalence and a cost of a false alarm; straight between switches. */
  function lay(c) {
    const flat = normalised();
    const above = app.view.y === 'above' && !flat;
    const unitAt = (pcf) => (flat ? 1 : 1000 * (c.alarms + (missAt(pcf, c) - c.cost_tp) * c.prevalence));
    const base = flat || above ? 0 : 1000 * c.best;
    // Where catches earn, a miss that costs nothing is not the end of the line.
    const first = flat ? 0 : pcfAt(Math.max(c.cost_tp, start), c);
    const last = flat ? 1 : pcfAt(most, c);
    const place = (pcf) => (flat ? X(pcf) : X(missAt(pcf, c)));
    const value = (cost, pcf) => base + (cost - (above ? least(pcf) : 0)) * unitAt(pcf);
    other = costLines(app.data, app.state, c);
    const breaks = other
      ? [...new Set(other.lines.flatMap((line) => line?.breaks ?? [])), ...other.wins.map((win) => win.from)]
      : [...new Set(app.data.points.slice(1).map((point) => 1 - point.t_low))];
    const inside = (zs) => [first, ...zs.filter((z) => z > first && z < last), last].sort((a, b) => a - b);
    const runs = app.data.models.map((_, m) => {
      if (other && !other.lines[m]) return [];
      const own = other ? other.lines[m].breaks : used(m).switches.map((t) => 1 - t);
      return inside([...own, ...(above ? breaks : [])]).map((z) => [z, value(costAt(m, z), z)]);
    });
    const tops = runs.flatMap((run) => run.map(([, y]) => y));
    const trivialTop = flat ? 0.5 : base + 1000 * Math.min(c.alarms, (most - c.cost_tp) * c.prevalence);
    const [lowest, highest] = [Math.min(0, ...tops), Math.max(...tops)];
    // The two trivial rules may leave the frame above.
    peak = above
      ? Math.max(highest, 1e-9) * 1.25
      : Math.min(highest + 0.3 * (highest - lowest), trivialTop + 0.16 * (trivialTop - lowest));
    foot = lowest < 0 ? -roundUp(-lowest) : 0;
    peak = peak > 0 ? roundUp(peak) : foot < 0 ? 0 : 1;
    drawn = [];
    runs.forEach((run, m) => {
      const points = apart(
        heldBelow(
          frame.top - OVERSHOOT,
          run.map(([z, y]) => [place(z), Y(y)]),
        ),
      );
      set(parts.curves[m], { d: path(points) });
      if (app.looks()[m].named) drawn.push(...along(points));
      parts.bands[m].setAttribute('d', '');
      if (!app.data.resamples || other) return;
      const strip = above ? paired(m) : app.band(m);
      // Resamples of a model cost at most what no model does: beyond its switches their band is not the line's.
      const { switches } = app.data.models[m];
      const { pcf, low, high } = bandWithin(strip, 1 - switches[switches.length - 1], Math.min(1 - switches[0], last));
      const at = (values) => values.map((v, i) => Y(base + v * unitAt(pcf[i])));
      set(parts.bands[m], { d: bandPath(pcf.map(place), at(low), at(high)) });
    });
    const ends = [first, last];
    const flatLine = (cost) => path((above ? inside(breaks) : ends).map((z) => [place(z), Y(value(cost(z), z))]));
    set(parts.trivial[0], { d: kept(NOBODY) ? flatLine((z) => z) : '' });
    set(parts.trivial[1], { d: kept(EVERYBODY) ? flatLine((z) => 1 - z) : '' });
    asidePlaces = [NOBODY, EVERYBODY].map((name) => asidesOf(name, value, place, [first, last]));
    scaleOf(flat, above);
    const { made, named } = winnersBar(app, winsHere(), [first, last], place, frame.top + frame.height);
    parts.winners.replaceChildren(...made);
    parts.names.replaceChildren(...named);
    const about = [
      `${flat ? 'Each' : `At the present share of ${words.positives}, each`} model with ${linesText(app.state)}.`,
      app.data.resamples && !other ? `Bands: ${share(level)} of resamples${above ? ', of the difference' : ''}.` : '',
    ].join(' ');
    say(sub, about);
  }

  /** Axes, made anew when the scale changes. */
  function scaleOf(flat, above) {
    const now = `${[peak, foot, start, most, flat, above]}`;
    if (now === scaled) return;
    scaled = now;
    const ticks = (flat ? [0, 0.2, 0.4, 0.6, 0.8, 1] : steps(start, most, frame.width < 360 ? 3 : 6)).map((v) => [
      X(v),
      flat ? String(v) : compact(v),
    ]);
    parts.axes.replaceChildren(
      axes(
        { ...frame },
        {
          ticks,
          title: flat
            ? 'PCF(+): share of misses in the cost at stake'
            : `cost of ${words.miss}${unit ? `, ${unit}` : ''}`,
          drop: 60,
          below: 24,
        },
        { ticks: steps(foot, peak, 5).map((v) => [Y(v), flat ? digits(v) : compact(v)]) },
      ),
      s(
        'text',
        { class: 'aside', x: 4, y: 14 },
        flat ? 'normalised cost' : `${unit || 'cost'} per 1000 ${words.cases}${above ? ', above the cheapest' : ''}`,
      ),
    );
  }

  /** Where the name of a trivial rule may stand: beside the end of its line, inside the frame or just above it. */
  function asidesOf(name, value, place, [first, last]) {
    const size = textWidth(trivialDeed(name, words));
    const zs = Array.from({ length: 60 }, (_, k) => first + ((last - first) * (k + 1)) / 60);
    const points = zs.map((z) => [place(z), Y(value(name === NOBODY ? z : 1 - z, z))]);
    const seen = points.filter(([, y]) => y > frame.top + 8);
    if (!seen.length || !kept(name)) return [];
    drawn.push(...along(seen));
    const box = (x, y) => [x, y - 10, x + size, y + 3];
    const right = frame.left + frame.width - 8;
    if (name === EVERYBODY) {
      return [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2].flatMap((u) => {
        const [x, y] = seen[Math.floor((seen.length - 1) * u)];
        return [-6, 16, -24, 22].map((down) => box(Math.max(Math.min(x, right) - size, frame.left + 4), y + down));
      });
    }
    const [x, y] = seen[seen.length - 1];
    const above = frame.top - 12;
    const outside = seen.length < points.length ? [box(Math.max(x - size + 4, 2), above), box(x, above)] : [];
    const inside = [box(x - size - 16, y + 4), box(x - size - 12, y - 10), box(x + 14, y + 6)].filter(
      (at) => at[0] >= frame.left + 4 && at[1] >= frame.top + 2,
    );
    return [...inside, ...outside].filter((at) => at[0] >= 0 && at[2] <= right);
  }

  /** Names of the trivial rules, off the cursor, its knob and the labels; left out where that cannot be. */
  function asides(x, boxes) {
    const free = ([from, top, to]) => {
      const room = top < frame.top ? 12 : 3;
      return to < x - room || from > x + room;
    };
    parts.asides.forEach((text, i) => {
      const places = asidePlaces[i].filter((box) => !boxes.some((taken) => touching(box, taken)));
      const clear = places.filter(free);
      const box = freest(clear, drawn, STRIKES);
      text.style.display = box ? '' : 'none';
      if (!box) return;
      boxes.push(box);
      set(text, { x: box[0], y: box[3] - 3 });
    });
  }

  /** With second looks lines have many breaks: they follow when a drag rests, points and labels at once. */
  function later(c) {
    other = costLines(app.data, app.state, c);
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      waiting = null;
      drawnFor = null;
      app.refresh();
    }, LINES_REST);
  }

  function update(f, spoken) {
    const c = means(app.state);
    fit(c);
    const { limits, review } = app.state;
    const terms = [
      c.prevalence,
      c.cost_fp,
      c.cost_tn,
      c.cost_tp,
      start,
      most,
      app.view.y,
      normalised(),
      limits,
      review,
    ];
    const now = JSON.stringify(terms);
    if (now !== drawnFor && review && drawnFor !== null) later(c);
    else if (now !== drawnFor) lay(c);
    drawnFor = now;
    if (f.decision.condition && !waiting) crossings.update(winsHere(), c.cost_fn, most, (win) => changeAt(win, c));
    const x = normalised() ? X(f.pcf) : X(Math.min(c.cost_fn, most));
    set(parts.cursor, { x1: x, x2: x });
    const spots = normalised() ? [f.span.low, f.span.high] : app.state.cost_fn;
    const [a, b] = spots.map((v) => X(Math.min(v, normalised() ? 1 : most)));
    set(parts.range, { x: a, width: Math.max(b - a, 0), visibility: b > a ? 'visible' : 'hidden' });
    set(parts.knob, {
      cx: x,
      'aria-valuemin': normalised() ? 0 : start,
      'aria-valuemax': normalised() ? 1 : most,
      'aria-valuenow': normalised() ? f.pcf.toFixed(6) : Math.min(c.cost_fn, most),
      'aria-valuetext': `${normalised() ? `PCF(+) ${digits(f.pcf)}` : amount(c.cost_fn, unit)}. ${spoken}`,
    });
    labels(f, c, x);
  }

  function labels(f, c, x) {
    const above = app.view.y === 'above' && !normalised();
    const low = above ? least(f.pcf) : 0;
    const scale = normalised() ? 1 : 1000 * (c.alarms + c.misses);
    const base = normalised() || above ? 0 : 1000 * c.best;
    const looks = app.looks();
    const placed = [];
    app.data.models.forEach((_, m) => {
      const own = above || normalised() || other ? null : f.byModel[m].per_1000;
      const value = own ?? base + scale * (costAt(m, f.pcf) - low);
      const y = Y(value);
      const seen = Number.isFinite(y) && y >= frame.top - 1;
      set(parts.dots[m], { cx: x, cy: seen ? y : 0, visibility: seen ? 'visible' : 'hidden' });
      const [text, short] = (normalised() ? [digits(value), digits(value)] : [money(value), compact(value, 4)]).map(
        (number) => `${app.names[m]} ${number}`,
      );
      if (looks[m].named && seen) placed.push({ m, y, text, short });
    });
    asides(x, parts.labels.place(placed, x, frame, drawn));
  }

  return { node, svg, draw, update, name: 'money', title: 'What each model would cost' };
}
