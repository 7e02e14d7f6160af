// What would settle it: more data, a better-known cost, a better-known share; one bar each.
import { means, middle } from './beliefs.js';
import { costSaid, spanSaid, unitSaid } from './cost_words.js';
import { runnerUp, trivialDoing } from './deed.js';
import { h, s, say, set, tell, textWidth } from './dom.js';
import { digits, rough, share } from './numbers.js';
import { TRIVIAL } from './words.js';

const HEIGHT = 40;

/** A bar on its own axis: a coloured stretch, a mark, and up to two whiskers with their texts. */
function bar() {
  const svg = s('svg', { class: 'bar', 'aria-hidden': 'true' });
  const parts = {
    track: s('line', { class: 'bar-track', x1: 4, y1: 12, y2: 12 }),
    stretch: s('line', { class: 'bar-stretch', y1: 12, y2: 12 }),
    given: s('line', { class: 'bar-given', y1: 12, y2: 12 }),
    ends: [0, 1].map(() => s('line', { class: 'bar-end', y1: 3, y2: 21 })),
    mark: s('circle', { class: 'bar-mark', r: 5, cy: 12 }),
    texts: [0, 1].map(() => s('text', { class: 'aside', y: 36, 'text-anchor': 'middle' })),
  };
  svg.append(parts.track, parts.stretch, parts.given, ...parts.ends, parts.mark, ...parts.texts);
  return { svg, parts };
}

export function settleView(app) {
  const { words, unit, level } = app.summary;
  const items = ['The test data', `The cost of ${words.miss}`, `The share of ${words.positives}`].map((title) => {
    const picture = bar();
    const text = h('p', {});
    return { ...picture, text, node: h('div', { class: 'item' }, h('h3', {}, title), picture.svg, text) };
  });
  const holder = h(
    'div',
    { class: 'plot settle' },
    items.map((item) => item.node),
  );
  let width = 420;
  const node = h(
    'section',
    { class: 'view' },
    h('h2', {}, 'What would settle it'),
    h(
      'p',
      { class: 'sub' },
      'Three things could change the answer: more data, a better-known cost, a better-known share.',
    ),
    holder,
  );

  function put({ svg, parts }, { from, to, stretch, given, mark, texts, model, edge = null }) {
    const at = (v) => Math.min(Math.max(4 + ((v - from) / (to - from)) * (width - 8), 4), width - 4);
    set(parts.stretch, { x1: at(stretch[0]), x2: at(stretch[1]) });
    parts.stretch.style.stroke = model === null ? '' : `var(${app.looks()[model].colour})`;
    set(parts.mark, { cx: at(mark) });
    parts.given.style.display = given[0] === given[1] ? 'none' : '';
    set(parts.given, { x1: at(given[0]), x2: at(given[1]) });
    const ends = (edge === null ? stretch : [edge, edge]).map(at);
    parts.ends.forEach((end, i) => {
      end.style.display = texts[i] ? '' : 'none';
      set(end, { x1: ends[i], x2: ends[i] });
      say(parts.texts[i], texts[i]);
    });
    // Texts stand below their ends, apart from each other and inside the picture.
    const sizes = texts.map((text) => textWidth(text));
    const apart = (sizes[0] + sizes[1]) / 2 + 12;
    const push = texts[0] && texts[1] ? Math.max(apart - (ends[1] - ends[0]), 0) / 2 : 0;
    const inside = (x, size) => Math.min(Math.max(x, size / 2), width - size / 2);
    let first = inside(ends[0] - push, sizes[0]);
    const second = inside(Math.max(ends[1] + push, texts[0] ? first + apart : 0), sizes[1]);
    if (texts[0] && texts[1]) first = inside(Math.min(first, second - apart), sizes[0]);
    set(parts.texts[0], { x: first });
    set(parts.texts[1], { x: second });
    // Without texts their line is not kept free.
    const height = texts[0] || texts[1] ? HEIGHT : HEIGHT - 16;
    set(svg, { viewBox: `0 0 ${width} ${height}`, height });
  }

  const named = (d, model) =>
    TRIVIAL.includes(model) ? (model === d.model ? 'this' : model) : app.speech.names[model];
  const who = (d) => (TRIVIAL.includes(d.model) ? 'Using no model' : app.speech.names[d.model]);

  function data(d) {
    const next = runnerUp(d, app.speech);
    const [item] = items;
    item.svg.style.display = next && next.extra_interval ? '' : 'none';
    if (!next) return tell(item.text, 'There is nothing to compare with.');
    const other = TRIVIAL.includes(next.model) ? trivialDoing(next.model, words) : named(d, next.model);
    // A model that flags nobody costs what flagging nobody costs, on every resample.
    const never = [next.extra, ...(next.extra_interval ?? [NaN])].every((v) => Math.abs(v) < 1e-9);
    if (never || d.tied.includes(next.model)) {
      item.svg.style.display = 'none';
      return tell(item.text, `${other} costs the same here. No number of ${words.cases} would tell them apart.`);
    }
    const priced = d.expected_cost !== null;
    const extra = priced ? 1000 * next.extra_cost : next.extra;
    const per = priced ? ' per\u00a01000' : ', normalised';
    const more = `${costSaid(next.extra_cost ?? next.extra, unitSaid(d))} more${per}`;
    if (!next.extra_interval) {
      const why =
        d.asked.reviews || Object.keys(d.asked.limits).length
          ? ''
          : ' Without resamples nobody can say how sure that is.';
      return tell(item.text, `${other} costs ${more}.${why}`, unit);
    }
    const span = next.extra_interval.map((v) => (priced ? 1000 * v : v));
    const [low, high] = [Math.min(0, ...span), Math.max(0, ...span)];
    const pad = (high - low) * 0.15 || 1;
    const m = app.data.models.findIndex((model) => model.name === next.model);
    put(item, {
      from: low - pad,
      to: high + pad,
      stretch: span,
      given: [0, 0],
      mark: extra,
      texts: [TRIVIAL.includes(next.model) ? 'cheaper' : `${other} cheaper`, 'dearer'],
      edge: 0,
      model: m < 0 ? null : m,
    });
    const { enough = null } = d.surety.labels ?? {};
    const label =
      enough && d.surety.grade !== 'clear'
        ? `About ${digits(enough, 2)} more labelled ${words.cases} would settle it.`
        : '';
    // Apart from the runner-up is not yet apart from all: then only the labels are named.
    const open = span[0] < 0 && span[1] > 0;
    const sides = open ? 'It could be cheaper or dearer.' : label ? '' : 'The data tell them apart.';
    const limits = `${share(level)} from the data: ${spanSaid(next.extra_interval, unitSaid(d))}`;
    // Two numbers with what joins them, and a number with its sign, stay on one line.
    const joined = limits.replace(' %', '\u00a0%').replace(' to ', '\u00a0to\u00a0');
    const costs = `${other} costs ${more} (${joined}).`;
    return tell(item.text, [costs, sides, label].filter(Boolean).join(' '), unit);
  }

  /** How far a quantity may go before another model is cheapest. */
  function drift(d, item, reach, given, text, outer) {
    const known = reach && reach.every((v) => Number.isFinite(v));
    item.svg.style.display = reach ? '' : 'none';
    if (!reach) {
      const limited =
        Object.keys(d.asked.limits).length > 0 &&
        'Not worked out within limits. The map shows where another model wins.';
      const looked = d.asked.reviews && 'Not worked out with second looks. The map shows where another model wins.';
      return tell(item.text, limited || looked || 'Costs are not known in a unit.');
    }
    const [low, high] = reach;
    const inside = low <= given[0] && given[1] <= high;
    const to = known ? Math.max(high, given[1]) * 1.25 : Math.max(given[1] * 2, low * 2);
    put(item, {
      from: 0,
      to: Math.min(to, outer),
      stretch: [low, Math.min(high, outer, to)],
      given,
      mark: middle(given),
      texts: [low > 0 ? text(low) : '', known && high < outer ? text(high) : ''],
      model: app.facts.chosen < 0 ? null : app.facts.chosen,
    });
    const span =
      low > 0 && known && high < outer
        ? `between ${text(low)} and ${text(high)}`
        : low > 0
          ? `from ${text(low)} on`
          : known && high < outer
            ? `up to ${text(high)}`
            : 'at every value';
    const wide = given[0] !== given[1];
    const rest = !wide
      ? ''
      : inside
        ? ' Your range lies within.'
        : ' Your range reaches beyond: narrowing it would help.';
    return tell(item.text, `${who(d)} stays cheapest ${span}.${rest}`);
  }

  function update(f) {
    const d = f.answer;
    const { fpGap, cost_tp } = means(app.state);
    const wide = d.model_drift;
    data(d);
    const cost = wide && wide.cost_ratio && wide.cost_ratio.map((r) => cost_tp + Number(r) * fpGap);
    // A number and its unit stay on one line.
    const whole = (text) => text.replaceAll(' ', '\u00a0');
    drift(d, items[1], cost, app.state.cost_fn, (v) => whole(rough(v, unit)), Infinity);
    drift(d, items[2], wide && wide.prevalence, app.state.prevalence, (v) => whole(share(v)), 1);
  }
  function draw(room) {
    width = room;
    for (const { svg, parts } of items) {
      set(svg, { width });
      set(parts.track, { x2: width - 4 });
    }
  }
  return { node, holder, update, draw };
}
