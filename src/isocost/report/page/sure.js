// How sure: what the other choices may save or cost, and what would settle it.
import { h, picture, s, shortened, t, textWidth } from './dom.js';
import { rough } from './numbers.js';

const MOST_ROWS = 12;

/** How much more each other choice may cost, or less, with the line at nothing. */
function spansPicture(app, ink, width, f) {
  const rows = f.answer.alternatives.filter((one) => one.extra_interval).slice(0, MOST_ROWS);
  const ends = rows.flatMap(({ extra_interval: pair }) => pair);
  // A choice far off must not squeeze the others to nothing.
  const sorted = rows.map(({ extra_interval: [low, high] }) => Math.max(Math.abs(low), Math.abs(high))).sort((a, b) => a - b);
  const reach = Math.min(Math.max(...ends.map(Math.abs)), 4 * sorted[Math.floor((sorted.length - 1) / 2)]) || 1e-9;
  const [low, high] = [Math.max(Math.min(0, ...ends), -reach), Math.min(Math.max(0, ...ends), reach)];
  const room = Math.min(Math.max(...rows.map((one) => textWidth(app.nameOf(one), 14, 600))), width * 0.36);
  const [left, top] = [room + 14, 34];
  const wide = width - left - 12;
  const X = (v) => left + ((Math.min(Math.max(v, low), high) - low) / (high - low)) * wide;
  const bottom = top + rows.length * 34;
  const zero = X(0);
  const about = `difference per 1,000 ${app.words.cases}`;
  const money = (v) => rough(1000 * Math.abs(v), app.unit());
  const ends2 = { size: 13, weight: 600 };
  const roomy = zero - left > textWidth('cheaper than this', 13, 600) + 10;
  const ticks = [low, low / 2, high / 2, high].flatMap((v) => {
    const anchor = v === high ? 'end' : v === low ? 'start' : 'middle';
    const text = `${money(v)} ${v < 0 ? 'less' : 'more'}`;
    return Math.abs(X(v) - zero) > 62 ? [t(X(v), bottom + 20, text, ink.muted, 12, null, anchor)] : [];
  });
  return picture(
    width,
    bottom + 44,
    `${f.answer.model} against the others, per 1,000 ${app.words.cases}`,
    t(zero - 8, 16, roomy ? 'it is cheaper' : '', { ...ends2, anchor: 'end', fill: ink.ink }),
    t(zero + 8, 16, 'it costs more', { ...ends2, fill: ink.ink }),
    rows.flatMap((one, i) => {
      const y = top + 34 * i + 17;
      const [a, b] = one.extra_interval;
      const colour = app.colour(ink, app.data.names.indexOf(one.model));
      return [
        t(left - 12, y + 5, app.label(app.nameOf(one), 14, room), ink.ink, 14, 600, 'end'),
        s('path', {
          d: `M${X(a).toFixed(1)} ${y}H${Math.max(X(b), X(a) + 1).toFixed(1)}`,
          stroke: colour,
          'stroke-width': 9,
          'stroke-linecap': a < low || b > high ? 'butt' : 'round',
          opacity: a > 0 ? '0.55' : null,
        }),
        b > high ? t(X(high) + 2, y + 5, '›', ink.muted, 16) : null,
      ];
    }),
    s('path', { d: `M${zero.toFixed(1)} 24V${bottom + 4}`, stroke: ink.ink, 'stroke-width': 1.4 }),
    ticks,
    t(zero, bottom + 20, '0', ink.muted, 13, null, 'middle'),
    t(Math.min(left + wide / 2, width - textWidth(about, 13) / 2), bottom + 39, about, ink.muted, 13, null, 'middle'),
  );
}

/** Fifty draws of the difference to the closest other choice, as marks on a line. */
function drawsPicture(app, ink, width, f, { rival, differences }) {
  const sorted = Float64Array.from(differences).sort();
  const shown = Array.from({ length: 50 }, (_, i) => sorted[Math.floor(((i + 0.5) / 50) * sorted.length)]);
  const reach = 1.05 * Math.max(Math.abs(shown[0]), Math.abs(shown[49]), 1e-12);
  const [left, wide, bins, base] = [20, width - 40, 25, 206];
  const X = (d) => left + ((d + reach) / (2 * reach)) * wide;
  const r = wide / bins / 2 - 0.8;
  const stacked = new Map();
  const [own, other] = [f.answer.model, rival].map((name) => app.colour(ink, app.data.names.indexOf(name)));
  const marks = shown.map((d) => {
    const bin = Math.min(bins - 1, Math.floor(((d + reach) / (2 * reach)) * bins));
    stacked.set(bin, (stacked.get(bin) ?? 0) + 1);
    const at = { cx: left + ((bin + 0.5) / bins) * wide, cy: base - (stacked.get(bin) - 0.5) * r * 2.05 };
    if (d >= 0) return s('circle', { ...at, r: r - 0.6, fill: own });
    return s('circle', { ...at, r: r - 1.8, fill: ink.bg, stroke: other, 'stroke-width': 2.6 });
  });
  const words = [rival, f.answer.model].map((name) => shortened(`${app.nameOf({ model: name })} is cheaper`, 13, 600, wide / 2 - 12));
  const lines = `M${left} ${base}H${left + wide}M${X(0).toFixed(1)} 26V${base + 6}`;
  const ticks = [-0.66, 0, 0.66].map((share) => {
    const label = rough(Number((1000 * Math.abs(share) * reach).toPrecision(2)), app.unit());
    return t(X(share * reach), base + 20, share ? label : '0', ink.muted, 13, null, 'middle');
  });
  const sides = [t(X(0) - 8, 18, words[0], ink.ink, 13, 600, 'end'), t(X(0) + 8, 18, words[1], ink.ink, 13, 600)];
  const label = `Fifty draws of the test ${app.words.cases}: ${words.join(', ')}`;
  return picture(width, base + 30, label, marks, s('path', { d: lines, stroke: ink.ink, 'stroke-width': 1.2, fill: 'none' }), sides, ticks);
}

export function sureView(app) {
  const { words } = app;
  const [first, second] = [h('div'), h('div')];
  const node = h('div', { class: 'two' }, first, second);
  const nothing = (text) => {
    first.replaceChildren(h('p', {}, text));
    second.replaceChildren();
  };
  function update(f) {
    const { answer } = f;
    if (!answer || f.state === 'ask') return nothing('Nothing to compare yet.');
    if (!answer.confidence?.interval) return nothing(app.speaker.say('unclear_yet', {}));
    const width = Math.max(280, Math.min(640, app.widthOf(first, 560)));
    const draws = app.data.drawsAt?.(f.asked) ?? null;
    const shown =
      draws && `Each mark is one draw: how much more ${app.nameOf({ model: draws.rival })} would cost than ${app.nameOf(answer)}.`;
    const title = `If you drew the test ${words.cases} again, 50 times`;
    const drawn = draws
      ? [h('h3', {}, title), h('p', {}, shown), h('div', { class: 'picture draws' }, drawsPicture(app, app.ink, width, f, draws))]
      : [];
    first.replaceChildren(
      ...drawn,
      h('h3', {}, 'What another choice may save or cost'),
      h('p', {}, `The likely range of each (${Math.round(100 * answer.confidence.level)} % sure), against ${app.nameOf(answer)}.`),
      h(
        'div',
        { class: 'picture spans' },
        answer.alternatives.some((one) => one.extra_interval) ? spansPicture(app, app.ink, width, f) : '',
      ),
    );
    second.replaceChildren(...surer(f));
    return null;
  }
  /** What knowing each thing would be worth, at most or on average. */
  function surer(f) {
    const { answer } = f;
    const worth = app.worthAt();
    const rows = [
      [`More test ${words.cases}`, answer.confidence.worst_loss, (v) => `at most ${v}`],
      ['The cost of a mistake', worth.cost, (v) => v],
      [`The share of ${words.positives}`, worth.share, (v) => v],
    ];
    const top = Math.max(...rows.map(([, value]) => value ?? 0), 1e-12);
    const bars = rows.map(([label, value, shown]) => {
      const bar = h('div', { class: 'bar', hidden: value === null });
      bar.style.width = `${(100 * (value ?? 0)) / top}%`;
      return [
        h('div', {}, h('div', {}, label), bar),
        h('div', { class: 'quiet' }, value === null ? 'given as one number' : shown(rough(1000 * value, app.unit()))),
      ];
    });
    const { says } = answer;
    const shown = [says.sure, says.few, says.either, says.labels, says.limits, says.surer, says.range].filter(Boolean);
    return [
      h('h3', {}, 'What would make you surer'),
      h('p', {}, `What knowing each thing exactly would be worth, per 1,000 ${words.cases}.`),
      h('div', { class: 'worth' }, bars),
      ...shown.map((text) => h('p', { class: 'finding' }, text)),
    ];
  }
  return { node, pictures: [['how-sure', 'What another choice may save or cost', () => first.querySelector('.spans svg')]], update };
}
