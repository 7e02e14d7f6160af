// Every sentence about a decision: the twin of decision/wording.py, letter for letter.
// A decision is what `Decision.to_dict` gives.
import { costSaid, estimateSaid, spanSaid, unitSaid, varies } from './cost_words.js';
import { amount, digits, percent, share } from './numbers.js';
import { NO_REVIEW, reviewsAdd } from './review_words.js';

// How a rule of one threshold begins, and how a band says who is left alone.
export const SCORED = 'flag cases with score ≥ ';
export const CLEARED_BELOW = 'clear cases with score < ';
export const NOBODY = 'always-negative';
export const EVERYBODY = 'always-positive';
export const TRIVIAL = [NOBODY, EVERYBODY];
export const DEEDS = { [NOBODY]: 'flag nobody', [EVERYBODY]: 'flag everybody' };
const DOING = { [NOBODY]: 'flagging nobody', [EVERYBODY]: 'flagging everybody' };
const LIMITS = {
  max_flagged: (value) => `flags at most ${value} of cases`,
  min_precision: (value, positive) => `has at least ${value} of the flagged ${positive}`,
  max_fpr: (value) => `flags at most ${value} of negatives`,
  min_tpr: (value) => `catches at least ${value} of positives`,
};
const SET = {
  score_driven: 'Thresholds are set by taking scores for probabilities.',
  rate_driven: 'Thresholds are set to flag the share of cases that costs ask for.',
  fixed: 'Every model keeps the threshold given.',
};
const GROUPED = 'Scores were grouped';
const GRADES = { clear: 'Clear', leaning: 'Leaning', open: 'Open' };
const COSTS = {
  cost_fp: 'a false alarm costs',
  cost_fn: 'a miss costs',
  cost_tp: 'a catch costs',
  cost_tn: 'a correct rejection costs',
};

const isTrivial = (d) => TRIVIAL.includes(d.model);
const doing = (name) => DOING[name] ?? name;
/** A text with a capital. */
export const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

function listed(parts) {
  const before = parts.slice(0, -1);
  return `${before.join(', ')}${before.length ? ' and ' : ''}${parts[parts.length - 1]}`;
}

/** Every sentence by what it answers; empty where there is nothing to say. */
export function says(d) {
  return {
    rule: rule(d),
    aim: aim(d),
    price: price(d),
    sure: sure(d),
    holds: holds(d),
    follows: follows(d),
    current: current(d),
  };
}

/** What to do with a case. */
export function rule(d) {
  return `Deploy ${isTrivial(d) ? 'no model' : d.model}: ${d.rule}${ties(d)}.`;
}

function ties(d) {
  if (!d.tied.length) return '';
  const same = d.alternatives.filter((a) => a.identical).map((a) => a.model);
  const twins = d.tied.filter((name) => same.includes(name));
  const others = d.tied.filter((name) => !same.includes(name));
  const parts = [];
  if (twins.length) parts.push(`${listed(twins)} ${twins.length === 1 ? 'is' : 'are'} identical on these cases`);
  if (others.length) {
    const verb = others.length === 1 ? 'costs' : 'cost';
    const equal = d.asked.aim === 'most_caught' ? 'catches as many' : `${verb} the same`;
    parts.push(`${listed(others.map(doing))} ${equal}`);
  }
  return ` (${parts.join('; ')})`;
}

/** How it was chosen, where costs alone did not decide. */
export function aim(d) {
  const { asked } = d;
  const limits = Object.entries(asked.limits)
    .map(([kind, value]) => LIMITS[kind](share(value), asked.positive))
    .join(' and ');
  if (asked.aim === 'most_caught') {
    return `No costs given. Of all rules that ${plural(limits)} it catches most positives.`;
  }
  if (asked.aim === 'least_worst') return 'Its cost in the worst of the conditions is the lowest.';
  if (asked.assumed && d.prevalence !== null) {
    return `No costs given. Assumed: equal costs, ${share(d.prevalence)} ${asked.positive}.`;
  }
  if (limits) return `It is the cheapest rule that ${limits}.`;
  return SET[asked.method] ?? '';
}

function plural(text) {
  return text.replaceAll('flags at', 'flag at').replaceAll('has at', 'have at').replaceAll('catches at', 'catch at');
}

/** What the rule is priced for; of ranges and beliefs, with the means it was priced at. */
export function conditionText(d) {
  const { quantities, over, pcf } = d.asked;
  if (over === null) return 'no costs given';
  if (d.condition === null || !quantities) {
    const [low, high, mean] = [pcf.low, pcf.high, pcf.mean].map((z) => digits(z));
    return pcf.low === pcf.high ? `PCF(+) ${low}` : `PCF(+) ${low} to ${high}, ${mean} on average`;
  }
  const unsure = Object.values(quantities).some(({ low, high }) => low !== high);
  return unsure ? meansText(quantities) : certainText(d.condition);
}

function certainText({ cost_fp, cost_fn, prevalence, cost_tp, cost_tn }) {
  const [alarm, miss] = [cost_fp - cost_tn, cost_fn - cost_tp];
  const positive = `${digits(100 * prevalence, 4)} % positive`;
  if (alarm === 0) return `a false alarm costs nothing, ${positive}`;
  if (miss === 0) return `a miss costs nothing, ${positive}`;
  if (alarm === miss) return `a miss costs as much as a false alarm, ${positive}`;
  if (miss > alarm) return `a miss costs ${alarmsText(digits(miss / alarm, 4))}, ${positive}`;
  const more = digits(alarm / miss, 4);
  return `a false alarm costs ${more} ${more === '1' ? 'miss' : 'misses'}, ${positive}`;
}

const alarmsText = (many) => `${many} false alarm${many === '1' ? '' : 's'}`;

/** Each uncertain quantity with its range and its mean. */
function meansText(quantities) {
  const parts = [];
  const span = (low, high, scale = 1) => `${digits(scale * low)}–${digits(scale * high)}`;
  for (const [name, { low, high, mean, even }] of Object.entries(quantities)) {
    const unsure = low !== high;
    if (name === 'prevalence') {
      const [ends, own] = [`${span(low, high, 100)} %`, share(mean)];
      const average = even ? `${ends} positive, ${own} on average` : `${own} positive on average`;
      parts.push(unsure ? average : `${own} positive`);
    } else if (unsure) parts.push(`${COSTS[name]} ${even ? `${span(low, high)}, ` : ''}${digits(mean)} on average`);
    else if (['cost_fp', 'cost_fn'].includes(name) || mean !== 0) parts.push(`${COSTS[name]} ${digits(mean)}`);
  }
  return parts.join('; ');
}

function cost(d) {
  if (d.per_1000 !== null) return `expected cost ${amount(d.per_1000, d.asked.unit)} per 1000 cases`;
  if (d.normalised_cost !== null) return `mean normalised cost ${digits(d.normalised_cost, 4)}`;
  return `catches ${percent(d.tpr)} of positives and flags ${percent(d.fpr)} of negatives`;
}

/** What it costs, against what. */
export function price(d) {
  const about = d.asked.aim === 'most_caught' ? [] : [conditionText(d)];
  if (d.surety?.interval && varies(d.surety.interval)) {
    about.unshift(`${share(d.surety.level)} interval ${spanSaid(d.surety.interval, unitSaid(d))}`);
  }
  const where = about.length ? ` (${about.join('; ')})` : '';
  const rivals = compared(d);
  const done = d.normalised_cost === null ? '' : does(d);
  return `${capital(cost(d))}${where}${rivals ? ': ' : ''}${rivals}.${done}`;
}

function does(d) {
  if (d.flagged === null) {
    return ` It catches ${percent(d.tpr)} of positives and flags ${percent(d.fpr)} of negatives.`;
  }
  const word = d.asked.positive;
  const them = word === 'positive' ? 'positives' : `${word} ones`;
  return ` It flags ${percent(d.flagged)} of cases and catches ${percent(d.tpr)} of the ${them}.`;
}

function compared(d) {
  const pricedOnes = d.alternatives.filter((a) => a.extra !== null);
  if (!pricedOnes.length) return '';
  const [first, ...rest] = pricedOnes;
  const shown = [first, ...rest.filter((a) => TRIVIAL.includes(a.model))];
  const parts = shown.map((rival, i) => {
    const who = doing(rival.model);
    if (rival.extra === 0) return `as much as ${who}`;
    const more = costSaid(Math.abs(rival.extra_cost ?? rival.extra), unitSaid(d));
    const most = rival.extra_low === null ? '' : 'at most ';
    const next = i === 0 && !TRIVIAL.includes(rival.model) ? ', the next best model' : '';
    return `${most}${more} ${rival.extra > 0 ? 'less' : 'more'} than ${who}${next}`;
  });
  return listed(parts);
}

/** How sure it is, always with the number, and what to do about it. */
export function sure(d) {
  const found = d.surety;
  if (!found) return '';
  if (!found.grade) return ['How sure this is cannot be said.', ...found.doubts].join(' ');
  const often = `cheapest in ${percent(found.share ?? 0)} of ${found.n_resamples} resamples`;
  const twins = d.alternatives.filter((a) => a.identical).map((a) => a.model);
  const same = twins.length ? [`The same as ${listed(twins)}.`] : [];
  const graded = `${GRADES[found.grade]}${twins.length ? ' against the others' : ''}: ${often}.`;
  return [...same, graded, ...found.doubts, ...advice(d, found)].join(' ');
}

function advice(d, found) {
  if (found.grade === 'clear' || found.regret === null || found.worst_regret === null) return [];
  const per = d.expected_cost === null ? '' : ' per 1000';
  const [expected, worst] = [found.regret, found.worst_regret].map((regret) => estimateSaid(regret, unitSaid(d)));
  const texts = [
    `Take whichever is easier to run: a wrong pick loses ${expected}${per} on average, ` +
      `at most ${worst} (${share((1 + found.level) / 2)}).`,
  ];
  if (found.labels) texts.push(moreLabels(found.labels));
  return texts.filter((text) => text);
}

/** How many more labelled cases would settle it; nothing if none are needed and nobody asked for their price. */
function moreLabels({ enough, cost_per_label }) {
  if (enough === null) return 'More labels alone would not settle it.';
  if (enough > 0) return `About ${digits(enough, 2)} more labelled cases would settle it.`;
  return cost_per_label === null ? '' : 'More labels would cost more than they save.';
}

/** Over which cost ratios and prevalences the decision holds. */
export function holds(d) {
  // Within limits the page says itself which thresholds it holds.
  if ((d.normalised_cost_low ?? null) !== null && !Object.keys(d.asked.limits).length) return buckets(d);
  const [wide, narrow] = [d.model_drift, d.threshold_drift];
  if (!wide || !narrow || wide.t.t_low === wide.t.t_high) return '';
  const who = isTrivial(d) ? 'This' : d.model;
  const always = wide.t.t_low <= 0 && wide.t.t_high >= 1;
  const text = always
    ? `${who} is cheapest at all costs${wide.prevalence === null && wide.cost_ratio ? '' : ' and prevalences'}.`
    : `${who} stays cheapest while ${drift(wide)}.`;
  const same = narrow.t.t_low === wide.t.t_low && narrow.t.t_high === wide.t.t_high;
  return same || isTrivial(d) ? text : `${text} This threshold stays best while ${drift(narrow)}.`;
}

/** What scores counted together in buckets leave open, as opposed to what the sample does. */
function buckets(d) {
  const cheaper = d.alternatives.filter((a) => a.extra_low !== null && a.extra_low < 0).map((a) => a.model);
  const saved = d.normalised_cost - d.normalised_cost_low;
  const text =
    saved > 0
      ? `${GROUPED}: a finer threshold could save up to ${estimateSaid(saved * unitOf(d), unitSaid(d))}.`
      : `${GROUPED}, and no finer threshold is cheaper here.`;
  if (cheaper.length) {
    return `${text} ${listed(cheaper)} could be the cheapest model. Counting finer would tell; more data would not.`;
  }
  const settled = `${text} No other model can be cheaper.`;
  if (d.asked.reviews) return settled;
  const wide = d.model_drift;
  if (!wide || wide.t.t_low === wide.t.t_high) {
    return `${settled} How far costs may move before that changes is not known.`;
  }
  if (wide.t.t_low <= 0 && wide.t.t_high >= 1) {
    const also = wide.prevalence === null && wide.cost_ratio ? '' : ' and prevalences';
    return `${settled} That holds at all costs${also}.`;
  }
  return `${settled} That holds while ${drift(wide)}, and perhaps beyond.`;
}

/** What a normalised cost of 1 is per case in the unit; 1 without one. */
export function unitOf({ condition: c }) {
  return c === null ? 1 : (c.cost_fp - c.cost_tn) * (1 - c.prevalence) + (c.cost_fn - c.cost_tp) * c.prevalence;
}

/** How far costs may move, or else the prevalence. */
function drift({ t, cost_ratio, prevalence }) {
  const texts = [];
  if (cost_ratio) texts.push(`${costsBetween(...cost_ratio.map(Number))} (at this prevalence)`);
  if (prevalence) texts.push(`${shareBetween(...prevalence)} (at these costs)`);
  if (texts.length) return texts.join(', or ');
  return `PCF(+) is between ${digits(1 - t.t_high)} and ${digits(1 - t.t_low)} on average`;
}

function costsBetween(low, high) {
  if (low === 0 && high === Infinity) return 'whatever errors cost';
  if (high === Infinity) return `a miss costs at least ${alarmsText(digits(low))}`;
  if (low === 0) return `a miss costs at most ${alarmsText(digits(high))}`;
  return `a miss costs ${digits(low)} to ${digits(high)} false alarms`;
}

function shareBetween(first, last) {
  const [low, high] = [100 * first, 100 * last];
  if (low === 0 && high === 100) return 'whatever the prevalence';
  if (low === 0) return `at most ${digits(high)} % are positive`;
  if (high === 100) return `at least ${digits(low)} % are positive`;
  return `${digits(low)} to ${digits(high)} % are positive`;
}

/** What uncertain conditions leave open (regret, the safest rule, what knowing more saves), or what reviews add. */
export function follows(d) {
  if (d.review) return reviewsAdd(d.review, d.asked.unit);
  if (d.asked.reviews) return NO_REVIEW;
  const found = d.uncertain;
  if (!found) return '';
  const per = d.expected_cost === null ? '' : ' per 1000 cases';
  const mean = fromTo(d, found.mean_regret, found.mean_regret_high);
  const most = costSaid(found.worst_regret_high ?? found.worst_regret, unitSaid(d));
  const texts = [
    `Over these conditions the rule costs ${mean}${per} more than the best one at each, ` +
      `on average; at most ${most} (${at(found.worst_at, d)}).`,
  ];
  if (found.safest) {
    const who = DOING[found.safest.model] ?? `${found.safest.model}, ${found.safest.rule}`;
    const certain = (found.safest_regret_high ?? found.safest_regret_low ?? null) === null;
    const usable = certain ? '' : ' of a threshold between groups of scores';
    const least = fromTo(d, found.safest_regret, found.safest_regret_high);
    texts.push(`The smallest worst regret${usable} is ${least}: ${who}.`);
  }
  if ((found.safest_regret_low ?? null) !== null) {
    const low = costSaid(found.safest_regret_low, unitSaid(d));
    texts.push(`A threshold inside a group may have a worst regret of only ${low}.`);
  }
  const known = found.information_bounds ?? [found.information];
  texts.push(`Knowing the condition before choosing would save ${fromTo(d, ...known)} on average.`);
  if (found.limits_kept) texts.push(kept(...found.limits_kept));
  const [best, ...rest] = found.rechosen;
  const names = [best, ...rest.filter((m) => (m.mean_low ?? Infinity) < best.mean)].map((m) => m.model);
  if ((names.length > 1 || names[0] !== d.model) && found.rechosen.length > 1) {
    texts.push(`If the threshold can follow the condition, ${names.join(' or ')} is the best model.`);
  }
  return texts.join(' ');
}

/** A cost, or the two that buckets leave it between where they are told apart. */
function fromTo(d, low, high = null) {
  const ends = [low, high].filter((end) => end !== null).map((end) => costSaid(end, unitSaid(d)));
  return [...new Set(ends)].join(' to ');
}

function kept(low, high) {
  if (low <= 0 && high >= 1) return 'The limits are kept at every prevalence.';
  if (high >= 1) return `The limits are kept from a prevalence of ${share(low)} on.`;
  if (low <= 0) return `The limits are kept up to a prevalence of ${share(high)}.`;
  return `The limits are kept while the prevalence is ${share(low)} to ${share(high)}.`;
}

function at(condition, d) {
  if (d.expected_cost === null) return `at PCF(+) ${digits(1 - condition.t)}`;
  const costs = `a miss of ${digits(condition.cost_fn)}, a false alarm of ${digits(condition.cost_fp)}`;
  return `at ${costs} and ${share(condition.prevalence)} positive`;
}

/** What the rule in use costs, and what changing saves; the page shows what Python said of it. */
export function current(d) {
  return d.says ? d.says.current : '';
}
