// What the reader asks: the state of the page, the question it stands for, and its address.
import { pairText } from './numbers.js';
import { ALWAYS_NEGATIVE, ALWAYS_POSITIVE, LIMITS, QUANTITIES } from './rules.js';

export const middle = ([low, high]) => (low + high) / 2;
export const logit = (p) => Math.log(p / (1 - p));
export const inverse = (u) => 1 / (1 + Math.exp(-u));
// Limits in the address: the name of each, and in how many parts it counts.
const LINKED = { cap: ['max_flagged', 1000], prec: ['min_precision', 100], alarms: ['max_fpr', 100], catch: ['min_tpr', 100] };

const NO_LOOK = { price: null, right: null, most: null };

/** What the page opens with: the author's question as the reader can change it. */
export function openedState(summary) {
  const { quantities } = summary.opened;
  const { question } = summary.decision;
  const { reviews } = question;
  const [fp, tn, tp] = ['cost_fp', 'cost_tn', 'cost_tp'].map((name) => middle(quantities[name]));
  const gap = fp - tn;
  const ratio = quantities.cost_fn.map((fn) => (fn - tp) / gap);
  return {
    ratio: question.costs_given ? ratio : null,
    range: ratio[0] !== ratio[1],
    share: quantities.prevalence,
    money: summary.unit === '' && gap === 1 ? null : gap,
    today: question.current ? todayOf(question.current) : null,
    limits: Object.fromEntries(question.limits.map(({ kind, value }) => [kind, value])),
    sure: question.sure ?? null,
    look: reviews ? { price: reviews.cost, right: [reviews.tpr, 1 - reviews.fpr], most: reviews.max_reviewed } : NO_LOOK,
  };
}

// The rule that flags no one, or everyone, has the threshold that does so.
export const ALWAYS = { [ALWAYS_NEGATIVE]: Infinity, [ALWAYS_POSITIVE]: -Infinity };
const todayOf = ([model, threshold]) => ({ model, threshold: ALWAYS[model] ?? Number(threshold) });

export const looksSet = ({ look, limits }) => look.price !== null && look.right !== null && !Object.keys(limits).length;

/** The question at a state, as `decideAt` takes it. */
export function questionAt(summary, author, state) {
  const { quantities, belief = null } = summary.opened;
  const asked = summary.decision.question;
  const same = state.ratio === author.ratio && state.money === author.money;
  const pairs = same ? { ...quantities } : costsAt(quantities, state);
  const { look, today } = state;
  return {
    ...pairs,
    prevalence: state.share,
    belief: same && state.share === author.share ? belief : null,
    costs_given: state.ratio !== null,
    limits: state.limits,
    randomised: asked.randomised,
    aim: asked.aim === 'least_worst' ? 'least_worst' : state.ratio || !Object.keys(state.limits).length ? 'cheapest' : 'most_caught',
    method: looksSet(state) ? 'best' : asked.method,
    threshold: looksSet(state) ? null : asked.threshold,
    review: looksSet(state) ? { cost: look.price, max_reviewed: look.most, fpr: 1 - look.right[1], tpr: look.right[0] } : null,
    current: today ? [today.model, today.threshold] : null,
    sure: state.sure,
    good_enough: asked.good_enough ?? null,
    words: { ...asked.words, unit: state.money === null ? '' : summary.unit },
  };
}

/** The four costs when a miss is worth so many false alarms, each of so much money. */
function costsAt(quantities, { ratio, money }) {
  const means = Object.fromEntries(QUANTITIES.map((name) => [name, middle(quantities[name])]));
  const gap = money ?? 1;
  const scale = gap / (means.cost_fp - means.cost_tn);
  const scaled = (name) => quantities[name].map((v) => v * scale);
  return {
    ...Object.fromEntries(['cost_fp', 'cost_tp', 'cost_tn'].map((name) => [name, scaled(name)])),
    cost_fn: ratio ? ratio.map((r) => means.cost_tp * scale + r * gap) : scaled('cost_fn'),
  };
}

const plainNumber = (v) => Number(v.toPrecision(12));
const pairLink = (pair) => [...new Set(pair.map(plainNumber))].join('~');

/** The state as an address, after the `#`. */
export function linkOf(state, view, models) {
  const parts = [
    ['r', state.ratio ? pairLink(state.ratio) : 'ask'],
    ['p', pairLink(state.share)],
    ['money', state.money ?? ''],
  ];
  for (const [key, [kind, parted]] of Object.entries(LINKED)) {
    if (kind in state.limits) parts.push([key, plainNumber(state.limits[kind] * parted)]);
  }
  if (state.sure !== null) parts.push(['sure', plainNumber(100 * state.sure)]);
  const { price, right, most } = state.look;
  if (price !== null) parts.push(['price', price]);
  if (right !== null) parts.push(['acc', [...new Set(right.map((v) => plainNumber(100 * v)))].join('~')]);
  if (most !== null) parts.push(['most', plainNumber(1000 * most)]);
  if (state.today) {
    const { model, threshold } = state.today;
    const rule = { [ALWAYS_NEGATIVE]: 'nobody', [ALWAYS_POSITIVE]: 'everybody' }[model] ?? `${models.indexOf(model)}:${threshold}`;
    parts.push(['today', rule]);
  } else parts.push(['today', '']);
  if (view.tab !== 'when') parts.push(['tab', view.tab]);
  if (view.theme !== 'auto') parts.push(['theme', view.theme]);
  return parts.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
}

/** What an address says, as far as it makes sense; the rest stays as it is. */
export function linkedState(text, state, view, models) {
  const given = new Map(text.split('&').map((part) => part.split('=').map(decoded)));
  const numbers = (key, ok) => {
    const ends = (given.get(key) ?? '').split('~').map((v) => (v.trim() === '' ? NaN : Number(v)));
    const [low, high = low] = ends;
    return ends.length <= 2 && ok(low) && ok(high) && low <= high ? [low, high] : null;
  };
  const one = (key, ok) => numbers(key, ok)?.[0] ?? null;
  const next = { ...state, limits: { ...state.limits }, look: { ...state.look } };
  const positive = (v) => v > 0 && v < Infinity;
  const ratio = numbers('r', positive);
  if (ratio && String(ratio) !== String(state.ratio)) Object.assign(next, { ratio, range: ratio[0] !== ratio[1] });
  if (given.get('r') === 'ask') Object.assign(next, { ratio: null, range: false });
  const share = numbers('p', (v) => v > 0 && v < 1);
  if (share && String(share) !== String(state.share)) next.share = share;
  if (given.has('money')) next.money = one('money', positive);
  const sure = one('sure', (v) => v >= 50 && v < 100);
  if (given.has('r')) {
    Object.assign(next, { limits: {}, sure: sure && sure / 100 });
    next.look = { ...NO_LOOK };
  }
  for (const [key, [kind, parted]] of Object.entries(LINKED)) {
    const value = one(key, (v) => v >= 0 && v <= parted);
    if (value !== null) next.limits[kind] = value / parted;
  }
  const price = one('price', (v) => v >= 0 && v < Infinity);
  const right = (given.get('acc') ?? '').split('~').map(Number);
  if (price !== null) next.look.price = price;
  if (given.get('acc') && right.every((v) => v >= 0 && v <= 100)) {
    next.look.right = [right[0] / 100, (right[1] ?? right[0]) / 100];
  }
  const most = one('most', (v) => v >= 0 && v <= 1000);
  if (most !== null) next.look.most = most / 1000;
  if (given.has('today')) next.today = linkedToday(given.get('today'), models);
  if (['when', 'sure', 'all'].includes(given.get('tab'))) view.tab = given.get('tab');
  if (['light', 'dark'].includes(given.get('theme'))) view.theme = given.get('theme');
  return next;
}

function linkedToday(text, models) {
  const always = { nobody: ALWAYS_NEGATIVE, everybody: ALWAYS_POSITIVE }[text];
  if (always) return { model: always, threshold: ALWAYS[always] };
  if (!/^\d+:./.test(text)) return null;
  const [m, threshold] = text.split(':').map(Number);
  return models[m] !== undefined && !Number.isNaN(threshold) ? { model: models[m], threshold } : null;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

const given = (name, [low, high]) => `${name}=${low === high ? low : `(${low}, ${high})`}`;
const review = (look) => [
  ['cost_review', look.cost],
  ['max_reviewed', look.max_reviewed],
  ['reviewer_fpr', look.fpr || null],
  ['reviewer_tpr', look.tpr === 1 ? null : look.tpr],
];

/** The question as keywords of Python and of the command, beside the costs. */
function options(asked) {
  return [
    ...Object.entries(asked.limits),
    ...(asked.review ? review(asked.review) : []),
    ['method', asked.method === 'best' ? null : asked.method],
    ['threshold', asked.threshold],
    ['randomised', asked.randomised || null],
    ['worst_case', asked.aim === 'least_worst' || null],
    ['good_enough', asked.good_enough && Number((1000 * asked.good_enough).toPrecision(15))],
    ['sure', asked.sure],
  ].filter(([, value]) => value !== null && value !== undefined);
}

const costNames = (asked) => QUANTITIES.filter((name) => !/cost_t/.test(name) || asked[name].some(Boolean));
const certain = (asked) => QUANTITIES.every((name) => asked[name][0] === asked[name][1]);
const quoted = (text) => (/^[\w.,:%/-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`);
const opens = (asked, opened) => QUANTITIES.every((name) => asked[name].every((v, i) => v === opened.quantities[name][i]));

/** The decision at this question, as Python; with columns of costs from these, whose condition it is as long as nobody moves it. */
export function pythonOf(asked, belief, { data: { amounts }, opened }) {
  const costs = costNames(asked).map((name) => given(name, asked[name]));
  const made = certain(asked) ? `ic.Condition(${costs.join(', ')})` : `ic.Conditions.from_costs(${costs.join(', ')})`;
  const literal = (v) => (v === true ? 'True' : typeof v === 'string' ? JSON.stringify(v) : String(v));
  const more = options(asked).map(([name, value]) => `${name}=${literal(value)}`);
  if (asked.current) {
    const [model, threshold] = asked.current;
    const cut = Number.isFinite(threshold) ? threshold : `float("${threshold > 0 ? '' : '-'}inf")`;
    more.push(`current=(${JSON.stringify(model)}, ${cut})`);
  }
  const lines = ['import isocost as ic', ''];
  if (belief) lines.push(`# condition: ${belief.text.replace(/\s+/g, ' ')}`);
  if (amounts) lines.push('# data: the table with the columns', ...amounts.python);
  const known = amounts && opens(asked, opened) ? amounts.condition : made;
  const condition = belief ? 'condition' : known;
  return [...lines, `decision = comparison.decide(${[condition, ...more].join(', ')})`, 'print(decision)'].join('\n');
}

/** The same as a command; the names of file and label as far as they are known. Columns of costs take no question but the first. */
export function commandOf(asked, { data: { file, label, amounts }, opened }) {
  const dashed = (name) => `--${name.replaceAll('_', '-')}`;
  const parts = ['isocost choose', quoted(file ?? 'predictions.csv')];
  if (label) parts.push(`--label ${quoted(label)}`);
  if (amounts && (!opens(asked, opened) || options(asked).length || asked.current)) return null;
  if (amounts) return [...parts, amounts.command].join(' ');
  for (const name of costNames(asked)) parts.push(`${dashed(name)} ${[...new Set(asked[name])].join(':')}`);
  for (const [name, value] of options(asked)) parts.push(value === true ? dashed(name) : `${dashed(name)} ${value}`);
  if (asked.current) {
    const [model, threshold] = asked.current;
    parts.push(`--current ${quoted(`${model}:${String(threshold).replace('Infinity', 'inf')}`)}`);
  }
  return parts.join(' ');
}

/** The rule as an expression of SQL: 1 where a case is flagged, 0 where it is not. */
export function sqlOf(answer, words) {
  const column = (name) => `"${name.replaceAll('"', '""')}"`;
  const alias = ` AS ${column(words.flagged.replace(/\W+/g, '_'))}`;
  const part = (rule) => {
    if (rule.rule === 'nobody' || rule.threshold === 'Infinity') return '0';
    if (rule.rule === 'everybody' || rule.threshold === '-Infinity') return '1';
    if (rule.threshold === null) return null;
    return `CASE WHEN ${column(rule.model)} >= ${rule.threshold} THEN 1 ELSE 0 END`;
  };
  const [first, second] = [part(answer), answer.other ? part(answer.other) : null];
  if (answer.rule === 'band') {
    const { flag_from, review_from } = answer.review;
    const when = (rule, then) => (rule.rule === 'nobody' ? '' : ` WHEN ${column(answer.model)} >= ${rule.threshold} THEN ${then}`);
    const looked = review_from.rule === 'everybody';
    const [cases, rest] = looked ? [when(flag_from, "'1'"), "'look'"] : [when(flag_from, "'1'") + when(review_from, "'look'"), "'0'"];
    return (cases ? `CASE${cases} ELSE ${rest} END` : rest) + alias;
  }
  if (first === null) return null;
  if (answer.rule !== 'mix') return first + alias;
  return `CASE WHEN RANDOM() < ${answer.share} THEN (${second}) ELSE (${first}) END${alias}`;
}

/** The state in a few words, for fields that are folded. */
export function limitsText(limits, words) {
  const said = {
    max_flagged: (v) => `at most ${pairText([1000 * v, 1000 * v])} ${words.flagged}`,
    min_precision: (v) => `${pairText([100 * v, 100 * v])} % correct`,
    max_fpr: (v) => `at most ${pairText([100 * v, 100 * v])} % of ${words.negatives}`,
    min_tpr: (v) => `${pairText([100 * v, 100 * v])} % caught`,
  };
  return LIMITS.filter((kind) => kind in limits)
    .map((kind) => said[kind](limits[kind]))
    .join(', ');
}
