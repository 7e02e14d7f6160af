// The decision in words, how to read the pictures, and what a screen reader is told.
import { h, say } from './dom.js';
import { grade, says } from './words.js';

const SENTENCES = ['aim', 'price', 'sure', 'follows', 'holds', 'current'];

export function decisionCard() {
  const rule = h('p', { class: 'rule' });
  const badge = h('span', { class: 'badge' });
  const parts = SENTENCES.map((name) => [name, h('p', { class: name })]);
  const warnings = h('ul', { class: 'warnings' });
  const node = h(
    'section',
    { class: 'decision', 'aria-label': 'Decision' },
    h('h2', { class: 'hidden' }, 'Decision'),
    h('div', { class: 'headline' }, rule, badge),
    parts.map(([, part]) => part),
    warnings,
  );
  let warned = null;
  function update({ decision }) {
    const said = says(decision);
    node.dataset.grade = decision.surety.grade ?? 'none';
    say(rule, said.rule);
    say(badge, grade(decision));
    for (const [name, part] of parts) {
      say(part, said[name]);
      part.hidden = !said[name];
    }
    const texts = decision.warnings;
    if (texts.join() === warned) return;
    warned = texts.join();
    warnings.textContent = '';
    warnings.append(...texts.map((text) => h('li', {}, text)));
    warnings.hidden = !texts.length;
  }
  return { node, update };
}

export function reading() {
  const steps = [
    [
      'Left',
      'every threshold of a model is a point: up is more positives caught, right is more false alarms. ' +
        'The dashed line joins points that cost the same now; the cheapest point is where it touches.',
    ],
    [
      'Right',
      'every condition is a place on the x axis: far left only false alarms matter, far right only misses. ' +
        'The lowest curve at the vertical line is the model to use.',
    ],
  ];
  return h(
    'div',
    { class: 'reading' },
    h('h3', {}, 'How to read this'),
    steps.map(([where, text]) => h('p', {}, h('b', {}, `${where}: `), text)),
  );
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
