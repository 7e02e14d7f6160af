// What does a mistake cost? The exchange rate on a painted slider, today's rule, the share, money, limits, looks.
import { changed, draggable, h, onKeys, picture, s, say, set, shading, t, tableOf, textWidth, unique } from './dom.js';
import { outcomes, sizeOf, smallMarks } from './marks.js';
import { count, digits, pairText, percent, rough, share, started, typedPair } from './numbers.js';
import { costQuestion } from './ranges.js';
import { ALWAYS_NEGATIVE, ALWAYS_POSITIVE } from './rules.js';
import { ALWAYS, inverse, limitsText, logit, looksSet, middle } from './state.js';

// The range of the slider, and to what it widens for values outside.
const [LEAST, MOST, LOWEST, HIGHEST] = [1, 50, 1 / 50, 500];
// A range this narrow needs no further question.
const SETTLED = 1.5;

/** From which ratio to which the slider goes. */
export function ratioSpan(ratio) {
  const [low, high] = ratio ?? [LEAST, MOST];
  return [low < LEAST ? Math.min(LOWEST, low) : LEAST, high > MOST ? Math.max(HIGHEST, high) : MOST];
}

/** From which share to which its slider goes. */
export function shareSpan(base, [low, high]) {
  const usual = base > 0.5 ? [0.05, 0.95] : base > 0.05 ? [0.05, 0.6] : base > 0.002 ? [0.001, 0.06] : [base / 10, base * 10];
  return [Math.min(usual[0], low), Math.max(usual[1], high)];
}

const TICKS = [1 / 50, 1 / 10, 1 / 2, 1, 2, 5, 10, 20, 50, 100, 200, 500];
export const times = (r) => (r >= 0.995 ? `${digits(r, 2)}×` : `1/${digits(1 / r, 2)}`);
export const ratioTicks = ([low, high], narrow) => {
  const inside = TICKS.filter((v) => v >= low * 0.999 && v <= high * 1.001);
  return narrow || inside.length > 7 ? inside.filter((v) => ![2, 20, 200, 1 / 2].includes(v)) : inside;
};

const field = (label, attributes) =>
  h('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', 'aria-label': label, ...attributes });

export function questionView(app) {
  const { words } = app;
  const wrongly = `${words.negatives} ${words.flagged}`;
  const ratio = field(`How many ${wrongly} weigh as much as one missed ${words.positive}`, { class: 'ratio', placeholder: '?' });
  const sentence = h('p', { class: 'exchange' }, `One missed ${words.positive} costs as much as `, ratio, ` ${wrongly}.`);
  const unsure = [0, 1].map(() => h('button', { type: 'button', class: 'link unsure', onclick: () => app.split() }));
  const wrong = h('p', { class: 'wrong', role: 'alert' });
  const stays = h('span');
  const slider = sliderView(app);
  const card = cardView(app);
  const rest = [todayField(app), shareField(app), moneyField(app), limitFields(app), lookFields(app)];
  const reset = h('button', { type: 'button', class: 'link', onclick: () => app.reset() }, 'Reset');
  const more = h(
    'div',
    { class: 'more' },
    h('p', { class: 'stays' }, stays, ' ', unsure[1]),
    card.node,
    rest.map(({ node: one }) => one),
    h('p', { class: 'reset' }, reset),
  );
  const sheet = h('button', { type: 'button', class: 'button sheet', 'aria-expanded': 'false' }, 'More');
  unsure[1].classList.add('small-only');
  const node = h(
    'section',
    { class: 'ask', 'aria-label': 'Your situation' },
    sheet,
    h('div', { class: 'heading' }, h('h2', {}, 'What does a mistake cost?'), unsure[0]),
    sentence,
    slider.node,
    wrong,
    more,
  );
  sheet.addEventListener('click', () => {
    const open = node.classList.toggle('up');
    say(sheet, open ? 'Less' : 'More');
    set(sheet, { 'aria-expanded': open });
    app.widths.clear();
    app.refresh();
  });
  ratio.addEventListener('input', () => {
    const pair = typedPair(ratio.value);
    const good = pair && pair[0] > 0;
    say(wrong, ratio.value.trim() && !good ? 'Type a number such as 5, or a range such as 4–8.' : '');
    if (good) app.change({ ratio: pair, range: pair[0] !== pair[1] });
  });
  ratio.addEventListener('change', () => {
    say(wrong, '');
    app.refresh();
  });
  return {
    node,
    slider,
    update(f) {
      const { state } = app;
      const asking = state.ratio === null;
      show(ratio, asking ? '' : pairText(state.ratio));
      ratio.classList.toggle('wide', !asking && state.ratio[0] !== state.ratio[1]);
      sentence.classList.toggle('lit', asking);
      for (const button of unsure) {
        say(button, state.range ? 'Use one number' : 'Not sure?');
        button.hidden = asking;
      }
      slider.update(f);
      say(stays, asking ? 'Drag, type a number, or answer the question below.' : staysText(app, f));
      card.update(f);
      for (const one of rest) one.update(f);
      reset.hidden = app.state === app.author;
    },
  };
}

/** Write into a field unless it is being edited. */
function show(input, text) {
  if (document.activeElement !== input && input.value !== text) input.value = text;
}

const choiceName = (app, m) => (m >= 0 ? app.names[m] : `${app.words.flagging} ${m === -2 ? 'nobody' : 'everybody'}`);

/** Until where the choice is the same, in words. */
export function staysText(app, f) {
  const [low, high] = ratioSpan(app.state.ratio);
  const { parts } = app.painted();
  const r = middle(app.state.ratio);
  const k = parts.findIndex(({ from, to }) => r >= from && r <= to);
  if (k < 0) return '';
  const { model, from, to } = parts[k];
  const mine = f.answer ? app.data.names.indexOf(f.answer.model) : -1;
  const [below, above] = [from > low * 1.001, to < high * 0.999];
  const other = mine >= 0 && model >= 0 && mine !== model;
  const next = other ? null : above ? parts[k + 1] : below ? parts[k - 1] : null;
  const stays = {
    ...{ name: app.begun(model), mine: other ? app.begun(mine) : null, model: model >= 0 },
    ...{ from: below ? times(from) : null, to: above ? times(to) : null, next: next && choiceName(app, next.model) },
    ...{ low: times(low), high: times(high) },
  };
  return app.speaker.say('page_stays', { ...f.answer, stays });
}

/** The painted track: colours of the cheapest, hatched where that is not clear, and where it changes. */
export function trackPicture(app, ink, width, ratio, { asking = false, height = 14, names = true } = {}) {
  const span = ratioSpan(ratio);
  const at = (r) => (Math.log(r / span[0]) / Math.log(span[1] / span[0])) * width;
  const { parts, open } = app.painted();
  const y = names ? 40 : 2;
  const [defs, clip, hatch] = shading(ink, { x: 0, y, width, height, rx: height / 2 }, 6, 0.72);
  const rect = (from, to, fill) => s('rect', { x: at(from), y, width: Math.max(at(to) - at(from), 0) + 0.3, height, fill });
  const drawn = [
    defs,
    s(
      'g',
      { 'clip-path': clip, opacity: asking ? '0.75' : null },
      parts.length ? parts.map(({ model, from, to }) => rect(from, to, app.colour(ink, model))) : rect(...span, ink.line),
      open.map(([from, to]) => rect(from, to, hatch)),
    ),
  ];
  if (names) {
    let last = -9;
    for (const { model, from, to } of parts) {
      const name = app.label(app.choice(model), 13, Math.max(at(to) - at(from) + 40, 150));
      const half = textWidth(name, 13, 600) / 2;
      const x = Math.max(half, Math.min((at(from) + at(to)) / 2, width - half));
      if (x - half < last + 8) continue;
      drawn.push(t(x, y - 9, name, model >= 0 ? app.colour(ink, model) : ink.muted, 13, 600, 'middle'));
      last = x + half;
    }
  }
  const flips = parts.slice(1).map(({ from }) => from);
  const labels = [];
  flips.forEach((r) => {
    const x = at(r);
    drawn.push(s('path', { d: `M${x.toFixed(1)} ${y - 3}V${y + height + 5}`, stroke: ink.ink, 'stroke-width': 1.4 }));
    if (labels.some((other) => Math.abs(other - x) < 36)) return;
    labels.push(x);
    const half = textWidth(times(r), 13, 600) / 2;
    drawn.push(t(Math.max(half, Math.min(x, width - half)), y + height + 19, times(r), ink.ink, 13, 600, 'middle'));
  });
  for (const v of ratioTicks(span, width < 300)) {
    const anchor = v <= span[0] * 1.001 ? 'start' : v >= span[1] * 0.999 ? 'end' : 'middle';
    if (labels.some((x) => Math.abs(x - at(v)) < (anchor === 'middle' ? 38 : 52))) continue;
    drawn.push(t(at(v), y + height + 19, times(v), ink.muted, 13, null, anchor));
  }
  return { drawn, at, y: y + height / 2, height: y + height + 26 };
}

const roundRatio = (r) => Number(r < 1 ? r.toPrecision(2) : r < 10 ? r.toFixed(1) : Math.round(r));

function sliderView(app) {
  const { words } = app;
  const holder = h('div', { class: 'track', 'aria-hidden': 'true' });
  const handles = ['', ', upper end'].map((end) =>
    h('div', { class: 'handle', role: 'slider', tabindex: 0, 'aria-label': `Cost of a missed ${words.positive}${end}` }),
  );
  const node = h('div', { class: 'slider' }, holder, handles);
  const put = (r, k) => {
    const [low, high] = ratioSpan(app.state.ratio);
    const value = roundRatio(Math.min(Math.max(r, low), high));
    const { ratio, range } = app.state;
    if (!ratio || !range) return app.change({ ratio: [value, value], range: false });
    // Two handles never cross.
    return app.change({ ratio: k ? [ratio[0], Math.max(value, ratio[0])] : [Math.min(value, ratio[1]), ratio[1]] });
  };
  const placed = (x) => {
    const [low, high] = ratioSpan(app.state.ratio);
    return low * (high / low) ** x;
  };
  draggable(node, ([x]) => {
    const { ratio, range } = app.state;
    const far = (k) => Math.abs(Math.log(placed(x) / ratio[k]));
    const k = range && ratio && far(1) < far(0) ? 1 : 0;
    handles[k].focus({ preventScroll: true });
    return (to) => put(placed(to), k);
  });
  handles.forEach((handle, k) => {
    onKeys(handle, (step) => {
      const now = app.state.ratio ? app.state.ratio[k] : 7;
      if (!Number.isFinite(step)) return put(step < 0 ? 0 : Infinity, k);
      return put(Math.max(now + step * (now < 1 ? 0.02 : now < 10 ? 0.1 : 1), now / 2), k);
    });
  });
  const between = s('path', { 'stroke-width': 4 });
  let track = null;
  return {
    node,
    update(f) {
      const { ratio, range } = app.state;
      const width = app.widthOf(node, 340);
      if (changed(holder, app.painted(), width, app.theme(), !ratio)) {
        track = trackPicture(app, app.ink, width, ratio, { asking: !ratio });
        const size = { viewBox: `0 0 ${width} ${track.height}`, width, height: track.height };
        holder.replaceChildren(s('svg', size, track.drawn, between));
      }
      const [a, b] = (ratio ?? [1, 1]).map((r) => track.at(r).toFixed(1));
      set(between, { d: a === b ? '' : `M${a} ${track.y}H${b}`, stroke: app.ink.ink });
      handles.forEach((handle, k) => {
        handle.hidden = k > 0 && !(ratio && range);
        handle.classList.toggle('open', !ratio);
        handle.style.top = `${track.y}px`;
        handle.style.left = `${ratio ? (100 * track.at(ratio[k])) / width : 50}%`;
        const [low, high] = ratioSpan(ratio);
        const value = ratio ? ratio[k] : null;
        set(handle, { 'aria-valuemin': low, 'aria-valuemax': high, 'aria-valuenow': value ?? low });
        set(handle, { 'aria-valuetext': value === null ? 'not set' : `${times(value)}. ${f.text}` });
      });
    },
  };
}

/** One question would help: two outcomes to choose between. */
function cardView(app) {
  const { words, speaker } = app;
  const node = h('div', { class: 'card', hidden: true });
  let held = null;
  function update() {
    const { ratio, money, limits } = app.state;
    const [low, high] = ratio ?? [LEAST, MOST];
    const p = middle(app.state.share);
    node.hidden = ratio !== null && low === high;
    const key = JSON.stringify([low, high, ratio === null, p, money, limits, app.theme()]);
    if (node.hidden || key === held) return;
    held = key;
    const kept = app.keptAt(limits, p);
    const { rules } = app.data;
    const rows = Array.from(kept.keys()).filter((i) => kept[i]);
    const found = high / low >= SETTLED ? costQuestion(rules, rows, p, [low, high]) : null;
    const n = sizeOf(p);
    const asked = { question: { words: { ...words, unit: app.unit() }, costs_given: ratio !== null }, about: 'cost_fn', questions: 1, n };
    if (!found || found.at === null) {
      node.replaceChildren(h('p', {}, speaker.say('card_nothing', asked)));
      return;
    }
    const [less, more] = [found.less, found.more].map((row) => ({ fpr: rules.fpr[row], tpr: rules.tpr[row] }));
    const [few, many] = [less, more].map((rates) => outcomes(rates, p, n));
    const gap = { alarms: count(many.alarms - few.alarms), missed: count(few.missed - many.missed) };
    const box = (name, rates, { missed, alarms }, then) => {
      const data = { ...asked, ...gap, o: { missed: count(missed), alarms: count(alarms) } };
      return h(
        'button',
        { type: 'button', class: `outcome ${name}`, onclick: then },
        smallMarks(app.ink, rates, p),
        h('b', {}, speaker.say(`card_${name}`, data)),
        h('span', {}, speaker.say('card_outcome', data)),
      );
    };
    const narrowed = (pair) => () => app.change({ ratio: pair, range: pair[0] !== pair[1] });
    const scaled = { worth: found.worth * (money ?? 1), regret_after: found.regret_after * (money ?? 1) };
    const boxes = [box('less', less, few, narrowed([low, found.at])), box('more', more, many, narrowed([found.at, high]))];
    node.replaceChildren(
      h('h3', {}, speaker.say('card_title', asked)),
      h('p', {}, speaker.say('card_question', asked)),
      h('div', { class: 'outcomes' }, boxes),
      h('button', { type: 'button', class: 'link', onclick: narrowed([found.at, found.at]) }, speaker.say('card_neither', asked)),
      h('p', { class: 'quiet' }, speaker.say('card_worth', { ...asked, ...scaled })),
    );
  }
  return { node, update };
}

function todayField(app) {
  const { words, names } = app;
  const [id, input] = [unique('today'), field('Score in use today', { class: 'score' })];
  const option = (value, text) => h('option', { value }, text);
  const select = h(
    'select',
    { id },
    option('', '… (not given)'),
    option(ALWAYS_NEGATIVE, `${words.flag} nobody`),
    option(ALWAYS_POSITIVE, `${words.flag} everybody`),
    app.data.names.map((name, m) => option(name, `use ${names[m]} from`)),
  );
  const wrong = h('p', { class: 'wrong', role: 'alert' });
  const bestOf = (model) => [app.facts.answer, ...(app.facts.answer?.alternatives ?? [])].find((one) => one?.model === model);
  const usual = (model) => {
    const own = app.summary.models[app.data.names.indexOf(model)];
    const best = bestOf(model)?.threshold;
    return own.roc?.probabilities || !Number.isFinite(best) ? 0.5 : best;
  };
  select.addEventListener('change', () => {
    const model = select.value;
    if (!model) app.change({ today: null });
    else app.change({ today: { model, threshold: ALWAYS[model] ?? usual(model) } });
  });
  input.addEventListener('input', () => {
    const value = Number(input.value.trim().replace('−', '-').replace(',', '.'));
    const good = input.value.trim() !== '' && Number.isFinite(value);
    say(wrong, good ? '' : 'Type the score from which on cases are taken today, such as 0.5.'.replace('cases', words.cases));
    if (good) app.change({ today: { ...app.state.today, threshold: value } });
  });
  return {
    node: h('div', { class: 'field' }, h('div', { class: 'line' }, h('label', { for: id }, 'Today we'), select, input), wrong),
    update() {
      const { today } = app.state;
      select.value = today ? today.model : '';
      input.hidden = !today || today.model in ALWAYS;
      if (!input.hidden) show(input, digits(today.threshold, 15));
    },
  };
}

function shareField(app) {
  const { words } = app;
  const input = field(`Of 100 ${words.cases}, how many are ${words.positives}`, { class: 'share' });
  const wrong = h('p', { class: 'wrong', role: 'alert' });
  const holder = h('div', { class: 'track', 'aria-hidden': 'true' });
  const handle = h('div', { class: 'handle', role: 'slider', tabindex: 0, 'aria-label': `Share of ${words.positives}` });
  const slider = h('div', { class: 'slider small' }, holder, handle);
  const base = app.base;
  const span = () => shareSpan(base, app.state.share);
  const placed = (x) => {
    const [low, high] = span().map(logit);
    return inverse(low + x * (high - low));
  };
  const put = (p) => {
    const [low, high] = span();
    const value = Math.min(Math.max(p, low), high);
    const tidy = value > 0.1 ? Math.round(100 * value) / 100 : Number(value.toPrecision(2));
    app.change({ share: [tidy, tidy] });
  };
  draggable(slider, () => {
    handle.focus({ preventScroll: true });
    return (x) => put(placed(x));
  });
  onKeys(handle, (step) => {
    const p = middle(app.state.share);
    put(Number.isFinite(step) ? p + step * (p > 0.1 ? 0.01 : p * 0.05) : step < 0 ? 0 : 1);
  });
  input.addEventListener('input', () => {
    const pair = typedPair(input.value);
    const good = pair && pair[0] > 0 && pair[1] < 100;
    say(wrong, good ? '' : 'Type a share between 0 and 100 %, such as 30.');
    if (good) app.change({ share: pair.map((v) => v / 100) });
  });
  const line = h('div', { class: 'line apart' }, h('span', {}, `Of 100 ${words.cases}, this many are ${words.positives}:`), input);
  return {
    node: h('div', { class: 'field' }, line, slider, wrong),
    update() {
      const { share: pair } = app.state;
      show(input, pairText(pair.map((v) => 100 * v)));
      const [low, high] = span();
      const at = (p) => (logit(p) - logit(low)) / (logit(high) - logit(low));
      const [width, y, { ink }] = [app.widthOf(slider, 340), 14, app];
      const own = `in the test data ${digits(100 * base)} %`;
      const half = textWidth(own, 13) / 2;
      const x = at(base) * width;
      const text = { size: 13, fill: ink.muted };
      if (changed(holder, low, high, width, app.theme())) {
        const drawn = [
          s('rect', { x: 0, y: y - 3, width, height: 6, rx: 3, fill: ink.line }),
          s('path', { d: `M${x.toFixed(1)} ${y - 8}v16`, stroke: ink.ink, 'stroke-width': 1.4 }),
          t(Math.max(half + 44, Math.min(x, width - half - 44)), y + 25, own, { ...text, anchor: 'middle' }),
          t(0, y + 25, `${digits(100 * low, 2)} %`, text),
          t(width, y + 25, `${digits(100 * high, 2)} %`, { ...text, anchor: 'end' }),
        ];
        holder.replaceChildren(s('svg', { viewBox: `0 0 ${width} 44`, width, height: 44 }, drawn));
      }
      const p = middle(pair);
      handle.style.top = `${y}px`;
      handle.style.left = `${100 * Math.min(Math.max(at(p), 0), 1)}%`;
      set(handle, { 'aria-valuemin': 100 * low, 'aria-valuemax': 100 * high, 'aria-valuenow': 100 * p, 'aria-valuetext': share(p) });
    },
  };
}

/** What stands before and after an amount in the unit. */
const unitSides = (unit) => rough(1, unit).split('1');

function moneyField(app) {
  const { words } = app;
  const [before, after] = unitSides(app.summary.unit);
  const id = unique('money');
  const input = h('input', { type: 'text', id, class: 'money', inputmode: 'decimal', autocomplete: 'off' });
  const below = h('p', { class: 'quiet' });
  input.addEventListener('input', () => {
    const pair = typedPair(input.value);
    if (!input.value.trim()) app.change({ money: null });
    else if (pair && pair[0] > 0 && pair[0] === pair[1]) app.change({ money: pair[0] });
    else say(below, 'Type an amount, such as 200.');
  });
  const label = h('label', { for: id }, `One ${words.negative} ${words.flagged} costs ${before}`);
  return {
    node: h('div', { class: 'field' }, h('div', { class: 'line' }, label, input, after), below),
    update() {
      const { money, ratio } = app.state;
      show(input, money === null ? '' : digits(money, 6));
      if (document.activeElement === input && input.value.trim() && !typedPair(input.value)) return;
      const misses = money !== null && ratio ? [...new Set(ratio)].map((r) => rough(r * money, app.unit())).join(' to ') : null;
      say(below, misses ? `so a missed ${words.positive} costs ${misses}` : money === null ? 'optional' : '');
    },
  };
}

function folded(title, ...children) {
  const state = h('span', { class: 'state' });
  const node = h('details', { class: 'field' }, h('summary', {}, title, ' ', state), h('div', { class: 'fields' }, children));
  return { node, state };
}

function limitFields(app) {
  const { words } = app;
  const kinds = [
    ['max_flagged', 1000, `${started(words.flag)} at most`, `of 1,000 ${words.cases}`],
    ['min_precision', 100, `Of those ${words.flagged}, at least`, `% must be ${words.positives}`],
    ['max_fpr', 100, `Of ${words.negatives}, at most`, `% may be ${words.flagged}`],
    ['min_tpr', 100, `Of ${words.positives}, at least`, `% must be caught`],
  ];
  const rows = kinds.map(([kind, parts, before, after]) => {
    const id = unique('limit');
    const input = h('input', { type: 'text', id, inputmode: 'decimal', autocomplete: 'off', 'data-limit': kind });
    const holds = h('span', { class: 'quiet holds' });
    const wrong = h('p', { class: 'wrong', role: 'alert' });
    input.addEventListener('input', () => {
      const pair = typedPair(input.value);
      const limits = { ...app.state.limits };
      const good = pair && pair[0] === pair[1] && pair[0] <= parts;
      say(wrong, input.value.trim() && !good ? `Type a number from 0 to ${parts}, or nothing.` : '');
      if (good) limits[kind] = pair[0] / parts;
      else if (!input.value.trim()) delete limits[kind];
      else return;
      app.change({ limits });
    });
    const node = h('div', {}, h('div', { class: 'line' }, h('label', { for: id }, before), input, h('span', {}, after)), holds, wrong);
    return { kind, parts, input, holds, node };
  });
  const cost = h('p', { class: 'quiet' });
  // 79 stands for not asking to be sure.
  const sure = h('input', { type: 'range', min: 79, max: 99, 'aria-label': 'How sure to be that they hold', class: 'sure' });
  const level = h('span', { class: 'quiet' });
  const surely = h('div', { class: 'line' }, h('span', {}, 'Be sure to keep them'), sure, level);
  sure.addEventListener('input', () => app.change({ sure: sure.value < 80 ? null : sure.value / 100 }));
  const nodes = rows.map((row) => row.node);
  const { node, state } = folded('Limits', nodes, surely, cost);
  if (Object.keys(app.state.limits).length) node.open = true;
  return {
    node,
    update(f) {
      const { limits } = app.state;
      const chances = f.answer?.confidence?.limits_hold ?? {};
      surely.hidden = !app.surable(f.asked);
      show(sure, String(f.asked.sure === null ? 79 : Math.round(100 * f.asked.sure)));
      say(level, f.asked.sure === null ? 'off' : share(f.asked.sure));
      say(state, limitsText(limits, words) || 'none');
      for (const { kind, parts, input, holds } of rows) {
        show(input, kind in limits ? digits(limits[kind] * parts, 6) : '');
        const chance = kind in limits ? chances[kind] : undefined;
        say(holds, app.speaker.say('page_limit_holds', { ...f.answer, chance: chance ?? null }));
      }
      say(cost, app.speaker.say('page_limits_cost', { ...f.answer, limits_cost: f.limitsCost }));
    },
  };
}

/** A second model in place of a person, as the library found it: the sentences, the three stretches, here and new side by side. */
function cascadeView(app) {
  const cascade = app.summary.cascade;
  const data = { ...cascade, question: { words: { ...app.words, unit: cascade.unit } } };
  const said = (key) => app.speaker.say(key, data);
  const money = (x) => rough(1000 * x, cascade.unit);
  const bar = h('div', { class: 'picture' });
  const costs = ['', '_first', '_then'].map((end) => cascade[`expected_cost${end}`]);
  const fresh = cascade.new;
  const heads = [said('look_use'), said('look_here'), ...(fresh ? [said('look_new')] : [])];
  const rows = ['cascade', 'first', 'then'].map((name, i) => [said(`look_${name}`), money(costs[i]), ...(fresh ? [money(fresh[i])] : [])]);
  const node = h(
    'div',
    { class: 'second-model', hidden: true },
    h('p', {}, said('cascade')),
    bar,
    tableOf(heads, rows),
    h('p', { class: 'quiet' }, said('look_at')),
  );
  const parts = [
    ['clear', cascade.cleared, 'left'],
    ['asked', cascade.asked, 'review'],
    ['flag', cascade.flagged, 'caught'],
  ];
  return {
    node,
    update() {
      const width = app.widthOf(bar, 330);
      let x = 0;
      const drawn = parts.flatMap(([name, part, colour], i) => {
        const wide = part * width;
        const made = [
          s('rect', { x, y: 0, width: wide, height: 14, fill: app.ink[colour] }),
          s('rect', { x: 0, y: 21 + 20 * i, width: 12, height: 12, fill: app.ink[colour] }),
          t(18, 32 + 20 * i, said(`look_${name}`), app.ink.ink, 13),
        ];
        x += wide;
        return made;
      });
      bar.replaceChildren(picture(width, 80, said('cascade'), drawn));
    },
  };
}

function lookFields(app) {
  const [price, right, most] = ['price', 'right', 'most'].map((name) =>
    h('input', { type: 'text', id: unique(name), inputmode: 'decimal', autocomplete: 'off', 'data-look': name }),
  );
  const wrong = h('p', { class: 'wrong', role: 'alert' });
  const [before, after] = unitSides(app.summary.unit);
  const row = (input, first, last) => h('div', { class: 'line' }, h('label', { for: input.id }, first), input, h('span', {}, last));
  const lookText = h('p', { class: 'quiet' });
  const person = h(
    'div',
    { class: 'fields' },
    h('p', { class: 'quiet' }, `A person looks at the ${app.words.cases} in between.`),
    row(price, `One look costs ${before}`, after),
    row(right, 'and is right in', 'of 100'),
    row(most, 'at most', `looks in 1,000 ${app.words.cases} (optional)`),
    wrong,
    lookText,
  );
  const model = app.summary.cascade ? cascadeView(app) : null;
  const who = h(
    'select',
    { id: unique('who') },
    ['person', 'model'].map((one) => h('option', { value: one }, app.speaker.say(`look_${one}`, {}))),
  );
  who.addEventListener('change', () => {
    person.hidden = who.value === 'model';
    model.node.hidden = !person.hidden;
    app.refresh();
  });
  const chosen = model && h('div', { class: 'line' }, h('label', { for: who.id }, app.speaker.say('look_who', {})), who);
  const { node, state } = folded('Second looks', chosen, person, model && model.node);
  if (looksSet(app.state)) node.open = true;
  const fields = [
    [price, 'Type what one look costs, such as 0.3.', Infinity, ([v]) => ({ price: v })],
    [right, 'Type how many of 100 looks are right, such as 95.', 100, (pair) => ({ right: pair.map((v) => v / 100) })],
    [most, 'Type a number from 0 to 1000.', 1000, ([v]) => ({ most: v / 1000 })],
  ];
  for (const [input, message, highest, made] of fields) {
    input.addEventListener('input', () => {
      const pair = typedPair(input.value);
      const empty = !input.value.trim();
      const good = empty || pair?.every((v) => v <= highest);
      say(wrong, good ? '' : message);
      if (good) app.change({ look: { ...app.state.look, ...(empty ? { [input.dataset.look]: null } : made(pair)) } });
    });
  }
  return {
    node,
    update({ answer }) {
      const { look, limits } = app.state;
      if (model && !model.node.hidden) model.update();
      show(price, look.price === null ? '' : digits(look.price, 6));
      const shares = look.right && [...look.right].sort((a, b) => a - b).map((v) => 100 * v);
      show(right, shares ? pairText(shares, 4) : '');
      show(most, look.most === null ? '' : digits(1000 * look.most, 4));
      const typed = look.price !== null && look.right !== null;
      const looked = answer?.rule === 'band' ? answer.review : null;
      const text = looked ? `${percent(looked.reviewed)}; saves ${rough(1000 * looked.saving, app.unit())}` : 'not worth it';
      say(state, !typed ? 'none' : Object.keys(limits).length ? 'not together with limits' : answer ? text : 'none');
      say(lookText, typed && answer ? app.speaker.say('looks', answer) : '');
    },
  };
}
