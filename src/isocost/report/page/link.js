// The view as a link, and as a call of the library.
import { isBell } from './beliefs.js';
import { TABS } from './tabs.js';

export function addLinks(app, root, author) {
  const { data, summary, view } = app;
  app.hash = () => {
    const { state } = app;
    const parts = {
      p: state.p,
      fn: state.fn,
      fp: state.fp,
      below: state.below,
      above: state.above,
      shape: state.shape,
      ends: view.ends ? 1 : 0,
      drag: view.drag,
      tab: view.tab,
      x: view.stretched ? 'odds' : 'pcf',
      a: view.a,
      b: view.b,
    };
    if (state.belief) parts.belief = 1;
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
        .map((part) => part.split('=').map(decodeURIComponent)),
    );
    const number = (key, ok) => {
      const value = Number(given.get(key));
      return given.has(key) && given.get(key) !== '' && !Number.isNaN(value) && ok(value) ? value : null;
    };
    const next = {
      p: number('p', (v) => v > 0 && v < 1),
      fn: number('fn', (v) => v > author.tp && v < Infinity),
      fp: number('fp', (v) => v > author.tn && v < Infinity),
      below: number('below', (v) => v >= 1),
      above: number('above', (v) => v >= 1),
    };
    if (Object.values(next).every((v) => v !== null)) {
      app.state = {
        ...author,
        ...next,
        shape: given.get('shape') === 'bell' ? 'bell' : 'flat',
        belief: given.get('belief') ? author.belief : null,
      };
    }
    if (given.has('ends')) view.ends = given.get('ends') === '1';
    if (TABS.some(([key]) => key === given.get('tab'))) view.tab = given.get('tab');
    if (given.has('x')) view.stretched = given.get('x') === 'odds';
    if (['costs', 'prevalence'].includes(given.get('drag'))) view.drag = given.get('drag');
    for (const key of ['a', 'b']) {
      view[key] = number(key, (v) => Number.isInteger(v) && v >= 0 && v < data.models.length) ?? view[key];
    }
    if (['light', 'dark'].includes(given.get('theme'))) root.dataset.theme = view.theme = given.get('theme');
  };

  app.call = () => {
    const { state } = app;
    const costs = [
      ['cost_fp', state.fp],
      ['cost_fn', state.fn],
      ['prevalence', state.p],
      ['cost_tp', state.tp],
      ['cost_tn', state.tn],
    ]
      .filter(([name, value]) => value || !['cost_tp', 'cost_tn'].includes(name))
      .map(([name, value]) => `${name}=${value}`)
      .join(', ');
    const { span, unsure } = app.facts;
    const { provenance } = summary;
    const gap = (v, least) => (least ? `${v} - ${least}` : v);
    const miss = `lognorm(${span.sigma}, scale=${gap(state.fn, state.tp)})`;
    const beliefs = `cost_fp=${gap(state.fp, state.tn)}, cost_fn=${miss}, prevalence=${state.p}`;
    const over = state.belief
      ? ', over=over'
      : !unsure
        ? ''
        : isBell(state)
          ? `, over=ic.Conditions.from_beliefs(${beliefs})`
          : `, over=ic.Conditions.uniform(pcf=(${span.low}, ${span.high}))`;
    const lines = [
      'import isocost as ic',
      isBell(state) ? 'from scipy.stats import lognorm' : null,
      state.belief ? `# over: ${state.belief.text.replace(/\s+/g, ' ')}` : null,
    ];
    return [
      ...lines.filter(Boolean),
      `comparison.report("report.html", condition=ic.Condition(${costs})${over}${provenance.more})`,
    ].join('\n');
  };
}
