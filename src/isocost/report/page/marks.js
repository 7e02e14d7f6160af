// Today and proposed: one mark per case, and what both cost as two bars on one scale.
import { picture, s, t, textWidth, wrapped } from './dom.js';
import { count, rough } from './numbers.js';
import { heldIn } from './rules.js';

// Marks of the right block that a picture holds; beyond, one stands for ten.
const MOST_RINGS = 900;
// Marks of rare events nearer to each other than this are not told apart.
const LEAST_PITCH = 4;
// Texts of the marks of so many blocks, by kind and place.
const [WRITTEN, MOST_WRITTEN] = [new Map(), 40];

/** Of how many cases the picture tells: so many that at least twenty are positive, if 100,000 suffice. */
export function sizeOf(p) {
  return 1000 * p >= 20 ? 1000 : 10_000 * p >= 20 ? 10_000 : 100_000;
}

/** What becomes of n cases under a rule; those a person looks at lie between its two ends. */
export function outcomes(rule, p, n) {
  const band = rule.rule === 'band' ? rule.review : null;
  const [from, to] = band ? [band.flag_from, band.review_from] : [rule, rule];
  const [positives, negatives] = [p * n, (1 - p) * n];
  return {
    missed: positives * (1 - to.tpr),
    lookedPositive: positives * (to.tpr - from.tpr),
    caught: positives * from.tpr,
    alarms: negatives * from.fpr,
    lookedNegative: negatives * (to.fpr - from.fpr),
    left: negatives * (1 - to.fpr),
  };
}

/** What each kind of mistake costs per 1000 cases, and what is added because new cases turn out worse. */
export function billOf(answer) {
  const { quantities: q, reviews } = answer.question;
  const [p, n] = [q.prevalence.mean, 1000];
  const [miss, alarm] = [q.cost_fn.mean - q.cost_tp.mean, q.cost_fp.mean - q.cost_tn.mean];
  const base = n * ((1 - p) * q.cost_tn.mean + p * q.cost_tp.mean);
  const o = outcomes(answer, p, n);
  const looked = o.lookedPositive + o.lookedNegative;
  const looks = reviews ? looked * reviews.cost + o.lookedPositive * (1 - reviews.tpr) * miss + o.lookedNegative * reviews.fpr * alarm : 0;
  const parts = { missed: o.missed * miss, alarms: o.alarms * alarm, looks: looked ? looks : 0 };
  const total = n * (answer.confidence?.price ?? answer.expected_cost);
  return { ...parts, base, total, extra: total - base - parts.missed - parts.alarms - parts.looks };
}

/** Rows and columns of marks, and their paths. */
function block(left, top, rows, pitch) {
  const at = (i) => [left + (Math.floor(i / rows) + 0.5) * pitch, top + ((i % rows) + 0.5) * pitch];
  const r = (v) => Math.round(v * 10) / 10;
  // The marks of a block as one text, of which pictures take parts: places of later pictures are the same.
  const each = (from, n, shape, kind) => {
    if (WRITTEN.size > MOST_WRITTEN) WRITTEN.clear();
    const held = heldIn(WRITTEN, `${kind} ${left} ${top} ${rows} ${pitch}`, () => ({ text: '', starts: [0] }));
    for (let i = held.starts.length - 1; i < from + n; i++) {
      held.text += shape(...at(i).map(r));
      held.starts.push(held.text.length);
    }
    return held.text.slice(held.starts[from], held.starts[from + n]);
  };
  const high = rows * pitch;
  return {
    at,
    dots: (from, n, stroke, size) =>
      s('path', {
        d: each(from, n, (x, y) => `M${x} ${y}h0`, 'dots'),
        stroke,
        'stroke-width': size,
        'stroke-linecap': 'round',
        fill: 'none',
      }),
    crosses: (from, n, stroke) => {
      const a = r(pitch * 0.24);
      const shape = (x, y) => `M${r(x - a)} ${r(y - a)}l${r(2 * a)} ${r(2 * a)}m0 ${r(-2 * a)}l${r(-2 * a)} ${r(2 * a)}`;
      return s('path', {
        d: each(from, n, shape, 'crosses'),
        stroke,
        'stroke-width': pitch * 0.17,
        'stroke-linecap': 'round',
        fill: 'none',
      });
    },
    rings: (from, n, stroke, opacity = null) => {
      const a = r(pitch * 0.26);
      const shape = (x, y) => `M${r(x - a)} ${y}a${a} ${a} 0 1 0 ${r(2 * a)} 0a${a} ${a} 0 1 0 ${r(-2 * a)} 0`;
      return s('path', { d: each(from, n, shape, 'rings'), stroke, 'stroke-width': pitch * 0.16, fill: 'none', opacity });
    },
    squares: (from, n, colour) => {
      const a = r(pitch * 0.35);
      return s('path', { d: each(from, n, (x, y) => `M${r(x - a)} ${r(y - a)}h${2 * a}v${2 * a}h${-2 * a}z`, 'squares'), fill: colour });
    },
    /** The ground under some marks. */
    shade: (from, to, colour) => {
      let d = '';
      for (let i = from; i < to;) {
        const column = Math.floor(i / rows);
        const end = Math.min(to, (column + 1) * rows);
        d += `M${r(left + column * pitch)} ${r(top + (i % rows) * pitch)}h${r(pitch)}v${r((end - i) * pitch)}h${r(-pitch)}z`;
        i = end;
      }
      return s('path', { d, fill: colour });
    },
    /** The border after so many marks, a step where a column is only begun. */
    border: (n) => {
      const [x, rest] = [left + Math.floor(n / rows) * pitch, n % rows];
      if (!rest) return `M${r(x)} ${r(top - 5)}V${r(top + high + 5)}`;
      return `M${r(x + pitch)} ${r(top - 5)}V${r(top + rest * pitch)}H${r(x)}V${r(top + high + 5)}`;
    },
    foot: (n) => left + Math.floor(n / rows) * pitch,
  };
}

/** Marks and their places for a width: how many rows, how large, where the right block begins. */
function layout(width, positives, right, rare, options) {
  const narrow = width < 560;
  const gap = options.gap ?? (narrow ? 20 : width < 700 ? 44 : 60);
  const tile = rare ? (narrow ? 86 : 150) + 14 : 0;
  const rows = rare ? (narrow ? 20 : Math.min(options.rows ?? 14, 14)) : (options.rows ?? (narrow ? 24 : 18));
  const [most, least] = narrow ? [14, 112] : [17, 190];
  const columns = [positives, right].map((n) => Math.ceil(n / rows));
  const room = width - gap - tile - 4;
  let pitch = Math.min(most, room / Math.max(columns[0] + columns[1], 1));
  if (columns[0] * pitch < least) pitch = Math.min(most, (room - least) / Math.max(columns[1], 1));
  const xR = 2 + Math.max(columns[0] * pitch, least) + gap;
  return { narrow, rows, pitch, xL: 2, xR, wL: columns[0] * pitch, wR: columns[1] * pitch, height: rows * pitch };
}

/** An outcome in little: as many marks as the large picture has, but for those that are passed where they are very many. */
export function smallMarks(ink, rates, p) {
  const n = sizeOf(p);
  const o = outcomes(rates, p, n);
  const positives = Math.round(p * n);
  const missed = Math.round(o.missed);
  const passed = n > 1000 ? 0 : n - positives - Math.round(o.alarms);
  let each = 1;
  while (o.alarms / each > MOST_RINGS) each *= 10;
  const alarms = Math.round(o.alarms / each);
  const [rows, pitch] = [24, 5];
  const left = Math.ceil(positives / rows) * pitch;
  const wide = left + 6 + Math.ceil((alarms + passed) / rows) * pitch;
  const [L, R] = [block(0, 0, rows, pitch), block(left + 6, 0, rows, pitch)];
  return s(
    'svg',
    { viewBox: `0 0 ${Math.max(wide, 220)} ${rows * pitch}`, 'aria-hidden': 'true' },
    L.crosses(0, missed, ink.missed),
    L.dots(missed, positives - missed, ink.caught, pitch * 0.66),
    R.rings(0, alarms, ink.alarm),
    R.dots(alarms, passed, ink.left, pitch * 0.36),
  );
}

const ICONS = {
  missed: (ink, x, y) =>
    s('path', { d: `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`, stroke: ink.missed, 'stroke-width': 2.6, 'stroke-linecap': 'round' }),
  caught: (ink, x, y) => s('circle', { cx: x, cy: y, r: 5, fill: ink.caught }),
  alarms: (ink, x, y) => s('circle', { cx: x, cy: y, r: 4.2, fill: 'none', stroke: ink.alarm, 'stroke-width': 2.4 }),
  left: (ink, x, y) => s('circle', { cx: x, cy: y, r: 3, fill: ink.left }),
  looked: (ink, x, y) => s('rect', { x: x - 4.5, y: y - 4.5, width: 9, height: 9, fill: ink.review }),
};

/**
 * The picture of a decision.
 *
 * @param {object} ink colours
 * @param {object} answer the decision, or null where only today is shown
 * @param {object|null} today rates of the rule in use
 * @param {number} p the share of positives
 * @param {object} words the reader's words
 * @param {string} unit of money
 */
export function marksPicture({ ink, answer, today, p, words, unit = '', speaker, width, options = {} }) {
  const n = sizeOf(p);
  const rare = n > 1000;
  const shown = answer ?? today;
  const o = outcomes(shown, p, n);
  const was = today && outcomes(today, p, n);
  const positives = Math.round(p * n);
  const round = Math.round;
  const missed = Math.min(round(o.missed), positives);
  const lookedL = Math.min(round(o.lookedPositive), positives - missed);
  let [alarms, lookedR, before] = [round(o.alarms), round(o.lookedNegative), was ? round(was.alarms) : 0];
  const negatives = n - positives;
  lookedR = Math.min(lookedR, negatives - alarms);
  // Of rare events the many that are passed are one tile; of very many alarms, or on a phone, one mark stands for ten.
  const most = Math.max(alarms + lookedR, before);
  let [each, held] = [1, rare ? most : negatives];
  const placed = () => layout(width, positives, held, rare, options);
  while (rare && held > 20 && (held > MOST_RINGS || placed().pitch < LEAST_PITCH)) [each, held] = [10 * each, round(most / each / 10)];
  const place = placed();
  [alarms, lookedR, before] = [alarms, lookedR, before].map((v) => round(v / each));
  const { narrow, rows, pitch, xL, xR, wR, height } = place;
  const top = 50;
  const [L, R] = [block(xL, top, rows, pitch), block(xR, top, rows, pitch)];
  const parts = [];
  const missedBefore = was ? round(was.missed) : 0;
  const changes = answer && was && !lookedL && !lookedR;
  const shading = (where, from, to, colour) => where.shade(Math.min(from, to), Math.max(from, to), colour);
  if (changes && missedBefore !== missed) {
    parts.push(shading(L, missedBefore, missed, missedBefore > missed ? ink.gain : ink.loss));
  }
  if (changes && before !== alarms) parts.push(shading(R, before, alarms, before < alarms ? ink.loss : ink.gain));
  parts.push(
    L.crosses(0, missed, ink.missed),
    L.squares(missed, lookedL, ink.review),
    L.dots(missed + lookedL, positives - missed - lookedL, ink.caught, pitch * 0.66),
    R.rings(0, alarms, ink.alarm),
    R.squares(alarms, lookedR, ink.review),
  );
  if (!rare) parts.push(R.dots(alarms + lookedR, negatives - alarms - lookedR, ink.left, pitch * 0.36));
  else {
    if (before > alarms + lookedR) parts.push(R.rings(alarms + lookedR, before - alarms - lookedR, ink.alarm, 0.4));
    const x = xR + Math.max(wR, narrow ? 70 : 150) + 14;
    const middle = { anchor: 'middle', fill: ink.muted };
    parts.push(
      s('rect', { x, y: top, width: width - x, height, rx: 8, fill: ink.shade }),
      t((x + width) / 2, top + height / 2 - 2, count(o.left), { ...middle, size: narrow ? 16 : 22, weight: 650 }),
      wrapped(`not ${words.flagged}`, 13, null, width - x - 4).map((line, i) =>
        t((x + width) / 2, top + height / 2 + 17 * (i + 1), line, { ...middle, size: 13 }),
      ),
    );
  }
  const ghosts = answer && was && Number.isFinite(today.threshold);
  if (ghosts) parts.push(...borders({ ink, L, R, missedBefore, before, held, top, height, xL, xR }));
  const [headL, headR] = [`${count(positives)} ${words.positives}`, `${count(negatives)} ${words.negatives}`];
  const font = textWidth(`${headL} ${headR}`, 15, 650) + 12 > width ? 13 : 15;
  const start = Math.min(xR, width - textWidth(headR, font, 650) - 2);
  parts.push(t(xL, 16, headL, ink.ink, font, 650), t(start, 16, headR, ink.ink, font, 650));
  if (answer) {
    parts.push(...bracket({ ink, L, o, words, width, pitch, rows, xL, xR, top, n: missed + lookedL, alarms }));
  }
  const counted = counts({ ink, o, was: answer ? was : null, words, width, place, rare, y: top + height + (ghosts ? 38 : 26) });
  parts.push(...counted.parts);
  let { y } = counted;
  if (lookedL + lookedR) {
    const [both, own, others] = [lookedL + lookedR * each, lookedL, lookedR * each].map(count);
    const looked = `${both} looked at by a person: ${own} ${words.positives}, ${others} ${words.negatives}`;
    const lines = wrapped(looked, 14, null, width - xL - 20);
    parts.push(ICONS.looked(ink, xL + 5, y - 4), ...lines.map((line, i) => t(xL + 16, y + 18 * i, line, ink.ink)));
    y += 6 + 18 * lines.length;
  }
  let note = each > 1 ? `One mark in the right block stands for ${each} ${words.cases}. ` : '';
  if (answer && answer.expected_cost !== null) {
    const bars = barsOf({ ink, answer, today, words, unit, speaker, width, narrow, xL, y, n: 1000 });
    parts.push(...bars.parts);
    y = bars.y;
    note += bars.note;
  }
  const spoken = answer
    ? `${count(o.missed)} ${words.positives} missed, ${count(o.alarms)} ${words.negatives} ${words.flagged}`
    : `${count(o.missed)} ${words.positives} missed`;
  const compared = answer && was ? `; today ${count(was.missed)} and ${count(was.alarms)}` : '';
  return { node: picture(width, y + 6, `Of ${count(n)} ${words.cases}: ${spoken}${compared}.`, parts), n, each, note, height: y + 6 };
}

/** Where today's rule parts the cases: dashed, with its name below. */
function borders({ ink, L, R, missedBefore, before, held, top, height, xL, xR }) {
  const d = L.border(missedBefore) + (before <= held ? R.border(before) : '');
  const foot = (where, left, n) => {
    const x = where.foot(n);
    const near = x - left < 18;
    return t(near ? left : x, top + height + 17, 'today', ink.ink, 12, null, near ? null : 'middle');
  };
  const line = s('path', { d, fill: 'none', stroke: ink.ink, 'stroke-width': 1.4, 'stroke-dasharray': '4 3' });
  return [line, foot(L, xL, missedBefore), foot(R, xR, before)];
}

/** A bracket over all that are flagged. */
function bracket({ ink, L, o, words, width, pitch, rows, xL, xR, top, n, alarms }) {
  const flagged = o.caught + o.alarms;
  if (!(flagged > 0)) return [];
  const [x1, x2, y] = [L.at(n)[0] - pitch / 2, xR + Math.max(alarms / rows, 0.2) * pitch, top - 12];
  const label = `${count(flagged)} ${words.flagged}`;
  const half = textWidth(label, 13, 500) / 2;
  const x = Math.max(xL + half, Math.min((x1 + x2) / 2, width - half));
  // The line ends beside the label, so that nothing needs to be hidden behind it.
  const line = (from, to) => (to > from ? `M${from.toFixed(1)} ${y}H${to.toFixed(1)}` : '');
  const d = `M${x1.toFixed(1)} ${y + 6}V${y}M${x2.toFixed(1)} ${y + 6}V${y}${line(x1, x - half - 6)}${line(x + half + 6, x2)}`;
  return [s('path', { d, fill: 'none', stroke: ink.edge, 'stroke-width': 1.3 }), t(x, y + 4.5, label, ink.ink, 13, 500, 'middle')];
}

/** The four counts under their blocks, side by side or one below the other. */
function counts({ ink, o, was, words, width, place, rare, y }) {
  const { xL, xR, wL, wR } = place;
  const kept = `not ${words.flagged}`;
  const items = [
    ['missed', o.missed, 'missed', was?.missed],
    ['caught', o.caught, words.flagged, was?.caught],
    ['alarms', o.alarms, words.flagged, was?.alarms],
    ['left', o.left, kept, was?.left],
  ];
  const size = ([, value, word, before]) =>
    Math.max(16 + textWidth(count(value), 18, 650) + 5 + textWidth(word, 13), was ? 16 + textWidth(`today ${count(before)}`, 13) : 0);
  const item = (x, down, [icon, value, word, before]) => [
    ICONS[icon](ink, x + 5, down - 6),
    t(x + 16, down, count(value), ink.ink, 18, 650),
    t(x + 21 + textWidth(count(value), 18, 650), down, word, ink.ink, 13),
    was ? t(x + 16, down + 18, `today ${count(before)}`, ink.muted, 13) : null,
  ];
  const [a, b, c, d] = items;
  // Side by side with room for the largest numbers, so that a drag does not move them up and down.
  const widest = (word) => 21 + textWidth('0,000', 18, 650) + textWidth(word, 13);
  const fitsL = xL + widest('missed') + 14 + widest(words.flagged) < xR - 6;
  const fitsR = rare || xR + widest(words.flagged) + 14 + widest(kept) < width + 4;
  const side = fitsL && fitsR;
  const below = was ? 45 : 27;
  // One below the other, the wider of the two left ones may reach beyond its block.
  const right = side ? xR : Math.max(xR, xL + 10 + Math.max(size(a), size(b)));
  const column = !side && right + Math.max(size(c), rare ? 0 : size(d)) > width;
  const third = column ? [xL, y + 2 * below] : [right, y];
  const second = ([left, down], wide, one, other) =>
    side ? [left + Math.max(size(one) + 14, Math.min(wide - size(other), widest(one[2]) + 40)), down] : [left, down + below];
  const places = [[xL, y], second([xL, y], wL, a, b), third, ...(rare ? [] : [second(third, wR, c, d)])];
  const parts = places.flatMap((at, i) => item(...at, items[i]));
  return { parts, y: Math.max(...places.map(([, down]) => down)) + (was ? 18 : 0) + 28 };
}

/** Today and proposed in money, on one scale. */
function barsOf({ ink, answer, today, words, unit, speaker, width, narrow, xL, y, n }) {
  const { quantities: q } = answer.question;
  const p = q.prevalence.mean;
  const bill = billOf(answer);
  const was = today && outcomes(today, p, n);
  const o = outcomes(answer, p, n);
  const [miss, alarm] = [q.cost_fn.mean - q.cost_tp.mean, q.cost_fp.mean - q.cost_tn.mean];
  const extra = Math.max(bill.extra, 0);
  const totals = [was ? was.missed * miss + was.alarms * alarm : 0, bill.total - bill.base];
  // Where new cases are expected to cost less than those tested, all parts shrink to that sum.
  const part = bill.extra < 0 ? totals[1] / (totals[1] - bill.extra) : 1;
  const lead = narrow ? 0 : 90;
  const money = (x) => rough(x, unit);
  const room = width - lead - (narrow ? 2 : 20 + Math.max(...totals.map((v) => textWidth(money(v + bill.base), 16, 650))));
  const scale = room / Math.max(...totals, 1e-9);
  const parts = [];
  // Bars tell of 1000 cases: where the marks tell of more, the counts would differ.
  const rare = sizeOf(p) > n;
  const named = (cost, cases, word) => {
    const counted = rare ? word : `${count(cases)} ${word}`;
    const short = money(cost);
    return [unit && !rare ? `${short} for ${counted}` : counted === `${short} ${word}` ? counted : `${short}: ${counted}`, short];
  };
  const misses = `${words.positives} missed`;
  const wrongly = `${words.negatives} ${words.flagged}`;
  y += 6;
  const row = (name, pieces, total, weight) => {
    const looks = { size: narrow ? 14 : 15, weight, fill: ink.ink };
    if (narrow) {
      parts.push(t(xL, y, name, looks), t(width - 2, y, money(total), ink.ink, 15, 650, 'end'));
      y += 7;
    } else parts.push(t(xL, y + 17, name, looks));
    let x = xL + lead;
    for (const [cost, fill, texts] of pieces) {
      const wide = cost * scale;
      if (wide < 0.4) continue;
      parts.push(s('rect', { x, y, width: wide, height: 24, fill }));
      const text = texts.find((one) => textWidth(one, 13, 600) + 16 < wide);
      // White on the colour of false alarms could not be read.
      const onFill = fill === ink.alarm && ink.card === '#ffffff' ? '#000000' : ink.card;
      if (text) parts.push(t(x + 8, y + 16.5, text, onFill, 13, 600));
      x += wide + 1;
    }
    if (!narrow) parts.push(t(x + 8, y + 17, money(total), ink.ink, 16, 650));
    y += 24 + (narrow ? 20 : 8);
    return x;
  };
  const piece = (cost, fill, cases, word, shown = 1) => [shown * cost, fill, named(cost, cases, word)];
  if (was) {
    const errors = [piece(was.missed * miss, ink.missed, was.missed, misses), piece(was.alarms * alarm, ink.alarm, was.alarms, wrongly)];
    row('Today', errors, totals[0] + bill.base, null);
  }
  const looked = Math.round(o.lookedPositive) + Math.round(o.lookedNegative);
  const proposed = [
    piece(bill.missed, ink.missed, o.missed, misses, part),
    piece(bill.alarms, ink.alarm, o.alarms, wrongly, part),
    piece(bill.looks, ink.review, looked, 'looks and their mistakes', part),
    [extra, ink.edge, []],
  ];
  const end = row('Proposed', proposed, totals[1] + bill.base, 650);
  const saved = totals[0] - totals[1];
  const label = `${money(saved)} less`;
  const [from, to] = [end + (narrow ? 6 : 16 + textWidth(money(totals[1] + bill.base), 16, 650)), xL + lead + totals[0] * scale];
  const half = textWidth(label, 14, 600) / 2 + 6;
  if (was && to - from > 2 * half + 14) {
    const [middle, line] = [(from + to) / 2, y - (narrow ? 20 : 8) - 12];
    parts.push(
      s('path', {
        d: `M${from.toFixed(1)} ${line}H${(middle - half).toFixed(1)}M${(middle + half).toFixed(1)} ${line}H${to.toFixed(1)}M${to.toFixed(1)} ${line - 7}v14`,
        stroke: ink.edge,
        'stroke-width': 1.3,
        fill: 'none',
      }),
      t(middle, line + 5, label, ink.ink, 14, 600, 'middle'),
    );
  }
  const near = Math.abs(bill.extra) <= 0.004 * Math.abs(bill.total);
  const spoken = {
    extra: near ? 0 : bill.extra,
    shown: rough(Number(Math.abs(bill.extra).toPrecision(2)), unit),
    base: bill.base ? money(bill.base) : null,
    both: Boolean(was),
  };
  return { parts, y: y - (narrow ? 4 : -2), note: speaker.say('page_bill', { question: { words }, bill: spoken }) };
}
