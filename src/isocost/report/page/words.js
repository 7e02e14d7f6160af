// Numbers and sentences. Python says the same at the author's condition (report/wording.py); a test holds them equal.
import { NOBODY, EVERYBODY, trivial } from './core.js';

/** A number with so many significant digits, never in powers of ten. */
export function digits(x, n = 3) {
  if (Math.abs(x) < 1e-12) return '0';
  const rounded = Number(x.toPrecision(n));
  const whole = Math.abs(rounded) >= 10 ** (n - 1);
  const text = whole ? rounded.toFixed(0) : rounded.toFixed(Math.min(100, Math.max(0, n - 1 - Math.floor(Math.log10(Math.abs(rounded)) + 1e-12)))).replace(/\.?0+$/, '');
  return Math.abs(rounded) >= 1e4 ? text.replace(/\B(?=(\d{3})+$)/g, ',') : text;
}

/** A cost: at least four digits, thousands apart. */
export function money(x) {
  return Math.abs(x) >= 1000 ? digits(x, Math.max(4, Math.ceil(Math.log10(Math.abs(x) + 1)))) : digits(x, 3);
}

/** An amount in the report's unit, or a share of the worst cost where the condition is unsure; a difference of shares is in points. */
export function amount(x, unit, unsure, gap = false) {
  if (unsure) return `${digits(100 * x)} ${gap ? 'points' : '%'}`;
  return /^[^\w\s]{1,2}$/u.test(unit) ? `${x < 0 ? '−' : ''}${unit}${money(Math.abs(x))}` : unit ? `${money(x)} ${unit}` : money(x);
}

/** A share as a percentage: more digits next to 0 and 100. */
export function percent(x) {
  const y = 100 * x;
  const far = Math.min(Math.abs(y), Math.abs(100 - y));
  if (far < 1e-9) return `${Math.round(y)} %`;
  if (far >= 10) return `${y.toFixed(0)} %`;
  if (far >= 0.1) return `${y.toFixed(1)} %`;
  return y < 50 ? `${digits(y, 2)} %` : `${y.toFixed(3)} %`;
}

/** A share as a percentage with three digits, for limits. */
export function share(x) {
  return `${digits(100 * x)} %`;
}

/** A threshold of a score. */
export function cut(x) {
  return x === null ? 'as it is' : `≥ ${digits(x, 4)}`;
}

/** The deed: what to do with cases. */
export function rule(r) {
  if (r.model === NOBODY) return 'Use no model: flag nobody.';
  if (r.model === EVERYBODY) return 'Use no model: flag everybody.';
  return r.cut === null ? `Use ${r.name} as it is.` : `Use ${r.name}, flag cases with score ${cut(r.cut)}.`;
}

function named(r) {
  return r.model === NOBODY ? 'flagging nobody' : r.model === EVERYBODY ? 'flagging everybody' : r.name;
}

/** What it costs, against what. */
export function price(f, unit) {
  const say = (x) => amount(x, unit, f.unsure);
  const c = f.chosen;
  const range = c.interval ? ` (95 % interval ${say(c.interval.low)} to ${say(c.interval.high)})` : '';
  const what = f.unsure ? `Mean cost ${say(c.amount)} of what getting every case wrong would cost` : `Expected cost ${say(c.amount)} per 1000 cases`;
  const others = [f.rivals[0], ...f.rivals.slice(1).filter((r) => r.model < 0)];
  const parts = others.map((r, i) => (r.extra === 0 ? `as much as ${named(r)}` : `${amount(r.extraAmount, unit, f.unsure, true)} less than ${named(r)}${i === 0 && r.model >= 0 ? ', the next best model' : ''}`));
  const last = parts.pop();
  return `${what}${range}: ${parts.length ? `${parts.join(', ')} and ` : ''}${last}.`;
}

const GRADES = { clear: 'Clear', probable: 'Probable', open: 'Open' };

/** The grade as one word. */
export function grade(f) {
  return f.grade ? GRADES[f.grade] : 'No intervals';
}

/** How sure, always with the number. */
export function sure(f, replicates) {
  if (!f.grade) return 'How sure this is cannot be said: the report holds no resampled data.';
  const often = `cheapest in ${percent(f.chosen.share)} of ${replicates} resampled data sets`;
  if (f.grade === 'clear') return `Clear: ${often}.`;
  if (f.grade === 'probable') return `Probable, not certain: ${often}.`;
  return `Open: only ${often}, so the data cannot settle it.`;
}

function between(low, high, lowest, highest, say, anything, subject, unit) {
  if (low <= lowest && high >= highest) return anything;
  if (high >= highest) return `${subject} at least ${say(low)}${unit}`;
  if (low <= lowest) return `${subject} at most ${say(high)}${unit}`;
  return `${subject} between ${say(low)} and ${say(high)}${unit}`;
}

/** Over which cost ratios and prevalences the choice holds. */
export function holds(f) {
  const who = f.chosen.model < 0 ? 'That' : f.chosen.name;
  if (f.unsure) return `${who} stays the cheapest model while the mean of PCF(+) lies between ${digits(f.reach.pcf[0])} and ${digits(f.reach.pcf[1])}.`;
  const ratio = between(...f.reach.ratio, 0, Infinity, digits, 'errors cost whatever they may', 'a miss costs', ' false alarms');
  const prevalence = between(...f.reach.prevalence, 0, 1, share, 'any share of cases is positive', 'positives are', ' of cases');
  if (f.reach.pcf[0] <= 0 && f.reach.pcf[1] >= 1) return `${who} is cheapest whatever the costs and the prevalence.`;
  return `${who} stays cheapest while ${ratio} at this prevalence, or ${prevalence} at these costs.`;
}

/** What changes if the threshold may follow the condition. */
export function following(f, models) {
  if (!f.follow) return '';
  const { follow } = f;
  const range = follow.interval ? ` (95 % interval ${share(follow.interval.low)} to ${share(follow.interval.high)})` : '';
  return `If the threshold may follow the condition, ${models[follow.model].name} is best: mean cost ${share(follow.mean)}${range}.`;
}

/** What a reader should be wary of. */
export function warnings(f, summary) {
  const found = [];
  const { positives, negatives } = summary.data;
  if (positives !== null && positives < 50) found.push(`Only ${digits(positives)} positive cases: every number here is rough.`);
  if (negatives !== null && negatives < 50) found.push(`Only ${digits(negatives)} negative cases: every number here is rough.`);
  if (f.thin) found.push('At this condition the choice rests on fewer than five cases of a class: the data can hardly tell.');
  const model = f.chosen.model >= 0 ? summary.models[f.chosen.model] : null;
  if (model && model.calibration && Math.abs(model.calibration.z) > 1.96 && !trivial(f.chosen))
    found.push(`The scores of ${model.name} are not calibrated probabilities: use the threshold above, not the one probability theory gives.`);
  return found;
}

/** A condition in one line, for print and screen readers. */
export function conditionText(state, f) {
  const sure = f.unsure ? `, unsure by a factor ${state.below === state.above ? digits(state.above) : `${digits(state.below)} down and ${digits(state.above)} up`}` : '';
  return `${share(state.p)} of cases positive, a miss costs ${money(state.fn)}, a false alarm ${money(state.fp)} (${ratio(state)})${sure}.`;
}

/** The ratio of costs, miss to false alarm. */
export function ratio(state) {
  const r = (state.fn - state.tp) / (state.fp - state.tn);
  return r >= 1 ? `${digits(r)} : 1` : `1 : ${digits(1 / r)}`;
}
