// Under cost space, on its x axis: who wins where, and the difference of two models.
import { claimsOf } from './claims.js';
import { axes, bandPath, h, path, s, set, steps, textWidth, unique } from './dom.js';
import { difference, winningPoint } from './core.js';
import { band, clearFrom, costsAt, shares } from './resamples.js';
import { digits, share } from './numbers.js';
import { DEEDS } from './words.js';

/** Stretches of pcf on which the winner is cheapest in less than some share of the resamples. */
export function unsettled(data, least) {
  const { resamples, points, models } = data;
  if (!resamples) return [];
  const found = [];
  resamples.grid.forEach((z, j) => {
    if (z === 0 || z === 1) return;
    const { model } = points[winningPoint(points, 1 - z)];
    const part = shares(costsAt(data, z)).get(models[model]?.name ?? model);
    if (part >= least - 1e-9) return;
    const [low, high] = [(resamples.grid[j - 1] + z) / 2, (z + resamples.grid[j + 1]) / 2];
    const last = found[found.length - 1];
    if (last && last[1] === low) last[1] = high;
    else found.push([low, high]);
  });
  return found;
}

export function winnersView(app) {
  const svg = s('svg', { class: 'panel winners', role: 'img', 'aria-label': 'Who is cheapest where' });
  const hint = h(
    'p',
    { class: 'hint' },
    'Cheapest at each condition; click to go there.',
    app.data.resamples ? ` Hatched: cheapest in fewer than ${share(clearFrom(app.summary.level))} of resamples.` : null,
  );
  const node = h('figure', { class: 'view strip' }, h('figcaption', {}, h('h3', {}, 'Who wins where'), hint), svg);
  const hatched = unsettled(app.data, clearFrom(app.summary.level));
  let marker;
  let chips;
  function draw(width) {
    set(svg, { viewBox: `0 0 ${width} 44`, width, height: 44 });
    svg.textContent = '';
    const hatch = unique('hatch');
    svg.append(
      s(
        'defs',
        {},
        s(
          'pattern',
          { id: hatch, width: 7, height: 7, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
          s('rect', { class: 'hatch', width: 3, height: 7 }),
        ),
      ),
    );
    chips = [];
    for (const win of app.summary.winners) {
      const [a, b] = [app.axis.at(1 - win.t_high), app.axis.at(1 - win.t_low)];
      const name = app.data.models[win.model]?.name ?? DEEDS[win.model];
      const middle = 1 - (win.t_low + win.t_high) / 2;
      const rect = s(
        'rect',
        {
          class: win.model in DEEDS ? 'win none' : 'win',
          'data-model': win.model,
          x: a,
          y: 4,
          width: Math.max(b - a, 0),
          height: 26,
        },
        s('title', {}, `${name}: PCF(+) ${digits(1 - win.t_high)} to ${digits(1 - win.t_low)}`),
      );
      rect.addEventListener('click', () => app.moveTo(middle));
      svg.append(rect);
      chips.push({ name: app.names[win.model] ?? name, x: (a + b) / 2, room: b - a });
    }
    for (const [low, high] of hatched) {
      const [a, b] = [app.axis.at(low), app.axis.at(high)];
      svg.append(
        s('rect', { class: 'over', fill: `url(#${hatch})`, x: a, y: 4, width: Math.max(b - a, 0), height: 26 }),
      );
    }
    for (const { name, x, room } of chips) {
      const text = s('text', { class: 'chip-text', x, y: 21, 'text-anchor': 'middle' }, name);
      const length = textWidth(name, true) + 12;
      if (length > room) continue;
      svg.append(s('rect', { class: 'chip', x: x - length / 2, y: 8, width: length, height: 18, rx: 4 }), text);
    }
    marker = s('path', { class: 'marker', d: 'M0 31L-6 42H6Z' });
    svg.append(marker);
  }
  function update(f) {
    set(marker, { transform: `translate(${app.axis.at(f.pcf)} 0)` });
  }
  return { node, svg, draw, update, name: 'winners', title: 'Who wins where' };
}

export function differenceView(app) {
  const svg = s('svg', { class: 'panel difference', role: 'img', 'aria-label': 'Difference of two models' });
  const picks = ['a', 'b'].map((key) =>
    h(
      'select',
      {
        'aria-label': key === 'a' ? 'First model of the difference' : 'Second model of the difference',
        onchange: (event) => app.look({ [key]: Number(event.target.value) }),
      },
      app.names.map((name, i) => h('option', { value: i }, name)),
    ),
  );
  const note = h('p', { class: 'hint' });
  const node = h(
    'figure',
    { class: 'view strip' },
    h('figcaption', {}, h('h3', {}, 'Difference of ', picks[0], ' minus ', picks[1])),
    svg,
    note,
  );
  let cursor;
  function draw(width) {
    const { a, b } = app.view;
    picks[0].value = a;
    picks[1].value = b;
    const frame = { left: 52, top: 16, width: width - 64, height: 120 };
    set(svg, { viewBox: `0 0 ${width} 178`, width, height: 178 });
    svg.textContent = '';
    const line = difference(app.data.models[a], app.data.models[b]);
    const { level } = app.summary;
    const strip = app.data.resamples ? band(app.data.resamples, level, a, b) : null;
    const relative = app.view.stretched ? (v, z) => v / Math.min(z, 1 - z) : (v) => v;
    const inside = (z) => !app.view.stretched || (z > 1e-5 && z < 1 - 1e-5);
    const extent = [...line.value.map((v, i) => (inside(line.pcf[i]) ? Math.abs(relative(v, line.pcf[i])) : 0))];
    if (strip) {
      strip.pcf.forEach(
        (z, i) => inside(z) && extent.push(Math.abs(relative(strip.low[i], z)), Math.abs(relative(strip.high[i], z))),
      );
    }
    const top = Math.max(1e-3, ...extent) * 1.1;
    const Y = (v) => frame.top + frame.height * (0.5 - v / top / 2);
    const ticks = steps(-top, top, 4).map((v) => [Y(v), v < 0 ? `−${digits(-v)}` : digits(v)]);
    svg.append(
      axes(
        frame,
        { ticks: app.axis.ticks(width < 480), title: 'PCF(+)' },
        { ticks, title: app.view.stretched ? 'relative' : 'cost' },
      ),
    );
    if (strip) {
      const kept = strip.pcf.map((_, i) => i).filter((i) => inside(strip.pcf[i]));
      const at = (values) => kept.map((i) => Y(relative(values[i], strip.pcf[i])));
      svg.append(
        s('path', {
          class: 'band plain',
          d: bandPath(
            kept.map((i) => app.axis.at(strip.pcf[i])),
            at(strip.low),
            at(strip.high),
          ),
        }),
      );
    }
    svg.append(s('line', { class: 'zero', x1: frame.left, x2: frame.left + frame.width, y1: Y(0), y2: Y(0) }));
    const places = app.view.stretched
      ? [...app.axis.samples(), ...line.pcf.filter(inside)].sort((x, y) => x - y)
      : line.pcf;
    const value = (z) => app.costAt(a, z) - app.costAt(b, z);
    svg.append(
      s('path', { class: 'plainline', d: path(places.map((z) => [app.axis.at(z), Y(relative(value(z), z))])) }),
    );
    const [nameA, nameB] = [app.data.models[a].name, app.data.models[b].name];
    const { significance } = app.summary;
    const bars = significance ? claimsOf(significance, nameA, nameB) : [];
    for (const bar of bars) {
      const [x1, x2] = [app.axis.at(bar.low), app.axis.at(bar.high)];
      svg.append(
        s('rect', {
          class: 'win',
          'data-model': bar.better === nameA ? a : b,
          x: x1,
          y: 4,
          width: Math.max(x2 - x1, 1),
          height: 8,
        }),
      );
    }
    const said = [nameA, nameB]
      .filter((name) => bars.some((bar) => bar.better === name))
      .map(
        (name) =>
          `${name} is significantly cheaper for PCF(+) ${bars
            .filter((bar) => bar.better === name)
            .map((bar) => `${digits(bar.low, 2)} to ${digits(bar.high, 2)}`)
            .join(', ')}`,
      );
    const surely = !strip
      ? 'No intervals: the report holds no resampled data.'
      : !significance
        ? 'Too few resamples to speak of significance.'
        : said.length
          ? `At ${share(level)}, over all pairs and conditions at once: ${said.join('; ')}.`
          : `No difference is significant at ${share(level)}, over all pairs and conditions at once.`;
    const same =
      places.every((z) => Math.abs(value(z)) < 1e-12) && (!strip || strip.high.every((v, i) => v === strip.low[i]));
    const told = same ? 'Both cost the same at every condition.' : `Below 0: ${nameA} is cheaper. ${surely}`;
    note.textContent = a === b ? 'Choose two different models.' : told;
    cursor = s('line', { class: 'cursor', y1: frame.top, y2: frame.top + frame.height });
    svg.append(cursor);
  }
  function update(f) {
    const x = app.axis.at(f.pcf);
    set(cursor, { x1: x, x2: x });
  }
  return { node, svg, draw, update, name: 'difference', title: 'Difference' };
}
