// What happens to 1000 cases: one mark each, and the bill below.
import { addingUp, billOf, marks, stepOf } from './bill.js';
import { h, s, say, set, textWidth } from './dom.js';
import { amount, digits, money } from './numbers.js';

const COUNT = 1000;
const KINDS = ['caught', 'alarm', 'review', 'missed', 'left'];
// The kind of mark of each fate; of a case that was looked at wrongly, that of the error.
const MARK_OF = {
  caught: 'caught',
  found: 'review',
  overlooked: 'missed',
  missed: 'missed',
  alarm: 'alarm',
  accused: 'alarm',
  cleared: 'review',
  left: 'left',
};
// In order of their scores, from the surest on.
const POSITIVE_FATES = ['caught', 'found', 'overlooked', 'missed'];
const NEGATIVE_FATES = ['alarm', 'accused', 'cleared', 'left'];
// Side by side below their braces, what flows together in one list.
const BRACED = [[['caught'], ['alarm']], [['found', 'cleared', 'overlooked', 'accused']], [['missed'], ['left']]];
// Columns between two braces.
const BETWEEN = 1.6;
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
    review: () => s('rect', { class: 'fill-review', x: 2.5, y: 2.5, width: 9, height: 9 }),
    missed: () => s('path', { class: 'line-missed', d: 'M3 3l8 8m0-8l-8 8' }),
    left: () => s('circle', { class: 'fill-left', cx: 7, cy: 7, r: 2.6 }),
  };
  return s(
    'svg',
    { width: 14, height: 14, viewBox: '0 0 14 14', class: 'glyph', 'aria-hidden': 'true' },
    shapes[kind](),
  );
}

/** Texts one after the other; a line ends between them first. */
function pieces(node, texts) {
  const said = texts.filter(Boolean);
  if (node.textContent === said.join(' ')) return;
  node.replaceChildren(...said.flatMap((text, i) => [i ? ' ' : '', h('span', { class: 'piece' }, text)]));
}

export function marksView(app) {
  const { words, unit } = app.summary;
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const labelsOf = (positives, negatives) => ({
    caught: `${positives} caught`,
    alarm: `${negatives} ${words.flagged}`,
    review: 'looked at again',
    missed: `${positives} missed`,
    left: `${negatives} left alone`,
  });
  const [one, several] = [labelsOf(words.positive, words.negative), labelsOf(words.positives, words.negatives)];
  /** What so many of a kind are called. */
  const labelOf = (kind, count) => (countText(count) === '1' ? one : several)[kind];
  const svg = s('svg', { class: 'panel marks', role: 'img' });
  const paths = KINDS.map((kind) => s('path', { class: `marks-${kind}` }));
  const hole = s('path', { class: 'marks-hole' });
  const braces = BRACED.map(() => ({ line: s('path', { class: 'brace' }), text: s('text', { class: 'strong' }) }));
  svg.append(...braces.flatMap(({ line, text }) => [line, text]), paths[0], paths[1], hole, ...paths.slice(2));
  const cards = KINDS.map((kind) => {
    const [count, label, sum] = [h('b'), h('span', { class: 'kind' }, several[kind]), h('span', { class: 'sum' })];
    return {
      kind,
      count,
      label,
      sum,
      li: h('li', { class: `card-${kind}` }, h('span', {}, glyph(kind), count), label, sum),
    };
  });
  const total = h('p', { class: 'total' });
  const node = h(
    'section',
    { class: 'view thousand' },
    h('h2', {}, `What happens to 1000 ${words.cases}`),
    h(
      'p',
      { class: 'sub' },
      `Each mark is one ${words.case}.`,
      h('span', { class: 'by-hand' }, ` Move a cost or the share of ${words.positives} and watch who changes sides.`),
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
    // Room for the gaps and, at the end of every block, for a column that is not full.
    const blocks = app.state.review ? 5 : 4;
    const columns = Math.floor((COUNT - blocks) / rows) + blocks + BETWEEN * (blocks - 3);
    const pitch = Math.min(width / columns, 18);
    const [top, height] = [30, 30 + rows * pitch + 4];
    grid = { rows, pitch, top, width, blocks };
    set(svg, { viewBox: `0 0 ${width} ${height.toFixed(1)}`, width, height: height.toFixed(1) });
    const size = pitch * 0.74;
    const widths = {
      caught: size * 0.9,
      alarm: size,
      review: size * 0.82,
      missed: Math.max(1.6, pitch * 0.2),
      left: size * 0.5,
    };
    KINDS.forEach((kind, i) => set(paths[i], { 'stroke-width': widths[kind].toFixed(2) }));
    set(hole, { 'stroke-width': (size * 0.46).toFixed(2) });
    at.ready = false;
  }

  /** Give every mark its fate and place; marks keep their rank, so that only those that change sides travel. */
  function aim(n) {
    const { rows, pitch, top } = grid;
    const blocks = {};
    const spans = [];
    let x = pitch / 2;
    for (const group of BRACED) {
      const from = x;
      for (const fates of group) {
        let place = 0;
        for (const fate of fates) {
          blocks[fate] = { start: x, place };
          place += n[fate];
        }
        x += Math.ceil(place / rows) * pitch;
      }
      spans.push(x > from ? [from - pitch / 2, x - pitch / 2] : null);
      if (x > from) x += pitch * BETWEEN;
    }
    const put = (i, fate) => {
      const block = blocks[fate];
      at.kind[i] = KINDS.indexOf(MARK_OF[fate]);
      at.toX[i] = block.start + Math.floor(block.place / rows) * pitch;
      at.toY[i] = top + ((block.place % rows) + 0.5) * pitch;
      block.place += 1;
    };
    let i = 0;
    for (const fate of POSITIVE_FATES) for (let k = 0; k < n[fate]; k++) put(i++, fate);
    i = COUNT;
    for (const fate of NEGATIVE_FATES) for (let k = 0; k < n[fate]; k++) put(--i, fate);
    return spans;
  }

  const countOf = (n, group) => group.flat().reduce((sum, fate) => sum + n[fate], 0);

  function brace(spans, n) {
    const texts = [words.flagged, 'looked at', 'left alone'];
    let free = 0;
    spans.forEach((span, i) => {
      const { line, text } = braces[i];
      const said = `${countOf(n, BRACED[i])} ${texts[i]}`;
      const size = span ? textWidth(said, true) : 0;
      // Over its marks where there is room, else further on; the last keeps to the end.
      const from = span && Math.max(Math.min(span[0] + 1, grid.width - size), free);
      for (const part of [line, text]) part.style.display = span ? '' : 'none';
      if (!span) return;
      if (from + size > grid.width) text.style.display = 'none';
      else free = from + size + 8;
      set(line, { d: `M${(span[0] + 1).toFixed(1)} 26v-5H${(span[1] - 1).toFixed(1)}v5` });
      set(text, { x: from.toFixed(1), y: 14 });
      say(text, said);
    });
  }

  function paint() {
    const d = KINDS.map(() => '');
    const [missed, alarm] = ['missed', 'alarm'].map((kind) => KINDS.indexOf(kind));
    const arm = (grid.pitch * 0.24).toFixed(1);
    const across = (grid.pitch * 0.48).toFixed(1);
    const cross = `m-${arm}-${arm}l${across} ${across}m0-${across}l-${across} ${across}`;
    for (let i = 0; i < COUNT; i++) {
      const k = at.kind[i];
      d[k] += `M${Math.round(at.x[i] * 10) / 10} ${Math.round(at.y[i] * 10) / 10}${k === missed ? cross : 'h0'}`;
    }
    paths.forEach((path, k) => set(path, { d: d[k] || 'M-9-9' }));
    set(hole, { d: d[alarm] || 'M-9-9' });
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
    if (grid.blocks !== (app.state.review ? 5 : 4)) draw(grid.width);
    brace(aim(n), n);
    if (!at.ready || still.matches || document.hidden) {
      arrive();
      paint();
    } else if (!at.running) {
      at.running = true;
      requestAnimationFrame(travel);
    }
    const lines = sums(row);
    const said = lines.map(({ kind, count }) => `${countText(count)} ${labelOf(kind, count)}`).join(', ');
    set(svg, { 'aria-label': `Of 1000 ${words.cases}: ${said}.` });
  }

  function sums(row) {
    const priced = row.per_1000 !== null;
    const lines = billOf(row, app.state);
    const rounded = addingUp(
      lines.map((line) => line.money),
      stepOf(row.per_1000 ?? 0),
    );
    const shown = [];
    for (const { kind, count, label, sum, li } of cards) {
      const i = lines.findIndex((line) => line.kind === kind);
      li.hidden = i < 0;
      if (i < 0) continue;
      const line = lines[i];
      say(count, countText(line.count));
      say(label, labelOf(kind, line.count));
      const isLook = kind === 'review';
      const free = line.each === 0 && !isLook;
      const errors = isLook && line.wrong > 0.05 ? `${countText(line.wrong)} wrongly judged` : '';
      const more = isLook && line.right ? ' and what right answers cost' : '';
      const cost = amount(line.each, unit);
      sum.hidden = !priced;
      const result = `= ${amount(rounded[i], unit)}${errors ? ';' : ''}`;
      pieces(sum, free ? ['right, costs nothing'] : [`× ${cost}${more}`, result, errors]);
      if (isLook && line.count > 0) {
        const looks = countText(line.count);
        shown.push(`${money(rounded[i])} for ${looks} look${looks === '1' ? '' : 's'} at ${cost} each`);
      } else if (!isLook && line.each) shown.push(money(rounded[i]));
    }
    total.hidden = !priced;
    if (priced) pieces(total, [shown.join(' + '), `= ${amount(row.per_1000, unit)}`, `per 1000 ${words.cases}`]);
    return lines;
  }

  return { node, svg, draw, update, name: 'thousand', title: `1000 ${words.cases}` };
}
