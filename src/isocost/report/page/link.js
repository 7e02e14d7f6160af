// The view as a link, and as a call of the library.
import { QUANTITIES, isCertain, middle } from './beliefs.js';
import { whyNoLimits } from './limiting.js';
import { SCALES } from './money.js';
import { whyNoReview } from './reviewing.js';
import { TABS } from './tabs.js';

// Limits: so many of 1000, and per cent.
const LIMITED = { cap: ['max_flagged', 1000], prec: ['min_precision', 100] };
const REVIEWS = ['cost_review', 'max_reviewed', 'reviewer_fpr', 'reviewer_tpr'];
const KEYS = { p: 'prevalence', fn: 'cost_fn', fp: 'cost_fp' };

function decodedPart(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

export function addLinks(app, root, author) {
  const { data, summary, view } = app;
  app.hash = () => {
    const { state } = app;
    const pairs = Object.entries(KEYS).map(([key, name]) => [key, [...new Set(state[name])].join('~')]);
    const parts = {
      ...Object.fromEntries(pairs),
      y: view.y,
      drag: view.drag,
      tab: view.tab,
      x: view.stretched ? 'odds' : 'pcf',
      a: view.a,
      b: view.b,
    };
    if (state.belief) parts.belief = 1;
    for (const [key, [kind, factor]] of Object.entries(LIMITED)) {
      if ((state.limits?.[kind] ?? null) !== null) parts[key] = Number((state.limits[kind] * factor).toPrecision(12));
    }
    // Nothing after the sign: nobody looks, whatever the author had.
    if (!state.review && author.review) parts.rev = '';
    if (state.review) parts.rev = REVIEWS.map((name) => state.review[name] ?? '').join('~');
    if (view.theme !== 'auto') parts.theme = view.theme;
    return Object.entries(parts)
      .map(([k, v]) => `${k}=${encodeURIComponent(v)}`)
      .join('&');
  };
  app.link = () => `${location.href.split('#')[0]}#${app.hash()}`;

  /** Take the view from the address, as far as it makes sense. */
  app.recall = () => {
    const given = new Map(
      location.hash
        .slice(1)
        .split('&')
        .map((part) => part.split('=').map(decodedPart)),
    );
    const number = (text, ok) => {
      const value = Number(text);
      return text && !Number.isNaN(value) && ok(value) ? value : null;
    };
    const pair = (key, ok) => {
      const ends = (given.get(key) ?? '').split('~').map((text) => number(text, ok));
      const [low, high = low] = ends;
      return ends.length <= 2 && low !== null && high !== null && low <= high ? [low, high] : null;
    };
    const next = {
      prevalence: pair('p', (v) => v > 0 && v < 1),
      cost_fn: pair('fn', (v) => v > author.cost_tp[1] && v >= 0 && v < Infinity),
      cost_fp: pair('fp', (v) => v > author.cost_tn[1] && v >= 0 && v < Infinity),
    };
    if (Object.values(next).every((v) => v !== null)) {
      app.typed = {};
      // Older links have by which factors the cost ratio may be lower and higher.
      const [below, above] = ['below', 'above'].map(
        (key) => number(given.get(key), (v) => v >= 1 && v < Infinity) ?? 1,
      );
      const tp = middle(author.cost_tp);
      const [low, high] = next.cost_fn;
      next.cost_fn = [tp + (low - tp) / below, tp + (high - tp) * above];
      const same = QUANTITIES.every((name) => !(name in next) || next[name].every((v, i) => v === author[name][i]));
      const kept = same && Boolean(given.get('belief')) === Boolean(author.belief);
      app.state = kept ? { ...author } : { ...author, ...next, belief: null, author: false };
    }
    const limits = Object.entries(LIMITED).flatMap(([key, [kind, factor]]) => {
      const value = number(given.get(key), (v) => v >= 0 && v <= factor);
      return value === null ? [] : [[kind, value / factor]];
    });
    if (limits.length && !whyNoLimits(data)) {
      app.state = { ...app.state, author: false, review: null, limits: Object.fromEntries(limits) };
    }
    const [price, most, fpr, tpr] = (given.get('rev') ?? '').split('~');
    const part = (text) => number(text, (v) => v >= 0 && v <= 1);
    const terms = [number(price, (v) => v >= 0 && v < Infinity), part(fpr), part(tpr)];
    app.state.review = given.has('rev') || app.state.limits ? null : author.review;
    if (terms.every((v) => v !== null) && (!most || part(most) !== null) && !whyNoReview(data, app.state)) {
      const [cost_review, reviewer_fpr, reviewer_tpr] = terms;
      app.state.review = { cost_review, max_reviewed: part(most), reviewer_fpr, reviewer_tpr };
    }
    if (TABS.some(([key]) => key === given.get('tab'))) view.tab = given.get('tab');
    if (SCALES.includes(given.get('y'))) view.y = given.get('y');
    if (given.has('x')) view.stretched = given.get('x') === 'odds';
    if (['costs', 'prevalence'].includes(given.get('drag'))) view.drag = given.get('drag');
    for (const key of ['a', 'b']) {
      view[key] = number(given.get(key), (v) => Number.isInteger(v) && v >= 0 && v < data.models.length) ?? view[key];
    }
    if (['light', 'dark'].includes(given.get('theme'))) root.dataset.theme = view.theme = given.get('theme');
  };

  /** The report of this view, as Python. */
  app.call = () => {
    const { state } = app;
    const lines = ['import isocost as ic'];
    if (state.belief) lines.push(`# over: ${state.belief.text.replace(/\s+/g, ' ')}`);
    const costs = QUANTITIES.filter((name) => !['cost_tp', 'cost_tn'].includes(name) || state[name].some(Boolean))
      .map((name) => {
        const [low, high] = state[name];
        return `${name}=${low === high ? low : `(${low}, ${high})`}`;
      })
      .join(', ');
    const made = isCertain(state) ? `ic.Condition(${costs})` : `ic.Conditions.from_costs(${costs})`;
    const over = state.belief ? 'over' : made;
    const looks = REVIEWS.filter((name) => (state.review?.[name] ?? null) !== null).map(
      (name) => `, ${name}=${state.review[name]}`,
    );
    lines.push(`comparison.report("report.html", over=${over}${looks.join('')}${summary.provenance.more})`);
    return lines.join('\n');
  };
}
