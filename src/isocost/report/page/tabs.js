// The ways thresholds may be chosen, one tab each.
import { h, unique } from './dom.js';

export const TABS = [
  ['best', 'Best threshold', 'Each model with the threshold that is cheapest at each condition (lower envelope).'],
  [
    'rate_driven',
    'Quota',
    'The share of cases flagged is the cost proportion, miss ÷ (miss + false alarm), whatever the scores say.',
  ],
  ['kendall', 'Kendall', 'What the quota costs beyond a perfect ranking: the fault of the order alone.'],
  [
    'score_driven',
    'Trust the scores',
    'Flag when the score, read as a probability, is at least false alarm ÷ (miss + false alarm).',
  ],
];

export function methodTabs(app, panel) {
  const tabs = TABS.map(([key, label], i) =>
    h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: unique('tab'),
        'data-tab': key,
        'aria-controls': panel,
        tabindex: i ? -1 : 0,
        onclick: () => app.look({ tab: key }),
      },
      label,
    ),
  );
  const tablist = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'How thresholds are chosen' }, tabs);
  tablist.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const open = tabs.filter((tab) => !tab.disabled);
    const next = open[(open.findIndex((tab) => tab.dataset.tab === app.view.tab) + step + open.length) % open.length];
    app.look({ tab: next.dataset.tab });
    next.focus();
  });
  return { tabs, tablist };
}

/** What dragging in this picture changes: costs or the prevalence. */
export function dragSwitch(app) {
  const name = unique('drag');
  const radios = ['costs', 'prevalence'].map((value) =>
    h(
      'label',
      {},
      h('input', {
        type: 'radio',
        name,
        value,
        checked: app.view.drag === value,
        onchange: () => app.look({ drag: value }),
      }),
      value,
    ),
  );
  return {
    node: h('fieldset', { class: 'radios' }, h('legend', {}, 'Dragging changes'), radios),
    update() {
      for (const { firstChild } of radios) firstChild.checked = firstChild.value === app.view.drag;
    },
  };
}
