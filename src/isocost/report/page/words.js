// Numbers and sentences. Python says the same at the author's condition (report/wording.py); a test holds them equal.
import { trivial } from './core.js';
import { amount, digits, money, percent, share } from './numbers.js';
import { NOBODY, EVERYBODY } from './resamples.js';

/** A threshold of a score; without one, a model that is a single point is used as it is. */
export function cut(x, alone = true) {
  if (x === null) return alone ? 'as it is' : 'at this point';
  return `≥ ${digits(x, 4)}`;
}

/** What to do with a case. */
export function rule(r) {
  if (r.model === NOBODY) return 'Use no model: flag nobody.';
  if (r.model === EVERYBODY) return 'Use no model: flag everybody.';
  if (r.cut === null && !r.alone) {
    return `Use ${r.name} where it catches ${percent(r.tpr)} with ${percent(r.fpr)} false alarms.`;
  }
  return r.cut === null ? `Use ${r.name} as it is.` : `Use ${r.name}, flag cases with score ${cut(r.cut)}.`;
}

function named(r) {
  return r.model === NOBODY ? 'flagging nobody' : r.model === EVERYBODY ? 'flagging everybody' : r.name;
}

function within(interval, unit) {
  return interval ? ` (95 % interval ${amount(interval.low, unit)} to ${amount(interval.high, unit)})` : '';
}

/** What it costs, against what. */
export function price(f, unit) {
  const c = f.chosen;
  const range = within(c.interval, unit);
  const what = `${f.expected ? 'Expected' : 'Mean'} cost ${amount(c.amount, unit)} per 1000 cases`;
  const others = [f.rivals[0], ...f.rivals.slice(1).filter((r) => r.model < 0)];
  const parts = others.map((r, i) =>
    r.extra === 0
      ? `as much as ${named(r)}`
      : `${amount(r.extraAmount, unit)} less than ${named(r)}${i === 0 && r.model >= 0 ? ', the next best model' : ''}`,
  );
  const last = parts.pop();
  return `${what}${range}: ${parts.length ? `${parts.join(', ')} and ` : ''}${last}.`;
}

const GRADES = { clear: 'Clear', probable: 'Probable', open: 'Open' };

/** The grade as one word. */
export function grade(f) {
  return f.grade ? GRADES[f.grade] : 'No intervals';
}

function without({ rows, n }) {
  if (!rows) return 'from counts, and intervals need the rows';
  const many = ', which take long for so many cases (n_resamples=40 in Python, or --resamples 40, draws some)';
  return `without resamples${(n || 0) >= 1e6 ? many : ''}`;
}

/** How sure, always with the number. */
export function sure(f, summary) {
  if (!f.grade) {
    return `How sure this is cannot be said: the report was made ${without(summary.data)}.`;
  }
  const often = `cheapest in ${percent(f.chosen.share)} of ${summary.replicates.n} resampled data sets`;
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
  const than = f.chosen.model < 0 ? '' : ` than ${who}`;
  const [low, high] = f.reach.pcf;
  if (low <= 0 && high >= 1) {
    return `Nothing here is cheaper${than}, whatever the costs and the prevalence.`;
  }
  const ratios = between(
    ...f.reach.ratio,
    0,
    Infinity,
    digits,
    'errors cost whatever they may',
    'a miss costs',
    ' false alarms',
  );
  const prevalence = between(
    ...f.reach.prevalence,
    0,
    1,
    share,
    'any share of cases is positive',
    'positives are',
    ' of cases',
  );
  if (f.unsure) {
    return (
      `${who} stays cheapest while PCF(+) is between ${digits(low)} and ${digits(high)} on average ` +
      `(${ratios} at this prevalence).`
    );
  }
  return `${who} stays cheapest while ${ratios} at this prevalence, or ${prevalence} at these costs.`;
}

/** What changes if the threshold may follow the condition, or if all conditions weighed alike. */
export function following(f, { models, unit }) {
  if (!f.follow) return '';
  const { follow } = f;
  const cost = `${amount(follow.amount, unit)}${within(follow.interval, unit)}`;
  const text = `If the threshold may follow the condition, ${models[follow.model].name} is best: mean cost ${cost}.`;
  return f.alike
    ? `${text} With every condition weighing alike, however little is at stake, the choice would be: ${rule(f.alike)}`
    : text;
}

/** What a reader should be wary of. */
export function warnings(f, summary) {
  const found = [];
  const { positives, negatives } = summary.data;
  if (positives !== null && positives < 50) {
    found.push(`Only ${digits(positives)} positive cases: every number here is rough.`);
  }
  if (negatives !== null && negatives < 50) {
    found.push(`Only ${digits(negatives)} negative cases: every number here is rough.`);
  }
  if (f.thin) {
    found.push('At this condition the choice rests on fewer than five cases of a class: the data can hardly tell.');
  }
  const model = f.chosen.model >= 0 ? summary.models[f.chosen.model] : null;
  if (model && f.chosen.fpr === 0 && f.chosen.tpr === 1 && model.positives !== null) {
    // The probability of no error at all is 5 % at these rates.
    const [misses, alarms] = [model.positives, model.negatives].map((n) => 1 - 0.05 ** (1 / n));
    found.push(
      `Not one error was seen; still up to ${share(misses)} of positives may be missed and up to ${share(alarms)} ` +
        'of negatives flagged (95 % limits).',
    );
  }
  if (model && model.calibration && Math.abs(model.calibration.z) > 1.96 && !trivial(f.chosen)) {
    found.push(
      `The scores of ${model.name} are not calibrated probabilities: ` +
        'use the threshold above, not the one probability theory gives.',
    );
  }
  return found;
}

/** A condition in one line, for print and screen readers. */
export function conditionText(state, f) {
  const costs = `a miss costs ${money(state.fn)}, a false alarm ${money(state.fp)} (${ratio(state)})`;
  return `${share(state.p)} of cases positive, ${costs}${f.unsure ? spread(state) : ''}.`;
}

function spread({ below, above, shape }) {
  if (shape === 'bell') {
    return `, the cost of a miss log-normal, 95 % within a factor ${digits(Math.sqrt(below * above))}`;
  }
  const factor = (v) => (v === Infinity ? 'any' : digits(v));
  return `, unsure by a factor ${below === above ? factor(above) : `${factor(below)} down and ${factor(above)} up`}`;
}

/** The ratio of costs, miss to false alarm. */
export function ratio(state) {
  const r = (state.fn - state.tp) / (state.fp - state.tn);
  return r >= 1 ? `${digits(r)} : 1` : `1 : ${digits(1 / r)}`;
}
