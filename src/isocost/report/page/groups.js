// Groups of cases: what Python wrote, moved to its place, and followed when the reader changes the costs.
import { means } from './beliefs.js';
import { h, say, set, tell } from './dom.js';
import { groupCells, groupSentences, groupsAt, pictureLabel } from './group_rules.js';
import { priceAt, priceText, pricesText } from './group_prices.js';
import { amount, digits } from './numbers.js';
import { reworded } from './vocabulary.js';

const TOLERANCES = 200;
// As in group_section.py.
const FIRST = 12;
const [SIDE, EDGE, HEAD] = [120, 14, 24];
const [WIDE, HIGH, LEFT, TOP] = [300, 200, 62, 8];
const COST_NAMES = ['cost_fp', 'cost_fn', 'cost_tp', 'cost_tn'];
const STAYS = 'These numbers about groups are at the costs the report was made with, not at those above.';
const NO_INTERVALS = 'Intervals are shown only at the costs the report was made with.';

/** The section about groups; null where there is none. */
export function groupsView(app, root) {
  const node = root.querySelector('.static .groups');
  if (!node) return null;
  const { groups: made, unit, level } = app.summary;
  const number = new Map(made.rows.map((row, i) => [row.group, i]));
  const found = (selector) => [...node.querySelectorAll(selector)];
  const [rows, pictures] = [byNumber(found('tr[data-group]')), byNumber(found('svg[data-group]'))];
  const [bodies, frames] = [found('.tables tbody'), found('.pictures')];
  const note = h('p', { class: 'note', role: 'note', hidden: true });
  const said = node.querySelector('.said');
  said.after(note);
  const names = [...app.summary.models.map((model) => model.name), ...made.rows.map((row) => row.group)];
  const worded = (text) => reworded(text, app.summary.words, names);
  const curves = pricesView(node, unit, worded);
  const author = means(app.author);
  let order = '';

  /** The groups at the reader's condition, as the author's numbers if that is the author's. */
  function now() {
    const condition = means(app.state);
    const asked = made.follows === 'condition' ? [...COST_NAMES, 'prevalence'] : COST_NAMES;
    if (asked.every((name) => condition[name] === author[name])) return { at: made, moved: false };
    return { at: made.follows === null ? made : groupsAt(made, condition), moved: true };
  }

  function update() {
    const { at, moved } = now();
    const intervals = made.extra_interval !== null;
    note.hidden = !moved || (made.follows !== null && !intervals);
    say(note, made.follows === null ? STAYS : NO_INTERVALS);
    const texts = groupSentences(at, unit, level).map(worded);
    [...said.children].forEach((p, i) => tell(p, texts[i] ?? '', unit));
    for (const row of at.rows) {
      const i = number.get(row.group);
      groupCells(row)
        .slice(1)
        .forEach((text, k) => put(rows.get(i).cells[k + 1], text));
      if (pictures.has(i)) draw(pictures.get(i), row);
    }
    const sorted = at.rows.map((row) => number.get(row.group));
    if (sorted.join() !== order) {
      order = sorted.join();
      sharedOut(
        sorted.map((i) => rows.get(i)),
        bodies,
      );
      sharedOut(
        sorted.filter((i) => pictures.has(i)).map((i) => pictures.get(i)),
        frames,
      );
    }
    found('.priced li > span').forEach((text, i) => tell(text, worded(priceText(at.prices[i], unit)), unit));
    curves.update(at.prices);
  }

  return { node, update };
}

const byNumber = (nodes) => new Map(nodes.map((one) => [Number(one.dataset.group), one]));

/** The first dozen in the first place, the others in the one that unfolds. */
function sharedOut(nodes, [first, rest]) {
  if (first) first.append(...nodes.slice(0, FIRST));
  if (rest) rest.append(...nodes.slice(FIRST));
}

function put(cell, text) {
  const [first, second = ''] = text.split('\n');
  say(cell.querySelector('span'), first);
  say(cell.querySelector('small'), second);
  cell.toggleAttribute('data-none', first === '–');
}

function draw(svg, row) {
  const label = pictureLabel(row);
  set(svg, { 'aria-label': label });
  say(svg.querySelector('title'), label);
  for (const [name, { fpr, tpr }] of [
    ['own', row],
    ['one', row.one],
  ]) {
    const place = { cx: (EDGE + SIDE * fpr).toFixed(1), cy: (HEAD + SIDE * (1 - tpr)).toFixed(1) };
    set(svg.querySelector(`.${name}`), place);
  }
}

/** The price curves, with a tolerance that the reader drags. */
function pricesView(section, unit, worded) {
  const [node, tolerances] = ['.curves', '.tolerance'].map((name) => section.querySelector(name));
  const svg = node.querySelector('svg');
  const said = h('output', {});
  const slider = h('input', { type: 'range', min: 0, max: TOLERANCES, step: 1, value: 0 });
  tolerances.append(h('label', {}, 'Tolerance', slider), said);
  const mark = document.createElementNS('http://www.w3.org/2000/svg', 'line');
  set(mark, { class: 'at', y1: TOP, y2: TOP + HIGH, stroke: 'currentColor', 'stroke-opacity': 0.6 });
  svg.append(mark);
  let prices = [];
  const most = () => Math.max(...prices.map(({ tolerance }) => tolerance[tolerance.length - 1]));

  function show() {
    const at = Number(slider.value) / TOLERANCES;
    const tolerance = most() * at;
    const each = prices.map((curve) => [curve.criterion, priceAt(curve, tolerance)]);
    tell(said, worded(pricesText(each, tolerance, unit)), unit);
    set(slider, { 'aria-valuetext': `${digits(100 * tolerance)} points` });
    set(mark, { x1: LEFT + WIDE * at, x2: LEFT + WIDE * at });
  }

  function drag(event) {
    if (!event.buttons) return;
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
    slider.value = TOLERANCES * Math.min(1, Math.max(0, (x - LEFT) / WIDE));
    show();
  }
  slider.addEventListener('input', show);
  svg.addEventListener('pointerdown', drag);
  svg.addEventListener('pointermove', drag);

  function update(curves) {
    prices = curves;
    const right = most();
    const top = Math.max(...prices.map(({ price }) => price[0]));
    node.hidden = tolerances.hidden = !(right > 0 && top > 0);
    if (node.hidden) return;
    say(svg.querySelector('.top'), amount(1000 * top, unit));
    say(svg.querySelector('.right'), `${digits(100 * right)} points`);
    for (const { criterion, tolerance, price } of prices) {
      const points = [...tolerance, right].map((t, i) => {
        const x = LEFT + (WIDE * t) / right;
        const y = TOP + HIGH * (1 - (price[i] ?? 0) / top);
        return `${x.toFixed(1)},${y.toFixed(1)}`;
      });
      set(svg.querySelector(`.${criterion}`), { points: points.join(' ') });
    }
    show();
  }
  return { update };
}
