// Elements, text and dragging shared by the views. Pictures carry their looks as attributes: a saved one looks the same.
import { heldIn } from './rules.js';

const SVG = 'http://www.w3.org/2000/svg';
export const FONT = 'system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, DejaVu Sans, sans-serif';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat(3)) if (child !== null && child !== undefined && child !== '') node.append(whole(child));
  return node;
}

/** A text in which no line ends between a number and its percent sign. */
const whole = (text) => (typeof text === 'string' ? text.replace(/(\d) %/g, '$1\u00a0%') : text);

/** An HTML element. Text goes in as text nodes only, so that no user text is ever parsed. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element; coordinates are written with one decimal. */
export function s(tag, attributes = {}, ...children) {
  const short = Object.entries(attributes).map(([name, value]) => [name, typeof value === 'number' ? Math.round(value * 10) / 10 : value]);
  return fill(document.createElementNS(SVG, tag), Object.fromEntries(short), children);
}

/** A text of a picture: colour, size, weight and anchor, or an object of them and of other attributes. */
export function t(x, y, text, looks, font = 14, bold = null, side = null) {
  const given = typeof looks === 'string' ? { fill: looks, size: font, weight: bold, anchor: side } : looks;
  const { size = 14, weight = null, anchor = null, ...more } = given;
  return s('text', { x, y, 'font-size': size, 'font-weight': weight, 'text-anchor': anchor, ...more }, text);
}

/** A picture of its own size; its name says what it shows. Letters are not fitted to pixels, which files do otherwise than pages. */
export function picture(width, height, label, ...children) {
  const size = { viewBox: `0 0 ${Math.round(width)} ${Math.round(height)}`, width: Math.round(width) };
  const looks = {
    height: Math.round(height),
    'font-family': FONT,
    'text-rendering': 'geometricPrecision',
    role: 'img',
    'aria-label': label,
  };
  return s('svg', { ...size, ...looks }, ...children);
}

export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? '' : value);
  }
}

/** Replace a node's text if it differs: writing the same text again would still cost a layout. */
export function say(node, text) {
  if (node.textContent !== whole(text)) node.textContent = whole(text);
}

let serial = 0;
/** An id that nothing else on the page has. */
export function unique(stem) {
  serial += 1;
  return `isocost-${stem}-${serial}`;
}

let pen = null;
const widths = new Map();
/** How wide a text of a picture is, without a layout; digits are all as wide as a 0. */
export function textWidth(text, size = 14, weight = 400) {
  const plain = text.replace(/\d/g, '0');
  return heldIn(widths, `${size} ${weight} ${plain}`, () => {
    pen ??= document.createElement('canvas').getContext('2d');
    pen.font = `${weight} ${size}px ${FONT}`;
    return pen.measureText(plain).width;
  });
}

/** Whether what a picture depends on is no longer what it was; it is from now on. */
export function changed(drawn, ...now) {
  const before = drawn.on;
  drawn.on = now;
  return !before || now.some((one, i) => one !== before[i]);
}

/** A text in lines no wider than so much. */
export function wrapped(text, size, weight, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines[lines.length - 1]} ${word}`.trim();
    if (lines[lines.length - 1] && textWidth(longer, size, weight) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** A name no wider than so much, its middle left out. */
export function shortened(name, size, weight, width) {
  if (textWidth(name, size, weight) <= width) return name;
  for (let kept = name.length - 1; kept > 2; kept--) {
    const text = `${name.slice(0, Math.ceil(kept / 2))}…${name.slice(name.length - Math.floor(kept / 2))}`;
    if (textWidth(text, size, weight) <= width) return text;
  }
  return '…';
}

/** A name in pieces that may stand on different lines: it breaks after `_`, `-`, `.`, `/` or `:`. */
export function breakable(name) {
  return name.split(/(?<=[_\-./:])/).flatMap((piece, i) => (i ? [document.createElement('wbr'), piece] : [piece]));
}

/** A path through points. */
export function path(points) {
  return points.map(([x, y], i) => `${i ? 'L' : 'M'}${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`).join('');
}

/** A line through points. */
export function stroke(points, colour, width = 1, dash = null) {
  return s('path', { d: path(points), fill: 'none', stroke: colour, 'stroke-width': width, 'stroke-dasharray': dash || null });
}

/** Definitions of a picture: what cuts it to a rectangle, and hatching of so much opacity; both as they are referred to. */
export function shading(ink, rect, size, opacity) {
  const ids = [unique('clip'), unique('hatch')];
  const looks = { id: ids[1], width: size, height: size, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' };
  const line = s('rect', { width: 2.5, height: size, fill: ink.card, 'fill-opacity': opacity });
  const defs = s('defs', {}, s('clipPath', { id: ids[0] }, s('rect', rect)), s('pattern', looks, line));
  return [defs, ...ids.map((id) => `url(#${id})`)];
}

/** Grid lines, ticks and titles of a chart in a frame {left, top, width, height}. */
export function axes(ink, { left, top, width, height, end = Infinity }, x, y) {
  const bottom = top + height;
  const text = { size: 13, fill: ink.muted };
  // A title wider than its axis stays inside the picture.
  const half = textWidth(x.title, 13) / 2;
  const middle = Math.max(half, Math.min(left + width / 2, end - half));
  return [
    ...y.ticks.flatMap(([at, word]) => [
      y.bare ? null : s('path', { d: `M${left} ${at}H${left + width}`, stroke: ink.line, fill: 'none' }),
      t(left - 8, at + 4.5, word, { ...text, anchor: 'end' }),
    ]),
    ...x.ticks.flatMap(([at, word]) => [
      s('path', { d: `M${at} ${bottom}v5`, stroke: ink.edge, fill: 'none' }),
      t(at, bottom + 20, word, { ...text, anchor: 'middle' }),
    ]),
    t(middle, bottom + 41, x.title, { ...text, anchor: 'middle' }),
    y.title ? t(0, 0, y.title, { ...text, anchor: 'middle', transform: `translate(15 ${top + height / 2}) rotate(-90)` }) : null,
  ];
}

/** A unit square with its axes, and where its points go. */
export function unitSquare(ink, width, xTitle, yTitle) {
  const side = Math.min(width - 70, 340);
  const frame = { left: 58, top: 10, width: side, height: side };
  const [X, Y] = [(v) => frame.left + v * side, (v) => frame.top + (1 - v) * side];
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1];
  const words = (at) => ticks.map((v) => [at(v), String(v)]);
  const drawn = axes(ink, frame, { ticks: words(X), title: xTitle }, { ticks: words(Y), title: yTitle });
  const at = (points) => points.map(([x, y]) => [X(x), Y(y)]);
  const diagonal = s('path', { d: `M${X(0)} ${Y(0)}L${X(1)} ${Y(1)}`, stroke: ink.edge, 'stroke-dasharray': '2 3' });
  return { X, Y, at, diagonal, width: side + 70, height: side + 60, drawn };
}

/** A table: texts or nodes of its head, and of each row, whose first is its name. */
export function tableOf(heads, rows) {
  const cell = (tag, scope) => (one) => (one instanceof Node && one.matches('td, th') ? one : h(tag, { scope }, one));
  const head = h('tr', {}, heads.map(cell('th', 'col')));
  const body = rows.map(([name, ...cells]) => h('tr', {}, cell('th', 'row')(name), cells.map(cell('td', null))));
  return h('table', {}, h('thead', {}, head), h('tbody', {}, body));
}

/** Move along tabs with the arrow keys: the next one of the selected is pressed. */
export function onArrows(list, tabs) {
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = tabs[(tabs.findIndex((tab) => tab.tabIndex === 0) + step + tabs.length) % tabs.length];
    next.click();
    next.focus();
  });
}

/** Follow a pointer from press to release; positions are shares of the element's width and height. */
export function draggable(node, begin) {
  node.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const box = node.getBoundingClientRect();
    const within = (v) => Math.min(Math.max(v, 0), 1);
    const at = (e) => [within((e.clientX - box.left) / box.width), within((e.clientY - box.top) / box.height)];
    const move = begin(at(event), event);
    if (!move) return;
    event.preventDefault();
    const onMove = (e) => move(...at(e));
    const stop = () => {
      node.removeEventListener('pointermove', onMove);
      for (const name of ['pointerup', 'pointercancel']) node.removeEventListener(name, stop);
    };
    try {
      node.setPointerCapture(event.pointerId);
    } catch {
      // A synthetic pointer cannot be captured.
    }
    node.addEventListener('pointermove', onMove);
    node.addEventListener('pointerup', stop);
    node.addEventListener('pointercancel', stop);
    move(...at(event));
  });
}

/** Act on the keys of a slider: small steps, larger with Shift, the largest with Page, and both ends. */
export function onKeys(node, act) {
  node.addEventListener('keydown', (event) => {
    const size = event.shiftKey ? 5 : 1;
    const ways = { ArrowRight: size, ArrowUp: size, ArrowLeft: -size, ArrowDown: -size };
    const step = { ...ways, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity }[event.key];
    if (!step) return;
    event.preventDefault();
    act(step);
  });
}
