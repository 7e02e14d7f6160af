// Which model when: the map over cost and share, and what each choice would cost.
import { least } from './rules.js';
import { axes, changed, draggable, h, path, picture, s, say, shading, t, textWidth } from './dom.js';
import { billOf } from './marks.js';
import { digits, rough } from './numbers.js';
import { ratioSpan, ratioTicks, shareSpan, times } from './question.js';
import { inverse, logit, middle } from './state.js';

const TALL = 360;
// Where limits move with the share there are no straight stripes: so many rows are painted.
const ROWS = 72;
const SHARES = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9];

const scaleOf = ([low, high], from, size) => {
  const span = Math.log(high / low);
  return [(r) => from + (Math.log(r / low) / span) * size, (x) => low * Math.exp((Math.min(Math.max(x - from, 0), size) / size) * span)];
};

const titleOf = (app) => `how many times worse a missed ${app.words.positive} is`;
/** The ticks of the cost ratio, but for those that would touch the one before. */
const ticksOf = (span, X, wide) => {
  const far = ([x], i, every) => !i || x - every[i - 1][0] > 34;
  return ratioTicks(span, wide < 330)
    .map((v) => [X(v), times(v)])
    .filter(far);
};

/** The cheapest choice by cost and by share; where the reader stands is drawn by `place`, into a group of its own. */
function mapPicture(app, ink, width) {
  const [ratios, shares] = [ratioSpan(app.state.ratio), shareSpan(app.base, app.state.share)];
  const frame = { left: 58, top: 14, width: width - 78, height: TALL - 66, end: width };
  const [low, high] = shares.map(logit);
  const [X] = scaleOf(ratios, frame.left, frame.width);
  const Yu = (u) => frame.top + frame.height * (1 - (u - low) / (high - low));
  const stripes = app.stripes();
  const models = [...new Set((stripes.rows ?? [stripes]).flatMap(({ stretches }) => stretches.map((one) => one.model)))];
  if (models.length < 2) return { only: models[0] ?? null, ratios, shares };
  const within = { x: frame.left, y: frame.top, width: frame.width, height: frame.height };
  const [defs, clip, hatch] = shading(ink, within, 7, 0.4);
  const at = (u, share) => X(Math.exp(u - share));
  const band = (from, to, [below, above], fill, opacity) => {
    // Rows reach a little into the next, so that no seam is seen.
    const top = Yu(above) - (stripes.rows ? 0.7 : 0);
    const points = [
      [at(from, below), Yu(below)],
      [at(to, below), Yu(below)],
      [at(to, above), top],
      [at(from, above), top],
    ];
    return s('path', { d: `${path(points)}Z`, fill, 'fill-opacity': opacity });
  };
  const shown = (model) => (model >= 0 ? 1 : 0.3);
  const rows = stripes.rows ?? [{ ...stripes, shares: [low, high] }];
  const painted = rows.flatMap((row) =>
    row.stretches.map(({ model, from, to }) => band(from, to, row.shares, app.colour(ink, model), shown(model))),
  );
  const open = stripes.rows ? [] : stripes.open.map(([from, to]) => band(from, to, [low, high], hatch, 1));
  const names = labels(app, ink, stripes.stretches ?? [], { frame, ratios, low, high, at, Yu });
  if (stripes.rows) names.push(...rowLabels(app, ink, stripes.rows, models, { frame, ratios, at, Yu }));
  const y = SHARES.filter((p) => p >= shares[0] * 0.999 && p <= shares[1] * 1.001).map((p) => [Yu(logit(p)), `${digits(100 * p, 2)} %`]);
  const here = s('g');
  const place = () => {
    const looks = { cy: Yu(logit(middle(app.state.share))), r: 10, fill: ink.card, stroke: ink.ink, 'stroke-width': 3.4 };
    const ring = app.state.ratio ? [s('circle', { cx: X(middle(app.state.ratio)), ...looks })] : [];
    here.replaceChildren(...boxOf(app, ink, X, Yu), ...ring);
  };
  return {
    place,
    node: picture(
      width,
      TALL,
      `Which choice is cheapest, by cost and share: ${models.map((m) => app.choice(m)).join(', ')}`,
      defs,
      s('g', { 'clip-path': clip }, painted, open),
      axes(ink, frame, { ticks: ticksOf(ratios, X, frame.width), title: titleOf(app) }, { ticks: y, bare: true }),
      names,
      here,
    ),
    frame,
    ratios,
    shares,
  };
}

/** The range of a reader who is not sure, as a box. */
function boxOf(app, ink, X, Yu) {
  const { ratio, share } = app.state;
  if (!ratio || (ratio[0] === ratio[1] && share[0] === share[1])) return [];
  const [x0, x1] = ratio.map(X);
  const [y1, y0] = share.map((p) => Yu(logit(p)));
  const box = { x: x0 - 1, y: y0 - 1, width: x1 - x0 + 2, height: y1 - y0 + 2 };
  return [s('rect', { ...box, fill: 'none', stroke: ink.ink, 'stroke-width': 1.6 })];
}

/** The names of stripes, in the middle of what is seen of each. */
function labels(app, ink, stretches, { frame, ratios, low, high, at, Yu }) {
  const [lowest, highest] = [low + Math.log(ratios[0]), high + Math.log(ratios[1])];
  return stretches.flatMap(({ model, from, to }) => {
    const [a, b] = [Math.max(from, lowest), Math.min(to, highest)];
    if (b - a < 0.5) return [];
    const u = a + (b - a) * (a === lowest && b < highest ? 0.62 : b === highest && a > lowest ? 0.38 : 0.5);
    const share = (Math.max(low, u - Math.log(ratios[1])) + Math.min(high, u - Math.log(ratios[0]))) / 2;
    return tag(app, ink, model, frame, at(u, share), Yu(share));
  });
}

/** The name of a choice on the ground of its colour, inside the frame. */
function tag(app, ink, model, { left, top, width, height }, wantedX, wantedY) {
  const name = app.label(app.choice(model), 14, width / 2);
  const half = textWidth(name, 14, 650) / 2 + 8;
  const x = Math.max(left + half + 2, Math.min(wantedX, left + width - half - 2));
  const y = Math.max(top + 14, Math.min(wantedY, top + height - 14));
  const fill = model >= 0 ? app.colour(ink, model) : ink.shade;
  return [
    s('rect', { x: x - half, y: y - 12, width: 2 * half, height: 24, rx: 6, fill }),
    t(x, y + 5, name, model >= 0 ? ink.card : ink.ink, 14, 650, 'middle'),
  ];
}

/** The names of models in the middle of the most rows in which each is cheapest; those of few rows have none. */
function rowLabels(app, ink, rows, models, { frame, ratios, at, Yu }) {
  return models.flatMap((model) => {
    const own = rows.filter(({ stretches }) => stretches.some((one) => one.model === model));
    if (own.length < ROWS / 12) return [];
    const { shares, stretches } = own[Math.floor(own.length / 2)];
    const { from, to } = stretches.find((one) => one.model === model);
    const share = (shares[0] + shares[1]) / 2;
    const [low, high] = ratios.map((r) => Math.log(r) + share);
    return tag(app, ink, model, frame, at((Math.max(from, low) + Math.min(to, high)) / 2, share), Yu(share));
  });
}

/** What each choice would cost at every cost ratio, in false alarms: on new cases, or on those at hand while that is not known. */
function choicesOf(app, ink, f) {
  const p = middle(app.state.share);
  const named = app.coloured();
  const { priced } = app.painted();
  const { rules } = app.data;
  const kept = app.keptAt(app.state.limits, p);
  const grey = { colour: ink.grey, width: 1.6 };
  const rated = (rates) => (r) => least(rates.map(([fpr, tpr]) => (1 - p) * fpr + p * r * (1 - tpr)));
  /** A model on these cases: its cheapest rule within the limits. */
  const here = (m) => rated(rules.hull(rules.path(m).filter((i) => kept[i])).map((i) => [rules.fpr[i], rules.tpr[i]]));
  /** A model on new cases: between the ratios at which its price is known. */
  const fresh = (points) => (r) => {
    const k = points.findIndex(([x], i) => i > 0 && (x >= r || i === points.length - 1));
    const [[x0, y0], [x1, y1]] = [points[k - 1], points[k]];
    return (y0 + ((y1 - y0) * Math.log(r / x0)) / Math.log(x1 / x0)) * (1 - p + p * r);
  };
  const known = app.names.map((name) => priced.map(([r, prices]) => [r, prices[name] ?? null]).filter(([, price]) => price !== null));
  return [
    { name: app.choice(-1), ...grey, dash: '2 3', cost: rated([[1, 1]]) },
    { name: app.choice(-2), ...grey, dash: '6 4', cost: rated([[0, 0]]) },
    ...(f.today ? [{ name: 'today', colour: ink.ink, width: 1.8, dash: '4 3', cost: rated([[f.today.fpr, f.today.tpr]]) }] : []),
    ...app.names.map((name, m) => ({
      name,
      colour: app.colour(ink, m),
      width: named.includes(m) ? 2.6 : 1,
      dash: app.dash(m),
      quiet: !named.includes(m),
      cost: known[m].length > 1 ? fresh(known[m]) : here(m),
    })),
  ];
}

/** The chart of `choicesOf` per 1000; its lines are drawn anew only where they change. */
function moneyPicture(app, ink, width, f, drawn) {
  const [ratios, p, gap] = [ratioSpan(app.state.ratio), middle(app.state.share), app.state.money ?? 1];
  const painted = app.painted();
  if (changed(drawn, painted, width, app.theme(), gap, f.today?.fpr, f.today?.tpr)) {
    const choices = choicesOf(app, ink, f);
    const topmost = Math.max(...choices.map((one) => 1000 * gap * one.cost(ratios[1])).filter(Number.isFinite));
    Object.assign(drawn, { choices, topmost, top: null });
  }
  const bill = f.answer && app.state.ratio ? billOf(f.answer) : null;
  const own = bill && (painted.priced.length > 1 ? bill.total : bill.total - bill.extra) - bill.base;
  const top = Math.min(Math.max(1250 * (1 - p) * gap, 2 * (own ?? 0)), drawn.topmost) || 1;
  if (top !== drawn.top) Object.assign(drawn, { top, ...linesPicture(app, ink, width, { ...drawn, top, ratios, gap }) });
  const { frame, X } = drawn;
  const at = app.state.ratio ? X(middle(app.state.ratio)) : null;
  const Y = frame.top + frame.height * (1 - Math.min(own, top) / top);
  const m = f.answer ? app.data.names.indexOf(f.answer.model) : -1;
  const place =
    at === null ? [] : [s('path', { d: `M${at.toFixed(1)} ${frame.top}V${frame.top + frame.height}`, stroke: ink.ink, 'stroke-width': 1 })];
  if (own && at !== null) place.push(s('circle', { cx: at, cy: Y, r: 7, fill: ink.card, stroke: app.colour(ink, m), 'stroke-width': 3.4 }));
  drawn.here.replaceChildren(...place);
  return drawn.node;
}

function linesPicture(app, ink, width, { choices, top, ratios, gap }) {
  const room = Math.min(Math.max(...choices.filter((one) => !one.quiet).map(({ name }) => textWidth(name, 13, 600))), width * 0.32);
  const costAt = (choice, r) => 1000 * gap * choice.cost(r);
  const steps = stepsOf(top).map((v) => [v, rough(v, app.unit())]);
  const left = 22 + Math.max(56, ...steps.map(([, text]) => textWidth(text, 13)));
  const frame = { left, top: 18, width: width - 14 - left - room, height: TALL - 70, end: width };
  const [X] = scaleOf(ratios, frame.left, frame.width);
  const Y = (cost) => frame.top + frame.height * (1 - cost / top);
  const [lines, ends, over] = [[], [], []];
  for (const choice of choices) {
    const points = [];
    let last = null;
    for (let i = 0; i <= 90; i++) {
      const r = ratios[0] * (ratios[1] / ratios[0]) ** (i / 90);
      const cost = costAt(choice, r);
      if (cost > top * 1.001) {
        if (last && !choice.quiet) over.push([last[0], app.label(choice.name, 13, Math.max(room, 0.7 * frame.width)), choice.colour]);
        last = null;
        break;
      }
      last = [X(r), Y(cost)];
      points.push(last);
    }
    if (last && !choice.quiet) ends.push([last[1], choice]);
    const looks = { stroke: choice.colour, 'stroke-width': choice.width, 'stroke-dasharray': choice.dash || null };
    lines.push(s('path', { d: path(points), fill: 'none', ...looks, 'stroke-linejoin': 'round' }));
  }
  ends.sort((a, b) => a[0] - b[0]);
  ends.forEach((one, i) => {
    if (i) one[0] = Math.max(one[0], ends[i - 1][0] + 16);
  });
  const low = ends.length ? Math.max(0, ends[ends.length - 1][0] - frame.top - frame.height) : 0;
  const words = ends.map(([y, { name, colour }]) =>
    t(frame.left + frame.width + 8, y - low + 4.5, app.label(name, 13, room), colour, 13, 600),
  );
  const above = over.map(([x, name, fill], i) =>
    t(Math.max(x - 6, frame.left + textWidth(name, 13, 600) + 2), frame.top + 4 + 15 * i, name, {
      ...{ fill, size: 13, weight: 600, anchor: 'end' },
      ...{ stroke: ink.bg, 'stroke-width': 4, 'stroke-linejoin': 'round', 'paint-order': 'stroke' },
    }),
  );
  const ticks = steps.map(([v, text]) => [Y(v), text]);
  const here = s('g');
  const node = picture(
    width,
    TALL,
    `Cost per 1,000 ${app.words.cases} of each choice, by the cost of a missed ${app.words.positive}`,
    axes(ink, frame, { ticks: ticksOf(ratios, X, frame.width), title: titleOf(app) }, { ticks }),
    lines,
    here,
    words,
    above,
  );
  return { node, here, frame, X };
}

function stepsOf(top) {
  const unit = 10 ** Math.floor(Math.log10(top));
  const step = top / unit > 5 ? 2 * unit : top / unit > 2 ? unit : unit / 2;
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(10)));
}

/** The rows of a map where limits move with the share. */
export function mapRows(shares, stretchesAt) {
  const [low, high] = shares.map(logit);
  let stretches = [];
  return Array.from({ length: ROWS }, (_, i) => {
    const [from, to] = [i, i + 1].map((row) => low + ((high - low) * row) / ROWS);
    stretches = stretchesAt(inverse((from + to) / 2), stretches);
    return { shares: [from, to], stretches };
  });
}

export function whenView(app) {
  const [map, money] = [h('div', { class: 'picture map' }), h('div', { class: 'picture money' })];
  const [ring, about] = [h('span', {}, 'The ring is you. Cross a border and another choice becomes the cheapest.'), h('span')];
  const node = h(
    'div',
    { class: 'two' },
    h('div', {}, h('h3', {}, 'The cheapest choice, by cost and by share'), h('p', {}, ring), map),
    h('div', {}, h('h3', {}, 'What each choice would cost'), h('p', {}, about), money),
  );
  let drawn = null;
  const chart = {};
  const singleText = ({ only, ratios, shares }) => {
    const [low, high] = only === null ? [] : ratios.map(times);
    const [from, to] = only === null ? [] : shares.map((p) => `${digits(100 * p, 2)} %`);
    const stays = { name: only === null ? null : app.begun(only), low, high, from, to };
    return app.speaker.say('page_single', { question: { words: app.words }, stays });
  };
  draggable(map, (_, event) => {
    if (!drawn?.frame || event.pointerType === 'touch') return null;
    const { frame, ratios, shares } = drawn;
    const svg = map.firstChild;
    const [width, height] = [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
    return (x, y) => {
      const inside = (v, from, size) => Math.min(Math.max((v - from) / size, 0), 1);
      const [a, b] = [inside(x * width, frame.left, frame.width), 1 - inside(y * height, frame.top, frame.height)];
      const r = ratios[0] * (ratios[1] / ratios[0]) ** a;
      const p = inverse(logit(shares[0]) + b * (logit(shares[1]) - logit(shares[0])));
      const [ratio, share] = [Number(r.toPrecision(2)), Number(p.toPrecision(2))];
      app.change({ ratio: [ratio, ratio], range: false, share: [share, share] });
    };
  });
  return {
    node,
    pictures: [
      ['which-model-when', 'The cheapest choice, by cost and by share', () => map.querySelector('svg')],
      ['cost-chart', 'What each choice would cost', () => money.querySelector('svg')],
    ],
    update(f) {
      if (app.data.names.length === 1) node.firstChild.hidden = true;
      else {
        const width = Math.max(280, Math.min(640, app.widthOf(map, 560)));
        if (changed(map, app.stripes(), width, app.theme(), ...ratioSpan(app.state.ratio), ...shareSpan(app.base, app.state.share))) {
          drawn = mapPicture(app, app.ink, width);
          ring.hidden = !drawn.node;
          map.replaceChildren(drawn.node ?? h('p', { class: 'single' }, singleText(drawn)));
        }
        drawn.place?.();
      }
      const whose = app.painted().priced.length ? `1,000 new ${app.words.cases}` : `1,000 of these ${app.words.cases}`;
      say(
        about,
        `Per ${whose}, at your share${Object.keys(app.state.limits).length ? ' and within your limits' : ''}. The line is where you stand.`,
      );
      const shown = moneyPicture(app, app.ink, Math.max(280, Math.min(640, app.widthOf(money, 560))), f, chart);
      if (money.firstChild !== shown) money.replaceChildren(shown);
    },
  };
}
