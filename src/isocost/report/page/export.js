// Taking things away: pictures, tables, the data and the call.
import { h } from './dom.js';

const COPIED = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'opacity',
  'font-size',
  'font-family',
  'font-weight',
  'text-anchor',
  'paint-order',
  'stroke-linejoin',
  'visibility',
];

/** A picture that looks the same outside the page: every style as an attribute. */
export function standalone(svg) {
  const copy = svg.cloneNode(true);
  const [from, to] = [
    [svg, ...svg.querySelectorAll('*')],
    [copy, ...copy.querySelectorAll('*')],
  ];
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const name of COPIED) if (style.getPropertyValue(name)) to[i].setAttribute(name, style.getPropertyValue(name));
    for (const name of ['class', 'tabindex', 'role', 'data-model']) to[i].removeAttribute(name);
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of [
    ['width', '100%'],
    ['height', '100%'],
    ['fill', getComputedStyle(svg).getPropertyValue('--bg')],
  ]) {
    ground.setAttribute(name, value);
  }
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

export function download(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = h('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A panel as PNG at twice its size. */
export function png(svg) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    const { width, height } = svg.viewBox.baseVal;
    image.onload = () => {
      const canvas = h('canvas', { width: 2 * width, height: 2 * height });
      canvas.getContext('2d').drawImage(image, 0, 0, 2 * width, 2 * height);
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))));
    };
    image.onerror = reject;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`;
  });
}

function photo(canvas) {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture')))),
  );
}

/** Copy text, also where the clipboard is closed to pages opened from a file. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = h('textarea', { readonly: true }, text);
    document.body.append(box);
    box.select();
    let done = false;
    try {
      done = document.execCommand('copy');
    } catch {
      done = false;
    }
    box.remove();
    return done;
  }
}

/** Close a menu on Escape, on a press or focus elsewhere, and after a choice. */
function closing(menu) {
  const close = () => menu.removeAttribute('open');
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    close();
    menu.querySelector('summary').focus();
  });
  menu.addEventListener('click', (event) => {
    if (event.target.closest('button')) close();
  });
  menu.addEventListener('focusout', (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) close();
  });
  document.addEventListener('pointerdown', (event) => {
    if (!menu.contains(event.target)) close();
  });
  return menu;
}

export function exportMenu(app, panels, table) {
  const item = (label, act) => h('button', { type: 'button', onclick: act }, label);
  const save = (panel, kind) => async () => {
    if (panel.show) panel.show();
    app.settle();
    if (kind === 'SVG') download(`${panel.name}.svg`, standalone(panel.svg), 'image/svg+xml');
    else download(`${panel.name}.png`, await (panel.canvas ? photo(panel.canvas) : png(panel.svg)));
  };
  const picture = (panel) =>
    h(
      'div',
      { class: 'picture' },
      h('span', {}, panel.title || panel.name),
      (panel.canvas ? ['PNG'] : ['SVG', 'PNG']).map((kind) =>
        h('button', { type: 'button', 'aria-label': `${panel.name} as ${kind}`, onclick: save(panel, kind) }, kind),
      ),
    );
  const pictures = panels.map(picture);
  const menu = h(
    'details',
    { class: 'menu' },
    h('summary', {}, 'Export'),
    h(
      'div',
      { class: 'items' },
      item('Copy the table as CSV', () => app.copied(table.csv(app.facts), 'Table copied.')),
      item('Table as CSV file', () => download('thresholds.csv', table.csv(app.facts), 'text/csv')),
      item('Copy the Python call for this view', () => app.copied(app.call(), 'Python call copied.')),
      item('All data as JSON', () => download('report.json', JSON.stringify(app.summary), 'application/json')),
      ...pictures,
    ),
  );
  return closing(menu);
}
