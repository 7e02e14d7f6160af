// Elements, scales and shapes shared by the views.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}

/** An HTML element. Text goes in as text nodes only, so that no user text is ever parsed. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Buttons that are one stop of the tab key; arrows go from one to the next. */
export function toolbar(attributes, ...children) {
  const node = h('div', { role: 'toolbar', ...attributes }, ...children);
  const stops = () => children.map((child) => child.querySelector('summary') || child);
  const focusOn = (next) => stops().forEach((stop) => stop.setAttribute('tabindex', stop === next ? 0 : -1));
  focusOn(stops()[0]);
  node.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const all = stops();
    const now = all.indexOf(event.target);
    if (!step || now < 0) return;
    event.preventDefault();
    const next = all[(now + step + all.length) % all.length];
    focusOn(next);
    next.focus();
  });
  return node;
}

/** Set attributes in place. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

/** Replace a node's text if it differs: writing the same text again would still cost a layout. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A name in pieces that may stand on different lines: it breaks after a space, `_`, `-`, `.`, `/` or `:` first. */
export function breakable(name) {
  return name.split(/(?<=[_\-./:])/).flatMap((piece, i) => (i ? [document.createElement('wbr'), piece] : [piece]));
}

// What a line does not end in.
const WHOLE = String.raw`per 1000|--[a-z][a-z-]*[a-z](?: \d+)?|[≥<] [−-]?\d(?:[\d.,]*\d)?|\d[\d.,–]* %|−\D?\d[\d.,]*`;

/**
 * A sentence in pieces: very long names break as names do; options of the command, and numbers with the sign before or
 * the unit after them, stay in one piece.
 */
export function sentence(text, unit = '') {
  const amounts = unit ? String.raw`−?\d(?:[\d.,]*\d)? ${unit.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}|` : '';
  return text.split(new RegExp(`(${amounts}${WHOLE}|[^\\s(),]{32,})`, 'u')).flatMap((piece, i) => {
    if (i % 2 === 0) return [piece];
    return /^--|^−| /.test(piece) ? [h('span', { class: 'whole' }, piece)] : breakable(piece);
  });
}

/** Replace a node's text by a sentence in pieces, if it differs. */
export function tell(node, text, unit = '') {
  if (node.textContent !== text) node.replaceChildren(...sentence(text, unit));
}

let serial = 0;
/** An id no other mount on the page has. */
export function unique(stem) {
  serial += 1;
  return `isocost-${stem}-${serial}-${Math.random().toString(36).slice(2, 7)}`;
}

/** A path through points, left out where a coordinate is not a number. */
export function path(points) {
  let d = '';
  for (const [x, y] of points) d += `${d ? 'L' : 'M'}${Math.round(x * 100) / 100} ${Math.round(y * 100) / 100}`;
  return d;
}

/** A closed band between two lines over the same x. */
export function bandPath(xs, lows, highs) {
  if (!xs.length) return '';
  const points = xs.map((x, i) => [x, highs[i]]);
  for (let i = xs.length - 1; i >= 0; i--) points.push([xs[i], lows[i]]);
  return `${path(points)}Z`;
}

let pen = null;
const widths = new Map();
/** How wide a text of a chart is, in pixels, without a layout; digits are all as wide as a 0. */
export function textWidth(text, bold = false) {
  const key = `${bold ? 'b' : ''}${text.replace(/\d/g, '0')}`;
  if (!widths.has(key)) {
    pen ??= document.createElement('canvas').getContext('2d');
    pen.font = `${bold ? '650 ' : ''}12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif`;
    widths.set(key, pen.measureText(bold ? key.slice(1) : key).width);
  }
  return widths.get(key);
}

/** The axes of a panel: grid lines, ticks and titles. */
export function axes(frame, x, y) {
  const { left, top, width, height } = frame;
  const bottom = top + height;
  const g = s('g', { class: 'axes' });
  for (const [at, text] of y.ticks) {
    g.append(s('line', { class: 'grid', x1: left, x2: left + width, y1: at, y2: at }));
    g.append(s('text', { x: left - (y.away || 6), y: at + 4, 'text-anchor': 'end' }, text));
  }
  for (const [at, text] of x.ticks) {
    g.append(s('line', { class: 'grid', x1: at, x2: at, y1: top, y2: bottom }));
    g.append(s('text', { x: at, y: bottom + 16 + (x.below || 0), 'text-anchor': 'middle' }, text));
  }
  g.append(s('rect', { class: 'frame', x: left, y: top, width, height }));
  if (x.title) {
    g.append(
      s('text', { class: 'title', x: left + width / 2, y: bottom + (x.drop || 34), 'text-anchor': 'middle' }, x.title),
    );
  }
  if (y.title) {
    g.append(
      s(
        'text',
        {
          class: 'title',
          transform: `translate(${left - 40} ${top + height / 2}) rotate(-90)`,
          'text-anchor': 'middle',
        },
        y.title,
      ),
    );
  }
  return g;
}

/** Round steps over a span of values. */
export function steps(low, high, about = 5) {
  const raw = (high - low) / about;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((k) => k * unit).find((k) => k >= raw) || 10 * unit;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
    found.push(Number((i * step).toPrecision(10)));
  }
  return found;
}

/** Where a pointer is inside an SVG, in its own units; measured once when a drag starts. */
export function pointerScale(svg) {
  const box = svg.getBoundingClientRect();
  const view = svg.viewBox.baseVal;
  return (event) => [
    ((event.clientX - box.left) / box.width) * view.width,
    ((event.clientY - box.top) / box.height) * view.height,
  ];
}

/** Follow a pointer from press to release. */
export function draggable(svg, target, begin) {
  target.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const at = pointerScale(svg);
    const move = begin(at(event), event);
    if (!move) return;
    const onMove = (e) => move(at(e), e);
    const stop = () => {
      target.removeEventListener('pointermove', onMove);
      target.removeEventListener('pointerup', stop);
      target.removeEventListener('pointercancel', stop);
    };
    try {
      target.setPointerCapture(event.pointerId);
    } catch {
      // A synthetic pointer cannot be captured.
    }
    target.addEventListener('pointermove', onMove);
    target.addEventListener('pointerup', stop);
    target.addEventListener('pointercancel', stop);
  });
}

/** Keys of a slider, as a step in log-odds or an end. */
function sliderStep(event) {
  const size = event.shiftKey ? 0.25 : 0.05;
  return (
    {
      ArrowLeft: -size,
      ArrowDown: -size,
      ArrowRight: size,
      ArrowUp: size,
      PageUp: 1,
      PageDown: -1,
      Home: -Infinity,
      End: Infinity,
    }[event.key] ?? null
  );
}

/** Act on the keys of a slider. */
export function onSteps(node, act) {
  node.addEventListener('keydown', (event) => {
    const step = sliderStep(event);
    if (step === null) return;
    event.preventDefault();
    act(step);
  });
}

/** Act on the arrows of a handle that goes both ways: larger steps with Shift, the largest with Page. */
export function onArrows(node, act) {
  node.addEventListener('keydown', (event) => {
    const size = event.shiftKey ? 0.25 : 0.05;
    const by = {
      ArrowLeft: [-size, 0],
      ArrowRight: [size, 0],
      ArrowUp: [0, size],
      ArrowDown: [0, -size],
      PageUp: [0, 1],
      PageDown: [0, -1],
    }[event.key];
    if (!by) return;
    event.preventDefault();
    act(...by);
  });
}

/** A square panel. */
export const square = (side) => ({ left: 50, top: 10, width: side, height: side });

/** An empty unit square with its axes, and where its points go. */
export function unitFrame(svg, frame, xTitle, yTitle) {
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1];
  const X = (v) => frame.left + v * frame.width;
  const Y = (v) => frame.top + (1 - v) * frame.height;
  set(svg, {
    viewBox: `0 0 ${frame.width + 62} ${frame.height + 54}`,
    width: frame.width + 62,
    height: frame.height + 54,
  });
  svg.textContent = '';
  svg.append(
    axes(
      frame,
      { ticks: ticks.map((v) => [X(v), String(v)]), title: xTitle },
      { ticks: ticks.map((v) => [Y(v), String(v)]), title: yTitle },
    ),
  );
  return { X, Y };
}

/** Points of a line without those that no eye tells from the one before. */
export function apart(points) {
  let [x, y] = [-Infinity, -Infinity];
  return points.filter((point, i) => {
    const near = Math.abs(point[0] - x) < 0.5 && Math.abs(point[1] - y) < 0.5;
    if (near && i < points.length - 1) return false;
    [x, y] = point;
    return true;
  });
}

/** The next round number: axes keep their scale while it does. */
export function roundUp(raw) {
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((k) => k * power).find((k) => k >= raw * 0.999);
}

/** The room inside an element. */
export function roomIn(holder) {
  const style = getComputedStyle(holder);
  return Math.floor(holder.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
}
