// The answer as the page says it first: the deed, how sure it is, what to do.
// The twin of decision/answer_wording.py, letter for letter.
import { costSaid, estimateSaid, unitSaid } from './cost_words.js';
import { amount, digits, percent, rough } from './numbers.js';
import { reworded } from './vocabulary.js';
import { CLEARED_BELOW, EVERYBODY, NOBODY, SCORED, TRIVIAL, capital, unitOf } from './words.js';

const MOST_WARNINGS = 3;
const CHECK = 'First check that no column gives the answer away';
// From how much of the stated ranges on a model is cheapest everywhere in them.
const EVERYWHERE = 0.9999;

/** What flagging nobody or everybody is in the reader's words. */
export function trivialDeed(model, words) {
  return `${words.flag} ${model === NOBODY ? 'nobody' : 'everybody'}`;
}

/** The same as the subject of a sentence: flagging nobody or everybody. */
export function trivialDoing(model, words) {
  return capital(trivialDeed(model, { flag: words.flagging }));
}

/** A model's name as the page writes it, or what is done without one. */
function called(model, { words, names }) {
  return TRIVIAL.includes(model) ? trivialDeed(model, words) : (names[model] ?? model);
}

/** A sentence of the library in the reader's words. */
export function inWords(text, { words, names }) {
  return reworded(text, words, [...Object.keys(names), ...Object.values(names)]);
}

/**
 * How sentences call models and cases, whether a model is next where flagging nobody, or everybody, ends, and which
 * models nobody should be offered or are to be checked first.
 */
export function speechOf({ words, models, winners }) {
  const isModel = (win) => Boolean(win) && !TRIVIAL.includes(win.model);
  const those = (key) => models.filter((model) => model[key]).map((model) => model.name);
  return {
    words,
    names: Object.fromEntries(models.map((model) => [model.name, model.short])),
    pays: { [NOBODY]: isModel(winners[winners.length - 2]), [EVERYBODY]: isModel(winners[1]) },
    backwards: those('backwards'),
    flawless: those('flawless'),
  };
}

/** The three parts of the deed: before, the name of the model, after it. */
export function deed(d, says) {
  const { words } = says;
  if (TRIVIAL.includes(d.model)) return [`No model is worth using here: ${trivialDeed(d.model, words)}.`, '', ''];
  const what = d.review
    ? inWords(d.rule.replace(SCORED, () => `${words.flag} from `).replace(CLEARED_BELOW, 'clear below '), says)
    : d.rule.startsWith(SCORED)
      ? `${words.flag} ${words.cases} scoring ${d.rule.slice(SCORED.length)} or more`
      : inWords(d.rule, says);
  return ['Deploy ', called(d.model, says), `: ${what}.`];
}

/** What the deed costs per 1000 cases; where costs have no unit, the mean normalised cost. */
export function price1000(d) {
  return d.per_1000 === null ? digits(d.normalised_cost, 4) : amount(d.per_1000, d.asked.unit);
}

/** An amount of money a case as one per 1000, or a normalised one as it is. */
function said1000(d, x) {
  return `${estimateSaid(x, unitSaid(d))}${d.expected_cost === null ? '' : ' per 1000'}`;
}

/** How much more something else costs per 1000 cases, or normalised. */
function more1000(d, { extra, extra_cost }) {
  return `${costSaid(extra_cost ?? extra, unitSaid(d))} more${d.expected_cost === null ? '' : ' per 1000'}`;
}

/** The next best model with scores the right way round; where there is none, the next best thing to do. */
export function runnerUp(d, { backwards }) {
  const priced = d.alternatives.filter((a) => a.extra !== null && !backwards.includes(a.model));
  return priced.find((a) => !TRIVIAL.includes(a.model)) ?? priced[0] ?? null;
}

/** The word for how sure it is, in how many resamples, and what to do. */
export function certainty(d, says) {
  const next = runnerUp(d, says);
  const found = d.surety;
  const often = found && found.grade && found.share !== null ? `cheapest in ${percent(found.share)} of resamples` : '';
  const both = next && !TRIVIAL.includes(d.model) && !TRIVIAL.includes(next.model);
  // A tie of two different models is chance: how sure it is still counts.
  if (both && next.identical) {
    const names = [d.model, next.model].map((model) => called(model, says)).join(' and ');
    const check = says.flawless.includes(d.model) ? `${CHECK}. ` : '';
    return {
      grade: 'same',
      word: 'The same',
      often,
      todo: `${check}${names} cost the same here. Choose by price, speed or ease of explaining.`,
    };
  }
  if (!found || !found.grade) {
    const why = found && found.doubts.length ? found.doubts.join(' ') : 'no resamples were drawn.';
    const told = lowered(inWords(why, says));
    return { grade: 'none', word: 'Not known', often: '', todo: `How sure this is cannot be said: ${told}` };
  }
  const word = { clear: 'Clear', leaning: 'Leaning', open: 'Open' }[found.grade];
  return { grade: found.grade, word, often, todo: [...found.doubts, todo(d, next, says)].join(' ') };
}

function lowered(text) {
  return `${text[0].toLowerCase()}${text.slice(1)}`;
}

function todo(d, next, says) {
  if (TRIVIAL.includes(d.model)) return worthwhile(d, says);
  if (says.backwards.includes(d.model)) return 'Turn the scores round and make the report again.';
  const found = d.surety;
  const check = says.flawless.includes(d.model) ? CHECK : '';
  const go = check ? `${check}, then go ahead` : 'Go ahead';
  if (next === null) return `${go}.`;
  const trivial = TRIVIAL.includes(next.model);
  const other = called(next.model, says);
  if (found.grade === 'clear') {
    const who = trivial ? trivialDoing(next.model, says.words) : `The runner-up, ${other},`;
    return `${go}. ${who} costs ${more1000(d, next)}.`;
  }
  const lose = found.regret === null ? '' : `a wrong pick loses ${said1000(d, found.regret)} on average`;
  if (found.grade === 'leaning') {
    const reserve = trivial ? `but be ready to ${other} instead` : `keep ${other} in reserve`;
    return `${go}, ${reserve}${lose ? `: ${lose}` : ''}.`;
  }
  const first = `${check ? `${check}. ` : ''}Either ${trivial ? 'deploy ' : ''}${called(d.model, says)}`;
  const either = `${first} or ${other}: take the one that is easier to run`;
  const { enough = null } = found.labels ?? {};
  const label = enough ? ` Or label about ${digits(enough, 2)} more ${says.words.cases} to settle it.` : '';
  return `${either}${lose ? `; ${lose}` : ''}.${label}`;
}

/** From which cost of a miss on something else is cheaper: a model, where `says.pays` has one next. */
function worthwhile(d, says) {
  const { condition, model_drift: drift } = d;
  if (!condition || !drift || !drift.cost_ratio) return 'Go ahead.';
  const [low, high] = drift.cost_ratio.map(Number);
  const nobody = d.model === NOBODY;
  const ratio = nobody ? high : low;
  if (ratio === (nobody ? Infinity : 0)) return 'No cost of a miss makes a model pay.';
  const miss = condition.cost_tp + ratio * (condition.cost_fp - condition.cost_tn);
  const from = `once a miss costs ${nobody ? 'more' : 'less'} than ${rough(miss, d.asked.unit)}`;
  const other = trivialDoing(nobody ? EVERYBODY : NOBODY, says.words);
  return says.pays[d.model] ? `A model pays ${from}.` : `${other} is cheaper ${from}.`;
}

/** What thresholds that the page does not hold could change within limits; empty where it holds all. */
function finer(d, says) {
  const cheaper = d.alternatives
    .filter((a) => a.extra_low !== null && a.extra_low <= 0)
    .map((a) => called(a.model, says));
  if (d.normalised_cost_low === null && !cheaper.length) return '';
  const saved = d.normalised_cost - (d.normalised_cost_low ?? d.normalised_cost);
  const money = d.expected_cost === null ? saved : (saved * (d.expected_cost - d.condition.best)) / d.normalised_cost;
  const who = cheaper.length ? ` ${cheaper.join(' or ')} could then be the cheapest.` : '';
  const text = saved > 0 ? ` could save up to ${said1000(d, money)}` : ' could be cheaper';
  return ` The page holds only some thresholds: another one${text}.${who}`;
}

/** What thresholds inside groups of scores could change; empty where that is nothing. */
function grouped(d, says) {
  const saved = d.normalised_cost - (d.normalised_cost_low ?? d.normalised_cost);
  if (!(saved > 0)) return '';
  const cheaper = d.alternatives.filter((a) => (a.extra_low ?? 0) < 0).map((a) => called(a.model, says));
  const who = cheaper.length ? ` ${cheaper.join(' or ')} could then be the cheapest.` : '';
  return `Scores were grouped: a finer threshold could save up to ${said1000(d, saved * unitOf(d))}.${who}`;
}

/** What to know beside the answer: [text, whether it warns]; `within`: the part of the stated ranges, or null. */
export function notes(d, says, within = null) {
  const { words } = says;
  const found = [];
  const trivial = d.alternatives.filter((a) => TRIVIAL.includes(a.model) && a.extra !== null);
  if (!TRIVIAL.includes(d.model) && trivial.length && d.expected_cost !== null) {
    const parts = trivial.map((a) => {
      const much = costSaid(Math.abs(a.extra_cost), d.asked.unit);
      return `${much} ${a.extra_cost < 0 ? 'more' : 'less'} than if you ${trivialDeed(a.model, words)}`;
    });
    found.push([`That is ${parts.join(', and ')}.`, false]);
  }
  const limits = Object.entries(d.asked.limits);
  const coarse = limits.length ? '' : grouped(d, says);
  if (within !== null && !coarse) {
    const text =
      within > EVERYWHERE
        ? 'The same model is cheapest everywhere in the ranges you gave.'
        : `The same model is cheapest in ${percent(within)} of the ranges you gave; the map shows where it is not.`;
    found.push([text, false]);
  }
  if (coarse) found.push([coarse, true]);
  if (limits.length) {
    const said = {
      max_flagged: (v) => `at most ${digits(1000 * v)} of 1000 ${words.flagged}`,
      min_precision: (v) => `at least ${digits(100 * v)} % of them ${words.positives}`,
    };
    const texts = limits.flatMap(([kind, v]) => (said[kind] ? [said[kind](v)] : []));
    found.push([`Within your limits: ${texts.join('; ')}.${finer(d, says)}`, false]);
  }
  return [...found, ...d.warnings.slice(0, MOST_WARNINGS).map((text) => [inWords(text, says), true])];
}
