// Conditions, sure and unsure: where they lie on the axis, what they cost on average, and how badly a rule can do.

/** The quantities of a condition in the library's words; a state holds a pair [low, high] for each. */
export const QUANTITIES = ['cost_fp', 'cost_fn', 'prevalence', 'cost_tp', 'cost_tn'];
// The quantity that is integrated exactly: first the costs, whose ratio moves the choice.
const EXACT_FIRST = ['cost_fn', 'cost_fp', 'cost_tp', 'cost_tn', 'prevalence'];
// t grows with these and falls with the others.
const RISING = ['cost_fp', 'cost_tp'];
const NODES = 32;
// Nearer to 0 and 1 no condition is shown.
const FINEST = 1e-5;

/** Log-odds of a pcf. */
export const logit = (z) => Math.log(z / (1 - z));

/** A pcf kept off the very ends. */
export const clamp = (z) => Math.min(Math.max(z, FINEST), 1 - FINEST);

/** The arithmetic middle of a pair: the mean if every value in between is equally likely. */
export const middle = ([low, high]) => (low + high) / 2;

/** Whether a state's quantities are all certain. */
export const isCertain = (state) => QUANTITIES.every((name) => state[name][0] === state[name][1]);

/** A condition with everything that follows from it. */
export function priced({ cost_fp, cost_fn, prevalence, cost_tp, cost_tn }) {
  const [fpGap, fnGap] = [cost_fp - cost_tn, cost_fn - cost_tp];
  const [alarms, misses] = [fpGap * (1 - prevalence), fnGap * prevalence];
  return {
    cost_fp,
    cost_fn,
    prevalence,
    cost_tp,
    cost_tn,
    t: alarms / (alarms + misses),
    pcf: misses / (alarms + misses),
    fpGap,
    fnGap,
    alarms,
    misses,
    best: cost_tn * (1 - prevalence) + cost_tp * prevalence,
    worst: cost_fp * (1 - prevalence) + cost_fn * prevalence,
  };
}

/** The condition at the mean costs and the mean prevalence: there a fixed rule costs what it costs on average. */
export function means(state) {
  return priced(Object.fromEntries(QUANTITIES.map((name) => [name, middle(state[name])])));
}

/** Every combination of the ends of what is uncertain. */
export function corners(state) {
  let found = [{}];
  for (const name of QUANTITIES) {
    const [low, high] = state[name];
    const ends = low === high ? [low] : [low, high];
    found = found.flatMap((values) => ends.map((value) => ({ ...values, [name]: value })));
  }
  return found.map(priced);
}

/** Lowest and highest pcf of a state. */
export function reach(state) {
  const at = (i) => {
    const [fp, fn, p, tp, tn] = QUANTITIES.map((name) => state[name]);
    const end = { cost_fp: fp[1 - i], cost_fn: fn[i], prevalence: p[i], cost_tp: tp[1 - i], cost_tn: tn[i] };
    return priced(end).pcf;
  };
  return { low: at(0), high: at(1) };
}

/** Cost ratio fn/fp at which t is reached, at prevalence p. */
export function ratioAt(t, p) {
  return t === 0 ? Infinity : (((1 - t) / t) * (1 - p)) / p;
}

/** Prevalence at which t is reached, at gaps of cost. */
export function prevalenceAt(t, fp, fn) {
  const misses = fp * (1 - t);
  return misses / (misses + fn * t);
}

/** pcf of a cost ratio at prevalence p. */
export function pcfOf(ratio, p) {
  if (ratio === Infinity) return 1;
  return (ratio * p) / (ratio * p + 1 - p);
}

let gauss = null;
/** Nodes in (0, 1) and weights of the 32-point Gauss-Legendre rule; Python has the same. */
export function gaussRule() {
  if (gauss) return gauss;
  const nodes = new Array(NODES);
  const weights = new Array(NODES);
  for (let i = 0; i < NODES; i++) {
    let x = Math.cos((Math.PI * (NODES - i - 0.25)) / (NODES + 0.5));
    let slope = 1;
    for (let step = 0; step < 100; step++) {
      let [before, now] = [1, x];
      for (let k = 2; k <= NODES; k++) [before, now] = [now, ((2 * k - 1) * x * now - (k - 1) * before) / k];
      slope = (NODES * (x * now - before)) / (x * x - 1);
      const next = x - now / slope;
      if (Math.abs(next - x) < 1e-16) break;
      x = next;
    }
    nodes[i] = (x + 1) / 2;
    weights[i] = 1 / ((1 - x * x) * slope * slope);
  }
  gauss = { nodes, weights };
  return gauss;
}

function weightsAt(values) {
  const { cost_fp, cost_fn, prevalence, cost_tp, cost_tn } = values;
  return [(cost_fp - cost_tn) * (1 - prevalence), (cost_fn - cost_tp) * prevalence];
}

/** P(X ≤ x) and E[X; X ≤ x] of a quantity that is uniform on a pair, or one number. */
function partsUpTo([low, high], x) {
  if (low === high) return x >= low ? [1, low] : [0, 0];
  const inside = Math.min(Math.max(x, low), high);
  const mass = (inside - low) / (high - low);
  return [mass, (mass * (inside + low)) / 2];
}

/**
 * Mean of the lowest cost in the unit, net of correct answers, when the rule may follow the condition. `frontier` holds
 * fpr, tpr of the rules by ascending fpr and the t, descending, at which the cheapest changes. Exact in one quantity,
 * in which every cost is linear between the switches; by the Gauss rule in the others.
 */
export function meanLeast(frontier, state) {
  const unsure = EXACT_FIRST.filter((name) => state[name][0] !== state[name][1]);
  const [exact = 'cost_fn', ...others] = unsure;
  const { nodes, weights } = gaussRule();
  const values = Object.fromEntries(QUANTITIES.map((name) => [name, middle(state[name])]));
  const visit = (depth, share) => {
    if (depth === others.length) return share * leastAt(frontier, state[exact], exact, values);
    const [low, high] = state[others[depth]];
    let sum = 0;
    for (let i = 0; i < NODES; i++) {
      values[others[depth]] = low + nodes[i] * (high - low);
      sum += visit(depth + 1, share * weights[i]);
    }
    return sum;
  };
  return visit(0, 1);
}

function leastAt({ fpr, tpr, switches }, pair, exact, values) {
  // Both weights are linear in the exact quantity: known from two of its values.
  const [a0, b0] = weightsAt({ ...values, [exact]: 0 });
  const [a, b] = weightsAt({ ...values, [exact]: 1 });
  const [a1, b1] = [a - a0, b - b0];
  const rising = RISING.includes(exact);
  const last = fpr.length - 1;
  let total = 0;
  let reached = -Infinity;
  let [massBefore, partBefore] = [0, 0];
  for (let k = 0; k <= last; k++) {
    // Where t falls as the quantity grows, rules come by ascending fpr; else from the last to the first.
    const v = rising ? last - k : k;
    let [mass, part] = [1, middle(pair)];
    if (k < last) {
      const s = switches[rising ? last - 1 - k : k];
      const [above, below] = [b0 * s - a0 * (1 - s), a1 * (1 - s) - b1 * s];
      const never = above > 0 === rising ? Infinity : -Infinity;
      reached = Math.max(reached, below === 0 ? never : above / below);
      [mass, part] = partsUpTo(pair, reached);
    }
    const [m, x] = [mass - massBefore, part - partBefore];
    total += (a0 * m + a1 * x) * fpr[v] + (b0 * m + b1 * x) * (1 - tpr[v]);
    [massBefore, partBefore] = [mass, part];
  }
  return total;
}
