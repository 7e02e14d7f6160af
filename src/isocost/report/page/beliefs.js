// Conditions, sure and unsure: where they lie on the axis and what is at stake there.

// The middle 95 % of a normal distribution lie within so many standard deviations.
const NORMAL = 1.959963984540054;
const STEP = 0.01;
// Nearer to 0 and 1 no condition is shown.
const FINEST = 1e-5;

/** Log-odds of a pcf. */
export const logit = (z) => Math.log(z / (1 - z));

/** A pcf kept off the very ends. */
export const clamp = (z) => Math.min(Math.max(z, FINEST), 1 - FINEST);

/** t, pcf and the scale of costs at a state. */
export function condition(state) {
  const alarms = (state.fp - state.tn) * (1 - state.p);
  const misses = (state.fn - state.tp) * state.p;
  const scale = alarms + misses;
  return { t: alarms / scale, pcf: misses / scale, scale, floor: state.tn * (1 - state.p) + state.tp * state.p };
}

/** Cost ratio fn/fp at which t is reached, at prevalence p. */
export function ratioAt(t, p) {
  return t <= 0 ? Infinity : (((1 - t) / t) * (1 - p)) / p;
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

/**
 * Values of pcf and their weights when a miss has log-normal cost, and the mean cost of getting a case wrong in units
 * of what false alarms carry of it. Dear conditions weigh more: each counts as much as is at stake. By the trapezoidal
 * rule, superb for a normal density.
 */
export function bell(odds, sigma) {
  const z = [];
  const weight = [];
  let [sum, mass] = [0, 0];
  for (let k = -Math.round(8.5 / STEP); k <= Math.round((8.5 + sigma) / STEP); k++) {
    const u = k * STEP;
    const ratio = Math.exp(Math.log(odds) + sigma * u);
    const density = Math.exp((-u * u) / 2);
    z.push(ratio / (1 + ratio));
    weight.push(density * (1 + ratio));
    sum += density * (1 + ratio);
    mass += density;
  }
  return { z, weight: weight.map((w) => w / sum), stake: sum / mass };
}

/** Whether the cost ratio of a state is log-normal. */
export function isBell(state) {
  return !state.belief && state.shape === 'bell' && state.below * state.above > 1;
}

/**
 * What is known of an unsure condition: low, high and mean of pcf (low = high when it is sure). A fixed choice costs on
 * average what it costs at `centre`, in units of `stake`, the mean cost of getting a case wrong. Where that is not
 * known (null) it is held at the condition's own, and the centre is the mean.
 */
export function range(state) {
  if (state.belief) return state.belief;
  const { pcf, scale, t } = condition(state);
  const odds = pcf / (1 - pcf);
  const at = (o) => (o === Infinity ? 1 : o / (1 + o));
  if (isBell(state)) {
    const factor = Math.sqrt(state.below * state.above);
    const sigma = Math.log(factor) / NORMAL;
    const nodes = bell(odds, sigma);
    let [mean, centre] = [0, 0];
    nodes.z.forEach((z, i) => {
      mean += z * nodes.weight[i] * (1 - z) * nodes.stake;
      centre += z * nodes.weight[i];
    });
    return {
      low: at(odds / factor),
      high: at(odds * factor),
      mean,
      centre,
      stake: t * scale * nodes.stake,
      sigma,
      nodes,
    };
  }
  const [low, high] = [state.below > 1 ? at(odds / state.below) : pcf, state.above > 1 ? at(odds * state.above) : pcf];
  return { low, high, mean: (low + high) / 2, centre: (low + high) / 2, stake: null };
}
