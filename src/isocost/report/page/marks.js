// What happens to 1000 cases: one mark each, and the bill below.
import { means } from './beliefs.js';
import { OUTCOMES, addingUp, bill, marks, outcomes, stepOf } from './bill.js';
import { h, s, say, set } from './dom.js';
import { amount, digits, money } from './numbers.js';

const COUNT = 1000;
const KIND = Object.fromEntries(OUTCOMES.map((name, i) => [name, i]));
// A mark that is nearer to its place than this has arrived.
const ARRIVED = 0.4;

/** A count of 1000: one decimal where it has one. */
export function countText(x) {
  return x >= 10 ? digits(x, x >= 100 ? 4 : 3) : digits(x, 3);
}

function glyph(kind) {
  const shapes = {
    caught: () => s('circle', { class: 'fill-caught', cx: 7, cy: 7, r: 5 }),
    alarm: () => s('circle', { class: 'line-alarm', cx: 7, cy: 7, r: 4.2 }),
    missed: () => s('path', { class: 'line-missed', d: 'M3 3l8 8m0-8l-8 8' }),
    left: () => s('circle', { class: 'fill-left', cx: 7, cy: 7, r: 2.6 }),
  };
  return s(
    'svg',
    { width: 14, height: 14, viewBox: '0 0 14 14', class: 'glyph', 'aria-hidden': 'true' },
    shapes[kind](),
  );
}

export function marksView(app) {
  const { words, unit } = app.summary;
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const labels = {
    caught: `${words.positives} caught`,
    alarm: `${words.negatives} ${words.flagged}`,
    missed: `${words.positives} missed`,
    left: `${words.negatives} left alone`,
  };
  const svg = s('svg', { class: 'panel marks', role: 'img' });
  const paths = OUTCOMES.map((kind) => s('path', { class: `marks-${kind}` }));
  const hole = s('path', { class: 'marks-hole' });
  const braces = [0, 1].map(() => ({ line: s('path', { class: 'brace' }), text: s('text', { class: 'strong' }) }));
  svg.append(...braces.flatMap(({ line, text }) => [line, text]), paths[0], paths[1], hole, paths[2], paths[3]);
  const cards = OUTCOMES.map((kind) => {
    const [count, label, sum] = [h('b'), h('span', { class: 'kind' }, labels[kind]), h('span', { class: 'sum' })];
    return { kind, count, sum, li: h('li', { class: `card-${kind}` }, h('span', {}, glyph(kind), count), label, sum) };
  });
  const total = h('p', { class: 'total' });
  const node = h(
    'section',
    { class: 'view thousand' },
    h('h2', {}, `What happens to 1000 ${words.cases}`),
    h(
      'p',
      { class: 'sub' },
      `Each mark is one ${words.case}. Move a cost or the share of ${words.positives} and watch who changes sides.`,
    ),
    h('div', { class: 'dots' }, svg),
    h(
      'ul',
      { class: 'cards' },
      cards.map((card) => card.li),
    ),
    total,
  );
  const at = {
    x: new Float32Array(COUNT),
    y: new Float32Array(COUNT),
    toX: new Float32Array(COUNT),
    toY: new Float32Array(COUNT),
    kind: new Uint8Array(COUNT),
    ready: false,
    running: false,
  };
  let grid = null;

  function draw(width) {
    const rows = width > 560 ? 20 : 26;
    // Room for a gap and for columns that are not full.
    const pitch = Math.min(width / (COUNT / rows + 6), 17);
    const [top, height] = [30, 30 + rows * pitch + 4];
    grid = { rows, pitch, top, width };
    set(svg, { viewBox: `0 0 ${width} ${height.toFixed(1)}`, width, height: height.toFixed(1) });
    const size = pitch * 0.74;
    const widths = { caught: size * 0.9, alarm: size, missed: Math.max(1.6, pitch * 0.2), left: size * 0.5 };
    OUTCOMES.forEach((kind, i) => set(paths[i], { 'stroke-width': widths[kind].toFixed(2) }));
    set(hole, { 'stroke-width': (size * 0.46).toFixed(2) });
    at.ready = false;
  }

  /** Give every mark its outcome and place; marks keep their rank, so that only those that change sides travel. */
  function aim(n) {
    const { rows, pitch, top } = grid;
    const starts = {};
    const spans = [];
    let x = pitch / 2;
    for (const group of [
      ['caught', 'alarm'],
      ['missed', 'left'],
    ]) {
      const from = x;
      for (const kind of group) {
        starts[kind] = x;
        x += Math.ceil(n[kind] / rows) * pitch;
      }
      spans.push(x > from ? [from - pitch / 2, x - pitch / 2] : null);
      if (x > from) x += pitch * 1.6;
    }
    const positives = n.caught + n.missed;
    const seen = [0, 0, 0, 0];
    for (let i = 0; i < COUNT; i++) {
      const isPositive = i < positives;
      const rank = isPositive ? i : COUNT - 1 - i;
      const kind = isPositive ? (rank < n.caught ? 'caught' : 'missed') : rank < n.alarm ? 'alarm' : 'left';
      const k = KIND[kind];
      const place = seen[k]++;
      at.kind[i] = k;
      at.toX[i] = starts[kind] + Math.floor(place / rows) * pitch;
      at.toY[i] = top + ((place % rows) + 0.5) * pitch;
    }
    return spans;
  }

  function brace(spans, n) {
    const texts = [`${n.caught + n.alarm} ${words.flagged}`, `${n.missed + n.left} left alone`];
    spans.forEach((span, i) => {
      const { line, text } = braces[i];
      for (const part of [line, text]) part.style.display = span ? '' : 'none';
      if (!span) return;
      set(line, { d: `M${(span[0] + 1).toFixed(1)} 26v-5H${(span[1] - 1).toFixed(1)}v5` });
      const narrow = span[1] - span[0] < 90;
      set(text, {
        x: (i && narrow ? span[1] : span[0] + 1).toFixed(1),
        y: 14,
        'text-anchor': i && narrow ? 'end' : 'start',
      });
      say(text, texts[i]);
    });
  }

  function paint() {
    const d = ['', '', '', ''];
    const arm = (grid.pitch * 0.24).toFixed(1);
    const across = (grid.pitch * 0.48).toFixed(1);
    const cross = `m-${arm}-${arm}l${across} ${across}m0-${across}l-${across} ${across}`;
    for (let i = 0; i < COUNT; i++) {
      const k = at.kind[i];
      d[k] += `M${Math.round(at.x[i] * 10) / 10} ${Math.round(at.y[i] * 10) / 10}${k === KIND.missed ? cross : 'h0'}`;
    }
    paths.forEach((path, k) => set(path, { d: d[k] || 'M-9-9' }));
    set(hole, { d: d[KIND.alarm] || 'M-9-9' });
  }

  function travel() {
    let far = 0;
    for (let i = 0; i < COUNT; i++) {
      const [dx, dy] = [at.toX[i] - at.x[i], at.toY[i] - at.y[i]];
      far = Math.max(far, Math.abs(dx), Math.abs(dy));
      const pace = 0.16 + (0.1 * ((i * 7919) % 13)) / 13;
      at.x[i] += dx * pace;
      at.y[i] += dy * pace;
    }
    at.running = far >= ARRIVED;
    if (!at.running) arrive();
    paint();
    if (at.running) requestAnimationFrame(travel);
  }

  function arrive() {
    at.x.set(at.toX);
    at.y.set(at.toY);
    at.ready = true;
  }

  function update(f) {
    const row = f.answer;
    const n = marks(row, app.state);
    brace(aim(n), n);
    if (!at.ready || still.matches || document.hidden) {
      arrive();
      paint();
    } else if (!at.running) {
      at.running = true;
      requestAnimationFrame(travel);
    }
    sums(row);
    const said = OUTCOMES.map((kind) => `${n[kind]} ${labels[kind]}`).join(', ');
    set(svg, { 'aria-label': `Of 1000 ${words.cases}: ${said}.` });
  }

  function sums(row) {
    const exact = outcomes(row, means(app.state).prevalence);
    const condition = means(app.state);
    const each = {
      caught: condition.cost_tp,
      alarm: condition.cost_fp,
      missed: condition.cost_fn,
      left: condition.cost_tn,
    };
    const priced = row.per_1000 !== null;
    const parts = bill(row, app.state);
    const step = stepOf(row.per_1000 ?? 0);
    const looks = row.review ? 1000 * row.review.cost_review * row.review.reviewed : 0;
    const rounded = addingUp([...OUTCOMES.map((kind) => parts[kind]), looks], step);
    cards.forEach(({ kind, count, sum }, i) => {
      say(count, countText(exact[kind]));
      const free = each[kind] === 0;
      sum.hidden = !priced;
      say(sum, free ? 'right, costs nothing' : `× ${amount(each[kind], unit)} = ${amount(rounded[i], unit)}`);
    });
    total.hidden = !priced;
    if (!priced) return;
    const shown = OUTCOMES.map((kind, i) => (each[kind] ? money(rounded[i]) : null)).filter(Boolean);
    if (row.review?.reviewed > 0) {
      const { reviewed, cost_review } = row.review;
      shown.push(`${money(rounded[4])} for ${countText(1000 * reviewed)} looks at ${amount(cost_review, unit)} each`);
    }
    say(total, `${shown.join(' + ')} = ${amount(row.per_1000, unit)} per 1000 ${words.cases}`);
  }

  return { node, svg, draw, update, name: 'thousand', title: `1000 ${words.cases}` };
}
