// The answer: one sentence, three figures, warnings.
import { h, say, wrapped } from './dom.js';

/** A sentence with the names of models underlined in their colours; what follows the first statement is softer. */
function pieces(text, every, answer, colourOf) {
  const split = /(?<=[^.\d]\.|: either will do\.) (?=\S)|,(?= but )/u.exec(text);
  const at = split ? split.index + (split[0] === ',' ? 1 : 0) : text.length;
  const parts = [
    [text.slice(0, at), null],
    [text.slice(at), 'soft'],
  ];
  // Only models that the sentence is about, as whole words: a model may be called as a word of the sentence is.
  const { model, confidence, question } = answer ?? {};
  const about = [model, confidence?.rival?.model, confidence?.either?.model, question?.current?.model];
  const names = every.filter((name) => name && every.length > 1 && about.includes(name)).sort((a, b) => b.length - a.length);
  const either = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  const pattern = names.length && new RegExp(`(?<![\\p{L}\\p{N}_])(${either})(?![\\p{L}\\p{N}_])`, 'u');
  return parts.map(([part, kind]) => {
    if (!part) return null;
    const marked =
      kind || !pattern ? [part] : part.split(pattern).map((piece) => (names.includes(piece) ? named(piece, colourOf(piece)) : piece));
    return h('span', { class: kind }, marked);
  });
}

function named(name, colour) {
  const node = h('span', { class: 'name' }, name);
  node.style.setProperty('--c', colour);
  return node;
}

/** As large as two lines allow (three on a phone), so that nothing below moves. */
function fit(head, text) {
  const style = getComputedStyle(head);
  const [most, lines] = ['--size', '--lines'].map((name) => Number(style.getPropertyValue(name)));
  const room = head.clientWidth - 8;
  for (let size = most; size > 12; size -= 1) {
    head.style.fontSize = `${size}px`;
    if (room < 100 || wrapped(text, size, 680, room).length * size <= lines * most) return;
  }
}

/** The h1, the figures and the warnings; and the line that follows when they are out of sight. */
export function answerView(app) {
  const head = h('h1', { class: 'say' });
  const figures = h('dl', { class: 'figures' });
  const cells = [0, 1, 2].map(() => {
    const [dt, value, small, below] = [h('dt'), h('span'), h('small'), h('dd', { class: 'below' })];
    figures.append(h('div', {}, dt, h('dd', { class: 'value' }, value, ' ', small), below));
    return { dt, value, small, below };
  });
  const warnings = h('ul', { class: 'warnings', hidden: true });
  const node = h('section', { class: 'answer', 'aria-label': 'Answer' }, head, figures, warnings);
  const follows = h('b');
  const price = h('span');
  const mini = h('div', { class: 'follows', 'aria-hidden': 'true' }, h('div', { class: 'wrap' }, follows, price));
  let spoken = null;
  if (typeof IntersectionObserver === 'function') {
    new IntersectionObserver(([{ isIntersecting, boundingClientRect }]) => {
      mini.classList.toggle('on', !isIntersecting && boundingClientRect.top < 0);
    }).observe(head);
  }
  return {
    node,
    mini,
    update(f) {
      const { text } = f;
      const key = `${text}${app.theme()}${head.clientWidth}`;
      if (key !== spoken) {
        spoken = key;
        head.replaceChildren(h('span', {}, pieces(text, app.names, f.answer, app.colourOf)));
        fit(head, text);
        say(follows, text);
      }
      node.classList.toggle('empty', f.state === 'ask' || f.state === 'impossible');
      f.figures.forEach(([title, value, small, below], i) => {
        say(cells[i].dt, title);
        say(cells[i].value, value);
        say(cells[i].small, small);
        say(cells[i].below, below);
      });
      say(price, f.figures[0][1] === '–' ? '' : `${f.figures[0][1]} ${f.figures[0][2]}`);
      warnings.hidden = !f.warnings.length;
      if (warnings.textContent !== f.warnings.join('')) warnings.replaceChildren(...f.warnings.map((one) => h('li', {}, one)));
    },
  };
}
