// The page: state, the views and what ties them together.
import { NOBODY, condition, facts, isBell, optimalCost, prepare, prevalenceAt, range } from './core.js';
import { digits, following, grade, holds, price, ratio, rule, sure, warnings } from './words.js';
import { h, say, toolbar } from './dom.js';
import { conditionBar } from './bar.js';
import { TABS, costView, pcfAxis } from './cost.js';
import { rocView } from './roc.js';
import { differenceView, winnersView } from './strips.js';
import { tableView } from './table.js';
import { detailsView } from './details.js';
import { copyText, exportMenu } from './export.js';

const FINEST = 1e-5;
const NAMED = 5;
const logit = (z) => Math.log(z / (1 - z));
const clamp = (z) => Math.min(Math.max(z, FINEST), 1 - FINEST);

function mount(root) {
  const summary = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
  const data = prepare(summary);
  const author = {
    fp: summary.condition.cost_fp, fn: summary.condition.cost_fn, p: summary.condition.prevalence, tp: summary.condition.cost_tp, tn: summary.condition.cost_tn,
    below: summary.condition.below ?? Infinity, above: summary.condition.above ?? Infinity, shape: 'flat', belief: summary.belief,
  };
  const start = facts(data, author);
  const others = start.rows.map((r) => r.model).filter((m) => m !== start.chosen.model).sort((a, b) => start.rows[a].extra - start.rows[b].extra);
  const first = start.chosen.model >= 0 ? start.chosen.model : others[0];
  const view = { tab: 'best', stretched: start.pcf < 0.03 || start.pcf > 0.97, drag: 'costs', ends: summary.condition.below !== summary.condition.above, a: first, b: others.find((m) => m !== first) ?? first, theme: 'auto' };
  const app = { summary, data, view, state: { ...author }, authorPcf: start.pcf, facts: start, thin: thinRanges(data.points), hull: hullOf(data) };
  app.axis = pcfAxis(app);
  app.axis.reach = Math.max(Math.log(1e4), Math.abs(logit(clamp(start.pcf))) + 0.7);
  app.band = (m) => ({ pcf: data.replicates.grid, ...summary.bands[m] });
  app.costAt = (m, z) => optimalCost(data.models[m], 1 - z);
  const saved = JSON.stringify(view);

  // How each model is drawn: up to six keep their looks, of more the five cheapest here have colours.
  const slots = new Map(data.models.map((_, m) => [m, m]));
  let looks = [];
  function colour() {
    if (data.models.length <= NAMED + 1) {
      looks = data.models.map((_, m) => ({ model: m, named: true, slot: m, colour: m < NAMED ? `--m${m}` : '--grey' }));
      return false;
    }
    const best = new Set([...app.facts.rows].sort((a, b) => a.extra - b.extra).slice(0, NAMED).map((r) => r.model));
    const before = looks.map((look) => look.slot).join();
    for (const [m, slot] of slots) if (!best.has(m) || slot >= NAMED) slots.set(m, null);
    const free = [0, 1, 2, 3, 4].filter((slot) => ![...slots.values()].includes(slot));
    for (const m of best) if (slots.get(m) === null) slots.set(m, free.shift());
    looks = data.models.map((_, m) => ({ model: m, named: best.has(m), slot: best.has(m) ? slots.get(m) : 'rest', colour: best.has(m) ? `--m${slots.get(m)}` : '--grey' }));
    return looks.map((look) => look.slot).join() !== before;
  }
  app.looks = () => looks;
  app.paint = () => {
    for (const node of root.querySelectorAll('[data-model]')) {
      const look = looks[Number(node.dataset.model)];
      if (look) node.setAttribute('data-slot', look.slot);
    }
  };

  app.announce = announcer();
  app.change = (change) => {
    Object.assign(app.state, { belief: null }, author.belief && app.state.belief ? { below: 1, above: 1 } : {}, change);
    app.refresh();
  };
  app.moveTo = (pcf) => {
    const z = clamp(pcf);
    const { state } = app;
    const unsure = !state.belief && (state.below > 1 || state.above > 1);
    if (!unsure) return app.change(towards(z));
    // The spread stays; its middle goes where the mean cost is that at z.
    const { sigma } = range(state);
    if (sigma) return app.change(towards(clamp(1 / (1 + Math.exp((sigma * sigma) / 2 - logit(z))))));
    let [low, high] = [-30, 30];
    for (let i = 0; i < 60; i++) {
      const centre = (low + high) / 2;
      if (range({ ...state, fp: 1, fn: Math.exp(centre), p: 0.5, tp: 0, tn: 0 }).centre < z) low = centre;
      else high = centre;
    }
    return app.change(towards(clamp(1 / (1 + Math.exp(-low)))));
  };
  app.nudge = (step) => app.moveTo(Number.isFinite(step) ? 1 / (1 + Math.exp(-(logit(app.facts.pcf) + step))) : step < 0 ? 1e-4 : 1 - 1e-4);
  app.moveEnd = (end, z) => {
    const odds = logit(condition(app.state).pcf);
    const gap = Math.exp(Math.abs(logit(clamp(z)) - odds));
    if (app.state.shape === 'bell') app.change({ below: gap, above: gap });
    else if (end === 'low') app.change({ below: logit(clamp(z)) < odds ? gap : 1 });
    else app.change({ above: logit(clamp(z)) > odds ? gap : 1 });
  };
  app.nudgeEnd = (end, step) => {
    const now = app.facts.span[end];
    app.moveEnd(end, Number.isFinite(step) ? 1 / (1 + Math.exp(-(logit(clamp(now)) + step))) : step < 0 ? 1e-4 : 1 - 1e-4);
  };
  app.brush = (from, to) => {
    const [low, high] = [logit(clamp(Math.min(from, to))), logit(clamp(Math.max(from, to)))];
    const factor = Math.exp((high - low) / 2);
    view.ends = true;
    const centre = 1 / (1 + Math.exp(-(low + high) / 2));
    app.change({ ...towards(centre), below: factor < 1.02 ? 1 : factor, above: factor < 1.02 ? 1 : factor, shape: 'flat' });
  };
  /** How unsure the costs are: 'certain', 'factor', 'range', 'bell' or 'belief'. */
  app.doubt = () => {
    const { belief, below, above, shape } = app.state;
    if (belief) return 'belief';
    if (below <= 1 && above <= 1) return 'certain';
    return shape === 'bell' ? 'bell' : view.ends || below !== above ? 'range' : 'factor';
  };
  app.setDoubt = (kind) => {
    if (kind === 'belief') {
      app.state = { ...author };
      return app.refresh();
    }
    const { below, above } = app.state;
    const factor = kind === 'certain' ? 1 : below * above > 1 && below * above < Infinity && !app.state.belief ? Math.sqrt(below * above) : 2;
    view.ends = kind === 'range';
    return app.change(kind === 'range' && below > 1 && above > 1 && !app.state.belief ? { below, above, shape: 'flat' } : { below: factor, above: factor, shape: kind === 'bell' ? 'bell' : 'flat' });
  };
  /** The cost ratio lies between two numbers; the ratio itself stays if it can. */
  app.between = (low, high) => {
    const { state } = app;
    const now = (state.fn - state.tp) / (state.fp - state.tn);
    const centre = now >= low && now <= high ? now : Math.sqrt(low * high);
    app.change({ fn: centre * (state.fp - state.tn) + state.tp, below: centre / low, above: high / centre, shape: 'flat' });
  };
  function towards(z) {
    const { fp, fn, p, tp, tn } = app.state;
    if (view.drag === 'prevalence') return { p: prevalenceAt(1 - z, fp - tn, fn - tp) };
    return { fn: tp + ((z / (1 - z)) * (fp - tn) * (1 - p)) / p };
  }
  app.look = (change) => {
    Object.assign(view, change);
    app.redraw();
  };
  app.reset = () => {
    app.state = { ...author };
    Object.assign(view, JSON.parse(saved));
    app.redraw();
  };
  app.copied = async (text, said) => app.announce((await copyText(text)) ? said : 'The browser does not let this page copy.', true);
  app.call = () => {
    const { state } = app;
    const costs = `cost_fp=${state.fp}, cost_fn=${state.fn}, prevalence=${state.p}${state.tp ? `, cost_tp=${state.tp}` : ''}${state.tn ? `, cost_tn=${state.tn}` : ''}`;
    const { span, unsure } = app.facts;
    const { provenance } = summary;
    const gap = (v, least) => (least ? `${v} - ${least}` : v);
    const beliefs = `cost_fp=${gap(state.fp, state.tn)}, cost_fn=lognorm(${span.sigma}, scale=${gap(state.fn, state.tp)}), prevalence=${state.p}`;
    const over = state.belief ? ', over=over' : !unsure ? '' : isBell(state) ? `, over=ic.Conditions.from_beliefs(${beliefs})` : `, over=ic.Conditions.uniform(pcf=(${span.low}, ${span.high}))`;
    const lines = ['import isocost as ic', isBell(state) ? 'from scipy.stats import lognorm' : null, state.belief ? `# over: ${state.belief.text.replace(/\s+/g, ' ')}` : null];
    return [...lines.filter(Boolean), `comparison.report("report.html", condition=ic.Condition(${costs})${over}${provenance.more})`].join('\n');
  };

  const views = [rocView(app), costView(app), winnersView(app), ...(data.models.length > 1 ? [differenceView(app)] : [])];
  const [roc, cost, ...strips] = views;
  const table = tableView(app);
  const bar = conditionBar(app);
  const details = detailsView(app);
  const card = decisionCard(app);
  const theme = h('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false', onclick: () => themed() }, 'Light / dark');
  const { n, positives } = summary.data;
  const about = [n === null ? null : `${digits(n, 15)} test cases`, positives === null ? null : `${digits(positives, 15)} positive`, `${data.models.length} model${data.models.length > 1 ? 's' : ''}`, data.replicates ? `${data.replicates.n} paired resamples` : 'no resamples, so no intervals'].filter(Boolean).join(' · ');
  const columns = [h('div', { class: 'column' }, roc.node, reading()), h('div', { class: 'column' }, cost.node, ...strips.map((strip) => strip.node))];
  const page = h('main', { class: 'page' },
    h('header', {}, h('div', {}, h('h1', {}, summary.title), h('p', { class: 'about' }, about)), toolbar({ class: 'actions', 'aria-label': 'Page' }, exportMenu(app, [...views, ...details.panels], table), theme)),
    card.node, bar.node,
    h('section', { 'aria-label': 'Evidence' }, h('h2', {}, 'Evidence'), h('div', { class: 'evidence' }, columns)),
    h('section', { 'aria-label': 'Thresholds at this condition' }, h('h2', {}, 'Thresholds at this condition'), h('p', { class: 'hint thresholds-hint' }, 'The cheapest threshold of each model here. Open a row for what happens to 1000 cases.'), table.node),
    details.node,
    h('footer', {}, `isocost ${summary.provenance.isocost} · data ${summary.provenance.fingerprint.slice(0, 12)}`),
    app.announce.node);
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
    const f = facts(data, app.state);
    app.facts = f;
    const recoloured = colour();
    if (recoloured) roc.legend();
    const spoken = `PCF(+) ${digits(f.pcf)}, a miss costs ${ratio(app.state)} false alarms. ${rule(f.chosen)}`;
    for (const each of views) each.update(f, spoken);
    table.update(f);
    bar.update(f);
    card.update(f);
    details.update(f);
    if (recoloured) app.paint();
    if (!silent) {
      app.announce(`${rule(f.chosen)} ${price(f, summary.unit)}`);
      remember();
    }
    silent = false;
  };
  app.redraw = () => {
    colour();
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
      history.replaceState(null, '', `#${hash()}`);
    } catch {
      // A sandboxed frame has no history: the link is still built on demand.
    }
  }
  function hash() {
    const { state } = app;
    const parts = { p: state.p, fn: state.fn, fp: state.fp, below: state.below, above: state.above, shape: state.shape, ends: view.ends ? 1 : 0, drag: view.drag, tab: view.tab, x: view.stretched ? 'odds' : 'pcf', a: view.a, b: view.b };
    if (state.belief) parts.belief = 1;
    if (view.theme !== 'auto') parts.theme = view.theme;
    return Object.entries(parts).map(([k, v]) => `${k}=${encodeURIComponent(v)}`).join('&');
  }
  app.link = () => `${location.href.split('#')[0]}#${hash()}`;
  function recall() {
    const given = new Map(location.hash.slice(1).split('&').map((part) => part.split('=').map(decodeURIComponent)));
    const number = (key, ok) => {
      const value = Number(given.get(key));
      return given.has(key) && given.get(key) !== '' && !Number.isNaN(value) && ok(value) ? value : null;
    };
    const next = { p: number('p', (v) => v > 0 && v < 1), fn: number('fn', (v) => v > author.tp && v < Infinity), fp: number('fp', (v) => v > author.tn && v < Infinity), below: number('below', (v) => v >= 1), above: number('above', (v) => v >= 1) };
    if (Object.values(next).every((v) => v !== null)) app.state = { ...author, ...next, shape: given.get('shape') === 'bell' ? 'bell' : 'flat', belief: given.get('belief') ? author.belief : null };
    if (given.has('ends')) view.ends = given.get('ends') === '1';
    if (TABS.some(([key]) => key === given.get('tab'))) view.tab = given.get('tab');
    if (given.has('x')) view.stretched = given.get('x') === 'odds';
    if (['costs', 'prevalence'].includes(given.get('drag'))) view.drag = given.get('drag');
    for (const key of ['a', 'b']) view[key] = number(key, (v) => Number.isInteger(v) && v >= 0 && v < data.models.length) ?? view[key];
    if (['light', 'dark'].includes(given.get('theme'))) root.dataset.theme = view.theme = given.get('theme');
  }
  recall();
  window.addEventListener('hashchange', () => {
    recall();
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

function decisionCard(app) {
  const parts = { rule: h('p', { class: 'rule' }), badge: h('span', { class: 'badge' }), price: h('p', { class: 'price' }), sure: h('p', { class: 'sure' }), holds: h('p', { class: 'holds' }), following: h('p', { class: 'holds' }), warnings: h('ul', { class: 'warnings' }) };
  const node = h('section', { class: 'decision', 'aria-label': 'Decision' }, h('h2', { class: 'hidden' }, 'Decision'), h('div', { class: 'headline' }, parts.rule, parts.badge), parts.price, parts.sure, parts.following, parts.holds, parts.warnings);
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

function reading() {
  const steps = [
    ['Left', 'every threshold of a model is a point: up is more positives caught, right is more false alarms. The dashed line joins points that cost the same now; the cheapest point is where it touches.'],
    ['Right', 'every condition is a place on the x axis: far left only false alarms matter, far right only misses. The lowest curve at the vertical line is the model to use.'],
  ];
  return h('div', { class: 'reading' }, h('h3', {}, 'How to read this'), steps.map(([where, text]) => h('p', {}, h('b', {}, `${where}: `), text)));
}

function announcer() {
  const node = h('p', { class: 'hidden', role: 'status', 'aria-live': 'polite' });
  let waiting = null;
  const announce = (text, now = false) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => say(node, text), now ? 0 : 300);
  };
  announce.node = node;
  return announce;
}

/** Where the optimum rests on fewer than five cases of a class; the trivial ends beside such a point belong to it. */
function thinRanges(points) {
  const thin = points.map((point, i) => point.thin || (point.model < 0 && [points[i - 1], points[i + 1]].some((other) => other && other.thin)));
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
function hullOf(data) {
  return data.points.map((point) => {
    if (point.model < 0) return { ...point, x: point.model === NOBODY ? 0 : 1, y: point.model === NOBODY ? 0 : 1 };
    const model = data.models[point.model];
    return { ...point, x: model.fpr[point.vertex], y: model.tpr[point.vertex] };
  });
}

for (const root of document.querySelectorAll('.isocost:not([data-ready])')) mount(root);
