// The page: its state, the views and what ties them together.
import { answerView } from './answer.js';
import { decideAt, leastCostAt, prepare, surable } from './core.js';
import { changed, h, onArrows, say, set, shortened, textWidth, unique } from './dom.js';
import { copyText, download, menu, pageText, savers } from './export.js';
import { expertsView } from './experts.js';
import { count, started } from './numbers.js';
import { tightened } from './limits.js';
import { billOf, marksPicture, sizeOf } from './marks.js';
import { questionView, ratioSpan, shareSpan } from './question.js';
import { Speaker } from './say.js';
import { sheetView } from './sheet.js';
import { ALWAYS_NEGATIVE, ALWAYS_POSITIVE, questionOf } from './rules.js';
import { commandOf, linkOf, linkedState, logit, middle, openedState, pythonOf, questionAt, sqlOf } from './state.js';
import { stretchesOf, stripesOf } from './map_shading.js';
import { sureView } from './sure.js';
import { csvOf, tableView } from './table.js';
import { mapRows, whenView } from './when.js';

// Milliseconds without a move after which a drag rests.
const REST = 300;
// As many models have a colour and a dash of their own; others are grey.
const COLOURS = 5;
const TONES = ['bg', 'card', 'ink', 'muted', 'line', 'edge', 'grey', 'shade', 'focus', 'warn', 'gain', 'loss'];
const OUTCOMES = ['caught', 'missed', 'alarm', 'left', 'review'];

function inkOf(node) {
  const style = getComputedStyle(node);
  const names = [...TONES, ...OUTCOMES, ...Array.from({ length: COLOURS }, (_, i) => `m${i}`)];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

/** The rates of the rule in use, if there is one. */
function todayRates(data, today) {
  if (!today) return null;
  const m = data.names.indexOf(today.model);
  const i = m < 0 ? (today.model === ALWAYS_NEGATIVE ? 0 : 1) : data.rules.rowAt(m, today.threshold);
  return { rule: 'score', fpr: data.rules.fpr[i], tpr: data.rules.tpr[i], threshold: today.threshold };
}

/** What the page knows from the data alone, and from its state. */
function opened(root) {
  const summary = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
  const data = prepare(summary);
  const author = openedState(summary);
  const speaker = new Speaker(summary.sentences);
  const names = data.names;
  const { words } = summary.decision.question;
  const dashes = (root.dataset.dashes ?? '').split(';');
  const app = { summary, data, author, state: author, words, names, root, speaker, facts: {} };
  app.view = { tab: 'when', theme: 'auto' };
  app.base = summary.data.positives && summary.data.n ? summary.data.positives / summary.data.n : middle(author.share);
  app.hulls = names.map((_, m) => {
    const rows = data.rules.hull(data.rules.path(m));
    return { fpr: rows.map((i) => data.rules.fpr[i]), tpr: rows.map((i) => data.rules.tpr[i]) };
  });
  app.unit = () => (app.state.money === null ? '' : summary.unit);
  app.coloured = () => colouredModels(app);
  app.colour = (ink, m) => (m >= 0 && app.coloured().includes(m) ? (ink[`m${app.coloured().indexOf(m)}`] ?? ink.grey) : ink.grey);
  app.colourOf = (name) => app.colour(app.ink, names.indexOf(name));
  app.dash = (m) => dashes[app.coloured().indexOf(m)] ?? '';
  app.choice = (m) => (m >= 0 ? names[m] : `${words.flag} ${m === -2 ? 'nobody' : 'all'}`);
  // A name that is too wide gives way to a short one, in which what all names share is left out.
  app.label = (name, size, width) => {
    const m = textWidth(name, size, 650) > width ? names.indexOf(name) : -1;
    return shortened(m >= 0 ? summary.models[m].short : name, size, 650, width);
  };
  app.nameOf = ({ model }) => (names.includes(model) ? model : `${words.flagging} ${model === ALWAYS_NEGATIVE ? 'nobody' : 'everybody'}`);
  // The names of models begin a sentence as they are.
  app.begun = (m) => (m >= 0 ? names[m] : started(app.nameOf({ model: m === -2 ? ALWAYS_NEGATIVE : ALWAYS_POSITIVE })));
  app.keptAt = (limits, prevalence) => {
    const { sure } = app.questionAt(app.state);
    const held = sure === null ? null : tightened(limits, sure, data.sizes, names.length);
    return data.rules.kept({ limits: held ?? limits, prevalence });
  };
  // Limits are tightened only where the library would do so.
  app.surable = (asked) => Object.keys(asked.limits).length > 0 && surable(data, questionOf({ ...asked, sure: null }));
  app.questionAt = (state) => {
    const asked = questionAt(summary, author, state);
    return { ...asked, sure: app.surable(asked) ? state.sure : null };
  };
  app.answerAt = (state, quick = false) => decidedAt(app, state, quick);
  // Measured once per size of the window: to ask again at every frame would force a layout.
  app.widths = new Map();
  app.widthOf = (node, usual) => {
    if (!app.widths.has(node) && node.clientWidth > 60) app.widths.set(node, node.clientWidth);
    return app.widths.get(node) ?? usual;
  };
  return app;
}

/** Up to six models have the colours of their order; of more, those that win somewhere come first. */
function colouredModels(app) {
  if (app.held) return app.held;
  const all = app.names.map((_, m) => m);
  if (all.length <= COLOURS) app.held = all;
  else {
    const kept = app.keptAt({}, app.base);
    const winners = [...new Set(stretchesOf(app.data.rules, kept, [-12, 12]).map(({ model }) => model))].filter((m) => m >= 0);
    app.held = [...winners, ...all.filter((m) => !winners.includes(m))].slice(0, COLOURS).sort((a, b) => a - b);
  }
  return app.held;
}

/** The decision at a state, with fewer draws if it has to be quick; none where no rule keeps the limits. */
function decidedAt(app, state, quick = false) {
  const asked = app.questionAt(state);
  return { asked, answer: decideAt(app.data, asked, quick) };
}

const FIGURES = ['cost', 'today', 'stake'];

/** Everything that is shown at a state: the decision and its sentences. */
function factsAt(app, quick) {
  const { state, speaker } = app;
  const { asked, answer } = decidedAt(app, state, quick);
  const limits = Object.entries(state.limits).map(([kind, value]) => ({ kind, value }));
  const question = answer?.question ?? { words: asked.words, limits, costs_given: state.ratio !== null };
  let limitsCost = null;
  if (answer && limits.length && state.ratio && answer.expected_cost !== null) {
    limitsCost = Math.max(answer.expected_cost - leastCostAt(app.data, app.questionAt({ ...state, limits: {} })), 0);
  }
  const todayAt = todayRates(app.data, state.today);
  const broken = answer?.confidence?.broken ?? null;
  const data = {
    ...(answer ?? { impossible: true }),
    question,
    models: app.names.length,
    no_model: answer?.alternatives.find(({ model }) => !app.names.includes(model)) ?? null,
    in_use: state.today,
    holds: broken === null ? null : 1 - broken,
    limits_cost: limitsCost,
  };
  const stated = speaker.say('state', data);
  return {
    asked,
    answer,
    state: stated,
    limitsCost,
    today: todayAt,
    todayText: state.today ? speaker.say('short_use', { ...data, ...state.today }) : '',
    text: answer ? answer.says.headline : speaker.say('impossible', data),
    figures: FIGURES.map((name) =>
      ['title', 'value', 'small', 'below'].map((part) => speaker.say(`${name}_${part}`, { ...data, state: stated })),
    ),
    warnings: answer ? [answer.says.cautions, ...answer.warnings].filter(Boolean) : [],
  };
}

function announcer() {
  const live = h('div', { class: 'hidden', 'aria-live': 'polite' });
  const toast = h('div', { class: 'toast', role: 'status', hidden: true });
  let [spoken, gone] = [null, null];
  const announce = (text, loud = false) => {
    clearTimeout(loud ? gone : spoken);
    if (!loud) spoken = setTimeout(() => say(live, text), REST);
    else {
      say(toast, text);
      toast.hidden = false;
      gone = setTimeout(() => (toast.hidden = true), 2200);
    }
  };
  return { announce, nodes: [live, toast] };
}

/** The line about the data, and what is folded behind it. */
function dataLine({ summary, words, names }) {
  const { n, positives, notes = [], file, label } = summary.data;
  const facts = [
    n === null ? null : `${count(n)} ${words.cases}${positives === null ? '' : `, ${count(positives)} of them ${words.positives}`}`,
    `${names.length} ${names.length > 1 ? 'models' : 'model'}`,
  ].filter(Boolean);
  const confidence = summary.decision.confidence;
  const more = [
    file ? `File: ${file}${label ? ` · label column: ${label}` : ''}` : null,
    `Scores: ${names.join(', ')}`,
    confidence?.n_resamples
      ? `How sure: ${confidence.n_resamples} resamples of the test ${words.cases}, seed ${confidence.seed ?? 0}`
      : 'No resamples, so no ranges',
    ...notes,
  ].filter(Boolean);
  const id = unique('data');
  const lines = more.map((text) => h('span', {}, text));
  const panel = h('div', { id, class: 'wrap data', hidden: true }, h('div', {}, lines));
  const button = h('button', { type: 'button', class: 'link', 'aria-expanded': 'false', 'aria-controls': id }, 'Data');
  button.addEventListener('click', () => {
    panel.hidden = !panel.hidden;
    set(button, { 'aria-expanded': String(!panel.hidden) });
  });
  return { node: h('span', { class: 'facts' }, h('span', {}, `${facts.join(' · ')} ·`), button), panel };
}

/** The three tabs; only the open one is drawn. */
function tabsView(app, groups) {
  const tabs = [
    ['when', app.names.length > 1 ? 'Which model when' : 'What it costs', whenView(app)],
    ['sure', 'How sure', sureView(app)],
    ['all', app.names.length > 1 ? 'All models' : 'The model', tableView(app, groups)],
  ].map(([key, label, view]) => {
    const ids = [unique('tab'), unique('panel')];
    const button = h('button', { type: 'button', role: 'tab', id: ids[0], 'aria-controls': ids[1], 'data-tab': key }, label);
    button.addEventListener('click', () => app.look({ tab: key }));
    const panel = h('div', { class: `panel ${key}`, id: ids[1], role: 'tabpanel', 'aria-labelledby': ids[0] }, view.node);
    return { key, button, panel, view };
  });
  const [buttons, panels] = [tabs.map(({ button }) => button), tabs.map(({ panel }) => panel)];
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'More' }, buttons);
  onArrows(list, buttons);
  return {
    node: h('section', { class: 'more-tabs', 'aria-label': 'More' }, list, panels),
    pictures: tabs.flatMap(({ key, view }) => view.pictures.map(([name, title, found]) => [name, title, found, key])),
    update(f, every = false) {
      for (const { key, button, panel, view } of tabs) {
        const on = key === app.view.tab;
        set(button, { 'aria-selected': String(on), tabindex: on ? 0 : -1 });
        panel.hidden = !on;
        if (on || every) view.update(f);
      }
    },
  };
}

function marksView(app) {
  const { words } = app;
  const [title, about] = [h('span'), h('span', { class: 'quiet' })];
  const [holder, note] = [h('div', { class: 'picture marks' }), h('p', { class: 'quiet note' })];
  return {
    node: h('section', { class: 'outcome-view', 'aria-label': 'Today and proposed' }, h('h2', {}, title, about), holder, note),
    pictures: [['marks', 'What happens', () => holder.firstChild]],
    update(f) {
      const p = middle(app.state.share);
      const n = count(sizeOf(p));
      const decided = f.answer && f.state !== 'ask' ? f.answer : null;
      const today = f.today ?? (decided ? null : { rule: 'score', fpr: 0, tpr: 0, threshold: Infinity });
      const width = Math.max(280, app.widthOf(holder, 700));
      const made = marksPicture({ ink: app.ink, answer: decided, today, p, words, unit: app.unit(), speaker: app.speaker, width });
      holder.replaceChildren(made.node);
      const shaded = decided && f.today ? '; shaded: changes from today' : '';
      const all = `What happens ${f.today ? 'today ' : ''}to ${n} ${words.cases}${f.today ? '' : ` if nobody is ${words.flagged}`}`;
      say(title, decided ? `Of ${n} ${words.cases}` : all);
      say(about, decided ? ` · one mark each${shaded}` : '');
      say(note, decided ? made.note : '');
    },
  };
}

const COLUMNS_ONLY = 'Each case has its own costs here: the command takes only what the page opened with. Copy Python instead.';

/** Copy and save: the two menus of the top line. */
function menusOf(app, pictures, redrawn) {
  const { savePng, saveSvg } = savers(app);
  const item = (label, act, name = null) => h('button', { type: 'button', 'aria-label': name, onclick: act }, label);
  const copied = (text, message, lacking = 'This rule has no score to compare with.') => {
    if (app.state.ratio === null) return app.announce('Say what a mistake costs first.', true);
    return text === null ? app.announce(lacking, true) : app.copy(text, message);
  };
  const { summary, words } = app;
  const copy = menu('Copy rule', 'copies', [
    item('As Python', () => copied(pythonOf(app.facts.asked, app.facts.asked.belief, summary), 'Python copied.')),
    item('As a command', () => copied(commandOf(app.facts.asked, summary), 'Command copied.', COLUMNS_ONLY)),
    item('As a SQL rule', () => copied(app.facts.answer ? sqlOf(app.facts.answer, words) : null, 'SQL copied.')),
    item('Link to this view', () => app.copy(app.link(), 'Link copied.')),
  ]);
  const shot =
    ([name, title, found, tab], kind) =>
    async () => {
      const before = app.view.tab;
      redrawn(tab);
      const svg = found();
      if (!svg) app.announce('There is nothing to save here yet.', true);
      else if (kind === 'PNG') await savePng(name, svg, title);
      else saveSvg(name, svg, title);
      if (tab && tab !== 'experts' && before !== app.view.tab) app.look({ tab: before });
    };
  const row = (one) => {
    const kinds = ['PNG', 'SVG'].map((kind) => item(kind, shot(one, kind), `${one[0]} as ${kind}`));
    return h('div', { class: 'row' }, h('span', {}, one[1]), kinds);
  };
  const save = menu('Save', 'saves', [
    pictures.map(row),
    h('hr'),
    item('Whole page (PDF)', () => print()),
    item('Page with these numbers (HTML)', () => download('report.html', pageText(app.original, app.hash()), 'text/html')),
    item('All models (CSV)', () => download('models.csv', app.facts.answer ? csvOf(app, app.facts) : '', 'text/csv')),
    item('All data (JSON)', () => download('report.json', JSON.stringify(summary), 'application/json')),
  ]);
  return { copy, save, savePng, saveSvg };
}

/** Every way a reader changes what is asked. */
function addMoves(app) {
  app.change = (change) => {
    app.state = { ...app.state, ...change };
    app.refresh();
  };
  app.reset = () => {
    app.state = app.author;
    app.refresh();
  };
  /** One number becomes a range around it, a range its middle. */
  app.split = () => {
    const { ratio, range: ranged } = app.state;
    const [r, [low, high]] = [middle(ratio), ratioSpan(ratio)];
    const ends = [r / 1.5, r * 1.5].map((v) => Math.min(Math.max(low, Number(v.toPrecision(2))), high));
    app.change({ ratio: ranged ? [r, r] : ends, range: !ranged });
  };
  app.look = (change) => {
    Object.assign(app.view, change);
    app.refresh();
  };
  app.hash = () => linkOf(app.state, app.view, app.names);
  app.link = () => `${location.href.split('#')[0]}#${app.hash()}`;
  app.recall = (text) => {
    if (text) app.state = linkedState(text, app.author, app.view, app.names);
    if (app.view.theme !== 'auto') app.root.dataset.theme = app.view.theme;
  };
  app.copy = async (text, message) => app.announce((await copyText(text)) ? message : 'The browser does not let this page copy.', true);
}

/** Who is cheapest where, shared by the slider, the map and the summary. */
function addStripes(app) {
  const stripes = stripesOf(app, () => app.refresh());
  let drawn = null;
  const span = () => {
    const [ratios, shares] = [ratioSpan(app.state.ratio), shareSpan(app.base, app.state.share)];
    return [Math.log(ratios[0]) + logit(shares[0]), Math.log(ratios[1]) + logit(shares[1])];
  };
  const moves = () => 'max_flagged' in app.state.limits || 'min_precision' in app.state.limits;
  app.stripes = () => {
    if (!moves()) return stripes.at(app.state, span());
    const { limits } = app.state;
    const shares = shareSpan(app.base, app.state.share);
    const key = JSON.stringify([limits, app.state.sure, shares, span()]);
    if (key !== drawn?.key) {
      drawn = { key, rows: mapRows(shares, (p, below) => stretchesOf(app.data.rules, app.keptAt(limits, p), span(), below)) };
    }
    return drawn;
  };
  let painted = {};
  app.painted = () => {
    const shift = logit(middle(app.state.share));
    const [low, high] = ratioSpan(app.state.ratio);
    const all = stripes.at(app.state, span());
    if (!changed(painted, all, shift, low, high)) return painted;
    const { stretches, open, priced } = all;
    const cut = (from, to) => [Math.max(low, Math.exp(from - shift)), Math.min(high, Math.exp(to - shift))];
    const parts = [];
    for (const { model, from: start, to: end } of stretches) {
      const [from, to] = cut(start, end);
      if (to <= from * 1.0001) continue;
      if (parts.at(-1)?.model === model) parts.at(-1).to = to;
      else parts.push({ model, from, to });
    }
    return (painted = {
      on: painted.on,
      parts,
      priced: priced.map(({ u, prices }) => [Math.exp(u - shift), prices]),
      open: open.map((pair) => cut(...pair)).filter(([from, to]) => to > from),
    });
  };
  app.striped = () => !stripes.busy;
  app.bill = () => billOf(app.facts.answer);
}

/** What knowing the cost, or the share, exactly would be worth per case; null where it is one number. */
function addWorth(app) {
  app.worthAt = () => {
    const { state } = app;
    const certain = (pair) => [middle(pair), middle(pair)];
    const regret = (change) => app.answerAt({ ...state, ...change, today: null }).answer?.uncertain?.mean_regret ?? null;
    return {
      cost: state.ratio[0] === state.ratio[1] ? null : regret({ share: certain(state.share) }),
      share: state.share[0] === state.share[1] ? null : regret({ ratio: certain(state.ratio) }),
    };
  };
}

function mount(root) {
  const app = opened(root);
  // eslint-disable-next-line no-restricted-properties -- read, to be saved again as it is
  app.original = root.innerHTML;
  const { summary, view } = app;
  app.theme = () => `${root.dataset.theme ?? ''}${matchMedia('(prefers-color-scheme: dark)').matches}`;
  const { announce, nodes } = announcer();
  app.announce = announce;
  addMoves(app);
  addStripes(app);
  addWorth(app);
  const probe = h('div', { class: 'isocost', 'data-theme': 'light', hidden: true });
  app.lightInk = () => ({ ...inkOf(probe), bg: '#ffffff' });
  app.ink = inkOf(root);
  app.recall(root.dataset.opens ?? '');
  app.recall(location.hash.slice(1));

  const answer = answerView(app);
  const question = questionView(app);
  const marks = marksView(app);
  const tabs = tabsView(app, root.querySelector('.static .groups'));
  const experts = expertsView(app);
  const pictures = [...marks.pictures, ...tabs.pictures, ...experts.pictures.map((one) => [...one, 'experts'])];
  const { copy, save, savePng, saveSvg } = menusOf(app, pictures, (tab) => {
    if (tab === 'experts') experts.open();
    else if (tab) view.tab = tab;
    app.draw();
  });
  const sheet = sheetView(app, { savePng, saveSvg });
  const line = dataLine(app);
  const theme = h('button', { type: 'button', class: 'button theme', 'aria-label': 'Light or dark' }, '◐');
  theme.addEventListener('click', () => {
    const dark = view.theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : view.theme === 'dark';
    view.theme = root.dataset.theme = dark ? 'light' : 'dark';
    app.refresh(false);
  });
  const summaryButton = h('button', { type: 'button', class: 'button primary', onclick: () => sheet.open() }, 'One-page summary');
  const [tools, ending] = [h('span', { class: 'tools' }, summaryButton), h('div', { class: 'ending' })];
  const page = h(
    'div',
    { class: 'page' },
    answer.mini,
    h('header', { class: 'wrap top' }, h('b', { class: 'title' }, summary.title), tools),
    h(
      'main',
      { class: 'wrap' },
      answer.node,
      h('div', { class: 'pair' }, question.node, marks.node),
      tabs.node,
      experts.node,
      ending,
      h('footer', {}, `isocost ${summary.provenance.isocost} · data ${(summary.provenance.fingerprint ?? '').slice(0, 12)}`),
    ),
    sheet.node,
    probe,
    nodes,
  );
  for (const child of [...root.children]) if (child.tagName !== 'SCRIPT') child.remove();
  root.append(page);
  /** Narrow windows have what is rarely needed at the end. */
  const narrow = matchMedia('(max-width: 959px)');
  const arrange = () => {
    (narrow.matches ? ending : tools).append(copy, save, theme);
    if (narrow.matches) ending.prepend(line.node, line.panel);
    else {
      tools.before(line.node);
      tools.parentNode.after(line.panel);
    }
  };
  narrow.addEventListener('change', arrange);
  arrange();

  let [silent, waiting, writing, resting] = [true, false, null, null];
  app.draw = (every = false, quick = false) => {
    if (app.inked !== app.theme()) [app.ink, app.inked] = [inkOf(root), app.theme()];
    const f = factsAt(app, quick);
    app.facts = f;
    document.body.dataset.state = f.state;
    answer.update(f);
    question.update(f);
    marks.update(f);
    tabs.update(f, every);
    experts.update(f);
    if (!silent) {
      app.announce(f.text);
      remember();
    }
    silent = false;
  };
  /** Draw once per frame, however often something changes; `quick` where what is asked may change again at once. */
  app.refresh = (quick = true) => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      // While something is dragged, the first draws do; once it rests, all.
      app.draw(false, quick && app.data.draws?.sets > 1);
      clearTimeout(resting);
      resting = setTimeout(() => {
        resting = null;
        app.draw();
      }, REST / 2);
    });
  };
  /** Whether everything is drawn and nothing is left to be worked out. */
  app.idle = () => app.striped() && !waiting && resting === null;
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
  app.draw();
  window.addEventListener('hashchange', ({ newURL }) => {
    // What waits to be written to the address would be the state before.
    clearTimeout(writing);
    app.recall(new URL(newURL).hash.slice(1));
    remember();
    silent = true;
    app.draw();
  });
  let width = page.clientWidth;
  new ResizeObserver(() => {
    if (page.clientWidth === width) return;
    width = page.clientWidth;
    silent = true;
    app.widths.clear();
    app.refresh(false);
  }).observe(page);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => app.refresh(false));
  window.addEventListener('beforeprint', () => {
    app.widths.clear();
    for (const panel of root.querySelectorAll('.panel')) panel.hidden = false;
    app.draw(true);
    for (const panel of root.querySelectorAll('.panel')) panel.hidden = false;
  });
  window.addEventListener('afterprint', () => {
    app.widths.clear();
    app.refresh(false);
  });
  root.isocost = app;
  root.dataset.ready = 'true';
}

for (const root of document.querySelectorAll('.isocost:not([data-ready])')) mount(root);
