// Cost space: what each model costs at every condition, with the cursor and the range to drag.
import { axes, bandPath, draggable, h, path, s, set, onSteps, steps, textWidth, unique } from './dom.js';
import { pcfOf } from './beliefs.js';
import { optimalCost } from './core.js';
import { dotLabels } from './dot_labels.js';
import { along, clearOf } from './free_spots.js';
import { methodCost, rates } from './methods.js';
import { TABS, dragSwitch, methodTabs } from './tabs.js';
import { digits, share } from './numbers.js';

const RATIOS = [1e-4, 1e-3, 0.01, 1 / 30, 0.1, 1 / 3, 1, 3, 10, 30, 100, 300, 1000, 1e4, 1e5];

export function costView(app) {
  const svg = s('svg', { class: 'panel cost', role: 'group', 'aria-label': 'Cost space' });
  const hint = h('p', { class: 'hint' });
  const panel = unique('panel');
  const { tabs, tablist } = methodTabs(app, panel);
  const drags = dragSwitch(app);
  const stretch = h('input', { type: 'checkbox', onchange: () => app.look({ stretched: stretch.checked }) });
  const holder = h('div', { id: panel, role: 'tabpanel', class: 'holder' }, svg);
  const node = h(
    'figure',
    { class: 'view' },
    h('figcaption', {}, h('h3', {}, 'Ways of choosing thresholds'), hint),
    h('div', { class: 'tools' }, tablist, h('label', { class: 'check' }, stretch, 'stretch the ends'), drags.node),
    holder,
  );
  const axis = app.axis;
  let frame;
  let parts;
  let scale;
  let drawnPrevalence;
  // Points of the lines, which names should not hide.
  let drawn = [];

  const Y = (cost) => frame.top + frame.height * (1 - Math.min(cost / scale, 1.04));
  // Stretched, cost is shown against the cheaper trivial classifier: next to the ends all costs are tiny.
  const shown = (cost, z) => (app.view.stretched && app.view.tab !== 'kendall' ? cost / Math.min(z, 1 - z) : cost);

  function costOf(m, z) {
    if (app.view.tab === 'best') return optimalCost(app.data.models[m], 1 - z);
    if (lacks(m)) return null;
    // The cost proportion straight from the costs: a score next to a round one must not change sides.
    return methodCost(app.data.models[m].path, app.view.tab, z, app.facts.p, { c: app.facts.costProportion });
  }

  const lacks = (m) => Boolean(app.summary.models[m].unavailable[app.view.tab]);

  /** Places and costs of a model under the tab's way of choosing thresholds, at this prevalence. */
  function curveOf(m) {
    if (lacks(m)) return [];
    const { path: points } = app.data.models[m];
    const { p } = app.facts;
    const rate = rates(points, p);
    return axis.samples().map((z) => [z, methodCost(points, app.view.tab, z, p, { rate })]);
  }

  function lineOf(m) {
    const { tab, stretched } = app.view;
    if (tab !== 'best') {
      return curveOf(m).map(([z, c]) => [axis.at(z), Y(shown(c, z))]);
    }
    const breaks = app.data.models[m].switches.map((t) => 1 - t);
    const places = stretched
      ? [...axis.samples(), ...breaks.filter((z) => z > 1e-5 && z < 1 - 1e-5)]
      : [0, ...breaks, 1];
    places.sort((a, b) => a - b);
    return places.map((z) => [axis.at(z), Y(shown(optimalCost(app.data.models[m], 1 - z), z))]);
  }

  function draw(width) {
    const { tab, stretched } = app.view;
    const narrow = width < 480;
    frame = { left: 52, top: 28, width: width - 64, height: matchMedia('print').matches ? 215 : narrow ? 260 : 330 };
    axis.place(frame);
    const peak = Math.max(
      ...app.data.models.map((_, m) => (tab === 'best' ? 0 : Math.max(0, ...curveOf(m).map(([, cost]) => cost)))),
    );
    scale =
      stretched && tab !== 'kendall'
        ? tab === 'best'
          ? 1.1
          : 1.6
        : tab === 'kendall'
          ? Math.max(0.05, peak * 1.1)
          : Math.max(0.5, peak * 1.02);
    // Paper has no strip to drag in.
    const below = matchMedia('print').matches ? 64 : 92;
    set(svg, {
      viewBox: `0 0 ${width} ${frame.top + frame.height + below}`,
      width,
      height: frame.top + frame.height + below,
    });
    svg.textContent = '';
    const clip = unique('clip');
    const bottom = frame.top + frame.height;
    parts = {
      ratios: s('g', { class: 'axes ratios' }),
      bands: s('g', { 'clip-path': `url(#${clip})` }),
      lines: s('g', { 'clip-path': `url(#${clip})` }),
      curves: [],
      rules: [],
      range: s('rect', { class: 'range', y: frame.top, height: frame.height }),
      cursor: s('line', { class: 'cursor', y1: frame.top - 8, y2: bottom }),
      flag: s(
        'g',
        { class: 'flag' },
        s('path', { d: 'M0 0V-13L9 -9.5L0 -6' }),
        s('title', {}, "The author's condition"),
      ),
      dots: app.data.models.map((_, m) => s('circle', { class: 'dot', r: 4, 'data-model': m })),
      labels: dotLabels(app.data.models),
      knob: s('circle', {
        class: 'handle',
        r: 9,
        cy: frame.top - 8,
        tabindex: 0,
        role: 'slider',
        'aria-label': 'Condition, PCF(+)',
        'aria-valuemin': 0,
        'aria-valuemax': 1,
        'aria-orientation': 'horizontal',
      }),
      brush: s('rect', { class: 'brush', x: frame.left, y: bottom + 66, width: frame.width, height: 16, rx: 8 }),
      brushText: s(
        'text',
        { class: 'brush-text', x: frame.left + frame.width / 2, y: bottom + 78, 'text-anchor': 'middle' },
        'drag here to mark a range of conditions',
      ),
      brushed: s('rect', { class: 'brushed', y: bottom + 66, height: 16, rx: 8 }),
      ends: ['low', 'high'].map((end) =>
        s('circle', {
          class: 'handle small',
          r: 7,
          cy: bottom + 74,
          role: 'slider',
          'aria-label': `${end === 'low' ? 'Lowest' : 'Highest'} PCF(+) of the range`,
          'aria-valuemin': 0,
          'aria-valuemax': 1,
          'data-end': end,
        }),
      ),
    };
    const y = steps(0, scale, 5).map((v) => [Y(v), digits(v)]);
    const yTitle =
      tab === 'kendall'
        ? 'ranking loss'
        : stretched
          ? 'cost ÷ best cost without a model'
          : 'normalised cost (1: every case wrong)';
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
    );
    for (const [low, high] of app.thin) {
      const [a, b] = [axis.at(low), axis.at(high)];
      if (b > a) {
        svg.append(
          s(
            'rect',
            { class: 'thin', x: a, y: frame.top, width: b - a, height: frame.height },
            s('title', {}, 'Here the optimum rests on fewer than five cases of a class'),
          ),
        );
      }
    }
    svg.append(
      parts.range,
      axes(
        frame,
        {
          ticks: axis.ticks(narrow),
          title: narrow
            ? 'PCF(+), and miss : false alarm'
            : 'PCF(+), the share of misses in the cost at stake; below it, miss : false alarm at this prevalence',
          drop: 56,
        },
        { ticks: y, title: yTitle },
      ),
      parts.ratios,
    );
    if (tab !== 'kendall') trivials(narrow);
    const { resamples } = app.data;
    app.data.models.forEach((_, m) => {
      if (tab === 'best' && resamples) {
        const strip = app.band(m);
        const kept = strip.pcf
          .map((z, i) => i)
          .filter((i) => !stretched || (strip.pcf[i] > 1e-5 && strip.pcf[i] < 1 - 1e-5));
        const at = (values) => kept.map((i) => Y(shown(values[i], strip.pcf[i])));
        parts.bands.append(
          s('path', {
            class: 'band',
            'data-model': m,
            d: bandPath(
              kept.map((i) => axis.at(strip.pcf[i])),
              at(strip.low),
              at(strip.high),
            ),
          }),
        );
      }
      parts.curves[m] = s('path', { class: 'line', 'data-model': m });
      parts.lines.append(parts.curves[m]);
    });
    lay();
    svg.append(
      parts.bands,
      parts.lines,
      parts.flag,
      parts.cursor,
      ...parts.labels.nodes,
      ...parts.dots,
      parts.brush,
      parts.brushText,
      parts.brushed,
      ...parts.ends,
      parts.knob,
    );
    stretch.checked = stretched;
    drags.update();
    tabs.forEach((button, i) => {
      const key = TABS[i][0];
      const chosen = key === tab;
      button.disabled = key !== 'best' && app.summary.models.every((m) => m.unavailable[key]);
      set(button, { 'aria-selected': chosen, tabindex: chosen ? 0 : -1 });
      if (chosen) set(holder, { 'aria-labelledby': button.id });
    });
    const without = tab === 'best' ? [] : app.summary.models.filter((m) => m.unavailable[tab]);
    const said = [TABS.find(([key]) => key === tab)[2], 'Drag the line.'];
    if (resamples && tab === 'best') said.push(`Bands: ${share(app.summary.level)} of resamples.`);
    if (without.length) said.push(`Not for ${without.map((m) => m.name).join(', ')}: ${without[0].unavailable[tab]}.`);
    hint.textContent = said.join(' ');
    drawnPrevalence = null;
    listen();
  }

  /** Draw the lines. */
  function lay() {
    drawn = [];
    parts.curves.forEach((line, m) => {
      const points = lineOf(m);
      set(line, { d: path(points) });
      if (app.looks()[m].named) drawn.push(...along(points));
    });
  }

  function trivials(narrow) {
    if (app.view.stretched) {
      parts.lines.append(
        s('line', { class: 'chance', x1: frame.left, x2: frame.left + frame.width, y1: Y(1), y2: Y(1) }),
      );
      svg.append(
        s('text', { class: 'aside', x: frame.left + 6, y: Y(1) - 5 }, 'flag nobody'),
        s(
          'text',
          { class: 'aside', x: frame.left + frame.width - 6, y: Y(1) - 5, 'text-anchor': 'end' },
          'flag everybody',
        ),
      );
      return;
    }
    parts.lines.append(
      s('path', {
        class: 'chance',
        d: path([
          [axis.at(0), Y(0)],
          [axis.at(Math.min(scale, 1)), Y(Math.min(scale, 1))],
        ]),
      }),
      s('path', {
        class: 'chance',
        d: path([
          [axis.at(Math.max(1 - scale, 0)), Y(Math.min(scale, 1))],
          [axis.at(1), Y(0)],
        ]),
      }),
    );
    const tilt = Math.atan2(Y(0) - Y(0.5), axis.at(0.5) - axis.at(0));
    // A name stands along its line, and makes way for the cursor; it returns points all over itself.
    const place = (z, ends, turn, text) => {
      const name = s('text', { class: 'aside', 'text-anchor': 'middle', y: -5 }, text);
      const half = textWidth(text) / 2;
      const [dx, dy] = [Math.cos(tilt), turn * Math.sin(tilt)];
      const reach = half * dx + 15;
      svg.append(name);
      parts.rules.push((cursor) => {
        const x = clearOf(
          axis.at(z),
          cursor,
          reach,
          ends.map((end) => axis.at(end)),
        );
        const y = Y(Math.min(axis.from(x), 1 - axis.from(x)));
        set(name, { transform: `translate(${x} ${y}) rotate(${(turn * tilt * 180) / Math.PI})` });
        return [4, 10, 16].flatMap((up) =>
          along([-half, half].map((at) => [x + at * dx + up * dy, y + at * dy - up * dx])),
        );
      });
    };
    place(narrow ? 0.3 : 0.36, [0.12, 0.44], -1, 'flag nobody');
    place(narrow ? 0.7 : 0.64, [0.56, 0.88], 1, 'flag everybody');
  }

  function listen() {
    const bottom = frame.top + frame.height;
    draggable(svg, svg, ([x, y], event) => {
      const end = event.target.dataset ? event.target.dataset.end : null;
      if (end) {
        event.target.focus();
        return ([px]) => app.moveEnd(end, axis.from(px));
      }
      if (y > bottom + 58) {
        const start = axis.from(x);
        return ([px]) => app.brush(start, axis.from(px));
      }
      parts.knob.focus();
      app.moveTo(axis.from(x));
      return ([px]) => app.moveTo(axis.from(px));
    });
    onSteps(parts.knob, app.nudge);
    for (const end of parts.ends) onSteps(end, (step) => app.nudgeEnd(end.dataset.end, step));
  }

  function ratioTicks(p) {
    if (p === drawnPrevalence) return;
    // The other ways of choosing thresholds depend on the prevalence too.
    if (drawnPrevalence !== null && app.view.tab !== 'best') {
      lay();
    }
    drawnPrevalence = p;
    parts.ratios.textContent = '';
    let last = -Infinity;
    for (const ratio of RATIOS) {
      const x = axis.at(pcfOf(ratio, p));
      if (x < frame.left + 12 || x > frame.left + frame.width - 12 || x - last < 46) continue;
      last = x;
      const text = ratio >= 1 ? `${digits(ratio)}:1` : `1:${digits(1 / ratio)}`;
      parts.ratios.append(s('text', { x, y: frame.top + frame.height + 34, 'text-anchor': 'middle' }, text));
    }
  }

  function update(f, spoken) {
    const x = axis.at(f.pcf);
    ratioTicks(f.p);
    set(parts.cursor, { x1: x, x2: x });
    set(parts.knob, { cx: x, 'aria-valuenow': f.pcf.toFixed(6), 'aria-valuetext': spoken });
    set(parts.flag, { transform: `translate(${axis.at(app.authorPcf)} ${frame.top})` });
    const [a, b] = [axis.at(f.span.low), axis.at(f.span.high)];
    set(parts.range, { x: a, width: Math.max(b - a, 0), visibility: f.unsure ? 'visible' : 'hidden' });
    set(parts.brushed, { x: a, width: Math.max(b - a, 0), visibility: f.unsure ? 'visible' : 'hidden' });
    set(parts.brushText, { visibility: f.unsure ? 'hidden' : 'visible' });
    const movable = f.unsure && !app.state.belief;
    parts.ends.forEach((end, i) => {
      const value = i ? f.span.high : f.span.low;
      set(end, {
        cx: i ? b : a,
        visibility: movable ? 'visible' : 'hidden',
        'aria-valuenow': value.toFixed(6),
        'aria-valuetext': `PCF(+) ${digits(value)}`,
      });
      if (movable) end.setAttribute('tabindex', '0');
      else end.removeAttribute('tabindex');
    });
    labels(f, x, [...drawn, ...parts.rules.flatMap((put) => put(x))]);
  }

  function labels(f, x, taken) {
    const looks = app.looks();
    const placed = [];
    app.data.models.forEach((model, m) => {
      const cost = costOf(m, f.pcf);
      const hidden = cost === null;
      const y = hidden ? 0 : Y(shown(cost, f.pcf));
      set(parts.dots[m], { cx: x, cy: y, visibility: hidden ? 'hidden' : 'visible' });
      if (!hidden && looks[m].named) placed.push({ m, y, text: app.names[m] });
    });
    parts.labels.place(placed, x, frame, taken);
  }

  return { node, svg, draw, update, name: 'cost', title: 'Ways of choosing thresholds' };
}
