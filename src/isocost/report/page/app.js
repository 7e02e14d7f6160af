// The page: state, the views and what ties them together.
import { QUANTITIES, clamp, logit } from './beliefs.js';
import { facts, optimalCost, prepare } from './core.js';
import { decideAt } from './reviewing.js';
import { deed, price1000, speechOf, trivialDeed } from './deed.js';
import { digits } from './numbers.js';
import { EVERYBODY } from './words.js';
import { h, roomIn, toolbar } from './dom.js';
import { announcer } from './card.js';
import { addLinks } from './link.js';
import { addLooks } from './looks.js';
import { addMoves } from './moves.js';
import { pcfAxis } from './axis.js';
import { answerStrip } from './strip.js';
import { limitFields } from './limit_fields.js';
import { situationView } from './situation.js';
import { marksView } from './marks.js';
import { mapView } from './map.js';
import { moneyView } from './money.js';
import { rocView } from './roc.js';
import { settleView } from './settle.js';
import { groupsView } from './groups.js';
import { lookControl, lookView } from './second_look.js';
import { tableView } from './table.js';
import { detailsView } from './details.js';
import { copyText, exportMenu } from './export.js';
import { whenSeen } from './visibility.js';

// Milliseconds without a move after which a drag rests.
const REST = 120;

/** What the page is about, under its title. */
function about({ summary, resamples, models }) {
  const { words } = summary;
  const { n, positives, notes } = summary.data;
  return [
    n === null ? null : `${digits(n, 15)} test ${words.cases}`,
    positives === null ? null : `${digits(positives, 15)} of them ${words.positives}`,
    `${models.length}\u00a0model${models.length > 1 ? 's' : ''}`,
    resamples ? `${resamples.n} resamples` : 'no resamples, so no intervals',
    ...(notes ?? []),
  ]
    .filter(Boolean)
    .join('\u00a0· ');
}

/** The page's state and what follows from the data alone. */
function opened(root) {
  const summary = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
  const data = prepare(summary);
  const { quantities, belief, review = null } = summary.opened;
  const pairs = Object.fromEntries(QUANTITIES.map((name) => [name, quantities[name]]));
  const author = { ...pairs, belief, review, author: true };
  const start = facts(data, author);
  const ranked = start.rows
    .map((row) => data.models.findIndex((model) => model.name === row.model))
    .filter((m) => m >= 0);
  const names = summary.models.map((model) => model.short);
  const app = {
    summary,
    data,
    author,
    names,
    speech: speechOf(summary),
    view: {
      y: 'money',
      tab: 'best',
      stretched: start.pcf < 0.03 || start.pcf > 0.97,
      drag: 'costs',
      a: ranked[0],
      b: ranked[1] ?? ranked[0],
      theme: 'auto',
    },
    state: { ...author },
    typed: {},
    authorPcf: start.pcf,
    facts: start,
    thin: thinRanges(data.points),
    hull: winningHull(data),
  };
  app.axis = pcfAxis(app);
  app.axis.reach = Math.max(Math.log(1e4), Math.abs(logit(clamp(start.pcf))) + 0.7);
  app.band = (m) => ({ pcf: data.resamples.grid, ...summary.bands[m] });
  app.costAt = (m, z) => optimalCost(data.models[m], 1 - z);
  app.trivial = (model) => trivialDeed(model, summary.words);
  return app;
}

function mount(root) {
  const app = opened(root);
  const { summary, data, view, author } = app;
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
  app.colour();

  const strip = answerStrip(app);
  const situation = situationView(app, author);
  const limits = limitFields(app);
  const looks = lookControl(app);
  situation.hook.append(limits.node, looks.node);
  const [thousand, look, map, money, roc, settle] = [
    marksView(app),
    lookView(app),
    mapView(app),
    moneyView(app),
    rocView(app),
    settleView(app),
  ];
  const charts = [thousand, look, map, money, roc, settle];
  const groups = groupsView(app, root);
  const table = tableView(app);
  const details = detailsView(app);
  const theme = h(
    'button',
    { type: 'button', class: 'quiet', 'aria-pressed': 'false', onclick: () => themed() },
    'Light / dark',
  );
  const panels = [...charts.filter((chart) => chart.name), ...details.panels];
  const actions = toolbar({ class: 'actions', 'aria-label': 'Page' }, exportMenu(app, panels, table), theme);
  const page = h(
    'main',
    { class: 'page' },
    h(
      'header',
      { class: 'wrap top' },
      h('div', {}, h('h1', {}, summary.title), h('p', { class: 'about' }, about(data))),
      actions,
    ),
    strip.node,
    strip.noted,
    h(
      'div',
      { class: 'wrap body' },
      situation.node,
      h(
        'div',
        { class: 'main' },
        thousand.node,
        look.node,
        h('div', { class: 'pair' }, map.node, money.node),
        h('div', { class: 'pair' }, roc.node, settle.node),
        groups && groups.node,
        h(
          'section',
          { class: 'view' },
          h('h2', {}, 'Each model at its cheapest threshold'),
          h(
            'p',
            { class: 'sub' },
            'Cheapest first, at your situation.',
            h('span', { class: 'by-hand' }, ` Open a model to see what happens to 1000 ${summary.words.cases}.`),
          ),
          table.node,
        ),
        details.node,
        h('footer', {}, `isocost ${summary.provenance.isocost} · data ${summary.provenance.fingerprint.slice(0, 12)}`),
      ),
    ),
    app.announce.node,
  );
  for (const child of [...root.children]) if (child.tagName !== 'SCRIPT') child.remove();
  root.append(page);
  const seen = whenSeen(groups ? [...charts, groups] : charts);
  /** Bring views that are out of sight up to date. */
  app.settle = () => {
    seen.all();
    details.settle();
  };

  function themed() {
    const dark = view.theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : view.theme === 'dark';
    view.theme = dark ? 'light' : 'dark';
    root.dataset.theme = view.theme;
    theme.setAttribute('aria-pressed', String(view.theme === 'dark'));
    app.refresh();
  }

  let silent = true;
  app.refresh = () => {
    // The charts tell of single thresholds; the answer may have a person look as well.
    const f = facts(data, app.state, decideAt(data, { ...app.state, review: null }));
    f.answer = app.state.review ? decideAt(data, app.state) : f.decision;
    // A row a model as it is then used.
    f.rows = app.state.review ? facts(data, app.state, f.answer).rows : f.rows;
    app.facts = f;
    const recoloured = app.colour();
    if (recoloured) roc.legend();
    const spoken = deed(f.answer, app.speech).join('');
    strip.update(f);
    situation.update(f);
    limits.update();
    looks.update();
    seen.update(f, spoken);
    table.update(f);
    details.update(f, spoken);
    if (recoloured) app.paint();
    if (!silent) {
      app.announce(`${spoken} Expected cost ${price1000(f.answer)} per 1000 ${summary.words.cases}.`);
      remember();
    }
    silent = false;
  };
  app.redraw = () => {
    app.colour();
    look.show();
    for (const chart of charts) {
      // A page in a hidden frame has no width yet; it is drawn again when it gets one.
      const room = roomIn(chart.holder ?? chart.svg.parentElement);
      chart.draw(room > 100 ? room : 560);
    }
    details.draw();
    app.refresh();
    // What was drawn anew is filled in once, in sight or not.
    app.settle();
    app.paint();
  };

  let writing = null;
  /** Keep the view in the address, once a drag rests: browsers allow few changes a second. */
  function remember() {
    clearTimeout(writing);
    writing = setTimeout(() => {
      try {
        history.replaceState(null, '', `#${app.hash()}`);
      } catch {
        // A sandboxed frame has no history: the link is still built on demand.
      }
    }, REST);
  }
  app.recall();
  window.addEventListener('hashchange', () => {
    app.recall();
    silent = true;
    app.redraw();
  });
  app.redraw();
  followSize(root, page, strip.node, () => {
    silent = true;
    app.redraw();
  });
  window.addEventListener('beforeprint', app.settle);
  root.isocost = app;
  root.dataset.ready = 'true';
}

/** Draw again when the page gets another width or goes to paper; tell the style sheet how high the answer is. */
function followSize(root, page, strip, redraw) {
  let width = page.clientWidth;
  new ResizeObserver(() => {
    root.style.setProperty('--strip', `${strip.offsetHeight}px`);
    if (page.clientWidth === width) return;
    width = page.clientWidth;
    redraw();
  }).observe(page);
  root.style.setProperty('--strip', `${strip.offsetHeight}px`);
  matchMedia('print').addEventListener('change', () => {
    width = page.clientWidth;
    redraw();
  });
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
