// Every way a reader changes the condition.
import { clamp, condition, logit, prevalenceAt, range } from './beliefs.js';

export function addMoves(app, author) {
  const { view } = app;
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
  app.nudge = (step) =>
    app.moveTo(Number.isFinite(step) ? 1 / (1 + Math.exp(-(logit(app.facts.pcf) + step))) : step < 0 ? 1e-4 : 1 - 1e-4);
  app.moveEnd = (end, z) => {
    const odds = logit(condition(app.state).pcf);
    const gap = Math.exp(Math.abs(logit(clamp(z)) - odds));
    if (app.state.shape === 'bell') app.change({ below: gap, above: gap });
    else if (end === 'low') app.change({ below: logit(clamp(z)) < odds ? gap : 1 });
    else app.change({ above: logit(clamp(z)) > odds ? gap : 1 });
  };
  app.nudgeEnd = (end, step) => {
    const now = app.facts.span[end];
    app.moveEnd(
      end,
      Number.isFinite(step) ? 1 / (1 + Math.exp(-(logit(clamp(now)) + step))) : step < 0 ? 1e-4 : 1 - 1e-4,
    );
  };
  app.brush = (from, to) => {
    const [low, high] = [logit(clamp(Math.min(from, to))), logit(clamp(Math.max(from, to)))];
    const factor = Math.exp((high - low) / 2);
    view.ends = true;
    const centre = 1 / (1 + Math.exp(-(low + high) / 2));
    app.change({
      ...towards(centre),
      below: factor < 1.02 ? 1 : factor,
      above: factor < 1.02 ? 1 : factor,
      shape: 'flat',
    });
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
    const factor =
      kind === 'certain'
        ? 1
        : below * above > 1 && below * above < Infinity && !app.state.belief
          ? Math.sqrt(below * above)
          : 2;
    view.ends = kind === 'range';
    return app.change(
      kind === 'range' && below > 1 && above > 1 && !app.state.belief
        ? { below, above, shape: 'flat' }
        : { below: factor, above: factor, shape: kind === 'bell' ? 'bell' : 'flat' },
    );
  };
  /** The cost ratio lies between two numbers; the ratio itself stays if it can. */
  app.between = (low, high) => {
    const { state } = app;
    const now = (state.fn - state.tp) / (state.fp - state.tn);
    const centre = now >= low && now <= high ? now : Math.sqrt(low * high);
    app.change({
      fn: centre * (state.fp - state.tn) + state.tp,
      below: centre / low,
      above: high / centre,
      shape: 'flat',
    });
  };
  function towards(z) {
    const { fp, fn, p, tp, tn } = app.state;
    if (view.drag === 'prevalence') return { p: prevalenceAt(1 - z, fp - tn, fn - tp) };
    return { fn: tp + ((z / (1 - z)) * (fp - tn) * (1 - p)) / p };
  }
}
