// Every way a reader changes the condition.
import { clamp, logit, means, middle, prevalenceAt } from './beliefs.js';
import { changedLimits } from './limit_fields.js';
import { tidy } from './typed.js';

const inverse = (odds) => 1 / (1 + Math.exp(-odds));

/** Both ends of a prevalence moved by the same log-odds, its middle to where it is wanted. */
function shifted([low, high], wanted) {
  if (low === high) return [wanted, wanted];
  let [from, to] = [-40, 40];
  const at = (by) => [inverse(logit(clamp(low)) + by), inverse(logit(clamp(high)) + by)];
  for (let i = 0; i < 80; i++) {
    const by = (from + to) / 2;
    if (middle(at(by)) < wanted) from = by;
    else to = by;
  }
  return at((from + to) / 2);
}

export function addMoves(app, author) {
  const { view } = app;
  /** Change quantities; a text that was typed stays in its field until that quantity changes in another way. */
  app.change = (change, typed = {}) => {
    app.state = { ...app.state, belief: null, author: false, ...change };
    for (const name of Object.keys(change)) delete app.typed[name];
    Object.assign(app.typed, typed);
    app.refresh();
  };
  /** Keep other limits, or none. */
  app.limit = (change) => {
    app.state = { ...app.state, author: false, limits: changedLimits(app.state.limits, change) };
    app.refresh();
  };
  /** Costs of a miss moved so that their middle is where it is wanted, their width kept as a factor. */
  function missesAt(wanted) {
    const { cost_tp, fnGap } = means(app.state);
    const factor = Math.max(wanted - cost_tp, 1e-9) / fnGap;
    return app.state.cost_fn.map((fn) => Math.max(tidy(cost_tp + (fn - cost_tp) * factor), 0));
  }
  /** Go to another cost of a miss, given as such or as a multiple of a false alarm, and to another prevalence. */
  app.moveSituation = ({ miss = null, ratio = null, prevalence = null }) => {
    const { fpGap, cost_tp } = means(app.state);
    const change = {};
    const wanted = ratio === null ? miss : cost_tp + ratio * fpGap;
    if (wanted !== null) change.cost_fn = missesAt(wanted);
    if (prevalence !== null) {
      const share = tidy(clamp(prevalence), true);
      change.prevalence = shifted(app.state.prevalence, share).map((v) => (v === share ? v : tidy(v, true)));
    }
    app.change(change);
  };
  app.nudgeMiss = (step) => {
    if (!Number.isFinite(step)) return app.nudge(step);
    const { cost_tp, fnGap } = means(app.state);
    return app.moveSituation({ miss: cost_tp + fnGap * Math.exp(step) });
  };
  /** Costs, or the prevalence, at which the mean pcf is z; ranges travel with their middle, widths kept as factors. */
  function towards(z) {
    const { state } = app;
    const now = means(state);
    if (view.drag === 'prevalence') {
      return { prevalence: shifted(state.prevalence, prevalenceAt(1 - z, now.fpGap, now.fnGap)) };
    }
    const wanted = ((z / (1 - z)) * now.alarms) / now.prevalence;
    return { cost_fn: state.cost_fn.map((fn) => now.cost_tp + ((fn - now.cost_tp) * wanted) / now.fnGap) };
  }
  /** The end of a range, 0 or 1, whose outermost pcf is z. */
  function endAt(i, z) {
    const { cost_fp, cost_fn, prevalence, cost_tp, cost_tn } = app.state;
    const alarm = cost_fp[1 - i] - cost_tn[i];
    if (view.drag === 'prevalence') return prevalenceAt(1 - z, alarm, cost_fn[i] - cost_tp[1 - i]);
    return cost_tp[1 - i] + ((z / (1 - z)) * alarm * (1 - prevalence[i])) / prevalence[i];
  }
  const dragged = () => (view.drag === 'prevalence' ? 'prevalence' : 'cost_fn');
  app.moveTo = (pcf) => app.change(towards(clamp(pcf)));
  const stepped = (from, step) =>
    Number.isFinite(step) ? inverse(logit(clamp(from)) + step) : step < 0 ? 1e-4 : 1 - 1e-4;
  app.nudge = (step) => app.moveTo(stepped(app.facts.pcf, step));
  app.moveEnd = (end, z) => {
    const name = dragged();
    const [low, high] = app.state[name];
    if (end === 'low') app.change({ [name]: [Math.min(endAt(0, clamp(z)), high), high] });
    else app.change({ [name]: [low, Math.max(endAt(1, clamp(z)), low)] });
  };
  app.nudgeEnd = (end, step) => app.moveEnd(end, stepped(app.facts.span[end], step));
  app.brush = (from, to) => {
    const [low, high] = [clamp(Math.min(from, to)), clamp(Math.max(from, to))];
    const ends = [endAt(0, low), endAt(1, high)];
    // A press without a pull marks no range.
    if (logit(high) - logit(low) < 0.04 || !(ends[0] < ends[1])) app.change(towards(low));
    else app.change({ [dragged()]: ends });
  };
  /** Have a person look, on these terms; null: nobody looks. */
  app.review = (review) => {
    const turned = Boolean(review) !== Boolean(app.state.review);
    app.state = { ...app.state, review };
    // Its view comes and goes with it, and is measured first.
    if (turned) app.redraw();
    else app.refresh();
  };
  app.restore = () => {
    app.state = { ...author };
    app.typed = {};
  };
}
