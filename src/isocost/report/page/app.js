// The page: state, the views and what ties them together.
import { QUANTITIES, clamp, logit } from './beliefs.js';
import { facts, optimalCost, prepare } from './core.js';
import { decideAt } from './reviewing.js';
import { digits } from './numbers.js';
import { EVERYBODY, price, rule } from './words.js';
import { h, toolbar } from './dom.js';
import { announcer, decisionCard, reading } from './card.js';
import { addLinks } from './link.js';
import { addLooks } from './looks.js';
import { addMoves } from './moves.js';
import { conditionBar } from './bar.js';
import { pcfAxis } from './axis.js';
import { costView } from './cost.js';
import { rocView } from './roc.js';
import { differenceView, winnersView } from './strips.js';
import { tableView } from './table.js';
import { detailsView } from './details.js';
import { copyText, exportMenu } from './export.js';

function mount(root) {
  const summary = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
  const data = prepare(summary);
  const { quantities, belief } = summary.opened;
  const author = { ...Object.fromEntries(QUANTITIES.map((name) => [name, quantities[name]])), belief, author: true };
  const start = facts(data, author, decideAt(data, author));
  const ranked = start.rows
    .map((row) => data.models.findIndex((model) => model.name === row.model))
    .filter((m) => m >= 0);
  const view = {
    tab: 'best',
    stretched: start.pcf < 0.03 || start.pcf > 0.97,
    drag: 'costs',
    a: ranked[0],
    b: ranked[1] ?? ranked[0],
    theme: 'auto',
  };
  const app = {
    summary,
    data,
    view,
    state: { ...author },
    authorPcf: start.pcf,
    facts: start,
    thin: thinRanges(data.points),
    hull: winningHull(data),
  };
  app.axis = pcfAxis(app);
  app.axis.reach = Math.max(Math.log(1e4), Math.abs(logit(clamp(start.pcf))) + 0.7);
  app.band = (m) => ({ pcf: data.resamples.grid, ...summary.bands[m] });
  app.costAt = (m, z) => optimalCost(data.models[m], 1 - z);
  const saved = JSON.stringify(view);

  addLooks(app, root);
  app.announce = announcer();
  addMoves(app, author);
  addLinks(app, root, author);
  app.look = (change) => {
    Object.assign(view, change);
    app.redraw();
  };
  app.reset = () => {
    app.restore();
    Object.assign(view, JSON.parse(saved));
    app.redraw();
  };
  app.copied = async (text, said) =>
    app.announce((await copyText(text)) ? said : 'The browser does not let this page copy.', true);
  const views = [
    rocView(app),
    costView(app),
    winnersView(app),
    ...(data.models.length > 1 ? [differenceView(app)] : []),
  ];
  const [roc, cost, ...strips] = views;
  const table = tableView(app);
  const bar = conditionBar(app);
  const details = detailsView(app);
  const card = decisionCard();
  const theme = h(
    'button',
    { type: 'button', class: 'quiet', 'aria-pressed': 'false', onclick: () => themed() },
    'Light / dark',
  );
  const { n, positives } = summary.data;
  const about = [
    n === null ? null : `${digits(n, 15)} test cases`,
    positives === null ? null : `${digits(positives, 15)} positive`,
    `${data.models.length} model${data.models.length > 1 ? 's' : ''}`,
    data.resamples ? `${data.resamples.n} paired resamples` : 'no resamples, so no intervals',
    ...(summary.data.notes ?? []),
  ]
    .filter(Boolean)
    .join(' · ');
  const columns = [
    h('div', { class: 'column' }, roc.node, reading()),
    h('div', { class: 'column' }, cost.node, ...strips.map((strip) => strip.node)),
  ];
  const page = h(
    'main',
    { class: 'page' },
    h(
      'header',
      {},
      h('div', {}, h('h1', {}, summary.title), h('p', { class: 'about' }, about)),
      toolbar({ class: 'actions', 'aria-label': 'Page' }, exportMenu(app, [...views, ...details.panels], table), theme),
    ),
    card.node,
    bar.node,
    h('section', { 'aria-label': 'Evidence' }, h('h2', {}, 'Evidence'), h('div', { class: 'evidence' }, columns)),
    h(
      'section',
      { 'aria-label': 'Thresholds at this condition' },
      h('h2', {}, 'Thresholds at this condition'),
      h(
        'p',
        { class: 'hint thresholds-hint' },
        'The cheapest threshold of each model here. Open a row for what happens to 1000 cases.',
      ),
      table.node,
    ),
    details.node,
    h('footer', {}, `isocost ${summary.provenance.isocost} · data ${summary.provenance.fingerprint.slice(0, 12)}`),
    app.announce.node,
  );
  for (const child of [...root.children]) if (child.tagName !== 'SCRIPT') child.remove();
  root.append(page);

  function themed() {
    const dark = view.theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : view.theme === 'dark';
    view.theme = dark ? 'light' : 'dark';
    root.dataset.theme = view.theme;
    theme.setAttribute('aria-pressed', String(view.theme === 'dark'));
    app.refresh();
  }

  let silent = true;
  app.refresh = () => {
    const f = facts(data, app.state, decideAt(data, app.state));
    app.facts = f;
    const recoloured = app.colour();
    if (recoloured) roc.legend();
    const spoken = `PCF(+) ${digits(f.pcf)}. ${rule(f.decision)}`;
    for (const each of views) each.update(f, spoken);
    table.update(f);
    bar.update(f);
    card.update(f);
    details.update(f);
    if (recoloured) app.paint();
    if (!silent) {
      app.announce(`${rule(f.decision)} ${price(f.decision)}`);
      remember();
    }
    silent = false;
  };
  app.redraw = () => {
    app.colour();
    // A page in a hidden frame has no width yet; it is drawn again when it gets one.
    const [left, right] = columns.map((column) => column.clientWidth || 600);
    roc.draw(left);
    cost.draw(right);
    for (const strip of strips) strip.draw(right);
    details.draw();
    app.refresh();
    app.paint();
  };

  function remember() {
    try {
      history.replaceState(null, '', `#${app.hash()}`);
    } catch {
      // A sandboxed frame has no history: the link is still built on demand.
    }
  }
  app.recall();
  window.addEventListener('hashchange', () => {
    app.recall();
    silent = true;
    app.redraw();
  });
  app.redraw();
  let width = page.clientWidth;
  new ResizeObserver(() => {
    if (page.clientWidth === width) return;
    width = page.clientWidth;
    silent = true;
    app.redraw();
  }).observe(page);
  const print = matchMedia('print');
  print.addEventListener('change', () => {
    width = page.clientWidth;
    silent = true;
    app.redraw();
  });
  root.isocost = app;
  root.dataset.ready = 'true';
}

/** Where the optimum rests on fewer than five cases of a class; the trivial ends beside such a point belong to it. */
function thinRanges(points) {
  const thin = points.map(
    (point, i) =>
      point.thin || (!point.models.length && [points[i - 1], points[i + 1]].some((other) => other && other.thin)),
  );
  const found = [];
  points.forEach((point, i) => {
    if (!thin[i]) return;
    const [low, high] = [1 - point.t_high, 1 - point.t_low];
    const last = found[found.length - 1];
    if (last && last[0] === high) last[0] = low;
    else found.push([low, high]);
  });
  return found;
}

/** The winning points in ROC space, by ascending t. */
function winningHull(data) {
  return data.points.map((point) => {
    const end = point.model === EVERYBODY ? 1 : 0;
    if (!point.models.length) return { ...point, x: end, y: end };
    const model = data.models[point.model];
    return { ...point, x: model.fpr[point.vertex], y: model.tpr[point.vertex] };
  });
}

for (const root of document.querySelectorAll('.isocost:not([data-ready])')) mount(root);
