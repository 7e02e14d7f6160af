// Every sentence of the decision, and what a screen reader is told.
import { certainty } from './deed.js';
import { h, say, sentence, tell } from './dom.js';
import { says } from './words.js';

const SENTENCES = ['aim', 'price', 'sure', 'follows', 'holds', 'current'];

export function decisionCard(app) {
  const rule = h('p', { class: 'rule' });
  const badge = h('span', { class: 'badge' });
  const parts = SENTENCES.map((name) => [name, h('p', { class: name })]);
  const warnings = h('ul', { class: 'warnings' });
  const node = h(
    'section',
    { class: 'decision wide', 'aria-label': 'The decision in words' },
    h('h3', {}, 'The decision in words'),
    h('div', { class: 'headline' }, rule, badge),
    parts.map(([, part]) => part),
    warnings,
  );
  let warned = null;
  function update({ answer: decision }) {
    const said = says(decision);
    // The word of the strip: one answer has one grade.
    const { grade, word } = certainty(decision, app.speech);
    node.dataset.grade = grade;
    tell(rule, said.rule);
    say(badge, word);
    for (const [name, part] of parts) {
      tell(part, said[name] ?? '', app.summary.unit);
      part.hidden = !said[name];
    }
    const texts = decision.warnings;
    if (texts.join() === warned) return;
    warned = texts.join();
    warnings.textContent = '';
    warnings.append(...texts.map((text) => h('li', {}, sentence(text))));
    warnings.hidden = !texts.length;
  }
  return { node, update };
}

export function announcer() {
  const node = h('p', { class: 'hidden', role: 'status', 'aria-live': 'polite' });
  let waiting = null;
  const announce = (text, now = false) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => say(node, text), now ? 0 : 300);
  };
  announce.node = node;
  return announce;
}
