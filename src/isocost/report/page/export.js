// Taking things away: pictures, the table, the page, and the rule as code.
import { h, s } from './dom.js';

/** A picture with its ground and its title, as it stands outside the page. */
function standalone(svg, ground, title = null) {
  const copy = svg.cloneNode(true);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.prepend(s('rect', { width: '100%', height: '100%', fill: ground }));
  if (title) copy.prepend(s('title', {}, title));
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

/** A picture as PNG at twice its size. */
function png(svg, ground, title) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    const { width, height } = svg.viewBox.baseVal;
    image.onload = () => {
      const canvas = h('canvas', { width: 2 * width, height: 2 * height });
      canvas.getContext('2d').drawImage(image, 0, 0, 2 * width, 2 * height);
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))));
    };
    image.onerror = reject;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg, ground, title))}`;
  });
}

export const savers = (app) => ({
  savePng: async (name, svg, title) => download(`${name}.png`, await png(svg, name === 'summary' ? '#ffffff' : app.ink.bg, title)),
  saveSvg: (name, svg, title) =>
    download(`${name}.svg`, standalone(svg, name === 'summary' ? '#ffffff' : app.ink.bg, title), 'image/svg+xml'),
});

/** Copy text, also where the clipboard is closed to pages opened from a file. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = h('textarea', { readonly: true }, text);
    document.body.append(box);
    box.select();
    const done = document.execCommand('copy');
    box.remove();
    return done;
  }
}

/** A menu that closes on Escape, on a press or focus elsewhere, and after a choice. */
export function menu(label, className, items) {
  const node = h('details', { class: `menu ${className}` }, h('summary', { class: 'button' }, label), h('div', { class: 'items' }, items));
  const close = () => node.removeAttribute('open');
  node.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !node.open) return;
    close();
    node.querySelector('summary').focus();
  });
  node.addEventListener('click', (event) => {
    if (event.target.closest('button')) close();
  });
  node.addEventListener('focusout', (event) => {
    if (event.relatedTarget && !node.contains(event.relatedTarget)) close();
  });
  document.addEventListener('pointerdown', (event) => {
    if (!node.contains(event.target)) close();
  });
  return node;
}

/** The page as a file that opens with these numbers: as it was, with the state in place of the address. */
export function pageText(original, hash) {
  const copy = document.implementation.createHTMLDocument(document.title);
  copy.documentElement.lang = 'en';
  for (const node of document.head.querySelectorAll('meta, style')) copy.head.append(copy.importNode(node, true));
  const root = copy.importNode(document.querySelector('.isocost'), false);
  root.removeAttribute('data-ready');
  root.dataset.opens = hash;
  copy.body.append(root);
  const script = [...document.scripts].find((one) => one.type === '' && one.textContent.startsWith('(() => {'));
  copy.body.append(copy.importNode(script, true));
  const [before, after] = parted(copy, root);
  return `<!doctype html>\n${before}${original}${after}`;
}

/** A document's text around an empty element. */
function parted(copy, root) {
  root.textContent = '\u0000';
  // eslint-disable-next-line no-restricted-properties -- read, to be saved
  return copy.documentElement.outerHTML.split('\u0000');
}
