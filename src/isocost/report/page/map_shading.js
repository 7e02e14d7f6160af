// Who is cheapest where: it depends on u = ln(cost ratio) + logit(share) alone, but for limits and second looks.
import { heldIn } from './rules.js';
import { logit, looksSet, middle } from './state.js';

// How often a drag is asked how sure the answer is along the slider, and a neighbour within this share goes along.
const POINTS = 48;
const WITHIN = 1.01;
const FAR = 40;

const costAt = ({ fpr, tpr }, i, u) => {
  const share = 1 / (1 + Math.exp(u));
  return share * fpr[i] + (1 - share) * (1 - tpr[i]);
};

/** Vertices of a hull with the u between them: each is the best from `ends[k]` to `ends[k + 1]`. */
function vertices(rules, rows) {
  const hull = rules.hull(rows);
  const { fpr, tpr } = rules;
  const inner = hull.slice(1).map((j, k) => Math.log((fpr[j] - fpr[hull[k]]) / (tpr[j] - tpr[hull[k]])));
  return { hull, ends: [-FAR, ...inner.map((u) => Math.max(u, -FAR)), FAR] };
}

/**
 * Stretches of u with the cheapest model on each; one goes to a neighbour that is within 1 % on all of it, or to the
 * model of the stretches `beside` it.
 */
export function stretchesOf(rules, kept, [low, high], beside = []) {
  const rows = Array.from(rules.model.keys()).filter((i) => kept[i]);
  const all = vertices(rules, rows);
  if (!all.hull.length) return [];
  const own = new Map();
  const ownOf = (m) => {
    // A model may also be used to flag nobody or everybody.
    const mine = (i) => rules.model[i] === m || (m >= 0 && rules.model[i] < 0);
    return heldIn(own, m, () => vertices(rules, rows.filter(mine)));
  };
  const bestAt = ({ hull, ends }, u) => {
    let k = ends.findIndex((end, e) => e > 0 && u <= end) - 1;
    if (k < 0) k = hull.length - 1;
    return costAt(rules, hull[k], u);
  };
  const found = [];
  all.hull.forEach((i, k) => {
    const [from, to] = [Math.max(all.ends[k], low), Math.min(all.ends[k + 1], high)];
    if (!(from < to)) return;
    const last = found[found.length - 1];
    if (last && last.model === rules.model[i]) last.to = to;
    else found.push({ model: rules.model[i], from, to });
  });
  const near = (m, { model, from, to }) => {
    // No model is worth nothing: a stretch without one stays so.
    if (m >= 0 && model < 0) return false;
    const places = [from, to, ...[...all.ends, ...ownOf(m).ends].filter((u) => u > from && u < to)];
    return places.every((u) => bestAt(ownOf(m), u) <= WITHIN * bestAt(all, u));
  };
  for (const one of found) {
    const other = beside.find(({ from, to }) => from <= one.from && one.to <= to)?.model ?? one.model;
    if (near(other, one)) one.model = other;
  }
  return joined(found, near);
}

function joined(given, near) {
  const found = given.map((one) => ({ ...one }));
  const size = (one) => one.to - one.from;
  for (let changed = true; changed;) {
    changed = false;
    const order = [...found.keys()].sort((a, b) => size(found[a]) - size(found[b]));
    for (const i of order) {
      const one = found[i];
      const next = [i - 1, i + 1].find((j) => found[j] && size(found[j]) > size(one) && near(found[j].model, one));
      if (next === undefined) continue;
      if (next < i) found[next].to = one.to;
      else found[next].from = one.from;
      found.splice(i, 1);
      changed = true;
      break;
    }
    for (let i = 1; i < found.length; i++) {
      if (found[i].model !== found[i - 1].model) continue;
      found[i - 1].to = found[i].to;
      found.splice(i, 1);
      changed = true;
      break;
    }
  }
  return found;
}

/**
 * The stripes of a page: exact stretches, and, as they are worked out while nothing else is to be done, where the
 * answer is not clear and where no model pays.
 *
 * @param {object} app data.rules, state, `answerAt(state)`
 */
export function stripesOf(app, repaint) {
  const { rules } = app.data;
  let [key, stretches, graded, timer, shown] = [null, [], [], null, null];
  const moving = ({ limits, look }) => 'max_flagged' in limits || 'min_precision' in limits || looksSet({ limits, look });

  function work(state, points) {
    const [at, ...rest] = points;
    const ratio = Math.exp(at - logit(middle(state.share)));
    const { answer } = app.answerAt({ ...state, ratio: [ratio, ratio], range: false, today: null }, true);
    const grade = answer?.confidence?.grade ?? null;
    graded.push({
      u: at,
      open: grade !== null && grade !== 'clear',
      none: answer ? app.data.names.indexOf(answer.model) < 0 : false,
      rule: answer?.rule,
      prices: pricesOf(answer),
    });
    if (rest.length) timer = setTimeout(() => work(state, rest), 0);
    else {
      graded.sort((a, b) => a.u - b.u);
      [timer, shown] = [null, null];
      repaint();
    }
  }

  /** What each model is expected to cost on new cases, as a share of the cost of being always wrong. */
  function pricesOf(answer) {
    if (!answer || (answer.confidence?.price ?? null) === null) return null;
    const { cost_fp, cost_fn, cost_tp, cost_tn, prevalence } = answer.question.quantities;
    const p = prevalence.mean;
    const base = (1 - p) * cost_tn.mean + p * cost_tp.mean;
    const scale = (1 - p) * cost_fp.mean + p * cost_fn.mean - base;
    const { price } = answer.confidence;
    const all = [
      [answer.model, price],
      ...answer.alternatives.map((one) => [one.model, one.rule === 'none' ? null : price + (one.extra_cost ?? 0)]),
    ];
    return Object.fromEntries(all.map(([model, cost]) => [model, cost === null ? null : (cost - base) / scale]));
  }

  return {
    /** Stretches and open parts in u, for a state and a range of u. */
    at(state, span) {
      const { limits, sure, look, share, money } = state;
      const now = JSON.stringify([limits, sure, looksSet(state) && look, moving(state) && [share, money], span]);
      if (now !== key) {
        key = now;
        clearTimeout(timer);
        [graded, shown] = [[], null];
        const kept = app.keptAt(state.limits, middle(state.share));
        stretches = stretchesOf(rules, kept, span);
        const step = (span[1] - span[0]) / POINTS;
        const points = Array.from({ length: POINTS }, (_, i) => span[0] + (i + 0.5) * step);
        timer = setTimeout(() => work(state, points), 250);
      }
      const known = timer === null ? graded : [];
      const priced = known.filter(({ prices }) => prices);
      return (shown ??= { stretches: withoutModel(stretches, known), open: openParts(known), priced });
    },
    get busy() {
      return timer !== null;
    },
  };
}

/** Stretches, less where by the honest price no model pays; neighbours of one model are one. */
function withoutModel(stretches, graded) {
  if (!graded.length) return stretches;
  const half = graded.length > 1 ? (graded[1].u - graded[0].u) / 2 : 0;
  const pieces = [];
  const put = (model, from, to) => {
    if (!(from < to)) return;
    if (pieces.at(-1)?.model === model) pieces.at(-1).to = to;
    else pieces.push({ model, from, to });
  };
  for (const one of stretches) {
    let at = one.from;
    for (const { u, none, rule } of graded) {
      if (one.model < 0 || !none || u + half <= one.from || u - half >= one.to) continue;
      put(one.model, at, Math.max(u - half, one.from));
      put(rule === 'everybody' ? -1 : -2, Math.max(u - half, at), Math.min(u + half, one.to));
      at = Math.min(u + half, one.to);
    }
    put(one.model, at, one.to);
  }
  return pieces;
}

function openParts(graded) {
  const half = graded.length > 1 ? (graded[1].u - graded[0].u) / 2 : 0;
  const parts = [];
  for (const { u, open } of graded) {
    if (!open) continue;
    if (u - half - parts.at(-1)?.[1] < half) parts.at(-1)[1] = u + half;
    else parts.push([u - half, u + half]);
  }
  return parts;
}
