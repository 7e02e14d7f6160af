// The decision in words, how to read the pictures, and what a screen reader is told.
import { h, say } from './dom.js';
import { following, grade, holds, price, rule, sure, warnings } from './words.js';

export function decisionCard(app) {
  const parts = {
    rule: h('p', { class: 'rule' }),
    badge: h('span', { class: 'badge' }),
    price: h('p', { class: 'price' }),
    sure: h('p', { class: 'sure' }),
    holds: h('p', { class: 'holds' }),
    following: h('p', { class: 'holds' }),
    warnings: h('ul', { class: 'warnings' }),
  };
  const node = h(
    'section',
    { class: 'decision', 'aria-label': 'Decision' },
    h('h2', { class: 'hidden' }, 'Decision'),
    h('div', { class: 'headline' }, parts.rule, parts.badge),
    parts.price,
    parts.sure,
    parts.following,
    parts.holds,
    parts.warnings,
  );
  let warned = null;
  function update(f) {
    const { summary } = app;
    node.dataset.grade = f.grade || 'none';
    say(parts.rule, rule(f.chosen));
    say(parts.badge, grade(f));
    say(parts.price, price(f, summary.unit));
    say(parts.sure, sure(f, summary));
    say(parts.following, following(f, summary));
    parts.following.hidden = !f.follow;
    say(parts.holds, holds(f));
    const texts = warnings(f, summary);
    if (texts.join() === warned) return;
    warned = texts.join();
    parts.warnings.textContent = '';
    parts.warnings.append(...texts.map((text) => h('li', {}, text)));
    parts.warnings.hidden = !texts.length;
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
