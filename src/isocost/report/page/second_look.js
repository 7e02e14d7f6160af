// A person can look: the switch with its sliders, and what second looks bring.
import { means } from './beliefs.js';
import { costSaid } from './cost_words.js';
import { inWords } from './deed.js';
import { optimalCost } from './core.js';
import { axes, h, path, roomIn, s, say, set, steps, textWidth, unique } from './dom.js';
import { amount, digits, share } from './numbers.js';
import { chordOf, mostGained, reviewBand, reviewCurve } from './review.js';
import { worthText } from './review_words.js';
import { whyNoReview } from './reviewing.js';
import { tidy } from './typed.js';

const LOOK_STEPS = 200;
// What the switch begins with, as a part of the most that a look can be worth.
const FIRST_PRICE = 0.4;
const ANSWERS = ['clear', 'review', 'flag'];
const BAR = { height: 30, room: 24 };

/** The most on the slider of prices: a little above what a perfect look can be worth here. */
const dearestLook = (condition) => tidy(1.15 * mostGained(condition, { reviewer_fpr: 0, reviewer_tpr: 1 }));

/** The controls, for the reader's situation. */
export function lookControl(app) {
  const { unit, words } = app.summary;
  const per1000 = (v) => `${digits(1000 * v, 4)} of 1000`;
  const sliders = [
    {
      name: 'cost_review',
      label: 'Price of a look',
      said: (v) => amount(v, unit),
      from: (u) => tidy(u * Math.max(dearestLook(means(app.state)), app.state.review?.cost_review ?? 0)),
      to: (v) => v / Math.max(dearestLook(means(app.state)), v),
    },
    {
      name: 'max_reviewed',
      label: 'Looks at most',
      said: (v) => (v === null ? 'no limit' : per1000(v)),
      from: (u) => (u >= 1 ? null : tidy(u)),
      to: (v) => v ?? 1,
    },
    {
      name: 'reviewer_tpr',
      label: `${words.Positives} the person finds`,
      said: share,
      from: (u) => tidy(0.5 + u / 2, true),
      to: (v) => 2 * v - 1,
    },
    {
      name: 'reviewer_fpr',
      label: `${words.Negatives} the person takes for ${words.positives}`,
      said: share,
      from: (u) => tidy(u / 2),
      to: (v) => 2 * v,
    },
  ].map((slider) => {
    const id = unique('look');
    const value = h('output', { class: 'value', for: id });
    const input = h('input', { type: 'range', id, min: 0, max: LOOK_STEPS, step: 1, 'data-look': slider.name });
    input.addEventListener('input', () => {
      app.review({ ...app.state.review, [slider.name]: slider.from(Number(input.value) / LOOK_STEPS) });
    });
    const node = h('div', { class: 'look' }, h('label', { for: id }, slider.label), value, input);
    return { ...slider, input, value, node };
  });
  const box = h('input', { type: 'checkbox', 'data-act': 'review' });
  box.addEventListener('change', () => app.review(box.checked ? first() : null));
  const why = h('p', { class: 'sub' });
  const rest = h(
    'div',
    { class: 'looks', hidden: true },
    sliders.map((slider) => slider.node),
  );
  const node = h('div', { class: 'second-look' }, h('label', { class: 'tick' }, box, 'A person can look'), why, rest);

  function first() {
    const price = tidy(FIRST_PRICE * mostGained(means(app.state), { reviewer_fpr: 0, reviewer_tpr: 1 }));
    return { cost_review: price, max_reviewed: null, reviewer_fpr: 0, reviewer_tpr: 1 };
  }
  function update() {
    const { review } = app.state;
    const not = whyNoReview(app.data, app.state);
    box.disabled = Boolean(not);
    box.checked = Boolean(review);
    say(why, inWords(not, app.speech));
    why.hidden = !not;
    rest.hidden = !review;
    if (!review) return;
    for (const { name, input, value, said, to } of sliders) {
      const text = said(review[name]);
      input.value = Math.round(LOOK_STEPS * Math.min(Math.max(to(review[name]), 0), 1));
      set(input, { 'aria-valuetext': text });
      say(value, text);
    }
  }
  return { node, update };
}

/** The view: who is cleared, looked at and flagged; the chord on the cost curve; the cost at every price of a look. */
export function lookView(app) {
  const { unit, words } = app.summary;
  const said = h('p', { class: 'sub' });
  const worth = h('p', { class: 'worth' });
  const bar = s('svg', { class: 'panel look-bar', role: 'img' });
  const chord = s('svg', { class: 'panel look-chord', role: 'img' });
  const prices = s('svg', { class: 'panel look-prices', role: 'img' });
  const [holder, chordHolder] = [bar, chord].map((svg) => h('div', { class: 'plot' }, svg));
  const node = h(
    'section',
    { class: 'view look-view', hidden: true },
    h('h2', {}, 'What second looks bring'),
    said,
    holder,
    worth,
    h(
      'div',
      { class: 'look-charts' },
      h(
        'figure',
        {},
        h('figcaption', {}, 'The saving is the gap between the cost of one threshold and the chord below it.'),
        chordHolder,
      ),
      h(
        'figure',
        {},
        h('figcaption', {}, 'Cost at every price of a look, without a limit on looks.'),
        h('div', { class: 'plot' }, prices),
      ),
    ),
  );
  let width = 560;
  // Of either chart.
  let side = 560;

  /** The model to show: the decided one, or the first where none is used. */
  const shown = (d) => app.data.models.find((model) => model.name === d.model) ?? app.data.models[0];

  function putBar(band) {
    const parts = { clear: band.cleared, review: band.reviewed, flag: band.flagged };
    const texts = { clear: 'left alone', review: 'looked at', flag: words.flagged };
    set(bar, { viewBox: `0 0 ${width} ${BAR.height + BAR.room}`, width, height: BAR.height + BAR.room });
    bar.textContent = '';
    let x = 0;
    let free = 0;
    for (const answer of ANSWERS) {
      const size = parts[answer] * width;
      const text = `${share(parts[answer])} ${texts[answer]}`;
      const room = textWidth(text);
      bar.append(s('rect', { class: `answer-${answer}`, x, y: 0, width: size, height: BAR.height }));
      // Below its part if there is room before the next, else further on; the last keeps to the end.
      const from = Math.min(Math.max(x, free), width - room);
      if (parts[answer] > 0 && from >= free - 1) {
        bar.append(s('text', { x: from, y: BAR.height + 16 }, text));
        free = from + room + 12;
      }
      x += size;
    }
    set(bar, { 'aria-label': ANSWERS.map((answer) => `${share(parts[answer])} ${texts[answer]}`).join(', ') });
  }

  function putChord(band, model) {
    const frame = { left: 58, top: 10, width: side - 70, height: Math.min(220, side * 0.6) };
    const ends = band.reviewed > 0 ? chordOf(band) : null;
    const breaks = [0, ...[...model.switches].map((t) => 1 - t).reverse(), 1];
    const curve = breaks.map((z) => [z, optimalCost(model, 1 - z)]);
    const top = Math.max(...curve.map(([, y]) => y), ...(ends ?? []).map(([, y]) => y)) * 1.1 || 1;
    const X = (z) => frame.left + z * frame.width;
    const Y = (v) => frame.top + (1 - v / top) * frame.height;
    const at = (points) => path(points.map(([x, y]) => [X(x), Y(y)]));
    const { pcf, best, worst } = band.condition;
    const [without, cost] = [band.expected_cost_without, band.expected_cost].map((v) => (v - best) / (worst - best));
    frameOf(chord, frame, {
      x: { ticks: [0, 0.25, 0.5, 0.75, 1].map((z) => [X(z), String(z)]), title: 'share of the cost that misses carry' },
      y: { ticks: steps(0, top, 4).map((v) => [Y(v), digits(v, 2)]), title: 'share of the worst cost' },
    });
    chord.append(s('path', { class: 'line', d: at(curve), 'data-model': model.index }));
    if (ends) {
      const gap = [
        [pcf, without],
        [pcf, cost],
      ];
      chord.append(
        s('path', { class: 'chord', d: at(ends) }),
        s('path', { class: 'saving', d: at(gap) }),
        ...ends.map(([x, y]) => s('circle', { class: 'chord-end', cx: X(x), cy: Y(y), r: 3.5 })),
      );
    }
    chord.append(s('circle', { class: 'dot', cx: X(pcf), cy: Y(without), r: 4, 'data-model': model.index }));
    const less = `${costSaid(band.saving, unit)} less per 1000`;
    set(chord, { 'aria-label': `Cost curve of ${model.name} and the chord of its band: ${less} than one threshold.` });
  }

  function putPrices(band, model) {
    const frame = { left: 58, top: 10, width: side - 70, height: Math.min(220, side * 0.6) };
    const found = reviewCurve(model, band.condition, band);
    const right = Math.max(1.15 * found.worth_up_to, 1.05 * band.cost_review) || 1;
    const [low, high] = [Math.min(0, ...found.costs), Math.max(...found.costs, band.expected_cost)].map(
      (v) => 1000 * v,
    );
    const X = (v) => frame.left + (v / right) * frame.width;
    const Y = (v) => frame.top + (1 - (v - low) / ((high - low) * 1.08 || 1)) * frame.height;
    frameOf(prices, frame, {
      x: {
        ticks: steps(0, right, 4).map((v) => [X(v), digits(v, 2)]),
        title: `price of a look${unit && ` (${unit})`}`,
      },
      y: { ticks: steps(low, high, 4).map((v) => [Y(v), digits(v)]), title: `${unit || 'cost'} per 1000` },
    });
    const points = [
      ...found.breaks.map((price, k) => [price, found.costs[k]]),
      [right, found.expected_cost_without],
    ].map(([price, cost]) => [X(price), Y(1000 * cost)]);
    prices.append(
      s('path', { class: 'line', d: path(points), 'data-model': model.index }),
      s('line', { class: 'stops', x1: X(found.worth_up_to), x2: X(found.worth_up_to), y1: frame.top, y2: Y(low) }),
      s('circle', {
        class: 'dot',
        cx: X(band.cost_review),
        cy: Y(1000 * band.expected_cost),
        r: 5,
        'data-model': model.index,
      }),
    );
    set(prices, {
      'aria-label': `Cost against the price of a look: looks pay up to ${amount(found.worth_up_to, unit)}.`,
    });
  }

  function frameOf(svg, frame, { x, y }) {
    const height = frame.top + frame.height + 44;
    set(svg, { viewBox: `0 0 ${side} ${height}`, width: side, height });
    svg.textContent = '';
    svg.append(axes(frame, x, y));
  }

  function update({ answer }) {
    const { review } = app.state;
    if (!review) return;
    const model = shown(answer);
    const prices1000 = { condition: means(app.state), hasUnit: true, prevalence: () => means(app.state).prevalence };
    const { t, pcf } = prices1000.condition;
    const band = answer.review ?? reviewBand(model, { ...prices1000, t, pcf }, review);
    const saved = `${costSaid(band.saving, unit)} less per 1000 ${words.cases} than with one threshold`;
    const name = app.names[model.index];
    say(
      said,
      band.reviewed > 0 ? `${name} with second looks costs ${saved}.` : 'At this price nobody should be looked at.',
    );
    say(worth, worthText(band, unit).replaceAll('Reviews pay', 'Looks pay').replaceAll('review', 'look'));
    putBar(band);
    putChord(band, model);
    putPrices(band, model);
    app.paint();
  }
  function draw(room) {
    width = room;
    side = Math.max(roomIn(chordHolder), 200);
  }
  /** Be there only while a person can look. */
  function show() {
    node.hidden = !app.state.review;
  }
  return { node, holder, update, draw, show };
}
