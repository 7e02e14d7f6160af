// Question and rules to a decision: the twin of decide/decision.py, with the keys of `Decision.to_dict`.
// Touches no document: it is tested against Python without a browser.
import { SURE, certaintyOf, undrawn } from './confidence.js';
import { Counts, drawsOf, numbersIn, unpacked } from './draws.js';
import { lackingCases, tightened } from './limits.js';
import { uncertain } from './ranges.js';
import { reviewBand, reviewWeights } from './review.js';
import { ALWAYS_NEGATIVE, ALWAYS_POSITIVE, EVERYBODY, NOBODY, Rules, SLACK, TIE } from './rules.js';
import { askedOf, columnOf, first, questionOf, range, ratiosOf } from './rules.js';
import { Speaker } from './say.js';

const TRIVIAL = { [NOBODY]: ALWAYS_NEGATIVE, [EVERYBODY]: ALWAYS_POSITIVE };
// A saving below this share of what the rule in use costs is next to nothing.
// A rule in use counts as the best of its model up to so many standard errors of a difference of costs.
const NOISE = 2.5;
const NEXT_TO_NOTHING = 0.01;

const nameOf = (table, m) => TRIVIAL[m] ?? table.names[m];

/** A rule as data: what it does and what it costs, with the reviews of its model if there are any. */
function described(table, i, q, band = null) {
  const [p, m, j] = [q.prevalence, table.model[i], table.other[i]];
  const [a, b, c] = q.weights;
  let kind = j >= 0 ? 'mix' : { [NOBODY]: 'nobody', [EVERYBODY]: 'everybody' }[m];
  kind ??= Number.isNaN(table.threshold[i])
    ? 'point'
    : table.threshold[i] === Infinity && !table.tpr[i] && !table.fpr[i]
      ? 'nobody'
      : 'score';
  let [fpr, tpr] = [table.fpr[i], table.tpr[i]];
  const review = band && endsOf(table, band, q);
  if (review && review.reviewed > 0) [kind, fpr, tpr] = ['band', band.fpr, band.tpr];
  const amount = q.priced ? amountOf(q, fpr, tpr, kind === 'band' ? band.reviewed : 0) : null;
  const byMethod = kind === 'score' && ['fixed', 'score_driven'].includes(q.method);
  const flagged = p === null ? null : p * tpr + (1 - p) * fpr;
  const second = j >= 0 ? table.model[j] : m;
  const owner = m < 0 && second >= 0 ? second : m;
  const expected_cost = q.has_unit ? amount + c : null;
  return {
    model: nameOf(table, owner),
    rule: kind,
    threshold: table.threshold[i],
    below: byMethod ? -Infinity : table.below[i],
    fpr,
    tpr,
    flagged,
    precision: flagged ? (p * tpr) / flagged : null,
    expected_cost,
    normalised_cost: amount === null ? null : amount / (a + b),
    per_1000: expected_cost === null ? null : 1000 * expected_cost,
    one: j >= 0 ? described(table, table.mixedFrom(i), q) : null,
    other: j >= 0 ? described(table, j, q) : null,
    share: j >= 0 ? table.share[i] : null,
    fit: q.method === 'smooth' && m >= 0 ? q.smooth[m].fit : null,
    review,
  };
}

/** A band with both its ends described. */
function endsOf(table, { flag_row, review_row, ...rest }, q) {
  return { ...rest, flag_from: described(table, flag_row, q), review_from: described(table, review_row, q) };
}

/** What rates and reviews cost beyond what no rule changes. */
function amountOf({ weights: [a, b], reviews }, fpr, tpr, reviewed) {
  const cost = a * fpr + b * (1 - tpr);
  return reviews ? cost + reviews.cost * reviewed : cost;
}

/** What is to be least, first things first, and the size of what is at stake. */
function keysOf(table, q) {
  if (q.aim === 'most_caught') return [[columnOf(table.size, (i) => -table.tpr[i]), table.fpr], 1];
  const scale = q.scale + (q.reviews ? q.reviews.cost : 0);
  const cost = columnOf(table.size, (i) => amountOf(q, table.fpr[i], table.tpr[i], 0));
  if (q.aim !== 'least_worst') return [[cost], scale];
  const worst = new Float64Array(table.size).fill(-Infinity);
  for (const at of q.corners) {
    const paid = table.cost(at);
    for (let i = 0; i < table.size; i++) worst[i] = Math.max(worst[i], paid[i]);
  }
  return [[worst, cost], scale];
}

/** The best row, what it is, the best of each other model, the next best first, and who ties. */
function compared(data, table, rows, q) {
  const [keys, scale] = keysOf(table, q);
  const held = grouped(rows, table.owners());
  const owners = [...held.keys()].sort((x, y) => x - y);
  const best = new Map(owners.map((m) => [m, first(held.get(m), keys, scale)]));
  const bands = new Map(q.reviews ? owners.filter((m) => m >= 0).map((m) => [m, reviewBand(table, m, q)]) : []);
  for (const [m, { fpr, tpr, reviewed }] of bands) keys[0][best.get(m)] = amountOf(q, fpr, tpr, reviewed);
  const i = first([...best.values()], keys, scale);
  const mine = owners.find((m) => best.get(m) === i);
  const order = (m, n) => keys.reduce((found, key) => found || key[best.get(m)] - key[best.get(n)], 0) || m - n;
  const others = owners.filter((m) => m !== mine && m < table.names.length).sort(order);
  const chosen = described(table, i, q, bands.get(mine));
  const alternatives = others.map((m) => {
    const rival = described(table, best.get(m), q, bands.get(m));
    return { ...rival, ...extraOf(rival, chosen, q), identical: mine >= 0 && m >= 0 && data.same(m, mine), remark: '' };
  });
  const tied = others.filter((m) => q.priced && keys[0][best.get(m)] <= keys[0][i] + TIE * scale);
  const missing = table.names.filter((_, m) => !best.has(m)).map((model) => noRule(data, model));
  return { i, chosen, alternatives: [...alternatives, ...missing], tied: tied.map((m) => nameOf(table, m)) };
}

/** Rows by their owner. */
function grouped(rows, owner) {
  const found = new Map();
  for (let k = 0; k < rows.length; k++) {
    const m = owner[rows[k]];
    if (found.has(m)) found.get(m).push(rows[k]);
    else found.set(m, [rows[k]]);
  }
  return found;
}

/** A model without a rule that keeps the limits. */
function noRule(data, model) {
  const none = Object.fromEntries(RULE.map((name) => [name, null]));
  const rates = { threshold: NaN, below: -Infinity, fpr: NaN, tpr: NaN };
  const extra = { extra: null, extra_cost: null, extra_interval: null, identical: false };
  return { ...none, model, rule: 'none', ...rates, ...extra, remark: data.speaker.say('no_rule', { model }) };
}

/** How much more a rival costs: normalised, and in the unit. */
function extraOf(rival, chosen, q) {
  const none = { extra: null, extra_cost: null, extra_interval: null };
  if (rival.normalised_cost === null || chosen.normalised_cost === null) return none;
  const gap = rival.normalised_cost - chosen.normalised_cost;
  const extra = Math.abs(gap) <= TIE ? 0 : gap;
  return { ...none, extra, extra_cost: q.has_unit ? extra * q.scale : null };
}

/** How far cost ratio and prevalence may move until another model, or another rule, is best within the limits. */
function driftsOf(table, rows, allowed, i, q) {
  if (!['best', 'fixed'].includes(q.method) || q.aim !== 'cheapest') return [null, null];
  const spans = table.spansOfT(rows, i, q.weights[0] / q.scale);
  const moving = 'max_flagged' in q.limits || 'min_precision' in q.limits;
  let shares = [null, null];
  if (q.has_unit && !q.randomised) {
    shares = moving ? table.spansOfPrevalence(allowed, i, q) : spans.map((span) => prevalencesOf(span, q));
  }
  const drift = (k) => ({ t: spans[k], cost_ratio: q.has_unit ? ratiosOf(spans[k], q.prevalence) : null, prevalence: shares[k] });
  return [drift(1), drift(0)];
}

/** The prevalences of a span of t at the costs of the question: where no limit moves with it, t alone decides. */
function prevalencesOf([low, high], { gaps: [alarm, miss] }) {
  if (alarm === 0 || miss === 0) return [0, 1];
  return [high, low].map((t) => (alarm * (1 - t)) / (alarm * (1 - t) + miss * t));
}

/** The rule in use: what it costs, what changing saves, and at which cost ratios it is the best of its model. */
function currentOf(data, chosen, q) {
  if (!q.current) return null;
  const [[model, threshold], p] = [q.current, q.prevalence];
  const { rules } = data;
  const m = data.names.indexOf(model);
  const i = model === ALWAYS_NEGATIVE ? 0 : model === ALWAYS_POSITIVE ? 1 : rules.rowAt(m, threshold);
  const [fpr, tpr] = [rules.fpr[i], rules.tpr[i]];
  const span = m < 0 ? null : impliedBy(data, m, fpr, tpr);
  const [a, b, c] = q.weights;
  const cost = q.has_unit ? a * fpr + b * (1 - tpr) + c : null;
  const own = model === chosen.model || fpr + tpr === 0 || fpr + tpr === 2;
  const alike = fpr === chosen.fpr && tpr === chosen.tpr && !['mix', 'band'].includes(chosen.rule);
  const now = {
    ...{ model, threshold, fpr, tpr },
    flagged: p === null ? null : p * tpr + (1 - p) * fpr,
    expected_cost: cost,
    saving: cost === null || chosen.expected_cost === null ? null : cost - chosen.expected_cost,
    saving_interval: null,
    same: own && alike,
    implied: span && ratiosOf(span, p),
  };
  return { ...now, keep: now.same || nextToNothing(now, q) };
}

const nextToNothing = ({ saving, expected_cost: cost }, q) =>
  saving !== null && cost !== null && saving < NEXT_TO_NOTHING * (cost - q.weights[2]);

/** The t at which a point costs no more than any other of its model, up to `NOISE` standard errors; null if there is none. */
function impliedBy({ rules, models }, m, fpr, tpr) {
  const vertices = rules.hull(rules.path(m));
  const hull = rules.tpr[vertices[0]] > 0 ? [0, ...vertices] : vertices;
  const known = models[m].about.positives !== null;
  const [n0, n1] = known ? [models[m].negatives, models[m].positives] : [Infinity, Infinity];
  let [least, most] = [0, 0];
  for (const r of hull) {
    const [u, v] = [fpr - rules.fpr[r], tpr - rules.tpr[r]];
    const [a, b] = [u, v].map((gap, k) => (NOISE ** 2 * (Math.abs(gap) + 1 / [n0, n1][k])) / [n0, n1][k]);
    const [above, below] = [u ** 2 - a, v ** 2 - b];
    const root = u * v + Math.sqrt(Math.max((u * v) ** 2 - above * below, 0));
    if (u > 0 && above > 0) least = Math.max(least, above / root);
    if (v < 0 && below > 0) most = Math.max(most, below / root);
  }
  return least * most >= 1 || Math.max(least, most) === Infinity ? null : [most / (1 + most), 1 / (1 + least)];
}

/** The best rule with what it is compared with; null where no rule keeps the limits. */
function bestAt(data, question) {
  const asked = tightenedOf(data, question);
  if (!asked) return null;
  const q = { ...asked, smooth: data.smooth };
  const limited = Object.keys(q.limits).length > 0;
  const simple = q.method === 'best' && !limited && !q.randomised && q.aim === 'cheapest' && q.certain;
  const at = q.reviews ? (q.reviews.max_reviewed === null ? reviewWeights(q).flat() : [0]) : q.weights.slice(0, 2);
  // Where every error costs something, only rules on the hulls are ever the best.
  const [table, allowed] = (simple && at.every((w) => w > 1e-9 * q.scale) ? data.front : data.rules).allowed(q);
  const kept = limited && table.kept(q);
  const rows = kept ? allowed.filter((i) => kept[i]) : allowed;
  if (!rows.length) return null;
  return { q, table, allowed, rows, ...compared(data, table, rows, q) };
}

/** What the best rule costs at a question; null without a unit. */
export const leastCostAt = (data, state) => bestAt(data, questionOf(state)).chosen.expected_cost;

/** The answer without how sure it is; null where no rule keeps the limits. */
function decide(data, question) {
  const found = bestAt(data, question);
  if (!found) return null;
  const { q, table, allowed, rows, i, chosen, alternatives, tied } = found;
  const open = q.priced && !q.reviews;
  const [model_drift, threshold_drift] = open ? driftsOf(table, rows, allowed, i, q) : [null, null];
  // Of a belief the library has said what it leaves open, as long as nothing else is asked.
  const left = open && !q.certain && !q.belief ? uncertain(table, rows, i, q) : null;
  if (left && left.safest !== null) left.safest = described(table, left.safest, q);
  return {
    ...{ ...chosen, alternatives, tied, model_drift, threshold_drift, uncertain: q.belief ? believedAt(data, question) : left },
    current: currentOf(data, chosen, question),
    confidence: null,
    resolution: data.resolution,
    warnings: warningsAbout(data, chosen, q.words),
  };
}

/** What the author's belief leaves open; null where the reader asks something else. */
function believedAt({ summary: { decision } }, q) {
  const names = ['limits', 'aim', 'method', 'threshold', 'randomised', 'reviews', 'sure'];
  const asked = askedOf(q);
  const same = names.every((name) => JSON.stringify(asked[name]) === JSON.stringify(decision.question[name]));
  return same ? decision.uncertain : null;
}

/** A decision with how sure it is; where no model pays and there are no limits it becomes the cheaper trivial rule. */
function pricedWith(data, decision, { confidence, model, extras, saving }, q) {
  const trivial = model === ALWAYS_NEGATIVE || model === ALWAYS_POSITIVE;
  const found = trivial && model !== decision.model ? instead(data, decision, model, q) : decision;
  const alternatives = found.alternatives.map((one) => {
    const own = extras.get(one.model);
    if (!own) return one;
    return { ...one, extra: own[0] / q.scale, extra_cost: q.has_unit ? own[0] : null, extra_interval: [own[1], own[2]] };
  });
  let { current } = found;
  if (current && saving) {
    current = { ...current, saving: saving.saving, saving_interval: saving.interval, same: saving.same };
    current.keep = current.same || nextToNothing(current, q);
  }
  const rival = alternatives.find((one) => one.model === confidence.rival) ?? null;
  const named = rival && { model: rival.model, rule: rival.rule, extra_interval: rival.extra_interval };
  return { ...found, alternatives, current, confidence: { ...confidence, rival: named } };
}

const SHORT = 'model rule threshold below fpr tpr flagged precision expected_cost';
const RULE = `${SHORT} normalised_cost per_1000 one other share fit review`.split(' ');
const ruleIn = (held) => Object.fromEntries(RULE.map((name) => [name, held[name]]));

/** The decision for a trivial rule that is listed as an alternative; what was decided becomes one in its place. */
function instead({ speaker }, decision, trivial, q) {
  const rule = decision.alternatives.find(({ model }) => model === trivial);
  const gap = -(rule.extra ?? 0);
  const moved = ({ extra, extra_cost }) => ({
    extra: extra === null ? null : extra + gap,
    extra_cost: extra_cost === null ? null : extra_cost + gap * q.scale,
  });
  const before = {
    ...{ ...ruleIn(decision), extra: gap, extra_cost: q.has_unit ? gap * q.scale : null },
    ...{ extra_interval: null, identical: false, remark: '' },
  };
  const rest = decision.alternatives.filter((one) => one !== rule).map((one) => ({ ...one, ...moved(one) }));
  let { current } = decision;
  if (current && current.expected_cost !== null) {
    current = { ...current, saving: current.expected_cost - (rule.expected_cost ?? 0) };
  }
  const none = { tied: [], model_drift: null, threshold_drift: null, uncertain: null };
  // The one warning about the rule itself goes with it.
  const guess = speaker.say('warning', { question: { words: q.words }, kind: 'guess' });
  const warnings = decision.warnings.filter((text) => text !== guess);
  return { ...decision, ...ruleIn(rule), alternatives: [before, ...rest], ...none, current, warnings };
}

/** JSON data: infinities as text, NaN as null. */
function jsonOf(value) {
  if (typeof value === 'number') return Number.isFinite(value) ? value : Number.isNaN(value) ? null : String(value);
  if (Array.isArray(value)) return value.map(jsonOf);
  if (!value || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, jsonOf(held)]));
}

/** Whether two pieces of JSON data hold the same, in whatever order of keys. */
function sameData(one, two) {
  if (!one || !two || typeof one !== 'object' || typeof two !== 'object') return one === two;
  const keys = Object.keys(one);
  return keys.length === Object.keys(two).length && keys.every((key) => sameData(one[key], two[key]));
}

/**
 * Which model, which rule, what it costs, how sure that is, and where it would change: `Decision.to_dict`.
 *
 * @param {object} data what `prepare` made of a summary
 * @param {object} state the question, see `questionOf`
 * @param {boolean} quick no more draws than the first ones, as while something is dragged
 * @returns {?object} null where no rule keeps the limits
 */
export function decideAt(data, state, quick = false) {
  const q = questionOf(state);
  // A smooth curve is not fitted anew here: how sure it is, is known of the report's own question.
  if (q.method === 'smooth' && sameData(jsonOf(askedOf(q)), data.summary.decision.question)) return data.summary.decision;
  let decision = decide(data, q);
  if (!decision) return null;
  const sure = sureOf(data, q, quick);
  if (sure) decision = pricedWith(data, decision, sure, q);
  const found = jsonOf({ question: askedOf(q), models: data.names.length, ...decision });
  const says = data.speaker.all(found);
  return { ...found, says, text: [data.speaker.text(says), ...found.warnings].join('\n') };
}

/** The question with limits so tight that a rule which keeps them here is sure of the given ones; null if none can. */
function tightenedOf(data, q) {
  if (q.sure === null) return q;
  const limits = tightened(q.limits, q.sure, data.sizes, data.names.length);
  return limits && { ...q, limits, promised: q.limits };
}

/** How sure the choice at a question is; null without draws. */
function sureOf(data, q, quick) {
  const { draws, names, summary } = data;
  if (q.method === 'smooth') return null;
  if (!draws) return undrawn(summary.decision.confidence);
  const exact = draws.cases.blocked ? data.curves : null;
  const given = { whole: draws.whole, exact, level: summary.level, current: q.current, cautions: summary.cautions };
  const found = certaintyOf(draws, { ...tightenedOf(data, q), names }, given, quick);
  return found && { ...found, confidence: { ...found.confidence, surer: surerOf(data, q, found.confidence) } };
}

/** Whether limits can be tightened until they hold surely: counted cases, one rule, limits on shares of these cases. */
export function surable(data, q) {
  const apart = q.randomised || q.aim === 'least_worst' || q.method !== 'best' || 'min_precision' in q.limits;
  const elsewhere = 'max_flagged' in q.limits && q.prevalence !== data.models[0].about.prevalence;
  return countedOnce(data) && !apart && !elsewhere && data.models.every(({ counted }) => counted);
}

// Without draws the page knows of clusters only that the library would have refused to be sure.
const countedOnce = ({ draws, summary: { data, decision } }) =>
  !data.weighted && (draws ? !draws.cases.unit : decision.question.sure !== null);

/** The rule that is 90 % sure to keep the limits, or how many cases that needs, where they hold less surely. */
function surerOf(data, q, { limits_hold: held, positives, negatives }) {
  if (!Object.values(held).some((chance) => chance < SURE) || q.sure !== null || !countedOnce(data)) return null;
  const lacking = lackingCases(q.limits, SURE, [positives, negatives], data.names.length);
  if (lacking) return { sure: SURE, choice: null, ...lacking };
  const found = surable(data, q) ? bestAt(data, { ...q, sure: SURE }) : null;
  return found && { sure: SURE, choice: ruleIn(found.chosen), needs: null, class: null };
}

/** The counts of a text of steps, or the numbers themselves. */
const countsIn = (packed) => {
  if (packed.kind) return numbersIn(packed);
  const found = unpacked(packed, packed.n);
  for (let i = 1; i < found.length; i++) found[i] += found[i - 1];
  return found;
};

const smoothTable = ({ fit, threshold, fpr, tpr }) => ({ fit, thresholds: numbersIn(threshold), fpr: numbersIn(fpr), tpr: numbersIn(tpr) });

/** What a summary says, ready for arithmetic: `names`, `rules`, `draws` and whatever decides with them. */
export function prepare(summary) {
  const models = summary.models.map((about) => {
    const { table } = about;
    const [thresholds, fp, tp] = [numbersIn(table.threshold), countsIn(table.fp), countsIn(table.tp)];
    const next = (_, i) => (i + 1 < thresholds.length ? thresholds[i + 1] : -Infinity);
    const below = table.below ? numbersIn(table.below) : Float64Array.from(thresholds, next);
    const [negatives, positives] = [fp[fp.length - 1], tp[tp.length - 1]];
    const counted = !table.fp.kind && !table.tp.kind && about.positives !== null;
    return { name: about.name, about, thresholds, below, fp, tp, negatives, positives, counted };
  });
  const rules = Rules.of(models);
  const own = models.map((_, m) => {
    const [start, end] = rules.between(m);
    return rules.front(range(end - start).map((k) => start + k));
  });
  const front = rules.only(Int32Array.from([0, 1, ...own.flatMap((rows) => [...rows])]), rules.model);
  const same = (m, n) => models[m].about.identical.includes(n);
  const data = {
    ...{ summary, models, rules, front, same },
    names: models.map(({ name }) => name),
    smooth: models.map(({ about }) => about.table.smooth && smoothTable(about.table.smooth)),
    sizes: [models[0].positives, models[0].negatives],
    resolution: summary.decision.resolution,
    speaker: new Speaker(summary.sentences),
    draws: drawsOf(summary, models),
    curves: models.map(({ fp, tp, thresholds }) => Counts.of([0, ...fp], [0, ...tp], thresholds)),
  };
  /** What the closest other choice costs more on each resample, for a picture of the draws; null without draws. */
  data.drawsAt = (state) => {
    const found = sureOf(data, questionOf(state), true);
    return found?.differences ? { rival: found.confidence.rival, differences: found.differences } : null;
  };
  return data;
}

const FEW_CASES = 50;
// Below this many flagged positives, or negatives left alone, an operating point rests on next to nothing.
const FEW_DECIDING = 5;

/** What a reader of a decision should be careful about, a sentence each. */
export function warningsAbout({ models, speaker }, choice, words) {
  const [found, last] = [[], []];
  const { positives, negatives } = models[0].about;
  if (positives !== null && negatives !== null && Math.min(positives, negatives) < FEW_CASES) {
    found.push({ kind: 'few', positives, negatives });
  }
  const chosen = models.find(({ name }) => name === choice.model)?.about;
  if (chosen && chosen.positives !== null && chosen.negatives !== null) {
    const deciding = Math.min(choice.tpr * chosen.positives, (1 - choice.fpr) * chosen.negatives);
    if (deciding < FEW_DECIDING - SLACK * (chosen.positives + chosen.negatives)) found.push({ kind: 'guess' });
    if (choice.fpr === 0 && choice.tpr === 1) {
      // The probability of no error at all is 5 % at these rates, the upper ends of 90 % intervals.
      const [misses, alarms] = [chosen.positives, chosen.negatives].map((count) => 1 - 0.05 ** (1 / count));
      last.push({ kind: 'may_miss', misses, alarms });
    }
  }
  const scores = models.flatMap(({ name: model, about }) => {
    return about.backwards ? [{ kind: 'reversed', model }] : about.flawless ? [{ kind: 'perfect', model }] : [];
  });
  return [...found, ...scores, ...last].map((one) => speaker.say('warning', { question: { words }, ...one }));
}
